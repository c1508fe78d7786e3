// Samples binned: sorted by cell, a counting sort that keeps their order, then every cell by itself.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "base/checked.hpp"
#include "base/words.hpp"
#include "cuda/device_buffers.hpp"
#include "interpolate/cuda/bin.hpp"
#include "operation/check.hpp"
#include "operation/model.hpp"

namespace crinkle {

using namespace interpolation;

namespace {

struct Cell {
  std::span<const std::int64_t> samples;

  double of(Statistic statistic, std::span<const double> values, double nodata) const {
    const std::int64_t n = std::ssize(samples);
    CellSums sums;
    if (n == 0 || statistic == Statistic::count) return statistic_of(statistic, n, sums, 0, nodata);
    each_part([&](std::span<const std::int64_t> some) {
      CellSums part;
      for (const std::int64_t i : some) part.add(values[index(i)]);
      sums.add(part);
    });
    double squares = 0;
    if (statistic == Statistic::deviation) {
      const double mean = sums.mean(n);
      each_part([&](std::span<const std::int64_t> some) {
        double part = 0;
        for (const std::int64_t i : some) part += (values[index(i)] - mean) * (values[index(i)] - mean);
        squares += part;
      });
    }
    return statistic_of(statistic, n, sums, squares, nodata);
  }

 private:
  template <class Use>
  void each_part(const Use& use) const {
    constexpr std::size_t most = part_samples;
    for (std::size_t begin = 0; begin < samples.size(); begin += most) use(samples.subspan(begin, std::min(most, samples.size() - begin)));
  }
};

BinRaster raster_of(const Raster& to, int n_dimensions) {
  BinRaster raster{.n_dimensions = n_dimensions, .n_cells = Targets(to, n_dimensions).n()};  // checks the raster
  for (std::size_t a = 0; a < index(n_dimensions); ++a) {
    if (!(std::abs(to.step[a]) > 0)) throw Error(ErrorCode::bad_shape, fmt::format("a raster of step {} along {}", to.step[a], "xyz"[a]));
    raster.first[a] = to.first[a];
    raster.step[a] = to.step[a];
    raster.whole[a] = raster.extents[a] = to.extents[a];
  }
  return raster;
}

class Binning final : public Operation::Model {
 public:
  Binning(const Samples& given, const Raster& to, std::span<const Statistic> statistics, double its_nodata, Device on);

