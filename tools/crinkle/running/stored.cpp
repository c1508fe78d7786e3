// SPDX-License-Identifier: BSD-3-Clause
#include "running/stored.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "operation/model.hpp"
#include "plan/describe.hpp"

namespace crinkle::tool {
namespace {

std::int64_t bytes_of_chunk(const Extents& chunks, std::int64_t element_bytes) { return Layout::dense(chunks, element_bytes).n_bytes(); }

// Elements of the chunks that a range of an axis touches, one that goes round its end in two pieces.
std::int64_t touched(const Range& range, std::int64_t extent, std::int64_t chunk) {
  const auto straight = [&](std::int64_t first, std::int64_t n) {
    return n == 0 ? 0 : ((first + n - 1) / chunk - first / chunk + 1) * chunk;
  };
  const std::int64_t before = std::min(range.n, extent - range.first);
  return straight(range.first, before) + straight(0, range.n - before);
}

void read_straight(const Source& from, const Ranges& box, std::byte* into, const Extents& strides, Executor& executor) {
  if (from.dataset() != nullptr) return read_box(*from.dataset(), box, into, strides, executor);
  const Layout& layout = from.facts().layout;
  std::int64_t at = layout.offset;
  Extents extents;
  for (std::size_t a = 0; a < box.size(); ++a) {
    at += box[a].first * layout.strides[a];
    extents.push_back(box[a].n);
  }
  copy_box(extents, layout.element_bytes, from.bytes().data() + at, layout.strides, into, strides);
}

/// Memory that is taken anew only where it is too small.
class Room {
 public:
  std::byte* of(std::int64_t bytes) {
    if (bytes > bytes_) memory_.reset();
    if (bytes > bytes_) memory_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes_ = bytes));
    return memory_.get();
  }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::int64_t bytes_ = 0;
};

}  // namespace

void read_ranges(const Source& from, const Ranges& ranges, std::byte* into, Executor& executor) {
  const Extents& whole = from.facts().layout.extents;
  Extents extents;
  for (const Range& range : ranges) extents.push_back(range.n);
  const Extents strides = Layout::dense(extents, from.facts().type.bytes).strides;
  const std::size_t rank = ranges.size();
  // A range that goes round the end of its axis is read in two pieces.
  for (std::size_t which = 0; which < std::size_t{1} << rank; ++which) {
    Ranges box = ranges;
    std::int64_t at = 0;
    bool is_there = true;
    for (std::size_t a = 0; a < rank; ++a) {
      const std::int64_t before = std::min(ranges[a].n, whole[a] - ranges[a].first);
      if ((which >> a & 1U) == 0) {
        box[a].n = before;
      } else {
        box[a] = {0, ranges[a].n - before};
        at += before * strides[a];
        is_there = is_there && box[a].n > 0;
      }
      is_there = is_there && (box[a].n > 0);
    }
    if (is_there) read_straight(from, box, into + at, strides, executor);
  }
}

std::int64_t usual_memory() {
  const std::int64_t pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? pages / 4 * page : std::int64_t{1} << 30;
}

bool StoredRun::serves(const Operation& operation, const Source& from, const Sink& to) {
  return (from.dataset() != nullptr || to.dataset() != nullptr) && operation.device().kind == Device::Kind::cpu &&
         operation.inputs().size() == 1 && operation.outputs().size() == 1 && !operation.cuts().empty() &&
         bytes_of(operation.outputs()) > 0 && operation.stages().size() == 1 && !operation.outputs()[0].is_counted &&
         !operation.outputs()[0].is_updated && operation.inputs()[0].layout == from.facts().layout &&
         std::all_of(operation.cuts().begin(), operation.cuts().end(), [](const Cut& cut) { return cut.outputs[0] >= 0; });
}

StoredRun::StoredRun(const Operation& operation, const Source& from, Sink& to, std::int64_t memory_bytes, Executor& executor)
    : operation_(operation), from_(from), to_(to), executor_(executor), limit_(memory_bytes) {
  choose(memory_bytes);
}

