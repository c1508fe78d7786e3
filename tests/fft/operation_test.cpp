// Transforms and convolutions as operations: parts and stages have the whole's bits.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/operations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "crinkle/fft.hpp"

namespace crinkle::fft::operation_test {
namespace {

using namespace crinkle::testing;

template <class T>
T one_of(std::mt19937_64& random, std::initializer_list<T> of) {
  return of.begin()[random() % of.size()];
}

FftRequest random_request(std::mt19937_64& random) {
  FftRequest request;
  const std::size_t rank = 1 + random() % 4;
  Extents in = random_extents(rank, rank < 3 ? 40 : 9, random);
  std::vector<std::int64_t> axes(rank);
  for (std::size_t a = 0; a < rank; ++a) axes[a] = static_cast<std::int64_t>(a);
  std::shuffle(axes.begin(), axes.end(), random);
  axes.resize(1 + random() % rank);
  request.axes = axes;
  request.kind = static_cast<FftKind>(random() % 5);
  request.real = static_cast<FftReal>(random() % 3);
  request.direction = request.kind == FftKind::complex_to_real   ? FftDirection::inverse
                      : request.kind == FftKind::real_to_complex ? FftDirection::forward
                                                                 : static_cast<FftDirection>(random() % 2);
  request.norm = static_cast<FftNorm>(random() % 3);
  if (request.kind == FftKind::complex_to_real && in[static_cast<std::size_t>(axes.back())] < 2)
    in[static_cast<std::size_t>(axes.back())] = 2;
  const bool is_real = request.kind == FftKind::cosine || request.kind == FftKind::sine;
  if (random() % 3 == 0)
    for (std::size_t i = 0; i < axes.size(); ++i)
      request.sizes.push_back(static_cast<std::int64_t>(random() % 3 == 0 ? 0 : 2 + random() % 20));
  else if (!is_real) request.shift = static_cast<FftShift>(random() % 4);
  const std::int64_t part = request.real == FftReal::float64   ? 8
                            : request.real == FftReal::float32 ? 4
                                                               : one_of<std::int64_t>(random, {2, 2, 4});
  const std::int64_t in_parts = is_real || request.kind == FftKind::real_to_complex ? 1 : 2,
                     out_parts = is_real || request.kind == FftKind::complex_to_real ? 1 : 2;
  request.in = random_layout(in, part * in_parts, random);
  request.out = random_layout(fft_extents(in, axes, request.kind, request.sizes), part * out_parts, random, false);
  return request;
}

std::string text_of(const FftRequest& r) {
  return fmt::format("in [{}] of {} axes [{}] sizes [{}] kind {} real {} shift {}", fmt::join(r.in.extents, ","), r.in.element_bytes,
                     fmt::join(r.axes, ","), fmt::join(r.sizes, ","), static_cast<int>(r.kind), static_cast<int>(r.real),
                     static_cast<int>(r.shift));
}

TEST(Operation, parts_and_stages_of_a_transform_have_its_bits) {
  std::mt19937_64 random(541);
  for (int i = 0; i < 150 && !::testing::Test::HasFailure(); ++i) {
    const FftRequest request = random_request(random);
    expect_contract(plan(request), random, fmt::format("{}: {}", i, text_of(request)));
  }
}

TEST(Operation, parts_of_long_and_prime_lines_have_the_bits_of_the_whole) {
  std::mt19937_64 random(542);
  for (const std::int64_t n : {101, 127, 1009, 4096, 5005, 1 << 17}) {
    FftRequest request;
    const Extents extents = n > 5005 ? Extents{3, n} : random() % 2 == 0 ? Extents{n, 9} : Extents{9, n};
    request.in = request.out = Layout::dense(extents, 8);
    request.axes = {extents[0] == n ? 0 : 1};
    expect_contract(plan(request), random, text_of(request));
  }
}

TEST(Operation, parts_of_a_convolution_have_its_bits) {
  std::mt19937_64 random(543);
  for (int i = 0; i < 60 && !::testing::Test::HasFailure(); ++i) {
    const std::size_t rank = 1 + random() % 3;
    ConvolveRequest request;
    Extents a = random_extents(rank, 12, random), b = random_extents(rank, 6, random);
    std::vector<std::int64_t> axes(rank);
    for (std::size_t k = 0; k < rank; ++k) axes[k] = static_cast<std::int64_t>(k);
    std::shuffle(axes.begin(), axes.end(), random);
    axes.resize(1 + random() % rank);
    for (std::size_t k = 0; k < rank; ++k) {
      if (std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(k)) != axes.end()) continue;
      const std::uint64_t which = random() % 3;
      if (which == 0) b[k] = 1;
      else if (which == 1) a[k] = 1;
      else b[k] = a[k];
    }
    request.mode = static_cast<ConvolveMode>(random() % 2);
    request.real = static_cast<FftReal>(random() % 2);
    request.axes = axes;
    request.is_correlation = random() % 2 == 0;
    const std::int64_t bytes = request.real == FftReal::float32 ? 4 : 8;
    request.a = random_layout(a, bytes, random);
    request.b = random_layout(b, bytes, random);
    request.out = random_layout(convolve_extents(a, b, request.mode, axes), bytes, random, false);
    expect_contract(plan(request), random,
                    fmt::format("{}: [{}] [{}] axes [{}]", i, fmt::join(a, ","), fmt::join(b, ","), fmt::join(axes, ",")));
  }
}

TEST(Operation, allocates_a_workspace_where_none_is_given) {
  FftRequest request{.in = Layout::dense({4, 12}, 8), .out = Layout::dense({4, 12}, 4), .axes = {0, 1}, .kind = FftKind::complex_to_real};
  request.in.extents[1] = 7;
  request.in = Layout::dense({4, 7}, 8);
  const Operation operation = plan(request);
  ASSERT_GT(operation.workspace_bytes(), 0);
  std::mt19937_64 random(544);
  const Buffers in = random_inputs(operation, random);
  Buffers one = untouched_outputs(operation), other = one;
  run_on(operation, in, one);
  crinkle::testing::Bytes workspace(crinkle::testing::size_of(operation.workspace_bytes()));
  operation.run({ConstBuffer(in[0])}, {Buffer(other[0])}, default_executor(), workspace);
  EXPECT_EQ(difference(operation.outputs()[0], one[0], other[0]).n, 0);
  EXPECT_THROW(operation.run({ConstBuffer(in[0])}, {Buffer(other[0])}, default_executor(), Buffer(workspace.data(), 8)), Error);
}

TEST(Operation, refuses_a_part_that_is_not_there) {
  const Operation operation = plan(FftRequest{.in = Layout::dense({4, 8}, 8), .out = Layout::dense({4, 8}, 8), .axes = {1}});
  ASSERT_EQ(operation.cuts().size(), 1U);
  EXPECT_EQ(operation.cuts()[0].extent, 4);
  EXPECT_THROW(operation.needs({{3, 2}}), Error);
  EXPECT_THROW(operation.part({{-1, 2}}), Error);
  EXPECT_THROW(operation.part({}), Error);
  EXPECT_THROW(plan(FftRequest{.in = Layout::dense({8}, 8), .out = Layout::dense({8}, 8), .axes = {0}}).part({}), Error);
}

TEST(Operation, takes_parts_that_fit_into_memory) {
  const Operation operation = plan(FftRequest{.in = Layout::dense({16, 8, 64}, 8), .out = Layout::dense({16, 8, 64}, 8), .axes = {2}});
  const std::vector<Ranges> parts = parts_of(operation, 10000);
  std::int64_t lines = 0;
  for (const Ranges& part : parts) {
    lines += part[0].n * part[1].n;
    EXPECT_LE(part[0].n * part[1].n * 64 * 16, 10000);
  }
  EXPECT_EQ(lines, 16 * 8);
  EXPECT_EQ(parts_of(operation, 1 << 20).size(), 1U);
  EXPECT_THROW(parts_of(operation, 0), Error);
}

}  // namespace
}  // namespace crinkle::fft::operation_test