  void run(std::span<const ConstBuffer>, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const override {
    if (device.kind == Device::Kind::cuda) worker.stream().synchronize();
    bin(out[0], workspace, worker);
  }
  /// Returns how many samples lie in cells. On a GPU `out` is any memory.
  std::int64_t bin(Buffer out, std::byte* workspace, const Worker& worker) const;
  void define(std::span<const ConstBuffer> in, std::span<const Buffer> out) const override;
  Operation part(const Ranges& part) const override;
  OperationCost cost() const override {
    OperationCost cost = Model::cost();
    cost.bytes = add(cost.bytes, samples_->n * (samples_->n_dimensions + samples_->n_columns()) * 8);
    cost.operations =
        static_cast<double>(samples_->n) * static_cast<double>(samples_->n_columns()) * static_cast<double>(std::ssize(statistics_));
    return cost;
  }
  std::uint64_t fingerprint() const override {
    return fingerprint_of(*samples_)
        .of(raster_.n_cells, statistics_, nodata_)
        .bytes(&raster_.first, sizeof raster_.first)
        .bytes(&raster_.step, sizeof raster_.step)
        .bytes(&raster_.extents, sizeof raster_.extents)
        .number();
  }
  std::string describe() const override {
    return fmt::format("{} samples of {} columns binned in {} cells: {} statistics, {}\n", samples_->n, samples_->n_columns(),
                       raster_.n_cells, statistics_.size(), machine);
  }

 private:
  Binning(const Binning& whole, const Ranges& part);
  void set_ports();
  std::int64_t bin_on_cpu(std::span<double> out, std::byte* workspace, Executor& executor) const;

  std::shared_ptr<const SamplePlanes> samples_;
  BinRaster raster_;
  std::vector<Statistic> statistics_;
  double nodata_;
};

Binning::Binning(const Samples& given, const Raster& to, std::span<const Statistic> statistics, double its_nodata, Device on)
    : statistics_(statistics.begin(), statistics.end()), nodata_(its_nodata) {
  device = on;
  machine = on.kind == Device::Kind::cuda ? facts_of(on).name : "this CPU";
  samples_ = std::make_shared<const SamplePlanes>(planes_of({given.places, given.values, {}, given.n_dimensions, given.n_columns}));
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  if (on.kind == Device::Kind::cuda && samples_->n > most)
    throw Error(ErrorCode::too_large, fmt::format("{} samples; a GPU bins at most {}: bin them on the CPU", samples_->n, most));
  raster_ = raster_of(to, samples_->n_dimensions);
  set_ports();
}

Binning::Binning(const Binning& whole, const Ranges& part)
    : samples_(whole.samples_), raster_(whole.raster_), statistics_(whole.statistics_), nodata_(whole.nodata_) {
  device = whole.device;
  machine = whole.machine;
  raster_.n_cells = 1;
  for (std::size_t c = 0; c < part.size(); ++c) {
    const std::size_t a = part.size() - 1 - c;
    raster_.begin[a] += part[c].first;
    raster_.extents[a] = part[c].n;
    raster_.n_cells *= part[c].n;
  }
  set_ports();
}

void Binning::set_ports() {
  name = "binning";
  Extents extents{std::ssize(statistics_), samples_->n_columns()};
  for (std::size_t a = index(samples_->n_dimensions); a > 0; --a) extents.push_back(raster_.extents[a - 1]);
  outputs = {port_of("statistics", Layout::dense(extents, sizeof(double)), ElementType{{Number::float64}})};
  outputs[0].axes = {"statistic", "column", "z", "y", "x"};
  if (samples_->n_dimensions == 2) outputs[0].axes.erase(outputs[0].axes.begin() + 2);
  for (std::size_t a = 2; a < extents.size(); ++a) cuts.push_back({outputs[0].axes[a], extents[a], {}, {static_cast<int>(a)}});
  // The workspace keeps each sample's cell and place in the order of cells, and where each cell's samples begin and its next one goes.
  if (device.kind == Device::Kind::cpu && outputs[0].layout.n_elements() > 0)
    workspace_bytes = multiply(add(multiply(add(samples_->n, raster_.n_cells), 2), 2), std::int64_t{sizeof(std::int64_t)});
}

// Cell by cell, of all samples.
void Binning::define(std::span<const ConstBuffer>, std::span<const Buffer> out) const {
  auto* const to = static_cast<double*>(out[0].data);
  std::vector<std::int64_t> inside;
  for (std::int64_t cell = 0; cell < raster_.n_cells; ++cell) {
    inside.clear();
    for (std::int64_t i = 0; i < samples_->n; ++i) {
      double x[3] = {};
      for (std::size_t a = 0; a < index(samples_->n_dimensions); ++a) x[a] = samples_->places[a][index(i)];
      if (raster_.cell_of(x) == cell) inside.push_back(i);
    }
    std::int64_t plane = 0;
    for (const Statistic statistic : statistics_)
      for (const std::vector<double>& values : samples_->values)
        to[plane++ * raster_.n_cells + cell] = Cell{inside}.of(statistic, values, nodata_);
  }
}

Operation Binning::part(const Ranges& part) const { return Operation(std::shared_ptr<const Binning>(new Binning(*this, part))); }

std::int64_t Binning::bin(Buffer to, std::byte* workspace, const Worker& worker) const {
  if (raster_.n_cells == 0) return 0;
  const std::span out(static_cast<double*>(to.data), index(outputs[0].layout.n_elements()));
  if (device.kind == Device::Kind::cpu) return bin_on_cpu(out, workspace, worker.executor());
  return gpu::entry<&bin_on_gpu>(*samples_, raster_, statistics_, out, nodata_, device);
}

std::int64_t Binning::bin_on_cpu(std::span<double> out, std::byte* workspace, Executor& executor) const {
  const SamplePlanes& samples = *samples_;
  const BinRaster& raster = raster_;
  const std::int64_t n_cells = raster.n_cells, n_columns = samples.n_columns();
  const auto cell_of_sample = [&](std::size_t i) {
    double x[3] = {};
    for (std::size_t a = 0; a < index(samples.n_dimensions); ++a) x[a] = samples.places[a][i];
    return raster.cell_of(x);
  };
  if (out.empty()) {
    std::int64_t n_inside = 0;
    for (std::size_t i = 0; i < index(samples.n); ++i) n_inside += cell_of_sample(i) >= 0 ? 1 : 0;
    return n_inside;
  }
  auto* at = reinterpret_cast<std::int64_t*>((reinterpret_cast<std::uintptr_t>(workspace) + 7) / 8 * 8);
  const auto taken = [&](std::int64_t n) {
    const std::span numbers(at, index(n));
    at += n;
    return numbers;
  };
  const std::span cell_of = taken(samples.n), begin = taken(n_cells + 1), next = taken(n_cells);
  std::fill(begin.begin(), begin.end(), 0);
  for (std::int64_t i = 0; i < samples.n; ++i) {
    const std::int64_t cell = cell_of[index(i)] = cell_of_sample(index(i));
    if (cell >= 0) ++begin[index(cell) + 1];
  }
  for (std::size_t c = 0; c < index(n_cells); ++c) begin[c + 1] += begin[c];
  const std::span sorted = taken(begin.back());
  std::copy_n(begin.begin(), next.size(), next.begin());
  for (std::int64_t i = 0; i < samples.n; ++i)
    if (cell_of[index(i)] >= 0) sorted[index(next[index(cell_of[index(i)])]++)] = i;
  constexpr std::int64_t part = 4096;  // cells
  const auto bin_part = [&](std::int64_t k) {
    for (std::int64_t cell = k * part; cell < std::min(n_cells, (k + 1) * part); ++cell) {
      const Cell here{sorted.subspan(index(begin[index(cell)]), index(begin[index(cell) + 1] - begin[index(cell)]))};
      double* to = out.data() + cell;
      for (const Statistic statistic : statistics_) {
        for (std::int64_t c = 0; c < n_columns; ++c, to += n_cells) *to = here.of(statistic, samples.values[index(c)], nodata_);
      }
    }
  };
  executor.parallel_for(ceil_divide(n_cells, part), std::ref(bin_part));
  return std::ssize(sorted);
}

std::int64_t checked_bin(const Binning& model, std::span<double> out, const Worker& worker) {
  const Buffer to = out;
  check_buffers(model, {}, {&to, 1});
  const auto workspace = std::make_unique_for_overwrite<std::byte[]>(index(model.workspace_bytes));
  return model.bin(to, workspace.get(), worker);
}

}  // namespace

Statistic parse_statistic(std::string_view name) {
  constexpr std::array names = {"count", "sum", "mean", "min", "max", "deviation"};
  return static_cast<Statistic>(number_of(name, names, "statistic"));
}

Operation plan(const BinRequest& request, Device device) {
  return Operation(std::make_shared<const Binning>(request.samples, request.raster, request.statistics, request.nodata, device));
}

std::int64_t bin(const Samples& samples, const Raster& raster, std::span<const Statistic> statistics, std::span<double> out, double nodata,
                 Executor& executor) {
  return checked_bin(Binning(samples, raster, statistics, nodata, cpu()), out, executor);
}
std::int64_t bin(const Samples& samples, const Raster& raster, std::span<const Statistic> statistics, std::span<double> out, double nodata,
                 Device device) {
  const Device there = {Device::Kind::cuda, gpu::cuda_index(device, "binning")};
  return checked_bin(Binning(samples, raster, statistics, nodata, there), out, Stream());
}

std::int64_t bin(const DeviceSamples& samples, const Raster& raster, std::span<const Statistic> statistics, std::span<double> out,
                 double nodata, Device device, const Stream& stream) {
  const Device there = {Device::Kind::cuda, gpu::cuda_index(device, "binning")};
  const CudaPoints points({samples.n, samples.places, samples.values, {}}, {}, there, stream);
  const BinRaster to = raster_of(raster, points.n_dimensions());
  const std::int64_t n = multiply(multiply(to.n_cells, points.planes().n_columns()), std::ssize(statistics));
  if (std::ssize(out) < n) throw Error(ErrorCode::bad_shape, fmt::format("an output of {} numbers; there are {}", out.size(), n));
  if (to.n_cells == 0) return 0;
  const gpu::OnDevice on(there.index);
  if (n > 0) gpu::check_pointer(out.data(), there.index, "the output");
  return gpu::entry<&bin_points>(points, to, statistics, out, nodata, there);
}

}  // namespace crinkle
