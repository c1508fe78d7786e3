// SPDX-License-Identifier: BSD-3-Clause
#include "suites/simplex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "suites/simplex_check.hpp"

namespace crinkle::bench {
namespace {

/// A figure of the paper, or what belongs beside it.
struct Figure {
  const char* name;  // of its rows
  const char* title;
  const char* what;
  Work work;
  Maps maps;
  const char* paper;  // what it says of itself
};
constexpr const char* to_one_place = "every thread writes the sum of its indices to one place";
const Figure figures[] = {
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

bool is_chosen(const std::string& name, std::span<const std::string> filters) {
  return filters.empty() ||
         std::any_of(filters.begin(), filters.end(), [&](const std::string& part) { return name.find(part) != std::string::npos; });
}

std::string name_of(const Figure& f, std::int64_t n) { return fmt::format("{}_{}", f.name, n); }
const std::vector<std::int64_t>& extents_of(const Figure& f, const SimplexSizes& sizes) {
  return is_of_triplets(f.work) ? sizes.triplets : sizes.pairs;
}
std::int64_t bytes_of(const Figure& f, std::int64_t n) { return f.work == Work::distances ? 4 * elements_needed(n) : 0; }

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

/// Nothing where the report wants no row of it.
std::optional<Contest> contest_of(SimplexSite& site, const Figure& f, std::int64_t n, const Report& report) {
  Contest c;
  c.name = name_of(f, n);
  c.n = n;
  c.bytes = least_bytes(f.work, n);
  c.useful = useful_cells(f.work, n);
  c.is_of_triplets = is_of_triplets(f.work);
  c.ways = site.ways(f.work, f.maps, n);
  if (std::none_of(c.ways.begin(), c.ways.end(), [&](const Way& way) { return report.wants(c.name + "_" + way.name); })) return {};
  check_ways(site, f.work, f.maps, n, c.ways);
  c.ceilings = {site.dense(f.work, n)};
  if (f.work == Work::distances) c.fills = site.fills(4 * c.useful);
  c.checked = checked_by(f.work, n);
  return c;
}

/// A row for each way. Improvement is how many times as fast as the first it is.
std::vector<Row> measured(SimplexSite& site, const Contest& c, const Effort& effort) {
  std::vector<Contender> contenders;
  for (const Way& way : c.ways) contenders.push_back({way.name, way.run});
  for (const Ceiling& ceiling : c.ceilings) contenders.push_back({ceiling.name, ceiling.run});
  for (const Ceiling& fill : c.fills) contenders.push_back({.name = fill.name, .run = fill.run, .has_cold = false});
  site.take_turns(contenders, effort);
  const auto beside = std::span<const Contender>(contenders).subspan(c.ways.size());
  Row fills;
  fills.set_copies(beside.subspan(c.ceilings.size()));
  const double first = median(contenders[0].seconds);
  std::vector<Row> rows;
  for (std::size_t k = 0; k < c.ways.size(); ++k) {
    const Contender& timed = contenders[k];
    Row row;
    row.name = c.name + "_" + timed.name;
    row.element_bytes = c.element_bytes;
    row.bytes = c.bytes;
    row.set_times({&timed, 1});
    row.set_copies(beside.first(c.ceilings.size()), c.ceilings[0].scale);
    row.threads = site.threads();
    row.checked = c.checked;
    const char* const cells = c.is_of_triplets ? "triplets" : "pairs";
    row.facts["n"] = c.n;
    row.facts["map"] = timed.name;
    row.facts[cells] = c.useful;
    row.facts[std::string(cells) + "_per_s"] = static_cast<double>(c.useful) / row.seconds;
    if (c.ways.size() > 1) row.facts["improvement"] = first / row.seconds;
    if (c.ways[k].n_blocks > 0) {
      row.facts["blocks"] = c.ways[k].n_blocks;
      row.facts["blocks_outside"] = c.ways[k].n_outside;
    }
    for (const auto& [name, seconds] : fills.copies) row.facts["fills_gb_per_s"][name] = static_cast<double>(4 * c.useful) / seconds * 1e-9;
    if (!c.fills.empty()) row.facts["fraction_of_fill"] = fills.best_copy().second / row.seconds;
    row.remark = fmt::format("{:.3g} G{}/s", 1e-9 * static_cast<double>(c.useful) / row.seconds, cells);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// A line for each map, a column for each n: of the bounding box its time, of all others how many times as fast they are.
void print_table(const Figure& f, const std::vector<std::vector<Row>>& columns, Report& report) {
  report.note(fmt::format("\n{}, {}; times as fast as the bounding box", f.title, f.what));
  const auto line = [&](const std::string& name, const auto& cell) {
    std::string text = fmt::format("{:<22}", name);
    for (const std::vector<Row>& rows : columns) text += fmt::format("{:>9}", cell(rows));
    report.note(text);
  };
  line("n", [](const auto& rows) { return rows[0].facts["n"].dump(); });
  line("bounding_box, ms", [](const auto& rows) { return fmt::format("{:.4g}", 1e3 * rows[0].seconds); });
  for (std::size_t k = 1; k < columns[0].size(); ++k)
    line(columns[0][k].facts["map"].template get<std::string>(),
         [k](const auto& rows) { return fmt::format("{:.2f}", rows[k].facts["improvement"].template get<double>()); });
  line("a full rectangle", [](const auto& rows) { return fmt::format("{:.2f}", rows[0].seconds / rows[0].best_copy().second); });
  if (f.work == Work::distances)
    line("a plain fill",
         [](const auto& rows) { return fmt::format("{:.2f}", 1 / rows[0].facts["fraction_of_fill"].template get<double>()); });
  report.note(fmt::format("  paper, on GPUs of 2012 and 2013: {}", f.paper));
}

}  // namespace

SimplexSizes simplex_sizes(Device::Kind kind) {
  if (kind == Device::Kind::cpu) return {{1024, 2048, 4096}, {128, 256}, {8192, 16384}, {16384}, 1024};
  return {{1024, 2048, 4096, 8192, 16384, 30720, 61440, 131072}, {256, 512, 1024, 2048}, {30720}, {30720, 131072}, 2048};
}

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
  return {{"copies",
           {{"dense", "the same work on a full rectangle of blocks, scaled to as many pairs or triplets"},
            {"fill", "a plain loop or kernel that writes as many bytes"},
            {"memset", "the C library's or the driver's"},
            {"streamed", "stores past the caches, of what stays in the second of them"}}},
          {"improvement_in_paper", improvements}};
}

std::int64_t simplex_bytes(const SimplexSizes& sizes, std::span<const std::string> filters, const Effort& effort) {
  std::int64_t largest = 0;
  bool has_any = false;
  std::string names;
  const auto take = [&](const std::string& name, std::int64_t n_bytes) {
    names += (names.empty() ? "" : ", ") + name;
    if (!is_chosen(name, filters)) return;
    has_any = true;
    if (n_bytes <= effort.memory_bytes) largest = std::max(largest, n_bytes);
  };
  for (const Figure& f : figures)
    for (const std::int64_t n : extents_of(f, sizes)) take(name_of(f, n), bytes_of(f, n));
  for (const Call& call : named_calls(sizes, {}, {}, {})) take(call.name, call.bytes);
  if (!has_any) throw Error(ErrorCode::bad_notation, "no test of simplex has what --case says in its name; they are " + names);
  return largest;
}

std::int64_t numbers_needed(const SimplexSizes& sizes, std::int64_t collision_side, std::int64_t energy_side) {
  std::int64_t most = numbers_needed(sizes.energy, energy_side, true);
  for (const std::int64_t n : sizes.pairs) most = std::max(most, numbers_needed(n, block_side, false));
  for (const std::int64_t n : sizes.triplets) most = std::max(most, numbers_needed(n, cube_side, true));
  for (const std::int64_t n : sizes.distances) most = std::max(most, n);
  for (const std::int64_t n : sizes.collisions) most = std::max(most, numbers_needed(n, collision_side, false));
  return most;
}

std::vector<Call> named_calls(const SimplexSizes& sizes, const std::function<Contest(const DistanceCall&)>& distances,
                              const std::function<Contest(int dimensions, std::int64_t)>& collisions,
                              const std::function<Contest(std::int64_t)>& energy) {
  std::vector<Call> calls;
  const auto add = [&](const DistanceCall& call) {
    calls.push_back(
        {fmt::format("{}_{}_{}", name_of(call.form), name_of(call.metric), call.n), call.bytes(), [=] { return distances(call); }});
  };
  for (const std::int64_t n : sizes.distances) {
    add({.n = n});
    if (n != sizes.distances[0]) continue;
    for (const Metric metric : {Metric::sqeuclidean, Metric::manhattan, Metric::chebyshev, Metric::cosine}) add({.metric = metric, .n = n});
    for (const PairForm form : {PairForm::packed_lower, PairForm::packed_upper, PairForm::rfp, PairForm::square})
      add({.form = form, .n = n});
    add({.type = Real::float64, .n = n});
  }
  for (const std::int64_t n : sizes.collisions)
    for (const int dimensions : {1, 3})
      calls.push_back({fmt::format("count_collisions_{}d_{}", dimensions, n), 0, [=] { return collisions(dimensions, n); }});
  if (sizes.energy > 0) calls.push_back({fmt::format("triplet_energy_{}", sizes.energy), 0, [=, n = sizes.energy] { return energy(n); }});
  return calls;
}

void run_simplex(SimplexSite& site, const SimplexSizes& sizes, std::span<const std::string> filters, const Effort& effort, Report& report) {
  const auto is_left_out = [&](const std::string& name, std::int64_t n_bytes) {
    if (n_bytes > effort.memory_bytes)
      report.note(fmt::format("{} left out: give more than {} bytes with --memory", name, effort.memory_bytes));
    return n_bytes > effort.memory_bytes;
  };
  for (const Figure& f : figures) {
    std::vector<std::vector<Row>> columns;
    for (const std::int64_t n : extents_of(f, sizes)) {
      const std::string name = name_of(f, n);
      if (!is_chosen(name, filters) || is_left_out(name, bytes_of(f, n))) continue;
      if (const std::optional<Contest> contest = contest_of(site, f, n, report)) columns.push_back(measured(site, *contest, effort));
    }
    if (columns.empty()) continue;
    print_table(f, columns, report);
    for (std::vector<Row>& rows : columns) {
      for (Row& row : rows) {
        row.facts["plot"] = {{"title", f.title}, {"x", row.facts["n"]}, {"x_label", "n"}, {"series", row.facts["map"]}, {"y", "seconds"}};
        report.keep(std::move(row));
      }
    }
  }
  bool has_head = false;
  for (const Call& call : site.calls()) {
    if (!is_chosen(call.name, filters) || !report.wants(call.name) || is_left_out(call.name, call.bytes)) continue;
    if (!std::exchange(has_head, true)) report.note("\nCalls of the library, of a plain fill or a full rectangle");
    for (Row& row : measured(site, call.make(), effort)) {
      row.name = call.name;
      report.add(std::move(row));
    }
  }
}

}  // namespace crinkle::bench
