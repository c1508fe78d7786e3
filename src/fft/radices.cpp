// SPDX-License-Identifier: BSD-3-Clause
#include "fft/radices.hpp"

#include "base/checked.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t primes[] = {61, 59, 53, 47, 43, 41, 37, 31, 29, 23, 19, 17, 13, 11, 7};

std::int64_t count_factor(std::int64_t& n, std::int64_t factor) {
  std::int64_t count = 0;
  for (; n % factor == 0; n /= factor) ++count;
  return count;
}

}  // namespace

std::vector<std::int64_t> radices_of(std::int64_t n) {
  std::vector<std::int64_t> radices;
  std::int64_t twos = count_factor(n, 2), threes = count_factor(n, 3), fives = count_factor(n, 5);
  for (; twos >= 3 && twos != 4; twos -= 3) radices.push_back(8);
  for (; twos >= 2; twos -= 2) radices.push_back(4);
  if (twos > 0) radices.push_back(2);
  for (; threes > 0 && fives > 0 && threes % 2 == 1; --threes, --fives) radices.push_back(15);
  for (; fives > 0; --fives) radices.push_back(5);
  for (; threes > 1; threes -= 2) radices.push_back(9);
  if (threes > 0) radices.push_back(3);
  for (const std::int64_t p : primes)
    for (; n % p == 0; n /= p) radices.push_back(p);
  return n == 1 ? radices : std::vector<std::int64_t>{};
}

bool has_radices(std::int64_t n) { return n == 1 || !radices_of(n).empty(); }

std::int64_t smooth_length(std::int64_t n, std::int64_t of) {
  std::int64_t best = 0;
  for (std::int64_t five = 1; five < multiply(4, n); five *= 5) {
    for (std::int64_t three = five; three < multiply(4, n); three *= 3) {
      std::int64_t m = multiply(three, of);
      while (m < n) m = multiply(m, 2);
      if (best == 0 || m < best) best = m;
    }
  }
  return best;
}

}  // namespace crinkle::fft
