// Maps whose axes scale one by one (zooms). A block computes once where its columns and rows lie and with what weights, by the definition's
// formulas, and keeps that in shared memory. A thread has a few neighbouring columns and goes along the slowest resampled axis, the walked
// one; it keeps the sums of the source's rows (of planes, in three dimensions) that the next element of the walk needs again:
//
//     lanes · held columns   ×   one walk of `steps` elements for each of `groups`
//
// The order of sums is the definition's: innermost axis first. Columns are elements of the last resampled axis and of the axes near it
// (channels), which are dense in the result. A plan P (plans.hpp, or written for one plan: compiled.cpp) has constants
//     E, Out              elements that are read and made: of a spline coefficients, else the same
//     n_taps, n_in        taps of an axis, resampled axes
//     held                columns of a thread, which one store takes where `is_wide` is given to the kernel
// and, as constants or as what a launch brings,
//     shape               lanes, groups, steps; whether any element lies beside an end that is constant
//     form
// Requires indices and the bytes that a row spans below 2^31. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "resample/cuda/element.cuh"

namespace crinkle::resampling::kernel {

template <class P>
struct Scales {
  using E = typename P::E;
  using Out = typename P::Out;
  using T = typename NumberOf<E>::Type;
  using Rows = Place<P::n_taps, T>;
  static constexpr int n_taps = P::n_taps, n_in = P::n_in, held = P::held;
  static constexpr std::int32_t low_face = -0x7FFFFFFF - 1, high_face = low_face + 1, nothing = low_face;
  static constexpr int last = slots - 1, second = slots - 2;

  const P& plan;
  __device__ int n_columns() const { return plan.shape.lanes * held; }  // of a block

  // Shared memory: rows of the walks, in three dimensions the axis in between, weights and places of columns, [n_taps][n_columns].
  __device__ Rows* rows() const { return reinterpret_cast<Rows*>(shared); }
  __device__ Rows* between() const { return rows() + plan.shape.groups * plan.shape.steps; }
  __device__ T* weights() const { return reinterpret_cast<T*>(between() + plan.shape.groups); }
  __device__ std::int32_t* places() const { return reinterpret_cast<std::int32_t*>(weights() + n_taps * n_columns()); }

  __device__ const FormAxis& axis(int a) const { return plan.form.in[slots - n_in + a]; }
  __device__ std::int64_t near_total() const {
    std::int64_t n = 1;
    for (int b = 0; b < plan.form.n_near; ++b) n *= plan.form.near[b].extent;
    return n;
  }
  __device__ std::int64_t all_columns() const { return plan.form.out[n_in - 1].extent * near_total(); }
  __device__ std::int64_t n_tiles() const { return (all_columns() - 1) / n_columns() + 1; }
  // Of one axis rows beside it are walked, the fastest of them.
  __device__ int n_outer() const { return plan.form.n_outer - (n_in == 1 && plan.form.n_outer > 0 ? 1 : 0); }
  __device__ Loop walk() const {
    return n_in > 1 ? plan.form.out[0] : plan.form.n_outer > 0 ? plan.form.outer[plan.form.n_outer - 1] : Loop{};
  }
  __device__ std::int64_t n_between() const { return n_in == 3 ? plan.form.out[1].extent : 1; }
  __device__ std::int64_t n_walks() const { return (walk().extent - 1) / plan.shape.steps + 1; }  // one after the other along an axis
  __device__ std::int64_t n_units() const {
    std::int64_t n = n_between() * n_walks();
    for (int b = 0; b < n_outer(); ++b) n *= plan.form.outer[b].extent;
    return n;
  }

  __device__ Rows place_of(int a, std::int64_t i) const {
    std::int64_t at[slots] = {};
    at[a] = i;
    double fraction;
    const double q = row_begin(plan.form.map, a, at).at(index_of(plan.form.map, n_in - 1, at[n_in - 1]));
    const std::int64_t first = first_tap(n_taps, q, &fraction) + axis(a).before;
    Rows place;
    for (int k = 0; k < n_taps; ++k) place.index[k] = static_cast<std::int32_t>(element_of(axis(a), first + k));
    set_weights<n_taps>(plan.form, static_cast<T>(fraction), place.weight);
    return place;
  }

