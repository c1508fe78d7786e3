// Axes given by tables, moved as defined: runs of any length taken from and put to places that are even, backwards or scattered, with fills
// between them, between pages that may not be touched and further apart than 32 bits reach.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "cpu/walls.hpp"
#include "form/simplify.hpp"
#include "move/cpu/move.hpp"
#include "move/reference.hpp"
#include "plan/stitch.hpp"
#include "support/drawn.hpp"
#include "support/threads.hpp"

namespace crinkle::cpu_gather_test {
namespace {

using Offsets = std::vector<std::int64_t>;
using Kind = EntryOffsets::Kind;

void expect_kind(const Offsets& all, Kind kind) {
  const EntryOffsets offsets = offsets_of(all);
  EXPECT_EQ(offsets.kind, kind);
  for (std::size_t j = 0; j < all.size(); ++j) ASSERT_EQ(offsets[static_cast<std::int64_t>(j)], all[j]) << j;
}

TEST(entry_offsets, are_as_short_as_holds_them) {
  constexpr std::int64_t far = std::int64_t{1} << 32;
  expect_kind({}, Kind::even);
  expect_kind({-7}, Kind::even);
  expect_kind({5, -far}, Kind::even);
  expect_kind({9, 6, 3, 0, -3}, Kind::even);
  expect_kind({4, 4, 4}, Kind::even);
  expect_kind({0, 1, 3}, Kind::narrow);
  expect_kind({-5, far - 6, 0}, Kind::narrow);
  expect_kind({-5, far - 5, 0}, Kind::wide);
  expect_kind({0, 4 * far - 4, 8}, Kind::narrow);
  expect_kind({3, 4 * far - 1, 7}, Kind::narrow);
  expect_kind({0, 4 * far, 8}, Kind::narrow);
  expect_kind({0, 4 * far, 4}, Kind::wide);
  expect_kind({0, 4 * far - 4, 6}, Kind::wide);
  expect_kind({-far * (far / 8), far * (far / 8) - far, 0}, Kind::narrow);
  expect_kind({-far * (far / 8) + 1, far * (far / 8), 0}, Kind::wide);
}

TEST(entry_offsets, of_two_uneven_sides_are_of_one_kind) {
  const Offsets near{0, 1, 5}, far{0, 1, std::int64_t{1} << 40};
  for (const GatherAxis& axis : {GatherAxis{near, far, {}}, GatherAxis{far, near, {}}}) {
    const EntryTable table = tables_of({&axis, 1})[0];
    EXPECT_EQ(table.src.kind, Kind::wide);
    EXPECT_EQ(table.dst.kind, Kind::wide);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(table.src[static_cast<std::int64_t>(j)], axis.src_offsets[j]);
      EXPECT_EQ(table.dst[static_cast<std::int64_t>(j)], axis.dst_offsets[j]);
    }
  }
}

// A step of random tables around an element that may be a run, two runs, backwards or of swapped items.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(int one_in) { return pick(1, one_in) == 1; }

  struct Case {
    Step step;
    std::int64_t src_bytes = 0, dst_bytes = 0;
    std::string text;
  };

  Case of_tables() {
    const std::int64_t runs[] = {1, 2, 3, 4, 8, 12, 16, 24, 32, 64, 100, 128, 150, 192, 256, 1000, 1024, 2500, 5000, 17000};
    const std::int64_t run = runs[pick(0, 19)], n_tables = chance(4) ? 2 : 1, n_outer = chance(2) ? pick(2, 40) : 1;
    const std::int64_t room = std::max<std::int64_t>(1, (chance(8) ? 400'000 : 60'000) / run / n_outer);
    const bool has_gap = chance(4), has_fills = chance(4);
    Case c;
    c.text = "runs of " + std::to_string(run) + (has_gap ? ", gaps" : "") + (has_fills ? ", fills" : "");
    Box box = element(run, c.text);
    c.src_bytes = run;
    c.dst_bytes = run + (has_gap ? pick(1, 70) : 0);
    for (std::int64_t t = 0, left = room; t < n_tables; ++t) {
      const std::int64_t n = chance(20) ? 0 : pick(1, std::min<std::int64_t>(left, chance(3) ? 8 : 900)), n_src = n + pick(1, 40);
      left /= std::max<std::int64_t>(n, 1);
      const std::int64_t src_kind = pick(0, 4), dst_kind = pick(0, 4);
      GatherAxis axis{places(n, n_src, c.src_bytes, src_kind > 1), places(n, n + pick(0, 2), c.dst_bytes, dst_kind > 2), {}};
      if (src_kind == 0) std::reverse(axis.src_offsets.begin(), axis.src_offsets.end());
      if (dst_kind == 0) std::reverse(axis.dst_offsets.begin(), axis.dst_offsets.end());
      for (std::int64_t j = 0; has_fills && j < n; ++j)
        axis.fills.push_back(static_cast<std::int32_t>(chance(9) ? pick(0, 1) : j % 60 < 50 ? -1 : 0));
      c.src_bytes *= n_src;
      c.dst_bytes *= n + 2;
      c.step.gathers.insert(c.step.gathers.begin(), axis);
      c.text += ", " + std::to_string(n) + " entries " + std::to_string(src_kind) + std::to_string(dst_kind);
    }
    if (n_outer > 1) {
      box.axes.insert(box.axes.begin(), Axis{n_outer, chance(5) ? 0 : c.src_bytes, c.dst_bytes});
      c.src_bytes *= n_outer;
      c.dst_bytes *= n_outer;
      c.text += ", " + std::to_string(n_outer) + " times";
    }
    c.step.boxes = {box};
    if (run >= 24 && run % 8 == 0 && chance(3)) split(c.step.boxes);
    for (int f = 0; has_fills && f < 2; ++f) {
      Boxes fills = c.step.boxes;
      for (Box& b : fills) {
        b.is_fill = true;
        b.pattern.fill(static_cast<std::byte>(0x50 + f));
        for (Axis& a : b.axes) a.src_stride = 0;
        b.src_offset = 0;
      }
      c.step.fill_boxes.push_back(fills);
    }
    return c;
  }

