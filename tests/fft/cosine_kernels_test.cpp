// The kernels of cosine and sine transforms on every instruction set that this processor has: whole lines against the definition, the ends
// of longer lines against their formulas, number by number.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cpu/cosine_kernels.hpp"

#include <cstring>

#include "fft/cosines.hpp"

namespace crinkle::fft::cosine_kernels_test {
namespace {

template <class T>
std::vector<T> random_numbers(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> numbers;
  for (std::int64_t i = 0; i < n; ++i) numbers.push_back(static_cast<T>(random()) / T{4294967296.0} - T{0.5});
  return numbers;
}
template <class T>
const std::byte* bytes(const std::vector<T>& x) {
  return reinterpret_cast<const std::byte*>(x.data());
}
template <class T>
std::byte* bytes(std::vector<T>& x) {
  return reinterpret_cast<std::byte*>(x.data());
}

// Rows to columns, columns to rows and in place, three blocks, of which each lies behind the other.
template <class T>
void expect_whole_lines(const simd::CosineKernels& table, std::int64_t n, FftKind kind, FftDirection direction) {
  const simd::CosineKernelsOf<T>& kernels = table.of<T>();
  const std::int64_t lanes = kernels.lanes, size = sizeof(T), n_blocks = 3, block = n * lanes;
  ASSERT_NE(kernels.whole(n, kind, direction), nullptr);
  const std::vector<T> x = random_numbers<T>(n_blocks * block, static_cast<unsigned>(n));
  const simd::RealLines rows{size, n * size}, columns{lanes * size, size};
  const bool is_inverse = direction == FftDirection::inverse;
  const simd::CosineFactors<T> factors{is_inverse ? T{1} / static_cast<T>(2 * n) : T{1}, is_inverse ? T{1} : T{2}};
  for (const bool in_is_rows : {true, false})
    for (const bool out_is_rows : {true, false}) {
      std::vector<T> y(x.size());
      const simd::RealLines &in = in_is_rows ? rows : columns, &out = out_is_rows ? rows : columns;
      kernels.whole(n, kind, direction)(bytes(x), bytes(y), {in, out, n_blocks, block * size, block * size}, factors);
      if (in_is_rows == out_is_rows) {
        std::vector<T> own = x;
        kernels.whole(n, kind, direction)(bytes(own), bytes(own), {in, out, n_blocks, block * size, block * size}, factors);
        EXPECT_EQ(own, y);
      }
      for (std::int64_t line = 0; line < n_blocks * lanes; ++line) {
        const auto place = [&](const simd::RealLines& at, std::int64_t e) {
          return crinkle::fft::at((line / lanes * block * size + line % lanes * at.line + e * at.number) / size);
        };
        Numbers given;
        for (std::int64_t e = 0; e < n; ++e) given.push_back(x[place(in, e)]);
        const Numbers want = defined(given, n, kind, direction, FftNorm::backward);
        for (std::int64_t e = 0; e < n; ++e)
          ASSERT_NEAR(y[place(out, e)], static_cast<double>(want[crinkle::fft::at(e)]), sizeof(T) == 4 ? 2e-5 : 4e-14)
              << table.target << ' ' << n << ", number " << e << " of line " << line;
      }
    }
}

TEST(CosineKernels, whole_lines_are_the_definition_on_every_instruction_set) {
  for (const simd::CosineKernels* table : simd::CosineKernels::all())
    for (const std::int64_t n : {8, 16})
      for (const FftKind kind : {FftKind::cosine, FftKind::sine})
        for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
          expect_whole_lines<float>(*table, n, kind, direction);
          expect_whole_lines<double>(*table, n, kind, direction);
        }
}

template <class T>
void expect_ends(const simd::CosineKernels& table, std::int64_t n, bool is_rows, std::int64_t w) {
  const simd::CosineKernelsOf<T>& kernels = table.of<T>();
  const std::int64_t lanes = kernels.lanes, n_lines = w * lanes, size = sizeof(T);
  const simd::RealLines at = is_rows ? simd::RealLines{size, n * size} : simd::RealLines{n_lines * size, size};
  const std::vector<T> x = random_numbers<T>(n * n_lines, 3);
  const auto number = [&](std::int64_t e, std::int64_t l) { return crinkle::fft::at((e * at.number + l * at.line) / size); };
  std::vector<T> rows(crinkle::fft::at(2 * (n / 2 + 1) * n_lines));
  kernels.load_ordered(bytes(x), at, n, w, rows.data(), T{-1});
  const auto part = [&](std::int64_t row, std::int64_t l, std::int64_t which) {
    return crinkle::fft::at((row * w + l / lanes) * 2 * lanes + which * lanes + l % lanes);
  };
  for (std::int64_t t = 0; t < n; ++t)
    for (std::int64_t l = 0; l < n_lines; ++l) {
      const std::int64_t e = 2 * t < n ? 2 * t : 2 * (n - 1 - t) + 1;
      ASSERT_EQ(rows[part(t / 2, l, t % 2)], (e % 2 == 0 ? 1 : -1) * x[number(e, l)]) << table.target << ' ' << n;
    }
  std::vector<T> back(x.size());
  kernels.store_ordered(rows.data(), n, w, bytes(back), at, T{1}, T{1}, T{-1});
  EXPECT_EQ(back, x) << table.target << ' ' << n;
  if (is_rows) {
    std::vector<T> plain(x.size());
    kernels.load_plain(bytes(x), n * size, n, plain.data());
    for (std::int64_t e = 0; e < n; ++e)
      for (std::int64_t l = 0; l < lanes; ++l) ASSERT_EQ(plain[crinkle::fft::at(e * lanes + l)], x[number(e, l)]);
    kernels.store_plain(plain.data(), n, bytes(back), n * size);
    EXPECT_EQ(back, x);
    return;
  }
  rows = random_numbers<T>(static_cast<std::int64_t>(rows.size()), 4);
  const std::vector<T> turns = random_numbers<T>(n + 2, 5);
  kernels.turn(rows.data(), n, w, turns.data(), {T{3}, T{7}}, bytes(back), at.number);
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t l = 0; l < n_lines; ++l) {
      const std::int64_t row = std::min(k, n - k);
      const T c = turns[crinkle::fft::at(2 * row)], s = turns[crinkle::fft::at(2 * row + 1)];
      const T re = rows[part(row, l, 0)] * 3, im = rows[part(row, l, 1)] * 3;
      ASSERT_EQ(back[number(k, l)], k == 0 ? 7 * re : 2 * (k <= n / 2 ? re * c + im * s : re * s - im * c)) << table.target << ' ' << n;
    }
  kernels.turn_back(bytes(x), at.number, n, w, turns.data(), T{7}, rows.data());
  for (std::int64_t k = 0; k <= n / 2; ++k)
    for (std::int64_t l = 0; l < n_lines; ++l) {
      const T c = turns[crinkle::fft::at(2 * k)], s = turns[crinkle::fft::at(2 * k + 1)], a = x[number(k, l)];
      const T b = k == 0 ? T{0} : x[number(n - k, l)];
      ASSERT_EQ(rows[part(k, l, 0)], k == 0 ? 7 * a : a * c + b * s) << table.target << ' ' << n;
      if (k > 0) { ASSERT_EQ(rows[part(k, l, 1)], b * c - a * s) << table.target << ' ' << n; }
    }
}