  __device__ void set_column(int c, std::int64_t column) const {
    const std::int64_t n = near_total(), x = n == 1 ? column : column / n;
    std::int64_t rest = column - x * n, beside = 0;
    for (int b = plan.form.n_near - 1; b >= 0; --b) {
      beside += rest % plan.form.near[b].extent * plan.form.near[b].in;
      rest /= plan.form.near[b].extent;
    }
    const Rows place = place_of(n_in - 1, x);
    for (int k = 0; k < n_taps; ++k) {
      const std::int32_t i = place.index[k];
      places()[k * n_columns() + c] = i == detail::at_low_face    ? low_face
                                      : i == detail::at_high_face ? high_face
                                                                  : static_cast<std::int32_t>(i * axis(n_in - 1).stride + beside);
      weights()[k * n_columns() + c] = place.weight[k];
    }
  }

  // One walk of a group, as numbers.
  struct Unit {
    std::int64_t first = 0, between = 0;  // of the walk; the index of the axis in between
    std::int64_t in = 0, out = 0;         // bytes, of axes beside the resampled ones and the one in between
  };
  __device__ Unit unit_of(std::int64_t u) const {
    Unit unit;
    unit.between = u % n_between();
    u /= n_between();
    unit.first = u % n_walks() * plan.shape.steps;
    u /= n_walks();
    for (int b = n_outer() - 1; b >= 0; --b) {
      unit.in += u % plan.form.outer[b].extent * plan.form.outer[b].in;
      unit.out += u % plan.form.outer[b].extent * plan.form.outer[b].out;
      u /= plan.form.outer[b].extent;
    }
    if (n_in == 3) unit.out += unit.between * plan.form.out[1].out;
    return unit;
  }

  __device__ void set_tables(std::int64_t tile, std::int64_t first_unit) const {
    for (int c = static_cast<int>(threadIdx.x); c < n_columns(); c += plan.shape.lanes * plan.shape.groups) {
      const std::int64_t column = tile * n_columns() + c;
      set_column(c, column < all_columns() ? column : all_columns() - 1);
    }
    if constexpr (n_in > 1) {
      for (int i = static_cast<int>(threadIdx.x); i < plan.shape.groups * (plan.shape.steps + 1);
           i += plan.shape.lanes * plan.shape.groups) {
        const int g = i / (plan.shape.steps + 1), step = i % (plan.shape.steps + 1);
        const std::int64_t u = first_unit + g;
        const Unit unit = unit_of(u < n_units() ? u : n_units() - 1);
        if (step == plan.shape.steps && n_in == 3) between()[g] = place_of(1, unit.between);
        if (step < plan.shape.steps && unit.first + step < walk().extent)
          rows()[g * plan.shape.steps + step] = place_of(0, unit.first + step);
      }
    }
  }

  // What a thread has of its columns.
  std::int32_t first[static_cast<std::size_t>(held)] = {};  // bytes from a row's element 0
  T weight[static_cast<std::size_t>(held)][static_cast<std::size_t>(n_taps)] = {};
  int column = 0;
  bool is_plain = true;  // taps are elements side by side

  __device__ void set(int lane) {
    column = lane * held;
    CRINKLE_UNROLL for (int v = 0; v < held; ++v) {
      first[v] = places()[column + v];
      is_plain = is_plain && first[v] > high_face;
      CRINKLE_UNROLL for (int k = 0; k < n_taps; ++k) {
        weight[v][k] = weights()[k * n_columns() + column + v];
        // In 64 bits: the stride of an axis of one element may be any.
        is_plain = is_plain && places()[k * n_columns() + column + v] == first[v] + k * plan.form.in[last].stride;
      }
    }
  }

  // Of a column whose taps do not lie side by side, or of a row that is a constant, where `row` is none. Seldom.
  __device__ __noinline__ static T sum_beside(const P& of_plan, int c, const char* row, T constant) {
    const Scales s{of_plan};
    T weight_of[static_cast<std::size_t>(n_taps)];
    CRINKLE_UNROLL for (int k = 0; k < n_taps; ++k) weight_of[k] = s.weights()[k * s.n_columns() + c];
    return weighted<n_taps>(weight_of, [&](int k) {
      const std::int32_t at = s.places()[k * s.n_columns() + c];
      if (at <= high_face) return static_cast<T>(at == low_face ? of_plan.form.in[last].low_value : of_plan.form.in[last].high_value);
      return row == nullptr ? constant : static_cast<T>(loaded<E>(row + at));
    });
  }

