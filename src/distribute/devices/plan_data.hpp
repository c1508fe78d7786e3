// What a plan over devices has.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "distribute/devices/exchange.hpp"
#include "distribute/rank_step.hpp"

namespace crinkle {

struct DevicesPlan::Data {
  // A stage of an operation: inner parts from what devices hold, and what is fetched for the others. In slabs it goes on from the steps
  // before it that have the same ones, and what the last of them makes is sent slab by slab.
  struct Step {
    std::deque<distributed::RankStep> parts;  // of every device
    struct Fetch {
      std::optional<distributed::Exchange> exchange;  // none: it is there
      std::vector<distributed::Room> rooms;           // of every device
    };
    std::deque<std::deque<Fetch>> fetched;  // as the parts have them; of every input
    std::vector<distributed::Room> made;    // of every device; none where the step makes the output
    distributed::Slabs slabs;               // of its parts
    std::size_t n_together = 1;             // steps, from this one on, that go in slabs
  };
  Devices devices;
  distributed::Reach reach;
  distributed::Points points, ends, begins;
  std::vector<Stream> own, beside;      // of a run that has one stream; of what is sent while more is computed
  std::vector<std::vector<Layout>> in;  // of every input and device
  std::vector<Layout> out;
  std::string what;  // "redistribution", "stencil"
  std::deque<Step> steps;
  std::optional<distributed::Exchange> last;

  Data(const Devices& of, const DevicesOptions& options);
  void check_number(std::int64_t n_ranks) const;  // of the layouts
  void add_layouts(std::vector<Layout>& list, const Distribution& d, std::int64_t element_bytes) const;
  /// What a step fetches, on the senders' streams.
  void start(const Step& step, const std::vector<ConstBuffer>& from, const distributed::Lanes& senders) const;
  /// `is_sent`: what it fetches is under way.
  void run_step(Step& step, const std::vector<ConstBuffer>& from, const std::vector<Buffer>& made, bool is_sent,
                const distributed::Lanes& lanes);
  /// Steps from this one on, and the start of the exchange behind them. `made`: of each of them.
  void run_in_slabs(std::size_t first, const std::vector<ConstBuffer>& from, const std::vector<std::vector<Buffer>>& made, bool is_sent,
                    std::span<const Buffer> to, const distributed::Lanes& lanes);
  void run_steps(std::span<const ConstBuffer> from, std::span<const Buffer> to, const distributed::Lanes& lanes);
  /// The streams of what is sent beside the lanes, and these behind the lanes' last points.
  distributed::Lanes senders_beside(const distributed::Lanes& lanes) const;
  void fork(const distributed::Lanes& senders, const distributed::Lanes& lanes, std::int64_t device) const;
  /// `sent`: of what it fetches. `slabs` of it.
  void add_step(const DistributedOperation::Step& of, const std::function<Operation(Device)>& stage_on, bool is_last,
                const distributed::Slabs& sent, const distributed::Slabs& slabs);
  void check(std::span<const ConstBuffer> from, std::span<const Buffer> to) const;
  void check_reach(std::span<const ConstBuffer> from, std::span<const Buffer> to, const std::vector<Stream>& streams) const;
  void run(std::span<const ConstBuffer> from, std::span<const Buffer> to, const distributed::Lanes& lanes);
  /// All exchanges in the order in which they run, and in front of which step each does.
  void each_exchange(const std::function<void(const distributed::Exchange&, std::size_t step)>& use) const;
};

}  // namespace crinkle