// Parts begin and end where chunks of the output do.
Extents StoredRun::unit_of_cuts() const {
  Extents unit;
  for (const Cut& cut : operation_.cuts())
    unit.push_back(to_.dataset() == nullptr ? 1 : to_.dataset()->facts().unit[static_cast<std::size_t>(cut.outputs[0])]);
  return unit;
}

std::int64_t StoredRun::bytes_for(const Ranges& part) const {
  std::int64_t packing = 0;  // beside the arrays, each thread holds a chunk, unpacked and packed
  if (from_.dataset() != nullptr) packing = bytes_of_chunk(from_.dataset()->facts().chunks, from_.facts().type.bytes);
  if (to_.dataset() != nullptr)
    packing = std::max(packing, bytes_of_chunk(to_.dataset()->facts().unit, operation_.outputs()[0].layout.element_bytes));
  const std::int64_t arrays =
      add(bytes_of(operation_.inputs(), operation_.needs(part)), bytes_of(operation_.outputs(), operation_.gives(part)));
  return add(add(arrays, multiply(multiply(2, executor_.n_workers()), packing)), operation_.part(part).workspace_bytes());
}

std::int64_t StoredRun::bytes_unpacked(const Ranges& part) const {
  const Ranges needs = operation_.needs(part)[0];
  if (from_.dataset() == nullptr) return bytes_of(operation_.inputs()[0].layout, needs);
  const DatasetFacts& facts = from_.dataset()->facts();
  std::int64_t n = facts.type.bytes;
  for (std::size_t a = 0; a < needs.size(); ++a) n = multiply(n, touched(needs[a], facts.extents[a], facts.chunks[a]));
  return n;
}

std::int64_t StoredRun::n_parts(const Extents& pieces) const {
  std::int64_t n = bytes_of(operation_.outputs()) == 0 ? 0 : 1;
  for (std::size_t c = 0; c < pieces.size(); ++c) n = multiply(n, ceil_divide(operation_.cuts()[c].extent, pieces[c]));
  return n;
}

Ranges StoredRun::part_at(const Extents& pieces, std::int64_t number) const {
  Ranges part(pieces.size());
  for (std::size_t c = pieces.size(); c-- > 0;) {
    const std::int64_t extent = operation_.cuts()[c].extent, n = ceil_divide(extent, pieces[c]), first = number % n * pieces[c];
    number /= n;
    part[c] = {first, std::min(pieces[c], extent - first)};
  }
  return part;
}

// Bytes that all parts unpack over those of the array; of many parts some are looked at.
double StoredRun::times_unpacked(const Extents& pieces) const {
  constexpr std::int64_t looked_at = 16;
  const std::int64_t n = n_parts(pieces), step = std::max<std::int64_t>(1, n / looked_at);
  double bytes = 0, share = 0;
  for (std::int64_t k = 0; k < n; k += step) {
    const Ranges part = part_at(pieces, k);
    bytes += static_cast<double>(bytes_unpacked(part));
    share += static_cast<double>(bytes_of(operation_.outputs(), operation_.gives(part)));
  }
  const double all = static_cast<double>(bytes_of(operation_.outputs()));
  return bytes * (share > 0 ? all / share : 1) / std::max(1.0, static_cast<double>(bytes_of(operation_.inputs())));
}

// From the smallest parts on, the axis whose longer pieces save most is doubled, as long as a part fits.
void StoredRun::choose(std::int64_t memory_bytes) {
  const Extents unit = unit_of_cuts();
  const std::vector<Cut>& cuts = operation_.cuts();
  Extents pieces;
  for (std::size_t c = 0; c < cuts.size(); ++c) pieces.push_back(std::max<std::int64_t>(1, unit[c]));
  for (;;) {
    double best = std::numeric_limits<double>::infinity();
    std::int64_t fewest = 0;
    Extents next;
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      if (pieces[c] >= cuts[c].extent) continue;
      Extents longer = pieces;
      longer[c] = std::min(multiply(2, pieces[c]), multiply(ceil_divide(cuts[c].extent, unit[c]), unit[c]));
      if (bytes_for(part_at(longer, 0)) > memory_bytes) continue;
      const double times = times_unpacked(longer);
      const std::int64_t n = n_parts(longer);
      if (times > best * (1 + 1e-9) || (times > best * (1 - 1e-9) && n >= fewest)) continue;
      best = times;
      fewest = n;
      next = longer;
    }
    if (next.empty()) break;
    pieces = next;
  }
  pieces_ = pieces;
  part_bytes_ = bytes_for(part_at(pieces_, 0));
}

