// One reader per kind of type: truth values, integers, floating-point and complex numbers, times, text and raw bytes. What is outside the
// type's range is refused; a real number within it is rounded to the nearest.
// SPDX-License-Identifier: BSD-3-Clause
#include "notation/value.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "base/caret.hpp"
#include "base/element_type.hpp"
#include "base/utf8.hpp"
#include "notation/moment.hpp"

namespace crinkle {
namespace {

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
  std::vector<std::byte> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

// A long double in `n` bytes: 10 of them tell the number on x86, padding is zero.
std::vector<std::byte> bytes_of(long double value, std::size_t n) {
  constexpr bool is_x87 = std::numeric_limits<long double>::digits == 64;
  std::vector<std::byte> bytes(n);
  std::memcpy(bytes.data(), &value, is_x87 ? 10 : std::min(n, sizeof(value)));
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
    if (code_ == "f12" || code_ == "f16") return bytes_of(real<long double>(text_), n_items());
    if (code_ == "c24" || code_ == "c32") return complex<long double>();
    if (code_ == "M8") return moment();
    if (code_ == "m8") return span_of_time();
    if (code_.starts_with('S')) return text();
    if (code_.starts_with('U')) return characters();
    if (code_.starts_with('V')) return raw_bytes();
    throw Error(ErrorCode::unsupported,
                "an element of type '" + shown(type_) + "' cannot be written as text; its pads are zero bytes, where no value is given");
  }

 private:
  Error error(const std::string& wanted) const {
    return notation_error(text_, 0, text_.size(), "expected " + wanted + " for type " + shown(type_) + ", found '" + shown(text_) + "'");
  }

  // The number in the code: bytes, or characters.
  std::size_t n_items() const {
    std::size_t n = 0;
    std::from_chars(code_.data() + 1, code_.data() + code_.size(), n);
    return n;
  }

  std::vector<std::byte> moment() const {
    const std::string_view unit = time_unit_of_type(type_);
    return unit.empty() ? span_of_time() : bytes_of(parse_moment(text_, unit));
  }

  /// A number of units, as a timedelta64 and a datetime64 without a unit have it.
  std::vector<std::byte> span_of_time() const {
    if (is_not_a_time(text_)) return bytes_of(not_a_time);
    std::vector<std::byte> bytes = integer<std::int64_t>(" or NaT");
    if (bytes == bytes_of(not_a_time)) throw error("an integer from -9223372036854775807 to 9223372036854775807 or NaT");
    return bytes;
  }

  /// The bytes of the text, zeros behind them.
  std::vector<std::byte> text() const {
    if (text_.size() > n_items())
      throw error("text of at most " + counted(n_items(), "byte") + ", not of " + std::to_string(text_.size()) + ",");
    std::vector<std::byte> bytes(n_items());
    std::memcpy(bytes.data(), text_.data(), text_.size());
    return bytes;
  }

  /// The characters of the text as 32 bits each, zeros behind them.
  std::vector<std::byte> characters() const {
    std::vector<std::byte> bytes;
    for (std::size_t at = 0, n = 0; at < text_.size(); at += n) {
      char32_t point = 0;
      n = utf8_bytes_at(text_, at, point);
      if (n == 0) throw notation_error(text_, at, 1, "expected text in UTF-8 for type " + shown(type_));
      const std::vector<std::byte> character = bytes_of(static_cast<std::uint32_t>(point));
      bytes.insert(bytes.end(), character.begin(), character.end());
    }
    if (bytes.size() > 4 * n_items())
      throw error("text of at most " + counted(n_items(), "character") + ", not of " + std::to_string(bytes.size() / 4) + ",");
    bytes.resize(4 * n_items());
    return bytes;
  }

  std::vector<std::byte> raw_bytes() const {
    const bool is_hexadecimal = text_.starts_with("0x") || text_.starts_with("0X");
    const std::string_view digits = text_.substr(is_hexadecimal ? 2 : 0);
    std::vector<std::byte> bytes(n_items());
    bool is_right = is_hexadecimal && digits.size() == 2 * bytes.size();
    for (std::size_t i = 0; i < bytes.size() && is_right; ++i) {
      unsigned byte = 0;
      const char* first = digits.data() + 2 * i;
      is_right = std::from_chars(first, first + 2, byte, 16).ptr == first + 2;
      bytes[i] = static_cast<std::byte>(byte);
    }
    if (!is_right) throw error("0x and " + counted(2 * bytes.size(), "hexadecimal digit") + ", the bytes in the order in which they lie,");
    return bytes;
  }
  static std::string counted(std::size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

  std::vector<std::byte> truth() const {
    const bool is_true = text_ == "1" || text_ == "true" || text_ == "True";
    const bool is_false = text_ == "0" || text_ == "false" || text_ == "False";
    if (!is_true && !is_false) throw error("true, false, 1 or 0");
    return {std::byte{is_true}};
  }

  template <class T>
  std::vector<std::byte> integer(const char* or_else = "") const {
    const bool is_negative = text_.starts_with('-');
    std::string_view digits = text_.substr(is_negative || text_.starts_with('+') ? 1 : 0);
    const bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    if (is_hexadecimal) digits.remove_prefix(2);

    std::uint64_t magnitude = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, status] = std::from_chars(digits.data(), end, magnitude, is_hexadecimal ? 16 : 10);
    const std::string range = "an integer from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                              std::to_string(std::numeric_limits<T>::max()) + or_else;
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
    throw error(sizeof(T) == 4   ? "a number between 1.4e-45 and 3.4e38 in size, 0, nan or inf"
                : sizeof(T) == 8 ? "a number between 4.9e-324 and 1.8e308 in size, 0, nan or inf"
                                 : "a number between 3.7e-4951 and 1.1e4932 in size, 0, nan or inf");
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
    if constexpr (sizeof(T) > 8) {
      std::vector<std::byte> bytes = bytes_of(parts[0], n_items() / 2), imaginary = bytes_of(parts[1], n_items() / 2);
      bytes.insert(bytes.end(), imaginary.begin(), imaginary.end());
      return bytes;
    } else {
      return bytes_of(parts);
    }
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
