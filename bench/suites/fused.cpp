// SPDX-License-Identifier: BSD-3-Clause
#include "suites/fused.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "suites/buffers.hpp"

namespace crinkle::bench {
namespace {

struct Stage {
  Plan plan;
  std::int64_t from_bytes, to_bytes;
};

/// Stages one after the other, through two arrays in turn.
RunMove in_steps(const std::vector<Case>& steps, const MakeSpecMap& make_map, Executor& executor) {
  std::vector<Stage> stages;
  std::int64_t largest = 1;
  for (const Case& step : steps) {
    const SpecMap made = make_map(step);
    stages.push_back({Plan(made.map), made.map.source().n_bytes(), made.map.destination().n_bytes()});
    largest = std::max(largest, stages.back().to_bytes);
  }
  const auto even = std::make_shared<Region>(largest, executor), odd = std::make_shared<Region>(largest, executor);
  return [stages = std::move(stages), even, odd, &executor](const std::byte* src, std::byte* dst) {
    const std::byte* from = src;
    for (std::size_t k = 0; k < stages.size(); ++k) {
      std::byte* to = k + 1 == stages.size() ? dst : (k % 2 == 0 ? *even : *odd).data();
      const ConstBuffer source{from, stages[k].from_bytes};
      const Buffer destination{to, stages[k].to_bytes};
      stages[k].plan.run({&source, 1}, {&destination, 1}, executor);
      from = to;
    }
  };
}

}  // namespace

std::vector<Case> steps_of(const Case& chain, const MakeSpecMap& make_map) {
  const std::string spec = chain.words.at(0), left = spec.substr(0, spec.find("->"));
  std::vector<Case> steps;
  Case step = chain;
  for (std::size_t k = 1; k + 1 < chain.words.size(); k += 2) {
    step.words = {left + "->" + left, chain.words[k], chain.words[k + 1]};
    steps.push_back(step);
    step.extents = make_map(step).map.destination().extents;
  }
  step.words = {spec};
  steps.push_back(step);
  return steps;
}

Beside beside_steps(const MakeSpecMap& make_map, Executor& executor) {
  Beside beside;
  beside.rivals = [make_map, &executor](const Fitted& f) {
    return std::vector<std::pair<std::string, RunMove>>{{"step by step", in_steps(steps_of(f.c, make_map), make_map, executor)}};
  };
  beside.finish = [make_map](const Fitted& f, Row& row) { row.facts["n_steps"] = steps_of(f.c, make_map).size(); };
  return beside;
}

}  // namespace crinkle::bench
