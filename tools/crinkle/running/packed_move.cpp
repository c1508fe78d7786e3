// SPDX-License-Identifier: BSD-3-Clause
#include "running/packed_move.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <vector>

#include "crinkle/bit_shape.hpp"
#include "crinkle/packed.hpp"
#include "files/file_names.hpp"
#include "formats/sink.hpp"
#include "formats/source.hpp"
#include "running/run.hpp"

namespace crinkle::tool {
namespace {

// What goes by whole bytes, or elsewhere than the CPU.
void refuse_what_is_not(const Wish& wish, const RawInput& raw, const Running& running, const std::string& output) {
  const auto refuse_if = [](bool is_asked, const std::string& what, const std::string& instead) {
    if (is_asked) throw Error(ErrorCode::unsupported, what + " is not for elements of less than a byte: " + instead);
  };
  refuse_if(!raw.dtype.empty(), "--dtype " + raw.dtype, "the shape says their bits");
  refuse_if(!wish.byte_order.empty() || wish.is_shuffled || !wish.unshuffled.empty(), "an order of bytes",
            "leave --byte-order, --shuffle and --unshuffle out");
  refuse_if(wish.is_bit_planes || !wish.from_bit_planes.empty() || wish.count, "--bit-planes",
            "of 1 bit they are packed elements, `y x b -> b y x`");
  refuse_if(running.device.starts_with("cuda"), "--device " + running.device, "they are moved on the CPU");
  refuse_if(is_named_as_a_format(output), "the format of " + output, "name a raw file, such as out.raw");
}

std::vector<std::byte> unpacked(std::span<const std::byte> packed, std::int64_t n, int bits, Executor& executor) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(n));
  unpack_bits(packed, bytes, n, bits, executor);
  return bytes;
}

// The first element that is not what the definition says, or -1.
std::int64_t first_wrong(const Rearrangement& map, int bits, std::span<const std::byte> from, std::span<const std::byte> to,
                         Executor& executor) {
  const std::vector<std::byte> source = unpacked(from, map.source().n_elements(), bits, executor);
  const std::vector<std::byte> result = unpacked(to, map.destination().n_elements(), bits, executor);
  return first_difference(map, source, Form::elements, result, Form::elements);
}

void check_read_back(std::int64_t at, const std::string& output, const std::string& what_then) {
  if (at >= 0)
    throw Error(ErrorCode::bad_file,
                fmt::format("{}: read back, element {} is not what the move should have written{}", output, at, what_then));
}

// An output that is not what it should be does not stay.
void verify_file(const Rearrangement& map, int bits, std::span<const std::byte> from, const RawFacts& as_written, const std::string& output,
                 Executor& executor) {
  const auto back = Source::open(output, &as_written);
  const std::int64_t at = first_wrong(map, bits, from, back->bytes(), executor);
  if (at >= 0) std::remove(output.c_str());
  check_read_back(at, output, "; the output was removed");
}

}  // namespace

bool is_packed(const RawInput& raw) {
  if (raw.shape.find("bits") == std::string::npos) return false;
  try {
    return parse_bit_shape(raw.shape).element_bits < 8;
  } catch (const Error&) { return false; }  // it is refused as any shape is
}

void run_packed_move(const Wish& wish, const RawInput& raw, const Running& running, const std::string& input, const std::string& output) {
  refuse_what_is_not(wish, raw, running, output);
  const BitShape shape = parse_bit_shape(raw.shape);
  const int bits = static_cast<int>(shape.element_bits);
  const RawFacts bytes{{packed_bytes(shape.n_elements(), bits)}, element_type("|u1"), raw.offset};
  const auto source = Source::open(input, &bytes);
  const std::span<const std::byte> from =
      source->bytes().subspan(static_cast<std::size_t>(source->facts().layout.offset), static_cast<std::size_t>(bytes.extents[0]));
  const Wanted wanted = resolve(wish, Layout::dense(shape.extents, 1), element_type("|u1"));
  const std::int64_t n_packed = packed_bytes(wanted.map.destination().n_elements(), bits);
  const ArrayFacts& facts = source->facts();
  const OutputFacts to{{n_packed}, element_type("|u1"), &facts, nullptr};
  const std::string words = fmt::format("{} {} -> {} {}", input, print_bit_shape(shape), output, print_bit_shape({wanted.extents, bits}));
  Done done{.operation = "move", .device = cpu(), .bytes_moved = bytes.extents[0] + n_packed};
  done.include(done.inputs, input, facts.layout.extents, facts.type);
  done.include(done.outputs, output, to.extents, to.type);
  if (running.is_explained)
    fmt::print(stderr, "{}\n{}elements of {} bits, each by a byte of its own, slab by slab\n", words, Plan(wanted.map).describe(), bits);
  if (running.is_dry) {
    Sink::check(output, to, running.overwrite());
    return print_dry(running, done, output, words);
  }
  const auto executor = make_executor(running.threads);
  auto sink = Sink::create(output, to, running.overwrite());
  const auto start = std::chrono::steady_clock::now();
  move_packed(wanted.map, bits, {from.data(), std::ssize(from)}, {sink->data().data(), n_packed}, *executor, running.slab_bytes());
  done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (running.is_verified && output == "-")
    check_read_back(first_wrong(wanted.map, bits, from, sink->data(), *executor), "standard output", "");
  sink->commit();
  sink.reset();
  if (running.is_verified && output != "-") verify_file(wanted.map, bits, from, {to.extents, to.type, 0}, output, *executor);
  if (running.is_json) print_done(running, done, {});
}

}  // namespace crinkle::tool
