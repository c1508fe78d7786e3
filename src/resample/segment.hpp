// A segment of a row of the result: the coordinates of its elements, then where the elements that count begin and their weights, once for
// all that lies beside the resampled axes, then the values. Elements whose neighbours are not all inside the source are made one by one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "resample/places.hpp"

namespace crinkle::resampling {

inline constexpr std::int64_t segment_elements = 256;  // places and weights of them fit the first cache

/// Sines, cosines and radii of a polar array, [angles] and [radii].
struct PolarTable {
  std::vector<double> sines, cosines, radii;

  explicit PolarTable(const Form& form) {
    if (form.map.kind != MapKind::to_polar) return;
    for (std::int64_t j = 0; j < form.out[0].extent; ++j) {
      const double angle = form.map.first[0] + static_cast<double>(j) * form.map.step[0];
      sines.push_back(std::sin(angle));
      cosines.push_back(std::cos(angle));
    }
    for (std::int64_t i = 0; i < form.out[1].extent; ++i) radii.push_back(radius_of(form.map, static_cast<double>(i)));
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
          const double base = row_begin(map, a, p);
          for (std::int64_t i = 0; i < n; ++i) q[a][i] = along_row(map, a, base, static_cast<double>(begin + i));
        }
        return;
      case MapKind::to_polar: {
        const auto j = static_cast<std::size_t>(p[0]);
        for (std::int64_t i = 0; i < n; ++i) {
          const double r = table.radii[static_cast<std::size_t>(begin + i)];
          q[0][i] = map.centre[0] + r * table.sines[j];
          q[1][i] = map.centre[1] + r * table.cosines[j];
        }
        return;
      }
      case MapKind::from_polar: {
        const double y = static_cast<double>(p[0]) - map.centre[0];
        for (std::int64_t i = 0; i < n; ++i) polar_of(map, y, static_cast<double>(begin + i) - map.centre[1], &q[0][i], &q[1][i]);
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

/// Where the elements that count begin, and their weights.
template <class T, int n_taps>
struct Places {
  std::int64_t n = 0, n_inside = 0;
  std::int64_t offset[segment_elements];                                // NOLINT: bytes from the array's first element
  T weight[slots][static_cast<std::size_t>(n_taps)][segment_elements];  // NOLINT: [slot of the axis]
  bool is_inside[segment_elements];                                     // NOLINT: so are all neighbours

  void set(const Form& form, const Segment& segment) {
    n = segment.n;
    std::fill_n(offset, n, std::int64_t{0});
    std::fill_n(is_inside, n, true);
    for (int a = 0; a < form.map.n_in; ++a) {
      const int s = slots - form.map.n_in + a;
      set_axis(form, form.in[s], segment.q[a], weight[s]);
      if (n_inside == 0) return;
    }
  }

 private:
  void set_axis(const Form& form, const FormAxis& axis, const double* q, T (*weights)[segment_elements]) {
    constexpr int in_front = n_taps == 4 ? 1 : 0, behind = n_taps - 1 - in_front;
    const std::int64_t least = in_front - axis.before, end = axis.extent - axis.before - behind;
    n_inside = 0;
    if (least >= end) return;
    T fraction[segment_elements];  // NOLINT
    const auto low = static_cast<double>(least), high = static_cast<double>(end);
    for (std::int64_t i = 0; i < n; ++i) {
      const double x = n_taps == 1 ? q[i] + 0.5 : q[i];
      const bool is_in = x >= low && x < high;  // false for NaN
      const double y = is_in ? x : low;
      auto below = static_cast<std::int64_t>(y);
      below -= static_cast<double>(below) > y ? 1 : 0;
      fraction[i] = static_cast<T>(y - static_cast<double>(below));
      offset[i] += (below - least) * axis.stride;
      is_inside[i] = is_inside[i] && is_in;
      n_inside += is_inside[i] ? 1 : 0;
    }
    if constexpr (n_taps == 2) {
      for (std::int64_t i = 0; i < n; ++i) {
        weights[0][i] = T{1} - fraction[i];
        weights[1][i] = fraction[i];
      }
    } else if constexpr (n_taps == 4) {
      for (int k = 0; k < 4; ++k)
        for (std::int64_t i = 0; i < n; ++i) weights[k][i] = cubic_weight(form.weights[k], fraction[i]);
    }
  }
};

/// values[i] = Σ …, of all elements as if they were inside; those that are not have a place that is. `in` is where the array's first
/// element lies.
template <class E, class T, int n_axes, int n_taps>
void gather_inside(const Form& form, const Places<T, n_taps>& places, const std::byte* in, T* values) {
  const std::int64_t strides[slots] = {form.in[0].stride, form.in[1].stride, form.in[2].stride};
  for (std::int64_t e = 0; e < places.n; ++e) {
    const std::byte* const at = in + places.offset[e];
    if constexpr (n_taps == 1) {
      values[e] = static_cast<T>(element_at<E>(at));
    } else {
      T whole = -T{0};
      for (int i = 0; i < (n_axes > 2 ? n_taps : 1); ++i) {
        T plane = -T{0};
        for (int j = 0; j < (n_axes > 1 ? n_taps : 1); ++j) {
          const std::byte* const row = at + i * strides[0] + j * strides[1];
          T line = -T{0};
          for (int k = 0; k < n_taps; ++k)
            line = line + counted(places.weight[2][k][e], static_cast<T>(element_at<E>(row + k * strides[2])));
          plane = n_axes > 1 ? plane + counted(places.weight[1][j][e], line) : line;
        }
        whole = n_axes > 2 ? whole + counted(places.weight[0][i][e], plane) : plane;
      }
      values[e] = whole;
    }
  }
}

}  // namespace crinkle::resampling
