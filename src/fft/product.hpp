// The product of two spectra. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crinkle/cuda.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/fft.hpp"
#include "fft/pass.hpp"

namespace crinkle::fft {

/// x *= y, complex numbers of two dense arrays; y is repeated along axes where it has 1 number and x more.
class Product {
 public:
  /// Throws too_large.
  Product(const Extents& x, const Layout& y, FftReal real);
  void run(std::byte* x, const std::byte* y, Executor& executor) const;
  void run(std::byte* x, const std::byte* y, const Stream& stream) const;

 private:
  FftReal real_;
  std::int64_t n_ = 1;       // numbers of x
  std::vector<Loop> loops_;  // of x; `in` counts numbers of y
};

}  // namespace crinkle::fft
