// How a sweep is run: the array's axes in the order of its memory, and passes over memory, each of one or more stages (a list of points,
// once) that are computed tile by tile. A device's backend is a file that runs the passes of a SweepPlan.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/loops.hpp"
#include "crinkle/operation.hpp"
#include "crinkle/sweeper.hpp"
#include "stencil/integer.hpp"
#include "stencil/rounded.hpp"
#include "stencil/running.hpp"

namespace crinkle {

inline constexpr std::size_t most_axes = 16;
using AxisNumbers = std::array<std::int64_t, most_axes>;  // one an axis

/// Slowest in the source first; the last one is the line, along which a kernel runs. Axes of the array that no stencil reaches along and
/// that lie behind each other are joined.
struct SweepAxis {
  std::int64_t extent = 1;
  int array_axis = 0;  // which of two constant faces gives the value
  int stencil_axis = -1;
  Faces faces;
};
/// The places of an array's cells, in bytes. A cell of the line is `width` elements side by side: the channels of a picture.
struct SweepPlaces {
  std::int64_t offset = 0;
  AxisNumbers strides = {};
  std::int64_t element_stride = 0;
  NumberType type;
};
struct SweepShape {
  std::vector<SweepAxis> axes;
  std::int64_t width = 1;
  std::int64_t n_cells() const;
};

/// A list of points along these axes.
struct Stage {
  std::vector<std::int64_t> offsets;   // [n_points][n_axes], cells
  std::vector<double> coefficients;    // [n_points]
  AxisNumbers below = {}, above = {};  // how far it reaches, 0 or more
  double beyond = 1;                   // times the value of a constant face (factors_beyond)
  bool ends_step = false;
  // Of a list whose points are, for one place of the axes before the last two after the other, n_down rows behind each other, each of the
  // same n_across places; otherwise 0.
  std::int64_t n_down = 0, n_across = 0;

  std::int64_t n_points() const { return static_cast<std::int64_t>(coefficients.size()); }
};

/// Cells [low, high) of every axis.
struct Region {
  AxisNumbers low = {}, high = {};
  std::int64_t n_cells(std::size_t n_axes) const;
};
/// step_index() of the first axes of a region.
template <class Moved>
bool step_in(const Region& region, std::size_t n_axes, AxisNumbers& index, const Moved& moved) {
  return step_index(index, n_axes, [&](std::size_t a) { return region.low[a]; }, [&](std::size_t a) { return region.high[a]; }, moved);
}
/// A region in tiles of one shape.
struct Tiles {
  Region region;
  AxisNumbers shape = {}, counts = {};
  std::int64_t n_tiles = 0;
  AxisNumbers pitches = {};            // elements, of an array that holds a tile and its halo
  std::int64_t n_elements = 0;         // of such an array
  bool first_axis_is_fastest = false;  // of the order of tiles; then the others as ever

  Region tile(std::int64_t t, std::size_t n_axes) const;
};

struct MemoryPass {
  std::vector<std::size_t> stages;  // of the plan's
  SweepPlaces source, destination;
  AxisNumbers halo = {};      // of the stages together, on either side
  Tiles tiles;                // of the cells that are made
  bool is_direct = false;     // one stage, numbers of the sums' type in lines on both sides: made where they lie
  bool is_in_planes = false;  // then plane by plane
  bool is_fused = false;      // two stages, down the rows and along the line (fused_with_next): a few rows after the others, likewise
  bool is_streaming = false;
};

/// Coefficients as they are multiplied, one vector a stage.
template <class T>
using Coefficients = std::vector<std::vector<T>>;

struct SweepPlan {
  SweepShape shape;
  bool is_float32 = true;     // what sums are
  NumberType settled;         // what lies between steps
  std::vector<Stage> stages;  // of one step
  Coefficients<float> as_float32;
  Coefficients<double> as_float64;  // the ones or the others
  std::vector<MemoryPass> passes;
  std::int64_t buffer_bytes = 0;  // of one array between passes
  int n_buffers = 0;              // 0, 1 or 2
  // On a CPU the one pass may be made in whole numbers, in float32 lanes, or by running sums.
  std::optional<IntegerSweep> integer;
  std::optional<RoundedSweep> rounded;
  std::optional<RunningSweep> running;

  bool is_special() const { return integer || rounded || running; }

  template <class T>
  const Coefficients<T>& coefficients() const {
    if constexpr (sizeof(T) == 4) return as_float32;
    else return as_float64;
  }
};

/// Requires a checked sweep. Every pass makes the cells that those behind it read, the last one those of `made`: a range of every axis of
/// the array, all of those that no stencil reaches along; empty: all cells.
SweepPlan plan_sweep(const Sweep& sweep, const Ranges& made = {});
std::string describe(const SweepPlan& plan);

}  // namespace crinkle
