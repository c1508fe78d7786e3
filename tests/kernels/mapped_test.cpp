// Moves of mapped axes, walked through on a CPU thread by thread: every byte is the definition's, none beside the destination is written
// and none beside the source is read (AddressSanitizer sees its end). Pads, rolls, flips, slices and repeats of every unit along any axes,
// sizes that are no multiples of anything.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/kernel_walk.hpp"

#include <gtest/gtest.h>

#include <random>

#include "crinkle/operations.hpp"
#include "form/check.hpp"
#include "form/simplify.hpp"
#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "move/cuda/mapped.cuh"
#pragma GCC diagnostic pop
#include "move/cuda/mapped.hpp"
#include "support/draw.hpp"
#include "support/move_walk.hpp"
#include "tile/build_axis_maps.hpp"

namespace crinkle::mapped_test {
namespace {

namespace walk = crinkle::testing::walk;
using tile::AxisMaps;

std::optional<AxisMaps> maps_of(Boxes boxes) {
  simplify(boxes);
  return tile::build_axis_maps(std::move(boxes));
}
Boxes boxes_of(const Rearrangement& r) {
  const Steps steps = r.steps();
  return steps.steps.size() == 1 && steps.steps[0].gathers.empty() ? steps.steps[0].boxes : Boxes{};
}

// A GPU takes units and vectors at multiples of their size alone.
bool is_aligned(const AxisMaps& maps) {
  bool is = maps.src_offset % maps.unit == 0 && maps.dst_offset % maps.unit == 0;
  for (int a = 0; a < maps.n_axes; ++a) {
    is = is && maps.axis[a].dst % maps.unit == 0;
    for (int s = 0; s < maps.axis[a].n_segments; ++s) {
      const tile::AxisSegment& segment = maps.axis[a].segment[s];
      is = is && segment.at % maps.unit == 0 && segment.step % maps.unit == 0;
    }
  }
  for (std::uint32_t q = 0; q < maps.n_pieces(); ++q) {
    const auto piece = maps.piece<std::uint32_t>(q);
    is = is && piece.dst % 16 == 0 && piece.vector % 16 == 0;
  }
  return is;
}

template <class Maps>
std::uint32_t n_blocks_of(const Maps& maps) {
  const std::uint32_t of_block = Maps::threads * Maps::each;
  return (maps.n_pieces() + of_block - 1) / of_block;
}

// Threads one after another: all of a block to where they wait, and from there on.
template <int unit, class Index, class Maps>
void walk_units(const Maps& maps, const tile::Sources& src, char* dst) {
  kernel::LatePieces late;
  for (std::uint32_t block = 0; block < n_blocks_of(maps); ++block) {
    late.n = 0;
    for (walk::thread.x = 0; walk::thread.x < Maps::threads; ++walk::thread.x)
      kernel::move_mapped_vectors<unit, Index>(maps, block, src, dst, late);
    for (walk::thread.x = 0; walk::thread.x < Maps::threads; ++walk::thread.x)
      kernel::move_late_pieces<unit, Index>(maps, block, src, dst, late);
  }
}

template <class Index, class Maps>
void walk_in(const Maps& maps, const std::vector<const char*>& from, char* out) {
  tile::Sources in;
  std::copy(from.begin(), from.end(), in.at.begin());
  if (maps.unit == 1) walk_units<1, Index>(maps, in, out);
  if (maps.unit == 2) walk_units<2, Index>(maps, in, out);
  if (maps.unit == 4) walk_units<4, Index>(maps, in, out);
  if (maps.unit == 8) walk_units<8, Index>(maps, in, out);
  if (maps.unit == 16) walk_units<16, Index>(maps, in, out);
}

void expect_as_defined(const Boxes& boxes, const AxisMaps& maps, const std::string& what) {
  ASSERT_TRUE(is_aligned(maps)) << what;
  Steps steps;
  steps.steps.push_back({boxes, {}, {}});
  const std::string units = what + ", units of " + std::to_string(maps.unit);
  walk::expect_as_defined(steps, [&](const auto& src, char* dst) { walk_in<std::uint32_t>(maps, src, dst); }, units, maps.n_sources);
  walk::expect_as_defined(
      steps, [&](const auto& src, char* dst) { walk_in<std::uint64_t>(maps, src, dst); }, units + ", indices of 64 bits", maps.n_sources);
  if (const auto few = few_maps(maps))
    walk::expect_as_defined(
        steps, [&](const auto& src, char* dst) { walk_in<std::uint32_t>(*few, src, dst); }, units + ", by the library's kernel");
}

struct Wish {
  std::string name;
  Rearrangement move;
};
std::vector<Wish> wishes(std::int64_t e) {
  const auto dense = [e](Extents extents) { return Layout::dense(std::move(extents), e); };
  const auto pads = [](std::vector<PadWidth> widths) { return widths; };
  std::vector<std::byte> value;
  // Elements of 12 bytes are three units, which a value fills differently: then no such move is made of it.
  for (std::int64_t b = 0; b < e; ++b) value.push_back(static_cast<std::byte>(e == 12 ? 0x5A : 0xA0 + b));
  const std::vector<std::int64_t> last{2}, both{1, 2}, first{0};
  return {
      {"pad of y and x, channels last", pad(dense({3, 13, 17, 3}), pads({{0, 0}, {1, 1}, {1, 1}, {0, 0}}), PadMode::constant, value)},
      {"pad of y and x, four channels", pad(dense({37, 41, 4}), pads({{1, 2}, {1, 3}, {0, 0}}))},
      {"pad of channels", pad(dense({23, 19, 4}), pads({{0, 0}, {0, 0}, {1, 1}}), PadMode::constant, value)},
      {"pad of all three axes", pad(dense({9, 11, 5}), pads({{2, 1}, {1, 2}, {3, 1}}))},
      {"pad of the fastest axis", pad(dense({5, 7, 510}), pads({{0, 0}, {0, 0}, {1, 1}}))},
      {"pad of the slowest axis", pad(dense({70, 71}), pads({{1, 3}, {0, 0}}), PadMode::constant, value)},
      {"reflected", pad(dense({15, 33}), pads({{2, 3}, {4, 5}}), PadMode::reflect)},
      {"wrapped", pad(dense({15, 33}), pads({{2, 3}, {4, 5}}), PadMode::wrap)},
      {"edge", pad(dense({15, 130}), pads({{2, 3}, {40, 5}}), PadMode::edge)},
      {"roll of both axes", roll(dense({45, 133}), std::vector<std::int64_t>{7, 5})},
      {"roll of pixels", roll(dense({21, 33, 3}), std::vector<std::int64_t>{-4, 9, 0})},
      {"flip of columns", flip(dense({11, 13, 129}), last)},
      {"flip of columns and rows", flip(dense({3, 50, 64}), both)},
      {"flip of rows", flip(dense({40, 3, 31}), first)},
      {"flip of pixels", flip(dense({2, 19, 3}), std::vector<std::int64_t>{1})},
      {"flip of four channels' pixels", flip(dense({2, 77, 4}), std::vector<std::int64_t>{1})},
      {"slice", slice(dense({20, 301}), std::vector<SliceRange>{{3, 17, 1}, {5, 298, 1}})},
      {"repeat", repeat(dense({31, 3}), 5)},
  };
}

TEST(Mapped, moves_of_every_kind_go_whole_and_as_defined) {
  for (const std::int64_t e : {1, 2, 4, 8, 12, 16}) {
    for (const Wish& wish : wishes(e)) {
      const Boxes boxes = boxes_of(wish.move);
      ASSERT_FALSE(boxes.empty()) << wish.name;
      const auto maps = maps_of(boxes);
      ASSERT_TRUE(maps) << wish.name << " of " << e << " bytes: " << boxes.size() << " boxes";
      expect_as_defined(boxes, *maps, wish.name + " of " + std::to_string(e) + " bytes");
    }
  }
}

TEST(Mapped, threads_of_a_block_wait_for_each_other) {
  const Boxes boxes = boxes_of(pad(Layout::dense({70, 130}, 2), std::vector<PadWidth>{{1, 3}, {1, 1}}));
  const auto maps = maps_of(boxes);
  ASSERT_TRUE(maps);
  ASSERT_EQ(maps->unit, 2);
  Steps steps;
  steps.steps.push_back({boxes, {}, {}});
  walk::expect_as_defined(
      steps,
      [&](const auto& src, char* dst) {
        static kernel::LatePieces late;
        tile::Sources in;
        in.at[0] = src[0];
        walk::launch(n_blocks_of(*maps), AxisMaps::threads,
                     [&] { kernel::move_mapped<2, std::uint32_t>(*maps, walk::block.x, in, dst, late); });
      },
      "all threads of a block");
}

TEST(Mapped, the_library_s_kernel_has_few_axes_and_segments) {
  const auto few = [](const Rearrangement& r) { return few_maps(*maps_of(boxes_of(r))).has_value(); };
  EXPECT_TRUE(few(pad(Layout::dense({4, 64, 510, 510}, 2), std::vector<PadWidth>{{0, 0}, {0, 0}, {1, 1}, {1, 1}})));
  EXPECT_TRUE(few(pad(Layout::dense({9, 11, 5}, 1), std::vector<PadWidth>{{2, 1}, {1, 2}, {3, 1}})));
  EXPECT_TRUE(few(roll(Layout::dense({8192, 8192}, 1), std::vector<std::int64_t>{7, 5})));
  EXPECT_FALSE(few(roll(Layout::dense({5'000'000'000}, 1), std::vector<std::int64_t>{7}))) << "beyond 32 bits";
  EXPECT_FALSE(few(interlace(Layout::dense({6, 10}, 4), 3))) << "three sources";
}

TEST(Mapped, chains_of_verbs_go_as_defined) {
  Draw draw{std::mt19937_64(20261201)};
  int n_mapped = 0;
  for (int k = 0; k < 600 && !HasFailure(); ++k) {
    std::string text = "case " + std::to_string(k) + ":";
    const Boxes boxes = boxes_of(draw.chain(text));
    if (boxes.empty()) continue;
    const auto maps = maps_of(boxes);
    if (!maps) continue;
    ++n_mapped;
    expect_as_defined(boxes, *maps, text);
  }
  EXPECT_GT(n_mapped, 200);
}

TEST(Mapped, boxes_with_holes_and_offsets_go_as_defined) {
  Draw draw{std::mt19937_64(20261202)};
  int n_mapped = 0;
  for (int k = 0; k < 600 && !HasFailure(); ++k) {
    const Boxes boxes{draw.box()};
    const auto maps = maps_of(boxes);
    if (!maps) continue;
    ++n_mapped;
    expect_as_defined(boxes, *maps, "box " + std::to_string(k));
  }
  EXPECT_GT(n_mapped, 200);
}

// Arrays one behind the other along an axis, by boxes of one source each.
Boxes joined(const std::vector<std::int64_t>& lengths, std::int64_t before, std::int64_t behind, std::int64_t e) {
  Boxes boxes;
  std::int64_t all = 0, at = 0;
  for (const std::int64_t n : lengths) all += n;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    Box box;
    box.unit = static_cast<std::int32_t>(e);
    box.src_slot = static_cast<std::int32_t>(k);
    box.dst_offset = at * behind * e;
    box.src_offset = static_cast<std::int64_t>(k) * e;
    box.axes = {{before, lengths[k] * behind * e, all * behind * e}, {lengths[k] * behind, e, e}};
    if (k == 1) {  // backwards
      box.axes[1].src_stride = -e;
      box.src_offset += (lengths[k] * behind - 1) * e;
    }
    boxes.push_back(box);
    at += lengths[k];
  }
  return boxes;
}

TEST(Mapped, several_sources_go_as_defined) {
  for (const std::int64_t e : {1, 2, 4, 8, 16})
    for (const auto& [before, lengths] : {std::pair<std::int64_t, std::vector<std::int64_t>>{13, {35, 35}},
                                          {13, {64, 64, 64, 64}},
                                          {1, {7, 1, 100}},
                                          {1, {5, 6, 7, 8, 9, 10, 11, 12}}})
      for (const std::int64_t behind : {1, 3}) {
        const Boxes boxes = joined(lengths, before, behind, e);
        const auto maps = maps_of(boxes);
        ASSERT_TRUE(maps) << e;
        EXPECT_EQ(maps->n_sources, std::ssize(lengths));
        expect_as_defined(boxes, *maps, std::to_string(lengths.size()) + " arrays of " + std::to_string(e) + " bytes");
      }
  EXPECT_FALSE(maps_of(joined({30, 41}, 13, 1, 4))) << "a row further on is another distance in each source";
  for (const std::int64_t e : {1, 2, 4}) {  // sources that an axis counts: one after the other, row by row, unit by unit
    const Layout a = Layout::dense({6, 10}, e);
    for (const std::int64_t axis : {0, 1, 2}) {
      const Boxes boxes = boxes_of(interlace(a, 3, axis));
      const auto maps = maps_of(boxes);
      ASSERT_TRUE(maps) << axis;
      EXPECT_EQ(maps->n_sources, 3);
      expect_as_defined(boxes, *maps, "three sources, axis " + std::to_string(axis));
    }
  }
}

TEST(Mapped, fits_the_seams_of_a_long_axis) {
  // 5·10^9 bytes rolled by 3·10^9 and 7: one axis beyond 32 bits.
  constexpr std::int64_t n = 5'000'000'000, distance = 3'000'000'007;
  const auto maps = maps_of(boxes_of(roll(Layout::dense({n}, 1), std::vector<std::int64_t>{distance})));
  ASSERT_TRUE(maps);
  EXPECT_FALSE(maps->are_narrow());
  EXPECT_EQ(maps->n_pieces(), static_cast<std::uint32_t>(n / 16));
  for (const std::int64_t at : {std::int64_t{0}, distance - 40, distance - 7, distance, distance + 16, n - 33, n - 1}) {
    const auto q = static_cast<std::uint32_t>(at / 16);
    const auto piece = maps->piece<std::uint64_t>(q);
    EXPECT_EQ(piece.dst, at / 16 * 16);
    const auto from = maps->from(maps->walker(piece.run, static_cast<std::uint64_t>(at)));
    EXPECT_EQ(from.src, (at - distance + n) % n);
    EXPECT_FALSE(from.is_fill);
    if (piece.how == AxisMaps::How::forwards) { EXPECT_EQ(piece.vector + piece.shift, (at / 16 * 16 - distance + n) % n); }
  }
  EXPECT_EQ(maps->piece<std::uint64_t>(static_cast<std::uint32_t>(distance / 16)).how, AxisMaps::How::units) << "the seam";
  EXPECT_EQ(maps->piece<std::uint64_t>(maps->n_pieces()).how, AxisMaps::How::nothing);
}

TEST(Mapped, units_are_as_wide_as_seams_allow) {
  const auto unit_of = [](const Rearrangement& r) { return maps_of(boxes_of(r))->unit; };
  const Layout pixels = Layout::dense({64, 64, 4}, 1);
  EXPECT_EQ(unit_of(pad(pixels, std::vector<PadWidth>{{1, 1}, {1, 1}, {0, 0}})), 4);
  EXPECT_EQ(unit_of(pad(pixels, std::vector<PadWidth>{{1, 1}, {1, 1}, {1, 1}})), 1) << "six channels, the inner ones apart";
  EXPECT_EQ(unit_of(flip(pixels, std::vector<std::int64_t>{1})), 4);
  EXPECT_EQ(unit_of(flip(pixels, std::vector<std::int64_t>{2})), 1);
  EXPECT_EQ(unit_of(roll(pixels, std::vector<std::int64_t>{1, 4, 0})), 16);
}

TEST(Mapped, other_moves_are_none) {
  const Layout a = Layout::dense({6, 10}, 4);
  EXPECT_FALSE(maps_of(boxes_of(interlace(a, 9)))) << "nine sources";
  Boxes two = boxes_of(pad(a, std::vector<PadWidth>{{1, 1}, {0, 0}}));
  ASSERT_TRUE(maps_of(two));
  for (Box& box : two)
    if (box.is_fill) {
      box.pattern[0] = std::byte{1};
      break;
    }
  EXPECT_FALSE(maps_of(two)) << "two patterns";
  Boxes crossed = boxes_of(roll(a, std::vector<std::int64_t>{1, 1}));
  ASSERT_EQ(crossed.size(), 4U);
  ASSERT_TRUE(maps_of(crossed));
  crossed.resize(3);
  EXPECT_FALSE(maps_of(crossed)) << "a hole";
  crossed = boxes_of(roll(a, std::vector<std::int64_t>{1, 1}));
  crossed[0].src_offset += 4;
  EXPECT_FALSE(maps_of(crossed)) << "a box that no axis accounts for";
}

}  // namespace
}  // namespace crinkle::mapped_test
