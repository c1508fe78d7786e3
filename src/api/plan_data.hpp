// What a Plan owns.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crinkle/plan.hpp"
#include "form/simplify.hpp"
#include "plan/pass.hpp"

namespace crinkle {

struct PlannedStep {
  plan::Pass pass;
  std::array<Step, plan::alignments.size()> runs;  // per alignment of the buffers: the boxes in the widest units that it allows

  /// Chooses by the buffers' addresses. Allocates nothing.
  void run(std::span<const std::byte* const> src, std::span<std::byte* const> dst, Executor& executor) const;
  std::int64_t n_entries() const;  // of the gathered axes together; 1 without any
};

struct Plan::Data {
  Machine machine;
  std::vector<PlannedStep> steps;
  std::optional<Layout> source, destination;  // what was asked for; nothing for bare boxes
  std::vector<ByteSpan> source_spans, destination_spans;
  std::int64_t workspace_bytes = 0;
  std::int64_t bytes_moved = 0;
  std::string why;  // why there are two steps

  Data(Steps of, Machine on, std::int64_t n_sources, std::int64_t n_destinations, std::optional<Layout> from, std::optional<Layout> to);
};

}  // namespace crinkle
