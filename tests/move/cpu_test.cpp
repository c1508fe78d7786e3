// The CPU executor does what the definition does, byte for byte: random boxes and random chains of verbs, every instruction set, any number
// of threads, with and without non-temporal stores, between pages that may not be touched.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu/move.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "cpu/walls.hpp"
#include "form/check.hpp"
#include "form/simplify.hpp"
#include "move/reference.hpp"
#include "support/draw.hpp"
#include "support/drawn.hpp"
#include "support/threads.hpp"

namespace crinkle::cpu_test {
namespace {

// Runs boxes of one source and one destination as given and as they are defined; the destination's untouched bytes count too. Returns
// whether some block was packed: every second time blocks are small. The arrays' first bytes lie before a wall, or `behind` bytes
// behind one.
bool expect_as_defined(Boxes boxes, const simd::Kernels& kernels, CpuLimits limits, int n_threads, bool is_at_end, const std::string& what,
                       std::int64_t behind = 0) {
  const ByteSpan from = spans_of(boxes, Side::source, 1)[0], to = spans_of(boxes, Side::destination, 1)[0];
  const auto n_from = static_cast<std::size_t>(from.last - from.first), n_to = static_cast<std::size_t>(to.last - to.first);
  simd::Walled src_memory(from.last - from.first + behind), dst_memory(to.last - to.first + behind);
  std::byte* const source = is_at_end ? src_memory.last() - n_from : src_memory.first() + behind;
  std::byte* const destination = is_at_end ? dst_memory.last() - n_to : dst_memory.first() + behind;
  std::mt19937_64 random(n_from * 31 + n_to);
  const std::vector<simd::Habits> habits = simd::candidates();  // the result depends on none of them
  limits.habits = habits[random() % habits.size()];
  for (std::size_t i = 0; i < n_from; ++i) source[i] = static_cast<std::byte>(random() >> 56);
  std::memset(destination, 0xA5, n_to);
  std::vector<std::byte> expected(n_to, std::byte{0xA5});
  const std::byte* in = source - from.first;
  std::byte* wanted = expected.data() - to.first;
  std::byte* out = destination - to.first;
  run_reference(boxes, {&in, 1}, {&wanted, 1});
  simplify(boxes);
  planning::PackLimits pack;
  if (random() % 2 == 0)
    pack = {0, std::int64_t{512} << random() % 5, std::int64_t{64} << random() % 3, std::int64_t{64} << random() % 3, 64, 64};
  const CpuStep step = cpu_step(stitch(boxes), {}, kernels, pack);
  Threads threads(n_threads);
  run_cpu(step, {&in, 1}, {&out, 1}, threads, kernels, limits);
  const auto differs = std::mismatch(expected.begin(), expected.end(), destination);
  std::string regimes;
  for (const planning::Schedule& s : step.schedules)
    regimes += std::string(planning::name_of(s.regime)) + " of " + std::to_string(s.element) + " ";
  EXPECT_TRUE(differs.first == expected.end()) << what << "\n"
                                               << kernels.target << ", " << n_threads << " threads, streamed from " << limits.streamed_bytes
                                               << ", " << regimes << "first wrong byte " << differs.first - expected.begin() << " of "
                                               << n_to;
  return std::any_of(step.schedules.begin(), step.schedules.end(),
                     [](const planning::Schedule& s) { return s.regime == planning::Regime::packed; });
}

TEST(cpu, random_boxes_move_as_defined_on_every_instruction_set) {
  Draw draw{std::mt19937_64(20261120)};
  const std::vector<const simd::Kernels*> all = simd::all_kernels();
  for (int k = 0; k < testing::drawn(1500) && !HasFailure(); ++k) {
    const Box box = draw.box();
    std::string text = "case " + std::to_string(k) + " unit " + std::to_string(box.unit);
    for (const Axis& a : box.axes)
      text += " (" + std::to_string(a.extent) + " " + std::to_string(a.src_stride) + " " + std::to_string(a.dst_stride) + ")";
    const int n_threads[] = {1, 1, 2, 3, 7};
    expect_as_defined({box}, *all[static_cast<std::size_t>(k) % all.size()], {draw.chance(2) ? 1 : 1 << 20, draw.chance(3) ? 1 << 30 : 0},
                      n_threads[draw.pick(0, 4)], draw.chance(2), text);
  }
}

// A dense array with its axes in another order: extents and order fastest first. Before the gap-th axis of the destination, some bytes are
// left out.
Box permuted(std::int64_t element, const std::vector<std::int64_t>& extents, const std::vector<std::size_t>& order, std::size_t gap,
             std::int64_t gap_bytes) {
  Box box;
  for (const std::int64_t n : extents) box.axes.push_back({n, 0, 0});
  std::int64_t src = element, dst = element;
  for (std::size_t a = 0; a < extents.size(); ++a) {
    box.axes[a].src_stride = src;
    src *= extents[a];
    if (a == gap) dst += gap_bytes;
    box.axes[order[a]].dst_stride = dst;
    dst *= extents[order[a]];
  }
  box.unit = static_cast<std::int32_t>(element & -element);  // the largest power of two in it
  if (box.unit != element) box.axes.push_back({element / box.unit, box.unit, box.unit});
  return box;
}

// Short columns with and without gaps, blocks of a few dozen elements, elements of odd sizes.
TEST(cpu, small_blocks_and_short_columns_move_as_defined) {
  Draw draw{std::mt19937_64(20261122)};
  const std::int64_t elements[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 24, 40};
  const std::vector<const simd::Kernels*> all = simd::all_kernels();
  int n_packed = 0;
  for (int k = 0; k < testing::drawn(900) && !HasFailure(); ++k) {
    const bool is_long = draw.chance(3);
    std::vector<std::int64_t> extents{draw.pick(2, is_long ? 9 : 40), draw.pick(2, is_long ? 9 : 40), draw.pick(1, is_long ? 900 : 30)};
    if (draw.chance(3)) extents.push_back(draw.pick(1, 6));
    std::vector<std::size_t> order(extents.size());
    for (std::size_t a = 0; a < order.size(); ++a) order[a] = a;
    std::shuffle(order.begin(), order.end(), draw.random);
    const std::int64_t gap_bytes = draw.chance(2) ? 0 : draw.chance(2) ? 32 : draw.pick(1, 70);
    Box box = permuted(elements[draw.pick(0, 11)], extents, order, static_cast<std::size_t>(draw.pick(1, 3)), gap_bytes);
    box.dst_offset = draw.chance(2) ? 0 : draw.pick(0, 70);
    const simd::Kernels& kernels = draw.chance(3) ? *all[static_cast<std::size_t>(k) % all.size()] : simd::kernels();
    const int n_threads[] = {1, 1, 2, 3, 7};
    for (Axis& axis : box.axes) {  // some sources run backwards
      if (!draw.chance(6)) continue;
      box.src_offset += (axis.extent - 1) * axis.src_stride;
      axis.src_stride *= -1;
    }
    n_packed += expect_as_defined({box}, kernels, {draw.chance(2) ? 1 : 1 << 20, draw.chance(4) ? 1 << 30 : 0}, n_threads[draw.pick(0, 4)],
                                  draw.chance(2), "case " + std::to_string(k))
                    ? 1
                    : 0;
  }
  EXPECT_GT(n_packed, testing::drawn(100));
}

// A destination whose first blocks begin on lines and whose others do not: columns leave through the pipe first, then by way of a buffer.
TEST(cpu, blocks_on_lines_and_off_them_in_one_move) {
  for (const std::int64_t unit : {1, 2, 4, 8}) {
    for (const std::int64_t gap : {std::int64_t{0}, unit, std::int64_t{32}}) {
      Box box = permuted(unit, {64, 128, 30}, {1, 0, 2}, 2, 0);
      box.axes[2].dst_stride += gap;
      expect_as_defined({box}, simd::kernels(), {1 << 30, 0}, 1, true, "unit " + std::to_string(unit) + " gap " + std::to_string(gap));
    }
  }
}

// Several tiles of columns and several strips of rows, whose columns begin on lines, all at one place of a line, or anywhere.
TEST(cpu, tiles_of_columns_anywhere_move_as_defined) {
  Draw draw{std::mt19937_64(20261125)};
  const std::vector<const simd::Kernels*> all = simd::all_kernels();
  std::size_t k = 0;
  for (const std::int64_t element : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 24, 40, 64, 100}) {
    for (const std::int64_t place : {0, 16, 3}) {
      for (const simd::Kernels* kernels : {&simd::kernels(), all[k++ % all.size()]}) {
        const std::int64_t n_columns = (element < 8 ? 2100 : element < 40 ? 1100 : 600) + draw.pick(0, 300), n_rows = 64 * draw.pick(2, 5);
        Box box = permuted(element, {n_columns, n_rows + (draw.chance(3) ? draw.pick(1, 63) : 0)}, {1, 0}, 1, 0);
        expect_as_defined({box}, *kernels, {draw.chance(2) ? 1 : 1 << 20, 0}, draw.chance(2) ? 2 : 1, false,
                          "element " + std::to_string(element) + " " + std::to_string(place) + " bytes behind a line", place);
      }
    }
  }
}

// Where elements of a block lie gigabytes apart, before or behind the first, its tables count in a stage.
// Items of some bytes, reversed, their axes in another order: rows backwards or forwards, columns with a gap behind each.
TEST(cpu, transpositions_that_reverse_bytes_move_as_defined) {
  Draw draw{std::mt19937_64(20261124)};
  const std::vector<const simd::Kernels*> all = simd::all_kernels();
  int n_blocks = 0;
  for (int k = 0; k < testing::drawn(600) && !HasFailure(); ++k) {
    const std::int64_t items[] = {2, 3, 4, 8, 12, 16}, item = items[draw.pick(0, 5)];
    const std::int64_t rows = draw.pick(2, 150), columns = draw.pick(2, k % 10 == 0 ? 3000 : 150),
                       gap = draw.chance(2) ? 0 : draw.pick(1, 70);
    Box box;
    box.axes = {{columns, item, rows * item + gap}, {rows, columns * item, item}, {item, -1, 1}};
    box.src_offset = item - 1;
    if (draw.chance(2)) {
      box.src_offset += (columns - 1) * item;
      box.axes[0].src_stride = -item;
    }
    Boxes boxes = {box};
    simplify(boxes);
    const planning::Schedule schedule = cpu_step(stitch(boxes), {}, *all[0], {}).schedules.at(0);
    n_blocks += schedule.regime == planning::Regime::blocks && schedule.swapped == item ? 1 : 0;
    const std::string text = "case " + std::to_string(k) + ": " + std::to_string(rows) + " x " + std::to_string(columns) + " items of " +
                             std::to_string(item) + ", gap " + std::to_string(gap);
    expect_as_defined({box}, *all[static_cast<std::size_t>(k) % all.size()], {draw.chance(2) ? 1 : 1 << 20, draw.chance(3) ? 1 << 30 : 0},
                      static_cast<int>(draw.pick(1, 3)), draw.chance(2), text);
  }
  EXPECT_GT(n_blocks, testing::drawn(300));
}

// Pixels: of a row in reverse order, put together from planes that are read backwards, and taken apart into such.
TEST(cpu, mirrored_elements_and_records_move_as_defined) {
  const std::vector<const simd::Kernels*> all = simd::all_kernels();
  Draw draw{std::mt19937_64(29)};
  int n_reversed = 0;
  for (int k = 0; k < testing::drawn(600) && !HasFailure(); ++k) {
    const std::int64_t unit = std::int64_t{1} << draw.pick(0, 3), n = draw.pick(1, draw.chance(3) ? 63 : 8), rows = draw.pick(1, 5);
    const std::int64_t run = draw.chance(3) ? draw.pick(16, 200) : draw.pick(200, 6000),
                       pitch = run + (draw.chance(2) ? draw.pick(1, 9) : 0);
    const Axis y{rows, 0, 0}, c{n, 0, 0}, x{run, 0, 0};
    const auto axes = [&](const std::array<std::int64_t, 3>& src, const std::array<std::int64_t, 3>& dst) {
      AxisList list{y, x, c};
      for (std::size_t a = 0; a < 3; ++a) list[a].src_stride = src[a] * unit, list[a].dst_stride = dst[a] * unit;
      return list;
    };
    const std::array<std::int64_t, 3> pixels{pitch * n, n, 1}, planes{pitch, 1, rows * pitch};
    Box box;
    box.unit = static_cast<std::int32_t>(unit);
    std::array<std::int64_t, 3> from = k % 3 == 1 ? planes : pixels;
    box.src_offset = (run - 1) * from[1] * unit;
    from[1] = -from[1];
    box.axes = axes(from, k % 3 == 2 ? planes : pixels);
    if (k % 3 == 2) std::swap(box.axes[1], box.axes[2]);
    Boxes boxes = {box};
    simplify(boxes);
    for (const planning::Schedule& s : cpu_step(stitch(boxes), {}, *all[0], {}).schedules) n_reversed += is_reversed(s) ? 1 : 0;
    expect_as_defined({box}, *all[static_cast<std::size_t>(k) % all.size()], {draw.chance(2) ? 1 : 1 << 20, draw.chance(3) ? 1 << 30 : 0},
                      draw.chance(2) ? 2 : 1, draw.chance(2),
                      "case " + std::to_string(k) + ", " + std::to_string(n) + " of " + std::to_string(unit), draw.pick(0, 64));
  }
  EXPECT_GT(n_reversed, testing::drawn(100));
}

TEST(cpu, packed_blocks_that_span_gigabytes_are_staged) {
  planning::Schedule schedule;
  schedule.element = 3;
  for (const std::int64_t apart : {std::int64_t{1'000'000}, std::int64_t{3'000'000'000}}) {
    for (const int sign : {1, -1}) {
      schedule.block = {{2, sign * apart, 3}, {2, apart / 2, 6}, {100, 3, 12}};
      const PackTables tables = pack_tables_of(schedule);
      EXPECT_EQ(tables.is_staged, apart > 2'000'000'000) << sign * apart;
      EXPECT_EQ(tables.items[3], tables.is_staged ? 3 * tables.pitch : sign * apart + apart / 2);
    }
  }
}

TEST(cpu, rolled_padded_sliced_arrays_move_as_defined) {
  Draw draw{std::mt19937_64(7)};
  const std::vector<const simd::Kernels*> all = simd::all_kernels();
  for (int k = 0; k < testing::drawn(1500) && !HasFailure(); ++k) {
    std::string text = "case " + std::to_string(k);
    const Rearrangement r = draw.chain(text);
    if (r.destination().n_elements() == 0) continue;
    const int n_threads[] = {1, 1, 2, 3, 7};
    expect_as_defined(r.boxes(), *all[static_cast<std::size_t>(k) % all.size()],
                      {draw.chance(2) ? 1 : 1 << 20, draw.chance(3) ? 1 << 30 : 0}, n_threads[draw.pick(0, 4)], draw.chance(2), text);
  }
}

TEST(cpu, crinkles_that_do_not_divide_move_as_defined) {
  const std::vector<const simd::Kernels*> all = simd::all_kernels();
  std::size_t k = 0;
  for (const std::int64_t fast : {7, 33, 34, 100, 8191}) {
    for (const std::int64_t step : {2, 3, 5, 9}) {
      const Layout layout = Layout::dense({3, fast}, 4);
      const Crinkle along_x{1, step};
      const std::string text = std::to_string(fast) + " by " + std::to_string(step);
      for (const int n_threads : {1, 3}) {
        expect_as_defined(crinkle(layout, {&along_x, 1}, Placement::local, Tail::ragged).boxes(), *all[k++ % all.size()], {1, 0}, n_threads,
                          true, text);
        expect_as_defined(uncrinkle(layout.extents, 4, {&along_x, 1}, Placement::local, Tail::ragged).boxes(), *all[k++ % all.size()],
                          {1, 0}, n_threads, true, text);
      }
    }
  }
}

}  // namespace
}  // namespace crinkle::cpu_test
