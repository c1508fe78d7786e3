// Fourier transforms on a real GPU: random requests against the definition, all short lengths and some long ones against the CPU's in
// float64, in place, in a graph, at any alignment, guard zones included; and what is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <vector>

#include "array_on_gpu.hpp"
#include "fft/cuda/stages.hpp"
#include "fft/shifts.hpp"
#include "graph.hpp"
#include "notation/expect_error.hpp"

namespace crinkle::testing::fft_test {
namespace {

using Gpu = OnGpu;
using fft::Array;
using fft::at;
using fft::Series;

// What a plan makes of an array. The input stays as it was, and nothing beside the output is written.
template <class T>
class GpuRun {
 public:
  GpuRun(const FftRequest& request, const Array& array, std::int64_t src_shift = 0, std::int64_t dst_shift = 0)
      : plan_(request, cuda()),
        src_(request.in, array, request.kind == FftKind::real_to_complex ? Parts::real : Parts::complex, src_shift),
        dst_(request.out, request.kind == FftKind::complex_to_real ? Parts::real : Parts::complex, dst_shift),
        workspace_(plan_.workspace_bytes()) {}
  Array result() {
    const Stream stream(cuda());
    give(stream);
    stream.synchronize();
    return downloaded();
  }
  void give(const Stream& stream) { plan_.run(src_.buffer(), dst_.buffer(), workspace_, stream); }
  Array downloaded() {
    EXPECT_TRUE(src_.is_as_it_was()) << "the input was changed\n" << plan_.describe();
    return dst_.get();
  }
  void poison() { dst_.put_back(); }
  const FftPlan& plan() const { return plan_; }

