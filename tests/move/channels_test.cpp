// Kernels compiled for pixels of few channels: which moves have one, and that every source compiles without a GPU.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/channels.hpp"

#include <gtest/gtest.h>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "cuda/compiled_kernel.hpp"

namespace crinkle::channels_test {
namespace {

planning::Pass pass_of(const Rearrangement& r) { return planning::plan_pass(r.steps().steps.at(0).boxes, Machine::h200()); }
Rearrangement to_planes(std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t c, std::int64_t e) {
  return permute(Layout::dense({n, h, w, c}, e), std::vector<std::int64_t>{0, 3, 1, 2});
}
Rearrangement to_pixels(std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t c, std::int64_t e) {
  return permute(Layout::dense({n, c, h, w}, e), std::vector<std::int64_t>{0, 2, 3, 1});
}

TEST(Channels, are_found_either_way) {
  for (const std::int64_t e : {1, 2})
    for (const std::int64_t c : {2, 3, 4, 5, 8}) {
      const auto first = channel_tile(pass_of(to_planes(5, 60, 64, c, e))), last = channel_tile(pass_of(to_pixels(5, 60, 64, c, e)));
      ASSERT_TRUE(first && last) << c;
      EXPECT_TRUE(first->to_planes);
      EXPECT_FALSE(last->to_planes);
      EXPECT_EQ(first->channels, c);
      EXPECT_EQ(last->channels, c);
      EXPECT_EQ(first->vector, 16);
      EXPECT_EQ(first->unit, e);
      EXPECT_EQ(first->n_pieces, 60U * 64 * static_cast<unsigned>(e) / 16);
      EXPECT_EQ(first->pictures.n, 1);
    }
}

TEST(Channels, have_vectors_that_divide_all_places) {
  EXPECT_EQ(channel_tile(pass_of(to_planes(5, 60, 62, 3, 1)))->vector, 8);
  EXPECT_EQ(channel_tile(pass_of(to_planes(5, 62, 62, 3, 1)))->vector, 4);
  EXPECT_EQ(channel_tile(pass_of(to_planes(5, 31, 62, 3, 2)))->vector, 4);
  EXPECT_FALSE(channel_tile(pass_of(to_planes(5, 61, 61, 3, 1)))) << "planes begin at odd places";
}

TEST(Channels, may_be_mirrored_and_cropped) {
  const auto of = [](const std::string& spec, const Layout& layout, std::int64_t first) {
    return channel_tile(pass_of(parse(spec, layout).slice("x", first, first + 480).flip("x")));
  };
  const auto planes = of("n y x c -> n c y x", Layout::dense({64, 512, 512, 3}, 1), 16);
  ASSERT_TRUE(planes);
  EXPECT_TRUE(planes->is_backwards);
  EXPECT_EQ(planes->vector, 16);
  EXPECT_EQ(planes->n_strips, 1U) << "a row is a picture";
  const auto pixels = of("n c y x -> n y x c", Layout::dense({64, 3, 512, 512}, 1), 16);
  ASSERT_TRUE(pixels);
  EXPECT_TRUE(pixels->is_backwards && !pixels->to_planes);
  EXPECT_FALSE(of("n y x c -> n c y x", Layout::dense({64, 512, 512, 3}, 1), 17)) << "a crop at an odd place";
  EXPECT_TRUE(channel_tile(pass_of(parse("n y x c -> n c y x", Layout::dense({5, 60, 64, 3}, 1)).flip("c")))) << "blue first";
}

TEST(Channels, others_are_none) {
  EXPECT_FALSE(channel_tile(pass_of(to_planes(5, 60, 64, 3, 4)))) << "words need no kernel of their own";
  EXPECT_FALSE(channel_tile(pass_of(to_planes(5, 60, 64, 16, 1)))) << "many channels";
  EXPECT_FALSE(channel_tile(pass_of(permute(Layout::dense({300, 500}, 1), std::vector<std::int64_t>{1, 0}))));
  EXPECT_FALSE(channel_tile(pass_of(interlace(Layout::dense({300, 512}, 1), 3)))) << "several sources";
}

struct ChannelKernel : CompiledKernel {};

TEST_F(ChannelKernel, compiles_both_ways) {
  for (const std::int64_t e : {1, 2})
    for (const std::int64_t c : {2, 3, 4, 7})
      for (const std::int64_t w : {64, 62, 61})
        for (const Rearrangement& r : {to_planes(5, 60, w, c, e), to_pixels(5, 60, w, c, e)})
          EXPECT_NE(compiled_binary(source_of(*channel_tile(pass_of(r))), 90, {}, options), nullptr) << (notes.empty() ? "" : notes.back());
}

}  // namespace
}  // namespace crinkle::channels_test
