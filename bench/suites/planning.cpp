// The suite `planning`: what a plan of one box of rank 8 costs, made anew for either kind of machine, and found in the cache.
// SPDX-License-Identifier: BSD-3-Clause
#include <stdexcept>

#include "../../tests/support/rank_8.hpp"
#include "plan/pass.hpp"
#include "suites/suites.hpp"

namespace crinkle::bench {
namespace {

volatile std::int64_t sink = 0;  // so that no plan is left out

Contest contest_of(const std::string& name, const std::function<std::int64_t()>& bytes_read) {
  Contest c;
  c.name = name;
  c.ways = {{"crinkle", [=] { sink = bytes_read(); }}};
  c.ways[0].has_cold = false;
  c.check = [=] {
    const Boxes boxes = {testing::rank_8()};
    const std::int64_t read = bytes_read(), expected = planning::plan_pass(boxes, Machine::this_cpu()).bytes_read;
    if (read != expected)
      throw std::runtime_error(name + ": the plan reads " + std::to_string(read) + " bytes, not " + std::to_string(expected));
  };
  c.checked = "bytes read";
  return c;
}

}  // namespace

std::vector<Entry> planning_entries(const Request&) {
  const auto entry = [](const char* name, const std::function<std::int64_t()>& bytes_read) {
    return Entry{name, {}, [=](Site&, std::uint64_t) { return contest_of(name, bytes_read); }};
  };
  const Boxes boxes = {testing::rank_8()};
  const auto planned_for = [boxes](const Machine& machine) { return [=] { return planning::plan_pass(boxes, machine).bytes_read; }; };
  return {entry("cold_rank8_this_cpu", planned_for(Machine::this_cpu())), entry("cold_rank8_h200", planned_for(Machine::h200())),
          entry("cached_rank8", [boxes] { return cached_plan(boxes)->bytes_moved() / 2; })};
}

}  // namespace crinkle::bench
