// The loops behind searches of groups, on every instruction set, against plain ones.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cpu/near_kernels.hpp"

#include <algorithm>
#include <bit>

#include "interpolate/metric.hpp"
#include "interpolate/support.hpp"

namespace crinkle::near_kernels_test {
namespace {

using namespace testing;
using namespace simd;
constexpr double infinity = std::numeric_limits<double>::infinity();

template <int n_dimensions>
double square_from(const NearBox& box, const double (&least)[3], const double (&most)[3]) {
  double away[3] = {};
  for (int a = 0; a < n_dimensions; ++a) away[a] = std::max({least[a] - box.most[a], box.least[a] - most[a], 0.0});
  return interpolation::square_of<n_dimensions>(away);
}

template <int n_dimensions>
void expect_search(const NearKernels& kernels) {
  const NearLoops& loops = kernels.loops[n_dimensions - 2];
  Random random(3);
  const NearBox box{{0.4, 0.4, 0.4}, {0.6, 0.5, 0.6}, 0.09};
  constexpr std::int64_t n_nodes = 37;
  std::vector<double> boxes, leaves;
  for (std::int64_t i = 0; i < n_nodes * 4 * n_dimensions; ++i) boxes.push_back(random());
  for (std::int64_t i = 0; i < n_nodes * n_dimensions; ++i) {
    for (int u = 0; u < 8; ++u) leaves.push_back(u > 5 ? infinity : random());
  }
  // [axis][4] of least, then of most.
  std::vector<double> fours;
  for (std::int64_t i = 0; i < n_nodes; ++i)
    for (const double more : {0.0, 0.1})
      for (int k = 0; k < 4 * n_dimensions; ++k)
        fours.push_back(i == 5 ? infinity : boxes[static_cast<std::size_t>(i * 4 * n_dimensions + k)] + more);
  std::vector<std::int64_t> nodes, want, have(4 * n_nodes);
  for (std::int64_t i = 0; i < n_nodes; i += 1 + i % 2) nodes.push_back(i);
  for (const std::int64_t node : nodes)
    for (std::int64_t u = 0; u < 4; ++u) {
      double least[3] = {}, most[3] = {};
      for (std::int64_t a = 0; a < n_dimensions; ++a) {
        least[a] = fours[static_cast<std::size_t>((node * 2 * n_dimensions + a) * 4 + u)];
        most[a] = fours[static_cast<std::size_t>((node * 2 * n_dimensions + n_dimensions + a) * 4 + u)];
      }
      if (square_from<n_dimensions>(box, least, most) <= box.square) want.push_back(4 * node + u);
    }
  have.resize(static_cast<std::size_t>(loops.open(fours.data(), nodes.data(), std::ssize(nodes), box, have.data())));
  EXPECT_EQ(have, want) << kernels.target;

  constexpr std::size_t room = 8 * n_nodes + 16;
  std::vector<double> numbers(5 * room);
  std::vector<std::int64_t> slots(2 * room), want_slots;
  NearCandidates candidates{.place = {numbers.data(), numbers.data() + room, numbers.data() + 2 * room},
                            .at = slots.data(),
                            .squares = numbers.data() + 3 * room,
                            .keys = numbers.data() + 4 * room,
                            .sorted = slots.data() + room};
  loops.collect(leaves.data(), nodes.data(), std::ssize(nodes), box, candidates);
  const double q[3] = {0.45, 0.41, 0.5};
  std::vector<std::int64_t> keys;
  for (const std::int64_t node : nodes)
    for (std::int64_t u = 0; u < 8; ++u) {
      double x[3] = {}, away[3] = {};
      for (std::int64_t a = 0; a < n_dimensions; ++a) {
        x[a] = leaves[static_cast<std::size_t>((node * n_dimensions + a) * 8 + u)];
        away[a] = x[a] - q[a];
      }
      if (!(square_from<n_dimensions>(box, x, x) <= box.square)) continue;
      const double square = interpolation::square_of<n_dimensions>(away);
      constexpr std::int64_t low = NearCandidates::slots - 1;
      if (square <= 0.08) keys.push_back((std::bit_cast<std::int64_t>(square) & ~low) | std::ssize(want_slots));
      want_slots.push_back(8 * node + u);
    }
  ASSERT_EQ(std::vector<std::int64_t>(slots.begin(), slots.begin() + candidates.n), want_slots) << kernels.target;
  ASSERT_GT(keys.size(), 3u);
  ASSERT_EQ(loops.measure(candidates, q, 0.08), std::ssize(keys)) << kernels.target;
  std::sort(keys.begin(), keys.end());
  kernels.sort(candidates, std::ssize(keys));
  EXPECT_EQ(std::vector<std::int64_t>(candidates.sorted, candidates.sorted + keys.size()), keys) << kernels.target;

  const double* const targets[3] = {leaves.data(), leaves.data() + 20, leaves.data() + 40};
  std::vector<double> reached(16, 0.5);
  loops.reach(numbers.data(), 9, targets, 5, reached.data());
  for (std::size_t t = 0; t < 5; ++t) {
    double most = 0;
    for (std::size_t i = 0; i < 9; ++i) {
      double away[3] = {};
      for (std::size_t a = 0; a < n_dimensions; ++a) away[a] = numbers[i * n_dimensions + a] - targets[a][t];
      most = std::max(most, interpolation::square_of<n_dimensions>(away));
    }
    EXPECT_EQ(reached[t], std::min(most, 0.5)) << kernels.target;
  }
}

TEST(NearKernels, every_instruction_set_finds_the_same) {
  for (const NearKernels* kernels : NearKernels::all()) {
    expect_search<2>(*kernels);
    expect_search<3>(*kernels);
  }
}

TEST(NearKernels, every_length_is_sorted) {
  for (const NearKernels* kernels : NearKernels::all()) {
    for (const std::int64_t n : {0, 1, 3, 8, 12, 13, 95, 96, 97, 200}) {
      Random random(static_cast<std::uint64_t>(n));
      std::vector<double> keys(static_cast<std::size_t>(n) + 16);
      std::vector<std::int64_t> sorted(keys.size()), want;
      for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        keys[i] = i % 5 == 0 ? std::bit_cast<double>(static_cast<std::int64_t>(i)) : random();
        want.push_back(std::bit_cast<std::int64_t>(keys[i]));
      }
      std::sort(want.begin(), want.end());
      NearCandidates candidates;
      candidates.keys = keys.data();
      candidates.sorted = sorted.data();
      kernels->sort(candidates, n);
      sorted.resize(want.size());
      EXPECT_EQ(sorted, want) << kernels->target << ", " << n;
    }
  }
}

TEST(NearKernels, every_instruction_set_has_the_same_sums) {
  constexpr std::size_t k = 7, pitch = NearTargets::together;
  Random random(5);
  std::vector<double> squares(k * pitch), values(2 * k * pitch), scales(k * pitch), weights(k * pitch);
  for (std::size_t i = 0; i < squares.size(); ++i)
    squares[i] = (i % pitch % 9 == 0 && i < 2 * pitch) ? 0 : static_cast<double>(i / pitch) + random();
  for (double& value : values) value = random();
  for (double& scale : scales) scale = 0.5 + random();
  const double least[2] = {0.1, 0}, most[2] = {0.8, 1};
  for (const double power : {1.0, 2.0, 3.0, 4.0, 2.5})
    for (const double smoothing : {0.0, 0.25}) {
      std::vector<double> want;
      for (const NearKernels* kernels : NearKernels::all()) {
        std::vector<double> out(2 * pitch);
        kernels->sum({.n = pitch,
                      .k = k,
                      .n_columns = 2,
                      .squares = squares.data(),
                      .values = values.data(),
                      .scales = scales.data(),
                      .weights = weights.data(),
                      .least = least,
                      .most = most,
                      .smoothing = smoothing,
                      .power = power,
                      .out = out.data()});
        if (want.empty()) want = out;
        EXPECT_EQ(out, want) << kernels->target << ", p = " << power;
      }
    }
}

}  // namespace
}  // namespace crinkle::near_kernels_test
