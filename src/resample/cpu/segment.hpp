// A segment of a row of the result: the coordinates of its elements, then where the elements that count begin and their weights, once for
// all that lies beside the resampled axes, then the values. Elements whose neighbours are not all inside the source are made one by one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/held_bytes.hpp"
#include "resample/places.hpp"

namespace crinkle::resampling {

inline constexpr std::int64_t segment_elements = 256;  // places and weights of them fit the first cache

/// Angles, their sines and cosines, and radii of a polar array, [angles] and [radii].
struct PolarTable {
  std::vector<double> angles, sines, cosines, radii;

  std::int64_t held_bytes() const { return held_by(angles, sines, cosines, radii); }

  explicit PolarTable(const Form& form) {
    if (form.map.kind != MapKind::to_polar) return;
    for (std::int64_t j = 0; j < form.out[0].extent; ++j) {
      const double angle = form.map.first[0] + index_of(form.map, 0, j) * form.map.step[0];
      angles.push_back(angle);
      sines.push_back(std::sin(angle));
      cosines.push_back(std::cos(angle));
    }
    for (std::int64_t i = 0; i < form.out[1].extent; ++i) radii.push_back(radius_of(form.map, index_of(form.map, 1, i)));
  }
};

/// Elements [begin, begin + n) of the row with the other indices p.
struct Segment {
  std::int64_t n = 0;
  double q[slots][segment_elements];  // NOLINT: [axis of the map]; the first n are set

  void set(const Form& form, const PolarTable& table, std::int64_t* p, std::int64_t begin, std::int64_t n_elements) {
    n = n_elements;
    const FormMap& map = form.map;
    switch (map.kind) {
      case MapKind::affine:
        for (int a = 0; a < map.n_in; ++a) {
          const RowBegin row = row_begin(map, a, p);
          const double first = index_of(map, map.n_out - 1, begin);
          const auto count = static_cast<std::int32_t>(n);
          if (row.step == 0) std::fill_n(q[a], n, row.at(first));
          else
            for (std::int32_t i = 0; i < count; ++i) q[a][i] = row.at(first + static_cast<double>(i));
        }
        return;
      case MapKind::to_polar: {
        const auto j = static_cast<std::size_t>(p[0]);
        for (std::int64_t i = 0; i < n; ++i) {
          const double r = table.radii[static_cast<std::size_t>(begin + i)];
          q[0][i] = from_centre(map.centre[0], r, table.angles[j], table.sines[j]);
          q[1][i] = from_centre(map.centre[1], r, table.angles[j], table.cosines[j]);
        }
        return;
      }
      case MapKind::from_polar: {
        const double y = index_of(map, 0, p[0]) - map.centre[0];
        for (std::int64_t i = 0; i < n; ++i) polar_of(map, y, index_of(map, 1, begin + i) - map.centre[1], &q[0][i], &q[1][i]);
        return;
      }
      case MapKind::field: {
        const int last = map.n_out - 1;
        const std::byte* at = map.field + begin * map.field_strides[last];
        for (int b = 0; b < last; ++b) at += p[b] * map.field_strides[b];
        for (int a = 0; a < map.n_in; ++a)
          for (std::int64_t i = 0; i < n; ++i) q[a][i] = coordinate_at(map, at + a * map.field_stride + i * map.field_strides[last]);
        return;
      }
    }
  }
};

/// The elements that count: where they begin, and their weights.
template <class T, int n_taps>
struct Places {
  std::int64_t n = 0, n_inside = 0;
  bool has_tiny = false;                                                // a fraction so small that a weight may be 0
  std::int64_t offset[segment_elements];                                // NOLINT: bytes from the array's first element
  T weight[slots][static_cast<std::size_t>(n_taps)][segment_elements];  // NOLINT: [slot of the axis]
  std::uint8_t is_inside[segment_elements];                             // NOLINT: so are all neighbours

  void set(const Form& form, const Segment& segment) {
    n = segment.n;
    has_tiny = false;
    std::fill_n(offset, n, std::int64_t{0});
    std::fill_n(is_inside, n, std::uint8_t{1});
    n_inside = n;
    for (int a = 0; a < form.map.n_in; ++a) {
      const int s = slots - form.map.n_in + a;
      if (form.in[s].extent <= INT32_MAX) set_axis<std::int32_t>(form, form.in[s], segment.q[a], weight[s]);
      else set_axis<std::int64_t>(form, form.in[s], segment.q[a], weight[s]);
      if (n_inside == 0) return;
    }
  }

 private:
  struct Range {
    double low, high;  // coordinates all of whose neighbours are inside: low ≤ x < high
    bool has(double x) const { return x >= low && x < high; }
  };
  static double rounded(double q) { return n_taps == 1 ? q + 0.5 : q; }

  // Along a row of an affine map coordinates only rise or only fall, so that both ends speak for all.
  bool is_all_in(MapKind kind, const Range& range, const double* q) const {
    if (kind == MapKind::affine) return range.has(rounded(q[0])) && range.has(rounded(q[n - 1]));
    const auto count = static_cast<std::int32_t>(n);
    std::int32_t n_in = 0;
    for (std::int32_t i = 0; i < count; ++i) n_in += range.has(rounded(q[i])) ? 1 : 0;
    return n_in == count;
  }

