// A reaction (reaction.hpp) on threads. Nothing is fed or taken away at first (F = k = 0): then u + v is conserved on a torus. After that,
// a drop of v grows into spots.
// SPDX-License-Identifier: BSD-3-Clause
#include "reaction.hpp"

#include <cmath>
#include <cstdio>
#include <numeric>

namespace {

double sum_of(const reaction::Dish& dish) {
  return std::accumulate(dish.u.begin(), dish.u.end(), 0.0) + std::accumulate(dish.v.begin(), dish.v.end(), 0.0);
}

}  // namespace

int main() {
  reaction::Dish closed;
  const double before = sum_of(closed);
  closed.run(500, {0.25f, 0, 0});
  std::printf("u + v: %.3f before, %.3f after 500 steps\n", before, sum_of(closed));
  reaction::Dish fed;
  fed.run(3000, {1, 0.035f, 0.062f});
  std::int64_t n_spotted = 0;
  for (const float v : fed.v) n_spotted += v > 0.1f ? 1 : 0;
  std::printf("%lld of %lld cells are spots\n", static_cast<long long>(n_spotted), static_cast<long long>(reaction::n * reaction::n));
  return std::abs(sum_of(closed) - before) < 1e-4 * before && n_spotted > 1000 ? 0 : 1;
}