 private:
  Box element(std::int64_t run, std::string& text) {
    Box box;
    const std::int64_t unit = std::min<std::int64_t>(run & -run, 16);
    box.unit = static_cast<std::int32_t>(unit);
    const std::int64_t kind = pick(0, 9);
    if (kind == 0 && unit >= 2) {
      text += " swapped";
      box.unit = 1;
      box.src_offset = unit - 1;
      box.axes = {{run / unit, unit, unit}, {unit, -1, 1}};
    } else if (kind == 1) {
      text += " backwards";
      box.src_offset = run - unit;
      box.axes = {{run / unit, -unit, unit}};
    } else if (run > unit) {
      box.axes = {{run / unit, unit, unit}};
    }
    return box;
  }

  Offsets places(std::int64_t n, std::int64_t n_places, std::int64_t pitch, bool is_scattered) {
    Offsets all(static_cast<std::size_t>(n_places));
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<std::int64_t>(j) * pitch;
    if (is_scattered) std::shuffle(all.begin(), all.end(), random_);
    all.resize(static_cast<std::size_t>(n));
    return all;
  }

  // The fast axis in two, one a box of its own from elsewhere in the element.
  static void split(Boxes& boxes) {
    Box first = boxes[0], second = boxes[0];
    Axis &a = first.axes.back(), &b = second.axes.back();
    if (a.extent < 2 || a.extent % 2 != 0) return;
    a.extent = b.extent /= 2;
    first.src_offset += a.extent * a.src_stride;
    second.dst_offset += a.extent * a.dst_stride;
    boxes = {first, second};
  }

  std::mt19937_64 random_;
};

TEST(cpu_gather, of_random_tables_moves_as_defined) {
  Draw draw(20261122);
  const std::vector<const simd::Kernels*> all = simd::all_kernels();
  for (int k = 0; k < testing::drawn(3000); ++k) {
    const Draw::Case c = draw.of_tables();
    simd::Walled src_memory(c.src_bytes), dst_memory(c.dst_bytes);
    const simd::Place place = draw.chance(2) ? simd::at_end : simd::at_start;
    std::byte *source = place.start(src_memory, c.src_bytes), *destination = place.start(dst_memory, c.dst_bytes);
    const Bytes content = noise(c.src_bytes);
    std::copy(content.begin(), content.end(), source);
    std::fill_n(destination, c.dst_bytes, poison);
    Bytes want(static_cast<std::size_t>(c.dst_bytes), poison);
    const std::byte* from = source;
    std::byte *to = destination, *wanted = want.data();
    run_reference(c.step, {&from, 1}, {&wanted, 1});

    Step step = c.step;
    simplify(step.boxes);
    for (Boxes& fills : step.fill_boxes) simplify(fills);
    const int n_threads[] = {1, 1, 2, 3, 7};
    Threads threads(n_threads[draw.pick(0, 4)]);
    const CpuLimits limits{draw.chance(2) ? 1 : 1 << 30, draw.chance(3) ? std::int64_t{1} << 30 : 0};
    const simd::Kernels& kernels = *all[static_cast<std::size_t>(k) % all.size()];
    run_cpu(cpu_step(stitch(step.boxes), step, kernels), {&from, 1}, {&to, 1}, threads, kernels, limits);
    const auto differs = std::mismatch(want.begin(), want.end(), destination).first - want.begin();
    ASSERT_EQ(differs, c.dst_bytes) << "case " << k << ", " << all[static_cast<std::size_t>(k) % all.size()]->target << ", "
                                    << threads.n_workers() << " threads" << (limits.streamed_bytes == 0 ? ", streamed: " : ": ") << c.text;
  }
}