std::string StoredRun::describe() const {
  const std::int64_t n = n_parts(pieces_);
  const double times = times_unpacked(pieces_);
  return fmt::format(
      "in {} part{} of at most {}; {} is read {} and {} written once\n", n, n == 1 ? "" : "s",
      planning::print_bytes(static_cast<double>(part_bytes_)), from_.dataset() == nullptr ? "the input" : "each chunk of the input",
      times < 1.005 ? "once" : fmt::format("{:.2f} times", times), to_.dataset() == nullptr ? "the output" : "each chunk of the output");
}

void StoredRun::report(bool is_explained, const std::string& memory) const {
  if (is_explained) fmt::print(stderr, "{}", describe());
  if (!memory.empty() && part_bytes_ > limit_)
    fmt::print(stderr, "crinkle: note: --memory {}: the smallest parts, of whole chunks, take {}\n", memory,
               planning::print_bytes(static_cast<double>(part_bytes_)));
}

void StoredRun::write(const Ranges& ranges, const std::byte* from) {
  Extents extents;
  for (const Range& range : ranges) extents.push_back(range.n);
  const Layout& layout = operation_.outputs()[0].layout;
  const Extents strides = Layout::dense(extents, layout.element_bytes).strides;
  if (to_.dataset() != nullptr) return write_box(*to_.dataset(), ranges, from, strides, executor_);
  std::int64_t at = layout.offset;
  for (std::size_t a = 0; a < ranges.size(); ++a) at += ranges[a].first * layout.strides[a];
  copy_box(extents, layout.element_bytes, from, strides, to_.data().data() + at, layout.strides);
}

void StoredRun::run(const std::function<void(std::span<std::byte>)>& look, const std::function<void(std::int64_t n_bytes)>& written) {
  const std::int64_t n = n_parts(pieces_);
  Room in, out, workspace;
  for (std::int64_t k = 0; k < n; ++k) {
    const Ranges ranges = part_at(pieces_, k);
    const Operation part = operation_.part(ranges);
    const std::int64_t n_in = bytes_of(part.inputs()), n_out = bytes_of(part.outputs()), extra = part.workspace_bytes();
    const ConstBuffer source{in.of(n_in), n_in};
    const Buffer result{out.of(n_out), n_out};
    read_ranges(from_, operation_.needs(ranges)[0], in.of(n_in), executor_);
    part.run({&source, 1}, {&result, 1}, executor_, extra == 0 ? Buffer{} : Buffer{workspace.of(extra), extra});
    if (look) look({out.of(n_out), static_cast<std::size_t>(n_out)});
    write(operation_.gives(ranges)[0], out.of(n_out));
    if (written) written(n_out);
  }
}

void StoredRun::verify(const Source& written) {
  const std::int64_t n = n_parts(pieces_);
  Room in, out, back;
  for (std::int64_t k = 0; k < n; ++k) {
    const Ranges ranges = part_at(pieces_, k), gives = operation_.gives(ranges)[0];
    const Operation part = operation_.part(ranges);
    const std::int64_t n_in = bytes_of(part.inputs()), n_out = bytes_of(part.outputs());
    const ConstBuffer source{in.of(n_in), n_in};
    const Buffer result{out.of(n_out), n_out};
    read_ranges(from_, operation_.needs(ranges)[0], in.of(n_in), executor_);
    part.define({&source, 1}, {&result, 1});
    read_ranges(written, gives, back.of(n_out), executor_);
    if (std::memcmp(out.of(n_out), back.of(n_out), static_cast<std::size_t>(n_out)) == 0) continue;
    std::string place;
    for (const Range& range : gives) place += fmt::format("{}{}:{}", place.empty() ? "" : ",", range.first, range.first + range.n);
    throw Error(ErrorCode::bad_file, fmt::format("{}: read back, [{}] is not what it should be", written.facts().path, place));
  }
}

}  // namespace crinkle::tool
