// Arrays that are spread over many ranks: which rank holds which elements, and what has to be sent to get from one such layout to another.
// Values only: nothing here needs MPI or any rank at all. crinkle/mpi.hpp sends.
//
//     const Distribution from({512, 1000}, {"y", "x"}, "y:block(4)");                  // 4 ranks, 128 rows each
//     const Distribution to({1000, 512}, {"x", "y"}, "x:cyclic(2,64) y:cyclic(2,64)"); // ScaLAPACK's, on a grid of 2 × 2
//     const Redistribution r(from, to, parse("y x -> x y", Layout::dense({512, 1000}, 8)));
//     r.describe();                                                                     // volume, messages, peak of a rank, time
//
// A rank's part of an array is dense in C order unless another layout is given where it is used: along every axis its indices, ascending.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crinkle/device.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/layout.hpp"
#include "crinkle/operation.hpp"
#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// One axis in cells of consecutive indices, each of which one part holds. Throws bad_shape for parts < 1, cells < 1, cuts that do not
/// ascend from 0, and owners that are no part.
class AxisParts {
 public:
  /// Even parts: the first n mod parts hold ⌈n/parts⌉ indices, the others ⌊n/parts⌋.
  static AxisParts block(std::int64_t n, std::int64_t parts);
  /// Cell k has the indices k·cell … and is part (first + k) mod parts: ScaLAPACK's block-cyclic.
  static AxisParts cyclic(std::int64_t n, std::int64_t parts, std::int64_t cell = 1, std::int64_t first = 0);
  /// Cell k is [cuts[k], cuts[k+1]) and is part owners[k], or k where there are none.
  static AxisParts irregular(std::vector<std::int64_t> cuts, std::vector<std::int64_t> owners = {});
  static AxisParts whole(std::int64_t n) { return block(n, 1); }

  /// [first, end) holds the index, `owner` the cell; `local` is the place of `first` among all indices of the owner.
  struct Cell {
    std::int64_t first = 0, end = 0, owner = 0, local = 0;
  };
  std::int64_t extent() const noexcept { return extent_; }
  std::int64_t parts() const noexcept { return parts_; }
  Cell cell(std::int64_t index) const;               // Requires 0 ≤ index < extent()
  std::int64_t count(std::int64_t part) const;       // its indices. Requires 0 ≤ part < parts(), as held() does
  std::vector<Range> held(std::int64_t part) const;  // ascending; neighbours are one range
  std::string text() const;                          // "block(4)", "cyclic(2,64)", "cuts(0,3,10;1,0)", "whole"

  friend bool operator==(const AxisParts&, const AxisParts&) = default;

 private:
  enum class Kind : std::uint8_t { block, cyclic, irregular };
  Kind kind_ = Kind::block;
  std::int64_t extent_ = 0, parts_ = 1, cell_ = 1, first_ = 0;
  std::vector<std::int64_t> cuts_, owners_, locals_;  // of cells; locals_ has one more per part behind them: their counts
};

/// Ranks in a grid, slowest axis first. An axis of the grid divides an axis of the array, or holds copies (axis −1).
struct GridAxis {
  int axis = -1;
  std::int64_t parts = 1;
  friend bool operator==(const GridAxis&, const GridAxis&) = default;
};

/// A distributed layout. Position p of the grid, its last axis the fastest, is rank ranks()[p], or p where no ranks are given.
class Distribution {
 public:
  /// The text names axes and how each is divided, in the order of the grid, slowest first; an axis that is not named is whole:
  ///     item := axis ':' ( 'block(' parts ')' | 'cyclic(' parts [',' cell [',' first]] ')' | 'cuts(' cut,… [';' owner,…] ')' | 'whole' )
  ///           | 'copies(' n ')'                     axis: a name, or '@0', '@1', … where there are none
  /// Throws bad_notation with a caret, and bad_shape for numbers that do not fit the extents.
  Distribution(const Extents& extents, std::vector<std::string> names, std::string_view text);
  /// The same of values: one entry of `axes` an axis; `grid` names every axis that has several parts once.
  Distribution(std::vector<AxisParts> axes, std::vector<GridAxis> grid, std::vector<std::string> names = {});
  /// Every rank holds one box, round the ends of the array where it goes there; they may overlap, so this is only moved to.
  static Distribution windows(const Extents& extents, std::vector<Ranges> of_ranks);