  // The sums along n rows all of whose taps are plain, [n][held]: all are read before any is summed, and those of elements side by side,
  // which are a constant number of bytes apart, from one address.
  struct SideBySide {
    __device__ constexpr operator std::int64_t() const { return sizeof(E); }
  };
  template <int n>
  __device__ void set_plain_lines(const char* const* rows, T* lines) const {
    const auto of = [&](auto stride) {
      E read[n * held][n_taps];
      CRINKLE_UNROLL for (int i = 0; i < n * held; ++i) CRINKLE_UNROLL for (int k = 0; k < n_taps; ++k) read[i][k] =
          loaded<E>(rows[i / held] + first[i % held] + k * stride);
      CRINKLE_UNROLL for (int i = 0; i < n * held; ++i) lines[i] =
          weighted<n_taps>(weight[i % held], [&](int k) { return static_cast<T>(read[i][k]); });
    };
    if (plan.form.in[last].stride == SideBySide()) of(SideBySide());
    else of(plan.form.in[last].stride);
  }

  // The sums along a row of the source: `y` and, in three dimensions, `z` are its indices, or faces.
  __device__ void set_line(const char* in, std::int32_t z, std::int32_t y, T* line) const {
    const bool is_constant = plan.shape.has_faces && (y < 0 || z < 0);
    const T constant = !is_constant ? T{0} : y < 0 ? face_of<T>(plan.form.in[second], y) : face_of<T>(plan.form.in[0], z);
    const char* row = in;
    if (!is_constant) row += (n_in == 3 ? z * plan.form.in[0].stride : 0) + (n_in >= 2 ? y * plan.form.in[second].stride : 0);
    if (is_plain && !is_constant) return set_plain_lines<1>(&row, line);
    CRINKLE_UNROLL for (int v = 0; v < held; ++v) line[v] = sum_beside(plan, column + v, is_constant ? nullptr : row, constant);
  }

  __device__ static void add_line(int j, T weight_of, const T* line, T* sums) {
    CRINKLE_UNROLL for (int v = 0; v < held; ++v) {
      const T part = counted(weight_of, line[v]);
      sums[v] = j == 0 ? part : sum(sums[v], part);
    }
  }

  // The same for a tap of the walk: a row, or a plane of rows.
  __device__ void set_sum(const char* in, int g, std::int32_t index, T* sums) const {
    if constexpr (n_in < 3) {
      set_line(in, 0, index, sums);
    } else {
      const Rows taps = between()[g];
      if constexpr (n_taps <= 2) {
        bool is_inside = is_plain && index >= 0;
        CRINKLE_UNROLL for (int j = 0; j < n_taps; ++j) is_inside = is_inside && taps.index[j] >= 0;
        if (is_inside) {
          const char* rows_of[n_taps];
          T lines[n_taps * held];
          CRINKLE_UNROLL for (int j = 0; j < n_taps; ++j) rows_of[j] =
              in + index * plan.form.in[0].stride + taps.index[j] * plan.form.in[second].stride;
          set_plain_lines<n_taps>(rows_of, lines);
          CRINKLE_UNROLL for (int j = 0; j < n_taps; ++j) add_line(j, taps.weight[j], lines + j * held, sums);
          return;
        }
      }
      _Pragma("unroll 1") for (int j = 0; j < n_taps; ++j) {
        T line[static_cast<std::size_t>(held)];
        set_line(in, index, taps.index[j], line);
        add_line(j, taps.weight[j], line, sums);
      }
    }
  }

