// SPDX-License-Identifier: BSD-3-Clause
#include "running/put.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/caret.hpp"
#include "command_line/shared_options.hpp"
#include "files/arrays.hpp"
#include "files/file_names.hpp"
#include "form/map.hpp"
#include "notation/verb.hpp"
#include "running/run.hpp"

namespace crinkle::tool {
namespace {

// The notation of --at and --slice, which give the errors.
Verb verb_of(const std::string& entry, std::size_t axis) {
  const std::string text = "@" + std::to_string(axis) + "=" + entry;
  return parse_verb(entry.find(':') == std::string::npos ? Verb::Kind::at : Verb::Kind::slice, text);
}

// Reads the part, and holds what is around it against what was there.
void verify(const Wanted& wanted, std::span<const std::byte> source, const Layout& part, std::span<const std::byte> before,
            std::span<const std::byte> after, const std::string& path) {
  const auto e = static_cast<std::size_t>(part.element_bytes);
  std::vector<std::byte> elements(static_cast<std::size_t>(part.n_bytes())), around(before.begin(), before.end());
  for_each_element(part, [&](std::int64_t i, std::int64_t at) {
    std::memcpy(elements.data() + static_cast<std::size_t>(i) * e, after.data() + at, e);
    std::memcpy(around.data() + at, after.data() + at, e);
  });
  const std::int64_t wrong = first_difference(wanted.map, source, Form::elements, elements, Form::elements);
  if (wrong >= 0)
    throw Error(ErrorCode::bad_file, fmt::format("{}: element {} of the part is not what the move should have written", path, wrong));
  if (!std::equal(around.begin(), around.end(), after.begin(), after.end()))
    throw Error(ErrorCode::bad_file, path + ": bytes outside the part were changed");
}

}  // namespace

Layout part_of(const Layout& whole, const std::string& index, const std::string& path) {
  std::string written = index;
  std::erase(written, ' ');
  std::vector<std::string> entries = split(written);
  const auto refuse = [&](ErrorCode code, const std::string& text) { throw Error(code, "--put " + shown(index) + ": " + text); };
  const auto is_rest = [](const std::string& entry) { return entry == "..."; };
  const auto n_rest = std::count_if(entries.begin(), entries.end(), is_rest);
  if (n_rest > 1) refuse(ErrorCode::bad_notation, "... stands there twice, and it is all axes that are not written");
  if (n_rest == 0) entries.emplace_back("...");
  const std::size_t rank = whole.extents.size(), n_written = entries.size() - 1;
  if (n_written > rank) {
    refuse(ErrorCode::bad_shape, fmt::format("says {} axes, and {} has {}: {}", n_written, path, rank, print_shape(whole.extents)));
  }
  const auto rest = std::find_if(entries.begin(), entries.end(), is_rest);
  const auto at_rest = rest - entries.begin();
  entries.erase(rest);
  entries.insert(entries.begin() + at_rest, rank - n_written, ":");

  Layout part{{}, {}, whole.offset, whole.element_bytes};
  for (std::size_t a = 0; a < rank; ++a) {
    const Verb verb = verb_of(entries[a], a);
    const std::int64_t n = whole.extents[a], stride = whole.strides[a];
    if (verb.kind == Verb::Kind::at) {
      const std::int64_t i = verb.distance < 0 ? verb.distance + n : verb.distance;
      if (i < 0 || i >= n) refuse(ErrorCode::bad_shape, fmt::format("axis {} of {} has {} indices, and no {}", a, path, n, verb.distance));
      part.offset += i * stride;
      continue;
    }
    const Map map = slice_map(n, verb.start, verb.stop, verb.step);
    part.extents.push_back(extent_of(map));
    part.strides.push_back(map.empty() ? stride : map[0].step * stride);
    if (!map.empty()) part.offset += map[0].start * stride;
  }
  return part;
}

void Put::add_to(Command& c) {
  c.option("--put", "INDEX", index, "write into this part of an output that exists, the rest stays: 100:200,0:64")
      .manual(
          "NumPy's index of a *.npy* output, or of a raw one with `--put-shape`: a number or *START*:*STOP*[:*STEP*] for each axis, "
          "slowest "
          "first, and ... for those between. The part has the shape and the type of the result. The file is copied, and the copy takes its "
          "place when it is complete.");
  c.option("--put-shape", "SHAPE", shape, "of a raw output of --put: the extents of all of it")
      .manual("Its type is that of the result. One extent may be -1: what the file's size leaves.");
}

void Put::check() const {
  if (!shape.empty() && !is_asked()) throw Error(ErrorCode::bad_notation, "--put-shape describes the output of --put, which is not there");
}

void Put::run(const Wanted& wanted, const Source& source, const ArrayFacts& facts, const std::string& output,
              const Running& running) const {
  if (output == "-") throw Error(ErrorCode::unsupported, "--put needs a file that is there, and - is standard output");
  if (shape.empty() && is_named_raw(output))
    throw Error(ErrorCode::bad_notation, output + ": --put needs --put-shape, the extents of all of it, since raw data do not say them");
  if (!shape.empty() && is_named_as_a_format(output))
    throw Error(ErrorCode::bad_notation, output + ": says itself what it holds, leave out --put-shape");
  const std::optional<RawFacts> raw = RawInput{shape, shape.empty() ? "" : wanted.type.descr}.facts(output);
  const auto there = Source::open(output, raw ? &*raw : nullptr);
  const ArrayFacts& whole = there->facts();
  if (whole.format != "npy" && whole.format != "raw")
    throw Error(ErrorCode::unsupported, output + ": --put writes into .npy and raw files; bring it into one of these first, and back");
  const Layout part = part_of(whole.layout, index, output);
  const std::string place = output + "[" + index + "]";
  if (part.extents != wanted.extents || whole.type.descr != wanted.type.descr) {
    const bool is_order = part.extents == wanted.extents && !whole.type.name.empty() && whole.type.name == wanted.type.name;
    throw Error(ErrorCode::bad_shape, described(place, part.extents, whole.type) + " is not like the result, " +
                                          print_shape(wanted.extents) + " " + spelled(wanted.type) +
                                          (is_order ? ": their byte orders differ, " + whole.type.descr + " and " + wanted.type.descr +
                                                          "; --byte-order brings them together"
                                                    : ""));
  }

  const std::span<const std::byte> before = there->bytes();
  SeveralFiles files;
  files.inputs.push_back(&source);
  files.outputs.push_back({output, {{std::ssize(before)}, element_type("|u1"), nullptr, nullptr, true, Replaced::a_part}, 0, before});
  files.moved_bytes = part.n_bytes();
  files.what = described(facts.path, facts.layout.extents, facts.type) + " -> " + described(place, part.extents, whole.type);
  files.verify = [&](std::span<const std::span<std::byte>> outputs, Executor&) {
    verify(wanted, source.bytes(), part, before, outputs[0], output);
  };
  const Rearrangement& map = wanted.map;
  Running forced = running;
  forced.is_forced = true;
  run_several(map.has_names() ? map.into(part) : map.then(Rearrangement(map.destination()).into(part)),
              {{source.bytes().data(), std::ssize(source.bytes())}}, files, forced);
}

}  // namespace crinkle::tool
