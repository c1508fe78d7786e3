// Figure 2 of Bader et al. over sizes: differences of two axes, orders I to IV, of n × n float32, behind the rows of the suite `stencil`.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "papers/suites.hpp"
#include "suites/stencil.hpp"
#include "suites/suites.hpp"

namespace crinkle::bench {

std::vector<Entry> stencils_of_papers(const Request& request) {
  std::vector<Entry> entries = stencil_entries(request);
  const std::int64_t largest = request.site.is_gpu() ? 16384 : 8192;
  for (const int order : {1, 2, 3, 4})
    for (std::int64_t n = 512; n <= largest; n *= 2) {
      const std::string name = fmt::format("figure2_order{}_n{}", order, n);
      const std::int64_t n_bytes = n * n * static_cast<std::int64_t>(sizeof(float));
      entries.push_back({name, {n_bytes, n_bytes}, [=](Site& site, std::uint64_t seed) {
                           Contest c = contest_of(name, {laplacian(2, 2 * order), {n, n}}, site, seed);
                           c.plot = Plot{"Figure 2: 2-D finite differences", "n", n, "gb_per_s", fmt::format("order {}", order)};
                           return c;
                         }});
    }
  return entries;
}

}  // namespace crinkle::bench
