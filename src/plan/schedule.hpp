// How a CPU goes through one entry of a pass. Memory is fast only where both sides are read and written in long runs, few at a time, and
// where every destination line is written whole. A schedule therefore names, around elements of `element` bytes that both sides keep
// together,
//     down     axes that follow each other in the destination: neighbours down the chain are neighbours in the destination,
//     along    axes that follow each other in the source: neighbours along the chain are neighbours in the source,
//     outer    everything else,
// and goes along the source with a few rows of `down` at a time. A packed one names what lies in a block instead.
//     rows         the same axis is fast on both sides (copies, flips, rolls, pads, slices): destination rows one after the other
//     blocks       different axes are fast: strips of rows, transposed on the way
//     interlace    the down chain is shorter than a line and continues in the along chain: records are put together
//     deinterlace  the along chain is shorter than a line and continues in the down chain: records are taken apart
//     packed       runs are short on both sides: blocks are put together in a buffer (plan/packed.hpp)
//     scattered    no axis is contiguous in the destination: unit by unit
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "tile/segments.hpp"

namespace crinkle::planning {

enum class Regime : std::uint8_t { rows, blocks, interlace, deinterlace, packed, scattered };

/// The word for a regime: "rows", "blocks", …
const char* name_of(Regime regime) noexcept;

struct Schedule {
  Regime regime = Regime::rows;
  tile::Rows rows;           // of `rows` and `scattered`
  std::int64_t element = 1;  // bytes
  std::int64_t swapped = 0;  // the bytes of items of so many are reversed on the way; 0: of none. A unit of `rows` is an item
  AxisList down;             // fastest first
  AxisList along;            // fastest first, source strides positive, but for records that begin with the last one of the source
  AxisList outer;            // slowest first
  AxisList block;            // of `packed`: what lies in a block, fastest in the destination first
  std::int64_t src_offset = 0, dst_offset = 0;
  std::int32_t src_slot = 0, dst_slot = 0;
  std::int64_t n_bytes = 0;  // written
};

/// Whether records are put together, or taken apart, from the last one of the source on.
bool is_reversed(const Schedule& schedule);

/// The members that every schedule of a box begins with: where it lies, and how much it writes.
Schedule schedule_of(const Box& box);

/// A run of `long_run` bytes that both sides keep together is a row of its own. Requires: simplified, stitched rows. A pure function; no
/// allocation for boxes of up to 9 axes.
Schedule choose_schedule(const tile::Rows& rows, std::int64_t long_run);

/// Short rows of one step that follow each other in the destination, as one row of more segments, up to so many bytes: blocks of some dozen
/// elements, transposed; or a few bytes several times. None where nothing follows, or rows are runs.
std::optional<Schedule> folded_schedule(tile::Rows rows, std::int64_t most_bytes);

/// Whether rows of several segments go faster as boxes of their own, because a transposition lies behind them.
bool is_better_apart(const tile::Rows& rows);

}  // namespace crinkle::planning
