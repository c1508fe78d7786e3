// SPDX-License-Identifier: BSD-3-Clause
#include "suites/case_suites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace crinkle::bench {
namespace {

Contest contest_of(const Fitted& f, const MakeSpecMap& make_map, const Beside& beside, Site& site, std::uint64_t seed) {
  const auto op = std::make_shared<const Operation>(make_operation(f.c, make_map, seed, site));
  Contest c;
  c.name = f.c.name;
  c.element_bytes = op->element_bytes;
  c.bytes = op->moved_bytes;
  c.scaled_by = f.c.scaled_by;
  c.checked = op->checked;
  const auto bound = [&site](const RunMove& run) { return [run, &site] { run(site.source(), site.destination()); }; };
  c.ways = {{"move", bound(op->run)}};
  if (op->loop) {
    c.ways.emplace_back("loop", bound(op->loop));
    c.ways.back().has_cold = site.is_gpu();
  }
  for (auto& [name, run] : beside.rivals ? beside.rivals(f, site) : std::vector<std::pair<std::string, RunMove>>()) {
    c.ways.emplace_back(name, bound(run));
    c.ways.back().has_cold = beside.are_rivals_timed_cold || !site.is_gpu();
  }
  c.check = [op, &site, seed, ways = c.ways, what = f.c.place + ": " + f.c.name, bytes = f.bytes] {
    for (const Way& way : ways)
      site.check(way.name == "move" ? what : what + ", " + way.name, bytes, seed, way.parts[0], [&] { return first_wrong(*op, site); });
  };
  const std::int64_t copied_bytes = std::min(f.larger(), c.bytes / 2);  // read once and written once
  c.ceilings = ceilings_of(site.copies(copied_bytes),
                           static_cast<double>(c.bytes) / static_cast<double>(std::max<std::int64_t>(1, 2 * copied_bytes)));
  if (beside.finish) beside.finish(f, c);
  return c;
}

/// The rate that the Tesla C1060 library reached, in GB/s; its copy reached 77.82.
struct Published {
  const char* where;
  double gb_per_s;
};
constexpr double published_copy = 77.82;
const std::map<std::string, Published> published = {
    {"sequential", {"figure 1", 76.0}},    {"order_021", {"table 1", 62.55}},     {"order_102", {"table 1", 63.17}},
    {"order_120", {"table 1", 57.38}},     {"order_201", {"table 1", 59.63}},     {"order_210", {"table 1", 58.42}},
    {"reorder_102", {"table 2", 76.00}},   {"reorder_1023", {"table 2", 75.41}},  {"reorder_3201", {"table 2", 56.24}},
    {"reorder_30214", {"table 2", 43.40}}, {"interlace_4", {"table 3", 70.93}},   {"deinterlace_4", {"table 3", 68.87}},
    {"interlace_5", {"table 3", 73.95}},   {"deinterlace_5", {"table 3", 68.50}}, {"interlace_6", {"table 3", 71.51}},
    {"deinterlace_6", {"table 3", 67.61}}, {"interlace_7", {"table 3", 72.14}},   {"deinterlace_7", {"table 3", 60.21}},
    {"interlace_8", {"table 3", 58.58}},   {"deinterlace_8", {"table 3", 60.55}}, {"interlace_9", {"table 3", 70.60}},
    {"deinterlace_9", {"table 3", 58.25}},
};

void add_published(const Fitted& f, Contest& c) {
  const auto found = published.find(f.c.name);
  if (found == published.end()) return;
  const auto& [where, gb_per_s] = found->second;
  c.facts["paper"] = {
      {"where", std::string("Tesla C1060, ") + where}, {"gb_per_s", gb_per_s}, {"fraction_of_copy", gb_per_s / published_copy}};
  c.remark = fmt::format("paper {:.0f} %", 100 * gb_per_s / published_copy);
}

/// Steps one after the other, through two arrays in turn.
RunMove in_steps(const std::vector<Case>& steps, const MakeSpecMap& make_map, Site& site) {
  std::vector<RunMove> stages;
  std::int64_t largest = 1;
  for (const Case& step : steps) {
    const Rearrangement map = make_map(step).map;
    const ArrayBytes bytes{map.source().n_bytes(), map.destination().n_bytes()};
    stages.push_back(move_of(Plan(map, site.device()), bytes, {}, site));
    largest = std::max(largest, bytes.destination);
  }
  return [stages = std::move(stages), even = site.memory(largest), odd = site.memory(largest)](const std::byte* src, std::byte* dst) {
    const std::byte* from = src;
    for (std::size_t k = 0; k < stages.size(); ++k) {
      std::byte* to = k + 1 == stages.size() ? dst : (k % 2 == 0 ? even : odd).get();
      stages[k](from, to);
      from = to;
    }
  };
}

/// The same by other doors than a plan that is there.
std::vector<std::pair<std::string, RunMove>> other_doors(const Case& c, const MakeSpecMap& make_map, Site& site) {
  const SpecMap made = make_map(c);
  const ArrayBytes bytes{made.map.source().n_bytes(), made.map.destination().n_bytes()};
  const auto run = [bytes, &site](const Plan& plan, const std::byte* src, std::byte* dst) {
    const ConstBuffer from{src, bytes.source};
    const Buffer to{dst, bytes.destination};
    site.run(plan, {&from, 1}, {&to, 1});
  };
  const Device device = site.device();
  return {
      {"cached plan", [=, boxes = made.map.boxes()](const std::byte* src, std::byte* dst) { run(*cached_plan(boxes, device), src, dst); }},
      {"planned anew", [=, map = made.map](const std::byte* src, std::byte* dst) { run(Plan(map, device), src, dst); }}};
}

/// A batch array by array: the first axis of the case, which stays first, is the batch.
RunMove one_by_one(const Case& batch, const MakeSpecMap& make_map, Site& site) {
  Case one = batch;
  one.extents[0] = 1;
  const SpecMap made = make_map(one);
  const std::int64_t n_bytes = made.map.source().n_bytes(), n = batch.extents[0];
  return [move = move_of(Plan(made.map, site.device()), {n_bytes, n_bytes}, {}, site), n_bytes, n](const std::byte* src, std::byte* dst) {
    for (std::int64_t k = 0; k < n; ++k) move(src + k * n_bytes, dst + k * n_bytes);
  };
}

/// Cases and where they stand in plots.
class PlottedCases {
 public:
  void add(const std::string& name, const std::string& rest, const Plot& plot) {
    text_ += name + " " + rest + "\n";
    plots_.emplace(name, plot);
  }
  std::vector<Entry> entries(const std::string& of, const Request& r, Beside beside = {}) const {
    beside.finish = [plots = plots_](const Fitted& f, Contest& c) { c.plot = plots.at(f.c.name); };
    return entries_of(parse_cases(text_, of), r, beside);
  }

