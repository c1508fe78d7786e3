// SPDX-License-Identifier: BSD-3-Clause
#include "suites/suite.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/caret.hpp"
#include "base/memory.hpp"

namespace crinkle::bench {

std::vector<Entry> chosen(std::vector<Entry> all, const std::vector<std::string>& filters, const std::string& of) {
  if (filters.empty()) return all;
  std::vector<Entry> some;
  for (const Entry& e : all) {
    const bool is_chosen =
        std::any_of(filters.begin(), filters.end(), [&](const std::string& part) { return e.name.find(part) != std::string::npos; });
    if (is_chosen) some.push_back(e);
  }
  if (!some.empty()) return some;
  std::string parts;
  for (const std::string& part : filters) parts += (parts.empty() ? "'" : ", '") + shown(part) + "'";
  throw Error(ErrorCode::bad_notation,
              fmt::format("no case of {} has {} in its name; the first of {} is {}", of, parts, all.size(), all.at(0).name));
}

void run_suite(const Suite& suite, const Request& request, std::uint64_t seed, Report& report) {
  const std::string of = request.cases.empty() ? suite.name : request.cases;
  run_entries(request.site, chosen(suite.entries(request), request.filters, of), request.effort, seed, report);
  if (suite.has_summary) report.print_summary();
}

std::int64_t default_memory_bytes() {
  constexpr std::int64_t most = std::int64_t{2} << 30;
  const std::int64_t available = available_bytes();
  return available > 0 ? std::min(most, available / 5 * 2) : most;
}

}  // namespace crinkle::bench