// Matrices of 6-byte elements, each turned, from and to places in any order: their blocks are packed.
TEST(cpu_gather, of_packed_entries_moves_as_defined) {
  constexpr std::int64_t n_rows = 40, n_columns = 36, element = 6, n = 100, bytes = n_rows * n_columns * element;
  Box box;
  box.unit = 2;
  box.axes = {{n_columns, element, n_rows * element}, {n_rows, n_columns * element, element}, {element / 2, 2, 2}};
  Step step;
  step.boxes = {box};
  simplify(step.boxes);
  Offsets from_places(n), to_places(n);
  for (std::int64_t j = 0; j < n; ++j) from_places[static_cast<std::size_t>(j)] = to_places[static_cast<std::size_t>(j)] = j * bytes;
  std::mt19937_64 random(20261122);
  std::shuffle(from_places.begin(), from_places.end(), random);
  std::shuffle(to_places.begin(), to_places.end(), random);
  step.gathers = {{from_places, to_places, {}}};
  const Bytes content = noise(n * bytes);
  Bytes got(content.size(), poison), want(content.size(), poison);
  const std::byte* from = content.data();
  std::byte *to = got.data(), *wanted = want.data();
  run_reference(step, {&from, 1}, {&wanted, 1});
  const CpuStep made = cpu_step(stitch(step.boxes), step, simd::kernels(), {0, 2048, 256, 128, 64, 64});
  ASSERT_EQ(made.schedules[0].regime, planning::Regime::packed);
  for (const std::int64_t streamed_from : {std::int64_t{0}, std::int64_t{1} << 30}) {
    Threads two(2);
    std::fill(got.begin(), got.end(), poison);
    run_cpu(made, {&from, 1}, {&to, 1}, two, simd::kernels(), {1, streamed_from});
    EXPECT_EQ(got, want);
  }
}

// Memory of which only the pages that are touched exist.
class Vast {
 public:
  explicit Vast(std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes)) {
    void* at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at != MAP_FAILED) data_ = static_cast<std::byte*>(at);
  }
  ~Vast() {
    if (data_ != nullptr) munmap(data_, bytes_);
  }
  Vast(const Vast&) = delete;
  Vast& operator=(const Vast&) = delete;
  std::byte* data() { return data_; }

 private:
  std::size_t bytes_;
  std::byte* data_ = nullptr;
};

TEST(cpu_gather, reaches_beyond_32_bits_on_either_side) {
  constexpr std::int64_t bytes = std::int64_t{9} << 32, pitch = (std::int64_t{1} << 31) - 4096, n = 17;
  Vast memory(bytes);
  ASSERT_NE(memory.data(), nullptr) << "no address space for " << bytes << " bytes";
  for (const std::int64_t run : {1, 4, 64, 100, 3000}) {
    for (const std::int64_t odd : {0, 1}) {  // multiples of 4096: narrow; otherwise wide
      Offsets near, far;
      for (std::int64_t j = 0; j < n; ++j) {
        near.push_back(j * run);
        far.push_back((j * 5 % n) * pitch + odd * j);
      }
      const Bytes content = noise(n * run);
      Bytes back(content.size(), poison);
      Step step;
      step.boxes = {Box{}};
      step.boxes[0].unit = 1;
      step.boxes[0].axes = {{run, 1, 1}};
      simplify(step.boxes);
      Threads one(1);
      const std::byte* from = content.data();
      std::byte* to = memory.data();
      step.gathers = {{near, far, {}}};
      EXPECT_EQ(tables_of(step.gathers)[0].dst.kind, odd == 0 ? Kind::narrow : Kind::wide);
      run_cpu(cpu_step(stitch(step.boxes), step), {&from, 1}, {&to, 1}, one, simd::kernels(), {0, 0});
      for (std::size_t j = 0; j < far.size(); ++j)
        ASSERT_EQ(std::memcmp(memory.data() + far[j], content.data() + near[j], static_cast<std::size_t>(run)), 0)
            << run << ", entry " << j;
      from = memory.data();
      to = back.data();
      step.gathers = {{far, near, {}}};
      run_cpu(cpu_step(stitch(step.boxes), step), {&from, 1}, {&to, 1}, one, simd::kernels(), {0, 0});
      ASSERT_EQ(back, content) << run;
    }
  }
}

}  // namespace
}  // namespace crinkle::cpu_gather_test
