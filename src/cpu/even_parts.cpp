// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/even_parts.hpp"

#include "crinkle/detail/small_vector.hpp"

namespace crinkle {

void run_in_even_parts(std::int64_t n, const std::function<double(std::int64_t)>& work, double least, Executor& executor,
                       const std::function<void(std::int64_t begin, std::int64_t end)>& body) {
  double all = 0;
  for (std::int64_t item = 0; item < n; ++item) all += work(item);
  const std::int64_t n_parts = all < least ? 1 : executor.n_workers();
  detail::SmallVector<std::int64_t, 33> begins;
  double before = 0;
  for (std::int64_t item = 0; item < n; ++item) {
    while (static_cast<std::int64_t>(begins.size()) < n_parts &&
           before >= all * static_cast<double>(begins.size()) / static_cast<double>(n_parts))
      begins.push_back(item);
    before += work(item);
  }
  begins.resize(static_cast<std::size_t>(n_parts) + 1, n);
  executor.parallel_for(n_parts, [&](std::int64_t p) {
    const std::int64_t begin = begins[static_cast<std::size_t>(p)], end = begins[static_cast<std::size_t>(p) + 1];
    if (begin < end) body(begin, end);
  });
}

}  // namespace crinkle
