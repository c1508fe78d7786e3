// Arrays of float16: conversions on every instruction set, all kinds against the definition, layouts, threads, in place, what is beyond
// range.
// SPDX-License-Identifier: BSD-3-Clause
#include <bit>
#include <limits>

#include "fft/cpu/fft_kernels.hpp"
#include "fft/float16_support.hpp"
#include "fft/random_requests.hpp"
#include "support/threads.hpp"

namespace crinkle::fft::float16_test {
namespace {

constexpr FftKind kinds[] = {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real};

TEST(Float16, numbers_are_converted_alike_on_every_instruction_set) {
  std::vector<float> wide;
  for (std::uint32_t i = 0; i < 200000; ++i) wide.push_back(std::bit_cast<float>(0x32000000u + i * 1997));  // from 2⁻²⁷ on
  for (std::uint32_t i = 0; i < 0x10000; ++i) wide.push_back(std::bit_cast<float>((i << 13 | (i % 3 == 0 ? 0x1000u : 0u)) + 0x38000000u));
  for (const float x : {65504.0F, 65519.99F, 65520.0F, 1e30F, 0.0F, 0x1p-25F, 0x1.8p-25F, std::numeric_limits<float>::infinity()})
    wide.push_back(x);
  const std::size_t n = wide.size();
  for (std::size_t i = 0; i < n; ++i) wide.push_back(-wide[i]);
  const auto count = std::ssize(wide);
  std::vector<std::byte> want(2 * wide.size()), all(0x20001);
  store_line(want.data(), 2, wide.data(), 1, count, {Number::float16});
  for (std::uint32_t i = 0; i < 0x10000; ++i) std::memcpy(all.data() + 1 + 2 * i, &i, 2);
  std::vector<float> want_wide(0x10000);
  load_line(want_wide.data(), 1, all.data() + 1, 2, 0x10000, {Number::float16});
  for (const simd::FftKernels* kernels : simd::FftKernels::all()) {
    std::vector<std::byte> narrow(want.size());
    kernels->narrow_float16(wide.data(), count, narrow.data());
    EXPECT_TRUE(narrow == want) << kernels->target;
    std::vector<float> widened(0x10000);
    kernels->widen_float16(all.data() + 1, 0x10000, widened.data());  // at an odd address
    for (std::size_t i = 0; i < widened.size(); ++i)
      ASSERT_TRUE(widened[i] == want_wide[i] || (std::isnan(widened[i]) && std::isnan(want_wide[i]))) << i << kernels->target;
  }
}

TEST(Float16, lines_of_every_length_are_the_definition) {
  for (std::int64_t n = 1; n <= 2048; n += n < 300 ? 1 : 67) {
    const FftDirection direction = n % 2 == 0 ? FftDirection::forward : FftDirection::inverse;
    const Reference reference(n, n % 2 == 0 ? Sign::minus : Sign::plus);
    const FftNorm norm = n % 2 == 0 ? FftNorm::backward : FftNorm::forward;  // without a factor
    const Series x = rounded(random_line(n, static_cast<unsigned>(n))), r = rounded(random_line(n, static_cast<unsigned>(n), true));
    ASSERT_LE(relative_error(transformed<Float16>(x, n, kinds[0], direction, norm), reference.line(x)), bound_of_float16(n)) << n;
    Series half = reference.line(r);
    half.resize(at(n / 2 + 1));
    const Series got = transformed<Float16>(r, n / 2 + 1, kinds[1], direction, norm);
    ASSERT_LE(relative_error(got, half), bound_of_float16(n)) << n;
    const FftDirection back = n % 2 == 0 ? FftDirection::inverse : FftDirection::forward;
    ASSERT_LE(relative_error(transformed<Float16>(got, n, kinds[2], back, norm), r), 2 * bound_of_float16(n)) << "there and back " << n;
  }
}

template <class In, class Out>
void expect_random_requests(int n_cases, unsigned seed) {
  std::mt19937 random(seed);
  for (int c = 0; c < n_cases; ++c) {
    const RandomRequest drawn = random_request<In, Out>(random);
    const FftRequest& request = drawn.request;
    Array array = random_array(request.in.extents, static_cast<unsigned>(c), drawn.is_real_in());
    array.values = rounded(array.values);
    Bytes src(bytes_of(request.in), static_cast<std::int64_t>(random() % 2)), dst(bytes_of(request.out), 4);
    put_array<In>(request.in, array, drawn.is_real_in(), src);
    const Bytes before = src;
    Threads executor(1 + c % 3);
    const FftPlan plan(request);
    run(plan, src.buffer(), dst.buffer(), executor);
    ASSERT_TRUE(src == before) << c;
    ASSERT_TRUE(dst.is_intact_around()) << c;
    const Array want = definition(array, request, drawn.axes, drawn.sizes), got = get_array<Out>(request.out, drawn.is_real_out(), dst);
    const long double bound = sizeof(Out) == 2 ? bound_of_float16(want.n()) : 0x1p-20L;
    ASSERT_LE(relative_error(got.values, want.values), bound) << "case " << c << '\n' << plan.describe();
  }
}

TEST(Float16, random_requests_are_the_definition) { expect_random_requests<Float16, Float16>(300, 1); }
TEST(Float16, random_requests_give_float32) { expect_random_requests<Float16, float>(150, 2); }
TEST(Float16, random_requests_take_float32) { expect_random_requests<float, Float16>(150, 3); }

// Float32's transform of the same numbers, rounded once.
void expect_rounded_float32(FftRequest request, bool is_in_place) {
  request.real = FftReal::float16;
  const std::int64_t parts = request.kind == FftKind::complex_to_complex ? 2 : 1;
  const FftPlan plan(request);
  Array array = random_array(request.in.extents, 5, parts == 1);
  array.values = rounded(array.values);
  Bytes src(bytes_of(request.in));
  put_array<Float16>(request.in, array, parts == 1, src);
  FftRequest wide = request;
  wide.real = FftReal::float32;
  wide.in = wide.out = Layout::dense(request.in.extents, 4 * parts);
  Bytes wide_src(bytes_of(wide.in)), wide_dst(bytes_of(wide.out));
  put_array<float>(wide.in, array, parts == 1, wide_src);
  run(FftPlan(wide), wide_src.buffer(), wide_dst.buffer());
  const Array want = get_array<float>(wide.out, parts == 1, wide_dst);
  std::vector<Bytes> results;
  for (const int n_threads : {1, 2, 7}) {
    Threads executor(n_threads);
    Bytes dst = src;
    if (!is_in_place) dst = Bytes(bytes_of(request.out));
    run(plan, is_in_place ? dst.buffer() : src.buffer(), dst.buffer(), executor);
    results.push_back(dst);
    ASSERT_TRUE(dst == results[0]) << n_threads << " threads";
    ASSERT_LE(relative_error(get_array<Float16>(request.out, parts == 1, dst).values, want.values), bound_of_float16(want.n()))
        << plan.describe();
  }
}

TEST(Float16, in_place_and_on_any_threads_the_bits_are_the_same) {
  const auto expect = [](const Layout& layout, std::vector<std::int64_t> axes, FftKind kind) {
    for (const bool is_in_place : {false, true}) {
      const FftRequest request{.in = layout, .out = layout, .axes = axes, .kind = kind, .norm = FftNorm::ortho};
      expect_rounded_float32(request, is_in_place);
    }
  };
  expect(Layout::dense({64, 32, 40}, 4), {0, 1, 2}, kinds[0]);
  expect(Layout::dense({37, 250}, 4), {0}, kinds[0]);
  expect(Layout::dense({4096, 45}, 4), {0}, kinds[0]);
  expect(Layout{{300, 100}, {1028, 8}, 0, 4}, {0, 1}, kinds[0]);
  expect(Layout::dense({3, 147456}, 4), {1}, kinds[0]);  // each line shared among threads
  expect(Layout{{2, 131072}, {131072 * 6, 6}, 0, 4}, {1}, kinds[0]);
  expect(Layout::dense({20, 30, 17}, 2), {0, 2}, FftKind::cosine);
  expect(Layout::dense({500, 21}, 2), {0}, FftKind::sine);
}

TEST(Float16, what_is_beyond_range_becomes_infinity_and_stays_finite_with_ortho) {
  const std::int64_t n = 4096;
  Series x(at(n), 100.0L);
  x[3] += 1;
  const Series sums = transformed<Float16>(x, n), kept = transformed<Float16>(x, n, kinds[0], FftDirection::forward, FftNorm::ortho);
  for (std::int64_t k = 0; k < n; ++k) EXPECT_EQ(std::isinf(sums[at(k)].real()), k == 0) << k;
  EXPECT_NEAR(static_cast<double>(kept[0].real()), 6400, 4);
  x[5] = std::numeric_limits<long double>::quiet_NaN();
  for (const LongComplex& value : transformed<Float16>(x, n)) ASSERT_TRUE(std::isnan(value.real()) || std::isnan(value.imag()));
}

TEST(Float16, what_is_refused) {
  FftRequest request{.in = Layout::dense({8}, 4), .out = Layout::dense({8}, 4), .axes = {0}, .real = FftReal::float16};
  EXPECT_NE(FftPlan(request).describe().find("float16"), std::string::npos);
  request.out.element_bytes = 2;
  try {
    const FftPlan plan(request);
    ADD_FAILURE() << "2 bytes were taken for a complex number";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::bad_shape);
    EXPECT_NE(std::string(e.what()).find("complex numbers of float16 have 4, of float32 8"), std::string::npos) << e.what();
  }
  const ConstArray array{Layout::dense({8}, 2), {}};
  EXPECT_THROW(fft_convolve(array, array, Layout::dense({8}, 2), {}, ConvolveMode::same, FftReal::float16), Error);
}

}  // namespace
}  // namespace crinkle::fft::float16_test
