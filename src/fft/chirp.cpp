// SPDX-License-Identifier: BSD-3-Clause
#include "fft/chirp.hpp"

#include "base/checked.hpp"
#include "crinkle/fft.hpp"
#include "fft/at.hpp"
#include "fft/cpu/one_thread.hpp"

namespace crinkle::fft {

Chirp chirp_of(std::int64_t n, std::int64_t m) {
  Chirp chirp;
  const Roots roots(2 * n);
  const double factor = 1 / static_cast<double>(m);
  std::vector<Root<double>> conjugate(at(m), {0, 0});
  for (std::int64_t j = 0; j < n; ++j) {
    const Root<double> c = roots.of(multiply_modulo(j, j, 2 * n));
    chirp.numbers.push_back(c);
    conjugate[at(j)] = conjugate[at((m - j) % m)] = {c.re * factor, -c.im * factor};
  }
  chirp.kernel = transform_of(std::move(conjugate));
  return chirp;
}

std::vector<Root<double>> transform_of(std::vector<Root<double>> numbers) {
  FftRequest request;
  request.in = request.out = Layout::dense({std::ssize(numbers)}, sizeof(numbers[0]));
  request.axes = {0};
  request.real = FftReal::float64;
  OneThread thread;
  std::byte* const x = bytes_of(numbers.data());
  const std::size_t n_bytes = numbers.size() * sizeof(numbers[0]);
  FftPlan(request).run({x, n_bytes}, {x, n_bytes}, {}, thread);
  return numbers;
}

}  // namespace crinkle::fft
