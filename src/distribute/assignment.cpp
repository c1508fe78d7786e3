// Linear assignment.
// SPDX-License-Identifier: BSD-3-Clause
#include "distribute/assignment.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/checked.hpp"

namespace crinkle::distributed {
namespace {

template <class T>
class Assignment {
 public:
  Assignment(std::span<const T> cost, std::int64_t n)
      : cost_(cost), n_(static_cast<std::size_t>(n)), column_of_(n_, none), row_of_(n_, none), price_(n_, T{}) {}

  std::vector<std::int64_t> solve() {
    if (n_ == 0) return {};
    reduce_columns();
    for (int sweep = 0; sweep < 2; ++sweep) reduce_rows();
    for (const std::size_t row : free_) augment(row);
    return {column_of_.begin(), column_of_.end()};
  }
  // Σ prices of columns + Σ least reduced costs of rows.
  T bound() const {
    T sum{};
    for (std::size_t j = 0; j < n_; ++j) sum += price_[j];
    for (std::size_t i = 0; i < n_; ++i) {
      T least = at(i, 0) - price_[0];
      for (std::size_t j = 1; j < n_; ++j) least = std::min(least, at(i, j) - price_[j]);
      sum += least;
    }
    return sum;
  }

 private:
  static constexpr std::int64_t none = -1;
  const T& at(std::size_t i, std::size_t j) const { return cost_[i * n_ + j]; }
  void join(std::size_t i, std::size_t j) {
    column_of_[i] = static_cast<std::int64_t>(j);
    row_of_[j] = static_cast<std::int64_t>(i);
  }

  // Every column's price is its least cost; its row takes it unless it has one.
  void reduce_columns() {
    std::vector<std::size_t> least(n_, 0);
    for (std::size_t i = 1; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j)
        if (at(i, j) < at(least[j], j)) least[j] = i;
    for (std::size_t j = n_; j-- > 0;) {
      price_[j] = at(least[j], j);
      if (column_of_[least[j]] == none) join(least[j], j);
    }
    for (std::size_t i = 0; i < n_; ++i)
      if (column_of_[i] == none) free_.push_back(i);
  }

  // A free row takes its cheapest column and lowers that one's price until the second cheapest is as good.
  void reduce_rows() {
    std::vector<std::size_t> waiting = std::move(free_), later;
    std::reverse(waiting.begin(), waiting.end());
    std::size_t n_left = 4 * n_ + 16;  // roundings could go round for ever
    while (!waiting.empty()) {
      const std::size_t i = waiting.back();
      waiting.pop_back();
      std::size_t first = 0, second = 0;
      T least = at(i, 0) - price_[0], next = std::numeric_limits<T>::max();
      for (std::size_t j = 1; j < n_; ++j) {
        const T reduced = at(i, j) - price_[j];
        if (reduced >= next) continue;
        if (reduced >= least) {
          next = reduced;
          second = j;
        } else {
          next = std::exchange(least, reduced);
          second = std::exchange(first, j);
        }
      }
      const bool lowers = n_ > 1 && least < next;
      if (lowers) price_[first] -= next - least;
      else if (row_of_[first] != none && n_ > 1) first = second;
      const std::int64_t before = row_of_[first];
      if (before != none && !lowers && n_left == 0) {
        later.push_back(i);
        continue;
      }
      join(i, first);
      if (before == none) continue;
      column_of_[static_cast<std::size_t>(before)] = none;
      if (lowers && n_left > 0) {
        --n_left;
        waiting.push_back(static_cast<std::size_t>(before));
      } else {
        later.push_back(static_cast<std::size_t>(before));
      }
    }
    free_ = std::move(later);
  }

