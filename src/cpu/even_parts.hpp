// Work of unequal items, cut evenly. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>

#include "crinkle/executor.hpp"

namespace crinkle {

void run_in_even_parts(std::int64_t n, const std::function<double(std::int64_t)>& work, double least, Executor& executor,
                       const std::function<void(std::int64_t begin, std::int64_t end)>& body);

/// Items [0, n) of unequal work(item) in one consecutive range a worker, as even as can be; each calls body(begin, end). One range where
/// all the work is less than `least`. Allocates nothing, but for more than 32 workers.
template <class Work, class Body>
void in_even_parts(std::int64_t n, const Work& work, double least, Executor& executor, const Body& body) {
  run_in_even_parts(n, std::cref(work), least, executor, std::cref(body));
}

}  // namespace crinkle
