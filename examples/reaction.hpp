// Two substances that react and diffuse (the Gray-Scott model), one stencil with two results, for threads (reaction.cpp) and kernels
// (reaction.cu):
//     ∂u/∂t = D_u ∇²u − u v² + F (1 − u),   ∂v/∂t = D_v ∇²v + u v² − (F + k) v.
// Source: Pearson, "Complex patterns in a simple system", Science 261 (1993).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "crinkle/stencil_loops.hpp"

namespace reaction {
using namespace crinkle;

struct Reaction {
  using Radius = crinkle::Radius<1, 1>;
  float dt, feed, kill;

  template <int i, class At>
  CRINKLE_HD static float laplacian(const At& at) {
    constexpr Input<i> of;
    return at(offset<-1, 0>, of) + at(offset<1, 0>, of) + at(offset<0, -1>, of) + at(offset<0, 1>, of) - 4 * at(offset<0, 0>, of);
  }
  template <class At>
  CRINKLE_HD Array<float, 2> operator()(const At& at) const {
    const float u = at(offset<0, 0>), v = at(offset<0, 0>, input<1>), made = u * v * v;
    return {{u + dt * (0.2f * laplacian<0>(at) - made + feed * (1 - u)), v + dt * (0.1f * laplacian<1>(at) + made - (feed + kill) * v)}};
  }
};

constexpr std::int64_t n = 128;
using Field = StencilField<float, 2>;
inline Field field_of(float* cells) { return dense_field(cells, Array<std::int64_t, 2>{n, n}); }
/// A torus of cells.
CRINKLE_HD inline auto on_torus(const Reaction& reaction, const Field& u, const Field& v) {
  return stencil(reaction, filled<2>(Faces(Bound::periodic)), u, v);
}

/// A dish full of u with a drop of v in it.
struct Dish {
  std::vector<float> u = std::vector<float>(n * n, 1), v = std::vector<float>(n * n, 0), next_u = u, next_v = v;

  Dish() {
    for (std::int64_t y = 60; y < 68; ++y)
      for (std::int64_t x = 58; x < 70; ++x) v[static_cast<std::size_t>(y * n + x)] = 0.5f;
  }
  void run(int n_steps, const Reaction& reaction) {
    for (int s = 0; s < n_steps; ++s) {
      sweep(on_torus(reaction, field_of(u.data()), field_of(v.data())), std::tuple(field_of(next_u.data()), field_of(next_v.data())));
      u.swap(next_u);
      v.swap(next_v);
    }
  }
};

}  // namespace reaction
