// Elements of less than a byte: 1, 2 or 4 bits each, side by side. bit_shape.hpp has their shapes as text.
//     std::vector<std::byte> turned(packed_bytes(n, 4));
//     move_packed(parse("z y x -> x y z", Layout::dense({128, 128, 128}, 1)), 4, {data, packed_bytes(n, 4)}, {turned.data(),
//     std::ssize(turned)});
// Source: Hawick and Playne, "Hypercubic storage layout and transforms in arbitrary dimensions using GPUs and CUDA", section 3.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "crinkle/executor.hpp"
#include "crinkle/plan.hpp"
#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// ⌈n · bits / 8⌉. Throws bad_shape unless n ≥ 0 and bits is 1, 2 or 4; too_large.
std::int64_t packed_bytes(std::int64_t n, int bits);

/// n elements of 1, 2 or 4 bits, each to a byte of its own: element i lies in bits i·b mod 8 … i·b mod 8 + b − 1 of byte ⌊i·b / 8⌋, the
/// lowest bit first, as bit_planes has it. Throws bad_shape where a span is shorter than packed_bytes(n, bits) or n.
void unpack_bits(std::span<const std::byte> packed, std::span<std::byte> bytes, std::int64_t n, int bits,
                 Executor& executor = default_executor());
/// And back; the unused bits of the last byte are 0. Throws bad_shape also where a byte needs more bits, and says which.
void pack_bits(std::span<const std::byte> bytes, std::span<std::byte> packed, std::int64_t n, int bits,
               Executor& executor = default_executor());

/// dst = r(src) of packed elements, on the CPU: r is that of arrays in which each element is a byte. It goes through bytes a slab at a
/// time, within `workspace_bytes` where r can be cut (run_in_slabs). Throws bad_shape unless r has elements of a byte, one dense source
/// and destination, and buffers that hold them; or where r fills in a value of more bits. Aliasing: none.
void move_packed(const Rearrangement& r, int bits, ConstBuffer src, Buffer dst, Executor& executor = default_executor(),
                 std::int64_t workspace_bytes = 64 << 20);

/// The same on a GPU, made ready once: the elements go to a byte each, move, and are packed again, all of them at once.
class PackedMove {
 public:
  /// Throws as move_packed does, values that it fills in among it, and as a plan for the device does.
  PackedMove(const Rearrangement& r, int bits, Device device);

  /// Of the device's memory: a byte for every element of both sides, and what the plan needs.
  std::int64_t workspace_bytes() const noexcept { return plan_at_ + plan_.workspace_bytes(); }
  /// Given to the stream, not waited for. Requires a workspace that begins at a multiple of 256 bytes. Throws bad_shape for buffers of
  /// other lengths and too small a workspace; device for memory that the device cannot reach. Aliasing: none.
  void run(ConstBuffer src, Buffer dst, const Stream& stream, Buffer workspace) const;

 private:
  Plan plan_;
  Device device_;
  int bits_;
  std::int64_t n_source_, n_destination_, destination_at_, plan_at_;
};

}  // namespace crinkle
