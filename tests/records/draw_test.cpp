// Pictures of record layouts: the cells are the bytes of files written by hand, and the files are those that were looked at and found good.
// SPDX-License-Identifier: BSD-3-Clause
#include "records/draw.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "support/records.hpp"
#include "support/svg.hpp"

namespace crinkle::testing::draw_test {
namespace {

RecordLayout layout_of(const char* text, const char* fields = "x:f4 y:f4 z:f4 p:f4") {
  return RecordLayout::parse(text, parse_fields(fields));
}

TEST(DrawRecords, layouts_are_drawn_as_before) {
  expect_golden("records_aoas", records::draw_records(layout_of("(x y z)@16"), 6));
  expect_golden("records_soaos", records::draw_records(layout_of("(x y)@16|(z p)@16"), 5));
  expect_golden("records_aosoa", records::draw_records(layout_of("(x y z p)*4"), 10, {.row_bytes = 16}));
  expect_golden("records_mixed", records::draw_records(layout_of("(id v w)@8|flag@4", "id:u1 v:f8 w:f4[3] flag:u1"), 5));
}

TEST(DrawRecords, cells_are_fields_of_records) {
  const std::string svg = records::draw_records(layout_of("(x y)*2|z"), 3);
  EXPECT_EQ(labels_of(svg, "group-"), (Labels{"x0", "x1", "y0", "y1", "x2", "y2", "z0", "z1", "z2"}));
  const std::string padded = records::draw_records(layout_of("(x y z)@16"), 2);
  EXPECT_EQ(labels_of(padded, "group-"), (Labels{"x0", "y0", "z0", "", "x1", "y1", "z1", ""}));
  EXPECT_EQ(count_of(padded, "url(#hatch)"), 3u);  // and the legend's
  EXPECT_NE(padded.find("padding: 8 bytes"), std::string::npos);
}

// The offsets at the left.
TEST(DrawRecords, rows_are_whole_records_or_whole_runs) {
  const auto offsets_of = [](const char* layout, std::int64_t n, const char* fields) {
    static const std::regex offset(R"re(text-anchor="end"[^>]*>(\d+)</text>)re");
    const std::string svg = records::draw_records(layout_of(layout, fields), n);
    Labels offsets;
    for (auto it = std::sregex_iterator(svg.begin(), svg.end(), offset); it != std::sregex_iterator(); ++it) offsets.push_back((*it)[1]);
    return offsets;
  };
  const char* particle = "x:f4 y:f4 z:f4 p:f8";
  EXPECT_EQ(offsets_of("(x y z p)@8", 3, particle), (Labels{"0", "24", "48"}));
  EXPECT_EQ(offsets_of("(x y z p)*4", 4, particle), (Labels{"0", "16", "32", "48", "64"}));
  EXPECT_EQ(offsets_of("(x y)|p", 5, particle), (Labels{"0", "32", "40", "72"}));
  EXPECT_EQ(offsets_of("(a b)", 2, "a:V30 b:V9"), (Labels{"0", "39"}));
  EXPECT_EQ(offsets_of("(a b)", 1, "a:V60 b:V9"), (Labels{"0", "32", "64"}));  // too long for a row
  EXPECT_EQ(offsets_of("(a b)*4", 8, "a:u1 b:u1"), (Labels{"0"}));             // runs of 4: too short
  EXPECT_EQ(offsets_of("(a b)*100", 100, "a:u1 b:u1").size(), 7u);             // runs of 100: too long
}

TEST(DrawRecords, the_name_of_one_group_is_the_title_and_stands_once) {
  const auto times = [](const char* text) {
    return count_of(records::draw_records(layout_of(text), 2), ">" + std::string(text) + "</text>");
  };
  EXPECT_EQ(times("(x y z)@16"), 1u);
  EXPECT_EQ(times("(x y)|z"), 1u);
  const std::string titled = records::draw_records(layout_of("(x y)"), 2, {.title = "two floats"});
  EXPECT_EQ(count_of(titled, ">two floats</text>") + count_of(titled, ">(x y)</text>"), 2u);
}

// As many pixels as a group's file has bytes, and as many of them hatched as it has bytes between the fields.
TEST(DrawRecords, cells_cover_every_byte_once) {
  for (const char* text : {"x:f4 y:f4 z:f4 p:f4", "a:u1 b:f8 c:i2 d:f4[3] e:c8"}) {
    const Fields fields = parse_fields(text);
    for (const std::string& one : layouts_of(fields)) {
      const RecordLayout layout = RecordLayout::parse(one, fields);
      for (const std::int64_t n : {0, 1, 5, 13}) {
        const auto groups = written_apart(layout, fields, n, std::byte{1}), other = written_apart(layout, fields, n, std::byte{2});
        const Bytes file = joined(layout, groups, std::byte{1}), other_file = joined(layout, other, std::byte{2});
        std::int64_t n_between = 0;
        for (std::size_t k = 0; k < file.size(); ++k) n_between += file[k] != other_file[k];
        const std::string svg = records::draw_records(layout, n);
        ASSERT_TRUE(is_well_formed(svg)) << one;
        static const std::regex cell(R"re(<rect x="\d+" y="\d+" width="(\d+)" height="24" fill="(\S+)")re");
        std::int64_t pixels = 0, hatched = 0;
        for (auto it = std::sregex_iterator(svg.begin(), svg.end(), cell); it != std::sregex_iterator(); ++it) {
          pixels += std::stoll((*it)[1]);
          if ((*it)[2].str().starts_with("url")) hatched += std::stoll((*it)[1]);
        }
        const std::int64_t byte = n == 0 ? 1 : pixels / std::ssize(file);
        EXPECT_EQ(pixels, byte * std::ssize(file)) << one;
        EXPECT_EQ(hatched, byte * n_between) << one;
      }
    }
  }
}

TEST(DrawRecords, too_many_bytes_are_refused_with_the_way_out) {
  const RecordLayout layout = layout_of("(x y z p)@16");
  const std::string error = error_of([&] { records::draw_records(layout, 1000); }, ErrorCode::too_large);
  EXPECT_NE(error.find("1000 records take 16000 bytes"), std::string::npos) << error;
  EXPECT_NE(error.find("draw 256 records or fewer"), std::string::npos) << error;
  EXPECT_TRUE(is_well_formed(records::draw_records(layout, 256)));
  EXPECT_NE(error_of([&] { records::draw_records(layout_of("x@8192"), 1); }, ErrorCode::too_large).find("fewer fields"), std::string::npos);
  error_of([&] { records::draw_records(layout, -1); }, ErrorCode::bad_shape);
  error_of([&] { records::draw_records(layout, 1, {.row_bytes = 0}); }, ErrorCode::bad_shape);
}

}  // namespace
}  // namespace crinkle::testing::draw_test
