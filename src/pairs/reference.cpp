// The definition of work on pairs and triplets; never made faster.
// SPDX-License-Identifier: BSD-3-Clause
#include "pairs/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "pairs/squares.hpp"

namespace crinkle {
namespace {

template <class T>
double reference_cosine(const T* x, const T* y, std::int64_t n_features) {
  // Lengths matter to no angle: both are brought near 1 by powers of two, so that no square leaves the range.
  const auto exponent_of = [&](const T* p) {
    double most = 0;
    for (std::int64_t f = 0; f < n_features; ++f) most = std::max(most, std::abs(static_cast<double>(p[f])));
    return most == 0 || !std::isfinite(most) ? 0 : std::ilogb(most);
  };
  const int x_exponent = exponent_of(x), y_exponent = exponent_of(y);
  double xy = 0, xx = 0, yy = 0;
  for (std::int64_t f = 0; f < n_features; ++f) {
    const double a = std::scalbn(static_cast<double>(x[f]), -x_exponent), b = std::scalbn(static_cast<double>(y[f]), -y_exponent);
    xy += a * b;
    xx += a * a;
    yy += b * b;
  }
  const double away = 1 - xy / std::sqrt(xx * yy);
  return std::isnan(away) ? away : std::clamp(away, 0.0, 2.0);
}

template <class T>
void all_distances(const Points& points, Metric metric, PairForm form, Buffer out) {
  const auto* x = static_cast<const T*>(points.data.data);
  auto* to = static_cast<T*>(out.data);
  const TriangleLayout layout = layout_of(form, points.n, points.type);
  for (std::int64_t i = 0; i < points.n; ++i) {
    for (std::int64_t j = 0; j <= i - (layout.has_diagonal() ? 0 : 1); ++j) {
      const T distance = reference_distance(x + i * points.n_features, x + j * points.n_features, points.n_features, metric);
      if (form == PairForm::square) to[i * points.n + j] = to[j * points.n + i] = distance;
      else to[layout.place(i, j)] = distance;
    }
  }
}

// The factor for lengths, given a square: 1 where that is plain.
template <class T>
T scale_for(T square) {
  using Range = SquareRange<T>;
  return square < Range::least ? Range::up : square == Range::infinity ? Range::down : T{1};
}

template <class T>
T sum_of_squares(const T* x, const T* y, std::int64_t n_features, T scale) {
  T sum = 0;
  for (std::int64_t f = 0; f < n_features; ++f) {
    const T d = (x[f] - y[f]) * scale;
    sum += d * d;
  }
  return sum;
}

template <class T>
std::vector<Collision> all_collisions(const Spheres& spheres) {
  const auto* x = static_cast<const T*>(spheres.centres.data.data);
  const auto* r = static_cast<const T*>(spheres.radii.data);
  const std::int64_t n_dims = spheres.centres.n_features;
  std::vector<Collision> all;
  for (std::int64_t i = 0; i < spheres.centres.n; ++i) {
    for (std::int64_t j = i + 1; j < spheres.centres.n; ++j) {
      const T sum = r[i] + r[j], scale = scale_for(sum * sum), reach = sum * scale;
      if (sum_of_squares(x + i * n_dims, x + j * n_dims, n_dims, scale) <= reach * reach) all.push_back({i, j});
    }
  }
  return all;
}

// In long double, whose exponents hold the ninth powers of all distances where they have 15 bits.
template <class T>
double energy_of_triplets(const Points& points) {
  const auto* from = static_cast<const T*>(points.data.data);
  const std::vector<long double> x(from, from + points.n * 3);
  const auto square = [&](std::int64_t i, std::int64_t j) {
    return reference_distance(x.data() + i * 3, x.data() + j * 3, 3, Metric::sqeuclidean);
  };
  long double sum = 0;
  for (std::int64_t i = 0; i < points.n; ++i) {
    for (std::int64_t j = i + 1; j < points.n; ++j) {
      for (std::int64_t k = j + 1; k < points.n; ++k) {
        const long double a = square(i, j), b = square(i, k), c = square(j, k), abc = a * b * c;
        const long double cosines = (a + b - c) * (a + c - b) * (b + c - a) / (8 * abc);
        sum += (1 + 3 * cosines) / (abc * std::sqrt(abc));
      }
    }
  }
  return static_cast<double>(sum);
}

}  // namespace

template <class T>
T reference_distance(const T* x, const T* y, std::int64_t n_features, Metric metric) {
  if (metric == Metric::cosine) return static_cast<T>(reference_cosine(x, y, n_features));
  if (metric == Metric::euclidean) {
    const T scale = scale_for(sum_of_squares(x, y, n_features, T{1}));
    return std::sqrt(sum_of_squares(x, y, n_features, scale)) / scale;
  }
  T sum = 0;
  for (std::int64_t f = 0; f < n_features; ++f) {
    const T d = std::abs(x[f] - y[f]);
    if (metric == Metric::manhattan) sum += d;
    else if (metric == Metric::chebyshev) sum = std::isnan(sum) || d <= sum ? sum : d;
    else sum += d * d;
  }
  return sum;
}
template float reference_distance(const float*, const float*, std::int64_t, Metric);
template double reference_distance(const double*, const double*, std::int64_t, Metric);
template long double reference_distance(const long double*, const long double*, std::int64_t, Metric);  // cosine in float64

void reference_distance(ConstBuffer rows, std::int64_t i, ConstBuffer columns, std::int64_t j, std::int64_t n_features, Real type,
                        Metric metric, std::byte* to) {
  const auto in = [&]<class T>(T) {
    const auto features = static_cast<std::size_t>(n_features), bytes = features * sizeof(T);
    std::vector<T> x(features), y(features);
    std::memcpy(x.data(), static_cast<const std::byte*>(rows.data) + static_cast<std::size_t>(i) * bytes, bytes);
    std::memcpy(y.data(), static_cast<const std::byte*>(columns.data) + static_cast<std::size_t>(j) * bytes, bytes);
    const T distance = reference_distance(x.data(), y.data(), n_features, metric);
    std::memcpy(to, &distance, sizeof distance);
  };
  if (type == Real::float32) in(0.0F);
  else in(0.0);
}

void reference_distances(const Points& points, Metric metric, PairForm form, Buffer out) {
  if (points.type == Real::float32) all_distances<float>(points, metric, form, out);
  else all_distances<double>(points, metric, form, out);
}

std::vector<Collision> reference_collisions(const Spheres& spheres) {
  return spheres.centres.type == Real::float32 ? all_collisions<float>(spheres) : all_collisions<double>(spheres);
}

double reference_triplet_energy(const Points& points) {
  return points.type == Real::float32 ? energy_of_triplets<float>(points) : energy_of_triplets<double>(points);
}

}  // namespace crinkle
