// The CUDA executor does what the definition does, byte for byte: random boxes and random chains of verbs, pointers of any alignment, few
// blocks a launch.
// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/on_gpu.hpp"
#include "support/draw.hpp"

namespace crinkle::move_test {
namespace {

using testing::expect_as_defined;
using testing::n_cases;
using Gpu = testing::OnGpu;

std::string text_of(const Box& box) {
  std::string text =
      "unit " + std::to_string(box.unit) + ", from " + std::to_string(box.src_offset) + " to " + std::to_string(box.dst_offset);
  for (const Axis& a : box.axes)
    text += " (" + std::to_string(a.extent) + ", " + std::to_string(a.src_stride) + ", " + std::to_string(a.dst_stride) + ")";
  return text;
}

TEST_F(Gpu, random_boxes_move_as_defined) {
  Draw draw{std::mt19937_64(20261122)};
  const int n = n_cases(6000);
  for (int k = 0; k < n && !HasFailure(); ++k) {
    const Box box = draw.box();
    const std::int64_t src_shift = draw.chance(2) ? 0 : draw.pick(0, 15), dst_shift = draw.chance(2) ? 0 : draw.pick(0, 15);
    Machine machine = Machine::h200();
    if (draw.chance(4)) machine.grid_limit = draw.pick(1, 9);
    Boxes boxes;
    boxes.push_back(box);
    const std::string text = "case " + std::to_string(k) + ", " + text_of(box);
    expect_as_defined(boxes, machine, src_shift, dst_shift, text);
    if (draw.chance(3)) expect_as_defined(boxes, machine, src_shift, dst_shift, text, cuda_step);
  }
}

TEST_F(Gpu, random_chains_of_verbs_move_as_defined) {
  Draw draw{std::mt19937_64(20261123)};
  const int n = n_cases(3000);
  for (int k = 0; k < n && !HasFailure(); ++k) {
    std::string text = "case " + std::to_string(k) + ":";
    const Rearrangement r = draw.chain(text);
    const Steps steps = r.steps();
    if (steps.steps.size() != 1 || !steps.steps[0].gathers.empty()) continue;
    const std::int64_t src_shift = draw.chance(2) ? 0 : draw.pick(0, 15), dst_shift = draw.chance(2) ? 0 : draw.pick(0, 15);
    Machine machine = Machine::h200();
    if (draw.chance(4)) machine.grid_limit = draw.pick(1, 9);
    expect_as_defined(steps.steps[0].boxes, machine, src_shift, dst_shift, text);
    if (draw.chance(3)) expect_as_defined(steps.steps[0].boxes, machine, src_shift, dst_shift, text, cuda_step);
  }
}

}  // namespace
}  // namespace crinkle::move_test
