// The suite `rearrange` of crinkle-papers: that of `crinkle bench`, and figure 1's reads at 256 MiB and 1 GiB, which are there where --case
// names them, as in --case sequential_1GiB.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "papers/suites.hpp"
#include "suites/case_suites.hpp"

namespace crinkle::bench {

std::vector<Entry> rearrange_of_paper_entries(const Request& request) {
  std::vector<Entry> all = rearrange_entries(request);
  for (const auto& [size, n] : {std::pair{"_256MiB", std::int64_t{1} << 26}, std::pair{"_1GiB", std::int64_t{1} << 28}}) {
    const auto& filters = request.filters;
    if (std::none_of(filters.begin(), filters.end(), [&](const std::string& f) { return f.find(size) != f.npos; })) continue;
    const std::string text = fmt::format(
        "sequential{0} 4 spec 'x -> x' {1}\nindexed_read_sorted{0} 4 gather sorted 0 {1}\nindexed_read_random{0} 4 gather random 0 {1}\n"
        "range_read{0} 4 range-read 1234567 {1} {2}\n",
        size, n, n + 3222787);
    for (Entry& entry : entries_of(parse_cases(text, "figure 1"), request)) all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace crinkle::bench
