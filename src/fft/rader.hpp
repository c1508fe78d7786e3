// Rader's convolution for a prime N: with g a generator modulo N and X[0] apart, X[g^−q] = x[0] + Σ_m x[g^m] W_N^(g^(m−q)), which is
// circular and of length N − 1. Source: C. Rader, "Discrete Fourier transforms when the number of data samples is prime", 1968.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "fft/roots.hpp"

namespace crinkle::fft {

struct Rader {
  std::vector<std::int64_t> powers;  // g^q mod N for q < N − 1
  std::vector<Root<double>> kernel;  // the transform of W_N^(g^−q) over N − 1, times 1/(N − 1)
};

bool is_prime(std::int64_t n);
/// On a CPU: whether n is a prime without a butterfly, and n − 1 a product of butterflies of 2 to 16: larger ones cost what Bluestein's
/// zeros do.
bool has_rader(std::int64_t n);
/// Requires a prime n whose n − 1 has radices of the CPU.
Rader rader_of(std::int64_t n);

}  // namespace crinkle::fft