 private:
  FftPlan plan_;
  ArrayOnGpu<T> src_, dst_;
  Lent workspace_;
};

template <class T>
void expect_random_requests(int n, unsigned seed, bool are_shifted = false) {
  std::mt19937 random(seed);
  for (int c = 0; c < n; ++c) {
    fft::RandomRequest drawn = fft::random_request<T>(random);
    if (are_shifted) drawn.request.shift = static_cast<FftShift>(1 + random() % 3);
    if (fft::is_input_cut(drawn)) continue;
    const Array array = fft::random_array(drawn.request.in.extents, static_cast<unsigned>(c), drawn.is_real_in());
    GpuRun<T> run(drawn.request, array, random() % 2 == 0 ? 0 : 4 * static_cast<std::int64_t>(random() % 4),
                  random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() % 16));
    const Array want = fft::shifted_definition(array, drawn);
    const long double error = fft::error_of<T>(run.result().values, want.values, 2 * want.n());
    ASSERT_LE(error, want.n() < 16 ? 4.0L : 2.0L) << "case " << c << '\n' << run.plan().describe();
    if (::testing::Test::HasFailure()) return;
  }
}

TEST_F(Gpu, random_transforms_of_float32_are_the_definition) { expect_random_requests<float>(n_cases(600), 3); }
TEST_F(Gpu, random_transforms_of_float64_are_the_definition) { expect_random_requests<double>(n_cases(600), 4); }

TEST_F(Gpu, shifted_transforms_are_the_definition_between_rolls) {
  expect_random_requests<float>(n_cases(400), 5, true);
  expect_random_requests<double>(n_cases(200), 6, true);
}

// The CPU's transform of the same request in float64.
Array on_cpu(FftRequest request, const Array& array) {
  const bool is_real_in = request.kind == FftKind::real_to_complex, is_real_out = request.kind == FftKind::complex_to_real;
  request.real = FftReal::float64;
  request.in = Layout::dense(request.in.extents, is_real_in ? 8 : 16);
  request.out = Layout::dense(request.out.extents, is_real_out ? 8 : 16);
  fft::Bytes src(request.in.n_bytes()), dst(request.out.n_bytes());
  fft::put_array<double>(request.in, array, is_real_in, src);
  fft::run(FftPlan(request), src.buffer(), dst.buffer());
  return fft::get_array<double>(request.out, is_real_out, dst);
}

template <class T>
void expect_lines(std::int64_t n, std::int64_t n_lines, FftKind kind, bool are_columns, long double bound,
                  const std::vector<std::int64_t>& src_shifts = {0}) {
  const std::int64_t half = n / 2 + 1, in = kind == FftKind::complex_to_real ? half : n, out = kind == FftKind::real_to_complex ? half : n;
  const std::int64_t number = 2 * sizeof(T);
  const auto extents = [&](std::int64_t length) { return are_columns ? Extents{length, n_lines} : Extents{n_lines, length}; };
  const FftRequest request{.in = Layout::dense(extents(in), kind == FftKind::real_to_complex ? number / 2 : number),
                           .out = Layout::dense(extents(out), kind == FftKind::complex_to_real ? number / 2 : number),
                           .axes = {are_columns ? 0 : 1},
                           .kind = kind,
                           .direction = (n + n_lines) % 2 == 0 ? FftDirection::forward : FftDirection::inverse,
                           .norm = n % 3 == 0 ? FftNorm::ortho : FftNorm::backward,
                           .real = fft::real_of<T>,
                           .sizes = {n}};
  const Array array = fft::random_array(request.in.extents, static_cast<unsigned>(n), kind == FftKind::real_to_complex);
  const Array want = on_cpu(request, array);
  for (const std::int64_t src_shift : src_shifts) {
    GpuRun<T> run(request, array, src_shift);
    const long double error = fft::error_of<T>(run.result().values, want.values, n);
    // float64 is compared with what has an error itself.
    EXPECT_LE(error, (sizeof(T) == 8 ? 1.5L : 1.0L) * bound + (n < 64 ? 1.25L : 0.25L)) << n << " x " << n_lines << '\n'
                                                                                        << run.plan().describe();
  }
}

long double bound_of(std::int64_t n, FftKind kind) {
  const std::int64_t m = kind == FftKind::complex_to_complex || n % 2 != 0 ? n : n / 2;
  const auto radices = fft::cuda_radices<double>(m);
  const long double bound = !fft::has_cuda_stages(m) ? 1.75L : m > 1 && fft::has_sums(radices.back()) ? 1.25L : 0.75L;
  return bound * (kind == FftKind::complex_to_complex ? 1 : 1.4L);
}

// Lines of powers of two, columns, and lines in several steps, of which a shift is a half of the first and the last or a pass more.
TEST_F(Gpu, shifts_of_long_lines) {
  for (const Extents& extents : {Extents{5, 1024}, {1024, 20}, {3, 1001}, {2, 16384}, {2, 10007}, {1, 15625}, {100000, 2}, {1, 147456}}) {
    for (const FftKind kind : {FftKind::complex_to_complex, FftKind::real_to_complex}) {
      fft::RandomRequest drawn;
      const std::size_t axis = extents[0] > extents[1] ? 0 : 1;
      drawn.axes = {axis};
      drawn.sizes = {extents[axis]};
      drawn.request = {.in = Layout::dense(extents, kind == FftKind::complex_to_complex ? 8 : 4),
                       .axes = {static_cast<std::int64_t>(axis)},
                       .kind = kind};
      drawn.request.out = Layout::dense(fft_extents(extents, drawn.request.axes, kind), 8);
      const Array array = fft::random_array(extents, 11, drawn.is_real_in());
      for (const FftShift shift : {FftShift::input, FftShift::output, FftShift::both}) {
        drawn.request.shift = FftShift::none;
        const bool has_in = fft::has(shift, FftShift::input);
        const Array rolled = has_in ? fft::rolled(array, drawn.axes, false, fft::Roll::from_middle) : array;
        GpuRun<float> plain(drawn.request, rolled);
        Array want = plain.result();
        if (fft::has(shift, FftShift::output)) want = fft::rolled(want, drawn.axes, drawn.is_real_in(), fft::Roll::to_middle);
        drawn.request.shift = shift;
        GpuRun<float> run(drawn.request, array);
        const long double error = fft::error_of<float>(run.result().values, want.values, extents[axis]);
        EXPECT_LE(error, 2 * bound_of(extents[axis], kind) + 0.5L) << run.plan().describe();
        const bool is_told = run.plan().describe().find("shifted on the way") != std::string::npos;
        EXPECT_EQ(is_told, drawn.is_real_in() ? has_in : true);
      }
    }
    if (::testing::Test::HasFailure()) return;
  }
}

template <class T>
void expect_every_length() {
  constexpr FftKind kinds[] = {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real};
  const int step = n_cases(1000) < 1000 ? 17 : 1;
  for (std::int64_t n = 1; n <= 2048; n += step) {
    expect_lines<T>(n, 1 + n % 5, kinds[0], n % 3 == 0, bound_of(n, kinds[0]));
    const FftKind real = kinds[1 + n / 2 % 2];
    if (n < 300 || n % 5 == 0) expect_lines<T>(n, 1 + n % 7, real, n % 4 == 0, bound_of(n, real));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST_F(Gpu, transforms_of_every_length_in_float32) { expect_every_length<float>(); }
TEST_F(Gpu, transforms_of_every_length_in_float64) { expect_every_length<double>(); }

// Lengths with kernels of their own, real lines up to twice as long: blocks that are full and not, both directions, numbers that lie at
// multiples of their size and not.
template <class T>
void expect_powers_of_two() {
  for (std::int64_t n = 4; n <= 32768; n *= 2) {
    for (const FftKind kind : {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real}) {
      for (const std::int64_t n_lines : {1, 2, n <= 2048 ? 67 : 5}) {
        expect_lines<T>(n, n_lines, kind, false, bound_of(n, kind), {0, 4});
        if (n <= 8192) expect_lines<T>(n, n_lines, kind, true, bound_of(n, kind), {0, 4});
      }
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST_F(Gpu, transforms_of_powers_of_two_in_float32) { expect_powers_of_two<float>(); }
TEST_F(Gpu, transforms_of_powers_of_two_in_float64) { expect_powers_of_two<double>(); }

// Other radices and primes, of many lines, too: blocks that are full and not, and numbers that lie at no multiples of their size.
template <class T>
void expect_other_radices() {
  for (const std::int64_t n : {6,   12,  15,  17,  19,  31,  34,  51,  60,  61,   67,   96,   97,   100,  119,  121,  127,
                               131, 143, 254, 289, 343, 360, 361, 605, 720, 1000, 1001, 1331, 2021, 2187, 3000, 3125, 3840}) {
    for (const FftKind kind : {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real}) {
      for (const std::int64_t n_lines : {1, n < 300 ? 130 : 9}) {
        expect_lines<T>(n, n_lines, kind, false, bound_of(n, kind), {0, 4});
        expect_lines<T>(n, n_lines, kind, true, bound_of(n, kind));
      }
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST_F(Gpu, transforms_of_other_radices_and_primes_in_float32) { expect_other_radices<float>(); }
TEST_F(Gpu, transforms_of_other_radices_and_primes_in_float64) { expect_other_radices<double>(); }

template <class T>
void expect_long_lines() {
  constexpr FftKind kinds[] = {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real};
  for (const std::int64_t n : {4096, 5005, 6859, 8192, 9689, 9697, 10007, 15625, 16129, 16384, 19683, 59049, 65536, 69632, 100000, 131071,
                               147456, 262144, 1 << 20}) {
    for (const FftKind kind : kinds) {
      expect_lines<T>(n, n < 20000 ? 3 : 1, kind, false, bound_of(n, kind));
      if (n < 100000) expect_lines<T>(n, n < 20000 ? 21 : 2, kind, true, bound_of(n, kind));
    }
    if (::testing::Test::HasFailure()) return;
  }
  expect_lines<T>(1 << 22, 1, kinds[0], false, 0.75L);
  expect_lines<T>(1 << 24, 1, kinds[0], false, 0.75L);
}

TEST_F(Gpu, long_transforms_of_float32) { expect_long_lines<float>(); }
TEST_F(Gpu, long_transforms_of_float64) { expect_long_lines<double>(); }

// In place, and not, the bits are the same.
template <class T>
void expect_equal_bits(const Extents& extents, const std::vector<std::int64_t>& axes) {
  const Layout layout = Layout::dense(extents, 2 * sizeof(T));
  const FftPlan plan(FftRequest{.in = layout, .out = layout, .axes = axes, .real = fft::real_of<T>}, cuda());
  Guarded src({0, layout.n_bytes()}, 0), dst({0, layout.n_bytes()}, 0);
  fft::put_array<T>(layout, fft::random_array(extents, 5, false), false, src.host());
  src.upload();
  dst.upload();
  const Lent workspace(plan.workspace_bytes());
  const Stream stream(cuda());
  plan.run({src.device(), layout.n_bytes()}, {dst.device(), layout.n_bytes()}, workspace, stream);
  plan.run({src.device(), layout.n_bytes()}, {src.device(), layout.n_bytes()}, workspace, stream);
  stream.synchronize();
  EXPECT_TRUE(src.download() == dst.download()) << plan.describe();
  EXPECT_FALSE(src.is_as_on_host());
}

TEST_F(Gpu, transforms_in_place_give_the_same_bits) {
  expect_equal_bits<float>({64, 32, 40}, {0, 1, 2});
  expect_equal_bits<double>({37, 250}, {0});
  expect_equal_bits<float>({5, 9, 101}, {2, 1});
  expect_equal_bits<float>({1000, 4}, {1});
  expect_equal_bits<double>({100000}, {0});
  expect_equal_bits<float>({2, 147456}, {1});
  expect_equal_bits<float>({65536, 3}, {0});
  expect_equal_bits<float>({3, 16384}, {1});
  expect_equal_bits<float>({4096, 9}, {0});
  expect_equal_bits<double>({70, 64, 8}, {1, 2});
  expect_equal_bits<float>({1 << 22}, {0});
  expect_equal_bits<double>({1 << 23}, {0});
  expect_equal_bits<float>({2, 10007}, {1});
}

TEST_F(Gpu, a_transform_can_be_captured_and_replayed) {
  const FftRequest request{.in = Layout::dense({30, 16384}, 8), .out = Layout::dense({30, 16384}, 8), .axes = {0, 1}};
  const Array array = fft::random_array({30, 16384}, 9, false);
  GpuRun<float> run(request, array);
  const Array want = run.result();
  const Stream stream(cuda());
  const Graph graph(stream, [&] { run.give(stream); });
  for (int i = 0; i < 2; ++i) {
    run.poison();
    graph.run();
    EXPECT_TRUE(run.downloaded().values == want.values) << "run " << i;
  }
}

TEST_F(Gpu, transforms_refuse_memory_of_the_host_and_the_wrong_device) {
  const FftRequest request{.in = Layout::dense({16}, 8), .out = Layout::dense({16}, 8), .axes = {0}};
  std::vector<std::byte> on_host(128);
  const DeviceMemory memory(cuda(), 256);
  const Buffer dst{memory.data(), 128};
  const FftPlan plan(request, cuda()), cpu_plan(request);
  EXPECT_NE(error_of(ErrorCode::device, [&] { plan.run({on_host.data(), 128}, dst, {}, Stream()); }).find("the input"), std::string::npos);
  error_of(ErrorCode::device, [&] { plan.run({on_host.data(), 128}, dst, {}); });
  error_of(ErrorCode::device, [&] { cpu_plan.run(dst, dst, {}, Stream()); });
  error_of(ErrorCode::bad_shape, [&] { plan.run({memory.data(), 127}, dst, {}, Stream()); });
  const FftRequest long_request{.in = Layout::dense({1 << 16}, 8), .out = Layout::dense({1 << 16}, 8), .axes = {0}};
  const DeviceMemory array(cuda(), 8 << 16);
  error_of(ErrorCode::bad_shape, [&] { FftPlan(long_request, cuda()).run(array, array, {memory.data(), 8}, Stream()); });
}

}  // namespace
}  // namespace crinkle::testing::fft_test
