// Samples sorted by cell, those of a cell in their order; then every cell by a thread, and every part of a cell but its first by another.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cuda/bin.hpp"

#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <vector>

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "interpolate/cuda/memory.hpp"

namespace crinkle::interpolation {
namespace {

constexpr unsigned bin_threads = 256;

/// Samples in the order of their cells; those outside are in cell n_cells.
struct Binned {
  std::int64_t n = 0, n_cells = 0;
  const std::uint64_t* cells = nullptr;                 // [n]
  const std::uint32_t* samples = nullptr;               // [n]
  const std::int64_t *begin = nullptr, *end = nullptr;  // [n_cells + 1]: where the samples of a cell are, 0 and 0 where there are none

  /// The part that begins in the slot-th `part_samples` places and is not the first of its cell: there is at most one.
  __device__ bool find_part(std::int64_t slot, std::uint64_t& cell, std::int64_t& from, std::int64_t& to) const {
    const std::int64_t at = slot * part_samples;
    if (at >= n || cells[at] == static_cast<std::uint64_t>(n_cells)) return false;
    cell = cells[at];
    from = begin[cell] + (at - begin[cell] + part_samples - 1) / part_samples * part_samples;
    to = min(from + part_samples, end[cell]);
    return from > begin[cell] && from < to;
  }
  /// what(slot) for all parts of a cell but the first, in order.
  template <class What>
  __device__ void each_further_part(std::int64_t cell, const What& what) const {
    for (std::int64_t at = begin[cell] + part_samples; at < end[cell]; at += part_samples) what(at / part_samples);
  }
  __device__ CellSums sums(const double* values, std::int64_t from, std::int64_t to) const {
    CellSums sums;
    for (std::int64_t p = from; p < to; ++p) sums.add(values[samples[p]]);
    return sums;
  }
  __device__ double squares(const double* values, std::int64_t from, std::int64_t to, double mean) const {
    double sum = 0;
    for (std::int64_t p = from; p < to; ++p) {
      const double away = values[samples[p]] - mean;
      sum = __dadd_rn(sum, __dmul_rn(away, away));
    }
    return sum;
  }
};

__device__ std::int64_t thread_of(std::int64_t first_block) { return (first_block + blockIdx.x) * bin_threads + threadIdx.x; }

struct Places {
  const double* plane[3] = {};  // [n] each
};

__global__ void __launch_bounds__(bin_threads)
    find_cells(Places places, std::int64_t n, BinRaster raster, std::uint64_t* cells, std::uint32_t* samples, std::int64_t first_block) {
  const std::int64_t i = thread_of(first_block);
  if (i >= n) return;
  double x[3] = {};
  for (int a = 0; a < raster.n_dimensions; ++a) x[a] = places.plane[a][i];
  const std::int64_t cell = raster.cell_of(x);
  cells[i] = static_cast<std::uint64_t>(cell < 0 ? raster.n_cells : cell);
  samples[i] = static_cast<std::uint32_t>(i);
}

__global__ void __launch_bounds__(bin_threads)
    find_bounds(const std::uint64_t* cells, std::int64_t n, std::int64_t* begin, std::int64_t* end, std::int64_t first_block) {
  const std::int64_t p = thread_of(first_block);
  if (p >= n) return;
  if (p == 0 || cells[p - 1] != cells[p]) begin[cells[p]] = p;
  if (p == n - 1 || cells[p + 1] != cells[p]) end[cells[p]] = p + 1;
}

__global__ void __launch_bounds__(bin_threads) sum_parts(Binned b, const double* values, CellSums* parts, std::int64_t first_block) {
  const std::int64_t slot = thread_of(first_block);
  std::uint64_t cell = 0;
  std::int64_t from = 0, to = 0;
  if (b.find_part(slot, cell, from, to)) parts[slot] = b.sums(values, from, to);
}

__global__ void __launch_bounds__(bin_threads)
    sum_cells(Binned b, const double* values, const CellSums* parts, CellSums* all, std::int64_t first_block) {
  const std::int64_t cell = thread_of(first_block);
  if (cell >= b.n_cells) return;
  CellSums sums;
  sums.add(b.sums(values, b.begin[cell], min(b.end[cell], b.begin[cell] + part_samples)));
  b.each_further_part(cell, [&](std::int64_t slot) { sums.add(parts[slot]); });
  all[cell] = sums;
}

__global__ void __launch_bounds__(bin_threads)
    square_parts(Binned b, const double* values, const CellSums* all, double* parts, std::int64_t first_block) {
  const std::int64_t slot = thread_of(first_block);
  std::uint64_t cell = 0;
  std::int64_t from = 0, to = 0;
  if (b.find_part(slot, cell, from, to)) parts[slot] = b.squares(values, from, to, all[cell].mean(b.end[cell] - b.begin[cell]));
}

struct Wanted {
  const Statistic* statistics = nullptr;  // [n]
  std::int64_t n = 0;
  bool has_deviation = false;
  double nodata = 0;
};

__global__ void __launch_bounds__(bin_threads) put_cells(Binned b, const double* values, const CellSums* all, const double* part_squares,
                                                         Wanted wanted, double* out, std::int64_t first_block) {
  const std::int64_t cell = thread_of(first_block);
  if (cell >= b.n_cells) return;
  const std::int64_t n = b.end[cell] - b.begin[cell];
  double squares = 0;
  if (wanted.has_deviation) {
    squares += b.squares(values, b.begin[cell], min(b.end[cell], b.begin[cell] + part_samples), all[cell].mean(n));
    b.each_further_part(cell, [&](std::int64_t slot) { squares += part_squares[slot]; });
  }
  for (std::int64_t s = 0; s < wanted.n; ++s)
    out[s * b.n_cells + cell] = statistic_of(wanted.statistics[s], n, all[cell], squares, wanted.nodata);
}

/// A thread for each of n things.
template <class Kernel, class... Arguments>
void for_each(Kernel* kernel, std::int64_t n, Arguments... arguments) {
  gpu::for_each_grid((n + bin_threads - 1) / bin_threads, [&](std::int64_t first, std::uint32_t n_blocks) {
    void* pointers[] = {&arguments..., &first};
    gpu::launch(reinterpret_cast<const void*>(kernel), {n_blocks, bin_threads}, pointers, nullptr, "samples binned");
  });
}

template <class T>
class Numbers {
 public:
  Numbers(Device device, std::int64_t n) : memory(device, n * std::int64_t{sizeof(T)}) {}
  T* data() const { return static_cast<T*>(memory.data()); }
  const DeviceMemory memory;
};

/// Samples sorted by cell; their arrays stay as long as this does.
class SortedSamples {
 public:
  SortedSamples(const Places& places, std::int64_t n, const BinRaster& raster, Device device)
      : cells_(device, 2 * n), samples_(device, 2 * n), bounds_(device, 2 * (raster.n_cells + 1)) {
    for_each(&find_cells, n, places, n, raster, cells_.data(), samples_.data());
    cub::DoubleBuffer<std::uint64_t> cells(cells_.data(), cells_.data() + n);
    cub::DoubleBuffer<std::uint32_t> samples(samples_.data(), samples_.data() + n);
    const int n_bits = std::bit_width(static_cast<std::uint64_t>(raster.n_cells));
    std::size_t bytes = 0;
    const auto sort = [&](void* buffer) {
      gpu::check_status(cub::DeviceRadixSort::SortPairs(buffer, bytes, cells, samples, n, 0, n_bits), "sorting samples by cell");
    };
    sort(nullptr);
    const DeviceMemory buffer(device, static_cast<std::int64_t>(bytes));
    sort(buffer.data());
    std::int64_t *const begin = bounds_.data(), *const end = begin + raster.n_cells + 1;
    gpu::clear(bounds_.memory, nullptr);
    for_each(&find_bounds, n, cells.Current(), n, begin, end);
    binned_ = {n, raster.n_cells, cells.Current(), samples.Current(), begin, end};
  }

