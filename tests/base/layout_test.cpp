// Layouts, shapes and element types: dense strides, sizes that are impossible, and every way a shape is written.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/layout.hpp"

#include <gtest/gtest.h>

#include "crinkle/error.hpp"

namespace crinkle::layout_test {
namespace {

constexpr std::int64_t most = INT64_MAX;

struct WrongShape {
  const char* text;
  ErrorCode code;
  const char* carets;
};

class wrong_shape : public ::testing::TestWithParam<WrongShape> {};

TEST_P(wrong_shape, is_refused_with_a_caret_under_the_place) {
  try {
    parse_shape(GetParam().text);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_STREQ(name_of(error.code()), name_of(GetParam().code)) << error.what();
    EXPECT_TRUE(std::string(error.what()).ends_with("\n  " + std::string(GetParam().text) + "\n  " + GetParam().carets)) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    shape, wrong_shape,
    ::testing::Values(WrongShape{"64,-5", ErrorCode::bad_shape, "   ^^"}, WrongShape{"[4][-1]", ErrorCode::bad_shape, "    ^^"},
                      WrongShape{"4,9223372036854775808", ErrorCode::too_large, "  ^^^^^^^^^^^^^^^^^^^"},
                      WrongShape{"64x512", ErrorCode::bad_shape, "^^^^^^"}, WrongShape{"64,", ErrorCode::bad_shape, "   ^"},
                      WrongShape{",64", ErrorCode::bad_shape, "^"}, WrongShape{"[64", ErrorCode::bad_shape, "^"},
                      WrongShape{"[64]]", ErrorCode::bad_shape, "    ^"}, WrongShape{"[64][]", ErrorCode::bad_shape, "     ^"},
                      WrongShape{"[64][[5]]", ErrorCode::bad_shape, "     ^"}, WrongShape{"64]", ErrorCode::bad_shape, "  ^"},
                      WrongShape{"[64] 5", ErrorCode::bad_shape, "     ^"}, WrongShape{"[float32][64]", ErrorCode::bad_shape, " ^^^^^^^"},
                      WrongShape{"[64][flaot32]", ErrorCode::bad_shape, "     ^^^^^^^"},
                      WrongShape{"[64][7 bits]", ErrorCode::bad_shape, "     ^^^^^^"},
                      WrongShape{"[64][0 bits]", ErrorCode::bad_shape, "     ^^^^^^"}, WrongShape{"3.5", ErrorCode::bad_shape, "^^^"}));

TEST(shape, commas_and_brackets_say_the_same) {
  const Extents extents = {64, 512, 1};
  for (const char* text : {"64,512,1", "[64][512][1]", " 64 , 512, 1 ", "[ 64 ] [512][1]", "[64, 512, 1]", "[64][512, 1]"}) {
    EXPECT_EQ(parse_shape(text).extents, extents) << text;
    EXPECT_EQ(parse_shape(text).element_bytes, 0) << text;
  }
  EXPECT_TRUE(parse_shape("").extents.empty());
  EXPECT_TRUE(parse_shape(" [ ] ").extents.empty());
  EXPECT_EQ(parse_shape("0").extents, Extents{0});
  EXPECT_EQ(parse_shape("9223372036854775807").extents, Extents{most});
}

TEST(shape, the_element_part_is_a_type_or_bits) {
  for (const char* text : {"[128][64][int32]", "[128, 64, int32]", "128,64,<i4", "[128][64][32 bits]"}) {
    EXPECT_EQ(parse_shape(text).extents, (Extents{128, 64})) << text;
    EXPECT_EQ(parse_shape(text).element_bytes, 4) << text;
  }
  EXPECT_EQ(parse_shape("[128][64][int32]").element, "int32");
  const Shape bits = parse_shape("[128][64][32]", LastNumber::is_element_bits);
  EXPECT_EQ(bits.extents, (Extents{128, 64}));
  EXPECT_EQ(bits.element_bytes, 4);
  EXPECT_EQ(bytes_of_type(bits.element), 4);
  EXPECT_EQ(parse_shape("[128][64][int16]", LastNumber::is_element_bits).element_bytes, 2);
}

TEST(shape, errors_read_as_help) {
  const auto text_of = [](const char* text) -> std::string {
    try {
      parse_shape(text);
    } catch (const Error& error) { return error.what(); }
    return "";
  };
  EXPECT_EQ(text_of("[64][7 bits]"),
            "an element has whole bytes, 8 bits or a multiple, not 7 bits\n"
            "  [64][7 bits]\n"
            "       ^^^^^^");
  EXPECT_EQ(text_of("[64][flaot32]"),
            "expected an extent or an element type, found 'flaot32'; did you mean float32?\n"
            "  [64][flaot32]\n"
            "       ^^^^^^^");
}

TEST(shape, print_and_parse_are_inverse) {
  for (const Extents& extents : {Extents{}, Extents{0}, Extents{3, 1, most}}) {
    EXPECT_EQ(parse_shape(print_shape(extents)).extents, extents);
    const Shape shape = parse_shape(print_shape(extents, 16), LastNumber::is_element_bits);
    EXPECT_EQ(shape.extents, extents);
    EXPECT_EQ(shape.element_bytes, 16);
  }
  EXPECT_EQ(print_shape({64, 512}, 4), "[64][512][32]");
}

TEST(layout, dense_strides_are_products_of_the_faster_extents) {
  const Layout layout = Layout::dense({2, 3, 4}, 8);
  EXPECT_EQ(layout.strides, (Extents{96, 32, 8}));
  EXPECT_EQ(layout.n_elements(), 24);
  EXPECT_EQ(layout.n_bytes(), 192);
  EXPECT_TRUE(layout.is_dense());
  const Layout fortran = Layout::dense_fortran({2, 3, 4}, 8);
  EXPECT_EQ(fortran.strides, (Extents{8, 16, 48}));
  EXPECT_FALSE(fortran.is_dense());
  EXPECT_TRUE(Layout::dense_fortran({1, 5, 1}, 8).is_dense());
  EXPECT_EQ(Layout::dense({3, 0, 4}, 8).strides, (Extents{32, 32, 8})) << "as NumPy has it";
  EXPECT_EQ(Layout::dense({3, 0, 4}, 8).n_bytes(), 0);
  EXPECT_EQ(Layout::dense({}, 8).n_elements(), 1);
  Layout moved = layout;
  moved.offset = 8;
  EXPECT_FALSE(moved.is_dense());
}

TEST(layout, impossible_sizes_are_refused) {
  const auto code_of = [](const auto& act) {
    try {
      act();
    } catch (const Error& error) { return std::string(name_of(error.code())); }
    return std::string("none");
  };
  EXPECT_EQ(code_of([] { Layout::dense({-1}, 4); }), "bad_shape");
  EXPECT_EQ(code_of([] { Layout::dense({1}, 0); }), "bad_shape");
  EXPECT_EQ(code_of([] { Layout::dense({most}, 2); }), "too_large");
  EXPECT_EQ(code_of([] { Layout::dense_fortran({1LL << 32, 1LL << 31}, 1); }), "too_large");
  EXPECT_EQ(code_of([] { Layout::dense({0, 1LL << 32, 1LL << 32}, 1); }), "too_large");
  EXPECT_EQ(code_of([] { Layout::dense({1LL << 31, 1LL << 31}, 1); }), "none");
}

TEST(element_types, numpy_names_and_codes_have_bytes) {
  for (const auto& [name, bytes] : std::initializer_list<std::pair<const char*, std::int64_t>>{
           {"float32", 4}, {"f4", 4},        {"<f4", 4},    {">f8", 8},     {"complex128", 16},
           {"c16", 16},    {"bool", 1},      {"|b1", 1},    {"?", 1},       {"S7", 7},
           {"U3", 12},     {"V16", 16},      {"M8[ns]", 8}, {"<m8[us]", 8}, {"datetime64[25s]", 8},
           {"M8[s/4]", 8}, {"float128", 16}, {"uint8", 1},  {"half", 2},    {"64 bits", 8}}) {
    EXPECT_EQ(bytes_of_type(name), bytes) << name;
  }
  for (const char* name : {"",
                           "f",
                           "f3",
                           "f4x",
                           "i16",
                           "S0",
                           "S-1",
                           "int",
                           "float",
                           "O",
                           "O8",
                           "f 4",
                           "<",
                           "bits",
                           "7 bits",
                           "S99999999999999999999",
                           "V2147483648",
                           "M8[",
                           "<<f4",
                           "M8[]",
                           "M8[3]",
                           "M8[ns][3]",
                           "<m8[D][2,3]",
                           "datetime64[ns][3]",
                           "timedelta64[4]",
                           "M8[s/]",
                           "M8[/4]",
                           "M8[s/x]",
                           "M8[sec]"}) {
    EXPECT_EQ(bytes_of_type(name), 0) << name;
  }
}

}  // namespace
}  // namespace crinkle::layout_test
