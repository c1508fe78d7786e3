// The formulas of resampling, for host and device: coordinates, which elements count, and with what weights. Products and sums are rounded
// one by one. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstring>

#include "base/decimals.hpp"
#include "crinkle/detail/hd.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

inline constexpr double farthest = 4503599627370496.0;  // 2^52: from there on float64 has no fractions

#if defined(__CUDA_ARCH__)
CRINKLE_HD inline float product(float a, float b) { return __fmul_rn(a, b); }
CRINKLE_HD inline double product(double a, double b) { return __dmul_rn(a, b); }
CRINKLE_HD inline float sum(float a, float b) { return __fadd_rn(a, b); }
CRINKLE_HD inline double sum(double a, double b) { return __dadd_rn(a, b); }
#else
template <class T>
constexpr T product(T a, T b) {
  return a * b;
}
template <class T>
constexpr T sum(T a, T b) {
  return a + b;
}
#endif

/// A product that counts: nothing, not even the sign of a zero, changes where the weight is 0.
template <class T>
CRINKLE_HD constexpr T counted(T weight, T x) {
  return weight == T{0} ? -T{0} : product(weight, x);
}

CRINKLE_HD constexpr bool is_near(double q) { return q > -farthest && q < farthest; }

/// A coordinate that was computed, not given: an element's centre or an edge between two where it lies there but for roundings of numbers
/// up to `size`, in elements.
CRINKLE_HD constexpr double settled(double q, double size) { return decimals::settled(q, size, decimals::to_halves); }

/// Index i along axis b of p, counted from the whole result's first element.
CRINKLE_HD inline double index_of(const FormMap& map, int b, std::int64_t i) { return static_cast<double>(map.begin[b] + i); }

/// The part of a row's coordinate a that its indices give, Σ matrix[a][b] · p[b] over all b but the last, and the largest number in it.
struct RowBegin {
  double q, size, step, offset;  // of the row; an element further along it

  CRINKLE_HD double at(double index) const {
    const double part = product(step, index);
    return settled(sum(sum(q, part), offset), decimals::larger(size, decimals::absolute(part)));
  }
};
CRINKLE_HD inline RowBegin row_begin(const FormMap& map, int a, const std::int64_t* p) {
  RowBegin row{0, map.size[a], map.matrix[a][map.n_out - 1], map.offset[a]};
  for (int b = 0; b + 1 < map.n_out; ++b) {
    const double part = product(map.matrix[a][b], index_of(map, b, p[b]));
    row.q = sum(row.q, part);
    row.size = decimals::larger(row.size, decimals::absolute(part));
  }
  return row;
}

CRINKLE_HD inline double radius_of(const FormMap& map, double i) {
  const double r = sum(map.first[1], product(i, map.step[1]));
  return map.is_logarithmic ? exp(r) : r;
}

/// One coordinate of the place at a radius from the centre, `direction` being the sine or the cosine of the angle.
CRINKLE_HD inline double from_centre(double centre, double radius, double angle, double direction) {
  const double arc = decimals::absolute(radius) * decimals::larger(1, decimals::absolute(angle));
  return settled(sum(centre, product(radius, direction)), decimals::larger(decimals::absolute(centre), arc));
}

/// Steps of angle (a = 0) or of radius (a = 1) to x.
CRINKLE_HD inline double polar_steps(const FormMap& map, int a, double x) {
  const double size = decimals::larger(decimals::absolute(x), decimals::absolute(map.first[a])) / decimals::absolute(map.step[a]);
  return settled((x - map.first[a]) / map.step[a], size);
}

/// (y, x) from the centre to (angle, radius) in steps. The logarithm of 0 is far below all others, but finite.
CRINKLE_HD inline void polar_of(const FormMap& map, double y, double x, double* angle, double* radius) {
  constexpr double log_of_nothing = -1e4;
  const double steps = polar_steps(map, 0, atan2(y, x));
  const double a = settled(sum(steps, -product(floor(steps / map.turn), map.turn)), map.turn);
  double r = sqrt(sum(product(y, y), product(x, x)));
  if (map.is_logarithmic) r = r > 0 ? log(r) : log_of_nothing;
  *angle = a < map.turn ? a : 0;
  *radius = polar_steps(map, 1, r);
}

template <class E>
CRINKLE_HD E element_at(const std::byte* at, [[maybe_unused]] bool is_aligned) {
#if defined(__CUDA_ARCH__)
  if (is_aligned) return __ldg(reinterpret_cast<const E*>(at));
#endif
  E e;
  memcpy(&e, at, sizeof e);
  return e;
}

CRINKLE_HD inline double coordinate_at(const FormMap& map, const std::byte* at) {
  return map.is_float ? static_cast<double>(element_at<float>(at, map.is_aligned)) : element_at<double>(at, map.is_aligned);
}

/// The coordinates of element p.
CRINKLE_HD inline void coordinates(const FormMap& map, const std::int64_t* p, double* q) {
  switch (map.kind) {
    case MapKind::affine:
      for (int a = 0; a < map.n_in; ++a) q[a] = row_begin(map, a, p).at(index_of(map, map.n_out - 1, p[map.n_out - 1]));
      return;
    case MapKind::to_polar: {
      const double angle = sum(map.first[0], product(index_of(map, 0, p[0]), map.step[0]));
      const double radius = radius_of(map, index_of(map, 1, p[1]));
      q[0] = from_centre(map.centre[0], radius, angle, sin(angle));
      q[1] = from_centre(map.centre[1], radius, angle, cos(angle));
      return;
    }
    case MapKind::from_polar:
      return polar_of(map, index_of(map, 0, p[0]) - map.centre[0], index_of(map, 1, p[1]) - map.centre[1], &q[0], &q[1]);
    case MapKind::field: {
      const std::byte* at = map.field;
      for (int b = 0; b < map.n_out; ++b) at += p[b] * map.field_strides[b];
      for (int a = 0; a < map.n_in; ++a) q[a] = coordinate_at(map, at + a * map.field_stride);
      return;
    }
  }
}

