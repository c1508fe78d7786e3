// Chains of verbs against the oracle, byte for byte, before and after simplify().
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "crinkle/error.hpp"
#include "support/generators.hpp"

namespace crinkle::chain_test {
namespace {

void expect_oracle(const Chain& chain) {
  RC_LOG() << print_shape(chain.r.source().extents, chain.r.element_bytes()) << chain.text << "\n";
  RC_ASSERT(chain.r.n_destinations() == 1);
  const Bytes source = noise_for(chain.r.source());
  const Bytes expected = chain.result(source);
  RC_ASSERT(moved(chain.r, source, Simplified::no) == expected);
  RC_ASSERT(moved(chain.r, source, Simplified::yes) == expected);
}

std::string name_of_axis(std::size_t a) { return "a" + std::to_string(a); }

TEST(Chain, of_verbs_on_any_axes_equals_the_oracle) {
  EXPECT_TRUE(check_many("chain", 1500, [] {
    const std::int64_t rank = pick(0, 10), e = any_element_bytes();
    const Layout source = any_layout(any_extents(rank), e);
    Chain chain(source);
    std::vector<std::string> names;
    for (std::size_t a = 0; a < static_cast<std::size_t>(rank); ++a) names.push_back(name_of_axis(a));
    chain.r = Rearrangement(source, names);
    for (std::int64_t k = rank == 0 ? 0 : pick(0, 6); k > 0; --k) {
      const auto a = static_cast<std::size_t>(pick(0, rank - 1));
      chain.verb(chance(3) ? "@" + std::to_string(static_cast<std::int64_t>(a) - rank) : names[a], a, 3000);
    }
    if (chance(4)) {
      chain.r = chain.r.byte_swap();
      chain.is_swapped = true;
    }
    if (chance(2)) chain.r = chain.r.into(any_layout(chain.r.destination().extents, e));
    expect_oracle(chain);
  }));
}

TEST(Chain, of_verbs_on_one_axis_equals_the_oracle) {
  EXPECT_TRUE(check_many("chain of one axis", 1500, [] {
    const Layout source = Layout::dense({pick(1, 17)}, any_element_bytes());
    Chain chain(source);
    for (std::int64_t k = pick(1, 6); k > 0; --k) chain.verb("@0", 0, 3000);
    expect_oracle(chain);
  }));
}

// Verbs on whole axes, then a split, verbs on the digits, one digit bit-reversed or fixed, and outputs that merge and repeat in any order.
TEST(Chain, through_split_and_merge_equals_the_oracle) {
  EXPECT_TRUE(check_many("split and merge", 3000, [] {
    const std::int64_t rank = pick(1, 4), e = any_element_bytes();
    const Layout source = any_layout(any_extents(rank, 200), e);
    Chain chain(source);
    for (std::int64_t k = pick(0, 3); k > 0; --k) {
      const auto a = static_cast<std::size_t>(pick(0, rank - 1));
      chain.verb("@" + std::to_string(a), a, 800);
    }
    std::vector<Rearrangement::Split> splits;
    std::vector<std::string> names;
    std::vector<OutputTerm> terms;
    Extents digits;
    for (std::size_t a = 0; a < static_cast<std::size_t>(rank); ++a) {
      Rearrangement::Split split;
      std::int64_t rest = chain.expected.extents[a];
      for (const std::int64_t factor : {2, 2, 3, 2, 5}) {
        if (rest <= factor || rest % factor != 0 || chance(2)) continue;
        split.digits.emplace_back("", factor);
        rest /= factor;
      }
      if (rest != 1 || chance(2)) split.digits.emplace_back("", rest);
      split.digits = shuffled(split.digits);
      for (std::size_t d = 0; d < split.digits.size(); ++d) {
        split.digits[d].first = name_of_axis(names.size());
        names.push_back(split.digits[d].first);
        digits.push_back(split.digits[d].second);
        terms.push_back({static_cast<int>(a), static_cast<int>(d), 1});
      }
      splits.push_back(split);
    }
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < terms.size(); ++k) order.push_back(k);
    order = shuffled(order);
    std::vector<Output> outputs;
    std::vector<std::size_t> axis_of(order.size());  // in `outputs`, per term in order
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (outputs.empty() || chance(2)) outputs.emplace_back();
      outputs.back().terms.push_back(terms[order[k]]);
      axis_of[k] = outputs.size() - 1;
    }
    const std::int64_t repeat = chance(3) ? pick(1, 3) : 0;
    if (repeat > 0) outputs.insert(outputs.begin(), Output{{OutputTerm{-1, -1, repeat}}});
    chain.text += " split, repeat " + std::to_string(repeat);
    chain.r = chain.r.split_and_merge(splits, outputs);
    chain.expected = oracle::reshaped(chain.expected, digits);
    for (std::int64_t k = names.empty() ? 0 : pick(0, 4); k > 0; --k) {
      const auto a = static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(names.size()) - 1));
      chain.verb(names[a], a, 1500);
    }
    std::vector<bool> is_gone(names.size(), false);
    if (!names.empty()) {
      const auto a = static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(names.size()) - 1));
      const std::int64_t n = chain.expected.extents[a];
      if (n > 0 && chance(2)) {
        const std::int64_t i = pick(-n, n - 1);
        chain.text += " at " + names[a];
        chain.r = chain.r.at(names[a], i);
        chain.expected = oracle::taken(chain.expected, a, {i});
        is_gone[a] = true;
      } else if (n > 0 && (n & (n - 1)) == 0) {
        try {
          chain.r = chain.r.bit_reverse(names[a]);
          chain.text += " reverse " + names[a];
          chain.expected = oracle::bit_reversed(chain.expected, a);
        } catch (const Error& error) { RC_ASSERT(error.code() == ErrorCode::unsupported); }
      }
    }
    chain.expected = oracle::transposed(chain.expected, order);
    if (repeat > 0) chain.expected = oracle::repeated(chain.expected, 0, repeat);
    Extents merged;
    std::vector<bool> has_terms;
    for (std::size_t a = 0; a < outputs.size(); ++a) {
      std::int64_t n = repeat > 0 && a == 0 ? repeat : 1;
      bool is_there = repeat > 0 && a == 0;
      for (std::size_t k = 0; k < order.size(); ++k) {
        if (axis_of[k] + (repeat > 0 ? 1 : 0) != a) continue;
        n *= chain.expected.extents[k + (repeat > 0 ? 1 : 0)];
        is_there = is_there || !is_gone[order[k]];
      }
      if (is_there) merged.push_back(n);
    }
    chain.expected = oracle::reshaped(chain.expected, merged);
    RC_ASSERT(chain.r.destination().extents == merged);
    expect_oracle(chain);
  }));
}

