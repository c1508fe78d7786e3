// Transforms of float16 on a real GPU: random requests against the definition, to and from float32 too, all kinds of lengths and some long
// ones against the CPU's in float64, in place, guard zones included.
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "array_on_gpu.hpp"
#include "fft/float16_support.hpp"
#include "fft/random_requests.hpp"

namespace crinkle::testing::fft_float16_test {
namespace {

using fft::Array;
using fft::Float16;

class GpuFloat16 : public OnGpu {};

template <class In, class Out>
void expect_result(const FftRequest& request, const Array& array, const Array& want, std::int64_t shift) {
  const FftPlan plan(request, cuda());
  ArrayOnGpu<In> src(request.in, array, request.kind == FftKind::real_to_complex ? Parts::real : Parts::complex, shift);
  ArrayOnGpu<Out> dst(request.out, request.kind == FftKind::complex_to_real ? Parts::real : Parts::complex, 3 * shift % 16);
  const Lent workspace(plan.workspace_bytes());
  const Stream stream(cuda());
  plan.run(src.buffer(), dst.buffer(), workspace, stream);
  stream.synchronize();
  EXPECT_TRUE(src.is_as_it_was()) << "the input was changed\n" << plan.describe();
  const long double bound = sizeof(Out) == 2 ? fft::bound_of_float16(want.n()) : 0x1p-20L;
  EXPECT_LE(fft::relative_error(dst.get().values, want.values), bound) << plan.describe();
}

// Complex numbers.
void expect_result_in_place(const FftRequest& request, const Array& array, const Array& want, std::int64_t shift) {
  const FftPlan plan(request, cuda());
  ArrayOnGpu<Float16> both(request.in, array, Parts::complex, shift);
  const Lent workspace(plan.workspace_bytes());
  const Stream stream(cuda());
  plan.run(both.buffer(), both.buffer(), workspace, stream);
  stream.synchronize();
  EXPECT_LE(fft::relative_error(both.get().values, want.values), fft::bound_of_float16(want.n())) << plan.describe();
}

template <class In, class Out>
void expect_random_requests(int n, unsigned seed) {
  std::mt19937 random(seed);
  for (int c = 0; c < n && !::testing::Test::HasFailure(); ++c) {
    const fft::RandomRequest drawn = fft::random_request<In, Out>(random);
    Array array = fft::random_array(drawn.request.in.extents, static_cast<unsigned>(c), drawn.is_real_in());
    array.values = fft::rounded(array.values);
    const Array want = fft::definition(array, drawn.request, drawn.axes, drawn.sizes);
    SCOPED_TRACE(c);
    expect_result<In, Out>(drawn.request, array, want, random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() % 16));
  }
}

TEST_F(GpuFloat16, random_transforms_are_the_definition) { expect_random_requests<Float16, Float16>(n_cases(400), 5); }
TEST_F(GpuFloat16, random_transforms_give_float32) { expect_random_requests<Float16, float>(n_cases(200), 6); }
TEST_F(GpuFloat16, random_transforms_take_float32) { expect_random_requests<float, Float16>(n_cases(200), 7); }

// Lines, or columns, against the CPU's in float64. With norms that keep all within range.
void expect_lines(std::int64_t n, std::int64_t n_lines, FftKind kind, bool are_columns) {
  const std::int64_t half = n / 2 + 1, in = kind == FftKind::complex_to_real ? half : n, out = kind == FftKind::real_to_complex ? half : n;
  const std::int64_t in_parts = kind == FftKind::real_to_complex ? 1 : 2, out_parts = kind == FftKind::complex_to_real ? 1 : 2;
  const auto extents = [&](std::int64_t length) { return are_columns ? Extents{length, n_lines} : Extents{n_lines, length}; };
  FftRequest request{.in = Layout::dense(extents(in), 2 * in_parts),
                     .out = Layout::dense(extents(out), 2 * out_parts),
                     .axes = {are_columns ? 0 : 1},
                     .kind = kind,
                     .direction = n % 2 == 0 ? FftDirection::forward : FftDirection::inverse,
                     .norm = FftNorm::ortho,
                     .real = FftReal::float16,
                     .sizes = {n}};
  Array array = fft::random_array(request.in.extents, static_cast<unsigned>(n), in_parts == 1);
  array.values = fft::rounded(array.values);
  FftRequest wide = request;
  wide.real = FftReal::float64;
  wide.in = Layout::dense(wide.in.extents, 8 * in_parts);
  wide.out = Layout::dense(wide.out.extents, 8 * out_parts);
  fft::Bytes src(wide.in.n_bytes()), dst(wide.out.n_bytes());
  fft::put_array<double>(wide.in, array, in_parts == 1, src);
  fft::run(FftPlan(wide), src.buffer(), dst.buffer());
  const Array want = fft::get_array<double>(wide.out, out_parts == 1, dst);
  SCOPED_TRACE(n);
  expect_result<Float16, Float16>(request, array, want, 0);
  if (kind == FftKind::complex_to_complex) expect_result_in_place(request, array, want, 4);
}

TEST_F(GpuFloat16, lines_of_many_lengths) {
  constexpr FftKind kinds[] = {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real};
  for (const std::int64_t n : {1,   2,    3,    4,    8,    15,   16,   17,   31,    64,    97,    100,    128,    256,    509,
                               512, 1000, 1024, 2048, 4096, 5005, 8192, 9689, 16384, 19683, 65536, 100000, 131072, 1 << 20}) {
    for (const FftKind kind : kinds) {
      expect_lines(n, n < 20000 ? 7 : 1, kind, false);
      if (n < 100000) expect_lines(n, n < 20000 ? 21 : 2, kind, true);
      if (HasFailure()) return;
    }
  }
  expect_lines(1 << 23, 1, kinds[0], false);  // three steps
}

}  // namespace
}  // namespace crinkle::testing::fft_float16_test
