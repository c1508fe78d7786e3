// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "suites/arrays_gpu.hpp"
#include "suites/copy.hpp"

namespace crinkle::bench {

void run_copy_on_gpu(const std::vector<std::int64_t>& n_bytes, const Effort& effort, std::uint64_t seed, Device device, Report& report) {
  for (const std::int64_t n : n_bytes) {
    if (n % 16 != 0) throw Error(ErrorCode::bad_shape, std::to_string(n) + " bytes: copies on a GPU are timed for multiples of 16");
  }
  GpuArrays arrays(*std::max_element(n_bytes.begin(), n_bytes.end()), device);
  for (const std::int64_t n : n_bytes) {
    std::vector<Contender> copies = arrays.copies(n);
    Box bytes;
    bytes.axes.push_back({n, 1, 1});
    for (const Contender& c : copies) arrays.check(c.name + " of " + short_bytes(n), {n, n}, {bytes}, seed, c.run);
    arrays.take_turns(copies, effort);
    add_copies(copies, n, 0, "definition", report);
  }
}

}  // namespace crinkle::bench
