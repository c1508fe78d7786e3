// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cpu/strided.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "base/number_element.hpp"
#include "resample/cpu/blocks.hpp"
#include "resample/growing.hpp"
#include "resample/places.hpp"

namespace crinkle::resampling {
namespace {

// What counts for an element along an axis, from `first` on; weights that are 0 at neither end.
struct AxisTaps {
  std::int64_t first = 0;
  int n = 0;
  float weights[simd::most_strided_rows] = {};

  friend bool operator==(const AxisTaps& a, const AxisTaps& b) { return a.n == b.n && std::equal(a.weights, a.weights + a.n, b.weights); }
};

const FormAxis& axis_of(const Form& form, int a) { return form.in[slots - form.map.n_in + a]; }

// Calls take(index, weight) of all that count for index i of the result along an axis, not to be 0. False where they are many.
template <class Take>
bool each_tap(const Form& form, int a, std::int64_t i, const Take& take) {
  if (form.growing != Growing::none) {
    const GrowingAxis growing(form, a);
    const Window window = growing.window(i);
    if (window.end - window.first > simd::most_strided_rows) return false;
    for (std::int64_t k = window.first; k < window.end; ++k)
      if (const auto w = growing.weight<float>(window, k); w != 0) take(k, w);
    return true;
  }
  std::int64_t p[most_form_axes] = {};
  p[a] = i;
  const int last = form.map.n_out - 1;
  double fraction;
  float weights[4] = {1};
  const std::int64_t first = first_tap(form.n_taps, row_begin(form.map, a, p).at(index_of(form.map, last, p[last])), &fraction);
  if (form.n_taps == 2) set_weights<2>(form, static_cast<float>(fraction), weights);
  if (form.n_taps == 4) set_weights<4>(form, static_cast<float>(fraction), weights);
  for (int k = 0; k < form.n_taps; ++k)
    if (weights[k] != 0) take(first + axis_of(form, a).before + k, weights[k]);
  return true;
}

// None where they are many or not all inside.
AxisTaps taps_at(const Form& form, int a, std::int64_t i) {
  AxisTaps taps;
  const bool are_few = each_tap(form, a, i, [&](std::int64_t index, float weight) {
    if (taps.n == 0) taps.first = index;
    taps.n = static_cast<int>(index - taps.first) + 1;
    taps.weights[taps.n - 1] = weight;
  });
  return are_few && taps.first >= 0 && taps.first + taps.n <= axis_of(form, a).extent ? taps : AxisTaps();
}

// Of the columns beside those of the plan.
void set_borders(const Form& form, StridedPlan& plan) {
  const std::int64_t n = form.out[1].extent, right = plan.columns.first + plan.columns.n, n_beside = n - plan.columns.n;
  if (n_beside > StridedPlan::most_borders || plan.sum.width > 1) return;
  for (std::int64_t x = plan.columns.first == 0 ? right : 0; x < n; x = x + 1 == plan.columns.first ? right : x + 1) {
    BorderColumn& border = plan.borders[plan.n_borders++];
    border.column = x;
    bool is_inside = true;
    const bool are_few = each_tap(form, 1, x, [&](std::int64_t index, float weight) {
      border.elements[border.n] = element_of(axis_of(form, 1), index);
      is_inside = is_inside && border.elements[border.n] >= 0;
      border.weights[border.n++] = weight;
    });
    if (are_few && is_inside && border.n > 0) continue;
    plan.n_borders = 0;
    return;
  }
}

// One by one, as the definition has it. `rows` are where element 0 lies.
template <class E>
void put_border(const simd::StridedSum& of, const BorderColumn& border, const std::byte* const* rows, std::byte* out) {
  const auto at = [&](int k, int p) {
    return static_cast<float>(element_at<E>(rows[k] + border.elements[p] * static_cast<std::int64_t>(sizeof(E)), false));
  };
  float sum = -0.0f;
  const int outer = of.is_row_inside ? border.n : of.n_rows, inner = of.is_row_inside ? of.n_rows : border.n;
  for (int a = 0; a < outer; ++a) {
    float part = -0.0f;
    for (int b = 0; b < inner; ++b) part = part + (of.is_row_inside ? of.row_weights[b] * at(b, a) : border.weights[b] * at(a, b));
    sum = sum + (of.is_row_inside ? border.weights[a] : of.row_weights[a]) * part;
  }
  const E made = to_element<E>(sum);
  std::memcpy(out, &made, sizeof made);
}

struct SameTaps {
  AxisTaps taps;  // of the first of these indices
  Range indices{0, 0};
};

// The indices that have the same taps as the middle one, `step` elements further each. Coordinates are sums without roundings, so that
// between two that have all others do.
SameTaps same_taps(const Form& form, int a, std::int64_t step) {
  constexpr double parts = 8, most = 0x1p30;
  constexpr std::int64_t most_beside = 8;
  const std::int64_t n = form.out[a].extent, middle = n / 2;
  const double end = static_cast<double>(form.map.begin[a] + n) * static_cast<double>(step), offset = form.map.offset[a];
  const bool is_exact = end < most && std::abs(offset) < most && form.map.size[a] < most && offset * parts == std::floor(offset * parts);
  if (n == 0 || !is_exact) return {};
  const AxisTaps its = taps_at(form, a, middle);
  const auto is_same = [&](std::int64_t i) {
    const AxisTaps taps = taps_at(form, a, i);
    return taps == its && taps.first == its.first + step * (i - middle);
  };
  std::int64_t first = 0, last = n - 1;
  while (first < std::min(middle, most_beside) && !is_same(first)) ++first;
  while (last > std::max(middle, n - 1 - most_beside) && !is_same(last)) --last;
  if (its.n == 0 || !is_same(first) || !is_same(last)) return {};
  return {taps_at(form, a, first), {first, last + 1 - first}};
}

// Weights as counts of 2^-shift.
bool set_counts(std::span<const float> weights, std::uint16_t* counts, int& shift) {
  constexpr int most_shift = 7;
  for (int s = 0; s <= most_shift; ++s) {
    const auto is_count = [&](float w) { return w >= 0 && std::ldexp(w, s) == std::floor(std::ldexp(w, s)); };
    if (!std::all_of(weights.begin(), weights.end(), is_count)) continue;
    for (std::size_t k = 0; k < weights.size(); ++k) counts[k] = static_cast<std::uint16_t>(std::ldexp(weights[k], s));
    shift += s;
    return true;
  }
  return false;
}

}  // namespace

std::optional<StridedPlan> strided_plan(const Form& form, NumberType in_type, NumberType out_type) {
  constexpr int most_shift = 7;  // 255 · 2^7 < 2^15
  const NumberType byte{Number::uint8}, number{Number::float32};
  const bool is_byte = in_type == byte && out_type == byte;
  if (form.map.kind != MapKind::affine || form.map.n_in != 2 || form.n_near > 1 || form.growing == Growing::mode) return {};
  if (!is_byte && !(in_type == number && out_type == number)) return {};
  const Loop beside = form.n_near == 1 ? form.near[0] : Loop{1, 1, 1};  // channels, of bytes alone
  const std::int64_t size = is_byte ? beside.extent : 4;
  if (beside.extent > (is_byte ? 4 : 1) || beside.in != 1 || beside.out != 1) return {};
  if (form.in[slots - 1].stride != size || form.out[1].out != size) return {};
  const double down = form.map.matrix[0][0], along = form.map.matrix[1][1];
  if (!(down >= 1 && down < 0x1p30) || down != std::floor(down) || (along != 2 && along != 4)) return {};
  StridedPlan plan;
  plan.row_step = static_cast<std::int64_t>(down);
  plan.is_byte = is_byte;
  simd::StridedSum& sum = plan.sum;
  sum.step = static_cast<int>(along);
  const SameTaps same_rows = same_taps(form, 0, plan.row_step), same_columns = same_taps(form, 1, sum.step);
  const AxisTaps &rows = same_rows.taps, &columns = same_columns.taps;
  plan.rows = same_rows.indices;
  plan.columns = same_columns.indices;
  if (2 * plan.rows.n < form.out[0].extent || 2 * plan.columns.n < form.out[1].extent) return {};
  const int in_front = columns.n % sum.step == 0 ? 0 : static_cast<int>(columns.first % sum.step);  // no column reads behind its own
  if (rows.n == 0 || columns.n == 0 || in_front + columns.n > (beside.extent > 1 ? 1 : 2) * sum.step) return {};
  sum.width = static_cast<int>(beside.extent);
  plan.row = rows.first;
  plan.column = columns.first - in_front;
  sum.n_rows = rows.n;
  sum.is_row_inside = form.growing != Growing::none;
  std::copy_n(rows.weights, rows.n, sum.row_weights);
  std::copy_n(columns.weights, columns.n, sum.weights + in_front);
  if (is_byte) {
    const bool is_whole = set_counts({sum.row_weights, static_cast<std::size_t>(rows.n)}, sum.row_counts, sum.shift) &&
                          set_counts(sum.weights, sum.counts, sum.shift);
    if (!is_whole || sum.shift > most_shift) return {};
  }
  sum.n = plan.columns.n;
  sum.first_there = in_front;
  set_borders(form, plan);
  sum.n_there = sum.step * (sum.n - 1) + in_front + columns.n;
  return plan;
}

void run_strided(const Form& form, const StridedPlan& plan, const std::byte* in, std::byte* out, Executor& executor,
                 const simd::StridedKernels& kernels) {
  const auto n_outer = static_cast<std::size_t>(form.n_outer);
  const std::int64_t n_rows = plan.rows.n, stride = form.in[slots - 2].stride;
  std::int64_t n_outers = 1;
  for (std::size_t b = 0; b < n_outer; ++b) n_outers = multiply(n_outers, form.outer[b].extent);
  const std::int64_t n_units = multiply(n_rows, n_outers);
  in_chunks(n_units, static_cast<double>(n_units) * static_cast<double>(plan.sum.n), executor, [&](std::int64_t first, std::int64_t end) {
    simd::StridedSum sum = plan.sum;
    const std::byte* rows[simd::most_strided_rows];
    sum.rows = rows;
    for (std::int64_t unit = first; unit < end; ++unit) {
      const LoopPlace place = place_in(form.outer, n_outer, unit / n_rows);
      const std::int64_t row = unit % n_rows;
      for (int k = 0; k < sum.n_rows; ++k)
        rows[k] = in + (place.in + (plan.row + plan.row_step * row + k) * stride + plan.column * form.in[slots - 1].stride);
      std::byte* const at = out + (place.out + (plan.rows.first + row) * form.out[0].out);
      (plan.is_byte ? kernels.sum_uint8 : kernels.sum_float32)(sum, at + plan.columns.first * form.out[1].out);
      if (!plan.has_all_columns()) continue;
      for (int k = 0; k < sum.n_rows; ++k) rows[k] -= plan.column * form.in[slots - 1].stride;
      for (const BorderColumn& border : std::span(plan.borders, static_cast<std::size_t>(plan.n_borders)))
        (plan.is_byte ? put_border<std::uint8_t> : put_border<float>)(sum, border, rows, at + border.column * form.out[1].out);
    }
  });
}

}  // namespace crinkle::resampling
