// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/packed.hpp"

#include <algorithm>
#include <atomic>
#include <string>

#include "base/checked.hpp"
#include "crinkle/bit_shape.hpp"
#include "crinkle/error.hpp"
#include "crinkle/plan.hpp"
#include "cuda/device_buffers.hpp"
#include "move/cuda/packed_elements.hpp"
#include "move/packed_byte.hpp"

namespace crinkle {
namespace {

void check_spans(std::size_t n_packed, std::size_t n_bytes, std::int64_t n, int bits) {
  const std::int64_t needed = packed_bytes(n, bits);
  if (static_cast<std::int64_t>(n_packed) >= needed && static_cast<std::int64_t>(n_bytes) >= n) return;
  throw Error(ErrorCode::bad_shape, std::to_string(n) + " elements of " + std::to_string(bits) + " bits take " + std::to_string(needed) +
                                        " bytes packed and " + std::to_string(n) + " unpacked, not " + std::to_string(n_packed) + " and " +
                                        std::to_string(n_bytes));
}

/// body(first, last) for parts of the packed bytes.
template <class Body>
void in_parts(std::int64_t n_packed, Executor& executor, const Body& body) {
  constexpr std::int64_t least = std::int64_t{16} << 10;
  const std::int64_t n_parts = std::max<std::int64_t>(1, std::min<std::int64_t>(4 * executor.n_workers(), n_packed / least));
  executor.parallel_for(n_parts, [&](std::int64_t k) { body(n_packed * k / n_parts, n_packed * (k + 1) / n_parts); });
}

template <int bits>
void unpack(const std::byte* packed, std::byte* bytes, std::int64_t n, Executor& executor) {
  constexpr std::int64_t each = 8 / bits;
  in_parts(ceil_divide(n, each), executor, [=](std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k) {
      const std::int64_t here = std::min(each, n - k * each);
      const std::uint64_t all = unpacked<bits>(static_cast<std::uint32_t>(packed[k]));
      for (std::int64_t j = 0; j < here; ++j) bytes[k * each + j] = static_cast<std::byte>(all >> (8 * j));
    }
  });
}

/// The first element that does not fit, or n.
template <int bits>
std::int64_t pack(const std::byte* bytes, std::byte* packed, std::int64_t n, Executor& executor) {
  constexpr std::int64_t each = 8 / bits;
  std::atomic<std::int64_t> first_wide = n;
  in_parts(ceil_divide(n, each), executor, [=, &first_wide](std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k) {
      const std::int64_t here = std::min(each, n - k * each);
      unsigned holder = 0, seen = 0;
      for (std::int64_t j = 0; j < here; ++j) {
        const auto value = static_cast<unsigned>(bytes[k * each + j]);
        holder |= value << static_cast<int>(j * bits);
        seen |= value;
      }
      packed[k] = static_cast<std::byte>(holder);
      if (seen >> bits == 0) continue;
      std::int64_t wide = k * each;
      while (static_cast<unsigned>(bytes[wide]) >> bits == 0) ++wide;
      for (std::int64_t known = first_wide; wide < known && !first_wide.compare_exchange_weak(known, wide);) {}
      return;
    }
  });
  return first_wide;
}

void check_side(const Layout& layout, const char* side) {
  if (layout.element_bytes != 1)
    throw Error(ErrorCode::bad_shape, "the " + std::string(side) + " has elements of " + std::to_string(layout.element_bytes) +
                                          " bytes: packed ones are moved as a byte each, so make the rearrangement of bytes");
  if (!layout.is_dense() || layout.offset != 0)
    throw Error(ErrorCode::bad_shape, "the " + std::string(side) + " is not dense: packed elements have no bytes between them");
}
void check_bytes(const Layout& layout, const char* side, int bits, std::int64_t n_bytes) {
  const std::int64_t needed = packed_bytes(layout.n_elements(), bits);
  if (n_bytes != needed)
    throw Error(ErrorCode::bad_shape, "the " + std::string(side) + " is " + print_bit_shape({layout.extents, bits}) + ", " +
                                          std::to_string(needed) + " bytes packed, but its buffer has " + std::to_string(n_bytes));
}
void check_packed(const Rearrangement& r, int bits) {
  packed_bytes(0, bits);
  if (r.n_sources() != 1 || r.n_destinations() != 1)
    throw Error(ErrorCode::bad_shape, "packed elements are moved between one array and another, not " + std::to_string(r.n_sources()) +
                                          " and " + std::to_string(r.n_destinations()));
  check_side(r.source(), "source");
  check_side(r.destination(), "destination");
}

/// What is filled in has to fit: all else comes out of as many bits.
void check_fills(const Steps& steps, int bits) {
  const auto check = [bits](const Boxes& boxes) {
    for (const Box& box : boxes)
      for (std::int32_t b = 0; box.is_fill && b < box.unit; ++b)
        if (const auto value = static_cast<unsigned>(box.pattern[static_cast<std::size_t>(b)]); value >> bits != 0)
          throw Error(ErrorCode::bad_shape, "the value " + std::to_string(value) + " is filled in, which " + std::to_string(bits) +
                                                " bits do not hold: they reach to " + std::to_string((1 << bits) - 1));
  };
  for (const Step& step : steps.steps) {
    check(step.boxes);
    for (const Boxes& fills : step.fill_boxes) check(fills);
  }
}

