// Every tile of every shape writes each destination unit once, in bounds, from the right source.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>

#include "plan/tiling.hpp"
#include "support/box_map.hpp"

namespace crinkle {
namespace {

using testing::text_of;
using testing::walk_all;

std::int64_t pick(std::int64_t low, std::int64_t high) { return *rc::gen::inRange<std::int64_t>(low, high + 1); }

/// A canonical box: destination strides positive, descending, nested; a source in any order, with gaps, turned axes, repeats; now and
/// then a slot axis on either side.
Box any_box(std::int64_t most_units) {
  static constexpr std::int64_t extents[] = {2, 3, 5, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129};
  Box box;
  box.unit = 1 << pick(0, 4);
  const bool is_binary = pick(0, 5) == 0;
  const std::int64_t rank = is_binary ? pick(1, 13) : pick(1, 10);
  std::int64_t units = 1;
  for (std::int64_t a = 0; a < rank; ++a) {
    const std::int64_t extent = is_binary ? 2 : extents[pick(0, a == 0 || pick(0, 2) == 0 ? 13 : 5)];
    if (units * extent > most_units) break;
    units *= extent;
    box.axes.push_back(Axis{extent, 0, 0});
  }
  const bool has_gaps = pick(0, 2) == 0;
  const auto gap = [&] { return has_gaps ? pick(0, 3) * box.unit : 0; };
  std::int64_t step = box.unit + (pick(0, 7) == 0 ? box.unit : 0);
  for (std::size_t a = box.axes.size(); a-- > 0;) {
    box.axes[a].dst_stride = step;
    step = step * box.axes[a].extent + gap();
  }
  std::vector<std::size_t> order(box.axes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(i) - 1))]);
  step = box.unit + (pick(0, 7) == 0 ? box.unit : 0);
  box.src_offset = pick(0, 3) == 0 ? pick(0, 40) * box.unit : 0;
  box.dst_offset = pick(0, 3) == 0 ? pick(0, 40) * box.unit : 0;
  const bool turns = pick(0, 2) == 0, repeats = pick(0, 5) == 0;
  for (const std::size_t a : order) {
    Axis& axis = box.axes[a];
    axis.src_stride = step;
    step = step * axis.extent + gap();
    if (repeats && pick(0, 2) == 0) {
      axis.src_stride = 0;
    } else if (turns && pick(0, 1) == 0) {
      box.src_offset += (axis.extent - 1) * axis.src_stride;
      axis.src_stride = -axis.src_stride;
    }
  }
  if (box.axes.size() > 1 && pick(0, 4) == 0) {
    Axis& axis = box.axes[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(box.axes.size()) - 1))];
    if (axis.extent < 10 && axis.src_stride > 0) {
      axis.src_stride = 1;
      axis.src_counts = Counts::buffers;
    }
  }
  if (box.axes.size() > 1 && pick(0, 5) == 0 && box.axes[0].extent < 10) {
    box.axes[0].dst_stride = 1;
    box.axes[0].dst_counts = Counts::buffers;
    std::rotate(box.axes.begin(), box.axes.begin() + 1, box.axes.end());  // a slot axis may stand anywhere
  }
  return box;
}

Machine small_machine(std::int64_t shared_bytes, std::int32_t threads) {
  Machine machine = Machine::h200();
  machine.shared_bytes_block = shared_bytes;
  machine.threads_block = threads;
  return machine;
}

TEST(MoveTile, any_box_is_moved_unit_by_unit_to_its_place) {
  EXPECT_TRUE(rc::check("any box", [] {
    const Box box = any_box(4000);
    const auto alignment = static_cast<std::int32_t>(std::int64_t{1} << pick(0, 4));
    const Machine machine = pick(0, 1) == 0 ? Machine::h200() : small_machine(1 << pick(9, 13), 32 << pick(0, 2));
    const Tiling tiling = choose_tile(box, machine, std::max(alignment, box.unit));
    RC_LOG() << text_of(box) << " as " << tile::name_of(tiling.shape.kind) << '\n';
    const auto* gathered = std::get_if<tile::GatheredTile>(&tiling.tile);
    RC_TAG(std::string(tile::name_of(tiling.shape.kind)) + (gathered != nullptr && gathered->frame.reach != 0 ? " leaning" : ""),
           tile::frame_of(tiling.tile).n_blocks > 1 ? "many" : "one");
    RC_ASSERT(walk_all(box, tiling.tile) == "");
    RC_ASSERT(tile::shared_bytes_of(tiling.tile) <= 72 * 1024);
  }));
}

}  // namespace
}  // namespace crinkle