TEST(CosineKernels, ends_of_lines_are_their_formulas_on_every_instruction_set) {
  for (const simd::CosineKernels* table : simd::CosineKernels::all())
    for (const std::int64_t n : {2, 4, 6, 10, 24, 38, 100}) {
      expect_ends<float>(*table, n, true, 1);
      expect_ends<double>(*table, n, true, 1);
      for (const std::int64_t w : {1, 3}) {
        expect_ends<float>(*table, n, false, w);
        expect_ends<double>(*table, n, false, w);
      }
    }
}

template <class T>
void expect_line(const simd::CosineKernels& table, std::int64_t n, FftKind kind) {
  const simd::CosineKernelsOf<T>& kernels = table.of<T>();
  const T odd = kind == FftKind::sine ? T{-1} : T{1}, of_first = 7;
  const std::vector<T> x = random_numbers<T>(n, 1), given = random_numbers<T>(n / 2 * 2 + 2, 2), c = random_numbers<T>(n / 2 + 1, 3),
                       s = random_numbers<T>(n / 2 + 1, 4);
  std::vector<T> v(x.size()), back(x.size()), turned(x.size()), spectrum(given.size());
  kernels.order_line(x.data(), n, v.data(), odd);
  kernels.order_line_back(v.data(), n, back.data(), odd);
  for (std::int64_t e = 0; e < n; ++e)
    ASSERT_EQ(v[at(e % 2 == 0 ? e / 2 : n - 1 - e / 2)], (e % 2 == 0 ? 1 : odd) * x[at(e)]) << table.target << ' ' << n;
  EXPECT_EQ(back, x) << table.target << ' ' << n;
  kernels.turn_line(given.data(), n, c.data(), s.data(), of_first, kind, turned.data());
  kernels.turn_line_back(x.data(), n, c.data(), s.data(), of_first, kind, spectrum.data());
  const auto place = [&](std::int64_t k) { return at(kind == FftKind::sine ? n - 1 - k : k); };
  EXPECT_EQ(turned[place(0)], of_first * given[0]);
  EXPECT_EQ(spectrum[0], of_first * x[place(0)]);
  for (std::int64_t k = 1; 2 * k <= n; ++k) {
    const T re = given[at(2 * k)], im = given[at(2 * k + 1)], a = x[place(k)], b = x[place(n - k)], cos = c[at(k)], sin = s[at(k)];
    ASSERT_EQ(turned[place(k)], 2 * (re * cos + im * sin)) << table.target << ' ' << n;
    if (2 * k < n) { ASSERT_EQ(turned[place(n - k)], 2 * (re * sin - im * cos)) << table.target << ' ' << n; }
    ASSERT_EQ(spectrum[at(2 * k)], a * cos + b * sin) << table.target << ' ' << n;
    ASSERT_EQ(spectrum[at(2 * k + 1)], a * sin - b * cos) << table.target << ' ' << n;
  }
}

TEST(CosineKernels, one_line_is_its_formulas_on_every_instruction_set) {
  for (const simd::CosineKernels* table : simd::CosineKernels::all())
    for (std::int64_t n = 1; n < 70; ++n)
      for (const FftKind kind : {FftKind::cosine, FftKind::sine}) {
        expect_line<float>(*table, n, kind);
        expect_line<double>(*table, n, kind);
      }
}

}  // namespace
}  // namespace crinkle::fft::cosine_kernels_test
