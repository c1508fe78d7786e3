// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda_stages.hpp"

#include <algorithm>
#include <functional>

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/cuda_known.hpp"
#include "fft/roots.hpp"

namespace crinkle::fft {
namespace {

std::int64_t take_factor(std::int64_t& n, std::int64_t factor) {
  std::int64_t count = 0;
  for (; n % factor == 0; n /= factor) ++count;
  return count;
}

}  // namespace

std::vector<std::int64_t> cuda_radices(std::int64_t n) {
  std::vector<std::int64_t> radices;
  std::vector<std::int64_t> primes;
  std::int64_t twos = take_factor(n, 2), threes = take_factor(n, 3), fives = take_factor(n, 5);
  for (const std::int64_t p : {7, 11, 13})
    for (; n % p == 0; n /= p) radices.push_back(p);
  for (std::int64_t p = 17; p <= most_prime && n > 1; p += 2)
    for (; n % p == 0; n /= p) primes.push_back(p);
  if (n != 1) return {};
  for (; threes > 0 && fives > 0 && threes % 2 == 1; --threes, --fives) radices.push_back(15);
  for (; threes > 1; threes -= 2) radices.push_back(9);
  for (; threes > 0; --threes) radices.push_back(3);
  for (; fives > 0; --fives) radices.push_back(5);
  if (twos == 1 || twos == 2) {  // a radix of their own is a stage more
    const auto with = std::find_if(radices.begin(), radices.end(), [&](std::int64_t r) { return r << twos <= 16; });
    if (with != radices.end()) {
      *with <<= twos;
      twos = 0;
    }
  }
  for (std::int64_t n_stages = ceil_divide(twos, 4); n_stages > 0; --n_stages) {
    const std::int64_t of = ceil_divide(twos, n_stages);
    radices.push_back(std::int64_t{1} << of);
    twos -= of;
  }
  std::sort(radices.begin(), radices.end(), std::greater<>());
  if (primes.empty() && radices.size() == 1 &&
      radices[0] >= 8) {  // two threads or more for a line, so that it is read and written in whole sectors
    for (const std::int64_t r : {4, 3, 5, 7}) {
      if (radices[0] % r != 0 || radices[0] == r) continue;
      radices = {std::max(r, radices[0] / r), std::min(r, radices[0] / r)};
      break;
    }
  }
  radices.insert(radices.end(), primes.begin(), primes.end());  // at the end they need no twiddles
  return radices;
}

bool has_cuda_radices(std::int64_t n) { return n == 1 || !cuda_radices(n).empty(); }

std::int64_t cuda_threads(std::int64_t n, std::int64_t n_lines) {
  std::int64_t most = 1;
  for (const std::int64_t r : cuda_radices(n)) {
    const std::int64_t columns = multiply(n_lines, n / r);
    most = std::max(most, r > most_held ? multiply(columns, ceil_divide(r - 1, 2 * n_sums)) : ceil_divide(columns, most_held / r));
  }
  return ceil_divide(most, 32) * 32;
}

namespace {

// A radix above most_held: a prime, or a power of two of a known length.
bool has_sums(std::int64_t r) { return r > most_held && r % 2 != 0; }

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
void add_stages(std::int64_t n, CudaLines<T>& lines, std::vector<Number<T>>& tables) {
  lines.n = n;
  std::int64_t m = n, s = 1;
  for (const std::int64_t r : cuda_radices(n)) {
    m /= r;
    CudaStage stage{.radix = static_cast<std::int32_t>(r),
                    .m = static_cast<std::uint32_t>(m),
                    .s = static_cast<std::uint32_t>(s),
                    .n_butterflies = static_cast<std::uint32_t>(n / r),
                    .by_s = division_by(s),
                    .by_butterflies = division_by(n / r),
                    .by_columns = {},
                    .twiddles = std::ssize(tables)};
    add_twiddles(r, m, tables);
    if (has_sums(r)) stage.sums = add_sums(r, tables);
    lines.stages[at(lines.n_stages++)] = stage;
    s *= r;
  }
}

template <class T>
void add_known_twiddles(int place, std::vector<Number<T>>& tables) {
  std::int64_t m = known_shapes<T>[place].n();
  for (const std::int64_t r : known_radices<T>(place)) {
    m /= r;
    add_twiddles(r, m, tables);
  }
}

template void add_known_twiddles<float>(int, std::vector<Number<float>>&);
template void add_known_twiddles<double>(int, std::vector<Number<double>>&);
template void add_stages<float>(std::int64_t, CudaLines<float>&, std::vector<Number<float>>&);
template void add_stages<double>(std::int64_t, CudaLines<double>&, std::vector<Number<double>>&);

}  // namespace crinkle::fft
