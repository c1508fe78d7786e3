// The suite `simplex` on a GPU. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <numeric>

#include "cuda/runtime.hpp"
#include "simplex/pairs_cuda.hpp"
#include "suites/arrays_gpu.hpp"
#include "suites/simplex.hpp"
#include "suites/simplex_check.hpp"
#include "suites/simplex_kernels.hpp"

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

class GpuSite : public SimplexSite {
 public:
  GpuSite(const SimplexSizes& sizes, std::int64_t out_bytes, std::uint64_t seed, Device device)
      : sizes_(sizes),
        device_(device),
        numbers_(numbers_needed(sizes, collision_side, energy_side), seed, default_executor()),
        points_(on_device(numbers_.points, device)),
        wide_(on_device(std::vector<double>(numbers_.points.begin(), numbers_.points.end()), device)),
        line_(on_device(numbers_.line, device)),
        space_(on_device(numbers_.space, device)),
        line_radii_(on_device(numbers_.line_radii, device)),
        space_radii_(on_device(numbers_.space_radii, device)),
        totals_(device, 2 * std::int64_t{sizeof(std::uint64_t)}),
        energies_(device, n_energies * std::int64_t{sizeof(double)}),
        sums_(device, std::max<std::int64_t>(1, sums_of(sizes.energy)) * std::int64_t{sizeof(double)}),
        out_(device, std::max<std::int64_t>(16, out_bytes)),
        stream_(device),
        turns_(device, stream_) {}

  const Numbers& numbers() const override { return numbers_; }

  std::vector<Way> ways(Work work, Maps maps, std::int64_t n) override {
    return is_of_triplets(work) ? triplet_ways_on_gpu(work, data_of(work, n), stream_.get())
                                : ways_on_gpu(work, maps, data_of(work, n), stream_.get());
  }
  Ceiling dense(Work work, std::int64_t n) override {
    return is_of_triplets(work) ? dense_triplets_on_gpu(work, data_of(work, n), stream_.get())
                                : dense_on_gpu(work, data_of(work, n), stream_.get());
  }
  std::vector<Ceiling> fills(std::int64_t n_bytes) override {
    void* const to = out_.data();
    const auto on_stream = [=, stream = stream_.get()](const auto& write) { return [=] { write(to, n_bytes, stream); }; };
    return {{"fill", on_stream([](void* dst, std::int64_t n, CUstream_st* s) { fill_on_gpu(dst, n, s); })},
            {"memset", on_stream([](void* dst, std::int64_t n, CUstream_st* s) { memset_on_gpu(dst, 1, n, s); })}};
  }

  Outcome outcome(Work work, std::int64_t n, const std::function<void()>& run) override {
    const gpu::OnDevice on(device_.index);
    const std::int64_t n_words = work == Work::distances ? useful_cells(work, n) : 0;
    memset_on_gpu(out_.data(), 0xFF, 4 * n_words, stream_.get());
    gpu::clear(totals_, stream_.get());
    gpu::clear(energies_, stream_.get());
    run();
    if (work == Work::distances) weigh_on_gpu(out_.data(), n_words, totals(), stream_.get());
    stream_.synchronize();
    const auto all = on_host<std::uint64_t>(totals_.data(), 2);
    const auto energies = on_host<double>(energies_.data(), n_energies);
    return {all[0], all[1], std::accumulate(energies.begin(), energies.end(), 0.0)};
  }

  std::vector<float> sample(const std::vector<std::int64_t>& places) override { return gathered<float>(places); }

  std::vector<Call> calls() override {
    return named_calls(
        sizes_, [this](const DistanceCall& call) { return distances_of(call); },
        [this](int dimensions, std::int64_t n) { return collisions_of(dimensions, n); }, [this](std::int64_t n) { return energy_of(n); });
  }

  void take_turns(std::vector<Contender>& contenders, const Effort& effort) override { turns_.take(contenders, effort); }
  int threads() const override { return 0; }

 private:
  static std::int64_t sums_of(std::int64_t n) { return n == 0 ? 0 : std::max(simplex::n_triplet_sums(n), n_dense_sums(n)); }
  std::uint64_t* totals() const { return static_cast<std::uint64_t*>(totals_.data()); }
  double* sums() const { return static_cast<double*>(sums_.data()); }

