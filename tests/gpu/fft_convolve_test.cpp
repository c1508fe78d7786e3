// Convolutions and correlations on a real GPU: against their sum in every mode, of any axes and at any strides; larger ones against the
// CPU's in float64; in a graph; what is refused; guard zones included.
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "array_on_gpu.hpp"
#include "fft/convolutions.hpp"
#include "graph.hpp"
#include "notation/expect_error.hpp"

namespace crinkle::testing::fft_convolve_test {
namespace {

using fft::Array;
using fft::Convolution;

class GpuConvolve : public OnGpu {};

template <class T>
Array convolved(const ConvolveRequest& request, const Array& a_values, const Array& b_values, std::int64_t shift,
                bool is_replayed = false) {
  const ConvolvePlan plan(request, cuda());
  ArrayOnGpu<T> a(request.a, a_values, Parts::real, shift), b(request.b, b_values, Parts::real, shift / 2),
      dst(request.out, Parts::real, shift);
  const Lent workspace(plan.workspace_bytes());
  const Stream stream(cuda());
  const auto give = [&] { plan.run(a.buffer(), b.buffer(), dst.buffer(), workspace, stream); };
  if (is_replayed) {
    Graph(stream, give).run();
  } else {
    give();
    stream.synchronize();
  }
  EXPECT_TRUE(a.is_as_it_was() && b.is_as_it_was()) << "an input was changed";
  return dst.get();
}

template <class T>
void expect_sums() {
  std::int64_t shift = 0;
  fft::each_convolution<T>([&](const Convolution<T>& c) { c.expect(convolved<T>(c.request, c.a, c.b, shift++ % 16)); });
}

TEST_F(GpuConvolve, is_the_sum_in_every_mode_of_float32) { expect_sums<float>(); }
TEST_F(GpuConvolve, is_the_sum_in_every_mode_of_float64) { expect_sums<double>(); }

ConvolveRequest request_of(const Extents& a, const Extents& b, ConvolveMode mode, const std::vector<std::int64_t>& axes,
                           bool is_correlation, FftReal real) {
  const std::int64_t bytes = real == FftReal::float64 ? 8 : 4;
  return {.a = Layout::dense(a, bytes),
          .b = Layout::dense(b, bytes),
          .out = Layout::dense(convolve_extents(a, b, mode, axes), bytes),
          .mode = mode,
          .real = real,
          .axes = axes,
          .is_correlation = is_correlation};
}

template <class T>
void expect_as_on_cpu(const Extents& a_extents, const Extents& b_extents, ConvolveMode mode, const std::vector<std::int64_t>& axes,
                      bool is_correlation) {
  const ConvolveRequest request = request_of(a_extents, b_extents, mode, axes, is_correlation, fft::real_of<T>),
                        on_cpu = request_of(a_extents, b_extents, mode, axes, is_correlation, FftReal::float64);
  const Array a = fft::random_array(a_extents, 1, true), b = fft::random_array(b_extents, 2, true);
  fft::Bytes a_bytes(on_cpu.a.n_bytes()), b_bytes(on_cpu.b.n_bytes()), dst(on_cpu.out.n_bytes());
  fft::put_array<double>(on_cpu.a, a, true, a_bytes);
  fft::put_array<double>(on_cpu.b, b, true, b_bytes);
  const ConvolvePlan plan(on_cpu);
  std::vector<std::byte> workspace(fft::at(plan.workspace_bytes()));
  plan.run(a_bytes.buffer(), b_bytes.buffer(), dst.buffer(), workspace);
  const Array want = fft::get_array<double>(on_cpu.out, true, dst), got = convolved<T>(request, a, b, 0);
  const long double bound = 20 * fft::epsilon_of<T> * std::sqrt(fft::sum_of_squares(a.values) * fft::sum_of_squares(b.values));
  for (std::int64_t i = 0; i < want.n(); ++i)
    ASSERT_NEAR(static_cast<double>(got.values[fft::at(i)].real()), static_cast<double>(want.values[fft::at(i)].real()),
                static_cast<double>(bound))
        << i << '\n'
        << ConvolvePlan(request, cuda()).describe();
}

template <class T>
void expect_larger_ones() {
  expect_as_on_cpu<T>({300, 211}, {31, 17}, ConvolveMode::same, {}, false);
  expect_as_on_cpu<T>({100003}, {997}, ConvolveMode::full, {}, false);
  expect_as_on_cpu<T>({1024}, {100000}, ConvolveMode::valid, {}, true);
  expect_as_on_cpu<T>({1 << 17}, {1 << 17}, ConvolveMode::same, {}, true);
  expect_as_on_cpu<T>({16, 1000}, {16, 101}, ConvolveMode::full, {1}, false);
  expect_as_on_cpu<T>({16, 90, 80}, {1, 11, 7}, ConvolveMode::valid, {1, 2}, false);
  expect_as_on_cpu<T>({120, 100, 3}, {9, 9, 1}, ConvolveMode::same, {0, 1}, true);
  expect_as_on_cpu<T>({40, 50, 60}, {5, 6, 7}, ConvolveMode::same, {}, false);
}

TEST_F(GpuConvolve, larger_ones_of_float32_are_those_of_the_cpu) { expect_larger_ones<float>(); }
TEST_F(GpuConvolve, larger_ones_of_float64_are_those_of_the_cpu) { expect_larger_ones<double>(); }

TEST_F(GpuConvolve, replayed_from_a_graph_gives_the_same_bits) {
  const ConvolveRequest request = request_of({70, 80}, {9, 8}, ConvolveMode::same, {}, false, FftReal::float32);
  const Array a = fft::random_array({70, 80}, 1, true), b = fft::random_array({9, 8}, 2, true);
  EXPECT_TRUE(convolved<float>(request, a, b, 0, true).values == convolved<float>(request, a, b, 0).values);
}

TEST_F(GpuConvolve, refuses_memory_of_the_host_and_the_wrong_device) {
  const ConvolveRequest request = request_of({10}, {3}, ConvolveMode::full, {}, false, FftReal::float32);
  const ConvolvePlan plan(request, cuda()), cpu_plan(request);
  const DeviceMemory memory(cuda(), 1024), workspace(cuda(), plan.workspace_bytes());
  auto* const data = static_cast<std::byte*>(memory.data());
  const Buffer a{data, 40}, b{data + 64, 12}, dst{data + 128, 48};
  std::vector<std::byte> on_host(40);
  EXPECT_NE(error_of(ErrorCode::device, [&] { plan.run({on_host.data(), 40}, b, dst, workspace, Stream()); }).find("a"), std::string::npos);
  error_of(ErrorCode::device, [&] { plan.run(a, b, dst, workspace); });
  error_of(ErrorCode::device, [&] { cpu_plan.run(a, b, dst, workspace, Stream()); });
  error_of(ErrorCode::overlap, [&] { plan.run(a, b, {data + 36, 48}, workspace, Stream()); });
  error_of(ErrorCode::bad_shape, [&] { plan.run(a, b, dst, {workspace.data(), 8}, Stream()); });
  error_of(ErrorCode::bad_shape, [&] { plan.run(a, b, {data + 128, 47}, workspace, Stream()); });
}

}  // namespace
}  // namespace crinkle::testing::fft_convolve_test
