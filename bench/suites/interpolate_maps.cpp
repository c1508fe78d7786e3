// The rows of the suite `interpolate` beside paper 4's: maps of samples, cross-validation, binning, and resampled arrays.
//     tree_t1e-3_n131072           sums over all samples within a tolerance
//     radius_n100000               all samples within a radius, about 100
//     nearest_k12_n100000          the 12 nearest of uniform samples, and nearest_k12_tracks_…: of tracks in a corner of a map that is
//                                  vacant elsewhere (gmtsar#198)
//     cross_validate_k12_n100000   each sample left out, in samples a second; grid_n1000000: count and mean of cells, likewise
//     resample_linear_zoom_1024, …  float32 planes, beside copies
// A map's rows are in cells a second.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "crinkle/interpolate.hpp"
#include "crinkle/resample.hpp"
#include "harness/random.hpp"
#include "interpolate/reference.hpp"
#include "resample/reference.hpp"
#include "suites/suites.hpp"

namespace crinkle::bench {
namespace {

/// Scattered samples in the unit square.
struct Scattered {
  std::vector<double> places, values;

  Samples samples() const { return {.places = places, .values = values}; }
  std::int64_t n() const { return std::ssize(values); }
};

enum class Spread : std::uint8_t { uniform, tracks };

Scattered scattered(std::int64_t n, std::uint64_t seed, Spread spread = Spread::uniform) {
  constexpr std::int64_t n_tracks = 20;
  const auto next = [&seed] { return static_cast<double>(next_random(seed) >> 11) * 0x1p-53; };
  Scattered s;
  for (std::int64_t i = 0; i < n; ++i) {
    double x = next(), y = next();
    if (spread == Spread::tracks) {
      y = 0.1 * (x + static_cast<double>(i % n_tracks)) / n_tracks + 1e-5 * y;
      x *= 0.1;
    }
    s.places.insert(s.places.end(), {x, y});
    s.values.push_back(std::sin(9 * x) + std::cos(7 * y) + 0.1 * next());
  }
  return s;
}

void expect_near(const std::string& name, std::int64_t at, double have, double want, double most) {
  if (!(std::abs(have - want) <= most) && !(std::isnan(have) && std::isnan(want)))
    throw std::runtime_error(fmt::format("{}: number {} is {} instead of {}, more than {:.2g} from it", name, at, have, want, most));
}

std::vector<float> result_of(Site& site, std::int64_t n) {
  const std::vector<std::byte> bytes = site.on_host(site.destination(), n * std::int64_t{sizeof(float)});
  std::vector<float> numbers(static_cast<std::size_t>(n));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

/// In units a second, without a copy beside it.
Contest counted(Contest c, const char* unit, std::int64_t units) {
  c.unit = unit;
  c.units = units;
  for (Way& way : c.ways) way.has_cold = false;
  return c;
}
Contest row_of(const std::string& name, const char* unit, std::int64_t units, std::function<void()> run) {
  Contest c;
  c.name = name;
  c.element_bytes = sizeof(float);
  c.ways.emplace_back("crinkle", std::move(run));
  return counted(std::move(c), unit, units);
}

Contest map_contest(const std::string& name, std::int64_t n_samples, Spread spread, std::int64_t side, const Interpolation& how, Site& site,
                    std::uint64_t seed) {
  const auto given = std::make_shared<const Scattered>(scattered(n_samples, seed, spread));
  const Raster raster = raster_over(0, 0, 1, 1, 1.0 / static_cast<double>(side));
  const Interpolator ours =
      site.is_gpu() ? Interpolator(given->samples(), how, site.device()) : Interpolator(given->samples(), how, site.executor());
  const std::int64_t n = raster.n_cells();
  const auto right = [=, &site] {
    const std::vector<float> have = result_of(site, n);
    std::vector<std::int64_t> cells;
    std::vector<double> places, want;
    for (std::int64_t t = 0; t < n; t += n / 13) {
      cells.push_back(t);
      places.push_back(raster.first[0] + static_cast<double>(t % side) * raster.step[0]);
      places.push_back(raster.first[1] + static_cast<double>(t / side) * raster.step[1]);
    }
    if (how.is_local()) {
      const auto planes = interpolation::planes_of(given->samples());
      for (std::size_t k = 0; k < cells.size(); ++k)
        want.push_back(interpolation::reference_value(planes, how, 0, {places[2 * k], places[2 * k + 1], 0}));
    } else {
      Interpolation exact = how;
      exact.tolerance = 0;
      want.resize(cells.size());
      interpolate(given->samples(), Reals(places), exact, std::span(want));
    }
    constexpr double range = 4.2;
    for (std::size_t k = 0; k < cells.size(); ++k)
      expect_near(name, cells[k], have[static_cast<std::size_t>(cells[k])], want[k], range * std::max(how.tolerance, 1e-6));
  };
  Contest c = counted(contest(name, ours.operation(raster, Real::float32), site, right,
                              how.is_local() ? "the definition, 13 cells" : "the sums of all samples, 13 cells"),
                      "cells", n);
  c.bytes = 0;
  c.ceilings.clear();
  c.facts = {{"samples", n_samples}};
  return c;
}

Contest validation_contest(const std::string& name, std::int64_t n, Site& site, std::uint64_t seed) {
  const auto given = std::make_shared<const Scattered>(scattered(n, seed));
  const auto rmse = [&site](const Scattered& s) {
    constexpr double powers[] = {2};
    constexpr std::int64_t neighbours[] = {12};
    return cross_validate(s.samples(), {}, powers, neighbours, site.executor())[0].rmse;
  };
  Contest c = row_of(name, "samples", n, [=] { rmse(*given); });
  c.check = [=] {
    const Scattered few = scattered(1000, seed);
    const auto planes = interpolation::planes_of(few.samples());
    double squares = 0;
    for (std::int64_t i = 0; i < few.n(); ++i) {
      const double predicted = interpolation::reference_value(planes, {.neighbours = 12}, 0, planes.place(i), i);
      squares += std::pow(predicted - few.values[static_cast<std::size_t>(i)], 2);
    }
    expect_near(name, 0, rmse(few), std::sqrt(squares / static_cast<double>(few.n())), 1e-12);
  };
  c.checked = "the definition, 1000 samples";
  return c;
}

Contest grid_contest(const std::string& name, std::int64_t n, std::int64_t side, Site& site, std::uint64_t seed) {
  const auto given = std::make_shared<const Scattered>(scattered(n, seed));
  const Raster raster = raster_over(0, 0, 1, 1, 1.0 / static_cast<double>(side));
  const std::int64_t n_cells = raster.n_cells();
  const auto out = std::make_shared<std::vector<double>>(static_cast<std::size_t>(2 * n_cells));
  Contest c = row_of(name, "samples", n, [=, &site] {
    constexpr Statistic statistics[] = {Statistic::count, Statistic::mean};
    bin(given->samples(), raster, statistics, *out, std::numeric_limits<double>::quiet_NaN(), site.executor());
  });
  c.check = [=, run = c.ways[0].parts[0]] {
    run();
    std::vector<double> counts(static_cast<std::size_t>(n_cells)), sums(counts.size());
    for (std::size_t i = 0; i < given->values.size(); ++i) {
      const auto x = static_cast<std::int64_t>(std::floor(given->places[2 * i] * static_cast<double>(side)));
      const auto y = static_cast<std::int64_t>(std::floor((1 - given->places[2 * i + 1]) * static_cast<double>(side)));
      const auto cell = static_cast<std::size_t>(y * side + x);
      ++counts[cell];
      sums[cell] += given->values[i];
    }
    for (std::size_t k = 0; k < counts.size(); ++k) {
      expect_near(name, std::ssize(counts), (*out)[k], counts[k], 0);
      expect_near(name, static_cast<std::int64_t>(k), (*out)[counts.size() + k], sums[k] / counts[k], 1e-12);
    }
  };
  c.checked = "a plain loop, all cells";
  return c;
}

Contest resample_contest(const std::string& name, const Resampling& how, Site& site, std::uint64_t seed) {
  const std::int64_t n_in = how.source.n_bytes(), n = how.destination.n_elements();
  std::vector<float> numbers(static_cast<std::size_t>(how.source.n_elements()));
  for (float& x : numbers) x = static_cast<float>(next_random(seed) >> 40) * 0x1p-24f;
  site.put(numbers.data(), n_in);
  const auto right = [=, &site] {
    const std::vector<float> have = result_of(site, n);
    const std::vector<std::byte> source = site.on_host(site.source(), n_in);
    std::vector<float> want(have.size());
    resampling::resample_reference(how, source.data(), reinterpret_cast<std::byte*>(want.data()));
    for (std::size_t i = 0; i < want.size(); ++i) expect_near(name, static_cast<std::int64_t>(i), have[i], want[i], 1e-5);
  };
  return counted(contest(name, plan(how, site.device()), site, right, "the definition, all elements"), "elements", n);
}

}  // namespace

std::vector<Entry> map_entries(const Request& request) {
  const bool is_gpu = request.site.is_gpu();
  std::vector<Entry> all;
  const auto add_map = [&](const std::string& what, std::int64_t n, std::int64_t side, const Interpolation& how,
                           Spread spread = Spread::uniform) {
    const std::string name = fmt::format("{}_n{}", what, n);
    all.push_back(
        {name, {0, 4 * side * side}, [=](Site& site, std::uint64_t seed) { return map_contest(name, n, spread, side, how, site, seed); }});
  };
  if (!is_gpu)  // elsewhere a tolerance changes nothing
    for (const double tolerance : {1e-3, 1e-5})
      add_map(tolerance > 1e-4 ? "tree_t1e-3" : "tree_t1e-5", 131072, 512, {.tolerance = tolerance});
  add_map("radius", 100000, 512, {.radius = 0.0178});
  add_map("nearest_k12", 100000, 512, {.neighbours = 12});
  add_map("nearest_k12_tracks", 100000, 512, {.neighbours = 12}, Spread::tracks);
  if (!is_gpu) {
    all.push_back({"cross_validate_k12_n100000", {}, [](Site& site, std::uint64_t seed) {
                     return validation_contest("cross_validate_k12_n100000", 100000, site, seed);
                   }});
    all.push_back(
        {"grid_n1000000", {}, [](Site& site, std::uint64_t seed) { return grid_contest("grid_n1000000", 1000000, 512, site, seed); }});
  }
  const std::int64_t side = is_gpu ? 4096 : 1024;
  const auto add_resampling = [&](const std::string& what, std::int64_t from, ResampleBy by, const auto& map_of) {
    Resampling how;
    how.source = Layout::dense({from, from}, 4);
    how.destination = Layout::dense({side, side}, 4);
    how.source_type = how.destination_type = {Number::float32};
    how.axes = {0, 1};
    how.by = by;
    how.map = map_of(Extents{from, from}, Extents{side, side});
    const std::string name = fmt::format("resample_{}_{}", what, side);
    all.push_back({name, {how.source.n_bytes(), how.destination.n_bytes()}, [=](Site& site, std::uint64_t seed) {
                     return resample_contest(name, how, site, seed);
                   }});
  };
  const auto zoom = [](const Extents& from, const Extents& to) { return zoom_map(from, to); };
  const auto rotation = [](const Extents& from, const Extents& to) { return rotation_map(25, from, to); };
  const auto polar = [](const Extents& from, const Extents& to) {
    const double middle = static_cast<double>(from[0] - 1) / 2;
    return polar_map(PolarMap::Direction::to_polar, to, {middle, middle}, middle);
  };
  add_resampling("linear_zoom", side / 2, ResampleBy::linear, zoom);
  add_resampling("cubic_zoom", side / 2, ResampleBy::cubic, zoom);
  add_resampling("linear_rotation", side, ResampleBy::linear, rotation);
  add_resampling("cubic_rotation", side, ResampleBy::cubic, rotation);
  add_resampling("linear_polar", side, ResampleBy::linear, polar);
  return all;
}

}  // namespace crinkle::bench
