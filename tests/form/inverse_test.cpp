// The inverse: r and then its inverse is the identity, and what is no bijection says so.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <functional>

#include "crinkle/error.hpp"
#include "support/generators.hpp"

namespace crinkle::inverse_test {
namespace {

// A dense source goes through r and back.
void expect_round_trip(const Rearrangement& r) {
  const Bytes source = noise_for(r.source());
  const Rearrangement back = r.inverse();
  RC_ASSERT(back.source() == r.destination());
  RC_ASSERT(back.destination() == r.source());
  for (const Simplified simplified : {Simplified::no, Simplified::yes})
    RC_ASSERT(moved(back, moved(r, source, simplified), simplified) == source);
  RC_ASSERT(moved(back.inverse(), source) == moved(r, source));
}

TEST(Inverse, of_flips_rolls_permutations_splits_and_swaps_is_the_way_back) {
  EXPECT_TRUE(rc::check("inverse", [] {
    const std::int64_t rank = pick(0, 6), e = any_element_bytes();
    Extents extents = any_extents(rank, 300);
    const Layout source = Layout::dense(extents, e);
    Rearrangement r(source);
    std::vector<Rearrangement::Split> splits;
    std::vector<OutputTerm> terms;
    for (std::size_t a = 0; a < extents.size(); ++a) {
      const std::string axis = "@" + std::to_string(a);
      if (chance(2)) r = r.flip(axis);
      if (chance(2)) r = r.roll(axis, pick(-20, 20));
      Rearrangement::Split split;
      const std::int64_t n = extents[a], factor = one_of<std::int64_t>({2, 3, 4});
      if (n > 0 && n % factor == 0) split.digits = {{"f" + axis.substr(1), factor}, {"r" + axis.substr(1), n / factor}};
      else split.digits = {{"w" + axis.substr(1), n}};
      for (std::size_t d = 0; d < split.digits.size(); ++d) terms.push_back({static_cast<int>(a), static_cast<int>(d), 1});
      splits.push_back(split);
    }
    std::vector<Output> outputs;
    for (const OutputTerm& t : shuffled(terms)) {
      if (outputs.empty() || chance(2)) outputs.emplace_back();
      outputs.back().terms.push_back(t);
    }
    r = r.split_and_merge(splits, outputs);
    for (const Rearrangement::Split& split : splits) {
      for (const auto& [name, n] : split.digits) {
        if (chance(4)) r = r.roll(name, pick(-5, 5));
      }
    }
    if (chance(3)) r = r.byte_swap();
    expect_round_trip(r);
  }));
}

TEST(Inverse, of_bit_reversal_and_of_a_permutation_by_an_index_array_is_the_way_back) {
  EXPECT_TRUE(rc::check("scatter", [] {
    const std::int64_t n = one_of<std::int64_t>({1, 2, 8, 64, 256});
    Rearrangement r(Layout::dense({3, n, 2}, 6));
    std::vector<std::int64_t> indices;
    for (std::int64_t k = 0; k < n; ++k) indices.push_back(k);
    if (chance(2)) r = r.take("@1", shuffled(indices));
    if (chance(2)) r = r.roll("@0", 1);
    if (chance(2)) r = r.bit_reverse("@1");
    expect_round_trip(r);
  }));
}

TEST(Inverse, of_a_ragged_crinkle_is_the_way_back) {
  for (std::int64_t n = 1; n < 20; ++n) {
    for (std::int64_t m = 1; m < 25; ++m) {
      const Rearrangement r =
          Rearrangement(Layout::dense({2, n}, 3))
              .split_and_merge({{{{"y", 2}}}, {{{"x", 0}, {"p", m}}, true, 1}}, {{{{0, 0, 1}}}, {{{1, 1, 1}, {1, 0, 1}}}});
      const Bytes source = noise_for(r.source());
      EXPECT_EQ(moved(r.inverse(), moved(r, source)), source) << n << " by " << m;
    }
  }
}

TEST(Inverse, of_a_strided_source_writes_the_strided_array) {
  const Layout strided{{3, 4}, {-40, 8}, 100, 4};
  const Rearrangement r = Rearrangement(strided).roll("@1", 1);
  Bytes source = noise_for(strided);
  const Bytes back = moved(r.inverse(), moved(r, source));
  const std::int64_t first = span_of(strided).first;
  for (const std::int64_t place : places_of(strided)) {
    for (std::int64_t k = 0; k < 4; ++k)
      EXPECT_EQ(back[static_cast<std::size_t>(place - first + k)], source[static_cast<std::size_t>(place - first + k)]);
  }
}

TEST(Inverse, of_several_buffers_swaps_them) {
  std::vector<Group> groups = {{3, 1, Counts::buffers, {}, {{"n", 3, {{3, 0, 1}}}}}, {5, 4, Counts::bytes, {}, {{"x", 5, {{5, 0, 1}}}}}};
  const Rearrangement r(4, 0, groups, {{{{1, 0, 1}, {0, 0, 1}}}});
  const Rearrangement back = r.inverse();
  EXPECT_EQ(r.n_sources(), 3);
  EXPECT_EQ(back.n_destinations(), 3);
  EXPECT_EQ(back.n_sources(), 1);
  EXPECT_EQ(back.inverse().n_sources(), 3);
}

void expect_none(const std::function<Rearrangement()>& make, const std::string& word) {
  const Rearrangement r = make();
  try {
    r.inverse();
    ADD_FAILURE() << "expected no inverse, " << word;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.what();
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

TEST(Inverse, is_refused_naming_the_axis_where_the_map_is_no_bijection) {
  const Rearrangement r(Layout::dense({4, 6}, 2), {"y", "x"});
  expect_none([&] { return r.slice("x", 1, {}); }, "\"x\"");
  expect_none([&] { return r.slice("y", {}, {}, 2); }, "\"y\"");
  expect_none([&] { return r.pad("x", 1, 0); }, "\"x\"");
  expect_none([&] { return r.pad("y", 0, 1, PadMode::wrap); }, "\"y\"");
  expect_none([&] { return r.dilate("x", 2); }, "\"x\"");
  expect_none([&] { return r.at("y", 1); }, "@0");
  expect_none([&] { return r.take("x", oracle::Indices{0, 1, 2, 3, 4, 4}); }, "\"x\"");
  expect_none([&] { return r.split_and_merge({{{{"y", 4}}}, {{{"x", 6}}}}, {{{{0, 0, 1}, {1, 0, 1}}}, {{{-1, -1, 2}}}}); },
              "repeated 2 times");
  expect_none([&] { return Rearrangement(Layout{{4, 6}, {0, 2}, 0, 2}); }, "written twice");
  expect_none([&] { return Rearrangement(Layout{{4, 6}, {2, 2}, 0, 2}); }, "written twice");
}

TEST(Inverse, is_refused_where_the_names_are_gone_and_bytes_are_read_twice) {
  const Rearrangement same(Layout::dense({6}, 2));
  oracle::Indices scattered;
  for (std::int64_t k = 0; k < 200; ++k) scattered.push_back(k * k % 199);
  const Rearrangement wide(Layout::dense({200}, 2));
  expect_none([&] { return same.then(same.take("@0", oracle::Indices{0, 1, 2, 3, 4, 4})); }, "twice");
  expect_none([&] { return same.then(same.take("@0", oracle::Indices{5, 1, 1, 3, 4, 0})); }, "twice");
  expect_none([&] { return wide.then(wide.take("@0", scattered)); }, "index");
  expect_none([&] { return same.then(same.slice("@0", 1, {}).pad("@0", 1, 0)); }, "fill");
}

}  // namespace
}  // namespace crinkle::inverse_test
