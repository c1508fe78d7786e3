// Filters that a kernel makes in one pass (filter.cuh): how lists of points become them, their sources, their launches. The kernel is
// compiled for them, or ahead of time (fixed_filter.hpp). Without one the lists run as they would, with the same bits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crinkle/device.hpp"
#include "cuda/compile/kernel.hpp"
#include "stencil/cuda/filter.hpp"
#include "stencil/rounded.hpp"
#include "stencil/shape.hpp"

struct CUstream_st;

namespace crinkle {

struct FixedGrid;

/// Weights down an axis, then along the line; or, of a grid, one list of both.
struct Filter {
  std::size_t stage = 0, n_stages = 1;  // that it stands for
  std::size_t rows = 0;                 // the axis other than the line
  std::int64_t first_down = 0, first_across = 0;
  std::vector<double> down = {1}, across;  // of a grid `across` has all weights, of so many rows
  std::int64_t n_grid_rows = 0;            // 0: no grid

  bool is_grid() const { return n_grid_rows > 0; }
  std::int64_t n_down() const { return is_grid() ? n_grid_rows : std::ssize(down); }
  std::int64_t n_across() const { return is_grid() ? std::ssize(across) / n_grid_rows : std::ssize(across); }
  /// Kernels of the library make lists of few points as well.
  bool is_worth_a_kernel() const { return n_stages > 1 || (is_grid() ? std::ssize(across) >= fewest_of_grid : n_down() >= fewest_down); }

 private:
  static constexpr std::int64_t fewest_of_grid = 10, fewest_down = 5;
};
/// The filter that stage k begins; none where its points are no unbroken row or grid, or too many. Requires three axes or more.
std::optional<Filter> filter_of(const ShapedSweep& shaped, std::size_t k);

/// Elements in and out, and how they are summed.
struct FilterTypes {
  Number in = Number::float32, out = Number::float32;
  std::optional<double> certain;  // of bytes: how far from a whole number a sum in float32 is certain; none: plain sums

  bool is_float64() const { return in == Number::float64; }
  bool has_marks() const { return certain && *certain < 0.5; }
};
/// Of bytes in float32 lanes, none where that may not be. Requires a sweep of one filter.
std::optional<FilterTypes> byte_types(const Sweep& sweep, const ShapedSweep& shaped, const Filter& filter);

/// Elements on either side of a tile; threads of a block, and blocks at once that registers are for; rows that are asked for before they
/// are needed; whether sums of bytes may be marked; elements of a thread.
struct FilterTile {
  std::int64_t rim = 0, threads = 128, blocks = 1, ahead = 2;
  bool has_marks = false;
  std::int64_t lanes = 4;
};
FilterTile tile_of(const Filter& filter, const SweepShape& shape, const FilterTypes& types);

/// "a filter of 9 weights down and 9 across".
std::string name_of(const Filter& filter);
gpu::KernelSource source_of(const Filter& filter, const ShapedSweep& shaped, const FilterTypes& types, const FilterTile& tile);
/// What it is told, of blocks of `slots` at once. Requires plain lines in and out.
FilterTask task_of(const Filter& filter, const ShapedSweep& shaped, const SweepPlaces& in, const SweepPlaces& out, const FilterTypes& types,
                   const FilterTile& tile, std::int64_t slots);
std::int64_t blocks_of(const FilterTask& task);
std::int64_t shared_bytes_of(const Filter& filter, const FilterTask& task, const FilterTypes& types, const FilterTile& tile);

/// A filter and its kernel, between any arrays of its types.
class CompiledFilter {
 public:
  /// Nothing where there is no kernel that is predicted to be quicker (kernel_options).
  static std::optional<CompiledFilter> of(Filter filter, const ShapedSweep& shaped, const FilterTypes& types, Device device);

  const Filter& filter() const { return filter_; }
  FilterTask task(const ShapedSweep& shaped, const SweepPlaces& in, const SweepPlaces& out) const;
  void launch(FilterTask task, const std::byte* in, std::byte* out, CUstream_st* stream) const;
  std::string describe(const FilterTask& task) const;

 private:
  CompiledFilter(Filter filter, const FilterTypes& types, const FilterTile& tile)
      : filter_(std::move(filter)), types_(types), tile_(tile) {}

  Filter filter_;
  FilterTypes types_;
  FilterTile tile_;
  std::optional<gpu::Kernel> kernel_;                                                                           // compiled for it, or:
  std::function<void(const FilterTask&, const FixedGrid&, const std::byte*, std::byte*, CUstream_st*)> ahead_;  // FixedLaunch
  std::int64_t slots_ = 1;
};

}  // namespace crinkle
