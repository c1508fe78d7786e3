// Sizes at the edge: what does not fit is too_large before anything is allocated; what fits is lowered without touching data.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <functional>

#include "crinkle/error.hpp"
#include "form/cut.hpp"
#include "form/simplify.hpp"
#include "support/arrays.hpp"
#include "support/guard.hpp"

namespace crinkle::limits_test {
namespace {

constexpr std::int64_t tera = std::int64_t{1} << 40;
constexpr std::int64_t far = std::int64_t{1} << 62;

void expect_code(ErrorCode code, const std::function<void()>& body) {
  try {
    body();
    ADD_FAILURE() << "expected " << name_of(code);
  } catch (const Error& error) { EXPECT_EQ(error.code(), code) << error.what(); }
}
void expect_too_large(const std::function<void()>& body) { expect_code(ErrorCode::too_large, body); }

TEST(Limits, sizes_beyond_63_bits_are_too_large) {
  expect_too_large([] { Rearrangement(Layout{{tera, tera}, {0, 0}, 0, 1}).steps(); });
  const Rearrangement r(Layout::dense({tera, 2}, 4));
  expect_too_large([&] { r.pad("@1", 0, tera); });
  expect_too_large([&] { r.pad("@0", INT64_MAX, 1); });
  expect_too_large([&] { r.pad("@0", 1, INT64_MAX, PadMode::edge); });
  expect_too_large([&] { r.dilate("@0", tera); });
  expect_too_large([&] { r.split_and_merge({{{{"y", tera}}}, {{{"x", 2}}}}, {{{{-1, -1, tera}}}, {{{0, 0, 1}}}, {{{1, 0, 1}}}}); });
  expect_too_large([] { Rearrangement(Layout::dense({3}, 1)).pad("@0", tera, 0, PadMode::wrap); });
  expect_code(ErrorCode::bad_shape, [&] { r.pad("@0", -1, 0); });
  expect_code(ErrorCode::bad_shape, [&] { r.dilate("@0", 0); });
  expect_code(ErrorCode::bad_shape, [&] { r.slice("@0", 0, 1, 0); });
}

TEST(Limits, huge_arrays_are_lowered_and_simplified_without_touching_data) {
  const Rearrangement r = Rearrangement(Layout::dense({tera, 3, 5}, 8), {"z", "y", "x"})
                              .flip("z")
                              .roll("z", 12345)
                              .roll("y", 1)
                              .dilate("x", 7)
                              .slice("z", 5, {}, 3);
  Boxes boxes = r.boxes();
  simplify(boxes);
  EXPECT_LE(boxes.size(), 4U + 1U);
  EXPECT_GT(r.source_spans()[0].last, (tera - 3) * 3 * 5 * 8);
  EXPECT_LE(r.source_spans()[0].last, tera * 3 * 5 * 8);
  EXPECT_EQ(Rearrangement(Layout::dense({tera}, 4)).bit_reverse("@0").boxes()[0].axes.size(), 40U);
  const Step whole = Rearrangement(Layout::dense({tera, 4}, 4)).steps().steps[0];
  const std::vector<Step> parts = cut(whole, Side::destination, {(tera - 1) * 16, tera * 16});
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(spans_of(parts[0].boxes, Side::source, 1)[0], (ByteSpan{(tera - 1) * 16, tera * 16}));
  EXPECT_EQ(spans_of(parts[0].boxes, Side::destination, 1)[0], (ByteSpan{0, 16}));
  const Rearrangement padded = Rearrangement(Layout::dense({tera, 4}, 4)).pad("@0", 1, 1, PadMode::reflect);
  EXPECT_EQ(padded.boxes().size(), 3U);
  EXPECT_EQ(padded.then(Rearrangement(Layout::dense({4, tera + 2}, 4))).steps().steps.size(), 1U);
}

TEST(Limits, strides_near_the_end_of_the_numbers_are_exact_or_too_large) {
  const Rearrangement r(Layout{{2, 3}, {far, 4}, 0, 4});
  EXPECT_EQ(r.source_spans()[0], (ByteSpan{0, far + 12}));
  Boxes boxes = r.flip("@0").roll("@1", 1).boxes();
  EXPECT_NO_THROW(simplify(boxes));
  expect_too_large([&] { Rearrangement(Layout{{4, 3}, {far, 4}, 0, 4}).source_spans(); });
  expect_too_large([&] { Rearrangement(Layout::dense({4, 3}, 4)).into(Layout{{4, 3}, {far, 4}, 0, 4}); });
  const Rearrangement apart = Rearrangement(Layout::dense({2, 3}, 4)).into(Layout{{2, 3}, {-far, 4}, far, 4});
  EXPECT_EQ(apart.destination_spans()[0], (ByteSpan{0, far + 12}));
  Boxes two;
  for (const std::int64_t at : {-far, far}) {
    Box box;
    box.src_offset = at;
    box.dst_offset = at;
    box.axes = {{2, far, 8}};
    two.push_back(box);
  }
  EXPECT_NO_THROW(simplify(two));
  EXPECT_EQ(two.size(), 2U);
}

TEST(Limits, nothing_is_done_for_no_elements) {
  for (const Extents& extents : {Extents{0}, Extents{3, 0, 5}, Extents{0, 0}}) {
    const Rearrangement r(Layout::dense(extents, 4));
    EXPECT_TRUE(r.boxes().empty());
    EXPECT_EQ(r.source_spans()[0], ByteSpan{});
    EXPECT_TRUE(r.then(r).then(r.inverse()).boxes().empty());
    EXPECT_TRUE(moved(r.flip("@0").roll("@0", 3), {}).empty());
  }
  EXPECT_EQ(moved(Rearrangement(Layout::dense({0, 2}, 1)).pad("@0", 1, 0), {}), Bytes(2, std::byte{0}));
  expect_code(ErrorCode::bad_shape, [] { Rearrangement(Layout::dense({0}, 4)).pad("@0", 1, 0, PadMode::wrap); });
  expect_code(ErrorCode::bad_shape, [] { Rearrangement(Layout::dense({0}, 4)).at("@0", 0); });
  EXPECT_EQ(moved(Rearrangement(Layout::dense({}, 3)), noise(3)), noise(3));
}

// Twelve rolled axes: 4096 boxes are one step, thirteen axes are two.
TEST(Limits, the_first_box_too_many_makes_two_steps) {
  Rearrangement r(Layout::dense(Extents(13, 3), 1));
  for (int a = 0; a < 12; ++a) r = r.roll("@" + std::to_string(a), 1);
  EXPECT_EQ(r.boxes().size(), 4096U);
  r = r.roll("@12", 1);
  const Steps steps = r.steps();
  ASSERT_EQ(steps.steps.size(), 2U);
  EXPECT_NE(steps.why.find("8192"), std::string::npos) << steps.why;
  EXPECT_LE(steps.steps[0].boxes.size() + steps.steps[1].boxes.size(), 192U);
  EXPECT_EQ(steps.workspace_bytes, r.destination().n_bytes());
  expect_code(ErrorCode::unsupported, [&] { r.boxes(); });
}

// Axes of many runs are gathered, first those that are an index array, then, where two steps do not suffice, as many more as it takes.
TEST(Limits, no_number_of_runs_is_too_many) {
  Rearrangement wrapped(Layout::dense({1000, 1000, 1000}, 1));
  for (int a = 0; a < 3; ++a) wrapped = wrapped.pad("@" + std::to_string(a), 0, 100'000, PadMode::wrap);  // 101 long runs each
  ASSERT_EQ(wrapped.steps().steps.size(), 1U);
  EXPECT_EQ(wrapped.steps().steps[0].gathers.size(), 2U);
  Rearrangement taken(Layout::dense(Extents(6, 40), 1));
  oracle::Indices indices;
  for (std::int64_t k = 0; k < 40; ++k) indices.push_back(k * k * k % 37);
  for (int a = 0; a < 6; ++a) taken = taken.take("@" + std::to_string(a), indices);
  const Steps steps = taken.steps();
  ASSERT_EQ(steps.steps.size(), 2U);
  for (const Step& step : steps.steps) {
    EXPECT_EQ(step.gathers.size(), 1U);
    EXPECT_EQ(step.boxes.size(), 20U * 20U) << "of the other two axes";
  }
}

// The second step fills again what the first has filled, around data that do not begin at the first index.
TEST(Limits, two_steps_keep_the_gaps_of_a_dilated_axis) {
  Rearrangement r(Layout::dense({3, 3, 3, 3, 3, 3, 3, 3, 3}, 1));
  oracle::Array expected = oracle::numbered(r.source().extents);
  for (std::size_t a = 1; a < 9; ++a) {
    r = r.pad("@" + std::to_string(a), 1, 1, PadMode::wrap).slice("@" + std::to_string(a), 0, {}, 2).roll("@" + std::to_string(a), 1);
    expected = oracle::padded(expected, a, 1, 1, PadMode::wrap, 0);
    expected = oracle::rolled(oracle::sliced(expected, a, 0, {}, 2), a, 1);
  }
  oracle::Indices scattered;
  for (std::int64_t k = 0; k < 256; ++k) scattered.push_back(k * k % 97 % 3);
  Rearrangement small(Layout::dense({3, 3}, 1));
  small = small.take("@0", scattered).bit_reverse("@0").dilate("@1", 3).slice("@1", 1, {});
  oracle::Array few = oracle::bit_reversed(oracle::taken(oracle::numbered({3, 3}), 0, scattered), 0);
  few = oracle::sliced(oracle::dilated(few, 1, 3, 0), 1, 1, {}, 1);
  ASSERT_EQ(small.steps().steps.size(), 2U);
  for (const auto& [map, ids] : {std::pair{r, expected}, std::pair{small, few}}) {
    const Bytes source = noise_for(map.source());
    Bytes result;
    for (const std::int64_t id : ids.ids) result.push_back(id < 0 ? std::byte{0} : source[static_cast<std::size_t>(id)]);
    EXPECT_EQ(moved(map, source), result);
  }
}

}  // namespace
}  // namespace crinkle::limits_test
