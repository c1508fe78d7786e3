// What a cache looks a request up by: every member of it, and of what lies in it, as numbers one behind the other. Members are found by the
// compiler, so that none is forgotten: one that is new, or of a type that is not known here, is in the key or does not compile.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace crinkle {

using RequestKey = std::vector<std::int64_t>;

namespace request_key {

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

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <Number T>
void add(RequestKey& key, T number) {
  if constexpr (std::same_as<T, double>) key.push_back(std::bit_cast<std::int64_t>(number));
  else if constexpr (std::same_as<T, float>) key.push_back(std::bit_cast<std::int32_t>(number));
  else key.push_back(static_cast<std::int64_t>(number));
}

inline void add(RequestKey& key, const std::string& text) {
  key.push_back(std::ssize(text));
  for (const char c : text) key.push_back(c);
}

template <class T>
  requires std::is_aggregate_v<T>
void add(RequestKey& key, const T& request);

/// What has constructors and two members of one type, low and high.
template <class T>
concept Ends = !std::is_aggregate_v<T> && requires(const T& ends) {
  ends.low;
  ends.high;
  requires sizeof(T) == sizeof ends.low + sizeof ends.high;
};
template <Ends T>
void add(RequestKey& key, const T& ends) {
  add(key, ends.low);
  add(key, ends.high);
}

template <class T>
void add(RequestKey& key, const std::vector<T>& list) {
  key.push_back(std::ssize(list));
  for (const T& one : list) add(key, one);
}

template <class... Members>
void add_all(RequestKey& key, const Members&... members) {
  (add(key, members), ...);
}

template <class T>
  requires std::is_aggregate_v<T>
void add(RequestKey& key, const T& request) {
  constexpr int n = n_members<T>();
  static_assert(n >= 1 && n <= 10, "an aggregate of 1 to 10 members; write one more line below");
  if constexpr (n == 1) {
    const auto& [a] = request;
    add_all(key, a);
  } else if constexpr (n == 2) {
    const auto& [a, b] = request;
    add_all(key, a, b);
  } else if constexpr (n == 3) {
    const auto& [a, b, c] = request;
    add_all(key, a, b, c);
  } else if constexpr (n == 4) {
    const auto& [a, b, c, d] = request;
    add_all(key, a, b, c, d);
  } else if constexpr (n == 5) {
    const auto& [a, b, c, d, e] = request;
    add_all(key, a, b, c, d, e);
  } else if constexpr (n == 6) {
    const auto& [a, b, c, d, e, f] = request;
    add_all(key, a, b, c, d, e, f);
  } else if constexpr (n == 7) {
    const auto& [a, b, c, d, e, f, g] = request;
    add_all(key, a, b, c, d, e, f, g);
  } else if constexpr (n == 8) {
    const auto& [a, b, c, d, e, f, g, h] = request;
    add_all(key, a, b, c, d, e, f, g, h);
  } else if constexpr (n == 9) {
    const auto& [a, b, c, d, e, f, g, h, i] = request;
    add_all(key, a, b, c, d, e, f, g, h, i);
  } else {
    const auto& [a, b, c, d, e, f, g, h, i, j] = request;
    add_all(key, a, b, c, d, e, f, g, h, i, j);
  }
}

}  // namespace request_key

/// Ensures: two lists of requests of the same types have one key where all their members are equal, numbers bit for bit, and only there.
template <class... Requests>
RequestKey key_of(const Requests&... requests) {
  RequestKey key;
  request_key::add_all(key, requests...);
  return key;
}

}  // namespace crinkle
