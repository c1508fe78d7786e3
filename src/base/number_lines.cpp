// SPDX-License-Identifier: BSD-3-Clause
#include "base/number_lines.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "base/element_type.hpp"
#include "crinkle/error.hpp"
#include "crinkle/half.hpp"

namespace crinkle {
namespace {

template <class T, class E>
T from_element(E e) {
  if constexpr (std::is_same_v<E, Half>) return static_cast<T>(static_cast<float>(e));
  else return static_cast<T>(e);
}

template <class E, class T>
E to_element(T x) {
  if constexpr (std::is_same_v<E, Half>) {
    return Half(static_cast<float>(x));
  } else if constexpr (std::is_integral_v<E>) {
    // 1.5 · 2^52 has a last bit of 1: the sum is rounded to it, half to even.
    constexpr double least = std::numeric_limits<E>::min(), most = std::numeric_limits<E>::max(), magic = 0x1.8p52;
    const auto wide = static_cast<double>(x);
    const double inside = wide < least ? least : wide > most ? most : wide;
    const double rounded = (inside + magic) - magic;
    return rounded == rounded ? static_cast<E>(rounded) : E{0};
  } else {
    return static_cast<E>(x);
  }
}

template <class E>
E swapped(E e) {
  auto bytes = std::bit_cast<std::array<std::byte, sizeof(E)>>(e);
  std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<E>(bytes);
}

template <class E, class T>
void load(T* to, std::int64_t to_stride, const std::byte* from, std::int64_t stride, std::int64_t n, bool is_swapped) {
  const auto one = [&](std::int64_t i, std::int64_t step, std::int64_t to_step) {
    E e;
    std::memcpy(&e, from + i * step, sizeof e);
    to[i * to_step] = from_element<T>(is_swapped ? swapped(e) : e);
  };
  if (!is_swapped && to_stride == 1 && stride == static_cast<std::int64_t>(sizeof(E))) {
    if constexpr (std::is_same_v<E, T>) {
      if (n > 0) std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(E));
    } else {
      for (std::int64_t i = 0; i < n; ++i) one(i, sizeof(E), 1);
    }
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) one(i, stride, to_stride);
}

template <class E, class T>
void store(std::byte* to, std::int64_t stride, const T* from, std::int64_t from_stride, std::int64_t n, bool is_swapped) {
  const auto one = [&](std::int64_t i, std::int64_t step, std::int64_t from_step) {
    E e = to_element<E>(from[i * from_step]);
    if (is_swapped) e = swapped(e);
    std::memcpy(to + i * step, &e, sizeof e);
  };
  if (!is_swapped && from_stride == 1 && stride == static_cast<std::int64_t>(sizeof(E))) {
    if constexpr (std::is_same_v<E, T>) {
      if (n > 0) std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(E));
    } else {
      for (std::int64_t i = 0; i < n; ++i) one(i, sizeof(E), 1);
    }
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) one(i, stride, from_stride);
}

// Calls body with an element of the type.
template <class Body>
void with_element(Number number, const Body& body) {
  switch (number) {
    case Number::float16: return body(Half{});
    case Number::float32: return body(float{});
    case Number::float64: return body(double{});
    case Number::int8: return body(std::int8_t{});
    case Number::int16: return body(std::int16_t{});
    case Number::int32: return body(std::int32_t{});
    case Number::uint8: return body(std::uint8_t{});
    case Number::uint16: return body(std::uint16_t{});
    case Number::uint32: return body(std::uint32_t{});
  }
}

struct Named {
  Number number;
  const char* name;
  const char* code;
};
constexpr std::array<Named, 9> numbers = {{{Number::float16, "float16", "f2"},
                                           {Number::float32, "float32", "f4"},
                                           {Number::float64, "float64", "f8"},
                                           {Number::int8, "int8", "i1"},
                                           {Number::int16, "int16", "i2"},
                                           {Number::int32, "int32", "i4"},
                                           {Number::uint8, "uint8", "u1"},
                                           {Number::uint16, "uint16", "u2"},
                                           {Number::uint32, "uint32", "u4"}}};

}  // namespace

std::int64_t bytes_of(Number number) noexcept { return numbers[static_cast<std::size_t>(number)].code[1] - '0'; }
const char* name_of(Number number) noexcept { return numbers[static_cast<std::size_t>(number)].name; }

Number parse_number(std::string_view name) {
  const std::string code = code_of_type(name);
  std::string all;
  for (const Named& known : numbers) {
    if (code == known.code) return known.number;
    all += (all.empty() ? "" : ", ") + std::string(known.name);
  }
  throw Error(ErrorCode::unsupported, "nothing is computed with " + std::string(name) + "; the types are " + all);
}

template <class T>
void load_line(T* to, std::int64_t to_stride, const std::byte* from, std::int64_t stride, std::int64_t n, NumberType type) {
  with_element(type.number, [&](auto e) { load<decltype(e)>(to, to_stride, from, stride, n, type.is_swapped); });
}

template <class T>
void store_line(std::byte* to, std::int64_t stride, const T* from, std::int64_t from_stride, std::int64_t n, NumberType type) {
  with_element(type.number, [&](auto e) { store<decltype(e)>(to, stride, from, from_stride, n, type.is_swapped); });
}

template <class T>
void settle_line(T* x, std::int64_t n, NumberType type) {
  with_element(type.number, [&](auto e) {
    for (std::int64_t i = 0; i < n; ++i) x[i] = from_element<T>(to_element<decltype(e)>(x[i]));
  });
}

template void load_line(float*, std::int64_t, const std::byte*, std::int64_t, std::int64_t, NumberType);
template void load_line(double*, std::int64_t, const std::byte*, std::int64_t, std::int64_t, NumberType);
template void store_line(std::byte*, std::int64_t, const float*, std::int64_t, std::int64_t, NumberType);
template void store_line(std::byte*, std::int64_t, const double*, std::int64_t, std::int64_t, NumberType);
template void settle_line(float*, std::int64_t, NumberType);
template void settle_line(double*, std::int64_t, NumberType);

}  // namespace crinkle
