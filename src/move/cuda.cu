// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <variant>

#include "base/checked.hpp"
#include "cuda/runtime.hpp"
#include "move/cuda_kernels.hpp"
#include "tile/fit.hpp"

namespace crinkle {
namespace {

// --- buffers ---------------------------------------------------------------------------------------------------------------------------

constexpr int carried = 480;  // pointers that one launch takes to the device: under the 4 KiB that any GPU's launch may carry

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

// --- launches --------------------------------------------------------------------------------------------------------------------------

std::int64_t shared_bytes_of(const tile::RowTile&) { return 0; }
template <class Tile>
std::int64_t shared_bytes_of(const Tile& tile) {
  return std::int64_t{tile.shared_bytes()} + tile.table_bytes();
}

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

const void* kernel_of(const tile::RowTile& tile, bool) { return rows_kernel(tile.frame.unit); }
const void* kernel_of(const tile::TransposedTile& tile, bool is_one_slot) {
  return transposed_kernel(tile.frame.unit, tile.known() | (is_one_slot ? tile::one_slot : 0));
}
const void* kernel_of(const tile::GatheredTile& tile, bool is_one_slot) {
  return gathered_kernel(tile.frame.unit,
                         tile.known() | (is_one_slot ? tile::one_slot : 0) | (tile.load_bytes == 16 ? tile::wide : 0));
}

/// The tiles of a step's tables, in one piece of memory.
class Tables {
 public:
  template <class T>
  std::int64_t append(const std::vector<T>& items) {
    const std::size_t at = (bytes_.size() + 15) / 16 * 16;
    bytes_.resize(at + items.size() * sizeof(T));
    if (!items.empty()) std::memcpy(bytes_.data() + at, items.data(), items.size() * sizeof(T));
    return static_cast<std::int64_t>(at);
  }
  DeviceMemory uploaded(int device) const {
    DeviceMemory memory({Device::Kind::cuda, device}, std::ssize(bytes_));
    copy_bytes({bytes_.data(), std::ssize(bytes_)}, memory);
    return memory;
  }

