// Bluestein's convolution: nk = (n² + k² − (k − n)²)/2, so X[k] = c[k] Σ_n (x[n] c[n]) conj c[k − n] with c[n] = exp(−πi n²/N), a
// convolution of any length M ≥ 2N − 1. Source: L. Bluestein, "A linear filtering approach to the computation of discrete Fourier
// transform", 1970.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "fft/roots.hpp"

namespace crinkle::fft {

struct Chirp {
  std::vector<Root<double>> numbers;  // c[N]
  std::vector<Root<double>> kernel;   // the transform of conj c over M, circular, times 1/M
};

/// Requires m ≥ 2n − 1 of small primes.
Chirp chirp_of(std::int64_t n, std::int64_t m);

/// Their transform, of a length that has radices.
std::vector<Root<double>> transform_of(std::vector<Root<double>> numbers);

}  // namespace crinkle::fft
