// Spins and a flow, beside plain loops that do the same by the rule alone; the rows of spins have no copy beside them, but flips.
// SPDX-License-Identifier: BSD-3-Clause
#include "suites/stencil_examples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "crinkle/stencil_loops.hpp"

namespace crinkle::bench {
namespace {

constexpr double temperature = 2.269;  // near the critical one

std::size_t square(std::int64_t n) { return static_cast<std::size_t>(n * n); }

/// A sweep of n² spins that lie as they are, no colours apart: the numbers drawn are those that ising.hpp says.
void flip_plainly(std::vector<ising::Spin>& spins, std::int64_t n, std::uint32_t sweep, Executor& executor) {
  for (const std::uint32_t colour : {0u, 1u}) {
    executor.parallel_for(n, [&](std::int64_t y) {
      const auto at = [&](std::int64_t j, std::int64_t i) -> ising::Spin& {
        return spins[static_cast<std::size_t>((j + n) % n * n + (i + n) % n)];
      };
      for (std::int64_t x = (y + colour) % 2; x < n; x += 2) {
        const int cost = at(y, x) * (at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1));
        const auto half = static_cast<std::uint32_t>(x / 2);
        const ising::Draw draw = ising::philox({{half / 4, static_cast<std::uint32_t>(y), sweep, colour}}, ising::Lattice<1, 1>::seed);
        const double drawn = draw.word[half % 4] * 0x1p-32, odds = std::exp(-2 * cost / temperature);
        if (cost <= 0 || drawn < std::floor(odds * 0x1p32) * 0x1p-32) at(y, x) = static_cast<ising::Spin>(-at(y, x));
      }
    });
  }
}

Contest ising_contest(const std::string& name, std::int64_t n, Site& site) {
  const std::int64_t n_bytes = 3 * n * n / 2;
  const std::vector<ising::Spin> up(static_cast<std::size_t>(n_bytes), 1);
  site.put(up.data(), n_bytes);
  const auto lattice =
      std::make_shared<ising::Lattice<1, 1>>(reinterpret_cast<ising::Four*>(site.source()), Array<std::int64_t, 2>{n, n / 2});
  Contest c;
  c.name = name;
  c.element_bytes = sizeof(ising::Spin);
  c.unit = "flips";
  c.units = n * n;
  c.ways = {{"crinkle", [=, &site] {
               if (site.is_gpu()) flip_on_gpu(*lattice, temperature, site.stream().get());
               else lattice->flip(temperature, [&](const auto& stencil, const auto& out) { sweep(stencil, out, site.executor()); });
             }}};
  c.check = [=, &site, run = c.ways[0].parts[0]] {
    std::vector<ising::Spin> want(square(n), 1);
    for (std::uint32_t s = 0; s < 3; ++s) {
      run();
      flip_plainly(want, n, s, site.executor());
    }
    site.wait();
    for (int colour = 0; colour < 2; ++colour) {
      const std::vector<std::byte> have = site.on_host(lattice->colour(colour).data, n * n / 2);
      for (std::int64_t i = 0; i < n * n / 2; ++i) {
        const std::int64_t y = i / (n / 2), x = i % (n / 2) * 2 + (y + colour) % 2;
        if (std::to_integer<ising::Spin>(have[static_cast<std::size_t>(i)]) != want[static_cast<std::size_t>(y * n + x)])
          throw std::runtime_error(fmt::format("{}: after 3 sweeps spin {}, {} is not that of a plain loop", name, y, x));
      }
    }
  };
  c.checked = "bits";
  c.facts["temperature"] = temperature;
  return c;
}

/// ψ and ω of (n + 2)² nodes, walls and all, and a step of them as cavity.hpp has it in formulas.
class PlainFlow {
 public:
  PlainFlow(const cavity::Flow& flow, const std::vector<double>& cells) : flow_(flow), w_(square(flow.n + 2)), before_(w_), psi_(w_) {
    for (int y = 1; y <= flow.n; ++y)
      for (int x = 1; x <= flow.n; ++x) {
        const auto i = static_cast<std::size_t>(y - 1) * static_cast<std::size_t>(flow.n) + static_cast<std::size_t>(x - 1);
        at(w_, y, x) = cells[i];
        at(before_, y, x) = cells[square(flow.n) + i];
        at(psi_, y, x) = cells[2 * square(flow.n) + i];
      }
  }
  void step() {
    const double h = flow_.h;
    const int n = flow_.n;
    const auto wall = [&](double first, double second, double speed) { return (second - 8 * first) / (2 * h * h) - 3 * speed / h; };
    for (int k = 1; k <= n; ++k) {
      at(w_, 0, k) = wall(at(psi_, 1, k), at(psi_, 2, k), 0);
      at(w_, n + 1, k) = wall(at(psi_, n, k), at(psi_, n - 1, k), flow_.lid);
      at(w_, k, 0) = wall(at(psi_, k, 1), at(psi_, k, 2), 0);
      at(w_, k, n + 1) = wall(at(psi_, k, n), at(psi_, k, n - 1), 0);
    }
    std::vector<double> next = w_;
    for_all([&](int y, int x) {
      const double u = (at(psi_, y + 1, x) - at(psi_, y - 1, x)) / (2 * h), v = (at(psi_, y, x - 1) - at(psi_, y, x + 1)) / (2 * h);
      const double dx = (at(w_, y, x + 1) - at(w_, y, x - 1)) / (2 * h), dy = (at(w_, y + 1, x) - at(w_, y - 1, x)) / (2 * h);
      at(next, y, x) += flow_.step() * ((neighbours(w_, y, x) - 4 * at(w_, y, x)) / (flow_.reynolds * h * h) - u * dx - v * dy);
    });
    w_.swap(next);
    for (int s = 0; s < cavity::sweeps_a_step; ++s) {
      next.assign(next.size(), 0);
      for_all([&](int y, int x) {
        const double jacobi = (neighbours(psi_, y, x) + h * h * at(w_, y, x)) / 4;
        at(next, y, x) = at(before_, y, x) + flow_.over() * (jacobi - at(before_, y, x));
      });
      before_.swap(psi_);
      psi_.swap(next);
    }
  }
  std::vector<double> vorticity() const { return inside(w_); }
  std::vector<double> stream() const { return inside(psi_); }

