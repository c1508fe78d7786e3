// SPDX-License-Identifier: BSD-3-Clause
#include "suites/hypercubic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "suites/buffers.hpp"
#include "suites/copy.hpp"
#include "suites/hypercubic_loops.hpp"
#include "suites/walk.hpp"

namespace crinkle::bench {
namespace {

using Kind = Transform::Kind;

/// A figure of the paper, and the times that its text gives for n = 8192.
struct Figure {
  Kind kind;
  const char* name;
  const char* title;
  const char* averages;
  double paper_a, paper_b, paper_c;  // seconds
  std::optional<double> paper_cpu = {};
};
constexpr std::int64_t paper_extent = 8192;
const Figure figures[] = {
    {Kind::blur, "blur", "Figure 12: blur", "a cell and its four neighbours, periodic", 21.8e-3, 19.7e-3, 34.1e-3},
    {Kind::flip, "flip", "Figure 13: flip", "of x, of y, of both", 6.2e-3, 6.7e-3, 11.8e-3},
    {Kind::shift, "shift", "Figure 14: shift", "by four pairs of random distances", 7.4e-3, 8.4e-3, 13.0e-3, 571.6e-3},
    {Kind::crinkle, "crinkle", "Figure 15: crinkle", "of x and of y, by 2, 4 and 8", 28.2e-3, 44.7e-3, 45.7e-3}};

std::vector<Version> versions_of(Kind kind) {
  std::vector<Version> all = {Version::by_hand, Version::by_bits, Version::by_division};
  if (kind != Kind::blur) all.push_back(Version::by_plan);
  return all;
}

std::string milliseconds(double seconds) { return fmt::format("{:>10}", fmt::format("{:.{}f}", 1e3 * seconds, seconds < 1e-3 ? 4 : 2)); }

std::string name_of_row(const Figure& figure, std::int64_t n, Version version) {
  return fmt::format("{}_{}_{}", figure.name, n, name_of(version));
}

bool is_wanted(const Figure& figure, std::int64_t n, const Report& report) {
  const std::vector<Version> versions = versions_of(figure.kind);
  return std::any_of(versions.begin(), versions.end(), [&](Version v) { return report.wants(name_of_row(figure, n, v)); });
}

/// The rows of one figure and extent, the versions in order. Every transform takes its turn by itself: a row is the mean of them.
std::vector<Row> measured(TransformSite& site, const Figure& figure, std::int64_t n, const Effort& effort, std::uint64_t seed) {
  const std::vector<Transform> transforms = transforms_of(figure.kind, n, seed);
  const std::vector<Version> versions = versions_of(figure.kind);
  std::vector<Contender> contenders;
  for (const Version version : versions) {
    for (const Transform& t : transforms) {
      contenders.push_back({name_of(version), site.run_of(t, version)});
      site.check(t, text_of(t) + ", version " + name_of(version) + ", seed " + std::to_string(seed), contenders.back().run);
    }
  }
  const std::size_t n_moves = contenders.size();
  const std::int64_t n_bytes = n * n * std::int64_t{sizeof(float)};
  for (Contender& copy : site.copies(n_bytes)) contenders.push_back(std::move(copy));
  site.take_turns(contenders, effort);
  const std::span<const Contender> taken = contenders;
  std::vector<Row> rows;
  for (std::size_t v = 0; v < versions.size(); ++v) {
    Row row;
    row.name = name_of_row(figure, n, versions[v]);
    row.element_bytes = sizeof(float);
    row.bytes = 2 * n_bytes;
    row.set_times(taken.subspan(v * transforms.size(), transforms.size()));
    row.set_copies(taken.subspan(n_moves));
    row.threads = site.threads();
    row.checked = "definition";
    row.facts["plot"] = {{"title", figure.title}, {"x", n}, {"x_label", "N"}, {"series", name_of(versions[v])}, {"y", "seconds"}};
    rows.push_back(std::move(row));
  }
  return rows;
}

void print_head(const Figure& figure, Report& report) {
  report.note(fmt::format("\n{}, {}: milliseconds of one, N × N float32", figure.title, figure.averages));
  std::string head = fmt::format("{:>7}", "N");
  for (const char* column : {"A", "B", "C", "crinkle", "a copy"}) head += fmt::format("{:>10}", column);
  report.note(head + (figure.kind == Kind::blur ? "   fastest, of a copy, cold, spread" : "   crinkle, of a copy, cold, spread"));
}

void print_line(std::int64_t n, const std::vector<Row>& rows, Report& report) {
  std::string line = fmt::format("{:>7}", n);
  for (std::size_t v = 0; v < 4; ++v) line += v < rows.size() ? milliseconds(rows[v].seconds) : fmt::format("{:>10}", "–");
  const bool is_moved = rows.size() == 4;
  const auto fastest = std::min_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.seconds < b.seconds; });
  const Row& told = is_moved ? rows.back() : *fastest;
  report.note(line + milliseconds(rows[0].best_copy().second) +
              fmt::format("{:>8.0f} % {:>6}  {:<8}{}", 100 * told.fraction_of_copy(), cold_of(told), spread_of(told),
                          bar_of(told.fraction_of_copy())));
}