  /// The same with position p held by ranks[p]. Throws bad_shape unless it is a permutation.
  Distribution on(std::vector<std::int64_t> ranks) const;

  const Extents& extents() const noexcept { return extents_; }
  const std::vector<std::string>& names() const noexcept { return names_; }
  const std::vector<AxisParts>& axes() const noexcept { return axes_; }  // none where these are windows
  const std::vector<GridAxis>& grid() const noexcept { return grid_; }
  const std::vector<std::int64_t>& ranks() const noexcept { return ranks_; }
  const std::vector<Ranges>& of_ranks() const noexcept { return windows_; }
  bool has_windows() const noexcept { return has_windows_; }
  bool has_copies() const noexcept;
  std::int64_t n_ranks() const noexcept { return n_ranks_; }

  std::int64_t position_of(std::int64_t rank) const;  // throws bad_shape, as the next ones do, where there is no such rank
  std::int64_t rank_at(std::int64_t position) const;
  std::int64_t part_of(std::int64_t rank, std::size_t axis) const;     // which part of the axis it holds
  std::int64_t copy_of(std::int64_t rank) const;                       // which copy, 0 where there are none
  std::vector<Range> held(std::int64_t rank, std::size_t axis) const;  // the indices that it holds, in the order they lie there
  Extents local_extents(std::int64_t rank) const;                      // a rank beyond n_ranks() holds nothing
  Layout local(std::int64_t rank, std::int64_t element_bytes) const { return Layout::dense(local_extents(rank), element_bytes); }
  std::string text() const;

  friend bool operator==(const Distribution&, const Distribution&) = default;

 private:
  Distribution() = default;
  void count_ranks();
  Extents extents_;
  std::vector<std::string> names_;
  std::vector<AxisParts> axes_;
  std::vector<GridAxis> grid_;
  std::vector<std::int64_t> ranks_, positions_;
  std::vector<Ranges> windows_;
  bool has_windows_ = false;
  std::int64_t n_ranks_ = 1;
};

/// How many elements one rank sends another.
struct Message {
  std::int64_t from = 0, to = 0, elements = 0;
  friend bool operator==(const Message&, const Message&) = default;
};

/// A link between two ranks: a message of n bytes takes latency + n / rate.
struct LinkSpeed {
  double latency_s = 2e-6;
  double bytes_per_s = 1e10;
};

/// What all ranks send each other, in elements; what a rank keeps is not sent.
struct Traffic {
  std::int64_t elements = 0;       // of the destination that come from the source, in all
  std::int64_t sent = 0;           // of these from another rank
  std::int64_t messages = 0;       //
  std::int64_t peak_sent = 0;      // by one rank
  std::int64_t peak_received = 0;  //
  std::int64_t peak_messages = 0;  // received by one rank
};

/// A move between two distributed layouts: what every rank sends and receives. A value of its two layouts and the map of its indices.
class Redistribution {
 public:
  Redistribution(const Distribution& from, const Distribution& to, std::int64_t element_bytes);
  /// to[…] = move(from)[…]: transposes, flips, rolls, slices, pads and all else that maps every axis by itself; layouts of `move` in memory
  /// do not matter. Throws bad_shape for extents that are not the layouts', unsupported for axes that are split or merged and for bytes
  /// that are swapped, and where `from` has windows.
  Redistribution(const Distribution& from, const Distribution& to, const Rearrangement& move);

  const Distribution& from() const noexcept { return from_; }
  const Distribution& to() const noexcept { return to_; }
  const Rearrangement& move() const noexcept { return move_; }
  std::int64_t element_bytes() const noexcept { return move_.element_bytes(); }
  std::int64_t n_ranks() const noexcept { return from_.n_ranks() < to_.n_ranks() ? to_.n_ranks() : from_.n_ranks(); }

