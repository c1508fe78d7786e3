// What planning costs: one box of rank 8 planned cold for either kind of machine, and found in the cache. JSON on standard output, one row
// each; the medians of 201 batches. Build: cmake -DCRINKLE_BENCH=ON; run: bench_planning > bench/results/<machine>/planning.json
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../tests/support/rank_8.hpp"
#include "crinkle/plan.hpp"
#include "plan/pass.hpp"

namespace {

using namespace crinkle;

volatile std::int64_t sink = 0;

template <class F>
double median_seconds(int n_each, F&& f) {
  std::vector<double> times;
  for (int batch = 0; batch < 201; ++batch) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < n_each; ++i) f();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / n_each);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

int main() {
  const Boxes boxes = {testing::rank_8()};
  const Machine here = Machine::this_cpu(), gpu = Machine::h200();
  char date[11] = {};
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto row = [&](const char* name, double seconds) { rows.push_back({{"name", name}, {"seconds", seconds}}); };
  row("cold_rank8_this_cpu", median_seconds(200, [&] { sink = sink + plan::plan_pass(boxes, here).bytes_read; }));
  row("cold_rank8_h200", median_seconds(200, [&] { sink = sink + plan::plan_pass(boxes, gpu).bytes_read; }));
  (void)cached_plan(boxes);
  row("cached_rank8", median_seconds(2000, [&] { sink = sink + cached_plan(boxes)->workspace_bytes(); }));
  const nlohmann::ordered_json all{{"schema", 1},
                                   {"suite", "planning"},
                                   {"device", cpu_name()},
                                   {"driver", ""},
                                   {"compiler", "g++ " __VERSION__},
                                   {"commit", CRINKLE_COMMIT},
                                   {"date", date},
                                   {"rows", rows}};
  std::cout << all.dump(2) << '\n';
}
