// SPDX-License-Identifier: BSD-3-Clause
#include "papers/simplex/work.hpp"

#include <cmath>

#include "harness/unit_numbers.hpp"

namespace crinkle::bench {
namespace {

// About one pair in 4096 collides, so that what is counted costs nothing: with r uniform below R, in one dimension of pairs 2R, in three
// 4π/3 · 3/2 · R³.
constexpr float largest_line_radius = 0x1p-13F, largest_space_radius = 0.0339F;

std::vector<float> unit_numbers(std::int64_t n, std::uint64_t seed, Executor& executor, float scale = 1) {
  std::vector<float> numbers(static_cast<std::size_t>(n));
  fill_unit(numbers.data(), n, seed, executor);
  for (float& x : numbers) x *= scale;
  return numbers;
}

double square_of_pair(const float* x, const float* y) {
  double sum = 0;
  for (int f = 0; f < 3; ++f) sum += (static_cast<double>(x[f]) - y[f]) * (static_cast<double>(x[f]) - y[f]);
  return sum;
}

/// Spheres collide in their own arithmetic: each operation rounded to float.
std::uint64_t count_collisions_of(const std::vector<float>& centres, const std::vector<float>& radii, std::int64_t n,
                                  std::int64_t dimensions) {
  std::uint64_t count = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      float sum = 0;
      for (std::int64_t f = 0; f < dimensions; ++f) {
        const float d = centres[static_cast<std::size_t>(i * dimensions + f)] - centres[static_cast<std::size_t>(j * dimensions + f)];
        const float square = d * d;
        sum += square;
      }
      const float reach = radii[static_cast<std::size_t>(i)] + radii[static_cast<std::size_t>(j)], square = reach * reach;
      count += sum <= square ? 1 : 0;
    }
  }
  return count;
}

double energy_of(const std::vector<float>& centres, std::int64_t n) {
  double energy = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      const double a = square_of_pair(&centres[static_cast<std::size_t>(3 * i)], &centres[static_cast<std::size_t>(3 * j)]);
      for (std::int64_t k = 0; k < j; ++k) {
        const double b = square_of_pair(&centres[static_cast<std::size_t>(3 * i)], &centres[static_cast<std::size_t>(3 * k)]);
        const double c = square_of_pair(&centres[static_cast<std::size_t>(3 * j)], &centres[static_cast<std::size_t>(3 * k)]);
        const double p = a * b * c;
        energy += (1 + 3 * (a + b - c) * (a + c - b) * (b + c - a) / (8 * p)) / (p * std::sqrt(p));
      }
    }
  }
  return energy;
}

}  // namespace

std::int64_t useful_cells(Work work, std::int64_t n) {
  switch (work) {
    case Work::collisions_1d:
    case Work::collisions_3d: return n * (n - 1) / 2;
    case Work::dummy_3d:
    case Work::tally_3d: return n * (n + 1) / 2 * (n + 2) / 3;
    case Work::triplets: return n * (n - 1) / 2 * (n - 2) / 3;
    default: return n * (n + 1) / 2;
  }
}

Numbers::Numbers(std::int64_t n_all, std::uint64_t seed, Executor& executor)
    : points(unit_numbers(4 * n_all, seed, executor)),
      line(unit_numbers(n_all, seed + 1, executor)),
      space(unit_numbers(3 * n_all, seed + 2, executor)),
      line_radii(unit_numbers(n_all, seed + 3, executor, largest_line_radius)),
      space_radii(unit_numbers(n_all, seed + 4, executor, largest_space_radius)) {}

Outcome defined_outcome(Work work, std::int64_t n, const Numbers& numbers) {
  Outcome o;
  switch (work) {
    case Work::collisions_1d: o.count = count_collisions_of(numbers.line, numbers.line_radii, n, 1); break;
    case Work::collisions_3d: o.count = count_collisions_of(numbers.space, numbers.space_radii, n, 3); break;
    case Work::triplets: o.energy = energy_of(numbers.space, n); break;
    case Work::distances: break;
    default: {
      o.count = static_cast<std::uint64_t>(useful_cells(work, n));
      const auto end = static_cast<std::uint64_t>(n);
      for (std::uint64_t i = 0; i < end; ++i)
        for (std::uint64_t j = 0; j <= i; ++j)
          for (std::uint64_t k = 0; k <= (is_of_triplets(work) ? j : 0); ++k) o.sum += number_of_cell(i, j, k);
    }
  }
  return o;
}

}  // namespace crinkle::bench
