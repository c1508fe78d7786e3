// Tiles are independent of each other, so any number of threads gives the same result. Every chunk has about as many tiles as the others;
// several chunks a thread, as tiles at the faces take longer.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cpu/sweep.hpp"

#include <algorithm>
#include <functional>

#include "base/sizes.hpp"
#include "stencil/cpu/fused_rows.hpp"
#include "stencil/cpu/integer_rows.hpp"
#include "stencil/cpu/planes.hpp"
#include "stencil/cpu/rounded_rows.hpp"
#include "stencil/cpu/rows.hpp"
#include "stencil/cpu/running_rows.hpp"
#include "stencil/cpu/tile.hpp"
#include "stencil/shape.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t chunks_of_a_thread = 8;
constexpr std::int64_t products_of_a_chunk = std::int64_t{1} << 16;  // about 20 µs: waking a thread takes a few

template <class T>
void run_pass(const SweepPlan& plan, const MemoryPass& pass, const std::byte* source, std::byte* destination, Executor& executor,
              const simd::StencilKernels& kernels) {
  const Coefficients<T>& coefficients = plan.coefficients<T>();
  const std::int64_t n_tiles = pass.tiles.n_tiles;
  double products = static_cast<double>(plan.shape.width);
  for (std::size_t a = 0; a < plan.shape.axes.size(); ++a)
    products *= static_cast<double>(pass.tiles.region.high[a] - pass.tiles.region.low[a]);
  std::int64_t n_points = 0;
  for (const std::size_t s : pass.stages) n_points += plan.stages[s].n_points();
  const double worthwhile = products * static_cast<double>(n_points) / products_of_a_chunk;
  const std::int64_t most = executor.n_workers() == 1 || worthwhile < 2 ? 1 : executor.n_workers() * chunks_of_a_thread;
  const std::int64_t n_chunks = std::min(n_tiles, most);
  const std::size_t n_axes = plan.shape.axes.size();
  const auto* const from = reinterpret_cast<const T*>(source + pass.source.offset);
  auto* const to = reinterpret_cast<T*>(destination + pass.destination.offset);
  const auto is_aligned = [](const T* p) { return reinterpret_cast<std::uintptr_t>(p) % sizeof(T) == 0; };
  const bool are_aligned = is_aligned(from) && is_aligned(to), is_direct = pass.is_direct && are_aligned;
  const auto body = [&](std::int64_t c) {
    thread_local TileSpace<T> space;
    for (std::int64_t t = part_begin(n_tiles, n_chunks, c), end = part_begin(n_tiles, n_chunks, c + 1); t < end; ++t) {
      const Region region = pass.tiles.tile(t, n_axes);
      if (are_aligned && pass.is_fused) run_fused(plan, pass, region, coefficients, from, to, kernels, space);
      else if (is_direct && pass.is_in_planes) run_planes(plan, pass, region, coefficients[pass.stages[0]], from, to, kernels, space);
      else if (is_direct) run_rows(plan, pass, region, coefficients[pass.stages[0]], from, to, kernels, space);
      else run_tile(plan, pass, pass.tiles, region, coefficients, source, destination, kernels, space);
    }
  };
  executor.parallel_for(n_chunks, std::cref(body));  // of one pointer: nothing is allocated
}

template <class T>
void run_all(const SweepPlan& plan, const std::byte* source, std::byte* destination, const std::array<std::byte*, 2>& buffers,
             Executor& executor, const std::function<void()>& passed, const simd::StencilKernels& kernels) {
  const std::byte* from = source;
  for (std::size_t p = 0; p < plan.passes.size(); ++p) {
    std::byte* const to = p + 1 == plan.passes.size() ? destination : buffers[p % 2];
    run_pass<T>(plan, plan.passes[p], from, to, executor, kernels);
    from = to;
    if (passed) passed();
  }
}

}  // namespace

void run_passes(const SweepPlan& plan, const std::byte* source, std::byte* destination, const std::array<std::byte*, 2>& buffers,
                Executor& executor, const std::function<void()>& passed, const simd::StencilKernels& kernels) {
  if (plan.is_special()) {
    if (plan.integer) run_integers(plan, source, destination, executor);
    else if (plan.running) run_running(plan, source, destination, executor);
    else run_rounded(plan, source, destination, executor);
    if (passed) passed();
    return;
  }
  if (plan.is_float32) run_all<float>(plan, source, destination, buffers, executor, passed, kernels);
  else run_all<double>(plan, source, destination, buffers, executor, passed, kernels);
}

}  // namespace crinkle
