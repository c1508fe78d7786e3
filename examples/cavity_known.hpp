// What is known of the steady flow in a square cavity (cavity.hpp), and what both programs do: cavity.cpp on threads, cavity.cu on a GPU.
// The tables are I and II of Ghia, Ghia and Shin, "High-Re solutions for incompressible flow using the Navier-Stokes equations and a
// multigrid method", J. Comput. Phys. 48 (1982), of 129² nodes: u along x = 1/2, v along y = 1/2; and for Re = 1000 those of a spectral
// method, Botella and Peyret, "Benchmark spectral results on the lid-driven cavity flow", Computers & Fluids 27 (1998).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <functional>
#include <string_view>

#include "cavity.hpp"

namespace cavity {

// Nodes of 128 intervals and the speeds there, for Re = 100, 400, 1000.
inline constexpr int rows[] = {7, 8, 9, 13, 22, 36, 58, 64, 79, 94, 109, 122, 123, 124, 125};
inline constexpr int columns[] = {8, 9, 10, 12, 20, 29, 30, 64, 103, 110, 116, 121, 122, 123, 124};
inline constexpr double ghia_u[3][15] = {
    {-.03717, -.04192, -.04775, -.06434, -.10150, -.15662, -.21090, -.20581, -.13641, .00332, .23151, .68717, .73722, .78871, .84123},
    {-.08186, -.09266, -.10338, -.14612, -.24299, -.32726, -.17119, -.11477, .02135, .16256, .29093, .55892, .61756, .68439, .75837},
    {-.18109, -.20196, -.22220, -.29730, -.38289, -.27805, -.10648, -.06080, .05702, .18719, .33304, .46604, .51117, .57492, .65928}};
inline constexpr double ghia_v[3][15] = {
    {.09233, .10091, .10890, .12317, .16077, .17507, .17527, .05454, -.24533, -.22445, -.16914, -.10313, -.08864, -.07391, -.05906},
    {.18360, .19713, .20920, .22965, .28124, .30203, .30174, .05186, -.38598, -.44993, -.23827, -.22847, -.19254, -.15663, -.12146},
    {.27485, .29012, .30353, .32627, .37095, .33075, .32235, .02526, -.31966, -.42665, -.51550, -.39188, -.33714, -.27669, -.21388}};
inline constexpr double spectral_u[15] = {-.1812881, -.2023300, -.2228955, -.3004561, -.3885691, -.2803696, -.1081999, -.0620561,
                                          .0570178,  .1886747,  .3372212,  .4723329,  .5169277,  .5808359,  .6644227};
inline constexpr double spectral_v[15] = {.2807056,  .2962703,  .3099097,  .3330442,  .3769189,  .3339924,  .3253592, .0257995,
                                          -.3202137, -.4264545, -.5264392, -.4103754, -.3553213, -.2936869, -.2279225};

/// Which of the tables a flow has, or −1.
inline int table_of(const Flow& flow) {
  if (flow.rows != flow.n || (flow.n + 1) % 128 != 0) return -1;
  return flow.reynolds == 100 ? 0 : flow.reynolds == 400 ? 1 : flow.reynolds == 1000 ? 2 : -1;
}
/// Speeds where the tables have them: 15 of u, then 15 of v. Requires a table.
inline std::vector<double> speeds_of(const Steady& steady) {
  const int scale = (steady.flow.n + 1) / 128, middle = (steady.flow.n + 1) / 2;
  std::vector<double> speeds;
  for (const int row : rows) speeds.push_back(steady.u(row * scale, middle));
  for (const int column : columns) speeds.push_back(steady.v(middle, column * scale));
  return speeds;
}
inline double ghia(int table, std::size_t i) { return i < 15 ? ghia_u[table][i] : ghia_v[table][i - 15]; }
/// The table's v of Re = 400 at column 116, a known misprint, is left out.
inline bool is_misprint(int table, std::size_t i) { return table == 1 && i == 15 + 10; }

struct Solved {
  Steady steady;
  std::int64_t n_steps = 0;
  double seconds = 0;
  double copied_per_s = 0;  // bytes that a copy of one of its fields reads and writes
  bool is_steady = true;    // or it never became so
};
/// From a flow on the same grid, or from rest, until ω changes by less than `most` in a unit of time.
using Solve = std::function<Solved(const Flow&, double most, const Steady* from)>;

/// Whether more steps are to be made after a step that changed ω by so much a unit of time; tells `solved` where they will not help.
inline bool goes_on(Solved& solved, double change, double most) {
  constexpr double longest = 2000;  // units of time
  solved.is_steady = change <= most;
  return !solved.is_steady && std::isfinite(change) && static_cast<double>(solved.n_steps) * solved.steady.flow.step() < longest;
}
inline double largest_change(const Flow& flow, const double* now, const double* before) {
  double change = 0;
  for (std::int64_t i = 0; i < flow.n_cells(); ++i) {
    const double by = std::abs(now[i] - before[i]) / flow.step();
    if (!(by <= change)) change = by;  // NaN, too
  }
  return change;
}

inline void tell(const Solved& solved) {
  const Flow& flow = solved.steady.flow;
  const double bytes = static_cast<double>(flow.n_cells()) * bytes_a_cell * static_cast<double>(solved.n_steps) / solved.seconds;
  std::printf("Re = %g, %d x %d: %s after %lld steps, %.2f s, %.3g cells/s\n", flow.reynolds, flow.rows, flow.n,
              solved.is_steady ? "steady" : "not steady", static_cast<long long>(solved.n_steps), solved.seconds,
              static_cast<double>(flow.n_cells()) * (1 + sweeps_a_step) * static_cast<double>(solved.n_steps) / solved.seconds);
  std::printf("%d bytes a cell in %d sweeps a step: %.4g GB/s, %.2f of a copy of a field here\n", bytes_a_cell, 1 + sweeps_a_step,
              1e-9 * bytes, bytes / solved.copied_per_s);
}

/// 0 but where speeds on 129² nodes are off the tables by more than they are known to be.
inline int compare_with_tables(const Steady& steady) {
  const int table = table_of(steady.flow);
  if (table < 0) return 0;
  const std::vector<double> speeds = speeds_of(steady);
  double most[2] = {0, 0};
  for (std::size_t i = 0; i < speeds.size(); ++i)
    if (!is_misprint(table, i)) most[i / 15] = std::max(most[i / 15], std::abs(speeds[i] - ghia(table, i)));
  std::printf("u differs from Ghia, Ghia and Shin's by at most %.4f of the lid's speed, v by %.4f\n", most[0], most[1]);
  // A step of 1/128 is too long for Re = 1000, and some of the table is off: refine() shows how much.
  const double known_u[] = {0.005, 0.005, 0.012}, known_v[] = {0.009, 0.005, 0.009};
  return steady.flow.n != 127 || (most[0] <= known_u[table] && most[1] <= known_v[table]) ? 0 : 1;
}

/// 129², 257² and 513² nodes, and Richardson's limit of the last two, beside the tables: where they differ by more than half a per cent of
/// the lid's speed, the limit has to be known better than to 0.2 %, so that it is the table that is off.
inline int refine(double reynolds, const Solve& solve) {
  std::vector<double> speeds[3];
  const int table = table_of({127, reynolds});
  if (table < 0) return std::printf("there are tables of Re = 100, 400 and 1000\n"), 2;
  Solved solved;
  for (int k = 0; k < 3; ++k) {
    const Flow flow{(128 << k) - 1, reynolds};
    const Steady coarser = k > 0 ? solved.steady.on(flow) : Steady();
    solved = solve(flow, 1e-4, k > 0 ? &coarser : nullptr);
    tell(solved);
    if (!solved.is_steady) return 1;
    speeds[k] = speeds_of(solved.steady);
  }
  int n_off = 0, failures = 0;
  double spectral = 0;
  std::printf("              table     129²     257²     513²    limit  table off by\n");
  for (std::size_t i = 0; i < 30; ++i) {
    const double finest = speeds[2][i], limit = finest + (finest - speeds[1][i]) / 3, off = std::abs(limit - ghia(table, i));
    const bool is_off = off > 0.005;
    std::printf("%c at %.4f  %8.5f %8.5f %8.5f %8.5f %8.5f  %.5f%s\n", i < 15 ? 'u' : 'v', (i < 15 ? rows[i] : columns[i - 15]) / 128.0,
                ghia(table, i), speeds[0][i], speeds[1][i], finest, limit, off,
                is_misprint(table, i) ? ", a misprint"
                : is_off              ? " *"
                                      : "");
    n_off += is_off ? 1 : 0;
    if (is_off && std::abs(limit - finest) > 0.002) ++failures;
    if (table == 2) spectral = std::max(spectral, std::abs(limit - (i < 15 ? spectral_u[i] : spectral_v[i - 15])));
  }
  std::printf("%d of 30 speeds of the table are off by more than 0.005\n", n_off);
  if (table == 2) std::printf("the limit differs from a spectral method's by at most %.5f\n", spectral);
  return failures + (spectral > 0.002 ? 1 : 0);
}

/// [REYNOLDS [N [FOLDER [ROWS]]]], or REYNOLDS refine.
inline int run(int n_arguments, char** arguments, const Solve& solve) {
  Flow flow;
  const auto number = [&](int k, double otherwise) { return n_arguments > k ? std::atof(arguments[k]) : otherwise; };
  const double reynolds = number(1, 100);
  if (reynolds > 0 && n_arguments == 3 && std::string_view(arguments[2]) == "refine") return refine(reynolds, solve);
  const double n = number(2, 127), n_rows = number(4, n);
  if (!(reynolds > 0 && reynolds < 1e9 && n >= 3 && n <= 16383 && n_rows >= 3 && n_rows <= 16383) || n != std::floor(n) ||
      n_rows != std::floor(n_rows) || n_arguments > 5) {
    std::printf(
        "usage: [REYNOLDS [N [FOLDER [ROWS]]]], a Reynolds number above 0, 3 to 16383 cells along the lid and down, a folder for a\n"
        "picture and the speeds (\"\" for none); or REYNOLDS refine, of 100, 400 or 1000\n");
    return 2;
  }
  flow.n = static_cast<int>(n);
  flow.rows = static_cast<int>(n_rows);
  flow.reynolds = reynolds;
  flow.h = 1.0 / (flow.n + 1);
  const Solved solved = solve(flow, 1e-3, nullptr);
  tell(solved);
  if (!solved.is_steady) return 1;
  if (n_arguments > 3 && arguments[3][0] != 0 && !solved.steady.write(arguments[3]))
    return std::printf("cannot write into %s\n", arguments[3]), 1;
  return compare_with_tables(solved.steady);
}

}  // namespace cavity
