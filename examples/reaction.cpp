// Two substances that react and diffuse (the Gray-Scott model), one stencil with two results:
//     ∂u/∂t = D_u ∇²u − u v² + F (1 − u),   ∂v/∂t = D_v ∇²v + u v² − (F + k) v.
// Nothing is fed or taken away at first (F = k = 0): then u + v is conserved on a torus. After that, a drop of v grows into spots.
// Source: Pearson, "Complex patterns in a simple system", Science 261 (1993).
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>
#include <numeric>
#include <tuple>
#include <vector>

#include "crinkle/stencil_loops.hpp"

namespace {
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
struct Dish {
  std::vector<float> u = std::vector<float>(n * n, 1), v = std::vector<float>(n * n, 0), next_u = u, next_v = v;

  Dish() {
    for (std::int64_t y = 60; y < 68; ++y)
      for (std::int64_t x = 58; x < 70; ++x) v[static_cast<std::size_t>(y * n + x)] = 0.5f;
  }
  void run(int n_steps, const Reaction& reaction) {
    const auto field = [](std::vector<float>& of) { return dense_field(of.data(), Array<std::int64_t, 2>{n, n}); };
    for (int s = 0; s < n_steps; ++s) {
      sweep(stencil(reaction, filled<2>(Faces(Bound::periodic)), field(u), field(v)), std::tuple(field(next_u), field(next_v)));
      u.swap(next_u);
      v.swap(next_v);
    }
  }
  double sum() const { return std::accumulate(u.begin(), u.end(), 0.0) + std::accumulate(v.begin(), v.end(), 0.0); }
};
}  // namespace

int main() {
  Dish closed;
  const double before = closed.sum();
  closed.run(500, {0.25f, 0, 0});
  std::printf("u + v: %.3f before, %.3f after 500 steps\n", before, closed.sum());
  Dish fed;
  fed.run(3000, {1, 0.035f, 0.062f});
  std::int64_t n_spotted = 0;
  for (const float v : fed.v) n_spotted += v > 0.1f ? 1 : 0;
  std::printf("%lld of %lld cells are spots\n", static_cast<long long>(n_spotted), static_cast<long long>(n * n));
  return std::abs(closed.sum() - before) < 1e-4 * before && n_spotted > 1000 ? 0 : 1;
}
