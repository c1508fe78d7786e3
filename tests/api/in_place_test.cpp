// Plan::run on one set of buffers: what it takes, what it refuses and why.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"
#include "support/guard.hpp"
#include "support/threads.hpp"

namespace crinkle::in_place_test {
namespace {

std::string refusal(const Plan& plan, ConstBuffer src, Buffer dst) {
  try {
    plan.run(src, dst);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::overlap);
    return e.what();
  }
  return "";
}

Bytes apart(const Plan& plan, const Bytes& source) {
  Bytes result(source.size(), poison);
  plan.run({source.data(), std::ssize(source)}, {result.data(), std::ssize(result)});
  return result;
}

TEST(in_place, gives_the_same_bytes_as_with_a_second_buffer) {
  const Layout square = Layout::dense({130, 130}, 12), cube = Layout::dense({6, 40, 40}, 4);
  const std::vector<Rearrangement> all = {permute(square, std::vector<std::int64_t>{1, 0}),   parse("z y x -> z x y", cube).flip("z"),
                                          Rearrangement(cube).roll("@2", 20).roll("@1", -20), Rearrangement(square).byte_swap(),
                                          Rearrangement(square).flip("@0").roll("@0", 7),     bit_reverse(Layout::dense({1 << 12}, 6))};
  for (const Rearrangement& r : all) {
    const Plan plan(r);
    ASSERT_TRUE(plan.can_run_in_place()) << plan.describe();
    const Bytes before = noise(r.source().n_bytes(), 5), expected = apart(plan, before);
    for (const int n_threads : {1, 2, 3, 7}) {
      Bytes bytes = before;
      Threads threads(n_threads);
      const ConstBuffer src{bytes.data(), std::ssize(bytes)};
      const Buffer dst{bytes.data(), std::ssize(bytes)};
      plan.run({&src, 1}, {&dst, 1}, threads);
      EXPECT_EQ(bytes, expected) << plan.describe();
    }
  }
}

TEST(in_place, is_where_the_bytes_touched_are_the_same_whatever_the_origins) {
  const Layout at_8{{5, 5}, {20, 4}, 8, 4}, at_0 = Layout::dense({5, 5}, 4);
  const Plan plan(permute(at_8, std::vector<std::int64_t>{1, 0}).into(at_0));
  ASSERT_TRUE(plan.can_run_in_place());
  Bytes memory = noise(108);
  const Bytes expected = apart(Plan(permute(at_0, std::vector<std::int64_t>{1, 0})), Bytes(memory.begin() + 8, memory.end()));
  plan.run({memory.data(), 108}, {memory.data() + 8, 100});
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), memory.begin() + 8));
  EXPECT_NE(refusal(plan, {memory.data(), 108}, {memory.data(), 100}), "") << "one origin, but not the same bytes";
}

TEST(in_place, works_buffer_by_buffer) {
  Box box;
  box.unit = 4;
  box.axes = {{3, 1, 1, Counts::buffers, Counts::buffers}, {10, -4, 4}};
  box.src_offset = 36;
  const Plan plan(Boxes{box});
  ASSERT_TRUE(plan.can_run_in_place());
  std::vector<Bytes> arrays = {noise(40, 1), noise(40, 2), noise(40, 3)}, before = arrays;
  std::vector<ConstBuffer> src;
  std::vector<Buffer> dst;
  for (Bytes& a : arrays) src.push_back({a.data(), 40}), dst.push_back({a.data(), 40});
  plan.run(src, dst, default_executor());
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 10; ++i) EXPECT_TRUE(std::equal(&arrays[k][4 * i], &arrays[k][4 * i] + 4, &before[k][36 - 4 * i]));
  std::swap(src[0], src[1]);
  EXPECT_THROW(plan.run(src, dst, default_executor()), Error) << "the same buffers, but in another order";
}

TEST(in_place, is_described) {
  const Layout square = Layout::dense({64, 64}, 4);
  const auto text = [](const Rearrangement& r) { return Plan(r).describe(); };
  EXPECT_NE(text(permute(square, std::vector<std::int64_t>{1, 0})).find("runs in place: squares 16.0 KiB\n"), std::string::npos);
  EXPECT_NE(text(Rearrangement(square)).find("runs in place: nothing moves\n"), std::string::npos);
  EXPECT_EQ(text(Rearrangement(square).roll("@0", 1)).find("in place"), std::string::npos);
  EXPECT_NE(Plan(Rearrangement(square).flip("@0")).describe_json().find("\"can_run_in_place\": true"), std::string::npos);
}

TEST(in_place, of_nothing_that_moves_does_nothing) {
  const Plan plan(Rearrangement(Layout::dense({7, 9}, 2)));
  Bytes bytes = noise(126);
  plan.run({bytes.data(), 126}, {bytes.data(), 126});
  EXPECT_EQ(bytes, noise(126));
}

TEST(in_place, is_refused_with_the_reason) {
  Bytes bytes = noise(4096);
  const auto why = [&](const Plan& plan, std::int64_t shift = 0) {
    const std::string text = refusal(plan, {bytes.data(), 4000}, {bytes.data() + shift, 4000});
    EXPECT_EQ(bytes, noise(4096)) << "refused, but written";
    return text;
  };
  const Layout row = Layout::dense({10}, 4);
  EXPECT_EQ(why(Plan(Rearrangement(row).roll("@0", 3))),
            "source and destination are the same bytes, and byte 28 goes to byte 0 and byte 16 takes its place: only moves that are "
            "their own inverse run in place; use a second buffer");
  EXPECT_FALSE(Plan(Rearrangement(row).roll("@0", 3)).can_run_in_place());
  EXPECT_EQ(why(Plan(Rearrangement(row).roll("@0", 5)), 12),
            "the source and the destination share 28 bytes; of 40 read and 40 written; a plan in place has both at exactly the same "
            "bytes, any other one needs them apart");
  EXPECT_EQ(why(Plan(Rearrangement(row).pad("@0", 1, 0).slice("@0", 0, 10, 1))),
            "the source and the destination share 36 bytes; of 36 read and 40 written; a plan in place has both at exactly the same "
            "bytes, any other one needs them apart");
  std::vector<std::int64_t> indices;
  for (std::int64_t k = 0; k < 997; ++k) indices.push_back(k * k % 997);
  EXPECT_NE(why(Plan(Rearrangement(Layout::dense({997}, 4)).take("@0", indices))).find("an axis is gathered by an index array: only moves"),
            std::string::npos);
  const Layout three = Layout::dense(Extents(13, 3), 1);
  Rearrangement r(three);
  for (int a = 0; a < 13; ++a) r = r.roll("@" + std::to_string(a), 1);  // 2^13 boxes
  Bytes large(static_cast<std::size_t>(three.n_bytes()));
  EXPECT_NE(refusal(Plan(r), {large.data(), three.n_bytes()}, {large.data(), three.n_bytes()}).find("it takes 2 steps: only moves"),
            std::string::npos);
}

}  // namespace
}  // namespace crinkle::in_place_test
