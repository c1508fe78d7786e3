// Two axes of a transform in one pass over memory, by a kernel compiled for them: the bits of two passes, and so of the library's kernels.
// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <filesystem>
#include <random>

#include "crinkle/cuda_kernels.hpp"
#include "crinkle/fft.hpp"
#include "crinkle/half.hpp"
#include "cuda/compile/nvrtc.hpp"
#include "on_gpu.hpp"
#include "support/guard.hpp"

namespace crinkle::testing::fft_planes_test {
namespace {

struct Planes : OnGpu {
  KernelOptions before = kernel_options();
  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped()) return;
    const gpu::NvrtcPlace place = gpu::find_nvrtc("");
    if (place.file.empty()) GTEST_SKIP() << place.why_not;
  }
  void TearDown() override { set_kernel_options(before); }

  FftPlan planned(const FftRequest& request, KernelEffort effort) const {
    KernelOptions options = before;
    options.effort = effort;
    options.folder = (std::filesystem::temp_directory_path() / ("crinkle_planes_" + std::to_string(::getpid()))).string();
    set_kernel_options(options);
    return FftPlan(request, cuda());
  }
  static std::vector<std::byte> result_of(const FftPlan& plan, const FftRequest& request, std::int64_t shift, bool is_in_place) {
    const ByteSpan from = span_of(request.in), to = span_of(request.out);
    const std::int64_t n_in = from.last, n_out = to.last;
    Guarded src(from, shift), dst(to, shift);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(-1, 1);
    const bool is_double = request.real == FftReal::float64, is_half = request.real == FftReal::float16;
    for (std::int64_t i = 0; i + 8 <= n_in; i += 8) {
      const double x = uniform(random);
      const float two[] = {static_cast<float>(x), uniform(random)};
      if (is_half) {
        for (std::int64_t j = 0; j < 4; ++j) {
          const Half half(uniform(random));
          std::memcpy(src.host() + i + 2 * j, &half, 2);
        }
      } else {
        std::memcpy(src.host() + i, is_double ? static_cast<const void*>(&x) : two, 8);
      }
    }
    src.upload();
    dst.upload();
    Guarded& result = is_in_place ? src : dst;
    const Lent workspace(plan.workspace_bytes());
    const Stream stream(cuda());
    plan.run({src.device(), n_in}, {result.device(), n_out}, workspace, stream);
    stream.synchronize();
    return result.download();
  }
  void expect_bits_of_two_passes(FftRequest request, bool is_certain = true) {
    const FftPlan two = planned(request, KernelEffort::library), one = planned(request, KernelEffort::compiled);
    ASSERT_EQ(two.describe().find("in one pass"), std::string::npos);
    if (is_certain) { ASSERT_NE(one.describe().find("in one pass"), std::string::npos) << one.describe(); }
    const std::int64_t part = request.real == FftReal::float64 ? 8 : request.real == FftReal::float16 ? 2 : 4;
    for (const std::int64_t shift : {std::int64_t{0}, part, std::int64_t{1}})
      ASSERT_TRUE(result_of(one, request, shift, false) == result_of(two, request, shift, false)) << shift << '\n' << one.describe();
    if (request.in == request.out) {
      ASSERT_TRUE(result_of(one, request, 0, true) == result_of(two, request, 0, true)) << "in place\n" << one.describe();
    }
  }
  // All kinds of arrays whose last two axes, or all, are transformed.
  void expect_kinds(const Extents& extents, std::vector<std::int64_t> axes, FftReal real) {
    const std::int64_t part = real == FftReal::float64 ? 8 : real == FftReal::float16 ? 2 : 4;
    const Layout complex = Layout::dense(extents, 2 * part), reals = Layout::dense(extents, part);
    Extents half = extents;
    half.back() = half.back() / 2 + 1;
    const Layout folded = Layout::dense(half, 2 * part);
    std::vector<std::int64_t> sizes;
    for (const std::int64_t axis : axes) sizes.push_back(extents[static_cast<std::size_t>(axis)]);
    expect_bits_of_two_passes({.in = complex, .out = complex, .axes = axes, .norm = FftNorm::ortho, .real = real});
    if (HasFatalFailure()) return;
    expect_bits_of_two_passes({.in = complex, .out = complex, .axes = axes, .direction = FftDirection::inverse, .real = real});
    if (HasFatalFailure() || extents.back() % 2 != 0) return;
    expect_bits_of_two_passes({.in = reals, .out = folded, .axes = axes, .kind = FftKind::real_to_complex, .real = real});
    if (HasFatalFailure()) return;
    expect_bits_of_two_passes({.in = folded,
                               .out = reals,
                               .axes = axes,
                               .kind = FftKind::complex_to_real,
                               .direction = FftDirection::inverse,
                               .real = real,
                               .sizes = sizes});
  }
};

