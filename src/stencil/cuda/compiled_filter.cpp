// A filter's kernel, where one is compiled, and its launch. SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/checked.hpp"
#include "cuda/entry.hpp"
#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "move/planned.hpp"
#include "stencil/cuda/filters.hpp"

namespace crinkle {
namespace {

// Predicted shares of a copy, of filters of n weights in all: docs/tuning.md.
double share_of_compiled(double n) { return std::min(0.8, 20 / n); }
double share_of_fixed(double n, bool are_bytes) { return are_bytes ? 0.02 : std::min(0.3, 8 / n); }
constexpr double compile_seconds = 0.5;

}  // namespace

CompiledFilter::CompiledFilter(Filter filter, const FilterTypes& types, const FilterTile& tile, gpu::Kernel kernel, Device device)
    : filter_(std::move(filter)), types_(types), tile_(tile), kernel_(std::move(kernel)) {
  // Blocks at once, by threads and by registers, which come in eights.
  constexpr std::int64_t threads = 2048, registers = 65536, most = 32;
  const std::int64_t of_thread = ceil_divide(std::max<std::int64_t>(kernel_.facts().registers, 32), std::int64_t{8}) * 8;
  slots_ = facts_of(device).multiprocessors *
           std::max<std::int64_t>(1, std::min({most, threads / tile.threads, registers / (of_thread * tile.threads)}));
}

std::optional<CompiledFilter> CompiledFilter::of(Filter filter, const ShapedSweep& shaped, const FilterTypes& types, Device device) {
  if (kernel_options().effort == KernelEffort::library || shaped.shape.n_cells() == 0) return {};
  const FilterTile tile = tile_of(filter, shaped.shape, types);
  const double n = static_cast<double>(filter.is_grid() ? std::ssize(filter.across) : filter.n_down() + filter.n_across());
  const double cells = static_cast<double>(multiply(shaped.shape.n_cells(), shaped.shape.width));
  const double bytes = cells * static_cast<double>(bytes_of(types.in) + bytes_of(types.out));
  const double measured = machine_of(device).copy_gb_per_s(static_cast<std::int64_t>(bytes / 2)),
               copy = 1e9 * (measured > 0 ? measured : 1000);
  const gpu::Worth worth{bytes / copy / share_of_fixed(n, types.certain.has_value()), bytes / copy / share_of_compiled(n), compile_seconds};
  std::optional<gpu::Kernel> kernel = gpu::compiled(source_of(filter, shaped, types, tile), device, worth);
  if (!kernel) return {};
  return CompiledFilter(std::move(filter), types, tile, std::move(*kernel), device);
}

FilterTask CompiledFilter::task(const ShapedSweep& shaped, const SweepPlaces& in, const SweepPlaces& out) const {
  return task_of(filter_, shaped, in, out, types_, tile_, slots_);
}

void CompiledFilter::launch(FilterTask task, const std::byte* in, std::byte* out, CUstream_st* stream) const {
  const auto is_multiple_of = [](const std::byte* at, std::int64_t bytes) {
    return reinterpret_cast<std::uintptr_t>(at) % static_cast<std::uintptr_t>(bytes) == 0;
  };
  task.is_aligned_in = task.is_aligned_in && is_multiple_of(in, types_.lanes() * bytes_of(types_.in));
  task.is_aligned_out = task.is_aligned_out && is_multiple_of(out, types_.lanes() * bytes_of(types_.out));
  gpu::for_each_grid(blocks_of(task), [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {&task, &first, &in, &out};
    const gpu::Grid grid{n_blocks, static_cast<std::uint32_t>(tile_.threads), shared_bytes_of(filter_, task, types_, tile_)};
    gpu::entry<&gpu::launch>(kernel_.get(), grid, arguments, stream, "a stencil");
  });
}

std::string CompiledFilter::describe(const FilterTask& task) const {
  return fmt::format("{}, compiled: {} blocks of {} rows", kernel_.name(), blocks_of(task), task.strip);
}

}  // namespace crinkle