 private:
  std::vector<std::byte> bytes_;
};

template <class Tile>
using Only = std::vector<Tile>;

/// Large tiles as they are, or as small ones if all fit.
template <class Tile>
bool append_small(const Only<Tile>& tiles, Tables& tables, std::int64_t& at) {
  using Fitted = typename decltype(tile::small_of(std::declval<Tile>()))::value_type;
  std::vector<Fitted> small;
  for (const Tile& t : tiles) {
    const auto fitted = tile::small_of(t);
    if (!fitted) return false;
    small.push_back(*fitted);
  }
  at = tables.append(small);
  return true;
}

CudaLaunch table_of(const std::vector<tile::Tile>& tiles, int unit, Tables& tables) {
  CudaLaunch launch;
  std::vector<CudaHead> heads;
  Only<tile::RowTile> rows;
  Only<tile::TransposedTile> transposed;
  Only<tile::GatheredTile> gathered;
  std::int64_t n_blocks = 0;
  const auto add_to = [&](auto& list, tile::Kind kind, const auto& t) {
    heads.push_back({static_cast<std::uint32_t>(n_blocks), kind, static_cast<std::int32_t>(list.size())});
    list.push_back(t);
    n_blocks = add(n_blocks, t.frame.n_blocks);
    launch.threads = std::max(launch.threads, static_cast<std::uint32_t>(t.threads));
    launch.shared_bytes = std::max(launch.shared_bytes, shared_bytes_of(t));
  };
  for (const tile::Tile& any : tiles) {
    if (const auto* r = std::get_if<tile::RowTile>(&any)) add_to(rows, tile::Kind::rows, *r);
    if (const auto* t = std::get_if<tile::TransposedTile>(&any)) add_to(transposed, tile::Kind::transposed, *t);
    if (const auto* g = std::get_if<tile::GatheredTile>(&any)) add_to(gathered, tile::Kind::gathered, *g);
  }
  if (n_blocks > 0xFFFFFFFFll) {
    throw Error(ErrorCode::too_large,
                "a step of " + std::to_string(n_blocks) + " tiles exceeds the 4294967295 of one table: move it in parts");
  }
  launch.n_blocks = static_cast<std::uint32_t>(n_blocks);
  launch.n_heads = static_cast<std::int32_t>(heads.size());
  launch.heads_at = tables.append(heads);
  Tables small = tables;
  const bool is_small = append_small(rows, small, launch.rows_at) && append_small(transposed, small, launch.transposed_at) &&
                        append_small(gathered, small, launch.gathered_at);
  if (is_small) {
    tables = std::move(small);
  } else {
    launch.rows_at = tables.append(rows);
    launch.transposed_at = tables.append(transposed);
    launch.gathered_at = tables.append(gathered);
  }
  launch.kernel = table_kernel(unit, !is_small);
  return launch;
}

CudaLaunch launch_of(const std::vector<tile::Tile>& tiles, int unit, bool is_one_slot, Tables& tables) {
  if (tiles.size() > 1) return table_of(tiles, unit, tables);
  return std::visit(
      [&](const auto& large) {
        const auto small = tile::small_of(large);
        if (!small) return table_of(tiles, unit, tables);
        CudaLaunch launch;
        launch.kernel = kernel_of(large, is_one_slot);
        launch.n_blocks = large.frame.n_blocks;
        launch.threads = static_cast<std::uint32_t>(large.threads);
        launch.shared_bytes = shared_bytes_of(large);
        launch.parameter = bytes_of(*small);
        return launch;
      },
      tiles.front());
}

/// The tiles of an entry: one, or one a segment where the buffers' alignment does not allow the units of a stitched row.
void append_tiles(const tile::Rows& rows, const plan::Choice& choice, std::int32_t alignment, const Machine& machine,
                  std::vector<tile::Tile>& tiles) {
  if (rows.segments.size() == 1) return tiles.push_back(tile::build(plan::box_for(rows, alignment, machine), choice.shape));
  if (plan::keeps_unit(rows, alignment)) return tiles.push_back(tile::build(rows, choice.shape));
  for (const Box& box : boxes_of(rows))
    tiles.push_back(choose_tile(plan::box_for(tile::rows_of(box), alignment, machine), machine, alignment).tile);
}

CudaLaunches launches_of(const plan::Pass& pass, std::size_t v, const Machine& machine, bool is_one_slot, int device,
                         Tables& tables) {
  std::vector<tile::Tile> tiles;
  for (std::size_t e = 0; e < pass.entries.size(); ++e)
    append_tiles(pass.entries[e], pass.variants[v].choices[e], plan::alignments[v], machine, tiles);
  CudaLaunches launches;
  for (const std::int32_t unit : plan::alignments) {
    std::vector<tile::Tile> of_unit;
    for (const tile::Tile& t : tiles)
      if (tile::frame_of(t).unit == unit) of_unit.push_back(t);
    if (of_unit.empty()) continue;
    launches.push_back(launch_of(of_unit, unit, is_one_slot, tables));
    if (launches.back().shared_bytes > 0) gpu::allow_shared_bytes(launches.back().kernel, device);
  }
  return launches;
}

template <class Room>
CudaTable<Room> placed(const CudaLaunch& launch, const std::byte* at) {
  CudaTable<Room> table;
  table.heads = reinterpret_cast<const CudaHead*>(at + launch.heads_at);
  table.n_heads = launch.n_heads;
  table.rows = reinterpret_cast<const tile::RowTileOf<Room>*>(at + launch.rows_at);
  table.transposed = reinterpret_cast<const tile::TransposedTileOf<Room>*>(at + launch.transposed_at);
  table.gathered = reinterpret_cast<const tile::GatheredTileOf<Room>*>(at + launch.gathered_at);
  return table;
}

}  // namespace

CudaStep cuda_step(const plan::Pass& pass, const Machine& machine, std::int64_t n_sources, std::int64_t n_destinations, int device) {
  const gpu::OnDevice on(device);
  CudaStep step;
  step.device = device;
  step.grid_limit = machine.grid_limit;
  Tables tables;
  const bool is_one_slot = n_sources <= 1 && n_destinations <= 1;
  for (std::size_t v = 0; v < plan::alignments.size(); ++v) step.variants[v] = launches_of(pass, v, machine, is_one_slot, device, tables);
  step.tables = tables.uploaded(device);
  if (n_sources > inline_slots || n_destinations > inline_slots) {
    const std::int64_t n_bytes = multiply(add(n_sources, n_destinations), static_cast<std::int64_t>(sizeof(void*)));
    step.slots = DeviceMemory({Device::Kind::cuda, device}, n_bytes);
  }
  return step;
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
  for (const CudaLaunch& launch : launches) {
    CudaTable<tile::Small> table = placed<tile::Small>(launch, tables);  // of large tiles it has the same bytes: pointers and a number
    void* first_parameter = launch.parameter.empty() ? static_cast<void*>(&table) : const_cast<std::byte*>(launch.parameter.data());
    std::uint32_t first = 0;
    while (first < launch.n_blocks) {
      const auto n = static_cast<std::uint32_t>(std::min<std::int64_t>(launch.n_blocks - first, step.grid_limit));
      void* arguments[] = {first_parameter, &first, &slots};
      gpu::launch(launch.kernel, {n, launch.threads, launch.shared_bytes}, arguments, stream, what);
      first += n;
    }
  }
}

}  // namespace crinkle
