// What a Plan owns.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crinkle/plan.hpp"
#include "form/simplify.hpp"
#include "move/cpu.hpp"
#include "plan/in_place.hpp"
#include "plan/pass.hpp"

namespace crinkle {

struct PlannedStep {
  PlannedStep(Step step, const Machine& machine);

  plan::Pass pass;
  CpuStep move;        // of a plan for another machine the gathered axes alone
  std::string chosen;  // by measurement: what and why; "" where the planner alone decided

  void run(std::span<const std::byte* const> src, std::span<std::byte* const> dst, Executor& executor) const;
  std::int64_t n_entries() const;  // of the gathered axes together; 1 without any
};

struct Plan::Data {
  Machine machine;
  std::vector<PlannedStep> steps;
  std::optional<Layout> source, destination;  // what was asked for; nothing for bare boxes
  std::vector<ByteSpan> source_spans, destination_spans;
  std::int64_t workspace_bytes = 0;
  std::int64_t odd_at = 0;  // where in the workspace steps 1, 3, … write
  std::int64_t bytes_moved = 0;
  std::string why;                                       // why there is more than one step
  std::optional<std::vector<plan::Exchange>> exchanges;  // offsets count from the spans' first bytes; nothing: not in place

  std::int64_t written_at(std::size_t k) const noexcept { return k % 2 == 0 ? 0 : odd_at; }

  /// The only step's boxes with offsets that count from the spans' first bytes; nothing where they cannot be a map of bytes on themselves,
  /// and then why.
  std::optional<Boxes> boxes_in_place(std::string& why_not) const;
  std::string why_not_in_place() const;

  Data(Steps of, Machine on, std::int64_t n_sources, std::int64_t n_destinations, std::optional<Layout> from, std::optional<Layout> to);
};

}  // namespace crinkle
