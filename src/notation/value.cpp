// One reader per kind of type: truth values, integers, floating-point and complex numbers. A number outside the type's range is refused;
// a real one within it is rounded to the nearest.
// SPDX-License-Identifier: BSD-3-Clause
#include "notation/value.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "base/caret.hpp"
#include "base/element_type.hpp"

namespace crinkle {
namespace {

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
  std::vector<std::byte> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

class ValueParser {
 public:
  ValueParser(std::string_view text, std::string_view type) : text_(text), type_(type), code_(code_of_type(type)) {}

  std::vector<std::byte> parse() const {
    if (code_ == "b1") return truth();
    if (code_ == "i1") return integer<std::int8_t>();
    if (code_ == "i2") return integer<std::int16_t>();
    if (code_ == "i4") return integer<std::int32_t>();
    if (code_ == "i8") return integer<std::int64_t>();
    if (code_ == "u1") return integer<std::uint8_t>();
    if (code_ == "u2") return integer<std::uint16_t>();
    if (code_ == "u4") return integer<std::uint32_t>();
    if (code_ == "u8") return integer<std::uint64_t>();
    if (code_ == "f2") return bytes_of(half());
    if (code_ == "f4") return bytes_of(real<float>(text_));
    if (code_ == "f8") return bytes_of(real<double>(text_));
    if (code_ == "c8") return complex<float>();
    if (code_ == "c16") return complex<double>();
    throw Error(ErrorCode::unsupported,
                "an element of type '" + shown(type_) + "' cannot be written as text; its pads are zero bytes, where no value is given");
  }

 private:
  Error error(const std::string& wanted) const {
    return notation_error(text_, 0, text_.size(), "expected " + wanted + " for type " + shown(type_) + ", found '" + shown(text_) + "'");
  }

  std::vector<std::byte> truth() const {
    const bool is_true = text_ == "1" || text_ == "true" || text_ == "True";
    const bool is_false = text_ == "0" || text_ == "false" || text_ == "False";
    if (!is_true && !is_false) throw error("true, false, 1 or 0");
    return {std::byte{is_true}};
  }

  template <class T>
  std::vector<std::byte> integer() const {
    const bool is_negative = text_.starts_with('-');
    std::string_view digits = text_.substr(is_negative || text_.starts_with('+') ? 1 : 0);
    const bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    if (is_hexadecimal) digits.remove_prefix(2);

    std::uint64_t magnitude = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, status] = std::from_chars(digits.data(), end, magnitude, is_hexadecimal ? 16 : 10);
    const std::string range =
        "an integer from " + std::to_string(std::numeric_limits<T>::min()) + " to " + std::to_string(std::numeric_limits<T>::max());
    if (status == std::errc::invalid_argument || stop != end) throw error(range);

    const auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    const std::uint64_t limit = !is_negative ? most : std::numeric_limits<T>::is_signed ? most + 1 : 0;
    if (status != std::errc{} || magnitude > limit) throw error(range);
    return bytes_of(static_cast<T>(is_negative ? 0 - magnitude : magnitude));
  }

  template <class T>
  T real(std::string_view number) const {
    const bool has_plus = number.size() > 1 && number[0] == '+' && number[1] != '-';
    if (has_plus) number.remove_prefix(1);
    T value = 0;
    const char* end = number.data() + number.size();
    const auto [stop, status] = std::from_chars(number.data(), end, value);
    if (status == std::errc::invalid_argument || stop != end) throw error("a number, nan or inf");
    if (status == std::errc{}) return value;
    throw error(sizeof(T) == 4 ? "a number between 1.4e-45 and 3.4e38 in size, 0, nan or inf"
                               : "a number between 4.9e-324 and 1.8e308 in size, 0, nan or inf");
  }

  /// The 16 bits of an IEEE half, rounded to the nearest, ties to even.
  std::uint16_t half() const {
    const double value = real<double>(text_);
    const unsigned sign = std::signbit(value) ? 0x8000U : 0U;
    const double size = std::fabs(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00U);
    if (std::isinf(value)) return static_cast<std::uint16_t>(sign | 0x7c00U);
    if (size >= 65520.0) throw error("a number from -65504 to 65504, nan or inf");
    if (size < 0x1p-14) return static_cast<std::uint16_t>(sign | static_cast<unsigned>(std::nearbyint(size * 0x1p24)));
    int exponent = 0;  // size = fraction · 2^exponent, fraction in [0.5, 1)
    const double fraction = std::frexp(size, &exponent);
    const auto significand = static_cast<unsigned>(std::nearbyint(fraction * 0x1p11));  // 1024 … 2048; a carry lands in the exponent
    return static_cast<std::uint16_t>(sign | ((static_cast<unsigned>(exponent + 14) << 10) + significand - 1024U));
  }

  /// `1.5`, `2j` or `1.5-2j`.
  template <class T>
  std::vector<std::byte> complex() const {
    std::array<T, 2> parts = {0, 0};  // real, imaginary
    if (!text_.ends_with('j')) {
      parts[0] = real<T>(text_);
    } else {
      const std::string_view body = text_.substr(0, text_.size() - 1);
      std::size_t split = body.size();  // the sign before the imaginary part; 0 where there is no real part
      while (split > 0 && !is_sign_of_number(body, split)) --split;
      if (split > 0) parts[0] = real<T>(body.substr(0, split));
      parts[1] = real<T>(body.substr(split));
    }
    return bytes_of(parts);
  }

  static bool is_sign_of_number(std::string_view body, std::size_t at) {
    const bool is_sign = at < body.size() && (body[at] == '+' || body[at] == '-');
    return is_sign && body[at - 1] != 'e' && body[at - 1] != 'E';
  }

  std::string_view text_;
  std::string_view type_;
  std::string code_;
};

}  // namespace

std::vector<std::byte> parse_value(std::string_view text, std::string_view type) { return ValueParser(text, type).parse(); }

}  // namespace crinkle