  // Short loops of one type each, which a compiler makes vectors of. A coordinate outside is taken to a place where another one reads: a
  // part's source has no others.
  template <class Index>
  void set_axis(const Form& form, const FormAxis& axis, const double* q, T (*weights)[segment_elements]) {
    constexpr std::int64_t in_front = n_taps == 4 ? 1 : 0, behind = n_taps - 1 - in_front;
    const std::int64_t least = in_front - axis.before, end = axis.extent - axis.before - behind;
    if (least >= end) {
      n_inside = 0;
      return;
    }
    const Range range{static_cast<double>(least), static_cast<double>(end)};
    const auto count = static_cast<std::int32_t>(n);
    double moved[segment_elements];  // NOLINT
    Index below[segment_elements];   // NOLINT
    const double* x = q;
    if (!is_all_in(form.map.kind, range, q)) {
      std::int32_t other = 0;
      while (other < count && !range.has(rounded(q[other]))) ++other;
      const double there = other < count ? std::floor(rounded(q[other])) + 0.5 : range.low;
      for (std::int32_t i = 0; i < count; ++i) moved[i] = range.has(rounded(q[i])) ? rounded(q[i]) : there;
      std::int32_t n_in = 0;
      for (std::int32_t i = 0; i < count; ++i) {
        const int is_in = range.has(rounded(q[i])) ? 1 : 0;
        is_inside[i] = static_cast<std::uint8_t>(is_inside[i] & is_in);
        n_in += is_inside[i];
      }
      n_inside = n_in;
      x = moved;
    } else if (n_taps == 1) {
      for (std::int32_t i = 0; i < count; ++i) moved[i] = rounded(q[i]);
      x = moved;
    }
    for (std::int32_t i = 0; i < count; ++i) below[i] = static_cast<Index>(x[i]);
    if (least < 0)
      for (std::int32_t i = 0; i < count; ++i) below[i] -= static_cast<double>(below[i]) > x[i] ? 1 : 0;
    const std::int64_t begin = least * axis.stride;
    if (sizeof(Index) == 4 && least >= 0 && axis.stride >= 0 && axis.stride <= INT32_MAX) {  // of halves there are products in vectors
      const auto stride = static_cast<std::uint32_t>(axis.stride);
      for (std::int32_t i = 0; i < count; ++i)
        offset[i] += static_cast<std::int64_t>(std::uint64_t{static_cast<std::uint32_t>(below[i])} * std::uint64_t{stride}) - begin;
    } else {
      for (std::int32_t i = 0; i < count; ++i) offset[i] += std::int64_t{below[i]} * axis.stride - begin;
    }
    if constexpr (n_taps > 1) {
      constexpr T tiny = static_cast<T>(1e-9);
      int n_tiny = 0;
      for (std::int32_t i = 0; i < count; ++i) weights[0][i] = static_cast<T>(x[i] - static_cast<double>(below[i]));
      for (std::int32_t i = 0; i < count; ++i) n_tiny += weights[0][i] < tiny ? 1 : 0;
      has_tiny = has_tiny || n_tiny > 0;
      set_weights_of(form, weights);
    }
  }

  // Turns the fractions in weights[0] into weights.
  void set_weights_of(const Form& form, T (*weights)[segment_elements]) {
    if constexpr (n_taps == 2) {
      for (std::int64_t i = 0; i < n; ++i) {
        weights[1][i] = weights[0][i];
        weights[0][i] = T{1} - weights[0][i];
      }
    } else {
      for (int k = 3; k >= 0; --k)
        for (std::int64_t i = 0; i < n; ++i) weights[k][i] = cubic_weight(form.weights[k], weights[0][i]);
    }
  }
};

/// values[i] = Σ …, of all elements as if they were inside; those that are not have a place that is. `in` is where the array's first
/// element lies. `is_any`: any weight may be 0; integers do not mind, as 0 times one of them is 0.
template <class E, class T, int n_axes, int n_taps, bool is_any>
void gather_inside(const Form& form, const Places<T, n_taps>& places, const std::byte* in, T* values) {
  const std::int64_t strides[slots] = {form.in[0].stride, form.in[1].stride, form.in[2].stride};
  const auto times = [](T weight, T x) { return is_any ? counted(weight, x) : weight * x; };
  for (std::int64_t e = 0; e < places.n; ++e) {
    const std::byte* const at = in + places.offset[e];
    if constexpr (n_taps == 1) {
      values[e] = static_cast<T>(element_at<E>(at, false));
    } else {
      T whole = -T{0};
      for (int i = 0; i < (n_axes > 2 ? n_taps : 1); ++i) {
        T plane = -T{0};
        for (int j = 0; j < (n_axes > 1 ? n_taps : 1); ++j) {
          const std::byte* const row = at + i * strides[0] + j * strides[1];
          T line = -T{0};
          for (int k = 0; k < n_taps; ++k)
            line = line + times(places.weight[2][k][e], static_cast<T>(element_at<E>(row + k * strides[2], false)));
          plane = n_axes > 1 ? plane + times(places.weight[1][j][e], line) : line;
        }
        whole = n_axes > 2 ? whole + times(places.weight[0][i][e], plane) : plane;
      }
      values[e] = whole;
    }
  }
}

}  // namespace crinkle::resampling