 private:
  std::size_t node(int y, int x) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(flow_.n + 2) + static_cast<std::size_t>(x);
  }
  double& at(std::vector<double>& of, int y, int x) const { return of[node(y, x)]; }
  double at(const std::vector<double>& of, int y, int x) const { return of[node(y, x)]; }
  double neighbours(const std::vector<double>& of, int y, int x) const {
    return at(of, y - 1, x) + at(of, y + 1, x) + at(of, y, x - 1) + at(of, y, x + 1);
  }
  template <class Body>
  void for_all(const Body& body) const {
    for (int y = 1; y <= flow_.n; ++y)
      for (int x = 1; x <= flow_.n; ++x) body(y, x);
  }
  std::vector<double> inside(const std::vector<double>& of) const {
    std::vector<double> cells;
    for_all([&](int y, int x) { cells.push_back(at(of, y, x)); });
    return cells;
  }

  cavity::Flow flow_;
  std::vector<double> w_, before_, psi_;
};

/// A slow whirl that is at rest on the walls, so that a step changes every cell, and what follows stays finite.
std::vector<double> whirl(const cavity::Flow& flow) {
  std::vector<double> cells(cavity::Fields::n_fields * square(flow.n));
  const double pi = std::acos(-1.0);
  std::size_t i = 0;
  for (int y = 1; y <= flow.n; ++y)
    for (int x = 1; x <= flow.n; ++x, ++i) {
      const double a = std::sin(pi * x * flow.h), b = std::sin(pi * y * flow.h), psi = 0.1 * a * a * b * b;
      cells[i] = -0.2 * pi * pi * ((1 - 2 * a * a) * b * b + a * a * (1 - 2 * b * b));  // ω = −∇²ψ
      cells[square(flow.n) + i] = cells[2 * square(flow.n) + i] = psi;
    }
  return cells;
}

void expect_near(const std::string& what, const std::vector<std::byte>& bytes, const std::vector<double>& want) {
  const auto* const have = reinterpret_cast<const double*>(bytes.data());
  double most = 0;
  for (const double x : want) most = std::max(most, std::abs(x));
  for (std::size_t i = 0; i < want.size(); ++i)
    if (!(std::abs(have[i] - want[i]) <= 1e-10 * most))
      throw std::runtime_error(fmt::format("{} of cell {} is {} after 2 steps, {} in a plain loop", what, i, have[i], want[i]));
}

Contest cavity_contest(const std::string& name, int n, Site& site) {
  const cavity::Flow flow{.n = n, .reynolds = 1000};
  const std::vector<double> cells = whirl(flow);
  site.put(cells.data(), std::ssize(cells) * std::int64_t{sizeof(double)});
  const auto fields = std::make_shared<cavity::Fields>(flow, reinterpret_cast<double*>(site.source()));
  Contest c;
  c.name = name;
  c.element_bytes = sizeof(double);
  c.unit = "cells";
  c.units = flow.n_cells() * (1 + cavity::sweeps_a_step);
  const auto field_bytes = flow.n_cells() * c.element_bytes;
  c.bytes = flow.n_cells() * cavity::bytes_a_cell;
  c.ceilings = ceilings_of(site.copies(field_bytes), static_cast<double>(c.bytes) / static_cast<double>(2 * field_bytes));
  c.ways = {{"crinkle", [=, &site] {
               if (site.is_gpu()) step_on_gpu(*fields, site.stream().get());
               else fields->step([&](const auto& stencil, const auto& out) { sweep(stencil, out, site.executor()); });
             }}};
  c.check = [=, &site, run = c.ways[0].parts[0]] {
    PlainFlow plain(flow, whirl(flow));
    for (int step = 0; step < 2; ++step) {
      run();
      plain.step();
    }
    site.wait();
    const auto n_bytes = static_cast<std::int64_t>(square(n) * sizeof(double));
    expect_near(name + ": vorticity", site.on_host(fields->vorticity(), n_bytes), plain.vorticity());
    expect_near(name + ": stream function", site.on_host(fields->stream(), n_bytes), plain.stream());
  };
  c.checked = "a plain loop, to 1e-10 of the largest";
  c.facts["reynolds"] = flow.reynolds;
  c.facts["bytes_a_cell"] = cavity::bytes_a_cell;
  return c;
}

}  // namespace

std::vector<Entry> stencil_examples(bool is_gpu) {
  std::vector<Entry> entries;
  const std::int64_t n_spins = is_gpu ? 16384 : 2048;
  const std::string ising = fmt::format("ising_n{}", n_spins);
  entries.push_back(
      {ising, {3 * n_spins * n_spins / 2, 0}, [=](Site& site, std::uint64_t) { return ising_contest(ising, n_spins, site); }});
  for (const int n : is_gpu ? std::vector{1023, 4095} : std::vector{1023}) {
    const std::string name = fmt::format("cavity_n{}", n);
    const auto n_bytes = static_cast<std::int64_t>(square(n) * sizeof(double));  // of a field
    entries.push_back(
        {name, {cavity::Fields::n_fields * n_bytes, n_bytes}, [=](Site& site, std::uint64_t) { return cavity_contest(name, n, site); }});
  }
  return entries;
}

}  // namespace crinkle::bench
