// Linear assignment: every row gets one column of its own so that the sum of costs is least. Exact by shortest augmenting paths after
// column and row reduction (R. Jonker and A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment
// problems", Computing 38, 1987); for many rows with few gains each by an auction, whose distance from the optimum is at most its gap.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crinkle::distributed {

/// The column of every row of the n × n costs, which lie row by row. Cost: n³ in the worst case, n² memory beside the costs' is not taken.
/// `bound`, if there: a lower bound of the least cost, from the duals; equal to it but for rounding.
template <class T>
std::vector<std::int64_t> assign(std::span<const T> cost, std::int64_t n, T* bound = nullptr);

/// A gain of giving this row that column; gains that are not listed are 0.
struct Gain {
  std::int64_t row = 0, column = 0, gain = 0;
};
struct Auctioned {
  std::vector<std::int64_t> columns;  // of every row
  std::int64_t gain = 0, most = 0;    // what it gains; no assignment gains more than `most`
};
/// Requires gains sorted by rows, each pair once. Gives up no more than n times `step`.
Auctioned auction(std::span<const Gain> gains, std::int64_t n, std::int64_t step);

}  // namespace crinkle::distributed
