// Arrays of complex numbers of any layout, their transforms by the definition, and errors in units of ε √(log₂ N).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "base/number_lines.hpp"
#include "crinkle/error.hpp"
#include "crinkle/fft.hpp"
#include "fft/at.hpp"
#include "fft/reference.hpp"
#include "support/parts.hpp"

namespace crinkle::fft {

/// A number of float16.
class Float16 {
 public:
  Float16(long double value = 0) {
    const auto narrow = static_cast<float>(value);
    store_line(bytes_, 2, &narrow, 1, 1, {crinkle::Number::float16});
  }
  operator long double() const {
    float value = 0;
    load_line(&value, 1, bytes_, 2, 1, {crinkle::Number::float16});
    return value;
  }

 private:
  std::byte bytes_[2];
};

template <class T>
constexpr FftReal real_of = sizeof(T) == 2   ? FftReal::float16
                            : sizeof(T) == 4 ? FftReal::float32
                                             : FftReal::float64;
template <class T>
constexpr long double epsilon_of = sizeof(T) == 2   ? 0x1p-11L
                                   : sizeof(T) == 4 ? 0x1p-24L
                                                    : 0x1p-53L;

using Series = std::vector<LongComplex>;

/// Numbers that float32 has.
inline Series random_line(std::int64_t n, unsigned seed, bool is_real = false) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> part(-1, 1);
  Series x;
  x.reserve(at(n));
  for (std::int64_t j = 0; j < n; ++j) {
    const float re = part(random);
    x.emplace_back(re, is_real ? 0.0F : part(random));
  }
  return x;
}

/// Bytes with guards around, poisoned.
class Bytes {
 public:
  explicit Bytes(std::int64_t n, std::int64_t shift = 0) : bytes_(at(n + 2 * guard + shift), poison), n_(n), begin_(guard + shift) {}
  std::byte* data() { return bytes_.data() + begin_; }
  Buffer buffer() { return {data(), n_}; }
  bool is_intact_around() const {
    for (std::int64_t i = 0; i < std::ssize(bytes_); ++i)
      if ((i < begin_ || i >= begin_ + n_) && bytes_[at(i)] != poison) return false;
    return true;
  }
  friend bool operator==(const Bytes& a, const Bytes& b) { return a.bytes_ == b.bytes_; }

 private:
  static constexpr std::int64_t guard = 64;
  static constexpr std::byte poison{0xA5};
  std::vector<std::byte> bytes_;
  std::int64_t n_, begin_;
};

template <class T>
void put(std::byte* to, const LongComplex& value, bool is_real) {
  const T parts[2] = {static_cast<T>(value.real()), static_cast<T>(value.imag())};
  std::memcpy(to, parts, sizeof(T) * (is_real ? 1 : 2));
}
template <class T>
LongComplex get(const std::byte* from, bool is_real) {
  T parts[2] = {0, 0};
  std::memcpy(parts, from, sizeof(T) * (is_real ? 1 : 2));
  return {parts[0], parts[1]};
}

/// Runs a plan with a workspace of its own.
inline void run(const FftPlan& plan, ConstBuffer src, Buffer dst, Executor& executor = default_executor()) {
  std::vector<std::byte> workspace(at(plan.workspace_bytes()));
  plan.run(src, dst, {workspace.data(), std::ssize(workspace)}, executor);
}

/// One dense line.
template <class T>
Series transformed(const Series& x, std::int64_t n_out, FftKind kind = FftKind::complex_to_complex,
                   FftDirection direction = FftDirection::forward, FftNorm norm = FftNorm::backward) {
  const bool is_real_in = kind == FftKind::real_to_complex, is_real_out = kind == FftKind::complex_to_real;
  const std::int64_t in = is_real_in ? sizeof(T) : 2 * sizeof(T), out = is_real_out ? sizeof(T) : 2 * sizeof(T);
  const FftRequest request{.in = Layout::dense({std::ssize(x)}, in),
                           .out = Layout::dense({n_out}, out),
                           .axes = {0},
                           .kind = kind,
                           .direction = direction,
                           .norm = norm,
                           .real = real_of<T>};
  Bytes src(std::ssize(x) * in), dst(n_out * out);
  for (std::int64_t j = 0; j < std::ssize(x); ++j) put<T>(src.data() + j * in, x[at(j)], is_real_in);
  const Bytes before = src;
  run(FftPlan(request), src.buffer(), dst.buffer());
  EXPECT_TRUE(src == before) << "the input was changed";
  EXPECT_TRUE(dst.is_intact_around());
  Series y;
  for (std::int64_t j = 0; j < n_out; ++j) y.push_back(get<T>(dst.data() + j * out, is_real_out));
  return y;
}

/// Σ_i term(i) of [0, n), in blocks: the same whatever the number of threads.
template <class Term>
long double sum_over(std::size_t n, const Term& term) {
  constexpr std::size_t block = 1 << 14;
  std::vector<long double> sums(n / block + 1);
  in_parts_of(1, std::ssize(sums), [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t b = at(begin); b < at(end); ++b)
      for (std::size_t i = b * block; i < std::min(n, (b + 1) * block); ++i) sums[b] += term(i);
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0L);
}
inline long double sum_of_squares(const Series& x) {
  return sum_over(x.size(), [&](std::size_t k) { return std::norm(x[k]); });
}
inline long double square_of_difference(const Series& got, const Series& want) {
  EXPECT_EQ(got.size(), want.size());
  return sum_over(std::min(got.size(), want.size()), [&](std::size_t k) { return std::norm(got[k] - want[k]); });
}

/// How far apart numbers are, in units of ε √(log₂ n) of what they are on average, of which `square` is the square.
template <class T>
long double error_of(const Series& got, const Series& want, std::int64_t n, long double square) {
  const long double difference = square_of_difference(got, want);
  const long double unit = epsilon_of<T> * std::sqrt(std::max(1.0L, std::log2(static_cast<long double>(n))));
  return difference == 0 ? 0 : std::sqrt(difference / (square * static_cast<long double>(want.size()))) / unit;
}
template <class T>
long double error_of(const Series& got, const Series& want, std::int64_t n) {
  return error_of<T>(got, want, n, sum_of_squares(want) / static_cast<long double>(want.size()));
}

}  // namespace crinkle::fft
