// Slabs: a chain of rearrangements that runs in slabs is the chain, within the workspace it was given; and the parts that cut() makes of a
// step are the step.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "crinkle/operations.hpp"
#include "form/cut.hpp"
#include "support/chains.hpp"
#include "support/slabs.hpp"

namespace crinkle::slab_test {
namespace {

// A fraction of what the steps need as a whole, or all of it.
std::int64_t any_limit(const Rearrangement& r) {
  return std::max(std::int64_t{16}, std::max(r.steps().workspace_bytes, r.destination().n_bytes()) / pick(1, 9));
}

TEST(Slabs, of_any_chain_are_the_chain_within_their_workspace) {
  EXPECT_TRUE(check_many("slabs", 150, [] {
    const PassChain chain = any_chain(pick(1, 4));
    const Bytes source = noise_for(chain.passes.front().source());
    const Bytes expected = chain.one_by_one(source);
    const Rearrangement all = chain.together();
    const std::int64_t limit = any_limit(all);
    const MovedInSlabs in_slabs = moved_in_slabs(all, source, limit);
    RC_ASSERT(in_slabs.bytes == expected);
    const auto n_between = static_cast<std::int64_t>(all.steps().steps.size()) - 1;
    RC_ASSERT(in_slabs.workspace_bytes <= std::max(limit, 16 * n_between));
  }));
}

TEST(Slabs, may_be_read_and_taken_at_the_ends) {
  EXPECT_TRUE(check_many("ends", 100, [] {
    const PassChain chain = any_chain(pick(1, 3));
    const Bytes source = noise_for(chain.passes.front().source());
    const std::int64_t e = chain.passes.back().element_bytes(), multiple = one_of<std::int64_t>({1, 8 * e, 24});
    const Rearrangement all = chain.together();
    const MovedInSlabs taken = moved_in_slabs(all, source, any_limit(all), one_of<End>({End::in_memory, End::in_slabs}),
                                              one_of<End>({End::in_memory, End::in_slabs}), multiple);
    RC_ASSERT(taken.bytes == chain.one_by_one(source));
  }));
}

TEST(Slabs, of_two_steps_make_and_use_every_byte_between_once) {
  const Rearrangement first = permute(Layout::dense({97, 89}, 1), std::vector<std::int64_t>{1, 0});
  const Rearrangement both = first.then(permute(Layout::dense({97, 89}, 1), std::vector<std::int64_t>{1, 0}));
  ASSERT_EQ(both.steps().steps.size(), 2U);
  std::int64_t n_between = 0, n_last = 0;
  Bytes workspace(1000), destination(97 * 89);
  const Bytes source = noise(97 * 89);
  Slabs::Actions actions;
  actions.run = [&](const Step& step, Place from, Place to) {
    for (const Box& b : step.boxes) (to.array == Place::In::workspace ? n_between : n_last) += n_bytes_of(b);
    const std::byte* in = (from.array == Place::In::source ? source.data() : workspace.data()) + from.at;
    std::byte* out = (to.array == Place::In::destination ? destination.data() : workspace.data()) + to.at;
    run_reference(step, {&in, 1}, {&out, 1});
  };
  Slabs slabs(both, 1000, actions);
  EXPECT_LE(slabs.workspace_bytes(), 1000);
  slabs.run();
  EXPECT_EQ(n_between, 97 * 89);
  EXPECT_EQ(n_last, 97 * 89);
  EXPECT_EQ(destination, moved(both, source));
}

TEST(Slabs, say_how_often_the_first_of_them_is_made) {
  std::vector<std::int64_t> scattered(1000);
  for (std::int64_t j = 0; j < 1000; ++j) scattered[static_cast<std::size_t>(j)] = 389 * j % 1000;
  const Rearrangement pass = Rearrangement(Layout::dense({1000}, 8)).take("@0", scattered);
  std::int64_t n_read = 0;
  Slabs::Actions actions;
  actions.run = [](const Step&, Place, Place) {};
  EXPECT_EQ(Slabs(pass, 1600, actions).most_makings(), 1) << "from memory to memory";
  EXPECT_EQ(Slabs(pass.then(pass), 1600, actions).most_makings(), 1) << "what lies between two steps is made once";
  EXPECT_EQ(Slabs(pass.then(pass).then(pass), 1600, actions).most_makings(), 10);
  actions.read = [&](ByteSpan slab, std::int64_t) { n_read += slab.last - slab.first; };
  EXPECT_EQ(Slabs(pass, 1600, actions).most_makings(), 1);
  Slabs slabs(pass.then(pass), 1600, actions);
  EXPECT_EQ(slabs.most_makings(), 10);
  slabs.run();
  EXPECT_EQ(n_read, 10 * 8000);
}

TEST(Slabs, cut_strides_that_are_not_nested_and_keep_an_array_whole_that_would_take_too_many_boxes) {
  const auto windows = [](std::int64_t n) {  // dst[i][j] = src[i + j]
    Box copy, read;
    copy.axes = {{2 * n - 1, 1, 1}};
    read.axes = {{n, 1, n}, {n, 1, 1}};
    Steps two;
    two.steps = {Step{{copy}, {}, {}}, Step{{read}, {}, {}}};
    two.workspace_bytes = 2 * n - 1;
    return Rearrangement(Layout::dense({2 * n - 1}, 1), Layout::dense({n, n}, 1), two);
  };
  const Rearrangement few = windows(60), many = windows(5000);
  const MovedInSlabs in_slabs = moved_in_slabs(few, noise(119), 32);
  EXPECT_EQ(in_slabs.workspace_bytes, 32);
  EXPECT_EQ(in_slabs.bytes, moved(few, noise(119)));
  EXPECT_FALSE(can_be_cut(many.steps().steps[1], Side::source));
  EXPECT_EQ(Slabs(many, 32, {}).workspace_bytes(), 10'000) << "9999 bytes, to the next 16";
}

TEST(Slabs, of_one_long_pass_come_in_parts_for_the_progress) {
  const Rearrangement r = Rearrangement(Layout::dense({40, 10}, 4)).roll("@0", 3).flip("@1").pad("@0", 1, 0);
  const Bytes source = noise_for(r.source());
  const MovedInSlabs whole = moved_in_slabs(r, source, 300), parts = moved_in_slabs(r, source, 100);
  EXPECT_EQ(whole.n_passes, 1);
  EXPECT_GT(parts.n_passes, 10);
  EXPECT_EQ(parts.bytes, whole.bytes);
  EXPECT_EQ(parts.workspace_bytes, 0);
}

// All parts of a step along one side, put together, are the step.
void expect_parts_to_be_the_step(const Step& step, Side side, std::int64_t n_src, std::int64_t n_dst, std::int64_t slab) {
  const Bytes source = noise(n_src);
  Bytes expected(static_cast<std::size_t>(n_dst), poison), result = expected;
  const std::byte* in = source.data();
  std::byte* out = expected.data();
  run_reference(step, {&in, 1}, {&out, 1});
  out = result.data();
  const Step fills = fills_of(step);
  if (side == Side::source) run_reference(fills, {&in, 1}, {&out, 1});
  const std::int64_t n = side == Side::source ? n_src : n_dst;
  for (std::int64_t first = 0; first < n; first += slab) {
    const ByteSpan bytes{first, std::min(n, first + slab)};
    // A part sees the slab alone: a copy of these bytes of the source, or a copy back to these bytes of the destination.
    Guarded alone({0, bytes.last - bytes.first}, side == Side::source ? Bytes(source.begin() + bytes.first, source.begin() + bytes.last)
                                                                      : Bytes(result.begin() + bytes.first, result.begin() + bytes.last));
    for (const Step& part : cut(side == Side::source ? data_of(step) : step, side, bytes)) {
      in = side == Side::source ? alone.origin() : source.data();
      out = side == Side::source ? result.data() : alone.origin();
      run_reference(part, {&in, 1}, {&out, 1});
    }
    ASSERT_TRUE(alone.is_intact());
    const Bytes after = alone.content();
    if (side == Side::destination) std::copy(after.begin(), after.end(), result.begin() + bytes.first);
  }
  ASSERT_EQ(result, expected) << "slabs of " << slab;
}

TEST(Cut, on_either_side_of_gathers_and_fills_gives_parts_that_are_the_step) {
  oracle::Indices far, near;
  for (std::int64_t k = 0; k < 200; ++k) far.push_back(k * k % 97 % 40), near.push_back(k * k % 89 % 30);
  const Bytes value = noise(12, 7);
  for (const std::int64_t e : {std::int64_t{1}, std::int64_t{2}, std::int64_t{12}}) {
    const Bytes fill(value.begin(), value.begin() + e);
    const Rearrangement base(Layout::dense({40, 3, 30}, e));
    for (const Rearrangement& r : {base.take("@0", far).pad("@1", 1, 0, PadMode::constant, fill), base.take("@2", near).flip("@0"),
                                   base.take("@0", far).take("@2", near).pad("@0", 2, 1, PadMode::constant, fill).pad("@2", 0, 1),
                                   base.roll("@1", 1).pad("@2", 3, 2, PadMode::constant, fill)}) {
      const Steps steps = r.steps();
      ASSERT_EQ(steps.steps.size(), 1U);
      for (const std::int64_t slab : {std::int64_t{9973}, 2400 * e, 9000 * e, std::int64_t{1} << 20}) {
        for (const Side side : {Side::source, Side::destination})
          expect_parts_to_be_the_step(steps.steps[0], side, r.source().n_bytes(), r.destination().n_bytes(), slab);
      }
    }
  }
}

TEST(Cut, between_whole_rows_keeps_a_gather_one_step) {
  oracle::Indices indices;
  for (std::int64_t k = 0; k < 200; ++k) indices.push_back(k * k % 97 % 40);
  const Rearrangement rows = Rearrangement(Layout::dense({40, 30}, 4)).take("@0", indices),
                      columns = Rearrangement(Layout::dense({30, 40}, 4)).take("@1", indices);
  for (const auto& [r, src_row, dst_row] : {std::tuple{rows, 120, 120}, std::tuple{columns, 160, 800}}) {
    const Step step = r.steps().steps[0];
    EXPECT_EQ(cut(step, Side::source, {2 * src_row, 9 * src_row}).size(), 1U);
    EXPECT_EQ(cut(step, Side::destination, {2 * dst_row, 9 * dst_row}).size(), 1U);
  }
}

}  // namespace
}  // namespace crinkle::slab_test
