// The lid-driven cavity (cavity.hpp, cavity.cuh) on a GPU, 498 steps a graph. The same arguments. Without a GPU
// it says so and exits with 77.
// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <cstdlib>
#include <vector>

#include "cavity.cuh"

namespace {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("CUDA says: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  int n_devices = 0;
  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) return std::printf("there is no GPU here\n"), 77;
  cavity::Flow flow;
  if (n_arguments > 1) flow.reynolds = std::atof(arguments[1]);
  if (n_arguments > 2) flow = {std::atoi(arguments[2]), flow.reynolds};
  if (flow.n < 127 || (flow.n + 1) % 128 != 0 || (flow.reynolds != 100 && flow.reynolds != 400 && flow.reynolds != 1000))
    return std::printf("give a Reynolds number of 100, 400 or 1000, and 127, 255, 383 … cells\n"), 2;
  const auto n_cells = static_cast<std::size_t>(flow.n) * static_cast<std::size_t>(flow.n), n_bytes = n_cells * sizeof(double);
  double* cells = nullptr;
  check(cudaMalloc(&cells, cavity::Fields::n_fields * n_bytes));
  check(cudaMemset(cells, 0, cavity::Fields::n_fields * n_bytes));
  cavity::Fields fields(flow, cells);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t steps = nullptr;
  constexpr int steps_a_graph = 498;  // after which all fields are back in their places
  check(cudaStreamCreate(&stream));
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int step = 0; step < steps_a_graph; ++step) fields.step(cavity::InKernels{stream});
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&steps, graph, 0));

  const auto start = std::chrono::steady_clock::now();
  std::vector<double> was(n_cells), is(n_cells), stream_function(n_cells);
  std::int64_t n_steps = 0;
  for (double change = 1; change > 1e-3; n_steps += steps_a_graph) {  // of ω in a unit of time
    check(cudaGraphLaunch(steps, stream));
    check(cudaStreamSynchronize(stream));
    check(cudaMemcpy(was.data(), fields.vorticity_before(), n_bytes, cudaMemcpyDeviceToHost));
    check(cudaMemcpy(is.data(), fields.vorticity(), n_bytes, cudaMemcpyDeviceToHost));
    change = 0;
    for (std::size_t i = 0; i < n_cells; ++i) change = std::max(change, std::abs(is[i] - was[i]) / flow.step());
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  check(cudaMemcpy(stream_function.data(), fields.stream(), n_bytes, cudaMemcpyDeviceToHost));
  return cavity::report({flow, is, stream_function}, n_steps, seconds, n_arguments > 3 ? arguments[3] : nullptr);
}
