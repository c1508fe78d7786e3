// Element types: what a descr text means, and its bytes turned to the other order.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/element_type.hpp"

#include "folder.hpp"

namespace crinkle::tool::element_type_test {
namespace {

using Parts = std::vector<ItemPart>;

TEST(ElementType, a_code_and_a_name_mean_the_same) {
  for (const char* text : {"<f4", "f4", "float32", "=f4"}) {
    const ElementType type = element_type(text);
    EXPECT_EQ(type.descr, "<f4") << text;
    EXPECT_EQ(type.bytes, 4);
    EXPECT_EQ(type.name, "float32");
    EXPECT_EQ(type.parts, (Parts{{0, 4, 1, '<'}}));
  }
}

TEST(ElementType, every_plain_kind_has_its_bytes_and_items) {
  struct Row {
    const char* text;
    const char* descr;
    std::int64_t bytes;
    ItemPart part;
    const char* name;
  };
  const Row rows[] = {
      {"bool", "|b1", 1, {0, 1, 1, '|'}, "bool"},
      {"|i1", "|i1", 1, {0, 1, 1, '|'}, "int8"},
      {">u2", ">u2", 2, {0, 2, 1, '>'}, "uint16"},
      {"<f2", "<f2", 2, {0, 2, 1, '<'}, "float16"},
      {"<f16", "<f16", 16, {0, 16, 1, '<'}, "float128"},
      {">c16", ">c16", 16, {0, 8, 2, '>'}, "complex128"},
      {"|S7", "|S7", 7, {0, 1, 7, '|'}, "S7"},
      {"<U5", "<U5", 20, {0, 4, 5, '<'}, "U5"},
      {"|V12", "|V12", 12, {0, 1, 12, '|'}, "V12"},
      {"<M8[ns]", "<M8[ns]", 8, {0, 8, 1, '<'}, "datetime64[ns]"},
      {">m8[25s]", ">m8[25s]", 8, {0, 8, 1, '>'}, "timedelta64[25s]"},
      {"32 bits", "|V4", 4, {0, 1, 4, '|'}, "V4"},
  };
  for (const Row& row : rows) {
    const ElementType type = element_type(row.text);
    EXPECT_EQ(type.descr, row.descr);
    EXPECT_EQ(type.bytes, row.bytes) << row.text;
    EXPECT_EQ(type.parts, Parts{row.part}) << row.text;
    EXPECT_EQ(type.name, row.name);
  }
}

TEST(ElementType, a_record_lists_its_items_with_gaps_titles_and_shapes) {
  const std::string text =
      "[('x', '<f4'), ('', '|V3'), (('a title', 'y'), '>i2', (3, 2)), ('n', [('p', '<c8'), ('q', '|S2')], (2,)), ('s', ('<u2', (4,)), 3)]";
  const ElementType type = element_type(text);
  EXPECT_EQ(type.descr, text);
  EXPECT_EQ(type.bytes, 4 + 3 + 12 + 2 * 10 + 24);
  EXPECT_EQ(type.name, "");
  const Parts expected = {{0, 4, 1, '<'},  {4, 1, 3, '|'},  {7, 2, 6, '>'},  {19, 4, 2, '<'},
                          {27, 1, 2, '|'}, {29, 4, 2, '<'}, {37, 1, 2, '|'}, {39, 2, 12, '<'}};
  EXPECT_EQ(type.parts, expected);
}

TEST(ElementType, turning_the_order_changes_only_the_order_characters) {
  EXPECT_EQ(with_byte_order(element_type("<f4"), '>').descr, ">f4");
  EXPECT_EQ(with_byte_order(element_type("|u1"), '>').descr, "|u1");
  const ElementType record = element_type("[('<f4', '<f4'), ('y', [('z', '>i2'), ('s', '|S3')], (2,)), ('u', '<U2')]");
  const ElementType turned = with_byte_order(record, '>');
  EXPECT_EQ(turned.descr, "[('<f4', '>f4'), ('y', [('z', '>i2'), ('s', '|S3')], (2,)), ('u', '>U2')]");
  EXPECT_EQ(turned.bytes, record.bytes);
  for (const ItemPart& part : turned.parts) EXPECT_NE(part.order, '<');
}

TEST(ElementType, a_repeated_record_of_too_many_parts_moves_but_does_not_turn) {
  const ElementType type = element_type("[('n', [('a', '<i2'), ('b', '<f4')], (1000000,))]");
  EXPECT_EQ(type.bytes, 6000000);
  EXPECT_FALSE(type.has_parts);
  error_of(ErrorCode::unsupported, [&] { with_byte_order(type, '>'); });
  EXPECT_TRUE(element_type("[('n', '<f4', (1000000000000,))]").has_parts);
}

TEST(ElementType, a_hostile_list_takes_bounded_time) {
  std::string text = "[";
  for (int i = 0; i < 20000; ++i) text += "('f" + std::to_string(i) + "', [('a', '<i2'), ('b', '<f4')], (32768,)), ";
  const ElementType type = element_type(text + "]");
  EXPECT_EQ(type.bytes, std::int64_t{20000} * 6 * 32768);
  EXPECT_FALSE(type.has_parts);
}

TEST(ElementType, what_is_no_type_of_fixed_size_is_refused) {
  const char* const wrong[] = {"",
                               "<",
                               "f",
                               "f5",
                               "<x4",
                               "|O",
                               "O8",
                               "<f4x",
                               "S-3",
                               "M8[ns",
                               "M8[;]",
                               "M8[3]",
                               "<M8[ns][3]",
                               "datetime64[ns][3]",
                               "<m8[sec]",
                               "i99999999999999999999",
                               "[",
                               "[]x",
                               "[('x')]",
                               "[('x', '|O')]",
                               "[('x', '<f4'), ('x', '<f4')]",
                               "[('x', '<f4', (-1,))]",
                               "[('x', '<f4', (9223372036854775807, 4))]",
                               "[('x', '<f4', (__import__('os').system('true'),))]",
                               "[('x', '<f4'",
                               "('<f4', (3,))",
                               "[('x\n', '<f4')]",
                               "[(x, '<f4')]",
                               "[('x', '<f4') ('y', '<f4')]",
                               "V9223372036854775808",
                               "U9223372036854775807"};
  for (const char* text : wrong) {
    error_of(ErrorCode::bad_file, [&] { element_type(text); });
    error_of(ErrorCode::bad_notation, [&] { element_type(text, ErrorCode::bad_notation); });
  }
  for (const char* text : {"[]", "|V0", "[('x', '|S0')]"}) error_of(ErrorCode::unsupported, [&] { element_type(text); });
}

TEST(ElementType, nesting_without_end_is_refused) {
  std::string lists, pairs;
  for (int i = 0; i < 100000; ++i) lists += "[('x', ", pairs += "(";
  error_of(ErrorCode::bad_file, [&] { element_type(lists); });
  error_of(ErrorCode::bad_file, [&] { element_type("[('x', " + pairs); });
}

}  // namespace
}  // namespace crinkle::tool::element_type_test
