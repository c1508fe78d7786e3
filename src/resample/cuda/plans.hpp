// What a launch brings to the kernels of affine maps: the form, and how a block goes about it. Kernels compiled for a plan have the same as
// constants. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "resample/form.hpp"

namespace crinkle::resampling {

/// Columns that a thread has of a zoom (scales.cuh): 16 bytes of them at most.
template <class E>
inline constexpr int held_columns = sizeof(E) == 8 ? 2 : 4;

/// Neighbours that a thread has of a map that turns (gathers.cuh): 4 bytes of them at least.
template <class E>
inline constexpr int held_neighbours = sizeof(E) == 1   ? 4
                                       : sizeof(E) == 2 ? 2
                                                        : 1;

struct ScalesShape {
  std::int32_t lanes = 32, groups = 1;  // threads along the columns, a multiple of 32; walks of a block
  std::int32_t steps = 1;               // elements of a walk
  bool has_faces = true;                // elements may lie beside an end that is constant
};

template <class E_, class Out_, int n_taps_, int n_in_>
struct ScalesPlan {
  using E = E_;
  using Out = Out_;
  static constexpr int n_taps = n_taps_, n_in = n_in_, held = held_columns<E>;
  ScalesShape shape;
  Form form;
};

template <class E_, class Out_, int n_taps_, int n_in_>
struct GathersPlan {
  using E = E_;
  using Out = Out_;
  static constexpr int n_taps = n_taps_, n_in = n_in_, held = held_neighbours<Out>;
  static constexpr int n_near = 1;  // elements that lie near each other and have one place, as channels do
  Form form;
};

}  // namespace crinkle::resampling
