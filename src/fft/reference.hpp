// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace crinkle::fft {

using LongComplex = std::complex<long double>;
enum class Sign { minus, plus };

/// X[k] = Σ_j x[j] exp(∓2πi k j / n): the definition.
class Reference {
 public:
  Reference(std::int64_t n, Sign sign);
  LongComplex number(const std::vector<LongComplex>& x, std::int64_t k) const;  // X[k]; cost: n
  std::vector<LongComplex> line(const std::vector<LongComplex>& x) const;       // all; cost: n²

 private:
  std::vector<LongComplex> roots_;
};

}  // namespace crinkle::fft
