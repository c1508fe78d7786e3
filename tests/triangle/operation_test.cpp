// Conversions of triangles as operations: parts have the bits of the whole, whatever else the destination holds.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/operations.hpp"

#include <fmt/format.h>

#include "crinkle/error.hpp"
#include "support/drawn.hpp"
#include "support/in_parts.hpp"
#include "triangle/triangles.hpp"

namespace crinkle::testing::triangle_operation_test {
namespace {

TEST(TriangleOperations, parts_have_the_bits_of_the_whole) {
  std::mt19937_64 random(561);
  int n_cut = 0;
  for (int i = 0; i < drawn(15000) && !::testing::Test::HasFailure(); ++i) {
    const auto n = static_cast<std::int64_t>(random() % (i % 10 == 0 ? 150 : 20));
    const std::int64_t element = std::array<std::int64_t, 7>{1, 2, 3, 4, 8, 12, 16}[random() % 7];
    const std::vector<TriangleLayout> all = all_layouts(n, element);
    const TriangleLayout &from = all[random() % all.size()], &to = all[random() % all.size()];
    const Operation operation = plan(TriangleRequest{from, to});
    n_cut += operation.cuts().empty() ? 0 : 1;
    expect_contract(operation, random, fmt::format("{}: {} to {}", i, named(from), named(to)));
  }
  EXPECT_GT(n_cut, 0);
}

TEST(TriangleOperations, parts_of_parts_have_the_bits_of_the_whole) {
  std::mt19937_64 random(562);
  for (int i = 0; i < drawn(3000) && !::testing::Test::HasFailure(); ++i) {
    const auto n = static_cast<std::int64_t>(4 + random() % 30);
    const std::vector<TriangleLayout> all = all_layouts(n, 4);
    const TriangleLayout &from = all[random() % all.size()], &to = all[random() % all.size()];
    const Operation whole = plan(TriangleRequest{from, to});
    if (whole.cuts().empty()) continue;
    const Ranges part{{static_cast<std::int64_t>(random() % 3), n - 3}};
    const Bytes source = random_input(whole.inputs()[0], random);
    expect_parts(whole.part(part), {taken(whole.inputs()[0].layout, source, whole.needs(part)[0])}, random,
                 fmt::format("{}: a part of {} to {}", i, named(from), named(to)));
  }
}

TEST(TriangleOperations, the_definition_has_the_bits_of_parts) {
  std::mt19937_64 random(564);
  for (int i = 0; i < drawn(3000) && !::testing::Test::HasFailure(); ++i) {
    const auto n = static_cast<std::int64_t>(random() % 20);
    const std::vector<TriangleLayout> all = all_layouts(n, 4);
    const TriangleLayout &from = all[random() % all.size()], &to = all[random() % all.size()];
    const Operation whole = plan(TriangleRequest{from, to});
    const std::string what = fmt::format("{}: {} to {}", i, named(from), named(to));
    const Bytes source = random_input(whole.inputs()[0], random);
    expect_definition(whole, {source}, what);
    if (whole.cuts().empty() || n < 4) continue;
    const Ranges part{{static_cast<std::int64_t>(random() % 3), n - 3}};
    expect_definition(whole.part(part), {taken(whole.inputs()[0].layout, source, whole.needs(part)[0])}, what + ", a part");
  }
}

TEST(TriangleOperations, parts_read_their_own_lines_where_both_sides_have_the_same) {
  const Operation operation = plan(TriangleRequest{TriangleLayout::parse("full", 100, 4), TriangleLayout::parse("packed", 100, 4)});
  EXPECT_EQ(operation.needs({{10, 5}})[0][0], (Range{10 * 100 + 10, 4 * 100 + 90}));
  EXPECT_EQ(operation.gives({{10, 5}})[0][0].n, 90 + 89 + 88 + 87 + 86);
  EXPECT_EQ(operation.needs({{10, 0}})[0][0], (Range{}));
}

TEST(TriangleOperations, run_in_parts_of_little_memory) {
  std::mt19937_64 random(563);
  for (const char* to : {"full lower", "full upper rows", "symmetric", "packed upper", "condensed"}) {
    for (const char* from : {"full lower", "packed", "rfp upper", "condensed"}) {
      TriangleRequest request{TriangleLayout::parse(from, 120, 4), TriangleLayout::parse(to, 120, 4)};
      if (request.to.form == TriangleLayout::Form::full) request.to.pitch = 130;
      const Operation operation = plan(request);
      expect_same_in_parts(operation, {random_input(operation.inputs()[0], random)}, 50000, fmt::format("{} to {}", from, to));
    }
  }
}

TEST(TriangleOperations, say_which_destinations_are_updated) {
  const auto is_updated = [](const char* to, std::int64_t pitch = 0) {
    TriangleRequest request{TriangleLayout::parse("packed", 9, 8), TriangleLayout::parse(to, 9, 8)};
    request.to.pitch = pitch;
    return plan(request).outputs()[0].is_updated;
  };
  EXPECT_TRUE(is_updated("full"));
  EXPECT_TRUE(is_updated("symmetric", 10));
  for (const char* to : {"symmetric", "packed upper", "rfp", "condensed"}) EXPECT_FALSE(is_updated(to)) << to;
  EXPECT_TRUE(plan(TriangleRequest{TriangleLayout::parse("full", 9, 8), TriangleLayout::parse("rfp", 9, 8)}).cuts().empty());
}

}  // namespace
}  // namespace crinkle::testing::triangle_operation_test
