// The lid-driven cavity (cavity.hpp, cavity_known.hpp) on the threads of a CPU: example_cavity [REYNOLDS [N [FOLDER [ROWS]]]], with N cells
// along the lid and a folder where pictures go; or example_cavity REYNOLDS refine.
// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <cstring>

#include "cavity_known.hpp"
#include "crinkle/stencil_loops.hpp"

namespace {

double seconds_of(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

cavity::Solved solve(const cavity::Flow& flow, double most, const cavity::Steady* from) {
  const auto n_cells = static_cast<std::size_t>(flow.n_cells());
  std::vector<double> cells(cavity::Fields::n_fields * n_cells);
  cavity::Fields fields(flow, cells.data());
  if (from != nullptr) {
    std::copy(from->vorticity.begin(), from->vorticity.end(), cells.begin());
    for (const std::ptrdiff_t k : {1, 2}) std::copy(from->stream.begin(), from->stream.end(), cells.begin() + k * flow.n_cells());
  }
  cavity::Solved solved{{flow, {}, {}}};
  solved.seconds = seconds_of([&] {
    do {
      for (int step = 0; step < 498; ++step) fields.step([](const auto& stencil, const auto& out) { crinkle::sweep(stencil, out); });
      solved.n_steps += 498;
    } while (goes_on(solved, cavity::largest_change(flow, fields.vorticity(), fields.vorticity_before()), most));
  });
  solved.steady.vorticity.assign(fields.vorticity(), fields.vorticity() + n_cells);
  solved.steady.stream.assign(fields.stream(), fields.stream() + n_cells);
  std::vector<double> copy(n_cells);
  const auto pass = [&] { std::memcpy(copy.data(), cells.data(), n_cells * sizeof(double)); };
  pass();
  solved.copied_per_s = 20.0 * static_cast<double>(n_cells * sizeof(double)) / seconds_of([&] {
                          for (int k = 0; k < 10; ++k) pass();
                        });
  return solved;
}

}  // namespace

int main(int n_arguments, char** arguments) { return cavity::run(n_arguments, arguments, solve); }