  // The shortest path, in reduced costs, from a free row to a free column; the rows along it change columns.
  void augment(std::size_t row) {
    std::vector<T> distance(n_);
    std::vector<std::size_t> from(n_, row), columns(n_);
    for (std::size_t j = 0; j < n_; ++j) {
      distance[j] = at(row, j) - price_[j];
      columns[j] = j;
    }
    std::size_t scanned = 0, reached = 0, end = n_;  // columns [0, scanned) are done, [scanned, reached) as near as the nearest
    T nearest{};
    while (end == n_) {
      if (scanned == reached) {
        nearest = distance[columns[reached]];
        for (std::size_t k = reached + 1; k < n_; ++k) nearest = std::min(nearest, distance[columns[k]]);
        for (std::size_t k = reached; k < n_; ++k)
          if (distance[columns[k]] <= nearest) std::swap(columns[k], columns[reached++]);
        for (std::size_t k = scanned; k < reached && end == n_; ++k)
          if (row_of_[columns[k]] == none) end = columns[k];
        if (end != n_) break;
      }
      const std::size_t j = columns[scanned++];
      const auto i = static_cast<std::size_t>(row_of_[j]);
      const T there = at(i, j) - price_[j] - nearest;
      for (std::size_t k = reached; k < n_; ++k) {
        const std::size_t to = columns[k];
        const T reduced = at(i, to) - price_[to] - there;
        if (reduced >= distance[to]) continue;
        distance[to] = reduced;
        from[to] = i;
        if (reduced > nearest) continue;
        if (row_of_[to] == none) {
          end = to;
          break;
        }
        std::swap(columns[k], columns[reached++]);
      }
    }
    for (std::size_t k = 0; k < scanned; ++k)
      if (distance[columns[k]] < nearest) price_[columns[k]] += distance[columns[k]] - nearest;
    for (std::size_t j = end;;) {
      const std::size_t i = from[j];
      const std::int64_t before = column_of_[i];
      join(i, j);
      if (i == row) break;
      j = static_cast<std::size_t>(before);
    }
  }

  std::span<const T> cost_;
  std::size_t n_;
  std::vector<std::int64_t> column_of_, row_of_;
  std::vector<T> price_;
  std::vector<std::size_t> free_;
};

}  // namespace

template <class T>
std::vector<std::int64_t> assign(std::span<const T> cost, std::int64_t n, T* bound) {
  Assignment<T> assignment(cost, n);
  std::vector<std::int64_t> columns = assignment.solve();
  if (bound != nullptr) *bound = n == 0 ? T{} : assignment.bound();
  return columns;
}
template std::vector<std::int64_t> assign(std::span<const std::int64_t>, std::int64_t, std::int64_t*);
template std::vector<std::int64_t> assign(std::span<const double>, std::int64_t, double*);

Auctioned auction(std::span<const Gain> gains, std::int64_t n, std::int64_t step) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<std::size_t> begin(size + 1, 0);
  for (const Gain& g : gains) ++begin[static_cast<std::size_t>(g.row) + 1];
  for (std::size_t i = 0; i < size; ++i) begin[i + 1] += begin[i];
  std::vector<std::int64_t> price(size, 0), row_of(size, -1);
  Auctioned result{std::vector<std::int64_t>(size, -1), 0, 0};
  const auto value = [&](const Gain& g) { return g.gain - price[static_cast<std::size_t>(g.column)]; };
  std::vector<std::size_t> waiting;
  for (std::size_t i = size; i-- > 0;) waiting.push_back(i);
  while (!waiting.empty()) {
    const std::size_t i = waiting.back();
    waiting.pop_back();
    const Gain* best = nullptr;
    std::int64_t first = 0, second = 0;  // a row may go without: that gains 0
    for (std::size_t k = begin[i]; k < begin[i + 1]; ++k) {
      const std::int64_t v = value(gains[k]);
      if (v > first || (v == first && best == nullptr && v > 0)) {
        second = std::exchange(first, v);
        best = &gains[k];
      } else if (v > second) {
        second = v;
      }
    }
    if (best == nullptr) continue;
    const auto j = static_cast<std::size_t>(best->column);
    price[j] += first - second + step;
    if (row_of[j] >= 0) {
      result.columns[static_cast<std::size_t>(row_of[j])] = -1;
      waiting.push_back(static_cast<std::size_t>(row_of[j]));
    }
    row_of[j] = static_cast<std::int64_t>(i);
    result.columns[i] = best->column;
  }
  // A bound from the prices: a column sold at p, a row at what it would gain at these prices.
  for (const std::int64_t p : price) result.most = add(result.most, p);
  for (std::size_t i = 0; i < size; ++i) {
    std::int64_t most = 0;
    for (std::size_t k = begin[i]; k < begin[i + 1]; ++k) {
      most = std::max(most, value(gains[k]));
      if (gains[k].column == result.columns[i]) result.gain = add(result.gain, gains[k].gain);
    }
    result.most = add(result.most, most);
  }
  std::size_t j = 0;
  for (std::int64_t& column : result.columns) {
    if (column >= 0) continue;
    while (row_of[j] >= 0) ++j;
    column = static_cast<std::int64_t>(j++);
  }
  return result;
}

}  // namespace crinkle::distributed