  WorkData data_of(Work work, std::int64_t n) const {
    const bool is_line = work == Work::collisions_1d;
    WorkData d;
    d.n = n;
    d.points = static_cast<const float*>(points_.data());
    d.centres = static_cast<const float*>((is_line ? line_ : space_).data());
    d.radii = static_cast<const float*>((is_line ? line_radii_ : space_radii_).data());
    d.out = static_cast<float*>(out_.data());
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
    const gpu::OnDevice on(device_.index);
    const DeviceMemory from = on_device(places, device_), to(device_, std::ssize(places) * std::int64_t{sizeof(T)});
    gather_on_gpu(out_.data(), static_cast<const std::int64_t*>(from.data()), std::ssize(places), sizeof(T), to.data(), stream_.get());
    stream_.synchronize();
    return on_host<T>(to.data(), places.size());
  }

  Contest distances_of(const DistanceCall& call) {
    const gpu::OnDevice on(device_.index);
    const bool is_narrow = call.type == Real::float32;
    const Points points{.data = is_narrow ? points_ : wide_, .type = call.type, .n = call.n, .n_features = 4};
    Contest c{.n = call.n, .element_bytes = bytes_of(call.type), .bytes = call.bytes(), .useful = call.n * (call.n - 1) / 2};
    c.ways = {{"crinkle", [=, tiles = simplex::distance_tiles(call.form, call.n, call.type), to = out_.data(), stream = stream_] {
                 simplex::launch_distances(tiles, points, call.metric, to, stream);
               }}};
    memset_on_gpu(out_.data(), 0xFF, call.bytes(), stream_.get());
    c.ways[0].run();
    stream_.synchronize();
    check_distances(name_of(call.form), numbers_, call, [&](const std::vector<std::int64_t>& places) {
      if (!is_narrow) return gathered<double>(places);
      const std::vector<float> values = gathered<float>(places);
      return std::vector<double>(values.begin(), values.end());
    });
    c.ceilings = fills(call.bytes());
    c.checked = "sample";
    return c;
  }

  Contest collisions_of(int dimensions, std::int64_t n) {
    const Work work = dimensions == 1 ? Work::collisions_1d : Work::collisions_3d;
    Contest c{.n = n, .bytes = 4 * (dimensions + 1) * n, .useful = useful_cells(work, n)};
    c.ways = {{"crinkle", [all = spheres(dimensions, n), to = totals(), stream = stream_] { simplex::launch_count(all, to, stream); }}};
    check_count("launch_count", outcome(work, n, c.ways[0].run).count, outcome(work, n, ways(work, Maps::all, n)[0].run).count);
    c.ceilings = {dense_collisions_on_gpu(spheres(dimensions, numbers_.n_all()), n, totals(), stream_.get())};
    c.checked = "bounding box";
    return c;
  }

  Contest energy_of(std::int64_t n) {
    const Points points{.data = space_, .type = Real::float32, .n = n, .n_features = 3};
    Contest c{.n = n, .bytes = 12 * n, .useful = useful_cells(Work::triplets, n), .is_of_triplets = true};
    c.ways = {{"crinkle", [points, to = sums(), stream = stream_] { simplex::launch_triplets(points, to, stream); }}};
    const double expected = outcome(Work::triplets, n, ways(Work::triplets, Maps::all, n)[0].run).energy;
    outcome(Work::triplets, n, c.ways[0].run);  // waited for
    check_energy("launch_triplets", on_host<double>(sums_.data(), 1)[0], expected, 1e-4);
    c.ceilings = {dense_energy_on_gpu(static_cast<const float*>(space_.data()), n, sums(), stream_.get())};
    c.checked = "bounding box";
    return c;
  }

  SimplexSizes sizes_;
  Device device_;
  Numbers numbers_;
  DeviceMemory points_, wide_, line_, space_, line_radii_, space_radii_;  // as numbers_; wide_: points in float64
  DeviceMemory totals_, energies_, sums_, out_;
  Stream stream_;
  GpuTurns turns_;
};

}  // namespace

void run_simplex_on_gpu(const SimplexSizes& sizes, std::span<const std::string> filters, const Effort& effort, std::uint64_t seed,
                        Device device, Report& report) {
  GpuSite site(sizes, simplex_bytes(sizes, filters, effort), seed, device);
  run_simplex(site, sizes, filters, effort, report);
}

}  // namespace crinkle::bench
