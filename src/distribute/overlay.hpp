// What one rank holds before a move and another one after it. Axes do not meet, so everything is a product over links: an axis of the
// destination, the axis of the source that it reads, and the map between their indices. Along a link the cells of both layouts and the
// runs of the map are merged; where runs repeat, as those of cyclic layouts do, they are one piece.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "crinkle/distribute.hpp"
#include "form/map.hpp"

namespace crinkle::distributed {

/// An axis of the source and one of the destination; −1: none, of a constant or a repeated axis.
struct Link {
  int src_axis = -1, dst_axis = -1;
  std::int64_t dst_extent = 1;
  std::vector<MapRun> data;   // ascending, inner 1
  std::vector<MapRun> fills;  // ascending in `first`
};

/// The links of a redistribution's move, axes of the destination first and in order. Throws unsupported.
std::vector<Link> links_of(const Redistribution& r);

/// The element of a move's destination at one place: a fill, or bytes 0, 1, 2 … of an element of the source, in the order they get there.
std::vector<std::byte> element_at(const Operation& whole, const Ranges& one);

/// i, j: places in a rank's part of the source and of the destination, along one link. The piece is
///     dst[j + b·j_jump + a·j_step] = src[i + b·i_jump + a·i_step],   0 ≤ b < times, 0 ≤ a < n.
struct LinkPiece {
  std::int64_t n = 1, i = 0, j = 0, i_step = 1, j_step = 1;
  std::int64_t times = 1, i_jump = 0, j_jump = 0;
  friend bool operator==(const LinkPiece&, const LinkPiece&) = default;
};

/// Runs that repeat by constant jumps, up to 16 of them together, as pieces; the same for the same runs.
std::vector<LinkPiece> repeated(const std::vector<LinkPiece>& runs);

/// Of a link, for some pairs (part of the source, part of the destination): its pieces, and how many indices they have.
struct LinkPieces {
  std::vector<LinkPiece> pieces;
  std::int64_t n = 0;
};
using LinkTable = std::map<std::pair<std::int64_t, std::int64_t>, LinkPieces>;

/// The pairs whose source part is `src_part` or whose destination part is `dst_part`; −1: all. Where `to` has windows its parts are ranks.
/// Throws too_large where more than 2^28 cells meet.
LinkTable table_of(const Redistribution& r, const Link& link, std::int64_t src_part, std::int64_t dst_part);
/// How many indices every pair has that has any. Cost: the cells of both layouts.
std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts_of(const Redistribution& r, const Link& link);

/// A box of a message: the pieces of every link, in the order of links; packed dense in that order.
using PieceBox = std::vector<LinkPiece>;

/// One rank's side of a redistribution.
class RankOverlay {
 public:
  /// `order`: axes of the destination, slowest first, in whose order boxes are packed; none: as they are. The same on both sides.
  RankOverlay(const Redistribution& r, std::int64_t rank, const std::vector<int>& order = {});

  const std::vector<Link>& links() const noexcept { return links_; }
  std::vector<Message> sends() const;
  std::vector<Message> receives() const;
  /// Of a message that this rank sends or receives, in the order it is packed.
  std::vector<PieceBox> boxes(const Message& m) const;
  std::int64_t rank() const noexcept { return rank_; }

 private:
  std::vector<std::int64_t> source_parts(std::int64_t rank) const;
  std::vector<std::int64_t> destination_parts(std::int64_t rank) const;
  std::int64_t elements(const std::vector<std::int64_t>& src, const std::vector<std::int64_t>& dst) const;
  std::vector<Message> in_rounds(std::vector<Message> messages) const;

  const Redistribution& r_;
  std::int64_t rank_;
  std::vector<Link> links_;
  std::vector<LinkTable> tables_;
};

/// The rank that serves `rank` from the source's parts at these coordinates, one an axis of the source.
std::int64_t server_of(const Distribution& from, const std::vector<std::int64_t>& parts_of_axes, std::int64_t rank);

/// Cuts boxes of `bytes`-long elements so that none has more than `most` bytes, where it can be cut, and groups those next to each other
/// into chunks of at most so many bytes and 512 boxes.
std::vector<std::vector<PieceBox>> chunks_of(std::vector<PieceBox> boxes, std::int64_t bytes, std::int64_t most);
std::int64_t elements_of(const PieceBox& box);
/// What boxes read of these places of the source's part along a link that steps up.
std::vector<PieceBox> boxes_within(const std::vector<PieceBox>& boxes, std::size_t link, const Range& places);

/// Between a rank's part and a packed chunk, or between two parts: boxes to be moved. No layout: that side is packed.
Boxes moves_of(const std::vector<PieceBox>& chunk, const std::vector<Link>& links, const Layout* src, const Layout* dst,
               std::int64_t bytes);

/// What fills a rank's part where the move fills (pads): boxes without a source.
Boxes fills_of(const Redistribution& r, const std::vector<Link>& links, std::int64_t rank, const Layout& dst);

}  // namespace crinkle::distributed
