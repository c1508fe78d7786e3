// Layouts of triangles: their places against published tables and against counting, their text, and their errors.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "notation/expect_error.hpp"
#include "tile/triangle_parts.hpp"
#include "triangle/triangles.hpp"

namespace crinkle::testing::triangle_layout_test {
namespace {

// What lies in an array, as rows of two digits, row and column of A.
std::vector<std::string> printed(const TriangleLayout& layout) {
  std::vector<std::string> places(static_cast<std::size_t>(layout.n_elements()), "--");
  const bool is_lower = layout.triangle == TriangleLayout::Triangle::lower;
  for (std::int64_t i = 0; i < layout.n; ++i)
    for (std::int64_t j = 0; j <= i; ++j) {
      const std::string a = std::to_string(i), b = std::to_string(j);
      if (i > j || layout.has_diagonal()) places.at(static_cast<std::size_t>(layout.place(i, j))) = is_lower ? a + b : b + a;
    }
  return places;
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> list;
  for (std::size_t at = 0; at < text.size(); at += 3) list.push_back(text.substr(at, 2));
  return list;
}

TEST(TriangleLayout, rfp_is_as_the_pictures_of_lapack) {
  const auto is_at = [](const char* text, std::int64_t n, const std::string& by_columns) {
    EXPECT_EQ(printed(TriangleLayout::parse(text, n, 8)), words(by_columns)) << text << n;
  };
  // dtpttf.f, TRANSR = 'N' of order 6: columns of the 7 × 3 pictures.
  is_at("rfp upper", 6, "03 13 23 33 00 01 02 04 14 24 34 44 11 12 05 15 25 35 45 55 22");
  is_at("rfp lower", 6, "33 00 10 20 30 40 50 43 44 11 21 31 41 51 53 54 55 22 32 42 52");
  is_at("rfp upper", 5, "02 12 22 00 01 03 13 23 33 11 04 14 24 34 44");
  is_at("rfp lower", 5, "00 10 20 30 40 33 11 21 31 41 43 44 22 32 42");
  // TRANSR = 'T': columns of the 3 × 7 and 3 × 5 pictures.
  is_at("rfp upper rows", 6, "03 04 05 13 14 15 23 24 25 33 34 35 00 44 45 01 11 55 02 12 22");
  is_at("rfp lower rows", 6, "33 43 53 00 44 54 10 11 55 20 21 22 30 31 32 40 41 42 50 51 52");
  is_at("rfp upper rows", 5, "02 03 04 12 13 14 22 23 24 00 33 34 01 11 44");
  is_at("rfp lower rows", 5, "00 33 43 10 11 44 20 21 22 30 31 32 40 41 42");
}

TEST(TriangleLayout, packed_and_condensed_are_as_published) {
  const auto is_at = [](const char* text, const std::string& places) {
    EXPECT_EQ(printed(TriangleLayout::parse(text, 4, 8)), words(places)) << text;
  };
  is_at("packed upper", "00 01 11 02 12 22 03 13 23 33");
  is_at("packed lower", "00 10 20 30 11 21 31 22 32 33");
  is_at("packed upper rows", "00 01 02 03 11 12 13 22 23 33");
  is_at("packed lower rows", "00 10 11 20 21 22 30 31 32 33");
  is_at("condensed upper", "01 02 03 12 13 23");
}

TEST(TriangleLayout, every_pair_lies_where_counting_finds_it) {
  for (std::int64_t n = 0; n <= 40; ++n)
    for (const TriangleLayout& layout : all_layouts(n, 1)) {
      const std::vector<std::int64_t> entries = entries_of(layout);
      ASSERT_EQ(layout.n_elements(), std::ssize(entries)) << named(layout);
      const bool is_lower = layout.triangle == TriangleLayout::Triangle::lower && layout.form != TriangleLayout::Form::condensed;
      std::int64_t n_kept = 0;
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j <= i; ++j) {
          if (i == j && !layout.has_diagonal()) continue;
          const std::int64_t place = layout.place(i, j);
          ASSERT_TRUE(place >= 0 && place < layout.n_elements()) << named(layout) << ": " << i << ", " << j;
          ASSERT_EQ(entries[static_cast<std::size_t>(place)], is_lower ? i * 100000 + j : j * 100000 + i)
              << named(layout) << ": " << i << ", " << j;
          ++n_kept;
        }
      EXPECT_EQ(layout.n_pairs(), n_kept) << named(layout);
    }
}

TEST(TriangleLayout, parts_are_disjoint_and_counted) {
  for (std::int64_t n = 0; n <= 17; ++n)
    for (const TriangleLayout& layout : all_layouts(n, 1)) {
      std::int64_t n_counted = 0;
      for (const PartLines& p : parts_of(layout)) {
        std::int64_t n_here = 0;
        for (std::int64_t i = 0; i < n; ++i)
          for (std::int64_t j = 0; j <= i; ++j) n_here += p.part.has(i, j) ? 1 : 0;
        EXPECT_EQ(count_pairs(p.part), n_here) << named(layout);
        EXPECT_TRUE(p.part.has(p.part.i_end - 1, p.part.j_begin)) << named(layout);
        n_counted += n_here;
      }
      EXPECT_EQ(n_counted, layout.n_pairs()) << named(layout);
    }
}

TEST(TriangleLayout, pieces_write_every_place_once) {
  for (std::int64_t n = 0; n <= 13; ++n)
    for (const TriangleLayout& from : all_layouts(n, 1))
      for (const TriangleLayout& to : all_layouts(n, 1)) {
        std::map<std::int64_t, std::int64_t> written;  // place -> source, −1 for zeros
        const auto write = [&](std::int64_t place, std::int64_t source) {
          ASSERT_TRUE(written.emplace(place, source).second) << named(from) << " to " << named(to) << ": place " << place << " twice";
        };
        for (const TrianglePiece& p : pieces_of(from, to))
          for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j <= i; ++j)
              if (p.part.has(i, j)) write(p.to.place(i, j), p.from.place(i, j));
        for (const DiagonalLines& d : zeros_of(from, to))
          for (std::int64_t i = d.begin; i < d.end; ++i) write(d.lines.place(i, i), -1);
        const std::vector<std::int64_t> entries = entries_of(to);
        std::int64_t n_wanted = 0;
        for (std::int64_t place = 0; place < std::ssize(entries); ++place) {
          const std::int64_t entry = entries[static_cast<std::size_t>(place)];
          if (entry < 0) continue;
          ++n_wanted;
          const std::int64_t i = std::max(entry / 100000, entry % 100000), j = std::min(entry / 100000, entry % 100000);
          ASSERT_TRUE(written.contains(place)) << named(from) << " to " << named(to) << ": place " << place;
          EXPECT_EQ(written[place], i == j && !from.has_diagonal() ? -1 : from.place(i, j)) << named(from) << " to " << named(to);
        }
        EXPECT_EQ(std::ssize(written), n_wanted) << named(from) << " to " << named(to);
      }
}

