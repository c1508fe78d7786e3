// The lid-driven cavity (cavity.hpp) on a GPU: the stencils of cavity.cpp in a kernel, 500 steps a graph. The same arguments. Without a GPU
// it says so and exits with 77.
// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <cstdlib>
#include <utility>
#include <vector>

#include "cavity.hpp"

namespace {

using Plane = crinkle::Field<double, 2>;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("CUDA says: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

template <class Stencil>
__global__ void sweep(const __grid_constant__ Stencil stencil, const __grid_constant__ Plane out) {
  const crinkle::Array<std::int64_t, 2> index{static_cast<std::int64_t>(blockIdx.y * blockDim.y + threadIdx.y),
                                              static_cast<std::int64_t>(blockIdx.x * blockDim.x + threadIdx.x)};
  if (index[0] < out.extents[0] && index[1] < out.extents[1]) *out.at(index) = stencil.cell(index);
}

template <class Stencil>
void launch(const Stencil& stencil, const Plane& out, cudaStream_t stream) {
  const auto n = static_cast<unsigned>(out.extents[0]);
  sweep<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8), 0, stream>>>(stencil, out);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  using namespace crinkle;
  int n_devices = 0;
  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) return std::printf("there is no GPU here\n"), 77;
  cavity::Flow flow;
  if (n_arguments > 1) flow.reynolds = std::atof(arguments[1]);
  if (n_arguments > 2) flow = {std::atoi(arguments[2]), flow.reynolds};
  if (flow.n < 127 || (flow.n + 1) % 128 != 0 || (flow.reynolds != 100 && flow.reynolds != 400 && flow.reynolds != 1000))
    return std::printf("give a Reynolds number of 100, 400 or 1000, and 127, 255, 383 … cells\n"), 2;
  const auto n_cells = static_cast<std::size_t>(flow.n) * static_cast<std::size_t>(flow.n), n_bytes = n_cells * sizeof(double);
  Plane fields[5];  // ω and the next, ψ before, now and next
  for (Plane& f : fields) {
    f.extents = {flow.n, flow.n};
    f.strides = {flow.n, 1};
    check(cudaMalloc(&f.data, n_bytes));
    check(cudaMemset(f.data, 0, n_bytes));
  }
  auto& [w, next_w, before, psi, next_psi] = fields;
  const auto walls = filled<2>(Faces(Bound::function)), zero = filled<2>(Faces(Bound::constant, 0));
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t steps = nullptr;
  constexpr int steps_a_graph = 498;  // a multiple of 2 and 3: all fields are back in their places
  check(cudaStreamCreate(&stream));
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int step = 0; step < steps_a_graph; ++step) {
    launch(stencil(cavity::Vorticity(flow), walls, w, psi), next_w, stream);
    std::swap(w, next_w);
    for (int s = 0; s < cavity::sweeps_a_step; ++s) {
      launch(stencil(cavity::Relaxed(flow), zero, psi, before, w), next_psi, stream);
      std::swap(before, psi);
      std::swap(psi, next_psi);
    }
  }
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&steps, graph, 0));

  const auto start = std::chrono::steady_clock::now();
  std::vector<double> was(n_cells), is(n_cells), stream_function(n_cells);
  std::int64_t n_steps = 0;
  for (double change = 1; change > 1e-3; n_steps += steps_a_graph) {  // of ω in a unit of time
    check(cudaGraphLaunch(steps, stream));
    check(cudaStreamSynchronize(stream));
    check(cudaMemcpy(was.data(), next_w.data, n_bytes, cudaMemcpyDeviceToHost));  // a step before
    check(cudaMemcpy(is.data(), w.data, n_bytes, cudaMemcpyDeviceToHost));
    change = 0;
    for (std::size_t i = 0; i < n_cells; ++i) change = std::max(change, std::abs(is[i] - was[i]) / flow.step());
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  check(cudaMemcpy(stream_function.data(), psi.data, n_bytes, cudaMemcpyDeviceToHost));
  return cavity::report({flow, is, stream_function}, n_steps, seconds, n_arguments > 3 ? arguments[3] : nullptr);
}