  /// The messages that a rank sends and receives, its own among them, by rising (to − from) mod n_ranks(). Where the source has copies,
  /// every rank is served by the copy that it, or its number modulo the source's ranks, belongs to.
  std::vector<Message> sends(std::int64_t rank) const;
  std::vector<Message> receives(std::int64_t rank) const;
  /// Totals by products of axes: the time does not grow with the number of messages, unless the source has copies or `to` windows.
  Traffic traffic() const;
  /// Layouts, volume, messages, the peak of a rank, and a predicted time: the longest of its queues of messages, one after another.
  std::string describe(const LinkSpeed& link = {}) const;
  /// Equal for equal redistributions: what ranks compare.
  std::string text() const;

 private:
  Distribution from_, to_;
  Rearrangement move_;
};

/// dst[rank] = the part of every rank, all in this process: packed piece after packed piece, as mpi.hpp sends them, of at most so many
/// bytes. One buffer a rank, each dense. Throws bad_shape for buffers that are missing or too small.
void redistribute(const Redistribution& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst,
                  Executor& executor = default_executor(), std::int64_t piece_bytes = 16 << 20);
/// The same by the definition: element after element, from the owner of each. What redistribute() is compared with.
void define_redistribute(const Redistribution& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst);

/// Position p → rank ranks[p] of the destination, what that costs, and a bound: no placing costs less than cost − gap. gap is 0 where the
/// placing is proved the best one.
struct Relabelling {
  std::vector<std::int64_t> ranks;
  double cost = 0, gap = 0;
};
/// The ranks for `to` that make the least volume sent. Exact up to 4096 ranks, above that by an auction, which states its gap.
/// Costs: elements sent. Throws unsupported where the two layouts have different numbers of ranks, the source copies, or `to` windows.
Relabelling relabel(const Redistribution& r);
/// The same where an element from rank s to rank d costs cost[s · n + d]: nodes, switches. Exact; at most 4096 ranks.
Relabelling relabel(const Redistribution& r, std::span<const double> cost);

/// An operation whose arrays are spread over ranks: a stencil with its halos, a transform by slabs or pencils, targets or rows of distances
/// on ranks. Every rank computes one part of the operation, or of each of its stages, from what that part needs, which is fetched before:
/// the halos of a stencil, corners and periodic faces among them, whole lines of a transform. Parts have the whole's bits, so the result
/// does not depend on the ranks.
class DistributedOperation {
 public:
  /// `in`: one an input of the operation. Of all grids of parts, those of `out` and `in` among them, the one is taken that sends the least
  /// and leaves the fewest ranks waiting. Throws bad_shape for layouts of other extents, and unsupported where the operation cannot be cut,
  /// has several outputs, one that is counted or updated, or a part of an output that is no box.
  DistributedOperation(const Operation& operation, std::vector<Distribution> in, const Distribution& out);

  /// Parts at one side of the ranks' parts, and what they need.
  struct Rim {
    std::vector<Ranges> parts;  // one a rank
    std::vector<Redistribution> fetch;
  };
  /// One stage: what is fetched, and computed from it.
  struct Step {
    Operation operation;
    std::vector<Redistribution> fetch;  // one an input, to windows
    std::vector<bool> is_there;         // of every input: all ranks hold just what they need, and nothing has to be fetched
    std::vector<Ranges> parts;          // of the operation's cuts, one a rank; of no elements where it has nothing to do
    Distribution made;                  // the output
    /// Where less is brought together so: what a rank computes of its part from what it holds, while the rims are under way.
    std::vector<Ranges> inner{};
    std::vector<Rim> rims{};
  };
  const std::vector<Step>& steps() const noexcept { return steps_; }
  /// From what the last step makes to `out`, where that is another layout.
  const std::vector<Redistribution>& last() const noexcept { return last_; }
  const std::vector<Distribution>& in() const noexcept { return in_; }
  const Distribution& out() const noexcept { return out_; }
  std::int64_t n_ranks() const noexcept { return n_ranks_; }
  std::int64_t sent_bytes() const;  // by all ranks together
  std::string text() const;         // what ranks compare

 private:
  void add_step(const Operation& stage, const std::vector<Distribution>& from, bool is_last);
  std::vector<Distribution> in_;
  Distribution out_;
  std::int64_t n_ranks_ = 1;
  std::vector<Step> steps_;
  std::vector<Redistribution> last_;
};

}  // namespace crinkle
