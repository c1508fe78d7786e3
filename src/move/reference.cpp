// The definition of a move: a memcpy of every unit. Never made faster: whatever is faster is compared with it.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/reference.hpp"

#include <cstring>

namespace crinkle {
namespace {

auto copies(std::span<const std::byte* const> src, std::span<std::byte* const> dst) {
  return [=](const Box& box, UnitPlace from, UnitPlace to) {
    const std::byte* in = box.is_fill ? box.pattern.data() : src[static_cast<std::size_t>(from.slot)] + from.bytes;
    std::memcpy(dst[static_cast<std::size_t>(to.slot)] + to.bytes, in, static_cast<std::size_t>(box.unit));
  };
}

}  // namespace

void run_reference(const Boxes& boxes, std::span<const std::byte* const> src, std::span<std::byte* const> dst) {
  for (const Box& box : boxes) for_each_unit(box, 0, {box.src_offset, box.src_slot}, {box.dst_offset, box.dst_slot}, copies(src, dst));
}

void run_reference(const Step& step, std::span<const std::byte* const> src, std::span<std::byte* const> dst) {
  for_each_unit(step, copies(src, dst));
}

void run_reference(const Steps& steps, std::span<const std::byte* const> src, std::span<std::byte* const> dst, std::byte* workspace) {
  const std::size_t n = steps.steps.size();
  for (std::size_t k = 0; k < n; ++k) {
    const std::byte* const in = k == 0 ? nullptr : workspace + steps.written_at(k - 1);
    std::byte* const out = k + 1 == n ? nullptr : workspace + steps.written_at(k);
    run_reference(steps.steps[k], k == 0 ? src : std::span(&in, 1), k + 1 == n ? dst : std::span(&out, 1));
  }
}

}  // namespace crinkle
