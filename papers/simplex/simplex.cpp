// SPDX-License-Identifier: BSD-3-Clause
#include "papers/simplex/simplex.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "papers/simplex/check.hpp"
#include "papers/simplex/epsilon.hpp"

namespace crinkle::bench {
namespace {

/// A figure of the paper, or what belongs beside it.
struct SimplexFigure {
  const char* name;  // of its rows
  const char* title;
  const char* what;
  Work work;
  Maps maps;
  const char* paper;  // what it says of itself
};
constexpr const char* to_one_place = "every thread writes the sum of its indices to one place";
const SimplexFigure simplex_figures[] = {
    {"roots", "Figure 3: square roots", to_one_place, Work::dummy, Maps::roots,
     "lambda_x 0.83 to 1.08, lambda_n 0.96 to 1.08, lambda_r 1.08 to 1.15"},
    {"dummy", "Figure 5: dummy", to_one_place, Work::dummy, Maps::all, "rectangular_box up to 1.33, lambda up to 1.18"},
    {"map", "Beside figure 5: the map alone", "nothing is written", Work::map_alone, Maps::all, "at most 2"},
    {"edm", "Figure 5: Euclidean distances", "of 4 float32 features, to a packed triangle", Work::distances, Maps::all,
     "rectangular_box up to 1.28, lambda 1.18, recursive up to 1.12, upper_triangular mostly below 1"},
    {"collisions_1d", "Figure 5: collisions, 1-D", "spheres in shared memory", Work::collisions_1d, Maps::all, "lambda about 1"},
    {"collisions_3d", "Figure 5: collisions, 3-D", "spheres in shared memory", Work::collisions_3d, Maps::all,
     "lambda up to 1.07, others below 1"},
    {"tetrahedron", "Section 6: tetrahedra, dummy", to_one_place, Work::dummy_3d, Maps::all, "predicts up to 6"},
    {"triplets", "Section 6: tetrahedra, Axilrod and Teller's energy", "a term a thread", Work::triplets, Maps::all, "predicts up to 6"}};

SimplexSizes sizes_of(Device::Kind kind) {
  if (kind == Device::Kind::cpu) return {{1024, 2048, 4096}, {128, 256}, {8192, 16384}, {16384}, 1024};
  return {{1024, 2048, 4096, 8192, 16384, 30720, 61440, 131072}, {256, 512, 1024, 2048}, {30720}, {30720, 131072}, 2048};
}

std::int64_t least_bytes(Work work, std::int64_t n) {
  constexpr std::int64_t word = 4, total = 8;
  switch (work) {
    case Work::distances: return 4 * word * n + word * useful_cells(work, n);
    case Work::collisions_1d: return 2 * word * n + total;
    case Work::collisions_3d: return 4 * word * n + total;
    case Work::triplets: return 3 * word * n + total;
    default: return word;
  }
}

/// What the entries of a list share: made when the first of them has its turn.
struct Shared {
  SimplexSizes sizes;
  std::unique_ptr<SimplexBackend> backend = {};

