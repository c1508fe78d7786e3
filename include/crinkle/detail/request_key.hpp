// The cache of plans looks a request up by its key: every member of it, and of what lies in it, as numbers one behind the other. A member
// that is new, or whose type is not known here, is in the key or does not compile.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "crinkle/detail/members.hpp"

namespace crinkle::detail {

using RequestKey = std::vector<std::int64_t>;

template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void add_to_key(RequestKey& key, T number) {
  if constexpr (std::same_as<T, double>) key.push_back(std::bit_cast<std::int64_t>(number));
  else if constexpr (std::same_as<T, float>) key.push_back(std::bit_cast<std::int32_t>(number));
  else key.push_back(static_cast<std::int64_t>(number));
}

inline void add_to_key(RequestKey& key, const std::string& text) {
  key.push_back(std::ssize(text));
  for (const char c : text) key.push_back(c);
}

template <class T>
  requires std::is_aggregate_v<T>
void add_to_key(RequestKey& key, const T& request);

/// A class with constructors whose only members are low and high.
template <class T>
concept LowAndHigh = !std::is_aggregate_v<T> && requires(const T& ends) {
  ends.low;
  ends.high;
  requires sizeof(T) == sizeof ends.low + sizeof ends.high;
};
template <LowAndHigh T>
void add_to_key(RequestKey& key, const T& ends) {
  add_to_key(key, ends.low);
  add_to_key(key, ends.high);
}

template <class T>
void add_to_key(RequestKey& key, const std::vector<T>& list) {
  key.push_back(std::ssize(list));
  for (const T& one : list) add_to_key(key, one);
}

template <class T>
  requires std::is_aggregate_v<T>
void add_to_key(RequestKey& key, const T& request) {
  with_members(request, [&](const auto&... members) { (add_to_key(key, members), ...); });
}

/// Ensures: two lists of requests of the same types have one key where all their members are equal, numbers bit for bit, and only there.
template <class... Requests>
RequestKey key_of(const Requests&... requests) {
  RequestKey key;
  (add_to_key(key, requests), ...);
  return key;
}

/// The first number of a type's keys; every type has its own.
template <class T>
std::int64_t kind_of_key() {
  static const char place = 0;  // has an address of its own
  return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&place));
}

}  // namespace crinkle::detail
