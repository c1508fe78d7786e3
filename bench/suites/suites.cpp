// SPDX-License-Identifier: BSD-3-Clause
#include "suites/suites.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/caret.hpp"
#include "base/memory.hpp"

namespace crinkle::bench {

const std::vector<Suite>& suites() {
  static const std::vector<std::string> of_cases = {"--memory", "--behind", "--plan measure"};
  using enum Suite::Runs;
  static const std::vector<Suite> all = {
      {"copy", "what plain copies reach", {"--bytes"}, copy_entries},
      {"permute", "the cases of a file", {"--cases", "--memory", "--behind", "--plan measure"}, permute_entries, on_both, true},
      {"hypercubic",
       "flip, shift, crinkle and blur of N x N, as Hawick and Playne's figures 12 to 15",
       {"--memory"},
       hypercubic_entries,
       on_both,
       false,
       hypercubic_facts},
      {"rearrange", "reads, writes, orders and interlacing, as the Tesla C1060 library's tables", of_cases, rearrange_entries, on_both,
       true},
      {"records", "conversions between layouts of records", of_cases, records_entries, on_both, true},
      {"fused", "chains of operations in one pass, and step by step", of_cases, fused_entries, on_both, true},
      {"small",
       "small arrays: latency, caches full and empty, planning, 1000 at once",
       {"--behind", "--plan measure"},
       small_entries,
       on_both,
       true},
      {"scaling", "over threads, size and rank", of_cases, scaling_entries},
      {"simplex",
       "maps of triangles and tetrahedra, as Navarro et al.'s figures 3 and 5; distances, collisions, triplets",
       {"--memory"},
       simplex_entries,
       on_both,
       false,
       simplex_facts},
      {"pairs", "distances of all pairs, beside filling as many bytes", {"--memory"}, pairs_entries, on_a_cpu},
      {"fft", "Fourier transforms, beside copies of as many bytes", {"--memory"}, fft_entries},
      {"fft_paper", "transforms as Gutierrez et al.'s tables 1a, 1b and figure 5 have them", {"--memory"}, fft_paper_entries, on_a_gpu},
      {"stencil",
       "sums of neighbours, one step and several, beside copies of as many bytes; spins and a flow",
       {"--memory"},
       stencil_entries},
      {"interpolate",
       "inverse-distance sums as Mei and Tian's figures 2, 7 and 8 have them, by layout of the records; maps, binning, resampled arrays",
       {"--memory"},
       interpolate_entries},
      {"triangle", "conversions between layouts of triangles", {"--memory"}, triangle_entries, on_both, true},
      {"planning", "what a plan costs, made anew and from the cache", {}, planning_entries, on_a_cpu},
      {"advice", "what the papers' advice is worth today, and what a launch costs", {}, advice_entries, on_a_gpu},
      {"batches", "1000 small arrays in one move", {}, batches_entries, on_a_gpu},
      {"vectors", "records in kernels: views beside CUDA's built-in vector types", {}, vectors_entries, on_a_gpu},
      {"versions", "Hawick and Playne's versions of 8192 x 8192 float32", {}, versions_entries, on_a_gpu}};
  return all;
}

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

std::string short_bytes(std::int64_t n) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB"};
  std::size_t u = 0;
  for (; u < 3 && n % 1024 == 0 && n > 0; ++u) n /= 1024;
  return std::to_string(n) + units[u];
}

}  // namespace crinkle::bench
