// The lid-driven cavity (cavity.hpp) on the threads of a CPU: example_cavity [REYNOLDS [N [FOLDER]]], 100, 400 or 1000, N inside the walls
// (127, 255, …), and where pictures go.
// SPDX-License-Identifier: BSD-3-Clause
#include "cavity.hpp"

#include <chrono>
#include <cstdlib>

#include "crinkle/stencil_loops.hpp"

int main(int n_arguments, char** arguments) {
  using namespace crinkle;
  cavity::Flow flow;
  if (n_arguments > 1) flow.reynolds = std::atof(arguments[1]);
  if (n_arguments > 2) flow = {std::atoi(arguments[2]), flow.reynolds};
  if (flow.n < 127 || (flow.n + 1) % 128 != 0 || (flow.reynolds != 100 && flow.reynolds != 400 && flow.reynolds != 1000))
    return std::printf("give a Reynolds number of 100, 400 or 1000, and 127, 255, 383 … cells\n"), 2;
  const auto n_cells = static_cast<std::size_t>(flow.n) * static_cast<std::size_t>(flow.n);
  std::vector<double> cells(cavity::Fields::n_fields * n_cells);
  cavity::Fields fields(flow, cells.data());

  const auto start = std::chrono::steady_clock::now();
  std::int64_t n_steps = 0;
  for (double change = 1; change > 1e-3; ++n_steps) {  // of ω in a unit of time
    fields.step([](const auto& stencil, const auto& out) { sweep(stencil, out); });
    if (n_steps % 500 != 499) continue;
    change = 0;
    for (std::size_t i = 0; i < n_cells; ++i)
      change = std::max(change, std::abs(fields.vorticity()[i] - fields.vorticity_before()[i]) / flow.step());
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto values = [&](const double* of) { return std::vector<double>(of, of + n_cells); };
  return cavity::report({flow, values(fields.vorticity()), values(fields.stream())}, n_steps, seconds,
                        n_arguments > 3 ? arguments[3] : nullptr);
}