 private:
  std::string text_;
  std::map<std::string, Plot> plots_;
};

}  // namespace

std::vector<Entry> entries_of(const std::vector<Case>& cases, const Request& r, const Beside& beside) {
  std::vector<Entry> entries;
  for (const Case& c : cases) {  // all before the first is run, so that a mistake in the last line is told now
    const Fitted f = fitted(c, r.make_map, r.effort.memory_bytes);
    entries.push_back({c.name, {f.larger(), f.larger()}, [f, make_map = r.make_map, beside](Site& site, std::uint64_t seed) {
                         return contest_of(f, make_map, beside, site, seed);
                       }});
    const bool is_of_planes = c.kind == Case::Kind::planes || c.kind == Case::Kind::from_planes;
    if (is_of_planes && r.site.is_gpu()) entries.back().reason = "not on a GPU";
  }
  return entries;
}

std::vector<Case> steps_of(const Case& chain, const MakeSpecMap& make_map) {
  const std::string spec = chain.words.at(0), left = spec.substr(0, spec.find("->"));
  std::vector<Case> steps;
  Case step = chain;
  for (std::size_t k = 1; k + 1 < chain.words.size(); k += 2) {
    step.words = {left + "->" + left, chain.words[k], chain.words[k + 1]};
    steps.push_back(step);
    step.extents = make_map(step).map.destination().extents;
  }
  step.words = {spec};
  steps.push_back(step);
  return steps;
}

std::vector<Entry> permute_entries(const Request& r) { return entries_of(read_cases(r.cases), r); }
std::vector<Entry> records_entries(const Request& r) { return entries_of(parse_cases(records_text, "records"), r); }
/// A CUDA library of data rearrangement kernels for the Tesla C1060 (paper 3): figure 1 and tables 1 to 3, its own fraction of its copy
/// beside each.
std::vector<Entry> rearrange_entries(const Request& r) {
  return entries_of(parse_cases(rearrange_text, "rearrange"), r, {.finish = add_published});
}

/// Chains in one pass, and each step a move of its own into an array of its own, with plans and arrays that are there before it is timed.
std::vector<Entry> fused_entries(const Request& r) {
  Beside beside;
  beside.rivals = [make_map = r.make_map](const Fitted& f, Site& site) {
    return std::vector<std::pair<std::string, RunMove>>{{"step by step", in_steps(steps_of(f.c, make_map), make_map, site)}};
  };
  beside.finish = [make_map = r.make_map](const Fitted& f, Contest& c) { c.facts["n_steps"] = steps_of(f.c, make_map).size(); };
  return entries_of(parse_cases(fused_text, "fused"), r, beside);
}

