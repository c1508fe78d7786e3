// Conversions between all pairs of layouts on the CPU, byte for byte as defined: every size around what a register, a strip and a line of
// memory hold, all elements, any alignment, any number of threads, through the caches and past them, on every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "support/draw.hpp"
#include "support/guard.hpp"
#include "support/threads.hpp"
#include "triangle/triangle.hpp"
#include "triangle/triangles.hpp"

namespace crinkle::testing::triangle_convert_test {
namespace {

const TriangleLimits usual, everything_parted{.parted_bytes = 1, .lone_streamed_bytes = 1, .parted_streamed_bytes = 1},
    parted_in_caches{.parted_bytes = 1, .lone_streamed_bytes = INT64_MAX, .parted_streamed_bytes = INT64_MAX};

/// What the destination is, counted out; places without a pair stay poisoned.
Bytes defined(const TriangleLayout& from, const TriangleLayout& to, const std::byte* src) {
  const std::vector<std::int64_t> entries = entries_of(to);
  const auto e = static_cast<std::size_t>(to.element_bytes);
  Bytes wanted(entries.size() * e, poison);
  std::vector<std::int64_t> source(static_cast<std::size_t>(from.n * from.n), -1);  // place of pair (i, j), i ≥ j
  const std::vector<std::int64_t> from_entries = entries_of(from);
  const bool is_lower = from.triangle == TriangleLayout::Triangle::lower && from.form != TriangleLayout::Form::condensed;
  for (std::size_t k = 0; k < from_entries.size(); ++k) {
    const std::int64_t row = from_entries[k] / 100000, column = from_entries[k] % 100000;
    if (from_entries[k] < 0 || (is_lower ? row < column : row > column)) continue;
    source[static_cast<std::size_t>(std::max(row, column) * from.n + std::min(row, column))] = static_cast<std::int64_t>(k);
  }
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (entries[k] < 0) continue;
    const std::int64_t row = entries[k] / 100000, column = entries[k] % 100000;
    const std::int64_t place = source[static_cast<std::size_t>(std::max(row, column) * from.n + std::min(row, column))];
    if (place < 0) std::fill_n(wanted.begin() + static_cast<std::ptrdiff_t>(k * e), e, std::byte{0});
    else std::copy_n(src + static_cast<std::size_t>(place) * e, e, wanted.begin() + static_cast<std::ptrdiff_t>(k * e));
  }
  return wanted;
}

struct Case {
  TriangleLayout from, to;
  std::int64_t src_shift = 0, dst_shift = 0;  // bytes past a multiple of 64
};

class Converted {
 public:
  explicit Converted(const Case& c)
      : case_(c),
        source_(noise(c.from.bytes() + c.src_shift, static_cast<std::uint64_t>(c.from.n + 1))),
        src_({-c.src_shift, c.from.bytes()}, source_) {
    wanted_ = defined(c.from, c.to, src_.origin());
  }

  /// Runs `convert` and compares everything, zones and source included.
  template <class Convert>
  void expect(const std::string& what, const Convert& convert) {
    Guarded dst({-case_.dst_shift, case_.to.bytes()});
    convert(case_.from, case_.to, src_.origin(), dst.origin());
    const std::string name = named(case_.from) + " to " + named(case_.to) + ", shifts " + std::to_string(case_.src_shift) + " and " +
                             std::to_string(case_.dst_shift) + ", " + what;
    Bytes wanted(static_cast<std::size_t>(case_.dst_shift), poison);
    wanted.insert(wanted.end(), wanted_.begin(), wanted_.end());
    const Bytes have = dst.content();
    ASSERT_EQ(have.size(), wanted.size()) << name;
    const auto at = std::mismatch(have.begin(), have.end(), wanted.begin()).first - have.begin();
    ASSERT_EQ(at, std::ssize(have)) << name << ": byte " << at - case_.dst_shift << " is wrong";
    ASSERT_TRUE(dst.is_intact()) << name << ": written beside the destination";
    ASSERT_TRUE(src_.is_intact() && src_.content() == source_) << name << ": the source was written";
  }

