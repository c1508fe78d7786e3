// Weights of far samples as polynomials. Let y be a target group's centre minus a cell's centre, a target δ from the one and a sample σ
// from the other. With S = |y|² + s² and λ = p/2 the sample's weight is a series in δ − σ,
//     w = (|y + δ − σ|² + s²)^(−λ) = Σ_k b_k (δ − σ)^k,    k = (k_x, k_y, k_z),
//     |k| S b_k = −2 (|k| + λ − 1) Σ_a y_a b_(k−a) − (|k| + 2λ − 2) Σ_a b_(k−2a),    b_0 = S^(−λ),
// which follows from (S + 2y·v + |v|²) dw = −2λ w (y + v)·dv along a line. Its terms of degree |k| are S^(−λ) C_|k|(u) x^|k|, Gegenbauer's
// polynomials of λ with |u| ≤ 1 and x = |δ − σ| / √S, and |C_k(u)| ≤ C_k(1) = c_k = p (p + 1) … (p + k − 1) / k!. So what the terms up to
// degree n leave out is at most
//     S^(−λ) Σ_(k>n) c_k x^k,
// which it is where target, sample and centres are on a line, and w itself is at least S^(−λ) / (1 + x)^p.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace crinkle::interpolation {

/// The monomials of n_dimensions variables up to a degree, by degree, and how they multiply and follow from each other.
class Monomials {
 public:
  static constexpr std::int64_t most = 84;  // of 3 dimensions, degree 6
  /// b_k = (first · Σ_a y_a b_lower[a] + second · Σ_a b_lower_twice[a]) / S. A missing one has the number n(), for a 0.
  struct Step {
    std::array<std::uint16_t, 3> lower, lower_twice;
    double first, second;
    double factorial;  // k_x! k_y! k_z!
  };

  Monomials(int n_dimensions, int degree, double power);

  int n_dimensions() const noexcept { return n_dimensions_; }
  int degree() const noexcept { return degree_; }
  std::int64_t n() const noexcept { return n_up_to_.back(); }
  /// How many monomials have at most this degree: the first of them.
  std::int64_t n_up_to(int degree) const { return n_up_to_[static_cast<std::size_t>(degree)]; }
  int degree_of(std::int64_t k) const { return degrees_[static_cast<std::size_t>(k)]; }
  const Step& step(std::int64_t k) const { return steps_[static_cast<std::size_t>(k)]; }
  /// The number of the product of i and each of the n_up_to(degree − degree of i) first ones.
  const std::uint16_t* products(std::int64_t i) const { return products_.data() + i * n(); }
  /// v^k / k! = v_axis · factor · v^lower / lower!, for k > 0.
  struct From {
    std::int64_t lower;
    std::size_t axis;
    double factor;
  };
  const From& from(std::int64_t k) const { return from_[static_cast<std::size_t>(k)]; }
  /// to[k] = v^k / k!
  void fill(const double* v, double* to) const;

 private:
  int n_dimensions_, degree_;
  std::vector<std::int64_t> n_up_to_;
  std::vector<int> degrees_;
  std::vector<Step> steps_;
  std::vector<From> from_;
  std::vector<std::uint16_t> products_;  // [n][n]
};

/// Which cells may be far, so that every value is within `tolerance` of the column's range. With every sample's weight wrong by at most the
/// part e of itself, or else by at most the part f of a bound below the mean weight of all samples, the value Σ w z / Σ w is wrong by at
/// most
///     (e/2 + f) / (1 − e − f)
/// of the range, as values are on average at most half the range from their mean. e = tolerance and f = 0.3 · tolerance keep the promise.
class Acceptance {
 public:
  Acceptance(double power, int degree, double tolerance);

  /// A cell may be far where x ≤ its `ratio` and √S ≥ the reach of the level. Level 0 is for any S.
  struct Level {
    double ratio;
    double error;  // of a weight, in units of S^(−λ)
  };
  const std::vector<Level>& levels() const noexcept { return levels_; }
  /// The least S of a level, where the mean weight of all samples is at least `mean_weight`.
  double least_square(const Level& level, double mean_weight) const;

  /// Σ c_k x^k over k > degree, for x = ratio < 1.
  static double error(double power, int degree, double ratio);

 private:
  double power_, absolute_;
  std::vector<Level> levels_;
};

/// The degree with which far sums cost least.
int best_degree(double power, int n_dimensions, double tolerance);

}  // namespace crinkle::interpolation
