// A reaction (reaction.hpp) on a GPU, whose bits are those of threads: 3000 steps of both. Products and sums are not contracted (nvcc
// -fmad=false). Without a GPU it says so and exits with 77.
// SPDX-License-Identifier: BSD-3-Clause
#include "reaction.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "crinkle/stencil_loops.cuh"

namespace {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("CUDA says: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

}  // namespace

int main() {
  int n_devices = 0;
  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) return std::printf("there is no GPU here\n"), 77;
  constexpr auto n_cells = static_cast<std::size_t>(reaction::n * reaction::n), n_bytes = n_cells * sizeof(float);
  const reaction::Reaction made{1, 0.035f, 0.062f};
  reaction::Dish dish;
  float* cells = nullptr;
  check(cudaMalloc(&cells, 4 * n_bytes));
  check(cudaMemcpy(cells, dish.u.data(), n_bytes, cudaMemcpyHostToDevice));
  check(cudaMemcpy(cells + n_cells, dish.v.data(), n_bytes, cudaMemcpyHostToDevice));
  reaction::Field u = reaction::field_of(cells), v = reaction::field_of(cells + n_cells), next_u = reaction::field_of(cells + 2 * n_cells),
                  next_v = reaction::field_of(cells + 3 * n_cells);
  constexpr int n_steps = 3000;
  for (int s = 0; s < n_steps; ++s) {
    sweep(reaction::on_torus(made, u, v), std::tuple(next_u, next_v), cudaStream_t{});
    std::swap(u, next_u);
    std::swap(v, next_v);
  }
  std::vector<float> u_of_gpu(n_cells), v_of_gpu(n_cells);
  check(cudaMemcpy(u_of_gpu.data(), u.data, n_bytes, cudaMemcpyDeviceToHost));
  check(cudaMemcpy(v_of_gpu.data(), v.data, n_bytes, cudaMemcpyDeviceToHost));
  check(cudaFree(cells));
  dish.run(n_steps, made);
  const bool are_equal = dish.u == u_of_gpu && dish.v == v_of_gpu;
  std::printf("after %d steps the GPU's bits %s the CPU's\n", n_steps, are_equal ? "are" : "are not");
  return are_equal ? 0 : 1;
}
