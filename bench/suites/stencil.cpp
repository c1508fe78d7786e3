// The suite `stencil`: one sweep of stars and boxes in 1 to 6 dimensions, every boundary, and several steps, beside plain copies of as many
// bytes as each step alone would read and write; so steps that share a pass over memory can be faster than a copy. Hawick and Playne's blur
// is an average of a star; the stars of radius 1 to 4 are orders I to IV of Bader et al.'s figure 2. Behind them flips of the
// Ising model and steps of the cavity (stencil_examples.hpp). bench/rivals/drive.py sets others beside the suite.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/sweeper.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "base/number_lines.hpp"
#include "crinkle/stencil_loops.hpp"
#include "harness/unit_numbers.hpp"
#include "suites/stencil.hpp"
#include "suites/stencil_examples.hpp"
#include "suites/stencil_own.hpp"
#include "suites/suites.hpp"

namespace crinkle::bench {
namespace {

// Cells of a single step by their definition; all of them, and several steps, by the CPU's single steps.
void check_result(const std::string& name, Sweep sweep, Site& site) {
  const std::int64_t n = sweep.source.n_bytes();
  if (sweep.steps == 1) expect_defined(name, plan(sweep), site);
  sweep.steps_at_once = 1;
  std::vector<std::byte> want(static_cast<std::size_t>(n));
  const std::vector<std::byte> source = site.on_host(site.source(), n);
  plan(sweep).run({ConstBuffer(source)}, {Buffer(want)}, site.executor());
  if (want != site.on_host(site.destination(), n)) throw std::runtime_error(name + ": other bits than single steps on the CPU");
}

/// The same by a stencil of one's own, if its list is one of those.
bool sweep_own(const Sweep& of, Site& site) {
  if (site.is_gpu()) return own_on_gpu(of, site.source(), site.destination(), site.stream().get());
  return with_any_own(of, site.source(), site.destination(),
                      [&](const auto& stencil, const auto& out) { sweep(stencil, out, site.executor()); });
}

}  // namespace

Contest contest_of(const std::string& name, const StencilCase& of, Site& site, std::uint64_t seed) {
  const Sweep sweep = of.sweep();
  const std::int64_t n = sweep.source.n_bytes(), cells = sweep.source.n_elements();
  std::vector<float> numbers(static_cast<std::size_t>(cells));
  fill_unit(numbers.data(), cells, seed, site.executor());
  for (float& x : numbers) x = of.number == Number::uint8 ? 255 * x : 2 * x - 1;
  std::vector<std::byte> stored(static_cast<std::size_t>(n));
  store_line(stored.data(), bytes_of(of.number), numbers.data(), 1, cells, {of.number});
  site.put(stored.data(), n);
  const auto sweeper = std::make_shared<Sweeper>(sweep, site.device());  // which launches many steps as one graph
  const auto on_stream = [=, &site] { sweeper->run({site.source(), n}, {site.destination(), n}, site.stream()); };
  const auto own = [=, &site] { sweep_own(sweep, site); };
  const bool has_own = sweep_own(sweep, site);
  const auto right = [=, &site] {
    check_result(name, sweep, site);
    const auto check_again = [&](const auto& run) {
      site.poison(n);
      run();
      site.wait();
      check_result(name, sweep, site);
    };
    if (site.is_gpu()) check_again(on_stream);
    if (has_own) check_again(own);
  };
  Contest c = contest(name, plan(sweep, site.device()), site, right, "bits");
  c.bytes = 2 * n * of.steps;
  c.unit = "cells";
  c.units = cells * of.steps;
  if (site.is_gpu()) c.ways = {{"crinkle", on_stream}};
  if (has_own) c.ways.emplace_back("a stencil of one's own", own);
  c.facts["passes"] = sweeper->passes();
  c.ceilings = ceilings_of(site.copies(n), static_cast<double>(of.steps));
  return c;
}

std::vector<Entry> stencil_entries(const Request& request) {
  const bool is_gpu = request.site.is_gpu();
  const auto side = [&](std::int64_t gpu, std::int64_t cpu) { return is_gpu ? gpu : cpu; };
  const std::vector<Extents> arrays = {{side(1 << 26, 1 << 24)}, Extents(2, side(8192, 4096)), Extents(3, side(512, 256)),
                                       Extents(4, side(96, 64)), Extents(5, side(40, 28)),     Extents(6, side(20, 16))};
  std::vector<Entry> entries;
  const auto add = [&](const std::string& name, const StencilCase& of) {
    const std::int64_t n = of.sweep().source.n_bytes();
    entries.push_back({name, {n, n}, [=](Site& site, std::uint64_t seed) { return contest_of(name, of, site, seed); }});
  };
  const auto array = [&](int rank) { return arrays[static_cast<std::size_t>(rank - 1)]; };
  for (const int rank : {2, 3})
    for (const int radius : {1, 2, 3, 4}) add(fmt::format("star_{}d_r{}", rank, radius), {laplacian(rank, 2 * radius), array(rank)});
  for (const int rank : {2, 3}) add(fmt::format("box_{}d_r1", rank), {average(rank), array(rank)});
  add("box_2d_r2", {average(2, 2), array(2)});
  for (const int rank : {1, 2, 3, 4, 5, 6}) add(fmt::format("blur_{}d", rank), {average(rank, 1, StencilShape::star), array(rank)});
  for (const double sigma : {1.0, 2.0, 5.0}) {
    add(fmt::format("gaussian_2d_s{}", sigma), {gaussian({sigma, sigma}), array(2)});
    add(fmt::format("gaussian_3d_s{}", sigma), {gaussian({sigma, sigma, sigma}), array(3)});
    add(fmt::format("gaussian_2d_s{}_uint8", sigma), {gaussian({sigma, sigma}), array(2), Bound::reflect, 1, Number::uint8});
  }
  std::vector<double> weights;
  for (int i = 0; i < 49; ++i) weights.push_back(1.0 / (40 + i));
  add("weights_2d_7x7", {from_array(weights, {7, 7}), array(2)});
  for (const auto& [word, bound] : {std::pair{"periodic", Bound::periodic}, {"edge", Bound::edge}, {"constant", Bound::constant}})
    add(fmt::format("star_2d_r1_{}", word), {laplacian(2), array(2), bound});
  for (const int rank : {2, 3}) {
    add(fmt::format("star_{}d_r1_float64", rank), {laplacian(rank), array(rank), Bound::reflect, 1, Number::float64});
    for (const std::int64_t steps : {2, 4, 8, 16})  // a mean of neighbours stays where it is
      add(fmt::format("steps_{}d_r1_x{}", rank, steps), {average(rank, 1, StencilShape::star), array(rank), Bound::reflect, steps});
  }
  add("steps_2d_box_x8", {average(2), array(2), Bound::periodic, 8});
  for (const std::int64_t n : {64, 128, 256, 512})  // a step's time is that of what begins it
    add(fmt::format("steps_2d_{}_x100", n), {average(2, 1, StencilShape::star), {n, n}, Bound::reflect, 100});
  for (Entry& e : stencil_examples(is_gpu)) entries.push_back(std::move(e));
  return entries;
}

}  // namespace crinkle::bench
