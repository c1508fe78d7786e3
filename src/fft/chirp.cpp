// SPDX-License-Identifier: BSD-3-Clause
#include "fft/chirp.hpp"

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/cpu/line.hpp"

namespace crinkle::fft {

Chirp chirp_of(std::int64_t n, std::int64_t m) {
  Chirp chirp;
  for (std::int64_t j = 0; j < n; ++j) chirp.numbers.push_back(root<double>(multiply_modulo(j, j, 2 * n), 2 * n));
  const simd::FftKernelsOf<double>& kernels = simd::FftKernels::best().of<double>();
  const std::int64_t vector = 2 * kernels.lanes;
  std::vector<double> a(at(vector * m)), b(a.size());
  for (std::int64_t j = 0; j < n; ++j) {
    const Root<double>& c = chirp.numbers[at(j)];
    for (const std::int64_t place : {j, (m - j) % m}) {
      a[at(vector * place)] = c.re / static_cast<double>(m);
      a[at(vector * place + kernels.lanes)] = -c.im / static_cast<double>(m);
    }
  }
  const double* y = Stages<double>(m, kernels).run(a.data(), b.data(), 1);
  for (std::int64_t j = 0; j < m; ++j) chirp.kernel.push_back({y[vector * j], y[vector * j + kernels.lanes]});
  return chirp;
}

}  // namespace crinkle::fft
