// Pictures: the labels are the map, one cell per element, and the files are those that were looked at and found good: tests/golden/*.svg.
// CRINKLE_UPDATE_GOLDEN=1 in the environment writes them anew (support/golden.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/draw/draw.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "move/reference.hpp"
#include "support/svg.hpp"

namespace crinkle::draw_test {
namespace {

using namespace testing;

// What the reference executor makes of an array of 8-byte elements that hold their own k-index plus one; 0 is a fill.
Labels labels_by_reference(const Rearrangement& r) {
  const std::int64_t n = r.source().n_elements();
  std::vector<std::vector<std::int64_t>> sources;
  std::vector<const std::byte*> src;
  for (std::int64_t slot = 0; slot < r.n_sources(); ++slot) {
    sources.emplace_back();
    for (std::int64_t k = 0; k < n; ++k) sources.back().push_back(slot * n + k + 1);
  }
  for (const auto& source : sources) src.push_back(reinterpret_cast<const std::byte*>(source.data()));
  std::vector<std::vector<std::int64_t>> destinations(
      static_cast<std::size_t>(r.n_destinations()), std::vector<std::int64_t>(static_cast<std::size_t>(r.destination().n_elements()), -1));
  std::vector<std::byte*> dst;
  for (auto& destination : destinations) dst.push_back(reinterpret_cast<std::byte*>(destination.data()));
  const Steps all = r.steps();
  std::vector<std::byte> workspace(static_cast<std::size_t>(all.workspace_bytes));
  run_reference(all, src, dst, workspace.data());
  Labels labels;
  for (const auto& destination : destinations)
    for (const std::int64_t id : destination) {
      const std::string letter = r.n_sources() == 1 || id < 1 ? "" : std::string(1, static_cast<char>('a' + (id - 1) / n));
      labels.push_back(id < 0 ? "" : id == 0 ? "·" : letter + std::to_string((id - 1) % n));
    }
  return labels;
}

void expect_the_map(const Rearrangement& r) {
  const std::string svg = planning::draw(r);
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(labels_of(svg, "destination-"), labels_by_reference(r));
  EXPECT_EQ(labels_of(svg, "source-").size(), static_cast<std::size_t>(r.source().n_elements() * r.n_sources()));
}

Rearrangement mesh(const char* spec) { return parse(spec, Layout::dense({4, 4}, 4)); }
std::string drawn(const char* spec) { return planning::draw(mesh(spec), {.title = spec}); }

TEST(Draw, figure_7_is_drawn_as_before) {
  expect_golden("crinkle_x", drawn("y (x 2) -> 2 y x"));
  expect_golden("crinkle_y", drawn("(y 2) x -> 2 y x"));
  expect_golden("crinkle_x_then_y", drawn("(y q:2) (x p:2) -> q p y x"));
  expect_golden("crinkle_y_then_x", drawn("(y q:2) (x p:2) -> p q y x"));
}

TEST(Draw, figure_7_holds_the_papers_numbers) {
  EXPECT_EQ(labels_of(drawn("y (x 2) -> 2 y x"), "destination-"),
            (Labels{"0", "2", "4", "6", "8", "10", "12", "14", "1", "3", "5", "7", "9", "11", "13", "15"}));
  EXPECT_EQ(labels_of(drawn("(y 2) x -> 2 y x"), "destination-"),
            (Labels{"0", "1", "2", "3", "8", "9", "10", "11", "4", "5", "6", "7", "12", "13", "14", "15"}));
  const Labels x_then_y = labels_of(drawn("(y q:2) (x p:2) -> q p y x"), "destination-");
  EXPECT_EQ(x_then_y, (Labels{"0", "2", "8", "10", "1", "3", "9", "11", "4", "6", "12", "14", "5", "7", "13", "15"}));
  EXPECT_NE(x_then_y, labels_of(drawn("(y q:2) (x p:2) -> p q y x"), "destination-"));
}

TEST(Draw, fills_panels_and_rows_are_drawn_as_before) {
  const std::array<std::byte, 4> value{std::byte{0xff}, std::byte{}, std::byte{}, std::byte{1}};
  expect_golden(
      "roll_pad",
      planning::draw(parse("y x -> x y", Layout::dense({5, 7}, 4)).flip("y").roll("x", 3).pad("x", 1, 2, PadMode::constant, value),
                     {.title = "y x -> x y --flip y --roll x=3 --pad x=1:2"}));
  expect_golden("rank_5",
                planning::draw(parse("a b c d e -> e d c b a", Layout::dense({2, 2, 3, 3, 4}, 4)), {.title = "a b c d e -> e d c b a"}));
  expect_golden("morton", planning::draw(morton(Layout::dense({8, 8}, 4)), {.title = "morton"}));
  expect_golden("interlace", planning::draw(interlace(Layout::dense({2, 5}, 4), 3), {.title = "interlace"}));
}

TEST(Draw, labels_are_the_map_of_random_verbs) {
  EXPECT_TRUE(rc::check("labels are the map", [] {
    const auto extent = rc::gen::inRange<std::int64_t>(1, 6);
    const Extents extents{*extent, *extent, *extent};
    static const std::array<const char*, 4> specs{"z y x -> x z y", "z y x -> (z x) y", "z y x -> y z x r:2", "z y x -> z y x"};
    Rearrangement r = parse(*rc::gen::elementOf(specs), Layout::dense(extents, 8));
    static const std::array<const char*, 3> names{"x", "y", "z"};
    for (int verbs = *rc::gen::inRange(0, 4); verbs > 0; --verbs) {
      const std::string axis = *rc::gen::elementOf(names);
      switch (*rc::gen::inRange(0, 4)) {
        case 0: r = r.flip(axis); break;
        case 1: r = r.roll(axis, *rc::gen::inRange(-9, 9)); break;
        case 2: r = r.pad(axis, *rc::gen::inRange(0, 3), *rc::gen::inRange(0, 3)); break;
        default: r = r.slice(axis, {}, {}, *rc::gen::elementOf(std::vector<std::int64_t>{-2, -1, 1, 2}));
      }
    }
    RC_ASSERT(labels_of(planning::draw(r), "destination-") == labels_by_reference(r));
  }));
}

TEST(Draw, labels_are_the_map_of_named_operations) {
  const Layout grid = Layout::dense({6, 4}, 8);
  const std::vector<std::int64_t> indices{3, 0, 5};
  const std::vector<Crinkle> by_four{{0, 4}};
  expect_the_map(interlace(grid, 3));
  expect_the_map(deinterlace(Layout::dense({4, 3}, 8)));
  expect_the_map(checkerboard(grid));
  expect_the_map(bit_reverse(Layout::dense({16}, 8)));
  expect_the_map(gather(grid, 0, indices));
  expect_the_map(scatter(Layout::dense({3, 4}, 8), 0, indices, 7));
  expect_the_map(crinkle(grid, by_four, Placement::global, Tail::ragged));
  expect_the_map(dilate(grid, std::vector<std::int64_t>{2, 1}));
  expect_the_map(Rearrangement(Layout::dense({}, 8)));
}

TEST(Draw, two_steps_are_drawn_as_one_map) {
  Steps two;
  Box first, second;
  first.unit = second.unit = 8;
  first.axes = {Axis{3, 16, 8}, Axis{2, 8, 24}};  // [3][2] transposed into the workspace
  second.axes = {Axis{6, 8, -8}};                 // and turned round
  second.dst_offset = 40;
  two.steps = {Step{{first}, {}, {}}, Step{{second}, {}, {}}};
  two.workspace_bytes = 48;
  const Rearrangement r(Layout::dense({3, 2}, 8), Layout::dense({6}, 8), two);
  expect_the_map(r);
  EXPECT_EQ(labels_of(planning::draw(r), "destination-"), (Labels{"5", "3", "1", "4", "2", "0"}));
}

TEST(Draw, four_steps_are_drawn_as_one_map) {
  Steps steps;
  Box flip;
  flip.unit = 8;
  flip.axes = {Axis{6, 8, -8}};
  flip.dst_offset = 40;
  Box roll = flip;
  roll.axes = {Axis{5, 8, 8}};
  roll.dst_offset = 8;
  Box last = flip;
  last.axes = {};
  last.src_offset = 40;
  last.dst_offset = 0;
  steps.steps = {Step{{flip}, {}, {}}, Step{{roll, last}, {}, {}}, Step{{roll, last}, {}, {}}, Step{{flip}, {}, {}}};
  steps.workspace_bytes = 112;
  steps.odd_at = 64;
  const Rearrangement r(Layout::dense({6}, 8), Layout::dense({6}, 8), steps);
  expect_the_map(r);
  EXPECT_EQ(labels_of(planning::draw(r), "destination-"), (Labels{"2", "3", "4", "5", "0", "1"}));
}

TEST(Draw, strided_arrays_are_labelled_by_k_index_not_by_address) {
  const Layout source{{3, 2}, {-16, 4}, 32, 4};  // bottom up, with a gap
  const Layout destination{{2, 3}, {100, 8}, 5, 4};
  EXPECT_EQ(labels_of(planning::draw(parse("y x -> x y", source, destination)), "destination-"), (Labels{"0", "2", "4", "1", "3", "5"}));
}

TEST(Draw, bytes_inside_elements_are_told) {
  const std::string swapped = planning::draw(byte_swap(Layout::dense({3}, 4)));
  EXPECT_EQ(labels_of(swapped, "destination-"), (Labels{"0", "1", "2"}));
  EXPECT_NE(swapped.find("bytes inside the elements change places"), std::string::npos);
  EXPECT_EQ(planning::draw(roll(Layout::dense({3}, 4), std::vector<std::int64_t>{1})).find("change places"), std::string::npos);
  EXPECT_EQ(labels_of(planning::draw(byte_shuffle(Layout::dense({2}, 4))), "destination-"),
            (Labels{"0", "4", "1", "5", "2", "6", "3", "7"}));
}

TEST(Draw, elements_that_are_taken_apart_are_drawn_byte_by_byte) {
  Box box;
  box.axes = {Axis{2, 1, 2}, Axis{2, 2, 1}};  // the 2 × 2 bytes of two elements, transposed
  Steps steps;
  steps.steps = {Step{{box}, {}, {}}};
  const Layout pair = Layout::dense({2}, 2);
  const std::string svg = planning::draw(Rearrangement(pair, pair, steps));
  EXPECT_EQ(labels_of(svg, "destination-"), (Labels{"0", "2", "1", "3"}));
  EXPECT_NE(svg.find("piece of 1 byte in"), std::string::npos);
}

TEST(Draw, columns_break_the_slowest_axis_into_rows) {
  const Rearrangement r{Layout::dense({12}, 4)};
  EXPECT_EQ(count_of(planning::draw(r), "y=\"68\" width=\"28\""), 24U);
  EXPECT_EQ(count_of(planning::draw(r, {.columns_hint = 5}), "x=\"60\" y=\""), 3U);  // the first of three rows' cells
  EXPECT_EQ(labels_of(planning::draw(r, {.columns_hint = 5}), "destination-"), labels_of(planning::draw(r), "destination-"));
}

TEST(Draw, an_empty_array_says_so) {
  const std::string svg = planning::draw(parse("y x -> x y", Layout::dense({3, 0}, 4)));
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count_of(svg, "no elements"), 2U);
  EXPECT_EQ(count_of(planning::draw(mesh("y x -> x y").slice("x", 2, 2)), "no elements"), 1U);
}

TEST(Draw, too_many_cells_are_refused_with_the_way_out) {
  const Rearrangement r = parse("y x -> x y", Layout::dense({100, 50}, 4));
  EXPECT_EQ(error_of([&] { planning::draw(r); }, ErrorCode::too_large),
            "cannot draw: the source has 5000 cells, a picture holds at most 4096; give a smaller shape, or raise max_cells");
  EXPECT_EQ(labels_of(planning::draw(r, {.max_cells = 5000}), "destination-").size(), 5000U);
  const std::string padded = error_of([&] { planning::draw(mesh("y x -> x y").pad("x", 0, 9000)); }, ErrorCode::too_large);
  EXPECT_NE(padded.find("the destination has 36016 cells"), std::string::npos);
  EXPECT_NE(padded.find("slice first"), std::string::npos);
  const std::string wide = error_of([&] { planning::draw(parse("x -> x", Layout::dense({4096}, 4096))); }, ErrorCode::too_large);
  EXPECT_NE(wide.find("16777216 bytes"), std::string::npos);
}

TEST(Draw, text_is_escaped) {
  for (const char* title : {"a < b & \"c\" > 'd'", "\x01\xff\xc3", "y → x", "\xed\xa0\x80"}) {
    EXPECT_TRUE(is_well_formed(planning::draw(mesh("y x -> x y"), {.title = title}))) << title;
  }
  EXPECT_NE(planning::draw(mesh("y x -> x y"), {.title = "\xff<"}).find(">\xEF\xBF\xBD&lt;</text>"), std::string::npos);
  EXPECT_FALSE(is_well_formed("<a><b></a>"));
  EXPECT_FALSE(is_well_formed("<a>&</a>"));
  EXPECT_FALSE(is_well_formed("<a x=1></a>"));
}

TEST(Draw, colours_tell_elements_apart_and_carry_text) {
  const std::string svg = planning::draw(parse("y x -> y x", Layout::dense({8, 8}, 4)));
  const std::regex fill("<rect [^>]*fill=\"#([0-9a-f]{6})\" stroke=\"#ffffff\"");
  std::set<std::string> colours;
  for (auto it = std::sregex_iterator(svg.begin(), svg.end(), fill); it != std::sregex_iterator(); ++it) {
    const std::string hex = (*it)[1];
    colours.insert(hex);
    const auto light = [&](std::size_t at) { return std::pow((std::stoi(hex.substr(at, 2), nullptr, 16) / 255.0 + 0.055) / 1.055, 2.4); };
    const double luminance = 0.2126 * light(0) + 0.7152 * light(2) + 0.0722 * light(4);
    EXPECT_GE((luminance + 0.05) / (0.0056 + 0.05), 4.5) << hex;  // against the text's #0f1115
  }
  EXPECT_EQ(colours.size(), 64U);
}

}  // namespace
}  // namespace crinkle::draw_test
