// Long lines drawn at random against FFTW in long double: every number of every result.
// SPDX-License-Identifier: BSD-3-Clause
#include <fftw3.h>

#include <numeric>
#include <string>
#include <type_traits>

#include "fft/arrays.hpp"
#include "fft/radices.hpp"

namespace crinkle::fft::fftw_test {
namespace {

std::function<Series(const Series&)> by_fftw(std::int64_t n, Sign sign) {
  const auto numbers = [](Series& x) { return reinterpret_cast<fftwl_complex*>(x.data()); };
  Series x(at(n)), y(at(n));
  const fftwl_plan planned = fftwl_plan_dft_1d(static_cast<int>(n), numbers(x), numbers(y),
                                               sign == Sign::minus ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE | FFTW_UNALIGNED);
  const std::shared_ptr<std::remove_pointer_t<fftwl_plan>> plan(planned, fftwl_destroy_plan);
  return [n, numbers, plan](const Series& line) {
    Series from = line, to(at(n));
    fftwl_execute_dft(plan.get(), numbers(from), numbers(to));
    return to;
  };
}

bool is_prime(std::int64_t n) {
  for (std::int64_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}
std::int64_t next_prime(std::int64_t n) {
  while (!is_prime(n)) ++n;
  return n;
}

std::int64_t drawn(std::mt19937& random, std::int64_t least, std::int64_t most) {  // every scale as often
  const double t = static_cast<double>(random()) / 0x1p32;
  return static_cast<std::int64_t>(static_cast<double>(least) * std::pow(static_cast<double>(most) / static_cast<double>(least), t));
}

std::int64_t odd_composite(std::mt19937& random, std::int64_t most) {
  constexpr std::int64_t factors[] = {3, 5, 7, 9, 11, 13};
  std::int64_t n = 1;
  for (;;) {
    const std::int64_t factor = factors[random() % std::size(factors)];
    if (n * factor > most) return n;
    n *= factor;
  }
}

// As tests/fft/lengths_test.cpp bounds them; several axes are as good as their worst.
long double bound_of(const Extents& sizes, FftKind kind) {
  long double bound = 0.75L;
  for (const std::int64_t n : sizes) {
    const bool is_convolved = !has_radices(n);
    bool has_primes = false;
    if (!is_convolved)
      for (const std::int64_t r : radices_of(n)) has_primes = has_primes || r > 16;
    bound = std::max(bound, is_convolved ? 1.75L : has_primes ? 1.0L : 0.75L);
  }
  return bound * (kind == FftKind::complex_to_complex ? 1.0L : 1.2L);
}

template <class T>
void expect_request(const Extents& extents, const std::vector<std::size_t>& axes, FftKind kind, std::mt19937& random) {
  const bool is_real_in = kind == FftKind::real_to_complex, is_real_out = kind == FftKind::complex_to_real;
  Extents half = extents, sizes;
  half[axes.back()] = half[axes.back()] / 2 + 1;
  for (const std::size_t axis : axes) sizes.push_back(extents[axis]);
  const std::int64_t number = 2 * sizeof(T);
  const auto layout = [&](const Extents& e, std::int64_t element) {
    return random() % 2 == 0 ? Layout::dense(e, element) : random_layout(e, element, random);
  };
  const FftRequest request{.in = layout(is_real_out ? half : extents, is_real_in ? number / 2 : number),
                           .out = layout(is_real_in ? half : extents, is_real_out ? number / 2 : number),
                           .axes = {axes.begin(), axes.end()},
                           .kind = kind,
                           .direction = random() % 2 == 0 ? FftDirection::forward : FftDirection::inverse,
                           .norm = static_cast<FftNorm>(random() % 3),
                           .real = real_of<T>};
  const Array array = random_array(request.in.extents, static_cast<unsigned>(random()), is_real_in);
  Bytes src(bytes_of(request.in)), dst(bytes_of(request.out));
  put_array<T>(request.in, array, is_real_in, src);
  const FftPlan plan(request);
  run(plan, src.buffer(), dst.buffer());
  const Array want = definition(array, request, axes, sizes, by_fftw), got = get_array<T>(request.out, is_real_out, dst);
  const std::int64_t n = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
  EXPECT_LE(error_of<T>(got.values, want.values, n), bound_of(sizes, kind)) << plan.describe();
}

void expect_length(std::int64_t n, std::mt19937& random) {
  const Extents shapes[] = {{n}, {3, n}, {n, 3}};
  const std::size_t shape = n > 100000 ? 0 : random() % 3;
  const std::vector<std::size_t> axes{shape == 1 ? std::size_t{1} : std::size_t{0}};
  expect_request<float>(shapes[shape], axes, static_cast<FftKind>(random() % 3), random);
  expect_request<double>(shapes[shape], axes, static_cast<FftKind>(random() % 3), random);
}

TEST(BesideFftw, powers_of_two) {
  std::mt19937 random(1);
  for (const int bits : {12, 13, 14, 15, 17, 20}) expect_length(std::int64_t{1} << bits, random);
}

TEST(BesideFftw, odd_composites) {
  std::mt19937 random(2);
  for (int i = 0; i < 10; ++i) expect_length(odd_composite(random, drawn(random, 2049, 400000)), random);
}

TEST(BesideFftw, primes_and_their_neighbours) {
  std::mt19937 random(3);
  for (int i = 0; i < 4; ++i) {
    const std::int64_t p = next_prime(drawn(random, 2049, 100000));
    expect_length(p, random);
    expect_length(p + (i % 2 == 0 ? 1 : -1), random);
    expect_length(2 * next_prime(p / 2), random);
  }
  expect_length(next_prime(1 << 17), random);
  expect_length(311 * 313, random);
}

TEST(BesideFftw, any_lengths) {
  std::mt19937 random(4);
  for (int i = 0; i < 6; ++i) expect_length(drawn(random, 2049, 400000), random);
}

TEST(BesideFftw, several_axes) {
  std::mt19937 random(5);
  for (int i = 0; i < 6; ++i) {
    const std::int64_t a = drawn(random, 50, 500), b = drawn(random, 50, 500), c = drawn(random, 2, 5);
    for (const FftKind kind : {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real}) {
      expect_request<float>({a, b}, {0, 1}, kind, random);
      expect_request<double>({a, c, b / c}, {2, 0, 1}, kind, random);
    }
  }
}

}  // namespace
}  // namespace crinkle::fft::fftw_test