  // Columns none of whose taps are inside, and rows such as these, are what their face says; of several the last axis' one.
  __device__ void set_faces(int g, const Rows& row, T* value) const {
    if (n_in > 1 && row.is_beside()) {
      const T constant = face_of<T>(axis(0), row.index[0]);
      CRINKLE_UNROLL for (int v = 0; v < held; ++v) value[v] = constant;
    }
    if (n_in == 3 && between()[g].is_beside()) {
      const T constant = face_of<T>(plan.form.in[second], between()[g].index[0]);
      CRINKLE_UNROLL for (int v = 0; v < held; ++v) value[v] = constant;
    }
    if (is_plain) return;
    CRINKLE_UNROLL for (int v = 0; v < held; ++v) {
      bool is_beside = true;
      for (int k = 0; k < n_taps; ++k) is_beside = is_beside && places()[k * n_columns() + column + v] <= high_face;
      if (is_beside) value[v] = static_cast<T>(first[v] == low_face ? plan.form.in[last].low_value : plan.form.in[last].high_value);
    }
  }

  __device__ void walk_along(const char* in, char* out, const Unit& unit, int g, int n_there, bool is_wide) const {
    constexpr int n_kept = n_in > 1 ? n_taps : 1;
    T sums[static_cast<std::size_t>(n_kept)][static_cast<std::size_t>(held)];
    std::int32_t kept[static_cast<std::size_t>(n_kept)];
    CRINKLE_UNROLL for (int j = 0; j < n_kept; ++j) kept[j] = nothing;
    Rows row{};
    const std::int64_t left = walk().extent - unit.first;
    const int n = left < plan.shape.steps ? static_cast<int>(left) : plan.shape.steps;
    _Pragma("unroll 1") for (int step = 0; step < n; ++step, out += walk().out) {
      T value[static_cast<std::size_t>(held)];
      if constexpr (n_in == 1) {
        set_line(in + step * walk().in, 0, 0, value);
      } else {
        row = rows()[g * plan.shape.steps + step];
        CRINKLE_UNROLL for (int j = 0; j < n_taps; ++j) {
          if (kept[j] == row.index[j]) continue;
          if (j + 1 < n_taps && kept[j + 1 < n_taps ? j + 1 : j] == row.index[j]) {
            CRINKLE_UNROLL for (int v = 0; v < held; ++v) sums[j][v] = sums[j + 1 < n_taps ? j + 1 : j][v];
          } else {
            set_sum(in, g, row.index[j], sums[j]);
          }
          kept[j] = row.index[j];
        }
        CRINKLE_UNROLL for (int v = 0; v < held; ++v) value[v] = weighted<n_taps>(row.weight, [&](int j) { return sums[j][v]; });
      }
      if (plan.shape.has_faces) set_faces(g, row, value);
      Run<Out, held> run;
      CRINKLE_UNROLL for (int v = 0; v < held; ++v) run.of[v] = stored<Out>(value[v]);
      if (is_wide && n_there == held) {
        store_run(out, run);
      } else {
        CRINKLE_UNROLL for (int v = 0; v < held; ++v) if (v < n_there) reinterpret_cast<Out*>(out)[v] = run.of[v];
      }
    }
  }
};

/// Block first_block + blockIdx.x of lanes · groups threads.
template <class P>
__device__ inline void resample_scales(const P& plan, std::int64_t first_block, const char* in, char* out, bool is_wide) {
  Scales<P> columns{plan};
  const std::int64_t block = first_block + blockIdx.x, n_tiles = columns.n_tiles(), tile = block % n_tiles,
                     first_unit = block / n_tiles * plan.shape.groups;
  columns.set_tables(tile, first_unit);
  __syncthreads();
  const int g = static_cast<int>(threadIdx.x) / plan.shape.lanes, lane = static_cast<int>(threadIdx.x) - g * plan.shape.lanes;
  const std::int64_t column = tile * columns.n_columns() + lane * P::held, left = columns.all_columns() - column;
  if (first_unit + g >= columns.n_units() || left <= 0) return;
  columns.set(lane);
  const typename Scales<P>::Unit unit = columns.unit_of(first_unit + g);
  const Loop walk = columns.walk();
  in += unit.in + (P::n_in == 1 ? unit.first * walk.in : 0);
  out += unit.out + unit.first * walk.out + column * static_cast<std::int64_t>(sizeof(typename P::Out));
  columns.walk_along(in, out, unit, g, left < P::held ? static_cast<int>(left) : P::held, is_wide);
}

}  // namespace crinkle::resampling::kernel
