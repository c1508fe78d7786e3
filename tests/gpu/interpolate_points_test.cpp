// Samples in the memory of a real GPU: the values have the bits of the same samples in the host's memory, from records in any layout, at
// targets put in order and as they are; what is refused says the same.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "crinkle/record_layout.hpp"
#include "interpolated.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing {
namespace {

class GpuPoints : public OnGpu {};

/// A cloud's samples as float64 records in a layout of the fields x, y, z, v0 … and w.
class RecordsThere {
 public:
  RecordsThere(const Cloud& c, const std::string& layout) {
    std::string fields;
    std::vector<std::string> names;
    for (int a = 0; a < c.n_dimensions; ++a) names.emplace_back(1, "xyz"[a]);
    for (std::int64_t k = 0; k < c.n_columns; ++k) names.push_back("v" + std::to_string(k));
    if (!c.weights.empty()) names.emplace_back("w");
    for (const std::string& name : names) fields += name + ":f8 ";
    const RecordLayout parsed = RecordLayout::parse(layout, parse_fields(fields));
    const std::int64_t n = c.n();
    const std::vector<PlainPlace> places = places_of(parsed, n, names);
    std::vector<std::byte> bytes(static_cast<std::size_t>(n * parsed.record_bytes() + 1024));
    for (std::int64_t i = 0; i < n; ++i)
      for (std::size_t f = 0; f < names.size(); ++f) {
        const PlainPlace& p = places[f];
        const std::int64_t b = i / p.block, r = std::min(p.block, n - b * p.block);
        const auto d = static_cast<std::size_t>(c.n_dimensions), k = static_cast<std::size_t>(c.n_columns), j = static_cast<std::size_t>(i);
        const double x = f < d ? c.places[j * d + f] : f < d + k ? c.values[j * k + f - d] : c.weights[j];
        std::memcpy(bytes.data() + p.begin + b * p.block * p.record_bytes + r * p.offset + (i - b * p.block) * 8, &x, sizeof x);
      }
    memory_.emplace(on_device(bytes));
    samples_.n = n;
    for (std::size_t f = 0; f < names.size(); ++f) {
      const RecordNumbers numbers{memory_->data(), places[f], Real::float64};
      if (f < static_cast<std::size_t>(c.n_dimensions)) samples_.places.push_back(numbers);
      else if (names[f] == "w") samples_.weights = numbers;
      else samples_.values.push_back(numbers);
    }
  }
  const DeviceSamples& samples() const { return samples_; }

