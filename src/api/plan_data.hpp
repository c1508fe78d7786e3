// A Plan owns this data.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "crinkle/plan.hpp"
#include "move/planned.hpp"
#include "operation/buffers.hpp"
#include "operation/seen_addresses.hpp"

namespace crinkle {

struct Plan::Data : PlannedMove {
  std::shared_ptr<SeenAddresses> seen;        // of a plan for a CUDA device
  std::optional<Layout> source, destination;  // what was asked for; nothing for bare boxes
  ValueForms source_values, destination_values;

  [[noreturn]] void refuse_in_place() const;

  Data(const Rearrangement& r, Machine on, Device runs_on);
  Data(const Boxes& boxes, Machine on, Device runs_on);

  Aliasing check_buffers(std::span<const ConstBuffer> src, std::span<const Buffer> dst) const;
};

}  // namespace crinkle
