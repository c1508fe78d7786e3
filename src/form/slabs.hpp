// Steps with a bounded workspace: what lies between two steps is made and used a slab at a time, a range of its bytes. A slab is written by
// the parts of the step before that write it (cut.hpp), and read by the parts of the step after that read it, wherever in the destination
// these write. So two steps do the same work as without slabs; where there are more, a slab of a later array takes every slab of the
// earlier one that has something for it, made again for each, unless it is still there. The source and the result may be slabs too, read
// and taken by the caller, and need not be in memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// A step reads or writes byte `at` of one of three arrays.
struct Place {
  enum class In : std::uint8_t { source, workspace, destination };
  In array = In::source;
  std::int64_t at = 0;
};

class Slabs {
 public:
  struct Actions {
    std::function<void(const Step& step, Place from, Place to)> run;
    std::function<void(ByteSpan slab, std::int64_t at)> read;  // if there: these bytes of the source, which is dense, into the workspace
    std::function<void(ByteSpan slab, std::int64_t at)> take;  // if there: these bytes of the dense result, from the workspace
    std::int64_t read_multiple = 1, take_multiple = 1;         // bytes: slabs that are read, or taken, begin at multiples of it
  };

  /// Cuts the map `r`, with a workspace of at most `limit` bytes where that can be: an array that cannot be cut (several buffers, strides
  /// that are not nested) is one slab, and none is shorter than 16 bytes and its multiple. Throws what steps() throws.
  Slabs(const Rearrangement& r, std::int64_t limit, Actions actions);
  Slabs(const Slabs&) = delete;
  Slabs& operator=(const Slabs&) = delete;

  std::int64_t workspace_bytes() const noexcept { return workspace_bytes_; }
  /// How often a slab of the first array that has slabs is made, or read, at most: once for every slab of the arrays behind it. INT64_MAX
  /// where that is too large a number.
  std::int64_t most_makings() const noexcept;
  /// Calls the actions. Afterwards run() has moved or filled every byte of the destination that r writes, or take() has had all of the
  /// result, in ascending order. A pass from the source to the destination that is longer than eight limits comes in parts.
  void run();

 private:
  // Array 0 is the source, array k is written by step k − 1, the last is the destination.
  struct Array {
    std::int64_t n_bytes = 0;
    bool is_whole = true;       // in memory, not in the workspace
    std::int64_t slab = 0;      // bytes, of those in the workspace
    std::int64_t at = 0;        // in the workspace
    ByteSpan present = {0, 0};  // the slab that is there
  };

  std::int64_t slab_bytes(std::size_t k, std::int64_t share) const;
  bool can_be_cut_at(std::size_t k) const;
  Place place_of(std::size_t k) const;
  std::vector<Step> writers_of(std::size_t k, ByteSpan slab) const;
  void make(std::size_t k, ByteSpan slab);
  void write(std::size_t k, const std::vector<Step>& parts);
  void run_in_parts(const Step& step);

  std::int64_t limit_;
  Actions actions_;
  std::vector<Step> steps_;
  std::vector<Array> arrays_;
  std::int64_t workspace_bytes_ = 0;
};

}  // namespace crinkle
