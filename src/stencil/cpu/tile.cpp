// The cells that a stage computes are those that the next one reads, as far as they are in the array: what lies beyond a face is filled in
// from them before that stage, axis by axis as numpy.pad does. Beyond a periodic face the cells are computed like any others. Arrays of a
// tile are dense and hold the halo of all stages; a tile that reads nothing beyond a face takes plain numbers from where they lie.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cpu/tile.hpp"

#include <algorithm>
#include <cstdint>

#include "base/ensure.hpp"
#include "cpu/scratch.hpp"
#include "stencil/cpu/tile_cells.hpp"
#include "stencil/reach.hpp"
#include "stencil/shape.hpp"

namespace crinkle {
namespace {

template <class T>
class Tile {
 public:
  Tile(const SweepPlan& plan, const MemoryPass& pass, const Tiles& tiles, const Region& region, TileSpace<T>& space)
      : plan_(plan),
        axes_(plan.shape.axes),
        n_(axes_.size()),
        pass_(pass),
        tiles_(tiles),
        region_(region),
        space_(space),
        cells_(plan, pass, tiles, region) {
    const std::size_t n_stages = pass.stages.size();
    space.computed.resize(n_stages);
    space.read.resize(n_stages);
    Region next = region;
    for (std::size_t s = n_stages; s-- > 0;) {
      const Stage& stage = plan.stages[pass.stages[s]];
      space.computed[s] = next;
      for (std::size_t a = 0; a < n_; ++a) {
        next.low[a] -= stage.below[a];
        next.high[a] += stage.above[a];
      }
      space.read[s] = next;
      for (std::size_t a = 0; a < n_; ++a) bring_inside(axes_[a], next.low[a], next.high[a]);
    }
    loaded_ = next;
  }

  void run(const Coefficients<T>& coefficients, const std::byte* source, std::byte* destination, const simd::StencilKernels& kernels) {
    const std::size_t n_stages = pass_.stages.size();
    from_ = source;
    to_ = destination;
    reads_there_ = is_inside(space_.read[0]) && is_there(pass_.source, source);
    writes_there_ = is_there(pass_.destination, destination);
    const std::size_t n_arrays = n_stages > 1 ? 2 : std::size_t{!reads_there_} + std::size_t{!writes_there_};
    if (n_arrays > 0) {
      const auto n = static_cast<std::size_t>(tiles_.n_elements);
      arrays_[0] = static_cast<T*>(simd::Scratch::of_this_thread().get(n_arrays * n * sizeof(T)));
      arrays_[1] = arrays_[0] + (n_arrays > 1 ? n : 0);
    }
    if (!reads_there_) cells_.load(arrays_[0], loaded_, source);
    if (const std::size_t along = axis_of_waves(); along < n_) {
      run_in_waves(along, coefficients, kernels);
    } else {
      for (std::size_t s = 0; s < n_stages; ++s) {
        if (s > 0 || !reads_there_)
          cells_.fill_outside(arrays_[s % 2], space_.read[s], s == 0 ? loaded_ : space_.computed[s - 1],
                              plan_.stages[pass_.stages[s]].beyond);
        compute(s, space_.computed[s], coefficients, kernels);
      }
    }
    if (!writes_there_) cells_.store(arrays_[n_stages % 2], destination);
    else if (pass_.is_streaming) kernels.fence();
  }

 private:
  // Stage s of some of the cells that it has to make.
  void compute(std::size_t s, const Region& made, const Coefficients<T>& coefficients, const simd::StencilKernels& kernels) {
    const Stage& stage = plan_.stages[pass_.stages[s]];
    const bool is_first = s == 0 && reads_there_, is_last = s + 1 == pass_.stages.size();
    T* const out = arrays_[(s + 1) % 2];
    simd::WeightedRows<T> rows;
    AxisNumbers from = tiles_.pitches, to = tiles_.pitches;
    const T* in = nullptr;
    if (is_first) {
      in = reinterpret_cast<const T*>(at(from_, pass_.source, made));
      from = elements_of(pass_.source);
    } else {
      in = arrays_[s % 2] + cells_.place(made);
    }
    if (is_last && writes_there_) {
      rows.out = reinterpret_cast<T*>(at(to_, pass_.destination, made));
      to = elements_of(pass_.destination);
      rows.is_streaming = pass_.is_streaming;
    } else {
      rows.out = out + cells_.place(made);
    }
    set_points(rows, stage, coefficients[pass_.stages[s]], from);
    sum(rows, in, made, from, to, kernels);
    if (!is_last && stage.ends_step && !is_plain<T>(plan_.settled))
      cells_.for_each_row(made,
                          [&](std::int64_t row, const AxisNumbers&) { settle_line(out + row, cells_.line_elements(made), plan_.settled); });
  }

  // The axis along which the stages can follow each other, a few rows apart, or n_: where nothing is filled in between them.
  std::size_t axis_of_waves() const {
    if (pass_.stages.size() < 2) return n_;
    for (const Region& read : space_.read)
      for (std::size_t a = 0; a < n_; ++a)
        if (!is_open(axes_[a]) && (read.low[a] < 0 || read.high[a] > axes_[a].extent)) return n_;
    for (std::size_t a = 0; a + 1 < n_; ++a)
      if (region_.high[a] - region_.low[a] > 1) return a;
    return n_;
  }

