// Tiles are independent of each other, so any number of threads gives the same result. Every chunk has about as many tiles as the others;
// several chunks a thread, as tiles at the faces take longer.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cpu.hpp"

#include <algorithm>

#include "stencil/tile.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t chunks_of_a_thread = 8;
constexpr std::int64_t products_of_a_chunk = std::int64_t{1} << 16;  // about 20 µs: waking a thread takes a few

template <class T>
void run_pass(const SweepPlan& plan, const MemoryPass& pass, const Coefficients<T>& coefficients, const std::byte* source,
              std::byte* destination, Executor& executor, const simd::StencilKernels& kernels) {
  std::int64_t n_tiles = 0;
  for (const Tiles& tiles : pass.tiles) n_tiles += tiles.n_tiles;
  double products = static_cast<double>(plan.shape.width);
  for (const SweepAxis& axis : plan.shape.axes) products *= static_cast<double>(axis.extent);
  std::int64_t n_points = 0;
  for (const std::size_t s : pass.stages) n_points += plan.stages[s].n_points();
  const double worthwhile = products * static_cast<double>(n_points) / products_of_a_chunk;
  const std::int64_t most = executor.n_workers() == 1 || worthwhile < 2 ? 1 : executor.n_workers() * chunks_of_a_thread;
  const std::int64_t n_chunks = std::min(n_tiles, most);
  const std::size_t n_axes = plan.shape.axes.size();
  executor.parallel_for(n_chunks, [&](std::int64_t c) {
    TileSpace space;
    std::int64_t first = n_tiles / n_chunks * c + std::min(c, n_tiles % n_chunks);
    std::int64_t last = first + n_tiles / n_chunks + (c < n_tiles % n_chunks ? 1 : 0);
    for (const Tiles& tiles : pass.tiles) {
      for (std::int64_t t = std::max<std::int64_t>(first, 0); t < std::min(last, tiles.n_tiles); ++t)
        run_tile(plan, pass, tiles, tiles.tile(t, n_axes), coefficients, source, destination, kernels, space);
      first -= tiles.n_tiles;
      last -= tiles.n_tiles;
    }
  });
}

template <class T>
void run_all(const SweepPlan& plan, const std::byte* source, std::byte* destination, const std::array<std::byte*, 2>& buffers,
             Executor& executor, const std::function<void()>& passed, const simd::StencilKernels& kernels) {
  Coefficients<T> coefficients;
  for (const Stage& stage : plan.stages) {
    coefficients.emplace_back();
    for (const double c : stage.coefficients) coefficients.back().push_back(static_cast<T>(c));
  }
  const std::byte* from = source;
  for (std::size_t p = 0; p < plan.passes.size(); ++p) {
    std::byte* const to = p + 1 == plan.passes.size() ? destination : buffers[p % 2];
    run_pass(plan, plan.passes[p], coefficients, from, to, executor, kernels);
    from = to;
    if (passed) passed();
  }
}

}  // namespace

void run_passes(const SweepPlan& plan, const std::byte* source, std::byte* destination, const std::array<std::byte*, 2>& buffers,
                Executor& executor, const std::function<void()>& passed, const simd::StencilKernels& kernels) {
  if (plan.is_float32) run_all<float>(plan, source, destination, buffers, executor, passed, kernels);
  else run_all<double>(plan, source, destination, buffers, executor, passed, kernels);
}

}  // namespace crinkle
