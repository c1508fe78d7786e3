// The suite `simplex` on a CPU. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "papers/simplex/simplex.hpp"

namespace crinkle::bench {
namespace {

class CpuBackend : public SimplexBackend {
 public:
  CpuBackend(const SimplexSizes& sizes, std::uint64_t seed, Site& site)
      : site_(site), numbers_(numbers_needed(sizes, dense_rows, dense_layers), seed, site.executor()) {
    wide_.assign(numbers_.points.begin(), numbers_.points.end());
  }

  const Numbers& numbers() const override { return numbers_; }
  std::vector<MapWay> ways(Work work, Maps maps, std::int64_t n) override { return ways_on_cpu(work, maps, data_of(work, n), executor()); }
  Ceiling dense(Work work, std::int64_t n) override { return dense_on_cpu(work, data_of(work, n), executor()); }

  Outcome outcome(Work work, std::int64_t n, const std::function<void()>& run) override {
    const std::int64_t n_words = work == Work::distances ? useful_cells(work, n) : 0;
    std::fill_n(reinterpret_cast<std::uint32_t*>(out()), n_words, unwritten_word);
    totals_[0] = totals_[1] = 0;
    energy_ = 0;
    run();
    Outcome o{totals_[0], totals_[1], energy_};
    const auto* words = reinterpret_cast<const std::uint32_t*>(out());
    for (std::int64_t k = 0; k < n_words; ++k) {
      o.count += words[k] == unwritten_word ? 1U : 0U;
      o.sum += weighed_word(words[k], static_cast<std::uint64_t>(k));
    }
    return o;
  }

  std::vector<double> sample(const std::vector<std::int64_t>& places, Real type) override {
    std::vector<double> values;
    for (const std::int64_t at : places)
      values.push_back(type == Real::float32 ? static_cast<double>(out()[at]) : reinterpret_cast<const double*>(site_.destination())[at]);
    return values;
  }

  std::function<void()> distances(const DistanceCall& call) override {
    const void* from = call.type == Real::float32 ? static_cast<const void*>(numbers_.points.data()) : wide_.data();
    const Points points{.data = {from, call.n * 4 * bytes_of(call.type)}, .type = call.type, .n = call.n, .n_features = 4};
    return [=, to = Buffer{site_.destination(), call.bytes()}, &workers = executor()] {
      crinkle::distances(points, call.metric, call.form, to, workers);
    };
  }
  NumberCall collisions(int dimensions, std::int64_t n) override {
    const auto count = [all = spheres(dimensions, n), &workers = executor()] {
      return static_cast<double>(count_collisions(all, workers));
    };
    return {count, count, dense_count_on_cpu(spheres(dimensions, numbers_.n_all()), n, executor())};
  }
  NumberCall energy(std::int64_t n) override {
    const Points points{.data = {numbers_.space.data(), n * 12}, .type = Real::float32, .n = n, .n_features = 3};
    const auto sum = [points, &workers = executor()] { return triplet_energy(points, workers); };
    return {sum, sum, dense_energy_on_cpu(numbers_.space, n, executor())};
  }

 private:
  Executor& executor() const { return site_.executor(); }
  float* out() const { return reinterpret_cast<float*>(site_.destination()); }

  WorkData data_of(Work work, std::int64_t n) {
    const bool is_line = work == Work::collisions_1d;
    return {n,
            numbers_.points.data(),
            is_line ? numbers_.line.data() : numbers_.space.data(),
            is_line ? numbers_.line_radii.data() : numbers_.space_radii.data(),
            out(),
            totals_,
            &energy_};
  }
  Spheres spheres(int dimensions, std::int64_t n) const {
    const std::vector<float>&centres = dimensions == 1 ? numbers_.line : numbers_.space,
          &radii = dimensions == 1 ? numbers_.line_radii : numbers_.space_radii;
    return {{.data = {centres.data(), n * dimensions * 4}, .type = Real::float32, .n = n, .n_features = dimensions}, {radii.data(), n * 4}};
  }

  Site& site_;
  Numbers numbers_;
  std::vector<double> wide_;  // points, in float64
  std::uint64_t totals_[2] = {};
  double energy_ = 0;
};

}  // namespace

std::unique_ptr<SimplexBackend> simplex_on_cpu(const SimplexSizes& sizes, std::uint64_t seed, Site& site) {
  return std::make_unique<CpuBackend>(sizes, seed, site);
}

}  // namespace crinkle::bench
