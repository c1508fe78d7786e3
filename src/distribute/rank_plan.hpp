// A redistribution made ready for one rank: its messages in chunks, each with the moves that pack or unpack it, what it keeps, and what is
// filled. Both sides of a message cut it into the same chunks, without talking to each other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "crinkle/distribute.hpp"
#include "crinkle/operation.hpp"
#include "move/planned.hpp"

namespace crinkle::distributed {

struct Chunk {
  std::int64_t peer = 0, number = 0;  // the how-manieth of its message
  std::int64_t bytes = 0;
  std::int64_t plain_at = -1;  // it lies packed in the rank's own part, from here on; −1: it does not
  PlannedMove pack;            // into the chunk, or out of it

  void move(ConstBuffer src, Buffer dst, const Worker& worker) const { run(pack, src, dst, worker); }
  /// On a stream: given to it, not waited for. Requires the device to be the thread's own.
  static void run(const PlannedMove& move, const ConstBuffer& src, const Buffer& dst, const Worker& worker) {
    if (move.device.kind == Device::Kind::cuda) move.run({&src, 1}, {&dst, 1}, {}, worker.stream());
    else move.run({&src, 1}, {&dst, 1}, {}, worker.executor());
  }
};

class RankPlan {
 public:
  /// Layouts of the rank's parts, dense where none is given; the order in which pieces are packed, as for RankOverlay; where the parts lie.
  /// Throws bad_shape for a layout of other extents or elements, too_large where a chunk cannot be planned, and what machine_of() throws.
  RankPlan(const Redistribution& r, std::int64_t rank, std::int64_t piece_bytes, const std::optional<Layout>& src = {},
           const std::optional<Layout>& dst = {}, const std::vector<int>& order = {}, Device device = cpu());

  std::int64_t rank() const noexcept { return rank_; }
  Device device() const noexcept { return device_; }
  const Layout& source() const noexcept { return source_; }
  const Layout& destination() const noexcept { return destination_; }
  const std::vector<Chunk>& sends() const noexcept { return sends_; }        // by rounds, in the order of chunks
  const std::vector<Chunk>& receives() const noexcept { return receives_; }  // likewise
  /// What stays on the rank, in pieces as long as chunks.
  const std::vector<PlannedMove>& keeps() const noexcept { return keeps_; }
  void fill(Buffer dst, const Worker& worker) const;
  void keep(ConstBuffer src, Buffer dst, const Worker& worker) const;

 private:
  std::int64_t rank_;
  Device device_;
  Layout source_, destination_;
  std::vector<Chunk> sends_, receives_;
  std::vector<PlannedMove> keeps_, fills_;
};

/// Bytes that a buffer of a layout has: up to the last byte of its last element. Throws bad_shape where an address is below 0.
std::int64_t bytes_up_to(const Layout& layout);

}  // namespace crinkle::distributed
