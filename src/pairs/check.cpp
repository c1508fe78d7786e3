// SPDX-License-Identifier: BSD-3-Clause
#include "pairs/check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "base/checked.hpp"
#include "operation/model.hpp"

namespace crinkle {
namespace {

template <class T>
void check_each(const std::byte* radii, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    T radius;
    std::memcpy(&radius, radii + i * static_cast<std::int64_t>(sizeof(T)), sizeof radius);
    if (!(radius >= 0) || !std::isfinite(radius))
      throw Error(ErrorCode::bad_shape, fmt::format("radius {} is {}; radii are 0 or more, and finite", i, radius));
    if (std::isfinite(2 * radius)) continue;
    throw Error(ErrorCode::too_large, fmt::format("radius {} is {}, whose sum with another one may be beyond {}; give larger units", i,
                                                  radius, name_of_type(sizeof(T) == 4 ? Real::float32 : Real::float64)));
  }
}

}  // namespace

const char* name_of_type(Real type) noexcept { return type == Real::float32 ? "float32" : "float64"; }

ElementType element_type(Real type) noexcept { return {{type == Real::float32 ? Number::float32 : Number::float64}}; }

void check_points(std::int64_t n, std::int64_t n_features, Real type) {
  if (n < 0) throw Error(ErrorCode::bad_shape, fmt::format("{} points; give 0 or more", n));
  if (n_features < 1) throw Error(ErrorCode::bad_shape, fmt::format("{} features of a point; give 1 or more", n_features));
  constexpr std::int64_t most_points = std::int64_t{1} << 32;  // n(n + 1)/2 below 2^63, as the diagonal may be kept
  if (n >= most_points)
    throw Error(ErrorCode::too_large, fmt::format("{} points have more pairs than 64 bits count; give at most {}", n, most_points - 1));
  multiply(multiply(n, n_features), bytes_of(type));
}

Port points_port(const char* name, std::int64_t n, std::int64_t n_features, Real type) {
  const std::int64_t number = bytes_of(type);
  Port port = port_of(name, Layout::dense({n, n_features}, number), element_type(type));
  port.values = {multiply(n_features, number), number, true};
  port.axes = {"point", "feature"};
  return port;
}

void check_radii(ConstBuffer radii, std::int64_t n, Real type) {
  const auto* from = static_cast<const std::byte*>(radii.data);
  if (type == Real::float32) check_each<float>(from, n);
  else check_each<double>(from, n);
}

void check_room(std::int64_t n_room, std::int64_t n_found) {
  if (n_found <= n_room) return;
  throw Error(ErrorCode::bad_shape, fmt::format("{} pair{}, and the list has room for {}; give it room for {}", n_found,
                                                n_found == 1 ? " collides" : "s collide", n_room, n_found));
}

}  // namespace crinkle