  const Binned& binned() const { return binned_; }
  std::int64_t n_inside() const {
    std::int64_t begin = 0, end = 0;  // of those outside
    copy_bytes({binned_.begin + binned_.n_cells, sizeof begin}, {&begin, sizeof begin});
    copy_bytes({binned_.end + binned_.n_cells, sizeof end}, {&end, sizeof end});
    return binned_.n - (end - begin);
  }

 private:
  Numbers<std::uint64_t> cells_;
  Numbers<std::uint32_t> samples_;
  Numbers<std::int64_t> bounds_;
  Binned binned_;
};

/// put_column(c, to) writes a column's values to where the kernels read them.
template <class PutColumn>
std::int64_t bin_sorted(const SortedSamples& sorted, std::int64_t n_columns, std::span<const Statistic> statistics, std::span<double> out,
                        double nodata, Device device, const PutColumn& put_column) {
  const Binned& b = sorted.binned();
  const std::int64_t n_slots = b.n / part_samples + 1;
  CudaMemory words(device);
  const Wanted wanted{.statistics = words.upload(statistics),
                      .n = std::ssize(statistics),
                      .has_deviation = std::find(statistics.begin(), statistics.end(), Statistic::deviation) != statistics.end(),
                      .nodata = nodata};
  const Numbers<CellSums> cells(device, b.n_cells), parts(device, n_slots);
  const Numbers<double> values(device, b.n), part_squares(device, n_slots), plane(device, b.n_cells * wanted.n);
  const std::int64_t plane_bytes = b.n_cells * std::int64_t{sizeof(double)};
  for (std::int64_t c = 0; c < n_columns; ++c) {
    put_column(c, values.memory);
    const double* const z = values.data();
    for_each(&sum_parts, n_slots, b, z, parts.data());
    for_each(&sum_cells, b.n_cells, b, z, static_cast<const CellSums*>(parts.data()), cells.data());
    const CellSums* const all = cells.data();
    if (wanted.has_deviation) for_each(&square_parts, n_slots, b, z, all, part_squares.data());
    for_each(&put_cells, b.n_cells, b, z, all, static_cast<const double*>(part_squares.data()), wanted, plane.data());
    for (std::int64_t s = 0; s < wanted.n; ++s)
      copy_bytes({plane.data() + s * b.n_cells, plane_bytes}, {out.data() + (s * n_columns + c) * b.n_cells, plane_bytes});
  }
  return sorted.n_inside();
}

}  // namespace

// All on the default stream, which copies wait for.
std::int64_t bin_on_gpu(const SamplePlanes& samples, const BinRaster& raster, std::span<const Statistic> statistics, std::span<double> out,
                        double nodata, Device device) {
  const gpu::OnDevice on(device.index);
  const auto sorted = [&] {
    CudaMemory memory(device);
    Places places;
    for (int a = 0; a < raster.n_dimensions; ++a) places.plane[a] = memory.upload(samples.places[index(a)]);
    return SortedSamples(places, samples.n, raster, device);
  }();
  return bin_sorted(sorted, samples.n_columns(), statistics, out, nodata, device,
                    [&](std::int64_t c, const DeviceMemory& to) { copy_bytes({samples.values[index(c)].data(), to.bytes()}, to); });
}

std::int64_t bin_points(const CudaPoints& points, const BinRaster& raster, std::span<const Statistic> statistics, std::span<double> out,
                        double nodata, Device device) {
  const gpu::OnDevice on(device.index);
  Places places;
  for (int a = 0; a < raster.n_dimensions; ++a) places.plane[a] = points.plane(a);
  const SortedSamples sorted(places, points.planes().n, raster, device);
  return bin_sorted(sorted, points.planes().n_columns(), statistics, out, nodata, device,
                    [&](std::int64_t c, const DeviceMemory& to) { points.put_column(c, static_cast<double*>(to.data()), nullptr); });
}

}  // namespace crinkle::interpolation
