// The move of `crinkle move`: of arrays in files, with bit planes taken apart before it or made after it where they are asked for.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "formats/sink.hpp"
#include "formats/source.hpp"
#include "running/placement.hpp"
#include "running/planning.hpp"
#include "running/run.hpp"
#include "words/wish.hpp"

namespace crinkle::tool {

struct MoveOptions {
  Wish wish;
  std::string output, window;
  Running running;
  Planning planning;
  bool is_reported = false;
};

/// Says why a GPU cannot do it, or "".
std::string why_not_on_a_gpu(const MoveOptions& o);

/// Keeps references to all that it is given.
class Move {
 public:
  Move(const MoveOptions& o, const ArrayFacts& facts, const Source& source);

  const Wanted& wanted() const { return *wanted_; }
  const Rearrangement& map() const { return wanted_->map; }
  const ElementType& type() const { return type_; }
  const Extents& extents() const { return extents_; }
  const Place& place() const { return place_; }
  Executor& executor() const { return *executor_; }

  /// Returns the seconds that moving took.
  double run(std::span<std::byte> out) const;

  /// Whether it goes part by part, from or to a file of chunks; and does so, to the end.
  bool is_stored(const Sink& sink) const;
  void run_stored(Sink& sink) const;

  /// Whether the result can be written while it is made.
  bool streams_well() const;
  void run_into_stream(int descriptor, const std::string& path) const;

  /// Read and written, by the passes for bit planes too.
  std::int64_t bytes_moved() const;
  Done done(double seconds) const;
  std::string describe() const;

  /// Throws bad_file, naming the element, when `out` is not what the definition says.
  void verify(const std::string& path, std::span<const std::byte> out) const;
  /// Reads the output back as anyone would. One that is not what it should be does not stay.
  void verify_file(std::int64_t n_bytes) const;

 private:
  std::int64_t limit() const { return o_.running.slab_bytes(); }
  bool is_in_slabs() const;
  const Plan& plan() const;  // measured once, where that is asked for and of use
  Form source_form() const { return o_.wish.from_bit_planes.empty() ? Form::elements : Form::bit_planes; }
  Form result_form() const { return o_.wish.is_bit_planes ? Form::bit_planes : Form::elements; }
  std::span<const std::byte> source_bytes() const;  // from where the map counts: the origin of an array, the first byte of planes
  Layout planes_layout(const ArrayFacts& facts) const;

  const MoveOptions& o_;
  const ArrayFacts& facts_;
  const Source& source_;
  std::unique_ptr<Executor> executor_;
  std::optional<Wanted> wanted_;
  Place place_;
  mutable std::optional<Plan> plan_;
  ElementType type_;
  Extents extents_;
};

/// Has the pages of both mappings in memory before the time is taken.
void fault_in(std::span<const std::byte> in, std::span<std::byte> out);

}  // namespace crinkle::tool
