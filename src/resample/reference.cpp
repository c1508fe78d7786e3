// The definition: out[p] = Σ w_0 (Σ w_1 (Σ w_2 · source[…])), every product and every sum rounded, element by element of the result. What
// counts and with what weight is said here anew; only the formulas of coordinates and the index that stands for one outside are shared.
// Kernels that grow are defined in reference_growing.cpp. Compiled without contraction of products and sums.
// SPDX-License-Identifier: BSD-3-Clause
#include "resample/reference.hpp"

#include <cmath>

#include "base/loops.hpp"
#include "base/number_lines.hpp"
#include "resample/check.hpp"
#include "resample/places.hpp"
#include "resample/reference_growing.hpp"

namespace crinkle::resampling {
namespace {

template <class T>
struct Definition {
  Resampling r;
  Form form;
  const std::int64_t* begin;  // of what is there of the source
  const std::byte* source;

  std::size_t n() const { return r.axes.size(); }
  std::int64_t index_for(std::size_t a, std::int64_t i) const {
    const FormAxis& axis = form.in[slots - n() + a];
    return element_of(axis, i + axis.before);
  }
  T face_value(std::size_t a, std::int64_t face) const {
    return static_cast<T>(face == detail::at_low_face ? r.boundary[a].low.value : r.boundary[a].high.value);
  }
  // The weight of neighbour i of coordinate q.
  T weight(double q, std::int64_t i) const {
    const T t = static_cast<T>(q - std::floor(q));
    const auto k = i - static_cast<std::int64_t>(std::floor(q));
    if (r.by == ResampleBy::nearest) return i == static_cast<std::int64_t>(std::floor(q + 0.5)) ? T{1} : T{0};
    if (r.by == ResampleBy::linear) return k == 0 ? 1 - t : k == 1 ? t : T{0};
    if (r.by == ResampleBy::spline) return spline_weight(t, k);
    if (k == -1) return ((T(-0.5) * t + 1) * t - T(0.5)) * t;
    if (k == 0) return (T(1.5) * t - T(2.5)) * t * t + 1;
    if (k == 1) return ((T(-1.5) * t + 2) * t + T(0.5)) * t;
    return k == 2 ? (T(0.5) * t - T(0.5)) * t * t : T{0};
  }
  // The weight of a coefficient: the cubic B-spline.
  static T spline_weight(T t, std::int64_t k) {
    if (k == -1) return ((T(-1.0 / 6) * t + T(0.5)) * t - T(0.5)) * t + T(1.0 / 6);
    if (k == 0) return (T(0.5) * t - 1) * t * t + T(2.0 / 3);
    if (k == 1) return ((T(-0.5) * t + T(0.5)) * t + T(0.5)) * t + T(1.0 / 6);
    return k == 2 ? T(1.0 / 6) * t * t * t : T{0};
  }
  // The elements that may count along an axis.
  std::int64_t first(double q) const {
    if (r.by == ResampleBy::nearest) return static_cast<std::int64_t>(std::floor(q + 0.5));
    return static_cast<std::int64_t>(std::floor(q)) - (form.n_taps == 4 ? 1 : 0);
  }

  T sum_along(std::size_t a, const double* q, Extents& index, const Extents& whole) const {
    if (a == n()) return element(index, whole);
    T sum = -T{0};
    for (std::int64_t i = first(q[a]); i < first(q[a]) + form.n_taps; ++i) {
      const T w = weight(q[a], i);
      if (w == 0) continue;
      index[a] = index_for(a, i);
      sum += w * sum_along(a + 1, q, index, whole);
    }
    return sum;
  }
  T element(const Extents& index, Extents whole) const {
    for (std::size_t a = n(); a-- > 0;)
      if (index[a] < 0) return face_value(a, index[a]);
    for (std::size_t a = 0; a < n(); ++a) whole[static_cast<std::size_t>(r.axes[a])] = index[a] - begin[a];
    std::int64_t at = r.source.offset;
    for (std::size_t a = 0; a < whole.size(); ++a) at += whole[a] * r.source.strides[a];
    T value;
    load_line(&value, 1, source + at, 0, 1, r.source_type);
    return value;
  }
  T value(const double* q, const Extents& whole) const {
    for (std::size_t a = 0; a < n(); ++a)
      if (!(std::abs(q[a]) < 0x1p52)) return static_cast<T>(r.nodata);
    for (std::size_t a = n(); a-- > 0;) {
      bool is_outside = true;
      for (std::int64_t i = first(q[a]); i < first(q[a]) + form.n_taps; ++i) is_outside = is_outside && index_for(a, i) < 0;
      if (is_outside) return face_value(a, index_for(a, first(q[a])));
    }
    Extents index(n());
    return sum_along(0, q, index, whole);
  }

  void run(std::byte* destination) const {
    for_each_index(r.destination.extents, [&](const Extents& p) {
      std::int64_t resampled[most_form_axes] = {}, at = r.destination.offset;
      for (std::size_t b = 0; b < r.destination_axes.size(); ++b) resampled[b] = p[static_cast<std::size_t>(r.destination_axes[b])];
      double q[slots] = {};
      coordinates(form.map, resampled, q);
      Extents whole(r.source.extents.size(), 0);  // axes beside the resampled ones, in order
      std::vector<bool> is_resampled(whole.size(), false), is_made(p.size(), false);
      for (const int a : r.axes) is_resampled[static_cast<std::size_t>(a)] = true;
      for (const int b : r.destination_axes) is_made[static_cast<std::size_t>(b)] = true;
      for (std::size_t a = 0, b = 0; a < whole.size(); ++a) {
        if (is_resampled[a]) continue;
        while (is_made[b]) ++b;
        whole[a] = p[b++];
      }
      const auto there = [&](const Extents& index) { return element(index, whole); };
      const T found = form.growing == Growing::none ? value(q, whole) : growing_value<T>(r, form, resampled, there);
      for (std::size_t b = 0; b < p.size(); ++b) at += p[b] * r.destination.strides[b];
      store_line(destination + at, 0, &found, 1, 1, r.destination_type);
    });
  }
};

}  // namespace

void resample_reference(const Resampling& resampling, const std::byte* source, std::byte* destination) {
  const Resampling r = checked(resampling);
  constexpr std::int64_t all[slots] = {};
  resample_reference(r, form_of(r), all, source, destination);
}

void resample_reference(const Resampling& part, const Form& form, const std::int64_t* first, const std::byte* source,
                        std::byte* destination) {
  if (is_float32(part)) Definition<float>{part, form, first, source}.run(destination);
  else Definition<double>{part, form, first, source}.run(destination);
}

}  // namespace crinkle::resampling
