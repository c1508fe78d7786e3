// Types of numbers that are read from arrays and written to them by what computes: stencils, resampling.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

namespace crinkle {

enum class Number : std::uint8_t { float16, float32, float64, int8, int16, int32, uint8, uint16, uint32, int64, uint64 };
std::int64_t bytes_of(Number number) noexcept;
const char* name_of(Number number) noexcept;
/// "float32", "f4", "<f4" …. Throws unsupported, naming them all.
Number parse_number(std::string_view name);

/// The type of an element: a number, perhaps in the other byte order than the machine's.
struct NumberType {
  Number number = Number::float32;
  bool is_swapped = false;

  friend bool operator==(const NumberType&, const NumberType&) = default;
};

}  // namespace crinkle
