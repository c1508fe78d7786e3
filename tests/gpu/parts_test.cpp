// Moves, transforms and convolutions as operations on a real GPU, and host arrays part by part through one.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "crinkle/fft.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/sweeper.hpp"
#include "operation_parts.hpp"

namespace crinkle::testing::parts_test {
namespace {

using Gpu = OnGpu;

Buffers in_parts(const Operation& operation, const Buffers& in, std::int64_t memory_bytes) {
  std::vector<ConstBuffer> from(in.begin(), in.end());
  Buffers out = untouched_outputs(operation);
  std::vector<Buffer> to;
  for (Bytes& bytes : out) to.emplace_back(bytes);
  run_in_parts(operation, from, to, default_executor(), {.memory_bytes = memory_bytes});
  return out;
}

void expect_equal(const Operation& operation, const Buffers& a, const Buffers& b, const std::string& what) {
  for (std::size_t o = 0; o < a.size(); ++o) {
    const Difference found = difference(operation.outputs()[o], a[o], b[o]);
    EXPECT_EQ(found.n, 0) << what << ", first at element " << found.first;
  }
}

TEST_F(Gpu, parts_of_moves_have_the_bytes_of_the_whole) {
  std::mt19937_64 random(911);
  for (int i = 0; i < 12; ++i) {
    const Rearrangement r = parse("z (y 2) x -> x (2 z) y", random_layout({5, 8, 7}, 4, random)).roll("z", 2).flip("x");
    const Operation there = plan(r, cuda()), here = plan(r);
    const Buffers in = random_inputs(here, random), whole = run_whole(here, in, untouched_outputs(here));
    expect_parts_on_gpu(there, in, random, fmt::format("move {}", i));
    for (const std::int64_t memory : {300, 2000, 1 << 20})
      expect_equal(here, in_parts(there, in, memory), whole, fmt::format("move {} in parts of {}", i, memory));
  }
}

TEST_F(Gpu, parts_and_stages_of_transforms_have_the_bits_of_the_whole) {
  std::mt19937_64 random(912);
  for (const std::int64_t n : {16, 100, 101, 1024, 4100, 5005}) {
    for (const FftKind kind : {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::cosine}) {
      const bool is_real = kind == FftKind::cosine;
      FftRequest request{.axes = {1}, .kind = kind};
      request.in = Layout::dense({6, n, 5}, kind == FftKind::complex_to_complex ? 8 : 4);
      request.out = Layout::dense(fft_extents(request.in.extents, request.axes, kind), is_real ? 4 : 8);
      const Operation there = plan(request, cuda());
      const Buffers in = random_inputs(there, random), whole = run_on_gpu(there, in, untouched_outputs(there));
      expect_parts_on_gpu(there, in, random, fmt::format("transform of {}", n));
      expect_equal(there, in_parts(there, in, 1 << 18), whole, fmt::format("transform of {} in parts", n));
    }
  }
  FftRequest both{.in = Layout::dense({60, 128, 20}, 8), .out = Layout::dense({60, 128, 20}, 8), .axes = {0, 1, 2}};
  const Operation there = plan(both, cuda());
  const Buffers in = random_inputs(there, random), whole = run_on_gpu(there, in, untouched_outputs(there));
  Buffers now = in;
  for (const Operation& stage : there.stages()) now = run_on_gpu(stage, now, untouched_outputs(stage));
  expect_equal(there, now, whole, "stages");
  expect_equal(there, in_parts(there, in, 1 << 17), whole, "stages in parts");
}

TEST_F(Gpu, convolutions_and_sweeps_go_through_in_parts) {
  std::mt19937_64 random(913);
  const Layout a = Layout::dense({9, 40, 30}, 4), b = Layout::dense({1, 5, 7}, 4);
  const Operation convolution = plan(ConvolveRequest{.a = a, .b = b, .out = a, .mode = ConvolveMode::same, .axes = {1, 2}}, cuda());
  Buffers in = random_inputs(convolution, random);
  expect_equal(convolution, in_parts(convolution, in, 1 << 15), run_on_gpu(convolution, in, untouched_outputs(convolution)), "convolution");
  Sweep sweep;
  sweep.stencil = laplacian(2);
  sweep.source = sweep.destination = Layout::dense({90, 70}, 4);
  sweep.axes = {0, 1};
  sweep.boundary = {{Bound::periodic}, {Bound::edge}};
  sweep.steps = 3;
  const Operation there = plan(sweep, cuda()), here = plan(sweep);
  in = random_inputs(here, random);
  const Buffers whole = run_whole(here, in, untouched_outputs(here));
  for (const std::int64_t memory : {3000, 1 << 20}) expect_equal(here, in_parts(there, in, memory), whole, "sweep");
}

TEST_F(Gpu, operations_refuse_what_is_not_theirs) {
  const Layout layout = Layout::dense({4, 8}, 8);
  const Operation there = plan(FftRequest{.in = layout, .out = layout, .axes = {1}}, cuda());
  Bytes x(256), y(256);
  EXPECT_THROW(there.run({ConstBuffer(x)}, {Buffer(y)}, default_executor()), Error);
  EXPECT_THROW(there.run({ConstBuffer(x)}, {Buffer(y)}, Stream()), Error);  // memory of the host
  const Operation here = plan(FftRequest{.in = layout, .out = layout, .axes = {1}});
  EXPECT_THROW(here.run({ConstBuffer(x)}, {Buffer(y)}, Stream()), Error);
}

}  // namespace
}  // namespace crinkle::testing::parts_test
