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
  std::vector<double> w(n_cells), next_w(n_cells), psi(n_cells), psi_before(n_cells), next_psi(n_cells);
  const auto field = [&](std::vector<double>& cells) { return dense_field(cells.data(), Array<std::int64_t, 2>{flow.n, flow.n}); };
  const auto walls = filled<2>(Faces(Bound::function)), zero = filled<2>(Faces(Bound::constant, 0));
  const cavity::Vorticity vorticity(flow);
  const cavity::Relaxed relaxed(flow);

  const auto start = std::chrono::steady_clock::now();
  std::int64_t n_steps = 0;
  for (double change = 1; change > 1e-3; ++n_steps) {  // of ω in a unit of time
    sweep(stencil(vorticity, walls, field(w), field(psi)), field(next_w));
    if (n_steps % 500 == 499) {
      change = 0;
      for (std::size_t i = 0; i < n_cells; ++i) change = std::max(change, std::abs(next_w[i] - w[i]) / flow.step());
    }
    w.swap(next_w);
    for (int s = 0; s < cavity::sweeps_a_step; ++s) {
      sweep(stencil(relaxed, zero, field(psi), field(psi_before), field(w)), field(next_psi));
      psi_before.swap(psi);
      psi.swap(next_psi);
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return cavity::report({flow, w, psi}, n_steps, seconds, n_arguments > 3 ? arguments[3] : nullptr);
}
