// SPDX-License-Identifier: BSD-3-Clause
#include "suites/suites.hpp"

namespace crinkle::bench {

const std::vector<Suite>& suites() {
  static const std::vector<std::string> of_cases = {"--memory", "--behind", "--plan measure"};
  using enum Suite::Runs;
  static const std::vector<Suite> all = {
      {"copy", "what plain copies reach", {"--bytes"}, copy_entries},
      {"permute", "the cases of a file", {"--cases", "--memory", "--behind", "--plan measure"}, permute_entries, on_both, true},
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
      {"pairs", "distances of all pairs, beside filling as many bytes", {"--memory"}, pairs_entries, on_a_cpu},
      {"fft", "Fourier transforms, beside copies of as many bytes", {"--memory"}, fft_entries},
      {"stencil",
       "sums of neighbours, one step and several, beside copies of as many bytes; spins and a flow",
       {"--memory"},
       stencil_entries},
      {"interpolate",
       "inverse-distance sums over all samples; maps, cross-validation, binning, resampled arrays",
       {"--memory"},
       interpolate_entries},
      {"triangle", "conversions between layouts of triangles", {"--memory"}, triangle_entries, on_both, true},
      {"planning", "what a plan costs, made anew and from the cache", {}, planning_entries, on_a_cpu},
      {"batches", "1000 small arrays in one move", {}, batches_entries, on_a_gpu}};
  return all;
}

std::string short_bytes(std::int64_t n) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB"};
  std::size_t u = 0;
  for (; u < 3 && n % 1024 == 0 && n > 0; ++u) n /= 1024;
  return std::to_string(n) + units[u];
}

}  // namespace crinkle::bench
