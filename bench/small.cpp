// What a move costs from 1 KiB on, where the call itself counts: views that NumPy's copyto can take, through a plan that was made before
// and through the cache of plans, on one thread and on all. A line of standard input "VIEW BYTES", as in "transpose 16384", is answered by
// one line of JSON; bench/numpy_copyto.py asks, and measures NumPy in turns with it. Build: cmake -DCRINKLE_BENCH=ON.
// SPDX-License-Identifier: BSD-3-Clause
#include <bit>
#include <cstring>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/timing.hpp"
#include "crinkle/crinkle.hpp"

namespace {

using namespace crinkle;

// Arrays of float32 with 4^k · 256 elements, all extents powers of two: also what NumPy moves.
Rearrangement view_of(const std::string& view, std::int64_t n_bytes) {
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n_bytes / 4))) - 1;
  const auto extent = [](int n) { return std::int64_t{1} << n; };
  const Layout grid = Layout::dense({extent(bits / 2), extent(bits - bits / 2)}, 4);
  const Layout volume = Layout::dense({extent(bits / 3), extent((bits + 1) / 3), extent((bits + 2) / 3)}, 4);
  if (view == "transpose") return parse("y x -> x y", grid);
  if (view == "flip_fast") return parse("y x -> y x", grid).flip("x");
  if (view == "flip_slow") return parse("y x -> y x", grid).flip("y");
  if (view == "roll") return parse("y x -> y x", grid).roll("x", 3);
  if (view == "zyx_to_xzy") return parse("z y x -> x z y", volume);
  if (view == "step_2") return parse("y x -> y x", grid).slice("x", {}, {}, 2);
  if (view == "copy") return parse("y x -> y x", grid);
  throw Error(ErrorCode::bad_notation, view + ": it is transpose, flip_fast, flip_slow, roll, zyx_to_xzy, step_2 or copy");
}

nlohmann::ordered_json measured(const std::string& view, std::int64_t n_bytes) {
  const Rearrangement map = view_of(view, n_bytes);
  const Plan plan(map);
  const Boxes boxes = map.steps().steps.at(0).boxes;
  std::vector<std::uint32_t> source(static_cast<std::size_t>(n_bytes / 4)), destination(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::uint32_t>(i) * 2654435761U;
  const ConstBuffer from{source.data(), map.source().n_bytes()};
  const Buffer to{destination.data(), map.destination().n_bytes()};
  const auto one = make_executor(1);
  const auto run = [&](const Plan& p, Executor& executor) { p.run({&from, 1}, {&to, 1}, executor); };
  std::vector<Contender> contenders = {{"prepared_1", [&] { run(plan, *one); }},
                                       {"prepared_all", [&] { run(plan, default_executor()); }},
                                       {"cached_1", [&] { run(*cached_plan(boxes), *one); }},
                                       {"cached_all", [&] { run(*cached_plan(boxes), default_executor()); }}};
  for (Contender& c : contenders) c.is_warmed = true;  // as NumPy's runs, which follow each other
  take_turns(contenders, 21, 0.6);
  nlohmann::ordered_json answer{{"view", view}, {"bytes", n_bytes}};
  for (const Contender& c : contenders)
    answer[c.name] = {{"seconds", median(c.seconds)}, {"iqr", interquartile_range(c.seconds)}, {"least", quantile(c.seconds, 0)}};
  return answer;
}

}  // namespace

int main() {
  try {
    std::string view;
    for (std::int64_t n_bytes = 0; std::cin >> view >> n_bytes;) std::cout << measured(view, n_bytes).dump() << std::endl;
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "bench_small: " << e.what() << '\n';
    return 1;
  }
}