  SimplexBackend& at(Site& site, std::uint64_t seed) {
    if (!backend) backend = site.is_gpu() ? simplex_on_gpu(sizes, seed, site) : simplex_on_cpu(sizes, seed, site);
    return *backend;
  }
};

Contest contest_of(const std::string& name, const char* unit, std::int64_t units, std::int64_t n, std::int64_t bytes) {
  Contest c;
  c.name = name;
  c.element_bytes = 4;
  c.bytes = bytes;  // read and written at least
  c.unit = unit;
  c.units = units;
  c.facts["n"] = n;
  return c;
}

Contest figure_at(const SimplexFigure& f, std::int64_t n, SimplexBackend& backend, Site& site) {
  const std::int64_t useful = useful_cells(f.work, n);
  Contest c = contest_of(fmt::format("{}_{}", f.name, n), is_of_triplets(f.work) ? "triplets" : "pairs", useful, n, least_bytes(f.work, n));
  c.rows = Contest::Rows::all;
  c.is_raced = true;
  const std::vector<MapWay> ways = backend.ways(f.work, f.maps, n);  // the bounding box first
  for (const MapWay& way : ways) {
    c.ways.emplace_back(way.name, way.run);
    c.ways.back().facts = {{"map", way.name}};
    if (way.n_blocks > 0) c.ways.back().facts.update({{"blocks", way.n_blocks}, {"blocks_outside", way.n_outside}});
  }
  c.check = [=, &backend] { check_ways(backend, f.work, f.maps, n, ways); };
  c.checked = checked_by(f.work, n);
  c.ceilings = {backend.dense(f.work, n)};
  c.filled_bytes = 4 * useful;
  if (f.work == Work::distances) c.fills = ceilings_of(site.fills(c.filled_bytes));
  c.plot = {f.title, "n", n, "seconds", {}};
  return c;
}

Contest distances_of(const std::string& name, const DistanceCall& call, SimplexBackend& backend, Site& site) {
  Contest c = contest_of(name, "pairs", call.n * (call.n - 1) / 2, call.n, call.bytes());
  c.element_bytes = bytes_of(call.type);
  c.ways = {{"crinkle", backend.distances(call)}};
  c.check = [call, &backend, &site, run = c.ways[0].parts[0]] {
    site.poison(call.bytes());
    run();
    site.wait();
    check_distances(name_of(call.form), backend.numbers().points, call,
                    [&](const auto& places) { return backend.sample(places, call.type); });
  };
  c.checked = "sample";
  c.ceilings = ceilings_of(site.fills(call.bytes()));
  return c;
}

/// Checked by the bounding box.
Contest number_of(const std::string& name, Work work, std::int64_t n, SimplexBackend& backend) {
  const bool is_energy = work == Work::triplets;
  const int dimensions = work == Work::collisions_1d ? 1 : 3;
  Contest c = contest_of(name, is_energy ? "triplets" : "pairs", useful_cells(work, n), n, 4 * (is_energy ? 3 : dimensions + 1) * n);
  const NumberCall call = is_energy ? backend.energy(n) : backend.collisions(dimensions, n);
  c.ways = {{"crinkle", call.run}};
  c.check = [=, &backend] {
    const Outcome expected = backend.outcome(work, n, backend.ways(work, Maps::all, n)[0].run);
    if (is_energy) check_energy("energy of triplets", call.result(), expected.energy, 1e-4);
    else check_count("count of collisions", static_cast<std::uint64_t>(call.result()), expected.count);
  };
  c.checked = "bounding box";
  c.ceilings = {call.ceiling};
  return c;
}

}  // namespace

nlohmann::ordered_json simplex_facts() {
  const nlohmann::ordered_json improvements = {
      {"Figure 3: square roots",
       {{"GTX 680", {{"lambda_x", 0.87}, {"lambda_n", 1.025}, {"lambda_r", 1.15}}},
        {"GTX 765M", {{"lambda_x", 0.83}, {"lambda_n", 0.96}, {"lambda_r", 1.1}}},
        {"Tesla K40", {{"lambda_x", 1.08}, {"lambda_n", 1.08}, {"lambda_r", 1.08}}}}},
      {"Figure 5: dummy", {{"best card", {{"rectangular_box", 1.33}, {"lambda", 1.18}}}}},
      {"Figure 5: Euclidean distances", {{"best card", {{"rectangular_box", 1.28}, {"lambda", 1.18}, {"recursive", 1.12}}}}},
      {"Figure 5: collisions, 3-D", {{"best card", {{"lambda", 1.07}}}}},
      {"Section 6: tetrahedra, dummy", {{"predicted", {{"tetrahedron", 6}}}}}};
  nlohmann::ordered_json ranges = nlohmann::ordered_json::array();
  for (const EpsilonRange& range : epsilon_ranges(1 << 16))
    ranges.push_back(
        {{"map", range.map}, {"epsilon", range.epsilon == 0 ? 0 : 1e-4}, {"rows", range.rows}, {"first_wrong", range.first_wrong}});
  return {{"epsilon", {{"block_side", block_side}, {"rows_tried", 1 << 16}, {"ranges", ranges}}},
          {"copies",
           {{"dense", "the same work on a full rectangle of blocks, scaled to as many pairs or triplets"},
            {"fill", "a plain loop or kernel that writes as many bytes"},
            {"memset", "the C library's or the driver's"},
            {"streamed", "stores past the caches, of what stays in the second of them"}}},
          {"improvement_in_paper", improvements}};
}

std::int64_t numbers_needed(const SimplexSizes& sizes, std::int64_t collision_side, std::int64_t energy_side) {
  std::int64_t most = numbers_needed(sizes.energy, energy_side, true);
  for (const std::int64_t n : sizes.pairs) most = std::max(most, numbers_needed(n, block_side, false));
  for (const std::int64_t n : sizes.triplets) most = std::max(most, numbers_needed(n, cube_side, true));
  for (const std::int64_t n : sizes.distances) most = std::max(most, n);
  for (const std::int64_t n : sizes.collisions) most = std::max(most, numbers_needed(n, collision_side, false));
  return most;
}

std::vector<Entry> simplex_entries(const SimplexSizes& sizes) {
  const auto shared = std::make_shared<Shared>(Shared{sizes});
  std::vector<Entry> entries;
  for (const SimplexFigure& f : simplex_figures) {
    const std::string group = fmt::format("{}, {}; the paper, on GPUs of 2012 and 2013: {}", f.title, f.what, f.paper);
    for (const std::int64_t n : is_of_triplets(f.work) ? sizes.triplets : sizes.pairs)
      entries.push_back({fmt::format("{}_{}", f.name, n),
                         {0, f.work == Work::distances ? 4 * elements_needed(n) : 0},
                         [=](Site& site, std::uint64_t seed) { return figure_at(f, n, shared->at(site, seed), site); },
                         group});
  }
  const std::string calls = "Calls of the library, of a plain fill or a full rectangle";
  const auto add = [&](const DistanceCall& call) {
    const std::string name = fmt::format("{}_{}_{}", name_of(call.form), name_of(call.metric), call.n);
    entries.push_back({name,
                       {0, call.bytes()},
                       [=](Site& site, std::uint64_t seed) { return distances_of(name, call, shared->at(site, seed), site); },
                       calls});
  };
  for (const std::int64_t n : sizes.distances) {
    add({.n = n});
    if (n != sizes.distances[0]) continue;
    for (const Metric metric : {Metric::sqeuclidean, Metric::manhattan, Metric::chebyshev, Metric::cosine}) add({.metric = metric, .n = n});
    for (const PairForm form : {PairForm::packed_lower, PairForm::packed_upper, PairForm::rfp, PairForm::square})
      add({.form = form, .n = n});
    add({.type = Real::float64, .n = n});
  }
  const auto add_number = [&](const std::string& name, Work work, std::int64_t n) {
    entries.push_back({name, {}, [=](Site& site, std::uint64_t seed) { return number_of(name, work, n, shared->at(site, seed)); }, calls});
  };
  for (const std::int64_t n : sizes.collisions) {
    add_number(fmt::format("count_collisions_1d_{}", n), Work::collisions_1d, n);
    add_number(fmt::format("count_collisions_3d_{}", n), Work::collisions_3d, n);
  }
  if (sizes.energy > 0) add_number(fmt::format("triplet_energy_{}", sizes.energy), Work::triplets, sizes.energy);
  return entries;
}

std::vector<Entry> simplex_entries(const Request& r) { return simplex_entries(sizes_of(r.site.device().kind)); }

}  // namespace crinkle::bench
