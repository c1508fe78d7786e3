// A part of a rearrangement: ranges of the destination's axes, made from a window of the source that has what they need.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// The parts of a rearrangement that has names. A range of a composite axis, whose digits it cuts unevenly, takes several pieces: a head, a
/// middle and a tail, of every digit.
class PartOf {
 public:
  /// `part`: one range an axis of the destination. Requires r.has_names() and ranges that are there.
  PartOf(const Rearrangement& r, const Ranges& part);

  /// The range that is read of every axis of the source: the shortest one, round the ends of the axis if need be, or a longer one where
  /// digits are mixed.
  const Ranges& needs() const noexcept { return needs_; }
  /// Rearrangements of dense arrays of what is needed, into the dense part of the destination, each writing places of its own; none where
  /// the part is empty.
  std::vector<Rearrangement> pieces() const;

 private:
  // The indices [first, n) of every term of every output, and where they begin in the output's range.
  struct Piece {
    Ranges terms;
    Range place;
  };
  std::vector<Piece> pieces_of(std::size_t output, const Range& range) const;
  std::int64_t extent_of_term(const OutputTerm& term) const;
  Rearrangement piece(const std::vector<std::size_t>& chosen) const;
  Ranges digits_of(std::size_t group, const std::vector<std::size_t>& chosen) const;
  void add_needs(std::size_t group, const Ranges& digits, Ranges& runs) const;
  template <class Use>
  void each_choice(const Use& use) const;

  const Rearrangement& r_;
  std::vector<std::vector<Piece>> pieces_;  // of every output
  Ranges needs_;
  Extents extents_;  // of the part
};

}  // namespace crinkle