  // Rows that a stage has just made are still in the first cache when the next one reads them. Stage s + 1 lies so far behind stage s that
  // it reads what is made, and overwrites (in the array that stage s reads) what is no longer read.
  void run_in_waves(std::size_t along, const Coefficients<T>& coefficients, const simd::StencilKernels& kernels) {
    constexpr std::int64_t wave_elements = 2048, most_rows = 8;
    std::int64_t row_elements = plan_.shape.width;
    for (std::size_t a = along + 1; a < n_; ++a) row_elements *= region_.high[a] - region_.low[a];
    const std::int64_t n_rows = std::clamp<std::int64_t>(wave_elements / row_elements, 1, most_rows);
    const std::size_t n_stages = pass_.stages.size();
    std::int64_t lag = 0, first = INT64_MAX, last = INT64_MIN;
    space_.lags.resize(n_stages);
    for (std::size_t s = 0; s < n_stages; ++s) {
      if (s > 0) lag += std::max(plan_.stages[pass_.stages[s]].above[along], plan_.stages[pass_.stages[s - 1]].below[along]);
      space_.lags[s] = lag;
      first = std::min(first, space_.computed[s].low[along] + lag);
      last = std::max(last, space_.computed[s].high[along] + lag);
    }
    for (std::int64_t row = first; row < last; row += n_rows) {
      for (std::size_t s = 0; s < n_stages; ++s) {
        Region wave = space_.computed[s];
        wave.low[along] = std::max(wave.low[along], row - space_.lags[s]);
        wave.high[along] = std::min(wave.high[along], row + n_rows - space_.lags[s]);
        if (wave.low[along] < wave.high[along]) compute(s, wave, coefficients, kernels);
      }
    }
  }

  template <class B>
  B* at(B* begin, const SweepPlaces& places, const Region& r) const {
    std::int64_t bytes = places.offset;
    for (std::size_t a = 0; a < n_; ++a) bytes += r.low[a] * places.strides[a];
    return begin + bytes;
  }
  AxisNumbers elements_of(const SweepPlaces& places) const {
    AxisNumbers elements = {};
    for (std::size_t a = 0; a < n_; ++a) elements[a] = places.strides[a] / static_cast<std::int64_t>(sizeof(T));
    return elements;
  }
  bool is_there(const SweepPlaces& places, const std::byte* begin) const {
    return is_plain_line<T>(plan_.shape, places) && reinterpret_cast<std::uintptr_t>(begin + places.offset) % sizeof(T) == 0;
  }
  bool is_inside(const Region& r) const {
    for (std::size_t a = 0; a < n_; ++a)
      if (r.low[a] < 0 || r.high[a] > axes_[a].extent) return false;
    return true;
  }

  void set_points(simd::WeightedRows<T>& rows, const Stage& stage, const std::vector<T>& coefficients, const AxisNumbers& pitches) const {
    space_.deltas.clear();
    for (std::int64_t k = 0; k < stage.n_points(); ++k) {
      std::int64_t delta = 0;
      for (std::size_t a = 0; a < n_; ++a) delta += stage.offsets[static_cast<std::size_t>(k) * n_ + a] * pitches[a];
      space_.deltas.push_back(delta);
    }
    space_.from.resize(space_.deltas.size());
    space_.pitches.assign(space_.deltas.size(), n_ > 1 ? pitches[n_ - 2] : 0);
    rows.from = space_.from.data();
    rows.pitches = space_.pitches.data();
    rows.coefficients = coefficients.data();
    rows.n_points = stage.n_points();
    rows.n_down = stage.n_down;
    rows.n_across = stage.n_across;
  }

  // All lines of a region, as many at once as lie along one axis.
  void sum(simd::WeightedRows<T>& rows, const T* in, const Region& made, const AxisNumbers& from, const AxisNumbers& to,
           const simd::StencilKernels& kernels) const {
    for (std::size_t a = 0; a < n_; ++a)
      if (made.low[a] >= made.high[a]) return;
    const auto sum_here = [&] {
      for (std::size_t k = 0; k < space_.from.size(); ++k) space_.from[k] = in + space_.deltas[k];
      kernels.sum(rows);
    };
    rows.n_columns = cells_.line_elements(made);
    rows.n_rows = 1;
    if (n_ < 2) return sum_here();
    const std::size_t along = n_ - 2;
    rows.n_rows = made.high[along] - made.low[along];
    rows.out_pitch = to[along];
    AxisNumbers index = made.low;
    do sum_here();
    while (step_in(made, along, index, [&](std::size_t a, std::int64_t by) {
      in += by * from[a];
      rows.out += by * to[a];
    }));
  }

  const SweepPlan& plan_;
  const std::vector<SweepAxis>& axes_;
  std::size_t n_;
  const MemoryPass& pass_;
  const Tiles& tiles_;
  const Region& region_;
  TileSpace<T>& space_;
  TileCells<T> cells_;
  Region loaded_;  // of the source, in a tile's array
  const std::byte* from_ = nullptr;
  std::byte* to_ = nullptr;
  bool reads_there_ = false, writes_there_ = false;  // source and destination themselves, as against an array of the tile
  std::array<T*, 2> arrays_ = {};                    // stage s reads the one of s mod 2 and writes the other; one array: the same
};

}  // namespace

template <class T>
void run_tile(const SweepPlan& plan, const MemoryPass& pass, const Tiles& tiles, const Region& region, const Coefficients<T>& coefficients,
              const std::byte* source, std::byte* destination, const simd::StencilKernels& kernels, TileSpace<T>& space) {
  Tile<T>(plan, pass, tiles, region, space).run(coefficients, source, destination, kernels);
}

template void run_tile(const SweepPlan&, const MemoryPass&, const Tiles&, const Region&, const Coefficients<float>&, const std::byte*,
                       std::byte*, const simd::StencilKernels&, TileSpace<float>&);
template void run_tile(const SweepPlan&, const MemoryPass&, const Tiles&, const Region&, const Coefficients<double>&, const std::byte*,
                       std::byte*, const simd::StencilKernels&, TileSpace<double>&);

}  // namespace crinkle