void print_paper(const Figure& figure, Report& report) {
  report.note(fmt::format("  paper{}{}{}   at {}, on its GPU of 2009{}", milliseconds(figure.paper_a), milliseconds(figure.paper_b),
                          milliseconds(figure.paper_c), paper_extent,
                          figure.paper_cpu ? fmt::format("; on its CPU {:.1f}", 1e3 * *figure.paper_cpu) : ""));
}

/// Arrays of this machine's memory.
class CpuSite : public TransformSite {
 public:
  CpuSite(std::int64_t n_bytes, std::uint64_t seed, Executor& executor)
      : executor_(executor), source_(n_bytes, executor), destination_(n_bytes, executor), evictor_(executor) {
    fill_unit(reinterpret_cast<float*>(source_.data()), n_bytes / std::int64_t{sizeof(float)}, seed, executor);
  }

  std::function<void()> run_of(const Transform& t, Version version) override {
    return [loop = loop_of(t, version, executor_), this] { loop(source(), destination()); };
  }
  void check(const Transform& t, const std::string& what, const std::function<void()>& run) override {
    const std::int64_t n_bytes = t.n * t.n * std::int64_t{sizeof(float)};
    destination_.poison(n_bytes, executor_);
    run();
    const std::int64_t at = t.kind == Kind::blur ? first_wrong_of_blur(t.n, source(), destination(), executor_)
                                                 : first_wrong_byte(map_of(t).boxes(), source_.data(), destination_.data(), executor_);
    if (at >= 0) throw std::runtime_error(what + ": byte " + std::to_string(at) + " of the result is not as defined");
    if (!destination_.is_guard_whole(n_bytes)) throw std::runtime_error(what + ": bytes beside the result were written");
  }
  std::vector<Contender> copies(std::int64_t n_bytes) override {
    return plain_copies(destination_.data(), source_.data(), n_bytes, executor_);
  }
  void take_turns(std::vector<Contender>& contenders, const Effort& effort) override {
    take_hot_and_cold(contenders, effort, evictor_.clock());
  }
  int threads() const override { return executor_.n_workers(); }

 private:
  const float* source() const { return reinterpret_cast<const float*>(source_.data()); }
  float* destination() const { return reinterpret_cast<float*>(destination_.data()); }

  Executor& executor_;
  Region source_, destination_;
  Evictor evictor_;
};

}  // namespace

nlohmann::ordered_json hypercubic_facts() {
  nlohmann::ordered_json papers;
  for (const Figure& f : figures) {
    nlohmann::ordered_json seconds{{"A", f.paper_a}, {"B", f.paper_b}, {"C", f.paper_c}};
    if (f.paper_cpu) seconds["CPU"] = *f.paper_cpu;
    papers[f.title] = {{"where", "Hawick and Playne, section 9; a GeForce GPU of 2009"}, {"x", paper_extent}, {"seconds", seconds}};
  }
  return {{"paper", papers}};
}

void run_hypercubic(TransformSite& site, std::span<const std::int64_t> extents, const Effort& effort, std::uint64_t seed, Report& report) {
  for (const Figure& figure : figures) {
    print_head(figure, report);
    for (const std::int64_t n : extents) {
      if (2 * n * n * std::int64_t{sizeof(float)} > effort.memory_bytes) {
        report.note(fmt::format("{:>7} left out: give more than {} bytes with --memory", n, effort.memory_bytes));
        continue;
      }
      if (!is_wanted(figure, n, report)) continue;
      std::vector<Row> rows = measured(site, figure, n, effort, seed);
      print_line(n, rows, report);
      for (Row& row : rows) report.keep(std::move(row));
    }
    print_paper(figure, report);
  }
  report.note("\nA is written by hand for two dimensions, B takes apart the bits of a k-index, C is the paper's index of any extents");
}

std::int64_t hypercubic_bytes(std::span<const std::int64_t> extents, const Effort& effort) {
  std::int64_t largest = 0;
  for (const std::int64_t n : extents) {
    const std::int64_t n_bytes = n * n * std::int64_t{sizeof(float)};
    if (2 * n_bytes <= effort.memory_bytes) largest = std::max(largest, n_bytes);
  }
  if (largest > 0) return largest;
  throw Error(ErrorCode::too_large, fmt::format("two arrays of {0} × {0} float32 need more than {1} bytes; give more with --memory",
                                                extents[0], effort.memory_bytes));
}

void run_hypercubic(std::span<const std::int64_t> extents, const Effort& effort, std::uint64_t seed, Executor& executor, Report& report) {
  CpuSite site(hypercubic_bytes(extents, effort), seed, executor);
  run_hypercubic(site, extents, effort, seed, report);
}

}  // namespace crinkle::bench
