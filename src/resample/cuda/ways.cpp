// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cuda/ways.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/checked.hpp"
#include "resample/places.hpp"

namespace crinkle::resampling {
namespace {

constexpr double most_index = 0x1p30;                                 // 32-bit arithmetic
constexpr std::int64_t most_lanes = 128, warp = 32, most_steps = 32;  // tuning.md
constexpr std::int64_t wanted_threads = std::int64_t{1} << 18;        // tuning.md: as many as an H200 runs at once
constexpr std::int64_t gather_block = 256, gather_rows_of_block = 32, most_near = 4;

// The product of extents, and whether the axes lie one in another in the result, which has them dense.
struct Near {
  std::int64_t n = 1;
  bool is_dense = true;
};
Near near_of(const Form& form, std::int64_t size) {
  Near near;
  for (int b = form.n_near - 1; b >= 0; --b) {
    near.is_dense = near.is_dense && form.near[b].out == near.n * size;
    near.n *= form.near[b].extent;
  }
  const Loop& last = form.out[form.map.n_out - 1];
  near.is_dense = near.is_dense && (last.out == near.n * size || last.extent == 1);
  return near;
}

// Bytes from the first to the last element along an axis, as a number that cannot overflow.
double span_of(std::int64_t extent, std::int64_t stride) { return static_cast<double>(extent - 1) * std::abs(static_cast<double>(stride)); }
double span_of_near(const Form& form) {
  double span = 0;
  for (int b = 0; b < form.n_near; ++b) span += span_of(form.near[b].extent, form.near[b].in);
  return span;
}

bool is_any_constant(const Form& form) {
  bool is_any = false;
  for (int a = slots - form.map.n_in; a < slots; ++a)
    is_any = is_any || form.in[a].low == Bound::constant || form.in[a].high == Bound::constant;
  return is_any;
}

// The largest power of two up to `unit` that divides all strides of rows of the result.
std::int64_t unit_that_fits(const Form& form, int n_rows, std::int64_t unit, std::int64_t size) {
  const auto divides = [&](const Loop& loop) { return loop.extent == 1 || loop.out % unit == 0; };
  bool fits = std::all_of(form.out, form.out + n_rows, divides) && std::all_of(form.outer, form.outer + form.n_outer, divides);
  return fits && unit > size ? unit : 0;
}

CudaShape scales_of(const Form& form, std::int64_t size, std::int64_t n_near) {
  CudaShape shape;
  const FormMap& map = form.map;
  if (span_of(form.in[slots - 1].extent, form.in[slots - 1].stride) + span_of_near(form) >= most_index) return shape;
  const std::int64_t held = size == 8 ? held_columns<double> : held_columns<float>,
                     columns = multiply(form.out[map.n_out - 1].extent, n_near), wanted_lanes = ceil_divide(columns, held);
  const std::int64_t lanes = std::min(most_lanes, ceil_divide(wanted_lanes, warp) * warp), groups = most_lanes / lanes;
  std::int64_t walk = map.n_in > 1 ? form.out[0].extent : form.n_outer > 0 ? form.outer[form.n_outer - 1].extent : 1, beside = 1;
  for (int b = 0; b < form.n_outer - (map.n_in == 1 ? 1 : 0); ++b) beside = multiply(beside, form.outer[b].extent);
  if (map.n_in == 3) beside = multiply(beside, form.out[1].extent);
  const std::int64_t n_tiles = ceil_divide(columns, lanes * held);
  const auto n_threads = [&](std::int64_t steps) { return multiply(multiply(beside, ceil_divide(walk, steps)), n_tiles * lanes); };
  std::int64_t steps = most_steps;
  while (steps > 4 && n_threads(steps) < wanted_threads) steps /= 2;
  steps = std::min(steps, walk);
  shape.way = CudaWay::scales;
  shape.scales = {static_cast<std::int32_t>(lanes), static_cast<std::int32_t>(groups), static_cast<std::int32_t>(steps),
                  is_any_constant(form)};
  shape.threads = static_cast<std::int32_t>(lanes * groups);
  shape.n_blocks = multiply(n_tiles, ceil_divide(multiply(beside, ceil_divide(walk, steps)), groups));
  const std::int64_t number = size == 8 ? 8 : 4,
                     place = number == 4 && form.n_taps == 1 ? 8 : ceil_divide(form.n_taps * (4 + number), 16) * 16;
  shape.shared_bytes = groups * (steps + 1) * place + form.n_taps * lanes * held * (4 + number);
  shape.unit = unit_that_fits(form, map.n_out - 1, held * size, size);
  return shape;
}

// How far from 0 any coordinate is, tiles that go beyond the result included.
double farthest_of(const Form& form) {
  const FormMap& map = form.map;
  double most = 0;
  for (int a = 0; a < map.n_in; ++a) {
    double q = std::abs(map.offset[a]) + std::abs(static_cast<double>(form.in[slots - map.n_in + a].before)) + 4;
    for (int b = 0; b < map.n_out; ++b)
      q += std::abs(map.matrix[a][b]) * (std::abs(static_cast<double>(map.begin[b])) + static_cast<double>(form.out[b].extent) + 256);
    most = std::max(most, q);
  }
  return most;
}

CudaShape gathers_of(const Form& form, std::int64_t size, std::int64_t n_near) {
  CudaShape shape;
  const FormMap& map = form.map;
  double span = 0;
  for (int a = slots - map.n_in; a < slots; ++a) span += span_of(form.in[a].extent, form.in[a].stride);
  if (map.n_in < 2 || map.n_out != map.n_in || form.n_near > 1 || n_near > most_near) return shape;
  if (!(farthest_of(form) < most_index) || span >= most_index) return shape;
  const std::int64_t held = size == 1 ? held_neighbours<std::uint8_t> : size == 2 ? held_neighbours<std::uint16_t> : 1;
  const Loop* out = form.out + map.n_out - 2;
  shape.way = CudaWay::gathers;
  shape.n_near = static_cast<std::int32_t>(n_near);
  shape.threads = gather_block;
  shape.n_blocks = multiply(ceil_divide(out[1].extent, 32 * held), ceil_divide(out[0].extent, gather_rows_of_block));
  if (map.n_out == 3) shape.n_blocks = multiply(shape.n_blocks, form.out[0].extent);
  for (int b = 0; b < form.n_outer; ++b) shape.n_blocks = multiply(shape.n_blocks, form.outer[b].extent);
  std::int64_t unit = 16;
  while (held * n_near * size % unit != 0) unit /= 2;
  shape.unit = unit_that_fits(form, map.n_out - 1, unit, size);
  return shape;
}

}  // namespace

CudaShape cuda_shape_of(const Form& form, std::int64_t size) {
  const FormMap& map = form.map;
  if (map.kind != MapKind::affine || form.growing != Growing::none) return {};
  for (int b = 0; b < map.n_out; ++b)
    if (form.out[b].extent == 0) return {};
  for (int b = 0; b < form.n_outer; ++b)
    if (form.outer[b].extent == 0) return {};
  for (int b = 0; b < form.n_near; ++b)
    if (form.near[b].extent == 0) return {};
  for (int a = slots - map.n_in; a < slots; ++a)
    if (static_cast<double>(form.in[a].extent) >= most_index) return {};
  const Near near = near_of(form, size);
  if (!near.is_dense) return {};
  return is_separable(form) ? scales_of(form, size, near.n) : gathers_of(form, size, near.n);
}

}  // namespace crinkle::resampling
