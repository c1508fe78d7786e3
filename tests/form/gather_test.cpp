// Index arrays: long ones are gathered along their axis, with fills of later pads on the same and on other axes.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "crinkle/error.hpp"
#include "support/generators.hpp"

namespace crinkle::gather_test {
namespace {

oracle::Indices random_indices(std::int64_t n, std::int64_t count) {
  oracle::Indices indices;
  std::uint64_t x = static_cast<std::uint64_t>(pick(0, 1'000'000));  // one draw, so that shrinking does not make them regular
  for (std::int64_t k = 0; k < count; ++k) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    indices.push_back(static_cast<std::int64_t>((x >> 33) % static_cast<std::uint64_t>(2 * n)) - n);
  }
  return indices;
}

void expect_oracle(const Chain& chain, std::size_t n_steps) {
  RC_LOG() << print_shape(chain.r.source().extents, chain.r.element_bytes()) << chain.text << "\n";
  RC_ASSERT(chain.r.steps().steps.size() == n_steps);
  const Bytes source = noise_for(chain.r.source());
  const Bytes expected = chain.result(source);
  RC_ASSERT(moved(chain.r, source, Simplified::no) == expected);
  RC_ASSERT(moved(chain.r, source, Simplified::yes) == expected);
}

TEST(Gather, of_a_long_index_array_with_verbs_around_it_equals_the_oracle) {
  EXPECT_TRUE(rc::check("gather", [] {
    Chain chain(any_layout({3, pick(20, 40), 4}, any_element_bytes()));
    for (std::int64_t k = pick(0, 2); k > 0; --k) chain.verb("@0", 0, 600);
    const auto a = static_cast<std::size_t>(pick(1, 2));
    const std::string axis = "@" + std::to_string(a);
    const oracle::Indices indices = random_indices(chain.expected.extents[a], pick(200, 300));
    chain.r = chain.r.take(axis, indices);
    chain.expected = oracle::taken(chain.expected, a, indices);
    for (std::int64_t k = pick(0, 4); k > 0; --k) {
      const auto b = static_cast<std::size_t>(pick(0, 2));
      chain.verb("@" + std::to_string(b), b, 40000);
    }
    if (chance(3)) chain.r = chain.r.into(any_layout(chain.r.destination().extents, chain.r.element_bytes()));
    expect_oracle(chain, 1);
  }));
}

TEST(Gather, on_two_axes_with_pads_of_different_values_equals_the_oracle) {
  EXPECT_TRUE(rc::check("two gathers", [] {
    Chain chain(Layout::dense({40, 2, 40}, 2));
    for (const std::size_t a : {std::size_t{0}, std::size_t{2}, std::size_t{1}}) {
      const std::string axis = "@" + std::to_string(a);
      const oracle::Indices indices = random_indices(chain.expected.extents[a] + 1, a == 1 ? 3 : 150);
      chain.r = chain.r.pad(axis, 1, 0, PadMode::constant, noise(2, a + 1))
                    .take(axis, indices)
                    .pad(axis, 0, 2, PadMode::constant, noise(2, a + 9));
      chain.expected = oracle::padded(chain.expected, a, 1, 0, PadMode::constant, static_cast<std::int64_t>(chain.fills.size()));
      chain.expected = oracle::taken(chain.expected, a, indices);
      chain.expected = oracle::padded(chain.expected, a, 0, 2, PadMode::constant, static_cast<std::int64_t>(chain.fills.size()) + 1);
      chain.fills.push_back(noise(2, a + 1));
      chain.fills.push_back(noise(2, a + 9));
    }
    RC_ASSERT(chain.r.steps().steps[0].gathers.size() == 2);
    expect_oracle(chain, 1);
  }));
}

TEST(Gather, along_a_bit_reversed_or_split_axis_takes_two_steps_and_equals_the_oracle) {
  EXPECT_TRUE(rc::check("gather and split", [] {
    Chain chain(Layout::dense({3, 50}, 3));
    const oracle::Indices indices = random_indices(50, 248);
    chain.r = chain.r.take("@1", indices).pad("@1", 3, 5, PadMode::constant, noise(3)).pad("@0", 1, 1);
    chain.expected = oracle::taken(chain.expected, 1, indices);
    chain.expected = oracle::padded(chain.expected, 1, 3, 5, PadMode::constant, 0);
    chain.expected = oracle::padded(chain.expected, 0, 1, 1, PadMode::constant, 1);
    chain.fills = {noise(3), Bytes(3, std::byte{0})};
    if (chance(2)) {
      chain.r = chain.r.bit_reverse("@1");
      chain.expected = oracle::bit_reversed(chain.expected, 1);
    } else {
      chain.r = chain.r.split_and_merge({{{{"z", 5}}}, {{{"y", 16}, {"x", 16}}}}, {{{{1, 1, 1}}}, {{{0, 0, 1}, {1, 0, 1}}}})
                    .flip("y")
                    .roll("x", 3);
      chain.expected = oracle::reshaped(chain.expected, {5, 16, 16});
      chain.expected = oracle::rolled(oracle::flipped(chain.expected, 1), 2, 3);
      chain.expected = oracle::reshaped(oracle::transposed(chain.expected, {2, 0, 1}), {16, 80});
    }
    expect_oracle(chain, 2);
  }));
}

TEST(Gather, leaves_few_and_long_runs_to_the_boxes) {
  oracle::Indices indices;
  for (std::int64_t k = 0; k < 63; ++k) indices.push_back(3 * (k % 40) + k / 40);
  EXPECT_TRUE(Rearrangement(Layout::dense({128}, 4)).take("@0", indices).steps().steps[0].gathers.empty());
  const Rearrangement wrapped = Rearrangement(Layout::dense({1000}, 4)).pad("@0", 0, 100'000, PadMode::wrap);
  EXPECT_TRUE(wrapped.steps().steps[0].gathers.empty());
  EXPECT_EQ(wrapped.steps().steps[0].boxes.size(), 101U);
}

TEST(Gather, checks_every_index_first) {
  const Rearrangement r(Layout::dense({2, 5}, 4));
  for (const std::int64_t wrong : {5, -6, 1'000'000}) {
    try {
      r.take("@1", oracle::Indices{0, -5, wrong, 4});
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_shape);
      EXPECT_NE(std::string(error.what()).find(std::to_string(wrong)), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace crinkle::gather_test
