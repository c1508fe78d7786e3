// Resamplings as operations: parts, and the stages of splines, have the whole's bits, for every map, boundary and way.
// SPDX-License-Identifier: BSD-3-Clause
#include "resample/drawn_resamplings.hpp"
#include "support/drawn.hpp"

namespace crinkle::resample_operation_test {
namespace {

using namespace crinkle::testing;
using namespace crinkle::drawn_resamplings;

TEST(ResampleOperation, parts_and_stages_of_a_resampling_have_its_bits) {
  std::mt19937_64 random(561);
  const int n = drawn(3000);
  for (int i = 0; i < n && !::testing::Test::HasFailure(); ++i) {
    const Drawn drawn = random_resampling(random);
    const Resampling r = request_of(drawn);
    expect_contract(plan(r), random, fmt::format("{}: {}", i, text_of(r)));
  }
}

// Of a spline the sampling of its coefficients.
TEST(ResampleOperation, the_definition_has_the_bits_of_the_whole_and_of_parts) {
  std::mt19937_64 random(567);
  const int n = drawn(1000);
  for (int i = 0; i < n && !::testing::Test::HasFailure(); ++i) {
    const Drawn drawn = random_resampling(random);
    const Resampling r = request_of(drawn);
    const Operation whole = plan(r).stages().back();
    const Buffers in = random_inputs(whole, random);
    expect_definition(whole, in, fmt::format("{}: {}", i, text_of(r)));
    for (const Ranges& ranges : random_parts(whole, random)) {
      const Bytes some = taken(whole.inputs()[0].layout, in[0], whole.needs(ranges)[0]);
      expect_definition(whole.part(ranges), {some}, fmt::format("{}: a part of {}", i, text_of(r)));
    }
  }
}

TEST(ResampleOperation, parts_of_parts_have_the_bits_of_the_whole) {
  std::mt19937_64 random(562);
  const int n = drawn(600);
  for (int i = 0; i < n && !::testing::Test::HasFailure(); ++i) {
    const Drawn drawn = random_resampling(random);
    const Resampling r = request_of(drawn);
    const Operation whole = plan(r);
    for (const Ranges& ranges : random_parts(whole, random))
      expect_contract(whole.part(ranges), random, fmt::format("{}: {}", i, text_of(r)));
  }
}

// Segments of rows, tiles of them and threads.
TEST(ResampleOperation, parts_of_large_arrays_have_the_bits_of_the_whole) {
  std::mt19937_64 random(563);
  for (const ResampleBy by : {ResampleBy::nearest, ResampleBy::linear, ResampleBy::cubic, ResampleBy::spline}) {
    for (const double degrees : {0.0, 3.0, 90.0}) {
      Resampling r{.map = rotation_map(degrees, {300, 700}, {350, 650}), .axes = {0, 1}, .by = by};
      r.source = Layout::dense({300, 700, 3}, 1);
      r.destination = Layout::dense({350, 650, 3}, 1);
      r.source_type = r.destination_type = {Number::uint8};
      expect_contract(plan(r), random, text_of(r));
    }
  }
}

TEST(ResampleOperation, parts_of_smaller_arrays_have_the_bits_of_the_whole) {
  std::mt19937_64 random(566);
  for (const ResampleBy by :
       {ResampleBy::nearest, ResampleBy::linear, ResampleBy::cubic, ResampleBy::area, ResampleBy::mode, ResampleBy::lanczos}) {
    for (const NumberType type : {NumberType{Number::uint8}, NumberType{Number::float32}}) {
      for (const std::int64_t n : {350, 175, 40}) {
        Resampling r{.map = zoom_map({300, 700}, {150, n}), .axes = {0, 1}, .by = by};
        r.source = Layout::dense({300, 700}, bytes_of(type.number));
        r.destination = Layout::dense({150, n}, bytes_of(type.number));
        r.source_type = r.destination_type = type;
        expect_contract(plan(r), random, text_of(r));
      }
    }
  }
}

TEST(ResampleOperation, needs_the_elements_around_its_coordinates) {
  Resampling r{.map = zoom_map({40, 60}, {20, 120}), .axes = {0, 2}};
  r.source = Layout::dense({40, 3, 60}, 4);
  r.destination = Layout::dense({20, 3, 120}, 4);
  r.source_type = r.destination_type = {Number::float32};
  EXPECT_EQ(plan(r).needs({{5, 2}, {1, 1}, {0, 10}})[0], (Ranges{{10, 4}, {1, 1}, {0, 6}}));
  EXPECT_EQ(plan(r).needs({{19, 1}, {0, 3}, {0, 120}})[0], (Ranges{{38, 2}, {0, 3}, {0, 60}}));
  r.by = ResampleBy::nearest;
  r.map = AffineMap{.rank = 2, .offset = {7, -70}};
  EXPECT_EQ(plan(r).needs({{5, 2}, {1, 1}, {80, 10}})[0], (Ranges{{12, 2}, {1, 1}, {10, 10}}));
  EXPECT_EQ(plan(r).needs({{5, 2}, {1, 1}, {0, 10}})[0], (Ranges{{12, 2}, {1, 1}, {0, 1}})) << "a constant alone";
  r.boundary = {Faces(Bound::periodic)};
  EXPECT_EQ(plan(r).needs({{5, 2}, {1, 1}, {0, 10}})[0], (Ranges{{12, 2}, {1, 1}, {50, 10}}));
  EXPECT_EQ(plan(r).needs({{5, 2}, {1, 1}, {5, 10}})[0], (Ranges{{12, 2}, {1, 1}, {0, 60}})) << "round the end";
  r.boundary = {Faces(Bound::reflect)};
  EXPECT_EQ(plan(r).needs({{5, 2}, {1, 1}, {60, 13}})[0], (Ranges{{12, 2}, {1, 1}, {0, 11}}));
  EXPECT_EQ(plan(r).needs({{5, 2}, {1, 0}, {60, 13}})[0], (Ranges{{0, 0}, {1, 0}, {0, 0}}));
  EXPECT_EQ(plan(r).stages().size(), 1U);
  r.by = ResampleBy::spline;
  EXPECT_EQ(plan(r).needs({{5, 2}, {1, 1}, {0, 10}})[0], (Ranges{{0, 40}, {1, 1}, {0, 60}}));
  ASSERT_EQ(plan(r).stages().size(), 2U);
  EXPECT_EQ(plan(r).stages()[1].needs({{5, 2}, {1, 1}, {71, 10}})[0], (Ranges{{11, 5}, {1, 1}, {0, 13}}));
}

TEST(ResampleOperation, runs_in_a_workspace_at_any_address) {
  for (const ResampleBy by : {ResampleBy::linear, ResampleBy::spline}) {
    Resampling r{.map = rotation_map(7, {20, 30}, {40, 13}), .axes = {0, 1}, .by = by};
    r.source = Layout::dense({20, 30}, 4);
    r.destination = Layout::dense({40, 13}, 4);
    r.source_type = r.destination_type = {Number::int32};
    const Operation operation = plan(r);
    ASSERT_GT(operation.workspace_bytes(), 0);
    std::mt19937_64 random(564);
    const Buffers in = random_inputs(operation, random), before = untouched_outputs(operation);
    const Buffers want = run_whole(operation, in, before);
    for (const std::int64_t shift : {0, 1, 7}) {
      Bytes made = before[0], workspace(size_of(operation.workspace_bytes() + shift + 16), std::byte{0xa5});
      operation.run({ConstBuffer(in[0])}, {Buffer(made)}, default_executor(),
                    Buffer(workspace.data() + shift, operation.workspace_bytes()));
      EXPECT_TRUE(made == want[0]);
      for (std::int64_t b = 0; b < shift; ++b) EXPECT_EQ(workspace[size_of(b)], std::byte{0xa5});
      for (std::size_t b = workspace.size() - 16; b < workspace.size(); ++b) EXPECT_EQ(workspace[b], std::byte{0xa5});
    }
  }
}

// What lies between stages may begin anywhere.
TEST(ResampleOperation, stages_take_coefficients_at_any_address) {
  Resampling r{.map = zoom_map({20, 30}, {40, 13}), .axes = {0, 1}, .by = ResampleBy::spline};
  r.source = Layout::dense({20, 30}, 4);
  r.destination = Layout::dense({40, 13}, 4);
  r.source_type = r.destination_type = {Number::float32};
  const Operation whole = plan(r);
  const std::vector<Operation> stages = whole.stages();
  std::mt19937_64 random(565);
  const Buffers in = random_inputs(whole, random), want = run_whole(whole, in, untouched_outputs(whole));
  const std::int64_t n = stages[0].outputs()[0].touched.last;
  Bytes between(size_of(n + 1)), made = untouched_outputs(whole)[0];
  stages[0].run({ConstBuffer(in[0])}, {Buffer(between.data() + 1, n)});
  stages[1].run({ConstBuffer(between.data() + 1, n)}, {Buffer(made)});
  EXPECT_TRUE(made == want[0]);
}

}  // namespace
}  // namespace crinkle::resample_operation_test
