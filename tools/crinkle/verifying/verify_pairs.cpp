// SPDX-License-Identifier: BSD-3-Clause
#include "verifying/verify_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "crinkle/error.hpp"
#include "pairs/reference.hpp"

namespace crinkle::tool {
namespace {

// Whether `got` may stand for the distance of x and y: it is the definition's, or as near to the exact one as is promised.
template <class T>
bool is_right(T got, const T* x, const T* y, std::int64_t n_features, Metric metric) {
  const T defined = reference_distance(x, y, n_features, metric);
  if (got == defined || (std::isnan(got) && std::isnan(defined))) return true;
  const auto features = static_cast<long double>(n_features);
  if (metric == Metric::cosine) {
    const long double most = (features + 16) * 0x1p-53L + defined * static_cast<long double>(std::numeric_limits<T>::epsilon());
    return std::abs(static_cast<long double>(got) - defined) <= most;
  }
  const std::vector<long double> wide_x(x, x + n_features), wide_y(y, y + n_features);
  const long double exact = reference_distance(wide_x.data(), wide_y.data(), n_features, metric);
  const T rounded = static_cast<T>(exact);
  const long double ulp = static_cast<long double>(std::nextafter(rounded, std::numeric_limits<T>::infinity())) - rounded;
  return std::abs(static_cast<long double>(got) - exact) <= (features / 2 + 3) * ulp;
}

template <class T>
void verify_typed(const Points& points, Metric metric, PairForm form, const std::byte* out, const std::string& path, Executor& executor) {
  const std::int64_t n = points.n, n_features = points.n_features;
  std::vector<T> x(static_cast<std::size_t>(n * n_features));
  if (!x.empty()) std::memcpy(x.data(), points.data.data, x.size() * sizeof(T));
  const TriangleLayout layout = layout_of(form, n, points.type);
  const auto check = [&](std::int64_t i, std::int64_t j, std::int64_t place) {
    T got;
    std::memcpy(&got, out + place * static_cast<std::int64_t>(sizeof(T)), sizeof got);
    if (is_right(got, x.data() + i * n_features, x.data() + j * n_features, n_features, metric)) return;
    throw Error(ErrorCode::bad_file,
                fmt::format("{}: the distance of points {} and {} is {}, which is not what it should be, {}", path, j, i, got,
                            reference_distance(x.data() + i * n_features, x.data() + j * n_features, n_features, metric)));
  };
  executor.parallel_for(n, [&](std::int64_t i) {
    for (std::int64_t j = 0; j <= i - (layout.has_diagonal() ? 0 : 1); ++j) {
      if (form == PairForm::square) {
        check(i, j, i * n + j);
        check(i, j, j * n + i);
      } else {
        check(i, j, layout.place(i, j));
      }
    }
  });
}

}  // namespace

void verify_distances(const Points& points, Metric metric, PairForm form, ConstBuffer out, const std::string& path, Executor& executor) {
  const auto* bytes = static_cast<const std::byte*>(out.data);
  if (points.type == Real::float32) verify_typed<float>(points, metric, form, bytes, path, executor);
  else verify_typed<double>(points, metric, form, bytes, path, executor);
}

void verify_collisions(const Spheres& spheres, std::span<const Collision> pairs, const std::string& path) {
  const std::vector<Collision> want = reference_collisions(spheres);
  if (std::equal(pairs.begin(), pairs.end(), want.begin(), want.end())) return;
  const auto at = std::mismatch(pairs.begin(), pairs.end(), want.begin(), want.end()).first - pairs.begin();
  throw Error(ErrorCode::bad_file, fmt::format("{}: pair {} of {} is not what it should be, of {}", path, at, pairs.size(), want.size()));
}

}  // namespace crinkle::tool
