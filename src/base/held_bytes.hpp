// Memory that values have beside themselves: elements of lists, what pointers own, and what lies in these, with what the allocator adds.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>

#include "crinkle/detail/members.hpp"

namespace crinkle {

/// The bytes that one allocation of n bytes takes.
constexpr std::int64_t allocated_bytes(std::int64_t n) { return n == 0 ? 0 : std::max<std::int64_t>(32, (n + 23) / 16 * 16); }

inline std::int64_t held_by(const std::string& text) {
  constexpr std::size_t inside = 15;
  return text.capacity() <= inside ? 0 : allocated_bytes(static_cast<std::int64_t>(text.capacity()) + 1);
}

/// The bytes that a value holds. One with held_bytes() says them itself, its own size included if it is behind a pointer alone.
template <class T>
std::int64_t held_by(const T& value) {
  if constexpr (requires { value.held_bytes(); }) {
    return value.held_bytes();
  } else if constexpr (requires { value.capacity(), value.data(); }) {
    using Element = std::remove_cvref_t<decltype(*value.data())>;
    std::int64_t n = 0;
    if constexpr (requires { value.is_inline(); }) n = value.is_inline() ? 0 : static_cast<std::int64_t>(value.capacity());
    else n = static_cast<std::int64_t>(value.capacity());
    n = allocated_bytes(n * static_cast<std::int64_t>(sizeof(Element)));
    if constexpr (!std::is_trivially_copyable_v<Element>)
      for (const Element& element : value) n += held_by(element);
    return n;
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    return std::apply([](const auto&... elements) { return (std::int64_t{0} + ... + held_by(elements)); }, value);
  } else if constexpr (requires { value.has_value(), *value; }) {
    return value.has_value() ? held_by(*value) : 0;
  } else if constexpr (requires { value.get(), *value; }) {
    using Owned = std::remove_cvref_t<decltype(*value)>;
    if (value == nullptr) return 0;
    if constexpr (std::is_polymorphic_v<Owned>) return value->held_bytes();
    else return allocated_bytes(static_cast<std::int64_t>(sizeof(Owned)) + 16) + held_by(*value);
  } else if constexpr (std::is_trivially_copyable_v<T>) {
    return 0;
  } else {
    return detail::with_members(value, [](const auto&... members) { return (std::int64_t{0} + ... + held_by(members)); });
  }
}

/// The bytes that several values hold.
template <class... T>
  requires(sizeof...(T) > 1)
std::int64_t held_by(const T&... values) {
  return (std::int64_t{0} + ... + held_by(values));
}

}  // namespace crinkle
