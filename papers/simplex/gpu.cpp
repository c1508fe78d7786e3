// The suite `simplex` on a GPU. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>

#include "cuda/runtime.hpp"
#include "harness/gpu_kernels.hpp"
#include "pairs/cuda/pairs.hpp"
#include "papers/simplex/kernels.hpp"
#include "papers/simplex/simplex.hpp"

namespace crinkle::bench {
namespace {

template <class T>
DeviceMemory on_device(const std::vector<T>& values, Device device) {
  const auto n_bytes = static_cast<std::int64_t>(values.size() * sizeof(T));
  DeviceMemory memory(device, n_bytes);
  copy_bytes({values.data(), n_bytes}, memory);
  return memory;
}

template <class T>
std::vector<T> on_host(const void* from, std::size_t n) {
  std::vector<T> values(n);
  const auto n_bytes = static_cast<std::int64_t>(n * sizeof(T));
  copy_bytes({from, n_bytes}, {values.data(), n_bytes});
  return values;
}

class GpuBackend : public SimplexBackend {
 public:
  GpuBackend(const SimplexSizes& sizes, std::uint64_t seed, Site& site)
      : site_(site),
        numbers_(numbers_needed(sizes, collision_side, energy_side), seed, default_executor()),
        points_(on_device(numbers_.points, site.device())),
        wide_(on_device(std::vector<double>(numbers_.points.begin(), numbers_.points.end()), site.device())),
        line_(on_device(numbers_.line, site.device())),
        space_(on_device(numbers_.space, site.device())),
        line_radii_(on_device(numbers_.line_radii, site.device())),
        space_radii_(on_device(numbers_.space_radii, site.device())),
        totals_(site.device(), 2 * std::int64_t{sizeof(std::uint64_t)}),
        energies_(site.device(), n_energies * std::int64_t{sizeof(double)}),
        sums_(site.device(), std::max<std::int64_t>(1, sums_of(sizes.energy)) * std::int64_t{sizeof(double)}) {}

  const Numbers& numbers() const override { return numbers_; }

  std::vector<MapWay> ways(Work work, Maps maps, std::int64_t n) override {
    return is_of_triplets(work) ? triplet_ways_on_gpu(work, data_of(work, n), stream())
                                : ways_on_gpu(work, maps, data_of(work, n), stream());
  }
  Ceiling dense(Work work, std::int64_t n) override {
    return is_of_triplets(work) ? dense_triplets_on_gpu(work, data_of(work, n), stream()) : dense_on_gpu(work, data_of(work, n), stream());
  }

  Outcome outcome(Work work, std::int64_t n, const std::function<void()>& run) override {
    const std::int64_t n_words = work == Work::distances ? useful_cells(work, n) : 0;
    memset_on_gpu(site_.destination(), 0xFF, 4 * n_words, stream());
    gpu::clear(totals_, stream());
    gpu::clear(energies_, stream());
    run();
    if (work == Work::distances) weigh_on_gpu(site_.destination(), n_words, totals(), stream());
    site_.wait();
    const auto all = on_host<std::uint64_t>(totals_.data(), 2);
    const auto energies = on_host<double>(energies_.data(), n_energies);
    return {all[0], all[1], std::accumulate(energies.begin(), energies.end(), 0.0)};
  }

  std::vector<double> sample(const std::vector<std::int64_t>& places, Real type) override {
    if (type == Real::float64) return gathered<double>(places);
    const std::vector<float> values = gathered<float>(places);
    return {values.begin(), values.end()};
  }

  std::function<void()> distances(const DistanceCall& call) override {
    const Points points{.data = call.type == Real::float32 ? points_ : wide_, .type = call.type, .n = call.n, .n_features = 4};
    return [=, tiles = simplex::distance_tiles(call.form, call.n, call.type), to = static_cast<void*>(site_.destination()),
            stream = site_.stream()] { simplex::launch_distances(tiles, points, call.metric, to, stream); };
  }
  NumberCall collisions(int dimensions, std::int64_t n) override {
    const Work work = dimensions == 1 ? Work::collisions_1d : Work::collisions_3d;
    const auto run = [all = spheres(dimensions, n), to = totals(), s = site_.stream()] { simplex::launch_count(all, true, to, s); };
    return {run, [=, this] { return static_cast<double>(outcome(work, n, run).count); },
            dense_collisions_on_gpu(spheres(dimensions, numbers_.n_all()), n, totals(), stream())};
  }
  NumberCall energy(std::int64_t n) override {
    const Points points{.data = space_, .type = Real::float32, .n = n, .n_features = 3};
    const auto run = [points, to = sums(), s = site_.stream()] { simplex::launch_triplets(points, Real::float32, 1, to, s); };
    const auto result = [=, this] {
      outcome(Work::triplets, n, run);  // waited for
      return on_host<double>(sums_.data(), 1)[0];
    };
    return {run, result, dense_energy_on_gpu(static_cast<const float*>(space_.data()), n, sums(), stream())};
  }

 private:
  static std::int64_t sums_of(std::int64_t n) { return n == 0 ? 0 : std::max(simplex::n_triplet_sums(n), n_dense_sums(n)); }
  CUstream_st* stream() const { return site_.stream().get(); }
  std::uint64_t* totals() const { return static_cast<std::uint64_t*>(totals_.data()); }
  double* sums() const { return static_cast<double*>(sums_.data()); }

  WorkData data_of(Work work, std::int64_t n) const {
    const bool is_line = work == Work::collisions_1d;
    WorkData d;
    d.n = n;
    d.points = static_cast<const float*>(points_.data());
    d.centres = static_cast<const float*>((is_line ? line_ : space_).data());
    d.radii = static_cast<const float*>((is_line ? line_radii_ : space_radii_).data());
    d.out = reinterpret_cast<float*>(site_.destination());
    d.totals = totals();
    d.energies = static_cast<double*>(energies_.data());
    return d;
  }
  Spheres spheres(int dimensions, std::int64_t n) const {
    const Points centres{.data = dimensions == 1 ? line_ : space_, .type = Real::float32, .n = n, .n_features = dimensions};
    return {centres, dimensions == 1 ? line_radii_ : space_radii_};
  }

  template <class T>
  std::vector<T> gathered(const std::vector<std::int64_t>& places) const {
    const DeviceMemory from = on_device(places, site_.device()), to(site_.device(), std::ssize(places) * std::int64_t{sizeof(T)});
    gather_on_gpu(site_.destination(), static_cast<const std::int64_t*>(from.data()), std::ssize(places), sizeof(T), to.data(), stream());
    site_.wait();
    return on_host<T>(to.data(), places.size());
  }

  Site& site_;
  Numbers numbers_;
  DeviceMemory points_, wide_, line_, space_, line_radii_, space_radii_;  // as numbers_; wide_: points in float64
  DeviceMemory totals_, energies_, sums_;
};

}  // namespace

std::unique_ptr<SimplexBackend> simplex_on_gpu(const SimplexSizes& sizes, std::uint64_t seed, Site& site) {
  return std::make_unique<GpuBackend>(sizes, seed, site);
}

}  // namespace crinkle::bench
