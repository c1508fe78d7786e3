// SPDX-License-Identifier: BSD-3-Clause
#include "suites/fused.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace crinkle::bench {
namespace {

/// Steps one after the other, through two arrays in turn.
RunMove in_steps(const std::vector<Case>& steps, const MakeSpecMap& make_map, const Runner& runner) {
  std::vector<RunMove> stages;
  std::int64_t largest = 1;
  for (const Case& step : steps) {
    const Rearrangement map = make_map(step).map;
    const ArrayBytes bytes{map.source().n_bytes(), map.destination().n_bytes()};
    stages.push_back(run_of(Plan(map, runner.device()), bytes, {{0}, {0}}, runner));
    largest = std::max(largest, bytes.destination);
  }
  return [stages = std::move(stages), even = runner.memory(largest), odd = runner.memory(largest)](const std::byte* src, std::byte* dst) {
    const std::byte* from = src;
    for (std::size_t k = 0; k < stages.size(); ++k) {
      std::byte* to = k + 1 == stages.size() ? dst : (k % 2 == 0 ? even : odd).get();
      stages[k](from, to);
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

Beside beside_steps(const MakeSpecMap& make_map) {
  Beside beside;
  beside.rivals = [make_map](const Fitted& f, const Runner& runner) {
    return std::vector<std::pair<std::string, RunMove>>{{"step by step", in_steps(steps_of(f.c, make_map), make_map, runner)}};
  };
  beside.finish = [make_map](const Fitted& f, Row& row) { row.facts["n_steps"] = steps_of(f.c, make_map).size(); };
  return beside;
}

}  // namespace crinkle::bench
