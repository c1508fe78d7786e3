// A filter's kernel, where one is compiled, and its launch. SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/checked.hpp"
#include "cuda/entry.hpp"
#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "move/planned.hpp"
#include "stencil/cuda/fixed_filter.hpp"

namespace crinkle {
namespace {

// Predicted shares of a copy, of filters of n weights in all: docs/tuning.md.
double share_of_compiled(double n, bool are_bytes) { return are_bytes ? std::min(0.3, 5.5 / n) : std::min(0.8, 20 / n); }
double share_of_ahead(double n, bool are_bytes) { return are_bytes ? std::min(0.25, 4 / n) : std::min(0.6, 16 / n); }
double share_of_lists(double n, bool are_bytes, bool is_grid) { return are_bytes ? 0.02 : std::min(0.3, (is_grid ? 5 : 8) / n); }
constexpr double compile_seconds = 0.5;

// Blocks at once of a multiprocessor, by threads and by registers, which come in eights.
std::int64_t blocks_at_once(const gpu::Kernel& kernel, std::int64_t threads) {
  constexpr std::int64_t all_threads = 2048, all_registers = 65536, most = 32;
  const std::int64_t of_thread = ceil_divide(std::max<std::int64_t>(kernel.facts().registers, 32), std::int64_t{8}) * 8;
  return std::max<std::int64_t>(1, std::min({most, all_threads / threads, all_registers / (of_thread * threads)}));
}

}  // namespace

std::optional<CompiledFilter> CompiledFilter::of(Filter filter, const ShapedSweep& shaped, const FilterTypes& types, Device device) {
  if (shaped.shape.n_cells() == 0) return {};
  const std::optional<int> radius = fixed_radius(filter, shaped, types);
  const double n = static_cast<double>(filter.is_grid() ? std::ssize(filter.across) : filter.n_down() + filter.n_across());
  const double cells = static_cast<double>(multiply(shaped.shape.n_cells(), shaped.shape.width));
  const double bytes = cells * static_cast<double>(bytes_of(types.in) + bytes_of(types.out));
  const double measured = machine_of(device).copy_gb_per_s(static_cast<std::int64_t>(bytes / 2)),
               copy = 1e9 * (measured > 0 ? measured : 1000);
  const bool are_bytes = types.certain.has_value();
  const double lists = share_of_lists(n, are_bytes, filter.is_grid()), ahead = radius ? share_of_ahead(n, are_bytes) : 0,
               share = std::max(lists, ahead);
  const gpu::Worth worth{bytes / copy / share, bytes / copy / share_of_compiled(n, are_bytes), compile_seconds};
  const std::int64_t workers = facts_of(device).multiprocessors;
  const FilterTile tile = tile_of(filter, shaped.shape, types);
  if (std::optional<gpu::Kernel> kernel = gpu::compiled(source_of(filter, shaped, types, tile), device, worth)) {
    CompiledFilter made(std::move(filter), types, tile);
    made.slots_ = workers * blocks_at_once(*kernel, tile.threads);
    made.kernel_ = std::move(kernel);
    return made;
  }
  if (ahead <= lists) return {};
  FixedLaunch launch = fixed_launch(*radius, filter, shaped, types);
  CompiledFilter made(std::move(filter), types, fixed_tile(*radius, filter, shaped.shape, types));
  made.slots_ = workers * made.tile_.blocks;
  made.ahead_ = std::move(launch);
  return made;
}

FilterTask CompiledFilter::task(const ShapedSweep& shaped, const SweepPlaces& in, const SweepPlaces& out) const {
  return task_of(filter_, shaped, in, out, types_, tile_, slots_);
}

void CompiledFilter::launch(FilterTask task, const std::byte* in, std::byte* out, CUstream_st* stream) const {
  const auto is_multiple_of = [](const std::byte* at, std::int64_t bytes) {
    return reinterpret_cast<std::uintptr_t>(at) % static_cast<std::uintptr_t>(bytes) == 0;
  };
  task.is_aligned_in = task.is_aligned_in && is_multiple_of(in, tile_.lanes * bytes_of(types_.in));
  task.is_aligned_out = task.is_aligned_out && is_multiple_of(out, tile_.lanes * bytes_of(types_.out));
  const std::int64_t shared_bytes = shared_bytes_of(filter_, task, types_, tile_);
  if (!kernel_) return ahead_(task, {blocks_of(task), tile_.threads, shared_bytes}, in, out, stream);
  gpu::for_each_grid(blocks_of(task), [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {&task, &first, &in, &out};
    const gpu::Grid grid{n_blocks, static_cast<std::uint32_t>(tile_.threads), shared_bytes};
    gpu::entry<&gpu::launch>(kernel_->get(), grid, arguments, stream, "a stencil");
  });
}

std::string CompiledFilter::describe(const FilterTask& task) const {
  return fmt::format("{}{}: {} blocks of {} rows", name_of(filter_), kernel_ ? ", compiled" : ", in one pass", blocks_of(task), task.strip);
}

}  // namespace crinkle
