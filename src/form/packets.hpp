// Packets: parts of a list of boxes that go through buffers of a bounded size on their way, as between the memories of a host and a device.
// A box src → dst becomes up to three moves,
//     pack    src → packed, in the order of the source's bytes; what an axis of stride 0 repeats is there once
//     move    packed (or the source) → packed (or the destination)
//     unpack  packed, in the order of the destination's bytes → dst
// so that packing and unpacking are made of long runs, and all reordering is done where the packets go to. A box that is too long is cut
// along its slowest axes of the destination, but not into runs of less than 4 KiB on either side while another axis is left to cut; small
// boxes go together.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>

#include "crinkle/axis.hpp"

namespace crinkle {

enum class PackedSides : std::uint8_t { source, destination, both };

inline bool packs_source(PackedSides sides) { return sides != PackedSides::destination; }
inline bool packs_destination(PackedSides sides) { return sides != PackedSides::source; }

/// A packed side of `move` is the buffer; the other one is the source or the destination, its slots counted from first_slot and its bytes
/// from `at`, so that packets of the same shape have the same move.
struct Packet {
  Boxes pack;    // into one buffer of in_bytes; empty where the source is not packed
  Boxes move;    // what is left to do between the two
  Boxes unpack;  // from one buffer of out_bytes; empty where the destination is not packed
  std::int64_t in_bytes = 0, out_bytes = 0;
  std::int32_t first_slot = 0;
  std::int64_t at = 0;
  std::int64_t n_bytes = 0;  // that arrive
};

/// The most bytes of a packet's buffers that the boxes can come to use, not counted beyond `limit`.
std::int64_t packed_bytes(const Boxes& boxes, PackedSides sides, std::int64_t limit);

/// Calls take() for packets of at most `limit` bytes a buffer that together are the boxes without their fills, ascending in the destination
/// of each box. Requires a limit of at least the boxes' units. Throws too_large. Cost: O(1) memory beside the packet.
void for_each_packet(const Boxes& boxes, PackedSides sides, std::int64_t limit, const std::function<void(const Packet&)>& take);

}  // namespace crinkle
