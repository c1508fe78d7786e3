// What a plan over devices has.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "distribute/devices/exchange.hpp"

namespace crinkle {

struct DevicesPlan::Data {
  // A stage of an operation.
  struct Step {
    std::vector<std::optional<distributed::Exchange>> fetch;  // of every input; none: it is there
    std::vector<std::vector<distributed::Room>> fetched;      // of every input and device
    std::vector<std::vector<std::int64_t>> bytes;             // likewise: of what the part reads
    std::vector<std::optional<Operation>> parts;              // of every device; none: nothing to do
    std::vector<distributed::Room> made, workspace;           // of every device; none where the step makes the output
    std::vector<std::int64_t> made_bytes;
  };
  Devices devices;
  distributed::Reach reach;
  distributed::Points points, ends;
  std::vector<Stream> own;              // of a run that has one stream
  std::vector<std::vector<Layout>> in;  // of every input and device
  std::vector<Layout> out;
  std::string what;  // "redistribution", "stencil"
  std::vector<Step> steps;
  std::optional<distributed::Exchange> last;

  Data(const Devices& of, const DevicesOptions& options);
  void check_number(std::int64_t n_ranks) const;  // of the layouts
  void add_layouts(std::vector<Layout>& list, const Distribution& d, std::int64_t element_bytes) const;
  void add_step(const DistributedOperation::Step& of, const std::function<Operation(Device)>& stage_on, bool is_last);
  void check(std::span<const ConstBuffer> from, std::span<const Buffer> to) const;
  void check_reach(std::span<const ConstBuffer> from, std::span<const Buffer> to, const std::vector<Stream>& streams) const;
  void run(std::span<const ConstBuffer> from, std::span<const Buffer> to, const distributed::Lanes& lanes) const;
  /// All exchanges in the order in which they run, and in front of which step each does.
  void each_exchange(const std::function<void(const distributed::Exchange&, std::size_t step)>& use) const;
};

}  // namespace crinkle
