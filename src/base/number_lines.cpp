// SPDX-License-Identifier: BSD-3-Clause
#include "base/number_lines.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <type_traits>

#include "base/element_type.hpp"
#include "base/number_element.hpp"
#include "crinkle/error.hpp"

namespace crinkle {
namespace {

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

struct Named {
  Number number;
  const char* name;
  const char* code;
};
constexpr std::array<Named, 11> numbers = {{{Number::float16, "float16", "f2"},
                                            {Number::float32, "float32", "f4"},
                                            {Number::float64, "float64", "f8"},
                                            {Number::int8, "int8", "i1"},
                                            {Number::int16, "int16", "i2"},
                                            {Number::int32, "int32", "i4"},
                                            {Number::uint8, "uint8", "u1"},
                                            {Number::uint16, "uint16", "u2"},
                                            {Number::uint32, "uint32", "u4"},
                                            {Number::int64, "int64", "i8"},
                                            {Number::uint64, "uint64", "u8"}}};

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
