// Slabs: a rearrangement run in parts is the rearrangement.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace crinkle {
namespace {

TEST(Slab, all_of_them_are_the_whole) {
  EXPECT_TRUE(check_many("slabs", 500, [] {
    const std::int64_t rank = pick(1, 5);
    Chain chain(any_layout(any_extents(rank, 300), any_element_bytes()));
    for (std::int64_t k = pick(0, 5); k > 0; --k) {
      const auto a = static_cast<std::size_t>(pick(0, rank - 1));
      chain.verb("@" + std::to_string(a), a, 1000);
    }
    const Bytes source = noise_for(chain.r.source());
    const Bytes whole = chain.result(source);
    const std::int64_t n = chain.r.n_slabs();
    RC_ASSERT(n >= 0);
    Bytes parts;
    for (std::int64_t first = 0; first < n;) {
      const std::int64_t count = std::min(n - first, pick(1, 4));
      RC_ASSERT(static_cast<std::int64_t>(parts.size()) == first * (static_cast<std::int64_t>(whole.size()) / n));
      const Bytes part = moved(chain.r.slab(first, count), source);
      parts.insert(parts.end(), part.begin(), part.end());
      first += count;
    }
    RC_ASSERT(parts == whole);
  }));
}

TEST(Slab, cuts_bits_repeats_and_two_steps) {
  const Layout source = Layout::dense({16, 3}, 4);
  const Bytes bytes = noise_for(source);
  const Rearrangement reversed = Rearrangement(source).bit_reverse("@0");
  const Rearrangement repeated =
      Rearrangement(source).split_and_merge({{{{"y", 16}}}, {{{"x", 3}}}}, {{{{-1, -1, 5}}}, {{{1, 0, 1}, {0, 0, 1}}}});
  oracle::Indices indices;
  for (std::int64_t k = 0; k < 256; ++k) indices.push_back(k * k % 97 % 16);
  const Rearrangement in_two = Rearrangement(source).take("@0", indices).bit_reverse("@0");
  ASSERT_EQ(in_two.steps().steps.size(), 2U);
  for (const Rearrangement& r : {reversed, repeated, in_two}) {
    EXPECT_GT(r.n_slabs(), 1);
    Bytes parts;
    for (std::int64_t s = 0; s < r.n_slabs(); ++s) {
      const Bytes part = moved(r.slab(s, 1), bytes);
      parts.insert(parts.end(), part.begin(), part.end());
    }
    EXPECT_EQ(parts, moved(r, bytes));
  }
}

TEST(Slab, goes_into_a_dense_array_whatever_the_destination) {
  const Layout source = Layout::dense({4, 3}, 2);
  const Rearrangement r = Rearrangement(source).roll("@0", 1);
  const Rearrangement strided = r.into(Layout{{4, 3}, {-100, 4}, 300, 2});
  EXPECT_EQ(strided.slab(0, 4).destination(), Layout::dense({4, 3}, 2));
  EXPECT_EQ(moved(strided.slab(1, 2), noise_for(source)), moved(r.slab(1, 2), noise_for(source)));
}

}  // namespace
}  // namespace crinkle
