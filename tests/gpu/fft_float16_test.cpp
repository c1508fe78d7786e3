// Transforms of float16 on a real GPU: random requests against the definition, to and from float32 too, all kinds of lengths and some long
// ones against the CPU's in float64, in place, guard zones included.
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "fft/float16_support.hpp"
#include "fft/random_requests.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing::fft_float16_test {
namespace {

using fft::Array;
using fft::Float16;

class GpuFloat16 : public OnGpu {};

template <class T>
void put_elements(const Layout& layout, const Array& array, bool is_real, std::byte* to) {
  fft::each_element(layout, [&](std::int64_t i, std::int64_t byte) { fft::put<T>(to + byte, array.values[fft::at(i)], is_real); });
}

template <class In, class Out>
void expect_result(const FftRequest& request, const Array& array, const Array& want, std::int64_t shift, bool is_in_place) {
  const bool is_real_in = request.kind == FftKind::real_to_complex, is_real_out = request.kind == FftKind::complex_to_real;
  const FftPlan plan(request, cuda());
  Guarded src({0, fft::bytes_of(request.in)}, shift), dst({0, fft::bytes_of(request.out)}, is_in_place ? shift : 3 * shift % 16);
  put_elements<In>(request.in, array, is_real_in, src.host());
  src.upload();
  if (is_in_place) put_elements<In>(request.in, array, is_real_in, dst.host());
  dst.upload();
  const DeviceMemory workspace(cuda(), plan.workspace_bytes());
  const Stream stream(cuda());
  plan.run({is_in_place ? dst.device() : src.device(), fft::bytes_of(request.in)}, {dst.device(), fft::bytes_of(request.out)}, workspace,
           stream);
  stream.synchronize();
  EXPECT_TRUE(src.download() == src.host_bytes()) << "the input was changed";
  std::vector<std::byte> have = dst.download();
  std::vector<bool> is_written(have.size());
  Array got{request.out.extents, {}};
  const std::int64_t begin = dst.host() - dst.host_begin();
  fft::each_element(request.out, [&](std::int64_t, std::int64_t byte) {
    got.values.push_back(fft::get<Out>(have.data() + begin + byte, is_real_out));
    for (std::int64_t i = 0; i < request.out.element_bytes; ++i) is_written[fft::at(begin + byte + i)] = true;
  });
  for (std::size_t i = 0; i < have.size(); ++i)
    ASSERT_TRUE(is_written[i] || have[i] == dst.host_bytes()[i]) << "byte " << dst.offset_of(i) << " was written\n" << plan.describe();
  const long double bound = sizeof(Out) == 2 ? fft::bound_of_float16(want.n()) : 0x1p-20L;
  EXPECT_LE(fft::relative_error(got.values, want.values), bound) << plan.describe();
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
    expect_result<In, Out>(drawn.request, array, want, random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() % 16), false);
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
  expect_result<Float16, Float16>(request, array, want, 0, false);
  if (kind == FftKind::complex_to_complex) expect_result<Float16, Float16>(request, array, want, 4, true);
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
