// SPDX-License-Identifier: BSD-3-Clause
#include "suites/suites.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>

#include "crinkle/crinkle.hpp"
#include "suites/copy.hpp"
#include "suites/fused.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t kib = 1024;

/// What the Tesla C1060 library reached, in GB/s; its copy reached 77.82.
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

void add_published(const Fitted& f, Row& row) {
  const auto found = published.find(f.c.name);
  if (found == published.end()) return;
  const auto& [where, gb_per_s] = found->second;
  row.facts["paper"] = {
      {"where", std::string("Tesla C1060, ") + where}, {"gb_per_s", gb_per_s}, {"fraction_of_copy", gb_per_s / published_copy}};
  row.remark = fmt::format("paper {:.0f} %", 100 * gb_per_s / published_copy);
}

/// Where a case stands in a plot.
struct Point {
  std::string title, x_label, series;
  std::int64_t x;
};
using Points = std::map<std::string, Point>;  // of a case's name

std::function<void(const Fitted&, Row&)> plotted(Points points, const char* y) {
  return [points = std::move(points), y](const Fitted& f, Row& row) {
    const Point& p = points.at(f.c.name);
    row.facts["plot"] = {{"title", p.title}, {"x", p.x}, {"x_label", p.x_label}, {"series", p.series}, {"y", y}};
  };
}

/// The same by other doors than a plan that is there.
std::vector<std::pair<std::string, RunMove>> other_doors(const Case& c, const MakeSpecMap& make_map, const Runner& runner) {
  const SpecMap made = make_map(c);
  const ArrayBytes bytes{made.map.source().n_bytes(), made.map.destination().n_bytes()};
  const auto run = [bytes, runner](const Plan& plan, const std::byte* src, std::byte* dst) {
    const ConstBuffer from{src, bytes.source};
    const Buffer to{dst, bytes.destination};
    runner.run(plan, {&from, 1}, {&to, 1});
  };
  const Device device = runner.device();
  return {
      {"cached plan", [=, boxes = made.map.boxes()](const std::byte* src, std::byte* dst) { run(*cached_plan(boxes, device), src, dst); }},
      {"planned anew", [=, map = made.map](const std::byte* src, std::byte* dst) { run(Plan(map, device), src, dst); }}};
}

/// A batch array by array: the first axis of the case, which stays first, is the batch.
RunMove one_by_one(const Case& batch, const MakeSpecMap& make_map, const Runner& runner) {
  Case one = batch;
  one.extents[0] = 1;
  const SpecMap made = make_map(one);
  const std::int64_t n_bytes = made.map.source().n_bytes(), n = batch.extents[0];
  return [plan = Plan(made.map, runner.device()), n_bytes, n, runner](const std::byte* src, std::byte* dst) {
    for (std::int64_t k = 0; k < n; ++k) {
      const ConstBuffer from{src + k * n_bytes, n_bytes};
      const Buffer to{dst + k * n_bytes, n_bytes};
      runner.run(plan, {&from, 1}, {&to, 1});
    }
  };
}

}  // namespace

Suite rearrange_suite() { return {parse_cases(rearrange_text, "rearrange"), {.finish = add_published}}; }

Suite records_suite() { return {parse_cases(records_text, "records")}; }

Suite fused_suite(const MakeSpecMap& make_map) { return {parse_cases(fused_text, "fused"), beside_steps(make_map)}; }

Suite small_suite(const MakeSpecMap& make_map) {
  std::string text;
  Points points;
  const auto add = [&](const std::string& name, const std::string& rest, const Point& p) {
    text += fmt::format("{} 4 {}\n", name, rest);
    points.emplace(name, p);
  };
  for (int bits = 8; bits <= 18; bits += 2) {  // of the number of elements
    const std::int64_t slow = std::int64_t{1} << (bits / 2), n_bytes = std::int64_t{4} << bits;
    const std::string of = "_" + short_bytes(n_bytes), square = fmt::format("{0} {0}", slow);
    const auto point = [&](const char* view) { return Point{std::string("Few bytes: ") + view, "bytes", "crinkle", n_bytes}; };
    add("transpose" + of, "spec 'y x -> x y' " + square, point("transpose"));
    add("flip" + of, "spec 'y x -> y x' " + square + " --flip x", point("flip"));
    add("roll" + of, "spec 'y x -> y x' " + square + " --roll x=3", point("roll"));
  }
  for (const std::int64_t side : {8, 16, 32, 64}) {
    const std::int64_t n_bytes = 4 * side * side;
    const std::string name = "1000_transposes_" + (n_bytes < kib ? std::to_string(n_bytes) + "B" : short_bytes(n_bytes));
    add(name, fmt::format("spec 'n y x -> n x y' 1000 {0} {0}", side),
        {"1000 small arrays: transpose", "bytes of each", "crinkle", n_bytes});
  }
  Suite suite{parse_cases(text, "small")};
  suite.beside.finish = plotted(std::move(points), "seconds");
  suite.beside.are_rivals_timed_cold = false;  // planning, and a launch for each of many
  suite.beside.rivals = [make_map](const Fitted& f, const Runner& runner) {
    if (f.c.extents.size() == 2) return other_doors(f.c, make_map, runner);
    return std::vector<std::pair<std::string, RunMove>>{{"one by one", one_by_one(f.c, make_map, runner)}};
  };
  return suite;
}

Suite sizes_suite() {
  std::string text;
  Points points;
  for (std::int64_t side = 64; side <= 16384; side *= 2) {
    const std::string name = fmt::format("transpose_{}", side);
    text += fmt::format("{0} 4 spec 'y x -> x y' {1} {1}\n", name, side);
    points.emplace(name, Point{"Size: transpose of N × N float32", "N", "crinkle", side});
  }
  constexpr int bits = 24;
  for (const int rank : {2, 3, 4, 6, 8, 12, 16, 24}) {
    const std::string name = fmt::format("reversed_rank_{}", rank);
    std::string order, extents;
    for (int a = 0; a < rank; ++a) {
      order += fmt::format(" {}", rank - 1 - a);
      extents += fmt::format(" {}", std::int64_t{1} << (bits * (a + 1) / rank - bits * a / rank));
    }
    text += fmt::format("{} 4 {}{}{}\n", name, rank, order, extents);
    points.emplace(name, Point{"Rank: all axes of 2^24 float32 reversed", "rank", "crinkle", rank});
  }
  Suite suite{parse_cases(text, "scaling")};
  suite.beside.finish = plotted(std::move(points), "gb_per_s");
  return suite;
}

Suite threads_suite(int n_threads) {
  const std::pair<const char*, const char*> cases[] = {{"transpose", "4 spec 'y x -> x y' 4096 4096"},
                                                       {"roll", "4 spec 'y x -> y x' 4096 4096 --roll y=1 --roll x=1"},
                                                       {"aos_to_soa", "16 records 'x:f4 y:f4 z:f4 p:f4' '(x y z p)' 'x|y|z|p' 4194304"}};
  std::string text;
  Points points;
  for (const auto& [what, rest] : cases) {
    const std::string name = fmt::format("{}_{}_thread{}", what, n_threads, n_threads == 1 ? "" : "s");
    text += name + " " + rest + "\n";
    points.emplace(name, Point{"Threads: moves of 64 MiB", "threads", what, n_threads});
  }
  Suite suite{parse_cases(text, "scaling")};
  suite.beside.finish = plotted(std::move(points), "gb_per_s");
  return suite;
}

}  // namespace crinkle::bench