/// The index in [0, n) that i stands for, or a face, in O(1) however far it is outside. Most are no further than the array is long.
CRINKLE_HD constexpr std::int64_t element_of(const FormAxis& axis, std::int64_t i) {
  const std::int64_t n = axis.extent;
  if (i >= 0 && i < n) return i;
  const bool is_low = i < 0;
  const Bound bound = is_low ? axis.low : axis.high;
  if (bound == Bound::constant) return is_low ? detail::at_low_face : detail::at_high_face;
  if (bound == Bound::edge) return is_low ? 0 : n - 1;
  const std::int64_t mirror = (is_low ? 0 : 2 * (n - 1)) + (bound == Bound::symmetric ? (is_low ? -1 : 1) : 0);
  const std::int64_t once = bound == Bound::periodic ? (is_low ? i + n : i - n) : mirror - i;
  if (once >= 0 && once < n) return once;
  return detail::bounded(axis.low, axis.high, i, n);
}

/// The index of the first of `n_taps` elements that count, and how far q is above the next lower index. Requires is_near(q).
CRINKLE_HD inline std::int64_t first_tap(int n_taps, double q, double* fraction) {
  const double x = n_taps == 1 ? sum(q, 0.5) : q;
  auto below = static_cast<std::int64_t>(x);  // floor() is slower where an instruction set does not have it
  below -= static_cast<double>(below) > x ? 1 : 0;
  *fraction = q - static_cast<double>(below);
  return below - (n_taps == 4 ? 1 : 0);
}

/// The weight of element k of four.
template <class T>
CRINKLE_HD constexpr T cubic_weight(const double* of, T t) {
  T w = static_cast<T>(of[3]);
  CRINKLE_UNROLL for (int power = 2; power >= 0; --power) w = sum(product(w, t), static_cast<T>(of[power]));
  return w;
}

/// `weight`: [n_taps].
template <int n_taps, class T>
CRINKLE_HD void set_weights(const Form& form, T t, T* weight) {
  if constexpr (n_taps == 1) {
    weight[0] = T{1};
  } else if constexpr (n_taps == 2) {
    weight[0] = sum(T{1}, -t);
    weight[1] = t;
  } else {
    CRINKLE_UNROLL for (int k = 0; k < 4; ++k) weight[k] = cubic_weight(form.weights[k], t);
  }
}

/// The value at coordinates q, [n_axes], wherever they are. `in` is where element [0, 0, …] lies. n_axes: map.n_in, or 0 to look there.
template <class E, class T, int n_taps, int n_axes = 0>
CRINKLE_HD T value_at(const Form& form, const double* q, const std::byte* in) {
  const int n_in = n_axes > 0 ? n_axes : form.map.n_in;
  for (int a = 0; a < n_in; ++a)
    if (!is_near(q[a])) return static_cast<T>(form.nodata);
  T weight[slots][static_cast<std::size_t>(n_taps)];
  std::int64_t index[slots][static_cast<std::size_t>(n_taps)];
  double fraction[slots];
  bool is_outside = false, is_constant = false;
  T constant = 0;
  CRINKLE_UNROLL for (int s = 0; s < slots; ++s) {
    const FormAxis& axis = form.in[s];
    if (s < slots - n_in) {
      weight[s][0] = T{1};
      index[s][0] = 0;
      continue;
    }
    const std::int64_t first = first_tap(n_taps, q[s - (slots - n_in)], &fraction[s]) + axis.before;
    bool is_any_inside = false;
    CRINKLE_UNROLL for (int k = 0; k < n_taps; ++k) {
      index[s][k] = element_of(axis, first + k);
      is_any_inside = is_any_inside || index[s][k] >= 0;
      is_outside = is_outside || index[s][k] < 0;
    }
    if (!is_any_inside) {
      is_constant = true;
      constant = static_cast<T>(index[s][0] == detail::at_low_face ? axis.low_value : axis.high_value);
    }
  }
  if (is_constant) return constant;
  CRINKLE_UNROLL for (int s = 0; s < slots; ++s) {
    if (s >= slots - n_in) set_weights<n_taps>(form, static_cast<T>(fraction[s]), weight[s]);
  }
  const auto sample = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    if (is_outside) {
      const std::int64_t at[slots] = {i, j, k};
      for (int s = slots - 1; s >= 0; --s)
        if (at[s] < 0) return static_cast<T>(at[s] == detail::at_low_face ? form.in[s].low_value : form.in[s].high_value);
    }
    return static_cast<T>(element_at<E>(in + i * form.in[0].stride + j * form.in[1].stride + k * form.in[2].stride, form.is_aligned));
  };
  T whole = -T{0};
  CRINKLE_UNROLL for (int i = 0; i < n_taps; ++i) {
    if ((i > 0 && n_in < 3) || weight[0][i] == T{0}) continue;
    T plane = -T{0};
    CRINKLE_UNROLL for (int j = 0; j < n_taps; ++j) {
      if ((j > 0 && n_in < 2) || weight[1][j] == T{0}) continue;
      T line = -T{0};
      CRINKLE_UNROLL for (int k = 0; k < n_taps; ++k) {
        if (weight[2][k] == T{0}) continue;
        line = sum(line, product(weight[2][k], sample(index[0][i], index[1][j], index[2][k])));
      }
      plane = sum(plane, product(weight[1][j], line));
    }
    whole = sum(whole, product(weight[0][i], plane));
  }
  return whole;
}

}  // namespace crinkle::resampling