TEST(TriangleLayout, print_is_what_parse_reads) {
  for (const TriangleLayout& layout : all_layouts(9, 4)) {
    TriangleLayout again = TriangleLayout::parse(layout.print(), 9, 4);
    again.pitch = layout.pitch;
    EXPECT_EQ(again, layout) << layout.print();
  }
  EXPECT_EQ(TriangleLayout::parse("rows\tupper  packed", 3, 4).print(), "packed upper rows");
  EXPECT_EQ(TriangleLayout::parse("rfp", 3, 4).print(), "rfp");
}

TEST(TriangleLayout, other_words_are_refused_where_they_stand) {
  const auto refusal = [](const char* text) { return error_of(ErrorCode::bad_notation, [&] { TriangleLayout::parse(text, 3, 4); }); };
  EXPECT_EQ(
      refusal("packed lowr"),
      "'lowr' is none of its words: a triangle's layout is full, symmetric, packed, rfp or condensed, with lower or upper, and columns or "
      "rows, where wanted; did you mean lower?\n  packed lowr\n         ^^^^");
  EXPECT_EQ(caret_line(refusal("lower rows")), "          ^");
  EXPECT_EQ(caret_line(refusal("")), "^");
  EXPECT_NE(refusal("packed full").find("full after packed"), std::string::npos);
  EXPECT_EQ(caret_line(refusal("packed upper lower")), "             ^^^^^");
}

TEST(TriangleLayout, sizes_that_cannot_be_are_refused) {
  const auto text_of = [](ErrorCode code, TriangleLayout layout) { return error_of(code, [&] { layout.check(); }); };
  TriangleLayout layout{.form = TriangleLayout::Form::full, .n = -1, .element_bytes = 4};
  EXPECT_EQ(text_of(ErrorCode::bad_shape, layout), "a triangle of -1 rows; give 0 or more");
  layout.n = 5;
  layout.element_bytes = 0;
  EXPECT_EQ(text_of(ErrorCode::bad_shape, layout), "an element has at least 1 byte, not 0");
  layout.element_bytes = 4;
  layout.pitch = 4;
  EXPECT_EQ(text_of(ErrorCode::bad_shape, layout), "a pitch of 4 elements for lines of 5; give as many or more, or 0 for 5");
  layout.form = TriangleLayout::Form::packed;
  layout.pitch = 8;
  EXPECT_EQ(text_of(ErrorCode::bad_shape, layout),
            "a pitch of 8 elements for packed; only full and symmetric have lines that lie apart, leave it 0");
  layout.pitch = 0;
  layout.n = std::int64_t{1} << 32;
  EXPECT_EQ(text_of(ErrorCode::too_large, layout), "packed of 4294967296 rows and 4 bytes an element does not fit 63 bits");
  EXPECT_EQ(error_of(ErrorCode::too_large, [] { TriangleLayout::parse("rfp", INT64_MAX, 1); }),
            "rfp of 9223372036854775807 rows and 1 bytes an element does not fit 63 bits");
}

TEST(TriangleLayout, the_largest_places_are_exact) {
  const std::int64_t n = (std::int64_t{1} << 32) - 1;  // n(n + 1)/2 is just below 2^63
  for (const char* text :
       {"packed lower", "packed upper", "packed lower rows", "rfp lower", "rfp upper", "rfp lower rows", "rfp upper rows"}) {
    const TriangleLayout layout = TriangleLayout::parse(text, n, 1);
    EXPECT_EQ(layout.bytes(), n / 2 * (n + 1) + (n + 1) / 2) << text;
    std::set<std::int64_t> places;
    for (const std::int64_t i : {n - 1, n - 2, n / 2, n / 2 + 1})
      for (const std::int64_t j : {std::int64_t{0}, n / 2 - 1, n / 2}) {
        const std::int64_t place = layout.place(i, j);
        EXPECT_TRUE(place >= 0 && place < layout.n_elements()) << text << ": " << i << ", " << j << " at " << place;
        EXPECT_TRUE(places.insert(place).second) << text;
      }
  }
  EXPECT_EQ(TriangleLayout::parse("packed lower", n, 1).place(n - 1, n - 1), n / 2 * (n + 1) + (n + 1) / 2 - 1);
  EXPECT_EQ(TriangleLayout::parse("packed upper", n, 1).place(n - 1, n - 1), n / 2 * (n + 1) + (n + 1) / 2 - 1);
}

}  // namespace
}  // namespace crinkle::testing::triangle_layout_test
