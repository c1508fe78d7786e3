// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cpu/expansion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace crinkle::interpolation {

Monomials::Monomials(int n_dimensions, int degree, double power) : n_dimensions_(n_dimensions), degree_(degree) {
  using Exponents = std::array<int, 3>;
  std::vector<Exponents> all;
  const auto number_of = [&](const Exponents& e) { return static_cast<std::uint16_t>(std::find(all.begin(), all.end(), e) - all.begin()); };
  for (int d = 0; d <= degree; ++d) {
    for (int z = 0; z <= (n_dimensions == 3 ? d : 0); ++z)
      for (int y = 0; y <= d - z; ++y) all.push_back({d - z - y, y, z});
    n_up_to_.push_back(std::ssize(all));
  }
  const double half = power / 2;
  for (const Exponents& e : all) {
    const int d = e[0] + e[1] + e[2];
    degrees_.push_back(d);
    Step step{{}, {}, 0, 0, std::tgamma(e[0] + 1) * std::tgamma(e[1] + 1) * std::tgamma(e[2] + 1)};
    if (d > 0) {
      step.first = -2 * (d + half - 1) / d;
      step.second = -(d + 2 * half - 2) / d;
    }
    for (std::size_t a = 0; a < 3; ++a) {
      Exponents once = e, twice = e;
      once[a] -= 1;
      twice[a] -= 2;
      step.lower[a] = number_of(once);
      step.lower_twice[a] = number_of(twice);
    }
    From from{0, 0, 1};
    while (d > 0 && e[from.axis] == 0) ++from.axis;
    if (d > 0) from = {step.lower[from.axis], from.axis, 1.0 / e[from.axis]};
    steps_.push_back(step);
    from_.push_back(from);
  }
  products_.resize(all.size() * all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j)
      products_[i * all.size() + j] = number_of({all[i][0] + all[j][0], all[i][1] + all[j][1], all[i][2] + all[j][2]});
}

void Monomials::fill(const double* v, double* to) const {
  to[0] = 1;
  for (std::int64_t k = 1; k < n(); ++k) {
    const From& f = from(k);
    to[k] = to[f.lower] * v[f.axis] * f.factor;
  }
}

double Acceptance::error(double power, int degree, double ratio) {
  constexpr double small = 1e-4;
  double term = 1, sum = 0;
  for (int k = 1;; ++k) {
    const double growth = (power + k - 1) / k * ratio;
    term *= growth;
    if (k <= degree) continue;
    sum += term;
    // No later growth is more than this one or, for p < 1, the ratio.
    const double most = std::max(growth, ratio);
    if (most < 1 && term * most / (1 - most) <= small * sum) return sum + term * most / (1 - most);
  }
}

Acceptance::Acceptance(double power, int degree, double tolerance) : power_(power) {
  // Beyond 0.15 the quotient above no longer keeps the promise; 0.99 leaves room for roundings.
  constexpr double most_tolerance = 0.15, room = 0.99, most_ratio = 0.9, step = 1.3;
  const double t = room * std::min(tolerance, most_tolerance);
  absolute_ = 0.3 * t;
  double low = 0, high = most_ratio;
  for (int i = 0; i < 60; ++i) {
    const double ratio = (low + high) / 2;
    (error(power, degree, ratio) * std::pow(1 + ratio, power) <= t ? low : high) = ratio;
  }
  levels_.push_back({low, 0});
  for (double ratio = low * step; low > 0 && levels_.back().ratio < most_ratio; ratio *= step) {
    const double here = std::min(ratio, most_ratio);
    levels_.push_back({here, error(power, degree, here)});
  }
}

// error · S^(−λ) ≤ absolute · mean weight
double Acceptance::least_square(const Level& level, double mean_weight) const {
  if (level.error == 0) return 0;
  if (!(mean_weight > 0)) return std::numeric_limits<double>::infinity();
  return std::pow(level.error / (absolute_ * mean_weight), 2 / power_);
}

int best_degree(double power, int n_dimensions, double tolerance) {
  const int most = n_dimensions == 2 ? 8 : 6;
  int best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (int degree = 1; degree <= most; ++degree) {
    const double ratio = Acceptance(power, degree, tolerance).levels()[0].ratio;
    // Samples within reach of a target, about 8 or 5 spacings from the near cells; cells beyond, each of so many products.
    const double reach = (n_dimensions == 2 ? 8.2 : 5.0) / ratio;
    double n_products = 1;
    for (int i = 1; i <= 2 * n_dimensions; ++i) n_products = n_products * (degree + i) / i;
    const double near = n_dimensions == 2 ? 3.1 * reach * reach : 4.2 * reach * reach * reach;
    const double far = (n_dimensions == 2 ? 16 / (ratio * ratio) : 65 / (ratio * ratio * ratio)) * (2 + n_products / 40);
    if (near + far < least) {
      least = near + far;
      best = degree;
    }
  }
  return best;
}

}  // namespace crinkle::interpolation
