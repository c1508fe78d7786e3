// SPDX-License-Identifier: BSD-3-Clause
#include "harness/unit_numbers.hpp"

#include "harness/in_parts.hpp"
#include "harness/random.hpp"

namespace crinkle::bench {

void fill_unit(float* data, std::int64_t count, std::uint64_t seed, Executor& executor) {
  in_parts(count, executor, [=](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      std::uint64_t state = seed + static_cast<std::uint64_t>(i);
      data[i] = static_cast<float>(next_random(state) >> 40) * 0x1p-24F;
    }
  });
}

}  // namespace crinkle::bench