/// Arrays of 1 KiB to 1 MiB: what a move costs with a plan that is there, with one from the cache of plans, and planned anew each time,
/// with full caches and with empty ones; and 1000 small arrays in one move, beside one by one.
std::vector<Entry> small_entries(const Request& r) {
  PlottedCases cases;
  for (int bits = 8; bits <= 18; bits += 2) {  // of the number of elements
    const std::int64_t slow = std::int64_t{1} << (bits / 2), n_bytes = std::int64_t{4} << bits;
    const std::string of = "_" + short_bytes(n_bytes), square = fmt::format("{0} {0}", slow);
    const auto plot = [&](const char* view) { return Plot{std::string("Few bytes: ") + view, "bytes", n_bytes, "seconds", "crinkle"}; };
    cases.add("transpose" + of, "4 spec 'y x -> x y' " + square, plot("transpose"));
    cases.add("flip" + of, "4 spec 'y x -> y x' " + square + " --flip x", plot("flip"));
    cases.add("roll" + of, "4 spec 'y x -> y x' " + square + " --roll x=3", plot("roll"));
  }
  for (const std::int64_t side : {8, 16, 32, 64}) {
    const std::int64_t n_bytes = 4 * side * side;
    const std::string name = "1000_transposes_" + short_bytes(n_bytes);
    cases.add(name, fmt::format("4 spec 'n y x -> n x y' 1000 {0} {0}", side),
              {"1000 small arrays: transpose", "bytes of each", n_bytes, "seconds", "crinkle"});
  }
  Beside beside;
  beside.are_rivals_timed_cold = false;  // planning, and a launch for each of many
  beside.rivals = [make_map = r.make_map](const Fitted& f, Site& site) {
    if (f.c.extents.size() == 2) return other_doors(f.c, make_map, site);
    return std::vector<std::pair<std::string, RunMove>>{{"one by one", one_by_one(f.c, make_map, site)}};
  };
  return cases.entries("small", r, beside);
}

/// Transpose, roll and record conversion of 64 MiB over threads; the transpose from 64² to 16384² float32; and the order of r axes
/// reversed, r = 2 … 24, of 2^24 float32.
std::vector<Entry> scaling_entries(const Request& r) {
  const std::pair<const char*, const char*> moves[] = {{"transpose", "4 spec 'y x -> x y' 4096 4096"},
                                                       {"roll", "4 spec 'y x -> y x' 4096 4096 --roll y=1 --roll x=1"},
                                                       {"aos_to_soa", "16 records 'x:f4 y:f4 z:f4 p:f4' '(x y z p)' 'x|y|z|p' 4194304"}};
  std::vector<Entry> all;
  const int most = r.site.threads();
  for (int n = 1; n <= most; n = n < most ? std::min(2 * n, most) : most + 1) {
    PlottedCases cases;
    for (const auto& [what, rest] : moves)
      cases.add(fmt::format("{}_{}_thread{}", what, n, n == 1 ? "" : "s"), rest,
                {"Threads: moves of 64 MiB", "threads", n, "gb_per_s", what});
    for (Entry& e : cases.entries("scaling", r)) {
      e.threads = n;
      all.push_back(std::move(e));
    }
  }
  PlottedCases sizes;
  for (std::int64_t side = 64; side <= 16384; side *= 2)
    sizes.add(fmt::format("transpose_{}", side), fmt::format("4 spec 'y x -> x y' {0} {0}", side),
              {"Size: transpose of N × N float32", "N", side, "gb_per_s", "crinkle"});
  constexpr int bits = 24;
  for (const int rank : {2, 3, 4, 6, 8, 12, 16, 24}) {
    std::string order, extents;
    for (int a = 0; a < rank; ++a) {
      order += fmt::format(" {}", rank - 1 - a);
      extents += fmt::format(" {}", std::int64_t{1} << (bits * (a + 1) / rank - bits * a / rank));
    }
    sizes.add(fmt::format("reversed_rank_{}", rank), fmt::format("4 {}{}{}", rank, order, extents),
              {"Rank: all axes of 2^24 float32 reversed", "rank", rank, "gb_per_s", "crinkle"});
  }
  for (Entry& e : sizes.entries("scaling", r)) all.push_back(std::move(e));
  return all;
}

}  // namespace crinkle::bench