Plan planned(const Rearrangement& r, int bits, Device device) {
  check_packed(r, bits);
  check_fills(r.steps(), bits);
  return Plan(r, cuda(gpu::cuda_index(device, "a packed move")));
}
/// Of the next array in a workspace.
std::int64_t behind(std::int64_t n) { return multiply(ceil_divide(n, 256), 256); }

}  // namespace

std::int64_t packed_bytes(std::int64_t n, int bits) {
  if (bits != 1 && bits != 2 && bits != 4)
    throw Error(ErrorCode::bad_shape, "packed elements have 1, 2 or 4 bits, not " + std::to_string(bits));
  if (n < 0) throw Error(ErrorCode::bad_shape, std::to_string(n) + " packed elements: give 0 or more");
  return ceil_divide(n, 8 / bits);
}

void unpack_bits(std::span<const std::byte> packed, std::span<std::byte> bytes, std::int64_t n, int bits, Executor& executor) {
  check_spans(packed.size(), bytes.size(), n, bits);
  if (bits == 1) unpack<1>(packed.data(), bytes.data(), n, executor);
  else if (bits == 2) unpack<2>(packed.data(), bytes.data(), n, executor);
  else unpack<4>(packed.data(), bytes.data(), n, executor);
}

void pack_bits(std::span<const std::byte> bytes, std::span<std::byte> packed, std::int64_t n, int bits, Executor& executor) {
  check_spans(packed.size(), bytes.size(), n, bits);
  const std::int64_t wide = bits == 1   ? pack<1>(bytes.data(), packed.data(), n, executor)
                            : bits == 2 ? pack<2>(bytes.data(), packed.data(), n, executor)
                                        : pack<4>(bytes.data(), packed.data(), n, executor);
  if (wide < n)
    throw Error(ErrorCode::bad_shape, "element " + std::to_string(wide) + " is " +
                                          std::to_string(static_cast<unsigned>(bytes[static_cast<std::size_t>(wide)])) + ", which " +
                                          std::to_string(bits) + " bits do not hold: they reach to " + std::to_string((1 << bits) - 1));
}

void move_packed(const Rearrangement& r, int bits, ConstBuffer src, Buffer dst, Executor& executor, std::int64_t workspace_bytes) {
  check_packed(r, bits);
  check_bytes(r.source(), "source", bits, src.bytes);
  check_bytes(r.destination(), "destination", bits, dst.bytes);
  if (dst.bytes == 0) return;
  const std::int64_t each = 8 / bits;
  const std::span<const std::byte> from(static_cast<const std::byte*>(src.data), static_cast<std::size_t>(src.bytes));
  const std::span<std::byte> to(static_cast<std::byte*>(dst.data), static_cast<std::size_t>(dst.bytes));
  SlabOptions options;
  options.workspace_bytes = workspace_bytes;
  options.read_multiple = options.take_multiple = each;
  options.read = [&](std::int64_t first, std::span<std::byte> slab) {
    unpack_bits(from.subspan(static_cast<std::size_t>(first / each)), slab, std::ssize(slab), bits, executor);
  };
  options.take = [&](std::int64_t first, std::span<const std::byte> slab) {
    pack_bits(slab, to.subspan(static_cast<std::size_t>(first / each)), std::ssize(slab), bits, executor);
  };
  run_in_slabs(r, {}, {}, executor, options);
}

PackedMove::PackedMove(const Rearrangement& r, int bits, Device device)
    : plan_(planned(r, bits, device)),
      device_(device),
      bits_(bits),
      n_source_(r.source().n_elements()),
      n_destination_(r.destination().n_elements()),
      destination_at_(behind(n_source_)),
      plan_at_(add(destination_at_, behind(n_destination_))) {}

void PackedMove::run(ConstBuffer src, Buffer dst, const Stream& stream, Buffer workspace) const {
  const auto check = [&](const char* what, std::int64_t have, std::int64_t needed, bool is_enough) {
    if (!is_enough)
      throw Error(ErrorCode::bad_shape, "the " + std::string(what) + " has " + std::to_string(have) + " bytes; this packed move of " +
                                            std::to_string(bits_) + " bits needs " + std::to_string(needed));
  };
  const std::int64_t from = packed_bytes(n_source_, bits_), to = packed_bytes(n_destination_, bits_);
  check("source", src.bytes, from, src.bytes == from);
  check("destination", dst.bytes, to, dst.bytes == to);
  check("workspace", workspace.bytes, workspace_bytes(), workspace.bytes >= workspace_bytes());
  if (to == 0) return;
  const gpu::OnDevice on(device_.index);
  gpu::check_device_buffers(
      {{from == 0 ? dst.data : src.data, "the source"}, {dst.data, "the destination"}, {workspace.data, "the workspace"}}, device_.index,
      stream);
  auto* const bytes = static_cast<std::byte*>(workspace.data);
  const Buffer moved{bytes + destination_at_, n_destination_};
  if (from > 0) gpu::entry<unpack_on_gpu>(static_cast<const std::byte*>(src.data), bytes, n_source_, bits_, stream.get());
  const ConstBuffer unpacked_bytes{bytes, n_source_};
  plan_.run({&unpacked_bytes, 1}, {&moved, 1}, stream, {bytes + plan_at_, workspace.bytes - plan_at_});
  gpu::entry<pack_on_gpu>(bytes + destination_at_, static_cast<std::byte*>(dst.data), n_destination_, bits_, stream.get());
}

}  // namespace crinkle
