// The members of an aggregate, found by the compiler: what goes through all of them forgets none that is new.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

namespace crinkle::detail {

/// Stands for a member of any type where members are counted.
struct AnyMember {
  template <class T>
  operator T() const;  // NOLINT: it is to be any
};

/// How many members an aggregate has: as many as it can be initialised with.
template <class T, class... Members>
consteval int n_members() {
  if constexpr (requires { T{Members{}..., AnyMember{}}; }) return n_members<T, Members..., AnyMember>();
  else return static_cast<int>(sizeof...(Members));
}

/// f(members…) of an aggregate of 1 to 13 members.
template <class T, class F>
  requires std::is_aggregate_v<T>
decltype(auto) with_members(const T& value, const F& f) {
  constexpr int n = n_members<T>();
  static_assert(n >= 1 && n <= 13, "an aggregate of 1 to 13 members; write one more line below");
  if constexpr (n == 1) {
    const auto& [a] = value;
    return f(a);
  } else if constexpr (n == 2) {
    const auto& [a, b] = value;
    return f(a, b);
  } else if constexpr (n == 3) {
    const auto& [a, b, c] = value;
    return f(a, b, c);
  } else if constexpr (n == 4) {
    const auto& [a, b, c, d] = value;
    return f(a, b, c, d);
  } else if constexpr (n == 5) {
    const auto& [a, b, c, d, e] = value;
    return f(a, b, c, d, e);
  } else if constexpr (n == 6) {
    const auto& [a, b, c, d, e, g] = value;
    return f(a, b, c, d, e, g);
  } else if constexpr (n == 7) {
    const auto& [a, b, c, d, e, g, h] = value;
    return f(a, b, c, d, e, g, h);
  } else if constexpr (n == 8) {
    const auto& [a, b, c, d, e, g, h, i] = value;
    return f(a, b, c, d, e, g, h, i);
  } else if constexpr (n == 9) {
    const auto& [a, b, c, d, e, g, h, i, j] = value;
    return f(a, b, c, d, e, g, h, i, j);
  } else if constexpr (n == 10) {
    const auto& [a, b, c, d, e, g, h, i, j, k] = value;
    return f(a, b, c, d, e, g, h, i, j, k);
  } else if constexpr (n == 11) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l] = value;
    return f(a, b, c, d, e, g, h, i, j, k, l);
  } else if constexpr (n == 12) {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m] = value;
    return f(a, b, c, d, e, g, h, i, j, k, l, m);
  } else {
    const auto& [a, b, c, d, e, g, h, i, j, k, l, m, o] = value;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o);
  }
}

}  // namespace crinkle::detail