 private:
  Case case_;
  Bytes source_;
  Guarded src_;
  Bytes wanted_;
};

void expect_on_cpu(const Case& c, const simd::Kernels& kernels, Executor& executor, const TriangleLimits& limits, const std::string& what) {
  Converted converted(c);
  converted.expect(what + ", " + kernels.target + ", " + std::to_string(executor.n_workers()) + " threads",
                   [&](const auto& from, const auto& to, const std::byte* src, std::byte* dst) {
                     convert_cpu(from, to, src, dst, executor, kernels, limits);
                   });
}

TEST(TriangleConvert, the_definition_is_what_counting_finds) {
  for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    for (const TriangleLayout& from : all_layouts(n, 3))
      for (const TriangleLayout& to : all_layouts(n, 3)) {
        Converted converted({from, to});
        converted.expect("by definition", convert_reference);
        if (HasFatalFailure()) return;
      }
}

TEST(TriangleConvert, all_pairs_of_layouts_are_converted_as_defined) {
  Threads one(1);
  for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 31, 32, 33, 64, 65})
    for (const std::int64_t e : {1, 2, 4, 8})
      for (const TriangleLayout& from : all_layouts(n, e))
        for (const TriangleLayout& to : all_layouts(n, e)) {
          const Case c{from, to};
          expect_on_cpu(c, simd::kernels(), one, usual, "in caches");
          if (n > 3) expect_on_cpu(c, simd::kernels(), one, everything_parted, "streamed");
          if (HasFatalFailure()) return;
        }
}

TEST(TriangleConvert, any_element_alignment_and_number_of_threads_gives_the_same) {
  Draw draw{std::mt19937_64(20261207)};
  std::vector<std::unique_ptr<Executor>> executors;
  for (const int n : {1, 2, 3, 7}) executors.push_back(std::make_unique<Threads>(n));
  const std::vector<const simd::Kernels*> kernels = simd::all_kernels();
  const std::vector<simd::Habits> habits = simd::candidates();
  for (const std::int64_t n : {5, 17, 33, 64, 65, 127, 257, 300})
    for (const std::int64_t e : {1, 2, 3, 4, 6, 8, 12, 16, 24, 40, 64, 72}) {
      const auto layouts = all_layouts(n, e);
      for (int k = 0; k < (n < 257 ? 24 : 8); ++k) {
        const auto pick = [&] { return layouts[static_cast<std::size_t>(draw.pick(0, std::ssize(layouts) - 1))]; };
        Case c{pick(), pick()};
        if (draw.chance(2)) c.src_shift = draw.pick(1, 15);
        if (draw.chance(2)) c.dst_shift = draw.pick(1, 15);
        Executor& executor = *executors[static_cast<std::size_t>(draw.pick(0, 3))];
        const simd::Kernels& chosen =
            draw.chance(2) ? *kernels[0] : *kernels[static_cast<std::size_t>(draw.pick(0, std::ssize(kernels) - 1))];
        TriangleLimits limits = draw.chance(3) ? parted_in_caches : everything_parted;
        limits.habits = habits[static_cast<std::size_t>(draw.pick(0, std::ssize(habits) - 1))];  // other processors' ways, too
        expect_on_cpu(c, chosen, executor, limits, "parted");
        if (HasFatalFailure()) return;
      }
    }
}

TEST(TriangleConvert, long_lines_are_streamed_as_defined) {
  Draw draw{std::mt19937_64(20261208)};
  Threads two(2);
  for (const std::int64_t e : {1, 2, 4, 8, 12, 16}) {
    const std::int64_t n = e < 4 ? 1700 : 900;
    const auto layouts = all_layouts(n, e, 61);
    for (int k = 0; k < 4; ++k) {
      const auto pick = [&] { return layouts[static_cast<std::size_t>(draw.pick(0, std::ssize(layouts) - 1))]; };
      expect_on_cpu({pick(), pick(), draw.pick(0, 15) * (k % 2), draw.pick(0, 15) * (k % 2)}, simd::kernels(), two, usual, "large");
      if (HasFatalFailure()) return;
    }
  }
}

TEST(TriangleConvert, there_and_back_is_where_it_was) {
  Threads three(3);
  const std::int64_t n = 129, e = 8;
  for (const TriangleLayout& layout : all_layouts(n, e))
    for (const TriangleLayout& other : all_layouts(n, e)) {
      if (layout.has_diagonal() && !other.has_diagonal()) continue;
      Guarded src({0, layout.bytes()}, noise(layout.bytes())), there({0, other.bytes()}), back({0, layout.bytes()}, src.content());
      convert_cpu(layout, other, src.origin(), there.origin(), three, simd::kernels(), everything_parted);
      convert_cpu(other, layout, there.origin(), back.origin(), three, simd::kernels(), everything_parted);
      Bytes wanted = src.content();
      if (layout.form == TriangleLayout::Form::symmetric)  // the triangle that is not read becomes the other's mirror image
        for (std::int64_t i = 0; i < n; ++i)
          for (std::int64_t j = 0; j < i; ++j) {
            const std::int64_t place = layout.place(i, j), pitch = layout.pitch == 0 ? n : layout.pitch;
            std::copy_n(wanted.begin() + place * e, e, wanted.begin() + (place % pitch * pitch + place / pitch) * e);
          }
      EXPECT_TRUE(back.content() == wanted) << named(layout) << " by way of " << named(other);
    }
}

}  // namespace
}  // namespace crinkle::testing::triangle_convert_test
