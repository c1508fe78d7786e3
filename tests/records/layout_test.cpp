// Record layouts as text: what is read, printed and refused, and how many bytes they take.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "crinkle/error.hpp"
#include "crinkle/record_layout.hpp"
#include "notation/expect_error.hpp"
#include "support/records.hpp"

namespace crinkle::testing::layout_test {
namespace {

const Fields& four() {
  static const Fields fields = parse_fields("x:f4 y:f4 z:f4 p:f4");
  return fields;
}

TEST(RecordFields, are_read_with_every_fixed_size_type) {
  const Fields fields = parse_fields("  x:f4 id:>u8\tc:complex128 name:S7 u:U3 t:datetime64[ns] v:f4[3] m:i2[2,3] r:V5");
  ASSERT_EQ(fields.size(), 9u);
  EXPECT_EQ(fields[1], (Field{"id", ">u8", 8, 1, true}));
  EXPECT_EQ(fields[2], (Field{"c", "complex128", 8, 2}));
  EXPECT_EQ(fields[3], (Field{"name", "S7", 1, 7}));
  EXPECT_EQ(fields[4], (Field{"u", "U3", 4, 3}));
  EXPECT_EQ(fields[5], (Field{"t", "datetime64[ns]", 8, 1}));
  EXPECT_EQ(fields[6], (Field{"v", "f4[3]", 4, 3}));
  EXPECT_EQ(fields[7], (Field{"m", "i2[2,3]", 2, 6}));
  EXPECT_EQ(fields[8].alignment(), 1);
  EXPECT_EQ((Field{"", "", 12, 1}).alignment(), 4);
  EXPECT_EQ((Field{"", "", 32, 1}).alignment(), 16);
  EXPECT_EQ(parse_fields(print_fields(fields)), fields);
}

TEST(RecordFields, of_times_may_be_arrays) {
  const Fields fields = parse_fields("a:M8[ns][3] b:>m8[25s][2,3] c:datetime64[D][4][5] d:M8[3] e:M8[s/4]");
  ASSERT_EQ(fields.size(), 5u);
  EXPECT_EQ(fields[0], (Field{"a", "M8[ns][3]", 8, 3}));
  EXPECT_EQ(fields[1], (Field{"b", ">m8[25s][2,3]", 8, 6, true}));
  EXPECT_EQ(fields[2], (Field{"c", "datetime64[D][4][5]", 8, 20}));
  EXPECT_EQ(fields[3], (Field{"d", "M8[3]", 8, 3}));
  EXPECT_EQ(fields[4], (Field{"e", "M8[s/4]", 8, 1}));
}

TEST(RecordFields, that_are_none_are_refused_with_a_caret) {
  const auto refused = [](const char* text, const char* says, const char* caret, ErrorCode code = ErrorCode::bad_notation) {
    const std::string error = error_of(code, [&] { parse_fields(text); });
    EXPECT_NE(error.find(says), std::string::npos) << error;
    EXPECT_EQ(caret_line(error), caret) << error;
  };
  refused("", "found the end", "^");
  refused("x", "expected ':'", " ^");
  refused("x:f4 x:f8", "'x' stands twice", "     ^");
  refused("x:f5", "'f5' is no type", "  ^^");
  refused("x:flaot32", "did you mean float32?", "  ^^^^^^^");
  refused("x:", "is no type", "  ^");
  refused("x:f4[0]", "1 item or more", "     ^");
  refused("x:f4[3", "expected ']'", "      ^");
  refused("x:f4[]", "an extent", "     ^");
  refused("3:f4", "the name of a field", "^");
  refused("x:f4[99999999999999999999]", "63 bits", "     ^^^^^^^^^^^^^^^^^^^^", ErrorCode::too_large);
}

TEST(RecordFields, too_large_for_64_bits_are_named_with_a_caret) {
  const auto refused = [](const char* text, std::vector<std::string> says, const char* caret) {
    const std::string error = error_of(ErrorCode::too_large, [&] { parse_fields(text); });
    for (const std::string& word : says) EXPECT_NE(error.find(word), std::string::npos) << word << " in " << error;
    EXPECT_EQ(caret_line(error), caret) << error;
  };
  refused("y:u1 x:f8[99999999999999999999]", {"field 'x'", "99999999999999999999"}, "          ^^^^^^^^^^^^^^^^^^^^");
  refused("x:f8[9223372036854775807]", {"field 'x'", "9223372036854775807 times 8 bytes"}, "     ^^^^^^^^^^^^^^^^^^^");
  refused("x:u1[4294967296,4294967296]", {"field 'x'", "4294967296 times 4294967296"}, "                ^^^^^^^^^^");
  refused("x:u1[4294967296][4294967296]", {"field 'x'", "4294967296 times 4294967296"}, "                 ^^^^^^^^^^");
  refused("x:V9223372036854775807", {"field 'x'", "V9223372036854775807", "V1[N]"}, "  ^^^^^^^^^^^^^^^^^^^^");
  refused("x:<U2147483648[2]", {"field 'x'", "<U2147483648", "<U1[N]"}, "  ^^^^^^^^^^^^");
  refused("x:S99999999999999999999", {"field 'x'", "S99999999999999999999"}, "  ^^^^^^^^^^^^^^^^^^^^^");
  EXPECT_EQ(parse_fields("x:V1[9223372036854775807]")[0].bytes(), INT64_MAX);
  EXPECT_EQ(parse_fields("x:V2147483647")[0].bytes(), INT32_MAX);
  for (const char* none : {"x:V0", "x:V000", "x:V", "x:i99999999999", "x:VV1"})
    error_of(ErrorCode::bad_notation, [&] { parse_fields(none); });
}

TEST(RecordLayout, is_printed_as_it_is_read) {
  for (const char* text : {"(x y z p)", "(x y z p)@16", "x|y|z|p", "(x y)@16|(z p)@16", "(x y)@16|z", "(x y z)*8", "x*4|(y z)*8@32|p", "p"})
    EXPECT_EQ(RecordLayout::parse(text, four()).print(), text);
  EXPECT_EQ(RecordLayout::parse(" ( x  y )@16 * 8 | (z) | p@1 ", four()).print(), "(x y)*8@16|z|p");
  for (const std::string& text : layouts_of(four()))
    EXPECT_EQ(RecordLayout::parse(RecordLayout::parse(text, four()).print(), four()), RecordLayout::parse(text, four()));
}

TEST(RecordLayout, of_any_names_is_printed_as_it_is_read) {
  EXPECT_EQ(print_field_name("é_2"), "é_2");
  EXPECT_EQ(print_field_name("2x"), "'2x'");
  EXPECT_EQ(print_field_name("it's"), "'it''s'");
  EXPECT_TRUE(rc::check("names", [] {
    const auto any_name = rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab2_ '|()*@:[]\n\t\xff"))));
    const auto names = *rc::gen::nonEmpty(rc::gen::unique<std::vector<std::string>>(any_name));
    Fields fields;
    for (const std::string& name : names) fields.push_back({name, "f4", 4, 1});
    RC_ASSERT(parse_fields(print_fields(fields)) == fields);
    const RecordLayout layout(fields, {{names, 8, 16}});
    RC_ASSERT(RecordLayout::parse(layout.print(), fields) == layout);
    std::string text;
    for (const std::string& name : names) text += ' ' + print_field_name(name);
    RC_ASSERT(parse_field_names(text, fields) == names);
  }));
}

TEST(RecordLayout, counts_its_bytes_padding_included) {
  struct Case {
    const char* text;
    std::int64_t record, useful, bytes_of_10;
  };
  for (const Case& c :
       {Case{"(x y z p)", 16, 16, 160}, Case{"(x y z)@16", 16, 12, 160}, Case{"x|y|z", 12, 12, 120}, Case{"(x y)@16|(z p)@16", 32, 16, 320},
        Case{"(x y)@16|z", 20, 12, 200}, Case{"(x y z)*8", 12, 12, 120}, Case{"x|(y z)@64", 68, 12, 64 + 640}}) {
    const RecordLayout layout = RecordLayout::parse(c.text, four());
    EXPECT_EQ(layout.record_bytes(), c.record) << c.text;
    EXPECT_EQ(layout.useful_bytes(), c.useful) << c.text;
    EXPECT_EQ(layout.bytes(10), c.bytes_of_10) << c.text;
    EXPECT_EQ(layout.bytes(0), 0) << c.text;
  }
  const Fields mixed = parse_fields("a:u1 b:f8 c:u1");
  EXPECT_EQ(RecordLayout::parse("(a b c)", mixed).record_bytes(), 10);
  EXPECT_EQ(RecordLayout::parse("(a b c)@8", mixed).record_bytes(), 24);  // as a structure of C
  EXPECT_EQ(RecordLayout::parse("(a b c)@2", mixed).record_bytes(), 12);
  EXPECT_EQ(RecordLayout::parse("(a b c)@8", mixed).find("b")->offset, 8);
}

TEST(RecordLayout, knows_how_many_records_so_many_bytes_are) {
  for (const std::string& text : layouts_of(four())) {
    const RecordLayout layout = RecordLayout::parse(text, four());
    for (std::int64_t n = 0; n < 40; ++n) EXPECT_EQ(layout.count(layout.bytes(n)), n) << text;
  }
  const std::string error = error_of(ErrorCode::bad_shape, [] { RecordLayout::parse("(x y z p)", four()).count(1003); });
  EXPECT_NE(error.find("field 'z' of record 62, which begins at byte 1000"), std::string::npos) << error;
  EXPECT_NE(error.find("62 records are 992 bytes, 63 are 1008"), std::string::npos) << error;
  const std::string padded = error_of(ErrorCode::bad_shape, [] { RecordLayout::parse("(x y z)@16", four()).count(30); });
  EXPECT_NE(padded.find("padding behind record 1"), std::string::npos) << padded;
}

TEST(RecordLayout, that_is_none_is_refused_with_a_caret) {
  const auto refused = [](const char* text, const char* says, const char* caret, ErrorCode code = ErrorCode::bad_notation) {
    const std::string error = error_of(code, [&] { RecordLayout::parse(text, four()); });
    EXPECT_NE(error.find(says), std::string::npos) << error;
    EXPECT_EQ(caret_line(error), caret) << error;
  };
  refused("", "expected the name of a field or '('", "^");
  refused("(x y", "this '(' is not closed", "^");
  refused("()", "one field or more", "^^");
  refused("(x q)", "there is no field 'q'", "   ^");
  refused("(x y)|x", "'x' stands twice", "      ^");
  refused("(x y)@12", "power of two: 8 or 16", "      ^^");
  refused("(x y)@0", "power of two", "      ^");
  refused("(x y)*0", "1 record or more", "      ^");
  refused("(x y)*", "expected the records of a block, found the end", "      ^");
  refused("(x y)*4*8", "one block length", "       ^");
  refused("(x y)@4@8", "one alignment", "       ^");
  refused("(x y) z", "expected '|'", "      ^");
  refused("x y z p", "together stand in parentheses, as in (x y), found 'y'", "  ^");
  refused("(x y) (z p)", "expected '|' and another group", "      ^");
  refused("x||y", "expected the name", "  ^");
  refused("(x [y])", "expected the name", "   ^");
  refused("(x y)*99999999999999999999", "63 bits", "      ^^^^^^^^^^^^^^^^^^^^", ErrorCode::too_large);
  refused("(x y)@9223372036854775807", "power of two: 4611686018427387904\n", "      ^^^^^^^^^^^^^^^^^^^");
  const Fields longer = parse_fields("position:f4 velocity:f4");
  const std::string error = error_of(ErrorCode::bad_notation, [&] { RecordLayout::parse("(positoin)", longer); });
  EXPECT_NE(error.find("did you mean position?"), std::string::npos) << error;
}

TEST(RecordLayout, too_large_for_64_bits_is_named_with_a_caret) {
  const Fields fields = parse_fields("x:f4 y:f8 a:V1[9223372036854775807] b:V1[9223372036854775805] c:u1");
  const auto refused = [&](const char* text, std::vector<std::string> says, const char* caret) {
    const std::string error = error_of(ErrorCode::too_large, [&] { RecordLayout::parse(text, fields); });
    for (const std::string& word : says) EXPECT_NE(error.find(word), std::string::npos) << word << " in " << error;
    EXPECT_EQ(caret_line(error), caret) << error;
  };
  refused("( x y ) * 9223372036854775808", {"( x y ): 9223372036854775808"}, "          ^^^^^^^^^^^^^^^^^^^");
  refused("x|y@9223372036854775808", {" y: 9223372036854775808"}, "    ^^^^^^^^^^^^^^^^^^^");
  refused("(a x)", {"field 'x'", "4 bytes", "behind 9223372036854775807"}, "   ^");
  refused("(b y)@16", {"field 'y'", "8 bytes", "behind 9223372036854775805"}, "   ^");
  refused("y| b @16 |x", {"b@16", "9223372036854775805 bytes", "multiple of 16"}, "   ^^^^^");
  refused("a|x", {"group x", "4 bytes, from byte 9223372036854775807 on"}, "  ^");
  refused("x | y @4611686018427387904|(c)", {"group y@4611686018427387904 ", "from byte 4611686018427387904 on"},
          "    ^^^^^^^^^^^^^^^^^^^^^^");
}

TEST(RecordLayout, of_more_records_than_64_bits_hold_names_the_group_and_the_numbers) {
  const auto refused = [](const char* text, std::int64_t n, std::vector<std::string> says) {
    const RecordLayout layout = RecordLayout::parse(text, four());
    for (const std::string& error :
         {error_of(ErrorCode::too_large, [&] { layout.bytes(n); }), error_of(ErrorCode::too_large, [&] { places_of(layout, n); })})
      for (const std::string& word : says) EXPECT_NE(error.find(word), std::string::npos) << word << " in " << error;
  };
  refused("(x y z)@16", INT64_MAX / 16 + 1, {"group (x y z)@16", "576460752303423488 records of 16 bytes"});
  refused("(x y)|(z p)*4", INT64_MAX / 8, {"group (z p)*4", "1152921504606846975 records of 8 bytes, from byte 9223372036854775800 on"});
  refused("x|y@2305843009213693952", 4, {"group y@2305843009213693952", "4 records", "2305843009213693952 bytes"});
  refused("x|y@1152921504606846976", INT64_MAX / 4, {"group y@1152921504606846976", "9223372036854775804 bytes"});
  EXPECT_EQ(RecordLayout::parse("(x y z)@16", four()).bytes(INT64_MAX / 16), INT64_MAX / 16 * 16);
}

TEST(RecordLayout, as_a_value_is_checked_like_its_text) {
  EXPECT_EQ(RecordLayout(four(), {{{"x", "y"}, 8, 16}, {{"z"}}}).print(), "(x y)*8@16|z");
  error_of(ErrorCode::bad_notation, [] { RecordLayout(four(), {}); });
  error_of(ErrorCode::bad_notation, [] { RecordLayout(four(), {{{}}}); });
  error_of(ErrorCode::bad_notation, [] { RecordLayout(four(), {{{"q"}}}); });
  error_of(ErrorCode::bad_notation, [] { RecordLayout(four(), {{{"x", "x"}}}); });
  error_of(ErrorCode::bad_notation, [] { RecordLayout(four(), {{{"x"}, 0}}); });
  error_of(ErrorCode::bad_notation, [] { RecordLayout(four(), {{{"x"}, 1, 3}}); });
  error_of(ErrorCode::bad_notation, [] { RecordLayout(four(), {{{"x"}, 1, -8}}); });
  error_of(ErrorCode::too_large, [] { RecordLayout::parse("a|b", {{"a", "", INT64_MAX, 1}, {"b", "", 8, 1}}); });
}

}  // namespace
}  // namespace crinkle::testing::layout_test
