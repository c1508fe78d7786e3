// Affine maps that turn. A warp makes a patch of `patch_columns` × 4 neighbours, so that what it reads lies close together, `patches` of
// them along a row; a block has its warps one below the other. Coordinates are computed in float64 by the definition's formulas; a place
// whose taps are all inside is read by 32-bit offsets, another one as the definition reads it (value_at). A plan P (plans.hpp) has
//     E, Out              elements that are read and made: of a spline coefficients, else the same
//     n_taps, n_in        taps of an axis, axes
//     held, n_near        neighbours of a thread in a patch; elements of one place (channels), which are dense in the result
//     form                as a constant, or as what a launch brings
// Requires two axes or three; coordinates, indices and the bytes that the resampled axes span below 2^30.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "resample/cuda/element.cuh"

namespace crinkle::resampling::kernel {

inline constexpr int patch_lanes = 8, patch_rows = 4, patches = 4, gather_threads = 256;
inline constexpr int gather_rows = gather_threads / 32 * patch_rows;  // of a block
template <int held>
inline constexpr int gather_columns = patch_lanes * held * patches;

/// ⌊x⌋ of |x| < 2^31, as both. Adding 1.5 · 2^52, rounded down, leaves the whole number in the low bits.
__device__ inline std::int32_t floor_of(double x, double* whole) {
#if defined(__CUDA_ARCH__)
  constexpr double shift = 0x1.8p52;
  const double shifted = __dadd_rd(x, shift);
  *whole = __dsub_rn(shifted, shift);
  return __double2loint(shifted);
#else
  *whole = floor(x);
  return static_cast<std::int32_t>(*whole);
#endif
}

struct Coordinates {
  double of[slots];
};

template <class P>
struct Gathers {
  using E = typename P::E;
  using T = typename NumberOf<E>::Type;
  static constexpr int n_taps = P::n_taps, n_in = P::n_in;
  const P& plan;

  __device__ const FormAxis& axis(int a) const { return plan.form.in[slots - n_in + a]; }

  // Near a face, seldom: as the definition says it.
  __device__ __noinline__ static T value_beside(const P& of_plan, Coordinates q, const char* in) {
    return value_at<E, T, n_taps, n_in>(of_plan.form, q.of, reinterpret_cast<const std::byte*>(in));
  }

  // The taps of one place.
  struct Taps {
    const char* first;  // or none, where not all of them are inside
    T weight[static_cast<std::size_t>(n_in)][static_cast<std::size_t>(n_taps)];
  };
  __device__ Taps taps_at(const Coordinates& q, const char* in) const {
    Taps taps;
    std::int32_t offset = 0;
    bool is_inside = true;
    CRINKLE_UNROLL for (int a = 0; a < n_in; ++a) {
      double whole;
      const std::int32_t below = floor_of(n_taps == 1 ? sum(q.of[a], 0.5) : q.of[a], &whole);
      const std::int32_t first = below - (n_taps == 4 ? 1 : 0) + static_cast<std::int32_t>(axis(a).before);
      is_inside = is_inside && first >= 0 && first <= static_cast<std::int32_t>(axis(a).extent) - n_taps;
      offset += first * static_cast<std::int32_t>(axis(a).stride);
      set_weights<n_taps>(plan.form, static_cast<T>(q.of[a] - whole), taps.weight[a]);
    }
    taps.first = is_inside ? in + offset : nullptr;
    return taps;
  }

  template <int a>
  __device__ T sum_along(const Taps& taps, const char* at) const {
    return weighted<n_taps>(taps.weight[a], [&](int k) {
      const char* const next = at + k * axis(a).stride;
      if constexpr (a + 1 == n_in) return static_cast<T>(loaded<E>(next));
      else return sum_along<a + 1>(taps, next);
    });
  }
  __device__ T value(const Taps& taps, const Coordinates& q, const char* in, std::int64_t beside) const {
    return taps.first != nullptr ? sum_along<0>(taps, taps.first + beside) : value_beside(plan, q, in + beside);
  }
};

/// Block first_block + blockIdx.x of gather_threads threads.
template <class P>
__device__ inline void resample_gathers(const P& plan, std::int64_t first_block, const char* in, char* out, bool is_wide) {
  using Out = typename P::Out;
  constexpr int n_in = P::n_in, width = gather_columns<P::held>, n_run = P::held * P::n_near;
  const Gathers<P> gathers{plan};
  const Loop &columns = plan.form.out[n_in - 1], &rows = plan.form.out[n_in - 2];
  const std::int64_t n_wide = (columns.extent - 1) / width + 1, n_high = (rows.extent - 1) / gather_rows + 1;
  std::int64_t rest = first_block + blockIdx.x;
  const std::int64_t tile_x = rest % n_wide;
  rest /= n_wide;
  const std::int64_t tile_y = rest % n_high;
  rest /= n_high;
  std::int64_t at[slots] = {};
  if constexpr (n_in == 3) {
    at[0] = rest % plan.form.out[0].extent;
    rest /= plan.form.out[0].extent;
    out += at[0] * plan.form.out[0].out;
  }
  for (int b = plan.form.n_outer - 1; b >= 0; --b) {
    const Loop& loop = plan.form.outer[b];
    in += rest % loop.extent * loop.in;
    out += rest % loop.extent * loop.out;
    rest /= loop.extent;
  }
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const std::int64_t y = tile_y * gather_rows + warp * patch_rows + lane / patch_lanes;
  std::int64_t x = tile_x * width + lane % patch_lanes * P::held;
  if (y >= rows.extent) return;
  at[n_in - 2] = y;
  out += y * rows.out + x * columns.out;
  RowBegin row[static_cast<std::size_t>(n_in)];
  CRINKLE_UNROLL for (int a = 0; a < n_in; ++a) row[a] = row_begin(plan.form.map, a, at);
  double index = index_of(plan.form.map, n_in - 1, x);
  CRINKLE_UNROLL for (int patch = 0; patch < patches; ++patch) {
    if (x >= columns.extent) return;
    const auto left = static_cast<std::int32_t>(columns.extent - 1 - x);
    Run<Out, n_run> run;
    CRINKLE_UNROLL for (int v = 0; v < P::held; ++v) {
      const int there =
          v == 0 || v < left ? v : left;  // beyond the end the last place again: of a part what lies there is not in the source
      Coordinates q;
      CRINKLE_UNROLL for (int a = 0; a < n_in; ++a) q.of[a] = row[a].at(index + there);
      const auto taps = gathers.taps_at(q, in);
      CRINKLE_UNROLL for (int c = 0; c < P::n_near; ++c) run.of[v * P::n_near + c] =
          stored<Out>(gathers.value(taps, q, in, P::n_near == 1 ? 0 : c * plan.form.near[0].in));
    }
    if (is_wide && x + P::held <= columns.extent) {
      store_run(out, run);
    } else {
      CRINKLE_UNROLL for (int v = 0; v < P::held; ++v) CRINKLE_UNROLL for (int c = 0; c < P::n_near; ++c) if (x + v < columns.extent) *
          reinterpret_cast<Out*>(out + v * columns.out + c * static_cast<int>(sizeof(Out))) = run.of[v * P::n_near + c];
    }
    x += patch_lanes * P::held;
    out += patch_lanes * P::held * columns.out;
    index += patch_lanes * P::held;
  }
}

}  // namespace crinkle::resampling::kernel
