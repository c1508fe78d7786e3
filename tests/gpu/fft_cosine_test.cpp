// Cosine and sine transforms on a real GPU: random requests and all short lengths against the definition, long ones against the CPU's in
// float64, at any strides, from and to float16, in place, in a graph, guard zones included.
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "array_on_gpu.hpp"
#include "fft/cosines.hpp"
#include "fft/cuda/stages.hpp"
#include "fft/float16_support.hpp"
#include "graph.hpp"

namespace crinkle::testing::fft_cosine_test {
namespace {

using fft::Array;
using fft::Float16;
using fft::Series;

class GpuCosine : public OnGpu {};

Array by_definition(Array array, const FftRequest& request, const std::vector<std::size_t>& axes, const Extents& sizes) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const fft::CosineDefinition definition(sizes[i], request.kind, request.direction, request.norm);
    fft::each_line(array, axes[i], sizes[i], [&](const Series& line) {
      fft::Numbers numbers;
      for (const fft::LongComplex& x : line) numbers.push_back(x.real());
      const fft::Numbers result = definition.line(numbers);
      return Series(result.begin(), result.end());
    });
  }
  return array;
}

template <class In, class Out = In>
Array transformed(const FftRequest& request, const Array& array, std::int64_t src_shift = 0, std::int64_t dst_shift = 0) {
  const FftPlan plan(request, cuda());
  ArrayOnGpu<In> src(request.in, array, Parts::real, src_shift);
  ArrayOnGpu<Out> dst(request.out, Parts::real, dst_shift);
  const Lent workspace(plan.workspace_bytes());
  const Stream stream(cuda());
  plan.run(src.buffer(), dst.buffer(), workspace, stream);
  stream.synchronize();
  EXPECT_TRUE(src.is_as_it_was()) << "the input was changed\n" << plan.describe();
  return dst.get();
}

FftKind kind_of(std::uint_fast32_t number) { return number % 2 == 0 ? FftKind::cosine : FftKind::sine; }
FftDirection direction_of(std::uint_fast32_t number) { return number % 2 == 0 ? FftDirection::forward : FftDirection::inverse; }

