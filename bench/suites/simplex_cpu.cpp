// The suite `simplex` on a CPU. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "cpu/copy.hpp"
#include "suites/buffers.hpp"
#include "suites/hypercubic_transform.hpp"
#include "suites/simplex.hpp"
#include "suites/simplex_check.hpp"
#include "suites/simplex_dense.hpp"
#include "suites/simplex_loops.hpp"

namespace crinkle::bench {
namespace {

class CpuSite : public SimplexSite {
 public:
  CpuSite(const SimplexSizes& sizes, std::int64_t out_bytes, std::uint64_t seed, Executor& executor)
      : sizes_(sizes),
        executor_(executor),
        numbers_(numbers_needed(sizes, dense_rows, dense_layers), seed, executor),
        out_(out_bytes, executor),
        evictor_(executor) {
    wide_.assign(numbers_.points.begin(), numbers_.points.end());
  }

  const Numbers& numbers() const override { return numbers_; }
  std::vector<Way> ways(Work work, Maps maps, std::int64_t n) override { return ways_on_cpu(work, maps, data_of(work, n), executor_); }
  Ceiling dense(Work work, std::int64_t n) override { return dense_on_cpu(work, data_of(work, n), executor_); }

  /// Of whole cache lines, of which the last is left.
  std::vector<Ceiling> fills(std::int64_t n_bytes) override {
    const auto over_lines = [=, this](const auto& write) {
      return [=, this] {
        in_parts(n_bytes / 64, executor_,
                 [&](std::int64_t first, std::int64_t last) { write(out_.data() + 64 * first, 64 * (last - first)); });
      };
    };
    const auto stream = [](std::byte* to, std::int64_t n) {
      constexpr std::int64_t most = 64 << 10;  // stays in the second cache
      alignas(64) static const std::byte from[most] = {};
      for (std::int64_t at = 0; at < n; at += most) copy_plain(CopyKind::streamed, to + at, from, std::min(most, n - at));
    };
    return {{"streamed", over_lines(stream)},
            {"fill", over_lines([](std::byte* to, std::int64_t n) { std::fill_n(reinterpret_cast<float*>(to), n / 4, 1.5F); })},
            {"memset", over_lines([](std::byte* to, std::int64_t n) { std::memset(to, 1, static_cast<std::size_t>(n)); })}};
  }

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

  std::vector<float> sample(const std::vector<std::int64_t>& places) override {
    std::vector<float> values;
    for (const std::int64_t at : places) values.push_back(out()[at]);
    return values;
  }

  std::vector<Call> calls() override {
    return named_calls(
        sizes_, [this](const DistanceCall& call) { return distances_of(call); },
        [this](int dimensions, std::int64_t n) { return collisions_of(dimensions, n); }, [this](std::int64_t n) { return energy_of(n); });
  }

  void take_turns(std::vector<Contender>& contenders, const Effort& effort) override {
    take_hot_and_cold(contenders, effort, evictor_.clock());
  }
  int threads() const override { return executor_.n_workers(); }

 private:
  float* out() const { return reinterpret_cast<float*>(out_.data()); }

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

  Contest distances_of(const DistanceCall& call) {
    const bool is_narrow = call.type == Real::float32;
    const Points points{
        .data = {is_narrow ? static_cast<const void*>(numbers_.points.data()) : wide_.data(), call.n * 4 * bytes_of(call.type)},
        .type = call.type,
        .n = call.n,
        .n_features = 4};
    const Buffer to{out_.data(), call.bytes()};
    Contest c{.n = call.n, .element_bytes = bytes_of(call.type), .bytes = call.bytes(), .useful = call.n * (call.n - 1) / 2};
    c.ways = {{"crinkle", [=, this] { distances(points, call.metric, call.form, to, executor_); }}};
    std::memset(out_.data(), 0xFF, static_cast<std::size_t>(call.bytes()));
    c.ways[0].run();
    check_distances(name_of(call.form), numbers_, call, [&](const std::vector<std::int64_t>& places) {
      std::vector<double> values;
      for (const std::int64_t at : places)
        values.push_back(is_narrow ? static_cast<double>(out()[at]) : reinterpret_cast<const double*>(out_.data())[at]);
      return values;
    });
    c.ceilings = fills(call.bytes());
    c.checked = "sample";
    return c;
  }

  Contest collisions_of(int dimensions, std::int64_t n) {
    const Work work = dimensions == 1 ? Work::collisions_1d : Work::collisions_3d;
    const Spheres all = spheres(dimensions, n);
    Contest c{.n = n, .bytes = 4 * (dimensions + 1) * n, .useful = useful_cells(work, n)};
    const std::uint64_t expected = outcome(work, n, ways(work, Maps::all, n)[0].run).count;
    check_count("count_collisions", static_cast<std::uint64_t>(count_collisions(all, executor_)), expected);
    c.ways = {{"crinkle", [=, this] { count_collisions(all, executor_); }}};
    c.ceilings = {dense_count_on_cpu(spheres(dimensions, numbers_.n_all()), n, executor_)};
    c.checked = "bounding box";
    return c;
  }

  Contest energy_of(std::int64_t n) {
    const Points points{.data = {numbers_.space.data(), n * 12}, .type = Real::float32, .n = n, .n_features = 3};
    Contest c{.n = n, .bytes = 12 * n, .useful = useful_cells(Work::triplets, n), .is_of_triplets = true};
    const double expected = outcome(Work::triplets, n, ways(Work::triplets, Maps::all, n)[0].run).energy;
    check_energy("triplet_energy", triplet_energy(points, executor_), expected, 1e-4);
    c.ways = {{"crinkle", [=, this] { triplet_energy(points, executor_); }}};
    c.ceilings = {dense_energy_on_cpu(numbers_.space, n, executor_)};
    c.checked = "bounding box";
    return c;
  }

  SimplexSizes sizes_;
  Executor& executor_;
  Numbers numbers_;
  std::vector<double> wide_;  // points, in float64
  Region out_;
  Evictor evictor_;
  std::uint64_t totals_[2] = {};
  double energy_ = 0;
};

}  // namespace

void run_simplex(const SimplexSizes& sizes, std::span<const std::string> filters, const Effort& effort, std::uint64_t seed,
                 Executor& executor, Report& report) {
  CpuSite site(sizes, simplex_bytes(sizes, filters, effort), seed, executor);
  run_simplex(site, sizes, filters, effort, report);
}

}  // namespace crinkle::bench
