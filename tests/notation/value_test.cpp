// Values as text: the bytes of every element type, and what is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "notation/value.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "notation/expect_error.hpp"

namespace crinkle::value_test {
namespace {

using testing::error_of;

template <class T>
T value(std::string_view text, std::string_view type) {
  const std::vector<std::byte> bytes = parse_value(text, type);
  T result{};
  EXPECT_EQ(bytes.size(), sizeof(T));
  if (bytes.size() == sizeof(T)) std::memcpy(&result, bytes.data(), sizeof(T));
  return result;
}

TEST(value, integers_reach_both_ends_of_their_range) {
  EXPECT_EQ(value<std::int8_t>("-128", "i1"), -128);
  EXPECT_EQ(value<std::uint8_t>("255", "u1"), 255);
  EXPECT_EQ(value<std::uint8_t>("-0", "u1"), 0);
  EXPECT_EQ(value<std::int16_t>("0x7fff", "int16"), 32767);
  EXPECT_EQ(value<std::int32_t>("-0x80000000", "<i4"), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(value<std::int64_t>("-9223372036854775808", "i8"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value<std::uint64_t>("18446744073709551615", "u8"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(value<std::uint16_t>("+7", ">u2"), 7) << "native order, whatever the type says";
}

TEST(value, reals_are_the_nearest) {
  EXPECT_EQ(value<float>("3.5", "f4"), 3.5F);
  EXPECT_EQ(value<float>("0.1", "float32"), 0.1F);
  EXPECT_EQ(value<double>("-1e300", "f8"), -1e300);
  EXPECT_TRUE(std::isnan(value<float>("nan", "f4")));
  EXPECT_EQ(value<double>("-inf", "f8"), -std::numeric_limits<double>::infinity());
}

TEST(value, halves_round_to_the_nearest_even) {
  EXPECT_EQ(value<std::uint16_t>("1", "f2"), 0x3c00);
  EXPECT_EQ(value<std::uint16_t>("-2", "f2"), 0xc000);
  EXPECT_EQ(value<std::uint16_t>("65504", "f2"), 0x7bff);
  EXPECT_EQ(value<std::uint16_t>("0.1", "f2"), 0x2e66);
  EXPECT_EQ(value<std::uint16_t>("2049", "f2"), 0x6800);                   // a tie, to the even 2048
  EXPECT_EQ(value<std::uint16_t>("2047.5", "f2"), 0x6800);                 // a carry into the exponent
  EXPECT_EQ(value<std::uint16_t>("5.9604644775390625e-8", "f2"), 0x0001);  // the least subnormal
  EXPECT_EQ(value<std::uint16_t>("0.00006103515625", "f2"), 0x0400);       // the least normal
  EXPECT_EQ(value<std::uint16_t>("nan", "f2"), 0x7e00);
  EXPECT_EQ(value<std::uint16_t>("-inf", "f2"), 0xfc00);
}

TEST(value, complex_numbers_have_one_or_two_parts) {
  using Complex = std::array<float, 2>;
  EXPECT_EQ(value<Complex>("1.5-2j", "c8"), (Complex{1.5F, -2.0F}));
  EXPECT_EQ(value<Complex>("2j", "complex64"), (Complex{0.0F, 2.0F}));
  EXPECT_EQ(value<Complex>("-1e-3", "c8"), (Complex{-1e-3F, 0.0F}));
  EXPECT_EQ(value<Complex>("-1e-3+4e+2j", "c8"), (Complex{-1e-3F, 400.0F}));
  EXPECT_EQ((value<std::array<double, 2>>("inf-infj", "c16")[1]), -std::numeric_limits<double>::infinity());
}

TEST(value, truth_is_a_word_or_a_bit) {
  EXPECT_EQ(value<std::uint8_t>("True", "b1"), 1);
  EXPECT_EQ(value<std::uint8_t>("0", "bool"), 0);
}

std::string hexadecimal(std::string_view text, std::string_view type) {
  std::string digits;
  for (const std::byte b : parse_value(text, type)) {
    for (const int shift : {4, 0}) digits += "0123456789abcdef"[std::to_integer<unsigned>(b) >> shift & 15U];
  }
  return digits;
}

TEST(value, long_doubles_have_zero_padding) {
  if (std::numeric_limits<long double>::digits != 64) GTEST_SKIP() << "not the long double of x86";
  EXPECT_EQ(hexadecimal("0.1", "float128"), "cdccccccccccccccfb3f000000000000") << "all 64 bits of the significand";
  EXPECT_EQ(hexadecimal("-1e4000", "f12").substr(16), "e6f30000");
  EXPECT_EQ(hexadecimal("-2-1j", "c32"),
            "000000000000008000c0000000000000"
            "0000000000000080ffbf000000000000");
  EXPECT_EQ(hexadecimal("1j", "complex192"),
            "000000000000000000000000"
            "0000000000000080ff3f0000");
}

TEST(value, text_and_raw_bytes_lie_in_the_order_written) {
  EXPECT_EQ(hexadecimal("abc", "S5"), "6162630000");
  EXPECT_EQ(hexadecimal("\xc3\xa4", "S2"), "c3a4") << "the bytes of the text, whatever they are";
  EXPECT_EQ(hexadecimal("\xc3\xa4\xf0\x9f\xa6\x8b", ">U3"), "e40000008bf9010000000000") << "native order, whatever the type says";
  EXPECT_EQ(hexadecimal("0x01Ff7a", "V3"), "01ff7a");
  EXPECT_EQ(hexadecimal("0x0102", "16 bits"), "0102");
  EXPECT_EQ(error_of(ErrorCode::bad_notation, [] { parse_value("eight888", "S7"); }),
            "expected text of at most 7 bytes, not of 8, for type S7, found 'eight888'\n"
            "  eight888\n"
            "  ^^^^^^^^");
}

TEST(value, what_does_not_fit_is_refused_with_the_range) {
  EXPECT_EQ(error_of(ErrorCode::bad_notation, [] { parse_value("300", "uint8"); }),
            "expected an integer from 0 to 255 for type uint8, found '300'\n"
            "  300\n"
            "  ^^^");
  for (const auto& [text, type] : std::initializer_list<std::pair<const char*, const char*>>{{"-129", "i1"},
                                                                                             {"128", "i1"},
                                                                                             {"-1", "u4"},
                                                                                             {"18446744073709551616", "u8"},
                                                                                             {"-9223372036854775809", "i8"},
                                                                                             {"1.5", "i4"},
                                                                                             {"", "i4"},
                                                                                             {"0x", "i4"},
                                                                                             {"--1", "i4"},
                                                                                             {"65520", "f2"},
                                                                                             {"1e39", "f4"},
                                                                                             {"1e400", "f8"},
                                                                                             {"", "f4"},
                                                                                             {"+-1", "f4"},
                                                                                             {"1f", "f4"},
                                                                                             {"2", "b1"},
                                                                                             {"j", "c8"},
                                                                                             {"1+2", "c8"},
                                                                                             {"1e5000", "f16"},
                                                                                             {"1+2j ", "c32"},
                                                                                             {"1.5", "m8[s]"},
                                                                                             {"-9223372036854775808", "m8[s]"},
                                                                                             {"2020-01-31", "M8"},
                                                                                             {"eight888", "S7"},
                                                                                             {"äöüß", "U3"},
                                                                                             {"\xff", "U3"},
                                                                                             {"0x0102", "V3"},
                                                                                             {"010203", "V3"},
                                                                                             {"0x01020g", "V3"},
                                                                                             {"1+2i", "c16"}}) {
    error_of(ErrorCode::bad_notation, [&] { parse_value(text, type); });
  }
  error_of(ErrorCode::unsupported, [] { parse_value("1", "nonsense"); });
}

}  // namespace
}  // namespace crinkle::value_test
