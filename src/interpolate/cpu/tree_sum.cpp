// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cpu/tree_sum.hpp"

#include <cmath>
#include <optional>

#include "base/checked.hpp"
#include "interpolate/cpu/tree_group.hpp"
#include "interpolate/kd_tree.hpp"

namespace crinkle::interpolation {
namespace {

constexpr std::int64_t groups_together = 16, nodes_together = 256;
// Roundings of sums, as a part of the range: they are taken off the tolerance.
constexpr double float_rounding = 1e-6, double_rounding = 1e-12;
constexpr double least_float_tolerance = 1e-5, least_tolerance = 1e-10;

bool is_by_float(std::size_t bytes, double tolerance) { return bytes == 4 && tolerance >= least_float_tolerance; }

std::array<std::array<double, 3>, 2> first_place(const SamplePlanes& samples) { return {samples.place(0), samples.place(0)}; }

}  // namespace

Cells::Cells(const SamplePlanes& given, Executor& executor) {
  if (given.n_dimensions == 2) divide<2>(given, executor);
  else divide<3>(given, executor);
}

template <int n_dimensions>
void Cells::divide(const SamplePlanes& given, Executor& executor) {
  constexpr std::int64_t leaves_together = 4;  // 16 to 32 samples
  const KdTree<n_dimensions> tree(given, executor);
  const std::int64_t n = given.n, n_leaves = std::max<std::int64_t>(1, (tree.first_leaf() + 1) / leaves_together);
  const auto ordered = [&](const std::vector<double>& numbers) {
    std::vector<double> to(numbers.size());
    for (std::size_t p = 0; p < to.size(); ++p) to[p] = numbers[index(tree.place(static_cast<std::int64_t>(p)).index)];
    return to;
  };
  samples.n_dimensions = n_dimensions;
  samples.n = n;
  for (std::size_t a = 0; a < n_dimensions; ++a) samples.places[a] = ordered(given.places[a]);
  for (const std::vector<double>& column : given.values) samples.values.push_back(ordered(column));
  samples.weights = ordered(given.weights);
  samples.least = given.least;
  samples.most = given.most;
  for (std::int64_t leaf = 0; leaf <= tree.first_leaf(); leaf += leaves_together) bounds.push_back(tree.leaf(tree.first_leaf() + leaf)[0]);
  bounds.push_back(n);
  constexpr double rounding = 1 + 1e-12;
  for (std::int64_t node = 0; node < 2 * n_leaves - 1; ++node) {
    Cell cell{};
    double square = 0;
    for (std::size_t a = 0; a < n_dimensions; ++a) {
      const double least = tree.box(node).least[a], most = tree.box(node).most[a];
      cell.centre[a] = least / 2 + most / 2;
      const double away = std::max(most - cell.centre[a], cell.centre[a] - least);
      square += away * away;
    }
    cell.radius = std::sqrt(square) * rounding;
    nodes.push_back(cell);
  }
}

bool TreeSum::is_of_use(const SamplePlanes& samples, const Interpolation& how) {
  constexpr std::int64_t least_samples = 1024;
  constexpr double most_power = 16;
  return how.tolerance >= least_tolerance && samples.n >= least_samples && how.power <= most_power;
}

TreeSum::TreeSum(const SamplePlanes& samples, const Interpolation& how, const FullSum& full, Executor& executor)
    : full_(full),
      rule_(how.power),
      tolerance_(how.tolerance),
      monomials_(samples.n_dimensions, best_degree(how.power, samples.n_dimensions, how.tolerance), how.power),
      of_float32_(how.power, monomials_.degree(), std::max(how.tolerance, least_float_tolerance) - float_rounding),
      of_float64_(how.power, monomials_.degree(), how.tolerance - double_rounding),
      cells_(samples, executor),
      float32_(cells_.samples, how, first_place(samples)),
      float64_(cells_.samples, how, first_place(samples)) {
  cells_.samples = {};
  for (Cells::Cell& cell : cells_.nodes) {
    for (std::size_t a = 0; a < index(samples.n_dimensions); ++a) cell.centre[a] = float64_.scaled(a, cell.centre[a]);
    cell.radius *= float64_.factor();
  }
  smoothing_ = float64_.range().smoothing;
  add_moments(executor);
  all_weights_ = moments_[index(float64_.n_columns() * monomials_.n())];
}

// Adds the moments of the leaves' samples, then those of nodes whose halves have theirs.
void TreeSum::add_moments(Executor& executor) {
  const std::int64_t n = monomials_.n(), n_nodes = std::ssize(cells_.nodes);
  moments_.assign(index(multiply(n_nodes, n_moments())), 0);
  const simd::WeightRange<double> range = float64_.range();
  const auto each = [&](std::int64_t begin, std::int64_t end, const auto& body) {
    executor.parallel_for(ceil_divide(end - begin, nodes_together), [&](std::int64_t k) {
      double powers[Monomials::most];
      const std::int64_t from = begin + k * nodes_together;
      for (std::int64_t node = from; node < std::min(end, from + nodes_together); ++node) body(node, powers);
    });
  };
  each(cells_.first_leaf(), n_nodes, [&](std::int64_t node, double* powers) {
    const Cells::Cell& cell = cells_.nodes[index(node)];
    const std::size_t leaf = index(node - cells_.first_leaf());
    for (std::int64_t p = cells_.bounds[leaf]; p < cells_.bounds[leaf + 1]; ++p) {
      double away[3] = {};
      for (int a = 0; a < monomials_.n_dimensions(); ++a) away[a] = cell.centre[a] - range.place[a][p];
      monomials_.fill(away, powers);
      for (std::int64_t s = 0; s < n_sums(); ++s) {
        const double number = s < float64_.n_sums() ? float64_.column(s)[p] : 1;
        double* const to = moments_of(node) + s * n;
        for (std::int64_t k = 0; k < n; ++k) to[k] += number * powers[k];
      }
    }
  });
  for (std::int64_t begin = cells_.first_leaf(); begin > 0;) {
    const std::int64_t end = begin;
    begin = (begin - 1) / 2;
    each(begin, end, [&](std::int64_t node, double* powers) {
      for (const std::int64_t half : {2 * node + 1, 2 * node + 2}) {
        double away[3];
        for (std::size_t a = 0; a < 3; ++a) away[a] = cells_.nodes[index(node)].centre[a] - cells_.nodes[index(half)].centre[a];
        monomials_.fill(away, powers);
        for (std::int64_t s = 0; s < n_sums(); ++s) {
          double* const to = moments_of(node) + s * n;
          const double* const from = moments_of(half) + s * n;
          for (std::int64_t i = 0; i < n; ++i) {
            const std::int64_t n_here = monomials_.n_up_to(monomials_.degree() - monomials_.degree_of(i));
            for (std::int64_t j = 0; j < n_here; ++j) to[monomials_.products(i)[j]] += from[i] * powers[j];
          }
        }
      }
    });
  }
}

template <class T, class Sum>
void TreeSum::run_groups(const Targets& targets, const TargetGroups& groups, std::span<T> out, Executor& executor) const {
  executor.parallel_for(ceil_divide(groups.n(), groups_together), [&](std::int64_t chunk) {
    Group<Sum> group(*this);
    std::optional<Group<double>> again;
    std::vector<std::int64_t> numbers, wrong;
    std::vector<double> values(index(float64_.n_columns()));
    const auto put = [&](std::int64_t t, const auto& value) {
      for (std::int64_t c = 0; c < std::ssize(values); ++c) out[index(c * targets.n() + t)] = static_cast<T>(value(c));
    };
    // Puts the values that are right and leaves the numbers of the other targets.
    const auto sum = [&](auto& by) {
      by.sum(targets, numbers);
      wrong.clear();
      for (std::size_t t = 0; t < numbers.size(); ++t) {
        const auto k = static_cast<std::int64_t>(t);
        if (by.is_right(k)) put(numbers[t], [&](std::int64_t c) { return by.value(k, c); });
        else wrong.push_back(numbers[t]);
      }
      std::swap(numbers, wrong);
    };
    for (std::int64_t g = chunk * groups_together; g < std::min(groups.n(), (chunk + 1) * groups_together); ++g) {
      groups.targets_of(g, numbers);
      sum(group);
      if (sizeof(Sum) == 4 && !numbers.empty()) {
        if (!again) again.emplace(*this);
        sum(*again);
      }
      for (const std::int64_t t : numbers) {
        full_.scan(targets.at(t), rule_.power, -1, values.data(), 1);
        put(t, [&](std::int64_t c) { return values[index(c)]; });
      }
    }
  });
}

// Pairs of a target and a sample, or what costs as much, per target.
template <class Sum>
double TreeSum::work_of(const Targets& targets, const TargetGroups& groups, Executor& executor) const {
  constexpr std::int64_t most_tried = 16, part_tried = 16;
  const std::int64_t n_tried = std::clamp<std::int64_t>(groups.n() / part_tried, 1, most_tried);
  std::vector<double> work(index(n_tried));
  const double columns = static_cast<double>(n_sums());
  double n_products = 1;
  for (int i = 1; i <= 2 * monomials_.n_dimensions(); ++i) n_products = n_products * (monomials_.degree() + i) / i;
  const double of_cell = 2 + columns * (n_products / 80 + static_cast<double>(monomials_.n()) / 10);
  executor.parallel_for(n_tried, [&](std::int64_t k) {
    Group<Sum> group(*this);
    std::vector<std::int64_t> numbers;
    groups.targets_of((2 * k + 1) * groups.n() / (2 * n_tried), numbers);
    group.sum(targets, numbers);
    work[index(k)] = static_cast<double>(group.n_pairs()) + static_cast<double>(group.n_far()) * of_cell;
  });
  double all = 0;
  for (const double one : work) all += one;
  return all / static_cast<double>(n_tried);
}

template <class T>
double TreeSum::share_of_full(const Targets& targets, const TargetGroups& groups, Executor& executor) const {
  constexpr double double_pairs = 3.5;  // as many of float32
  const auto n = static_cast<double>(cells_.bounds.back());
  if (is_by_float(sizeof(T), tolerance_)) return work_of<float>(targets, groups, executor) / n;
  return work_of<double>(targets, groups, executor) * (sizeof(T) == 4 ? double_pairs : 1) / n;
}

template <class T>
void TreeSum::run(const Targets& targets, std::span<T> out, Executor& executor) const {
  constexpr double most_share = 0.8;
  if (targets.n() == 0) return;
  const TargetGroups groups(targets, executor);
  if (share_of_full<T>(targets, groups, executor) > most_share) full_.run(targets, out, executor);
  else run_by_tree(targets, groups, out, executor);
}

template <class T>
void TreeSum::run_by_tree(const Targets& targets, const TargetGroups& groups, std::span<T> out, Executor& executor) const {
  if (is_by_float(sizeof(T), tolerance_)) run_groups<T, float>(targets, groups, out, executor);
  else run_groups<T, double>(targets, groups, out, executor);
}

template void TreeSum::run(const Targets&, std::span<float>, Executor&) const;
template void TreeSum::run(const Targets&, std::span<double>, Executor&) const;
template void TreeSum::run_by_tree(const Targets&, const TargetGroups&, std::span<float>, Executor&) const;
template void TreeSum::run_by_tree(const Targets&, const TargetGroups&, std::span<double>, Executor&) const;
template double TreeSum::share_of_full<float>(const Targets&, const TargetGroups&, Executor&) const;
template double TreeSum::share_of_full<double>(const Targets&, const TargetGroups&, Executor&) const;

}  // namespace crinkle::interpolation
