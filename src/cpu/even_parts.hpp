// Work of unequal items, cut evenly. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>

#include "crinkle/executor.hpp"

namespace crinkle {

/// Items [0, n) of unequal work in one consecutive range a worker, as even as can be; each calls body(begin, end). One range where all the
/// work is less than `least`.
void in_even_parts(std::int64_t n, const std::function<double(std::int64_t)>& work, double least, Executor& executor,
                   const std::function<void(std::int64_t begin, std::int64_t end)>& body);

}  // namespace crinkle
