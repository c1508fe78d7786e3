// SPDX-License-Identifier: BSD-3-Clause
#include "papers/hypercubic/transform.hpp"

#include <atomic>
#include <bit>
#include <cmath>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "harness/in_parts.hpp"
#include "harness/random.hpp"

namespace crinkle::bench {
namespace {

constexpr int n_shifts = 4;
constexpr std::int64_t steps[] = {2, 4, 8};

}  // namespace

const char* name_of(Version version) {
  switch (version) {
    case Version::by_hand: return "A";
    case Version::by_bits: return "B";
    case Version::by_division: return "C";
    default: return "crinkle";
  }
}

std::vector<Transform> transforms_of(Transform::Kind kind, std::int64_t n, std::uint64_t seed) {
  std::vector<Transform> all;
  Transform t{.kind = kind, .n = n};
  switch (kind) {
    case Transform::Kind::blur: return {t};
    case Transform::Kind::flip:
      for (const std::array<bool, 2> axes : {std::array{true, false}, std::array{false, true}, std::array{true, true}}) {
        t.is_flipped = axes;
        all.push_back(t);
      }
      return all;
    case Transform::Kind::shift:
      for (int k = 0; k < n_shifts; ++k) {
        for (std::int64_t& distance : t.distances)
          distance = static_cast<std::int64_t>(next_random(seed) % static_cast<std::uint64_t>(2 * n + 1)) - n;
        all.push_back(t);
      }
      return all;
    case Transform::Kind::crinkle:
      for (t.axis = 0; t.axis < 2; ++t.axis) {
        for (const std::int64_t step : steps) {
          t.step = step;
          all.push_back(t);
        }
      }
      return all;
  }
  return all;
}

std::string direction_of(const Transform& t) {
  switch (t.kind) {
    case Transform::Kind::blur: return "blur";
    case Transform::Kind::flip: return std::string("flip") + (t.is_flipped[0] ? " x" : "") + (t.is_flipped[1] ? " y" : "");
    case Transform::Kind::shift: return "shift by " + std::to_string(t.distances[0]) + ", " + std::to_string(t.distances[1]);
    default: return "crinkle of axis " + std::to_string(t.axis) + " by " + std::to_string(t.step);
  }
}
std::string text_of(const Transform& t) { return direction_of(t) + " of " + std::to_string(t.n); }

Rearrangement map_of(const Transform& t) {
  const Layout square = Layout::dense({t.n, t.n}, sizeof(float));
  if (t.kind == Transform::Kind::crinkle) {
    const Crinkle by[] = {{1 - t.axis, t.step}};
    return crinkle::crinkle(square, by);
  }
  Rearrangement r = parse("y x -> y x", square);
  if (t.is_flipped[0]) r = r.flip("x");
  if (t.is_flipped[1]) r = r.flip("y");
  if (t.distances[0] != 0) r = r.roll("x", t.distances[0]);
  if (t.distances[1] != 0) r = r.roll("y", t.distances[1]);
  return r;
}

std::int64_t first_wrong_of_blur(std::int64_t n, const float* src, const float* dst, Executor& executor, float within) {
  std::atomic<std::int64_t> lowest = n * n;
  in_parts(n, executor, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t y = first; y < last; ++y) {
      for (std::int64_t x = 0; x < n; ++x) {
        const auto at = [&](std::int64_t row, std::int64_t column) { return src[(row + n) % n * n + (column + n) % n]; };
        const float expected = blurred(at(y, x), at(y, x - 1), at(y, x + 1), at(y - 1, x), at(y + 1, x));
        if (std::bit_cast<std::uint32_t>(expected) == std::bit_cast<std::uint32_t>(dst[y * n + x])) continue;
        if (std::abs(expected - dst[y * n + x]) < within) continue;
        for (std::int64_t seen = lowest; y * n + x < seen && !lowest.compare_exchange_weak(seen, y * n + x);) continue;
        return;
      }
    }
  });
  return lowest == n * n ? -1 : lowest * std::int64_t{sizeof(float)};
}

}  // namespace crinkle::bench
