// The lid-driven cavity (cavity.hpp, cavity_known.hpp) on a GPU, 498 steps a graph: example_cavity_cuda [REYNOLDS [N [FOLDER [ROWS]]]], or
// REYNOLDS refine. Without a GPU it says so and exits with 77.
// SPDX-License-Identifier: BSD-3-Clause
#include "cavity_known.hpp"
#include "crinkle/stencil_loops.cuh"

namespace {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("CUDA says: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

cavity::Solved solve(const cavity::Flow& flow, double most, const cavity::Steady* from) {
  const auto n_cells = static_cast<std::size_t>(flow.n_cells()), n_bytes = n_cells * sizeof(double);
  double* cells = nullptr;
  check(cudaMalloc(&cells, cavity::Fields::n_fields * n_bytes));
  check(cudaMemset(cells, 0, cavity::Fields::n_fields * n_bytes));
  if (from != nullptr) {
    check(cudaMemcpy(cells, from->vorticity.data(), n_bytes, cudaMemcpyHostToDevice));
    for (const std::size_t k : {1, 2}) check(cudaMemcpy(cells + k * n_cells, from->stream.data(), n_bytes, cudaMemcpyHostToDevice));
  }
  cavity::Fields fields(flow, cells);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t steps = nullptr;
  constexpr int steps_a_graph = 498;  // after which all fields are back in their places
  check(cudaStreamCreate(&stream));
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int step = 0; step < steps_a_graph; ++step)
    fields.step([&](const auto& stencil, const auto& out) { crinkle::sweep(stencil, out, stream); });
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&steps, graph, 0));
  cudaEvent_t begin = nullptr, end = nullptr;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  const auto seconds_of = [&](const auto& body) {
    float milliseconds = 0;
    check(cudaEventRecord(begin, stream));
    body();
    check(cudaEventRecord(end, stream));
    check(cudaEventSynchronize(end));
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    return 1e-3 * static_cast<double>(milliseconds);
  };

  cavity::Solved solved{{flow, {}, {}}};
  std::vector<double> before(n_cells), &now = solved.steady.vorticity;
  now.resize(n_cells);
  solved.steady.stream.resize(n_cells);
  do {
    solved.seconds += seconds_of([&] { check(cudaGraphLaunch(steps, stream)); });
    solved.n_steps += steps_a_graph;
    check(cudaMemcpy(before.data(), fields.vorticity_before(), n_bytes, cudaMemcpyDeviceToHost));
    check(cudaMemcpy(now.data(), fields.vorticity(), n_bytes, cudaMemcpyDeviceToHost));
  } while (goes_on(solved, cavity::largest_change(flow, now.data(), before.data()), most));
  check(cudaMemcpy(solved.steady.stream.data(), fields.stream(), n_bytes, cudaMemcpyDeviceToHost));
  const auto copies = [&](int n) {
    for (int k = 0; k < n; ++k) check(cudaMemcpyAsync(cells, cells + n_cells, n_bytes, cudaMemcpyDeviceToDevice, stream));
  };
  copies(3);
  solved.copied_per_s = 40.0 * static_cast<double>(n_bytes) / seconds_of([&] { copies(20); });
  check(cudaGraphExecDestroy(steps));
  check(cudaGraphDestroy(graph));
  check(cudaStreamDestroy(stream));
  check(cudaFree(cells));
  return solved;
}

}  // namespace

int main(int n_arguments, char** arguments) {
  int n_devices = 0;
  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) return std::printf("there is no GPU here\n"), 77;
  return cavity::run(n_arguments, arguments, solve);
}
