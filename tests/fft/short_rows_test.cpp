// Short rows whole in registers have the bits of rows through stages, on every instruction set that this processor has, apart and in place.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cpu/short_kernels.hpp"

#include "fft/cpu/stages.hpp"
#include "fft/fft_support.hpp"

namespace crinkle::fft::short_rows_test {
namespace {

template <class T>
bool expect_same_bits(std::int64_t n, const simd::FftKernelsOf<T>& kernels, const simd::ShortKernelsOf<T>& short_kernels) {
  const Stages<T> stages(n, kernels);
  const auto rows = stages.short_rows(short_kernels);
  if (rows == nullptr) return false;
  EXPECT_EQ(kernels.lanes, short_kernels.lanes);
  constexpr std::int64_t n_groups = 3, gap = 5;
  const std::int64_t v = kernels.lanes, size = sizeof(T), line = 2 * n + gap;
  std::mt19937 random(static_cast<unsigned>(n));
  std::vector<T> x(at(n_groups * v * line)), y(x.size(), T{9}), want(x.size(), T{9}), a(at((n + v) * 2 * v)), b(a.size());
  for (T& number : x) number = static_cast<T>(random() % 4096) / 1024 - 2;
  for (std::int64_t l = 0; l < n_groups * v; ++l)
    for (std::int64_t i = 2 * n; i < line; ++i) x[at(l * line + i)] = T{9};
  const simd::FftFactor<T> factor{T(0.7), T(-0.7)};
  for (std::int64_t g = 0; g < n_groups; ++g) {
    const auto place = [&](std::int64_t j, std::int64_t l) { return at(j * 2 * v + l); };
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t l = 0; l < v; ++l) {
        const T* const from = x.data() + (g * v + l) * line + 2 * j;
        a[place(j, l)] = from[0];
        a[place(j, l + v)] = from[1] * T{-1};
      }
    const T* const result = stages.run(a.data(), b.data(), 1);
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t l = 0; l < v; ++l) {
        T* const to = want.data() + (g * v + l) * line + 2 * j;
        to[0] = result[place(j, l)] * factor.re;
        to[1] = result[place(j, l + v)] * factor.im;
      }
  }
  const auto* const from = reinterpret_cast<const std::byte*>(x.data());
  rows({from, line * size}, {reinterpret_cast<std::byte*>(y.data()), line * size}, n_groups, stages.first_twiddles(), T{-1}, factor);
  EXPECT_EQ(std::memcmp(y.data(), want.data(), y.size() * sizeof(T)), 0) << n;
  rows({from, line * size}, {reinterpret_cast<std::byte*>(x.data()), line * size}, n_groups, stages.first_twiddles(), T{-1}, factor);
  EXPECT_EQ(std::memcmp(x.data(), want.data(), y.size() * sizeof(T)), 0) << n << " in place";
  return true;
}

TEST(ShortRows, have_the_bits_of_stages_on_every_instruction_set) {
  const auto tables = simd::FftKernels::all();
  const auto short_tables = simd::ShortKernels::all();
  ASSERT_EQ(tables.size(), short_tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    ASSERT_STREQ(tables[i]->target, short_tables[i]->target);
    for (std::int64_t n = 1; n <= 64; ++n) {
      const bool is_built = n == 4 || n == 8 || n == 16 || n == 32 || n == 64;
      EXPECT_EQ(expect_same_bits<float>(n, tables[i]->float32, short_tables[i]->float32), is_built) << n << " on " << tables[i]->target;
      EXPECT_EQ(expect_same_bits<double>(n, tables[i]->float64, short_tables[i]->float64), is_built) << n << " on " << tables[i]->target;
    }
  }
}

}  // namespace
}  // namespace crinkle::fft::short_rows_test
