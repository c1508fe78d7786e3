// The suite `hypercubic`: the paper's four figures (Hawick and Playne, section 9, figures 12 to 15) on this machine. Blur, flip, shift and
// crinkle of N × N float32, N = 256 … 8192, in the paper's versions and by this library's plans, in turns with a copy of as many bytes.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <bit>
#include <memory>
#include <optional>

#include "harness/unit_numbers.hpp"
#include "papers/hypercubic/transform.hpp"
#include "papers/suites.hpp"
#include "suites/stencil.hpp"

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

/// A is written by hand for two dimensions, B takes apart the bits of a k-index, C is the paper's index of any extents.
std::vector<Version> versions_of(std::int64_t n) {
  if (std::has_single_bit(static_cast<std::uint64_t>(n)))
    return {Version::by_hand, Version::by_bits, Version::by_division, Version::by_plan};
  return {Version::by_hand, Version::by_division, Version::by_plan};
}

std::int64_t bytes_of(std::int64_t n) { return n * n * std::int64_t{sizeof(float)}; }

/// The mean of a star, periodic.
std::function<void()> sweep_of(std::int64_t n, Site& site) {
  const Sweep sweep = StencilCase{average(2, 1, StencilShape::star), {n, n}, Bound::periodic}.sweep();
  const ConstBuffer from{site.source(), bytes_of(n)};
  const Buffer to{site.destination(), bytes_of(n)};
  if (site.is_gpu())
    return [=, &site, sweeper = std::make_shared<Sweeper>(sweep, site.device())] { sweeper->run(from, to, site.stream()); };
  return [=, &site, operation = plan(sweep)] { operation.run({&from, 1}, {&to, 1}, site.worker()); };
}

std::function<void()> run_of(const Transform& t, Version version, Site& site) {
  if (version == Version::by_plan) {
    const std::int64_t n_bytes = bytes_of(t.n);
    if (t.kind == Kind::blur) return sweep_of(t.n, site);
    return [move = move_of(site.plan(map_of(t)), {n_bytes, n_bytes}, {}, site), &site] { move(site.source(), site.destination()); };
  }
  const auto* src = reinterpret_cast<const float*>(site.source());
  auto* dst = reinterpret_cast<float*>(site.destination());
  if (site.is_gpu()) return kernel_of(t, version, src, dst, site.stream().get());
  return [loop = loop_of(t, version, site.executor()), src, dst] { loop(src, dst); };
}

void check(const Transform& t, Version version, const std::function<void()>& run, Site& site, std::uint64_t seed) {
  const std::int64_t n_bytes = bytes_of(t.n);
  const std::string what = text_of(t) + ", version " + name_of(version);
  if (t.kind != Kind::blur) return site.check(what, {n_bytes, n_bytes}, seed, run, [&] { return site.first_wrong(map_of(t).boxes()); });
  std::vector<float> numbers(static_cast<std::size_t>(t.n * t.n));
  fill_unit(numbers.data(), t.n * t.n, seed, site.executor());
  const auto first_wrong = [&] {
    const std::vector<std::byte> result = site.on_host(site.destination(), n_bytes);
    const float within = version == Version::by_plan ? 0x1p-21F : 0;  // of five numbers below 1, products before sums
    return first_wrong_of_blur(t.n, numbers.data(), reinterpret_cast<const float*>(result.data()), site.executor(), within);
  };
  site.check(what, {n_bytes, n_bytes}, seed, run, first_wrong, [&] { site.put(numbers.data(), n_bytes); });
}

/// Every transform takes its turn by itself: a row is the mean of them.
Contest contest_of(const Figure& figure, std::int64_t n, Site& site, std::uint64_t seed) {
  const std::vector<Transform> transforms = transforms_of(figure.kind, n, seed);
  Contest c;
  c.name = fmt::format("{}_{}", figure.name, n);
  c.element_bytes = sizeof(float);
  c.bytes = 2 * bytes_of(n);
  c.rows = Contest::Rows::all;
  for (const Version version : versions_of(n)) {
    std::vector<std::function<void()>> parts;
    for (const Transform& t : transforms) parts.push_back(run_of(t, version, site));
    c.ways.emplace_back(name_of(version), parts);
    if (parts.size() > 1)
      for (const Transform& t : transforms) c.ways.back().part_names.push_back(direction_of(t));
  }
  c.check = [ways = c.ways, versions = versions_of(n), transforms, &site, seed] {
    for (std::size_t v = 0; v < versions.size(); ++v)
      for (std::size_t k = 0; k < transforms.size(); ++k) check(transforms[k], versions[v], ways[v].parts[k], site, seed);
  };
  c.checked = "definition";
  c.ceilings = ceilings_of(site.copies(bytes_of(n)));
  c.plot = {figure.title, "N", n, "seconds", {}};
  return c;
}

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

/// The paper's, and one with another prime factor: 6144 = 3 · 2^11.
std::vector<Entry> hypercubic_entries(const Request&) { return hypercubic_entries({256, 512, 1024, 2048, 4096, 6144, paper_extent}); }

std::vector<Entry> hypercubic_entries(const std::vector<std::int64_t>& extents) {
  std::vector<Entry> entries;
  for (const Figure& f : figures) {
    const std::string group = fmt::format("{}, {}; the paper's GPU of 2009 at {}: A {:.1f} ms, B {:.1f} ms, C {:.1f} ms{}", f.title,
                                          f.averages, paper_extent, 1e3 * f.paper_a, 1e3 * f.paper_b, 1e3 * f.paper_c,
                                          f.paper_cpu ? fmt::format("; its CPU {:.1f} ms", 1e3 * *f.paper_cpu) : "");
    for (const std::int64_t n : extents)
      entries.push_back({fmt::format("{}_{}", f.name, n),
                         {bytes_of(n), bytes_of(n)},
                         [f, n](Site& site, std::uint64_t seed) { return contest_of(f, n, site, seed); },
                         group});
  }
  return entries;
}

}  // namespace crinkle::bench