template <class In, class Out = In>
void expect_random_requests(int n, unsigned seed) {
  std::mt19937 random(seed);
  constexpr std::int64_t extents_tried[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 31, 33, 64, 67, 97, 128};
  for (int c = 0; c < n; ++c) {
    Extents extents;
    std::int64_t left = 5000;
    for (std::size_t a = 1 + random() % 4; a-- > 0; left /= extents.back())
      extents.push_back(std::min(extents_tried[random() % std::size(extents_tried)], left));
    std::vector<std::size_t> axes(extents.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    std::shuffle(axes.begin(), axes.end(), random);
    axes.resize(1 + random() % axes.size());
    FftRequest request;
    request.kind = kind_of(random());
    request.direction = direction_of(random());
    request.norm = fft::norms[random() % 3];
    request.real = sizeof(In) == 2 || sizeof(Out) == 2 ? FftReal::float16 : fft::real_of<In>;
    if (request.real == FftReal::float16) request.norm = FftNorm::ortho;
    Extents out = extents, sizes;
    for (const std::size_t axis : axes) {
      request.axes.push_back(static_cast<std::int64_t>(axis));
      sizes.push_back(random() % 4 == 0 ? 1 + static_cast<std::int64_t>(random() % 40) : extents[axis]);
      out[axis] = sizes.back();
    }
    request.sizes = sizes;
    request.in = fft::random_layout(extents, sizeof(In), random);
    request.out = fft::random_layout(out, sizeof(Out), random);
    Array array = fft::random_array(extents, static_cast<unsigned>(c), true);
    if (sizeof(In) == 2)
      for (fft::LongComplex& x : array.values) x = static_cast<long double>(Float16(x.real()));
    const Array want = by_definition(array, request, axes, sizes);
    const Array got = transformed<In, Out>(request, array, random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() % 16),
                                           static_cast<std::int64_t>(random() % 8));
    if (request.real == FftReal::float16) {
      ASSERT_LE(fft::relative_error(got.values, want.values), sizeof(Out) == 2 ? fft::bound_of_float16(want.n()) : 0x1p-20L)
          << "case " << c;
    } else {
      ASSERT_LE(fft::error_of<In>(got.values, want.values, 2 * want.n()), want.n() < 16 ? 4.0L : 2.5L)
          << "case " << c << '\n'
          << FftPlan(request, cuda()).describe();
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST_F(GpuCosine, random_transforms_of_float32_are_the_definition) { expect_random_requests<float>(n_cases(100), 5); }
TEST_F(GpuCosine, random_transforms_of_float64_are_the_definition) { expect_random_requests<double>(n_cases(100), 6); }
TEST_F(GpuCosine, random_transforms_of_float16_are_the_definition) {
  expect_random_requests<Float16>(n_cases(50), 7);
  expect_random_requests<Float16, float>(n_cases(40), 8);
  expect_random_requests<float, Float16>(n_cases(40), 9);
}

// In units of ε √(log₂ n), as docs/fft.md has them for real transforms on a GPU.
long double bound_of(std::int64_t n) {
  const std::int64_t m = n % 2 == 0 ? n / 2 : n;
  return 1.4L * (fft::has_cuda_stages(m) ? 0.75L : 1.75L) + (n < 64 ? 1.25L : 0.25L);
}

FftRequest request_of(std::int64_t n, std::int64_t n_lines, bool are_columns, unsigned number, FftReal real) {
  const std::int64_t bytes = real == FftReal::float64 ? 8 : 4;
  FftRequest request;
  request.in = request.out = Layout::dense(are_columns ? Extents{n, n_lines} : Extents{n_lines, n}, bytes);
  request.axes = {are_columns ? 0 : 1};
  request.kind = kind_of(number);
  request.direction = direction_of(number / 2);
  request.norm = fft::norms[number % 3];
  request.real = real;
  return request;
}

template <class T>
void expect_every_length() {
  for (std::int64_t n = 1; n <= 300; n += n_cases(1000) < 1000 ? 17 : 1)
    for (unsigned number = 0; number < 4; ++number) {
      const bool are_columns = (n + number) % 3 == 0;
      const FftRequest request = request_of(n, 1 + n % 5, are_columns, number, fft::real_of<T>);
      const Array array = fft::random_array(request.in.extents, static_cast<unsigned>(n), true);
      const Array want = by_definition(array, request, {are_columns ? std::size_t{0} : std::size_t{1}}, {n});
      ASSERT_LE(fft::error_of<T>(transformed<T>(request, array).values, want.values, n), bound_of(n)) << n << ", " << number;
    }
}

TEST_F(GpuCosine, transforms_of_every_length_in_float32) { expect_every_length<float>(); }
TEST_F(GpuCosine, transforms_of_every_length_in_float64) { expect_every_length<double>(); }

template <class T>
void expect_as_on_cpu(std::int64_t n, std::int64_t n_lines, bool are_columns, unsigned number) {
  const FftRequest request = request_of(n, n_lines, are_columns, number, fft::real_of<T>),
                   on_cpu = request_of(n, n_lines, are_columns, number, FftReal::float64);
  const Array array = fft::random_array(request.in.extents, number, true);
  fft::Bytes src(on_cpu.in.n_bytes()), dst(on_cpu.out.n_bytes());
  fft::put_array<double>(on_cpu.in, array, true, src);
  fft::run(FftPlan(on_cpu), src.buffer(), dst.buffer());
  const Array want = fft::get_array<double>(on_cpu.out, true, dst);
  // float64 is compared with what has an error itself.
  EXPECT_LE(fft::error_of<T>(transformed<T>(request, array).values, want.values, n), (sizeof(T) == 8 ? 1.7L : 1.0L) * bound_of(n))
      << n << " x " << n_lines << ", " << number << '\n'
      << FftPlan(request, cuda()).describe();
}

template <class T>
void expect_long_lines() {
  unsigned number = 0;
  for (const std::int64_t n : {1000, 1009, 2048, 4096, 5005, 8192, 9689, 10007, 16384, 32768, 65536, 131071, 1 << 20}) {
    expect_as_on_cpu<T>(n, n < 20000 ? 35 : 1, false, number++);
    if (n < 20000) expect_as_on_cpu<T>(n, n < 5000 ? 67 : 3, true, number++);
  }
}

TEST_F(GpuCosine, long_transforms_of_float32) { expect_long_lines<float>(); }
TEST_F(GpuCosine, long_transforms_of_float64) { expect_long_lines<double>(); }

TEST_F(GpuCosine, in_place_and_replayed_from_a_graph_give_the_same_bits) {
  for (unsigned number = 0; number < 4; ++number) {
    FftRequest request;
    request.in = request.out = Layout::dense({12, 65, 40}, 4);
    request.axes = {0, 2, 1};
    request.kind = kind_of(number);
    request.direction = direction_of(number / 2);
    const Array array = fft::random_array({12, 65, 40}, number, true), want = transformed<float>(request, array);
    const FftPlan plan(request, cuda());
    ArrayOnGpu<float> both(request.in, array), src(request.in, array), dst(request.out);
    const Lent workspace(plan.workspace_bytes());
    const Stream stream(cuda());
    plan.run(both.buffer(), both.buffer(), workspace, stream);
    const Graph graph(stream, [&] { plan.run(src.buffer(), dst.buffer(), workspace, stream); });
    graph.run();
    EXPECT_TRUE(both.get().values == want.values) << number;
    EXPECT_TRUE(dst.get().values == want.values) << number;
  }
}

}  // namespace
}  // namespace crinkle::testing::fft_cosine_test
