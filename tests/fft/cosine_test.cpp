// Cosine and sine transforms against their definition, in long double: all lengths, both directions, norms, types; several axes at any
// strides, sizes, in place, threads; there and back.
// SPDX-License-Identifier: BSD-3-Clause
#include <random>

#include "crinkle/error.hpp"
#include "fft/cosines.hpp"
#include "support/threads.hpp"

namespace crinkle::fft::cosine_test {
namespace {

Numbers random_numbers(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  Numbers numbers;
  for (std::int64_t i = 0; i < n; ++i) numbers.push_back(static_cast<long double>(random() % 4096) / 2048 - 1);
  return numbers;
}

long double error_of(const Numbers& got, const Numbers& want) {
  long double error = 0, all = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    error += (got[i] - want[i]) * (got[i] - want[i]);
    all += want[i] * want[i];
  }
  return std::sqrt(error / (all == 0 ? 1 : all));
}

template <class T>
Numbers run(const FftRequest& request, const Numbers& x, Executor& executor = default_executor()) {
  std::vector<T> in, out(static_cast<std::size_t>(request.out.n_bytes()) / sizeof(T));
  for (const long double number : x) in.push_back(static_cast<T>(number));
  const FftPlan plan(request);
  plan.run({in.data(), static_cast<std::int64_t>(in.size() * sizeof(T))}, {out.data(), static_cast<std::int64_t>(out.size() * sizeof(T))},
           {}, executor);
  return {out.begin(), out.end()};
}

FftRequest request_of(const Extents& in, const Extents& out, std::vector<std::int64_t> axes, FftKind kind, FftReal real) {
  const std::int64_t bytes = real == FftReal::float32 ? 4 : 8;
  FftRequest request{.in = Layout::dense(in, bytes), .out = Layout::dense(out, bytes), .axes = std::move(axes)};
  request.kind = kind;
  request.real = real;
  return request;
}

TEST(Cosine, every_length_direction_norm_and_type_is_as_defined) {
  for (const FftKind kind : {FftKind::cosine, FftKind::sine})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
      for (const FftNorm norm : norms)
        for (std::int64_t n = 1; n <= (norm == FftNorm::ortho ? 130 : 40); ++n) {
          const Numbers x = random_numbers(n, static_cast<unsigned>(n)), want = defined(x, n, kind, direction, norm);
          FftRequest request = request_of({n}, {n}, {0}, kind, FftReal::float64);
          request.direction = direction;
          request.norm = norm;
          EXPECT_LE(error_of(run<double>(request, x), want), 2e-15L) << n;
          request = request_of({n}, {n}, {0}, kind, FftReal::float32);
          request.direction = direction;
          request.norm = norm;
          EXPECT_LE(error_of(run<float>(request, x), want), 1e-6L) << n;
        }
}

TEST(Cosine, long_lines_and_primes_come_back) {
  for (const std::int64_t n : {1009, 4096, 9689, 65536})
    for (const FftKind kind : {FftKind::cosine, FftKind::sine}) {
      const Numbers x = random_numbers(n, 5);
      FftRequest request = request_of({n}, {n}, {0}, kind, FftReal::float64);
      const Numbers there = run<double>(request, x);
      if (n < 2000) { EXPECT_LE(error_of(there, defined(x, n, kind, FftDirection::forward, FftNorm::backward)), 1e-14L) << n; }
      request.direction = FftDirection::inverse;
      EXPECT_LE(error_of(run<double>(request, there), x), 1e-14L) << n;
    }
}

// A plane by rows and then columns, cropped and padded, read backwards from columns that lie apart; on several threads.
TEST(Cosine, of_several_axes_at_any_strides_with_sizes_and_threads) {
  constexpr std::int64_t ny = 23, nx = 70, my = 30, mx = 61;
  FftRequest request = request_of({ny, nx}, {my, mx}, {0, 1}, FftKind::cosine, FftReal::float64);
  request.sizes = {my, mx};
  request.norm = FftNorm::ortho;
  request.in = {{ny, nx}, {-8, 3 * ny * 8}, (ny - 1) * 8, 8};
  const Numbers memory = random_numbers(3 * ny * nx, 9);
  Numbers want(my * mx);
  for (std::int64_t y = 0; y < ny; ++y) {
    Numbers row;
    for (std::int64_t x = 0; x < nx; ++x) row.push_back(memory[static_cast<std::size_t>(x * 3 * ny + ny - 1 - y)]);
    row.resize(mx);
    row = defined(row, mx, FftKind::cosine, FftDirection::forward, FftNorm::ortho);
    std::copy(row.begin(), row.end(), want.begin() + y * mx);
  }
  for (std::int64_t x = 0; x < mx; ++x) {
    Numbers column;
    for (std::int64_t y = 0; y < my; ++y) column.push_back(want[static_cast<std::size_t>(y * mx + x)]);
    column = defined(column, my, FftKind::cosine, FftDirection::forward, FftNorm::ortho);
    for (std::int64_t y = 0; y < my; ++y) want[static_cast<std::size_t>(y * mx + x)] = column[static_cast<std::size_t>(y)];
  }
  Threads threads(3);
  const Numbers one = run<double>(request, memory), several = run<double>(request, memory, threads);
  EXPECT_LE(error_of(one, want), 4e-15L);
  EXPECT_EQ(one, several);
}

TEST(Cosine, runs_in_place_and_refuses_what_it_cannot) {
  FftRequest request = request_of({40, 50}, {40, 50}, {-1, 0}, FftKind::sine, FftReal::float32);
  const Numbers x = random_numbers(2000, 1), want = run<float>(request, x);
  std::vector<float> own(x.begin(), x.end());
  FftPlan(request).run({own.data(), 8000}, {own.data(), 8000}, {});
  EXPECT_EQ(Numbers(own.begin(), own.end()), want);
  const auto code_of = [](const auto& body) {
    try {
      body();
    } catch (const Error& e) { return e.code(); }
    return ErrorCode::device;
  };
  EXPECT_EQ(code_of([&] { FftPlan(request).run({own.data(), 8000}, {own.data() + 1, 8000}, {}); }), ErrorCode::overlap);
  request.in.element_bytes = 8;
  EXPECT_EQ(code_of([&] { FftPlan{request}; }), ErrorCode::bad_shape);
}

}  // namespace
}  // namespace crinkle::fft::cosine_test