TEST_F(Planes, of_one_block_have_the_bits_of_two_passes) {
  for (const auto& [ny, nx] : {std::pair{96, 96}, {64, 128}, {30, 42}, {7, 100}, {33, 16}, {2, 4}}) {
    expect_kinds({5, ny, nx}, {1, 2}, FftReal::float32);
    if (HasFatalFailure()) return;
  }
  expect_kinds({96, 96, 96}, {0, 1, 2}, FftReal::float32);
  if (HasFatalFailure()) return;
  expect_kinds({3, 64, 60}, {1, 2}, FftReal::float64);
  if (HasFatalFailure()) return;
  expect_kinds({3, 64, 60}, {1, 2}, FftReal::float16);
}

TEST_F(Planes, of_several_blocks_together_have_them_too) {
  if (facts_of(cuda()).compute_major < 9) GTEST_SKIP() << "this card has no clusters";
  for (const auto& [ny, nx] : {std::pair{256, 256}, {128, 128}, {512, 128}, {64, 1024}}) {
    expect_kinds({9, ny, nx}, {1, 2}, FftReal::float32);
    if (HasFatalFailure()) return;
  }
  expect_kinds({40, 256, 256}, {0, 1, 2}, FftReal::float32);
  if (HasFatalFailure()) return;
  expect_kinds({5, 128, 96}, {1, 2}, FftReal::float64);
}

// Whose two parts are the axes of a plane.
TEST_F(Planes, of_long_lines_have_the_bits_of_a_chain) {
  if (facts_of(cuda()).compute_major < 9) GTEST_SKIP() << "this card has no clusters";
  for (const std::int64_t n : {32768, 65536}) {
    const Layout dense = Layout::dense({7, n}, 8);
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      expect_bits_of_two_passes({.in = dense, .out = dense, .axes = {1}, .direction = direction, .norm = FftNorm::ortho});
      if (HasFatalFailure()) return;
    }
  }
  expect_bits_of_two_passes(
      {.in = Layout::dense({3, 32768}, 16), .out = Layout::dense({3, 32768}, 16), .axes = {1}, .real = FftReal::float64});
  const Layout gaps{{3, 2, 32768}, {80000 * 8, 40000 * 8, 8}, 0, 8};
  expect_bits_of_two_passes({.in = gaps, .out = Layout::dense({3, 2, 32768}, 8), .axes = {2}});
}

TEST_F(Planes, with_gaps_other_axes_between_and_the_other_order_have_them_too) {
  const Layout dense = Layout::dense({6, 60, 48}, 8);
  const Layout gaps{{6, 60, 48}, {70 * 64 * 8, 64 * 8, 8}, 0, 8};
  expect_bits_of_two_passes({.in = dense, .out = gaps, .axes = {1, 2}});
  expect_bits_of_two_passes({.in = gaps, .out = dense, .axes = {2, 1}});
  expect_bits_of_two_passes({.in = Layout::dense({60, 6, 48}, 8), .out = Layout::dense({60, 6, 48}, 8), .axes = {0, 2}});
  const Layout turned{{6, 60, 48}, {60 * 48 * 8, 8, 60 * 8}, 0, 8};
  expect_bits_of_two_passes({.in = dense, .out = turned, .axes = {1, 2}});
  expect_bits_of_two_passes({.in = dense, .out = dense, .axes = {1, 2}, .shift = FftShift::output}, false);
}

}  // namespace
}  // namespace crinkle::testing::fft_planes_test
