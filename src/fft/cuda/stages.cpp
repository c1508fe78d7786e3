// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/stages.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/cuda/known.hpp"
#include "fft/rader.hpp"
#include "fft/roots.hpp"

namespace crinkle::fft {
namespace {

void take_factor(std::int64_t& n, std::int64_t factor) {
  while (n % factor == 0) n /= factor;
}

// take(radices) of all k radices up to `most` whose product is n, from the largest on; those whose largest is small come first.
template <class Take>
void find_radices(std::int64_t n, std::int64_t k, std::int64_t most, Radices& radices, const Take& take) {
  if (k == 0 && n == 1) take(radices);
  for (std::int64_t r = 2; k > 0 && r <= most; ++r) {
    std::int64_t power = 1;
    for (std::int64_t e = 0; e < k && power < n; ++e) power *= r;
    if (power < n || n % r != 0) continue;
    radices.push_back(r);
    find_radices(n / r, k - 1, r, radices, take);
    radices.pop_back();
  }
}

Radices radices_of_power(std::int64_t n) {
  const KnownRadices powers = power_radices(std::countr_zero(static_cast<std::uint64_t>(n)));
  Radices radices;
  for (int i = 0; i < powers.n; ++i) radices.push_back(powers.of[i]);
  return radices;
}

std::int64_t threads_of(const Radices& radices, std::int64_t n, std::int64_t n_lines, std::int64_t held) {
  std::int64_t most = 1;
  for (const std::int64_t r : radices) {
    const std::int64_t columns = multiply(n_lines, n / r);
    most =
        std::max(most, has_sums(r) ? multiply(columns, ceil_divide(r - 1, 2 * n_sums)) : ceil_divide(columns, butterflies_held(held, r)));
  }
  return ceil_divide(most, 32) * 32;
}

std::int64_t held_of(const Radices& radices, std::int64_t n) {
  if (std::any_of(radices.begin(), radices.end(), [](std::int64_t r) { return r > most_held && !has_sums(r); })) return many_held;
  const bool are_few = std::all_of(radices.begin(), radices.end(), [](std::int64_t r) { return r <= few_held; });
  return are_few && threads_of(radices, n, 1, few_held) <= most_fft_threads ? few_held : most_held;
}

// Whether a multiprocessor has the registers of a block of such threads; smaller radices leave enough.
bool has_registers(const Radices& radices, std::int64_t threads) {
  constexpr std::int64_t all = 65536, besides = 32;  // a thread's numbers, of two words each: docs/tuning.md
  return radices.front() <= most_held || threads * (2 * radices.front() + besides) <= all;
}

// Of long lines, which a block takes one by one, the part of its threads' places that have a number; of others, of which it has several, 1.
double use_of(const Radices& radices, std::int64_t n) {
  constexpr std::int64_t several = 2048;
  if (n <= several) return 1;
  const std::int64_t threads = threads_of(radices, n, 1, std::max(most_held, radices.front()));
  std::int64_t places = 0;
  for (const std::int64_t r : radices) places += ceil_divide(n / r, threads) * r;
  return static_cast<double>(n * std::ssize(radices)) / static_cast<double>(threads * places);
}

}  // namespace

bool has_sums(std::int64_t r) { return r > most_held && is_prime(r); }

Radices cuda_radices(std::int64_t n, std::int64_t largest) {
  if (n >= 8 && std::has_single_bit(static_cast<std::uint64_t>(n))) return radices_of_power(n);
  Radices primes, best;
  std::int64_t rest = n;
  for (const std::int64_t p : {2, 3, 5, 7, 11, 13}) take_factor(rest, p);
  const std::int64_t small = n / rest;
  for (std::int64_t p = 17; p <= most_prime && rest > 1; p += 2)
    for (; rest % p == 0; rest /= p) primes.push_back(p);
  if (rest != 1) return {};
  // Two at least, so that several threads read and write the whole sectors of a line; of those lists that a block of kernels compiled
  // beforehand takes whole, if there are any.
  const bool is_one = small < 8 || small == 11 || small == 13;
  const auto fits = [&](const Radices& radices) { return threads_of(radices, small, 1, held_of(radices, small)) <= most_fft_threads; };
  for (std::int64_t k = primes.empty() && !is_one ? 2 : 1; best.empty() && k < std::int64_t{most_stages} && small > 1; ++k) {
    double most = 0;
    const auto take_better = [&](const Radices& radices) {
      if (!has_registers(radices, threads_of(radices, small, 1, std::max(most_held, radices.front())))) return;
      const double use = use_of(radices, small) + (fits(radices) ? 1 : 0);
      if (use > most + 1e-9) most = use, best = radices;
    };
    Radices radices;
    find_radices(small, k, largest, radices, take_better);
  }
  best.insert(best.end(), primes.begin(), primes.end());  // at the end they need no twiddles
  return best;
}

bool has_cuda_radices(std::int64_t n) { return n == 1 || !cuda_radices(n, most_held).empty(); }

bool has_cuda_stages(std::int64_t n) { return has_cuda_radices(n) && !(n > largest_line && is_prime(n)); }

bool are_in_registers(const Radices& radices) {
  if (radices.size() == 1) return radices[0] <= largest_line;
  for (std::size_t i = 0; i < radices.size(); ++i)
    if (has_sums(radices[i]) && (i + 1 < radices.size() || radices[i] > largest_butterfly)) return false;
  return !radices.empty();
}

Radices radices_back(const Radices& radices) {
  return radices.empty() || has_sums(radices.back()) ? radices : Radices(radices.rbegin(), radices.rend());
}

std::int64_t cuda_held(const Radices& radices, std::int64_t n) { return held_of(radices, n); }

std::int64_t cuda_threads(const Radices& radices, std::int64_t n, std::int64_t n_lines) {
  return threads_of(radices, n, n_lines, held_of(radices, n));
}

namespace {

// W^p, W^2p, W^4p … of p < m, W = W_{rm}; of a prime without a butterfly W^kp of all k.
template <class T>
void add_twiddles(std::int64_t r, std::int64_t m, std::vector<Number<T>>& tables) {
  const auto add = [&](std::int64_t power) {
    for (std::int64_t p = 0; p < m; ++p) {
      const Root<T> w = root<T>(p * power, r * m);
      tables.push_back({w.re, w.im});
    }
  };
  if (m == 1) return;
  if (has_sums(r)) {
    for (std::int64_t k = 0; k < r; ++k) add(k);
  } else {
    for (std::int64_t power = 1; power < r; power *= 2) add(power);
  }
}

// cos and sin of 2πjk/r, where two are read at once.
template <class T>
std::int64_t add_sums(std::int64_t r, std::vector<Number<T>>& tables) {
  if (tables.size() % 2 != 0) tables.push_back({});
  const std::int64_t begin = std::ssize(tables), half = (r - 1) / 2;
  for (std::int64_t first = 1; first <= half; first += n_sums) {
    for (std::int64_t j = 1; j <= half; ++j) {
      for (std::int64_t k = first; k < first + n_sums; ++k) {
        const Root<T> w = root<T>(j * k % r, r);
        tables.push_back({w.re, -w.im});
      }
    }
  }
  return begin;
}

}  // namespace

template <class T>
void add_stages(const Radices& radices, std::int64_t n_lines, CudaLines<T>& lines, std::vector<Number<T>>& tables) {
  if (n_lines > 1) lines.first_stage_m = static_cast<std::uint32_t>(n_lines);
  const std::int64_t n = lines.n;
  std::int64_t m = n, s = 1;
  for (const std::int64_t r : radices) {
    m /= r;
    CudaStage stage{.radix = static_cast<std::int32_t>(r),
                    .m = static_cast<std::uint32_t>(m),
                    .s = static_cast<std::uint32_t>(s),
                    .n_butterflies = static_cast<std::uint32_t>(n / r),
                    .by_s = division_by(s),
                    .by_butterflies = division_by(n / r),
                    .by_columns = {},
                    .twiddles = std::ssize(tables)};
    add_twiddles(r, m * n_lines, tables);
    if (has_sums(r)) stage.sums = add_sums(r, tables);
    lines.stages[at(lines.n_stages++)] = stage;
    s *= r;
  }
}

template void add_stages<float>(const Radices&, std::int64_t, CudaLines<float>&, std::vector<Number<float>>&);
template void add_stages<double>(const Radices&, std::int64_t, CudaLines<double>&, std::vector<Number<double>>&);

}  // namespace crinkle::fft