TEST(Chain, of_rolls_and_pads_on_six_axes_equals_the_oracle) {
  EXPECT_TRUE(rc::check("six axes", [] {
    const std::int64_t e = one_of<std::int64_t>({1, 4, 3});
    Chain chain(Layout::dense({2, 3, 2, 3, 2, 2}, e));
    for (int round = 0; round < 2; ++round) {
      for (std::size_t a = 0; a < 6; ++a) {
        const std::string axis = "@" + std::to_string(a);
        const PadMode mode = one_of<PadMode>({PadMode::constant, PadMode::edge, PadMode::wrap, PadMode::reflect});
        const std::int64_t before = round == 0 ? 1 : pick(0, 1), d = pick(-3, 3);
        const Bytes value(static_cast<std::size_t>(e), std::byte(10 * round + static_cast<int>(a)));
        chain.text += std::string(" ") + name_of(mode) + " roll " + std::to_string(d) + " @" + std::to_string(a);
        chain.r = chain.r.pad(axis, before, 1 - before, mode, value).roll(axis, d);
        chain.expected = oracle::padded(chain.expected, a, before, 1 - before, mode, static_cast<std::int64_t>(chain.fills.size()));
        chain.expected = oracle::rolled(chain.expected, a, d);
        chain.fills.push_back(value);
      }
    }
    expect_oracle(chain);
  }));
}

}  // namespace
}  // namespace crinkle::chain_test