 private:
  std::optional<Lent> memory_;
  DeviceSamples samples_;
};

std::string packed_layout(const Cloud& c) {
  std::string layout = c.n_dimensions == 2 ? "(x y" : "(x y z";
  for (std::int64_t k = 0; k < c.n_columns; ++k) layout += " v" + std::to_string(k);
  return layout + (c.weights.empty() ? ")" : " w)");
}

void expect_same(const Cloud& c, const std::string& layout, const std::vector<double>& places, Interpolation how, const std::string& what) {
  how.nodata = -9999;
  const std::string here = what + ", " + layout;
  const RecordsThere records(c, layout);
  const Stream stream(cuda());
  const Interpolator made(records.samples(), how, cuda(), stream);
  const std::vector<double> want = interpolated<double>(c, places, how);
  const Lent there = on_device(places);
  const Reals reals(std::span(static_cast<const double*>(there.data()), places.size()));
  const auto n = std::ssize(want), n_targets = n / c.n_columns;
  const auto check = [&](const std::vector<double>& got) {
    if (how.neighbours > 0) {
      EXPECT_EQ(got, want) << here;
    } else {
      EXPECT_LE(error_of(c, want, got), 1e-12) << here;
    }
  };
  check(run_guarded<double>(made, reals, n));
  const Operation operation = made.operation(TargetPlaces{n_targets, Real::float64}, Real::float64);
  EXPECT_EQ(operation.workspace_bytes() > 0, n_targets >= 1 << 14) << here;
  const Lent out(n * 8), workspace(operation.workspace_bytes() + 1);
  operation.run({{there.data(), there.bytes()}}, {{out.data(), n * 8}}, stream,
                {static_cast<std::byte*>(workspace.data()) + 1, operation.workspace_bytes()});
  stream.synchronize();
  std::vector<double> got(want.size());
  copy_bytes({out.data(), n * 8}, {got.data(), n * 8});
  check(got);
}

TEST_F(GpuPoints, give_what_samples_of_the_host_give) {
  for (const int d : {2, 3})
    for (const Spread spread : spreads)
      for (const std::int64_t n : {1, 2, 9, 1000, 40000}) {
        const Cloud c = cloud(n, d, spread);
        const std::string what = std::to_string(n) + " samples, spread " + std::to_string(static_cast<int>(spread));
        const std::vector<double> places = targets_of(c, n == 40000 ? 20000 : 300);
        expect_same(c, packed_layout(c), places, {.neighbours = 8}, what);
        expect_same(c, packed_layout(c), places, {.power = 3, .neighbours = 3, .radius = 0.1, .sectors = 8}, what);
        if (n <= 1000) expect_same(c, packed_layout(c), places, {.radius = 0.1}, what);
      }
}

// The bits of samples of the host on the same GPU.
TEST_F(GpuPoints, are_summed_over_all_of_them) {
  for (const int d : {2, 3})
    for (const Spread spread : spreads)
      for (const std::int64_t n : {1, 65, 5003}) {
        Cloud c = cloud(n, d, spread, n == 65 ? 2 : 1);
        if (n == 5003)
          for (std::int64_t i = 0; i < n; ++i) c.weights.push_back(i % 7 == 3 ? 0 : 1 + static_cast<double>(i % 5));
        const std::vector<double> places = targets_of(c, 300);
        const Lent there = on_device(places);
        const Reals reals(std::span(static_cast<const double*>(there.data()), places.size()));
        for (const double power : {1.0, 2.0, 2.5})
          for (const bool is_ellipse : {false, d == 2}) {
            const Interpolation how{.power = power, .anisotropy = is_ellipse ? Anisotropy{3, 30} : Anisotropy{}};
            const RecordsThere records(c, packed_layout(c));
            const Interpolator made(records.samples(), how, cuda()), right(c.samples(), how, cuda());
            const std::int64_t n_values = 300 * c.n_columns;
            EXPECT_EQ(run_guarded<double>(made, reals, n_values), run_guarded<double>(right, reals, n_values)) << n << " samples";
            EXPECT_EQ(run_guarded<float>(made, reals, n_values), run_guarded<float>(right, reals, n_values)) << n << " samples";
          }
        const Interpolation more{.least_neighbours = n + 1, .nodata = -9};
        const RecordsThere records(c, packed_layout(c));
        EXPECT_EQ(run_guarded<double>(Interpolator(records.samples(), more, cuda()), reals, 300 * c.n_columns),
                  std::vector<double>(static_cast<std::size_t>(300 * c.n_columns), -9));
      }
}

TEST_F(GpuPoints, are_binned_with_the_bits_of_the_cpu) {
  constexpr Statistic all[] = {Statistic::count, Statistic::mean, Statistic::deviation};
  for (const int d : {2, 3})
    for (const char* layout : {"(x y v0 v1)", "x|y|v0|v1", "(x y v0 v1)*8"}) {
      const Cloud c = cloud(20000, d, Spread::clustered, 2);
      const RecordsThere records(c, d == 2 ? layout : packed_layout(c));
      const Raster raster{.first = {0.15, 0.95, 0.05}, .step = {0.1, -0.1, 0.1}, .extents = {7, 13, d == 3 ? 8 : 1}};
      std::vector<double> want(static_cast<std::size_t>(3 * 2 * raster.n_cells())), got(want.size());
      const std::int64_t n_inside = bin(c.samples(), raster, all, want, -9);
      const Lent out = on_device(got);
      const std::span there(static_cast<double*>(out.data()), got.size());
      EXPECT_EQ(bin(records.samples(), raster, all, there, -9, cuda()), n_inside);
      copy_bytes(out, {got.data(), out.bytes()});
      EXPECT_EQ(got, want) << layout;
    }
}

TEST_F(GpuPoints, in_records_of_every_layout_weighted_in_columns_and_in_an_ellipse) {
  Cloud c = cloud(5003, 2, Spread::duplicates, 2);
  Random random(3);
  for (std::int64_t i = 0; i < c.n(); ++i) c.weights.push_back(i % 11 < 2 ? 0 : 5 * random() + 1e-3);
  const std::vector<double> places = targets_of(c, 500);
  for (const char* layout :
       {"(x y v0 v1 w)", "(x y v0 v1 w)@16", "x|y|v0|v1|w", "(x y v0 v1 w)*8", "(x y)@16|(v0 v1)@16|w", "(3 x y 1 v0 v1 w)"}) {
    expect_same(c, layout, places, {.neighbours = 5}, "weighted");
    expect_same(c, layout, places, {.neighbours = 4, .anisotropy = {3, 30}}, "an ellipse");
  }
}

TEST_F(GpuPoints, are_refused_with_the_words_of_the_host) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto text_of = [](const auto& make) -> std::string {
    try {
      make();
    } catch (const Error& e) { return e.what(); }
    return "taken";
  };
  const auto compare = [&](const Cloud& c) {
    const RecordsThere records(c, packed_layout(c));
    const Interpolation how{.neighbours = 3};
    EXPECT_EQ(text_of([&] { const Interpolator made(records.samples(), how, cuda()); }),
              text_of([&] { const Interpolator made(c.samples(), how); }));
  };
  Cloud c = cloud(300, 2, Spread::uniform, 2);
  compare(c);
  c.values[2 * 80 + 1] = nan;
  compare(c);
  c.values[2 * 200] = std::numeric_limits<double>::infinity();
  compare(c);
  c.weights.assign(300, 1);
  c.weights[9] = -1;
  compare(c);
  c.weights.assign(300, 0);
  compare(c);
  c.places[2 * 70 + 1] = nan;
  compare(c);
}

}  // namespace
}  // namespace crinkle::testing
