// What a GPU makes of a length: butterflies, threads, and passes of a length that shared memory does not hold.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "base/checked.hpp"
#include "fft/cuda/form.hpp"

namespace crinkle::fft {

/// The largest prime radix: a convolution is faster than sums for 127, slower for 97 (docs/tuning.md).
inline constexpr std::int64_t most_prime = 97;

/// Of compiled kernels: primes up to this one are a thread's, larger ones are convolutions.
inline constexpr std::int64_t largest_butterfly = 31;

/// Primes up to this one are lines that a thread holds whole.
inline constexpr std::int64_t largest_line = 59;

using Radices = std::vector<std::int64_t>;

/// Whether r is a prime that a stage takes as sums (n_sums) where no thread holds it.
bool has_sums(std::int64_t r);

/// Radices whose product is n, the same in every kernel of a type: 2 to `largest`, primes of them to 13, the largest first, and behind them
/// primes from 17 to most_prime. Empty for n = 1 and for an n with a larger prime factor (has_cuda_radices).
Radices cuda_radices(std::int64_t n, std::int64_t largest);
template <class T>
Radices cuda_radices(std::int64_t n) {
  return cuda_radices(n, largest_radix<T>);
}
bool has_cuda_radices(std::int64_t n);
/// Whether lines of n numbers go through stages of those radices; else they are convolutions, as are primes that no thread holds.
bool has_cuda_stages(std::int64_t n);

/// Whether threads of compiled kernels hold all butterflies: primes up to most_held, the last up to largest_butterfly, one alone up to
/// largest_line.
bool are_in_registers(const Radices& radices);

/// Those of a convolution's second transform: the other way round, so that its first butterflies take what the last ones gave, thread by
/// thread; the same where the last one is a prime without twiddles (has_sums).
Radices radices_back(const Radices& radices);

/// Numbers that a thread holds of n, the product of these radices.
std::int64_t cuda_held(const Radices& radices, std::int64_t n);

/// Threads of a block that transforms so many lines of n numbers at once, a multiple of 32; more than most_fft_threads where it cannot.
/// Requires radices.
std::int64_t cuda_threads(const Radices& radices, std::int64_t n, std::int64_t n_lines);
template <class T>
std::int64_t cuda_threads(std::int64_t n, std::int64_t n_lines) {
  return cuda_threads(cuda_radices<T>(n), n, n_lines);
}

/// The fewest factors, each of which `fits`, as equal as they can be. Requires radices, and that `fits` is true of all radices.
template <class Fits>
std::vector<std::int64_t> cuda_parts(std::int64_t n, const Fits& fits) {
  if (fits(n)) return {n};
  for (std::size_t k = 2;; ++k) {
    // The k-th part is what is left; of the divisors of what is left those near its k-th root are tried first.
    std::vector<std::int64_t> parts;
    const auto find = [&](const auto& self, std::int64_t rest, std::size_t n_parts) -> bool {
      if (n_parts == 1) {
        if (!fits(rest)) return false;
        parts.push_back(rest);
        return true;
      }
      std::int64_t middle = 1;
      const auto power = [&](std::int64_t x) {
        std::int64_t p = 1;
        for (std::size_t i = 0; i < n_parts && p <= rest; ++i) p = x > rest / p ? rest + 1 : p * x;
        return p;
      };
      for (std::int64_t step = std::int64_t{1} << 20; step > 0; step /= 2)
        if (power(middle + step) <= rest) middle += step;
      for (std::int64_t away = 0; away < 16 * middle; ++away) {
        for (const std::int64_t d : {middle + away, middle - away}) {
          if (d < 2 || rest % d != 0 || (away == 0 && d != middle) || !fits(d)) continue;
          parts.push_back(d);
          if (self(self, rest / d, n_parts - 1)) return true;
          parts.pop_back();
        }
      }
      return false;
    };
    if (find(find, n, k)) return parts;
  }
}

/// Stages of lines.n numbers; their twiddles, for every p < m, go behind `tables`. With n_lines > 1 the lines are so many butterflies of
/// one radix, the first stage of lines of n · n_lines numbers, with its twiddles.
template <class T>
void add_stages(const Radices& radices, std::int64_t n_lines, CudaLines<T>& lines, std::vector<Number<T>>& tables);

/// Counts groups of lanes and blocks, of the lanes and loops.
template <class T>
void count_blocks(CudaLines<T>& lines) {
  lines.n_groups = ceil_divide(lines.lane.extent, std::int64_t{lines.n_lanes});
  lines.n_blocks = lines.n_groups;
  for (int i = 0; i < lines.loops.n; ++i) lines.n_blocks = multiply(lines.n_blocks, lines.loops.loops[i].extent);
}

extern template void add_stages<float>(const Radices&, std::int64_t, CudaLines<float>&, std::vector<Number<float>>&);
extern template void add_stages<double>(const Radices&, std::int64_t, CudaLines<double>&, std::vector<Number<double>>&);

}  // namespace crinkle::fft
