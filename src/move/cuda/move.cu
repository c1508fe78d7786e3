// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/move.hpp"

#include <algorithm>
#include <bit>
#include <variant>

#include "base/checked.hpp"
#include "cuda/runtime.hpp"
#include "move/cuda/kernels.hpp"
#include "move/cuda/launches.hpp"
#include "move/cuda/small_tiles.hpp"

namespace crinkle {
namespace {

constexpr int carried = 3840;  // pointers that one launch takes to the device: a launch carries 32764 bytes (CUDA 12.1, compute 7.0)

struct Carried {
  Array<const void*, carried> pointer = {};
  std::int32_t count = 0;
};

__global__ void write_slots(const __grid_constant__ Carried slots, const void** to) {
  for (int i = static_cast<int>(threadIdx.x); i < slots.count; i += static_cast<int>(blockDim.x)) to[i] = slots.pointer[i];
}

template <class Pointer>
void carry(std::span<Pointer const> pointers, const void** to, CUstream_st* stream, const char* what) {
  for (std::size_t first = 0; first < pointers.size(); first += carried) {
    Carried part;
    part.count = static_cast<std::int32_t>(std::min<std::size_t>(carried, pointers.size() - first));
    std::copy_n(pointers.begin() + static_cast<std::ptrdiff_t>(first), part.count, part.pointer.begin());
    const void** at = to + first;
    void* arguments[] = {&part, &at};
    gpu::launch(reinterpret_cast<const void*>(&write_slots), {1, 256, 0}, arguments, stream, what);
  }
}

CudaSlots slots_of(const CudaStep& step, std::span<const std::byte* const> src, std::span<std::byte* const> dst, CUstream_st* stream,
                   const char* what) {
  CudaSlots slots;
  if (src.size() <= inline_slots && dst.size() <= inline_slots) {
    for (std::size_t s = 0; s < src.size(); ++s) slots.src[static_cast<int>(s)] = reinterpret_cast<const char*>(src[s]);
    for (std::size_t s = 0; s < dst.size(); ++s) slots.dst[static_cast<int>(s)] = reinterpret_cast<char*>(dst[s]);
    return slots;
  }
  auto* const all = static_cast<const void**>(step.slots.data());
  carry(src, all, stream, what);
  carry(dst, all + src.size(), stream, what);
  slots.all_src = reinterpret_cast<const char* const*>(all);
  slots.all_dst = reinterpret_cast<char* const*>(const_cast<void**>(all + src.size()));
  return slots;
}

tile::Known known_of(bool is_one_slot) { return is_one_slot ? tile::one_slot : 0; }
const void* kernel_of(const tile::RowTile& tile, bool is_one_slot) {
  return rows_kernel(tile.frame.unit, tile.is_plain(), known_of(is_one_slot));
}
const void* kernel_of(const tile::SegmentedTile& tile, bool) { return segmented_kernel(tile.frame.unit); }
const void* kernel_of(const tile::RecordTile& tile, bool) { return records_kernel(tile.frame.unit); }
const void* kernel_of(const tile::TransposedTile& tile, bool is_one_slot) {
  return transposed_kernel(tile.frame.unit, tile.known() | known_of(is_one_slot));
}
const void* kernel_of(const tile::GatheredTile& tile, bool is_one_slot) {
  return gathered_kernel(tile.frame.unit, tile.known() | known_of(is_one_slot));
}

/// Tiles of so many blocks, some ten microseconds, go by themselves: what is a parameter costs a block nothing to read.
constexpr std::uint32_t apart_from = 2048;

/// Few launches for all tiles of a kind that `wanted` takes: one for each large tile, the others with the first. Threads that a tile has
/// not stand idle.
template <class Tile, class Wanted>
void append_launches(const std::vector<tile::Tile>& tiles, const Wanted& wanted, bool is_one_slot, bool is_mixed, Tables& tables,
                     CudaLaunches& launches) {
  const auto kernel = [is_one_slot](const Tile& t) { return kernel_of(t, is_one_slot); };
  std::vector<Tile> together;
  for (const tile::Tile& any : tiles) {
    const Tile* t = std::get_if<Tile>(&any);
    if (t == nullptr || !wanted(*t)) continue;
    const bool has_large = std::any_of(together.begin(), together.end(), [](const Tile& o) { return o.frame.n_blocks >= apart_from; });
    if (has_large && t->frame.n_blocks >= apart_from && !is_mixed) {
      launches.push_back(launch_of(std::vector<Tile>{*t}, kernel, tables));
    } else {
      together.push_back(*t);
    }
  }
  if (together.empty()) return;
  launches.push_back(launch_of(std::move(together), kernel, tables));
  launches.back().is_mixed = is_mixed;
}

/// The tiles of an entry: one, or one a segment where the buffers' alignment does not allow the units of a stitched row.
void append_tiles(const tile::Rows& rows, const planning::Choice& choice, std::int32_t alignment, const Machine& machine,
                  std::vector<tile::Tile>& tiles) {
  if (rows.segments.size() == 1 || planning::keeps_unit(rows, alignment))
    return tiles.push_back(planning::tile_of(rows, choice, alignment, machine));
  for (const Box& box : boxes_of(rows))
    tiles.push_back(choose_tile(planning::box_for(tile::rows_of(box), alignment, machine), machine, alignment).tile);
}

void append_tiles(const Boxes& bundle, std::int32_t alignment, const Machine& machine, std::vector<tile::Tile>& tiles) {
  if (const auto tile = planning::tile_of(bundle, alignment, machine)) return tiles.push_back(*tile);
  for (const Box& box : bundle)
    tiles.push_back(choose_tile(planning::box_for(tile::rows_of(box), alignment, machine), machine, alignment).tile);
}

CudaLaunches launches_of(const planning::Pass& pass, std::size_t v, const Machine& machine, bool is_one_slot, std::int64_t most_small,
                         Tables& tables) {
  if (is_one_slot)
    if (const auto small = small_tile(pass, planning::alignments[v], machine, most_small))
      return {launch_of(std::vector{*small}, [](const tile::SmallTile& t) { return small_kernel(t.unit, t.each); }, tables)};
  std::vector<tile::Tile> tiles;
  for (std::size_t e = 0; e < pass.entries.size(); ++e)
    append_tiles(pass.entries[e], pass.variants[v].choices[e], planning::alignments[v], machine, tiles);
  for (const Boxes& bundle : pass.bundles) append_tiles(bundle, planning::alignments[v], machine, tiles);
  CudaLaunches launches;
  for (const std::int32_t unit : planning::alignments) {
    const auto has_unit = [unit](const auto& t) { return t.frame.unit == unit; };
    append_launches<tile::RowTile>(
        tiles, [&](const tile::RowTile& t) { return has_unit(t) && t.is_plain(); }, is_one_slot, machine.are_tiles_mixed, tables, launches);
    append_launches<tile::RowTile>(
        tiles, [&](const tile::RowTile& t) { return has_unit(t) && !t.is_plain(); }, is_one_slot, machine.are_tiles_mixed, tables,
        launches);
    append_launches<tile::RecordTile>(tiles, has_unit, is_one_slot, machine.are_tiles_mixed, tables, launches);
    append_launches<tile::SegmentedTile>(tiles, has_unit, is_one_slot, machine.are_tiles_mixed, tables, launches);
    append_launches<tile::TransposedTile>(tiles, has_unit, is_one_slot, machine.are_tiles_mixed, tables, launches);
    append_launches<tile::GatheredTile>(tiles, has_unit, is_one_slot, machine.are_tiles_mixed, tables, launches);
  }
  return launches;
}

}  // namespace

void finish(CudaStep& step, const Tables& tables, const Machine& machine, std::int64_t n_sources, std::int64_t n_destinations, int device) {
  step.grid_limit = machine.grid_limit;
  for (const CudaLaunches& launches : step.variants)
    for (const CudaLaunch& l : launches)
      if (l.shared_bytes > 0) gpu::allow_shared_bytes(l.kernel, l.shared_bytes, device);
  step.tables = DeviceMemory({Device::Kind::cuda, device}, std::ssize(tables));
  copy_bytes({tables.data(), std::ssize(tables)}, step.tables);
  if (n_sources > inline_slots || n_destinations > inline_slots) {
    const std::int64_t n_bytes = multiply(add(n_sources, n_destinations), static_cast<std::int64_t>(sizeof(void*)));
    step.slots = DeviceMemory({Device::Kind::cuda, device}, n_bytes);
  }
}

namespace {
CudaStep step_of(const planning::Pass& pass, const Machine& machine, std::int64_t n_sources, std::int64_t n_destinations, int device,
                 std::int64_t most_small) {
  const gpu::OnDevice on(device);
  CudaStep step;
  Tables tables;
  const bool is_one_slot = n_sources <= 1 && n_destinations <= 1;
  for (std::size_t v = 0; v < planning::alignments.size(); ++v)
    step.variants[v] = launches_of(pass, v, machine, is_one_slot, most_small, tables);
  finish(step, tables, machine, n_sources, n_destinations, device);
  return step;
}
}  // namespace

CudaStep cuda_step(const planning::Pass& pass, const Machine& machine, std::int64_t n_sources, std::int64_t n_destinations, int device) {
  return step_of(pass, machine, n_sources, n_destinations, device, most_small_bytes);
}
CudaStep cuda_step_of_tiles(const planning::Pass& pass, const Machine& machine, std::int64_t n_sources, std::int64_t n_destinations,
                            int device) {
  return step_of(pass, machine, n_sources, n_destinations, device, 0);
}

void run_cuda(const CudaStep& step, std::span<const std::byte* const> src, std::span<std::byte* const> dst, CUstream_st* stream,
              const char* what) {
  std::uintptr_t low = 16;
  for (const std::byte* p : src) low |= reinterpret_cast<std::uintptr_t>(p);
  for (const std::byte* p : dst) low |= reinterpret_cast<std::uintptr_t>(p);
  const CudaLaunches& launches = step.variants[static_cast<std::size_t>(std::min(4, std::countr_zero(low)))];
  if (launches.empty()) return;
  CudaSlots slots = slots_of(step, src, dst, stream, what);
  const auto* tables = static_cast<const std::byte*>(step.tables.data());
  slots.tables = reinterpret_cast<const char*>(tables);
  for (const CudaLaunch& launch : launches) {
    const std::byte *first_blocks = tables + launch.first_blocks_at, *further = tables + launch.further_at;
    std::int32_t n_further = launch.is_mixed && launch.n_blocks <= step.grid_limit ? -launch.n_further : launch.n_further;
    std::uint32_t n_before = launch.n_before, first = 0;
    void* arguments[] = {const_cast<std::byte*>(launch.tile.data()), &first_blocks, &n_further, &n_before, &further, &first, &slots};
    while (first < launch.n_blocks) {
      const auto n = static_cast<std::uint32_t>(std::min<std::int64_t>(launch.n_blocks - first, step.grid_limit));
      gpu::launch(launch.kernel, {n, launch.threads, launch.shared_bytes}, arguments, stream, what);
      first += n;
    }
  }
}

}  // namespace crinkle
