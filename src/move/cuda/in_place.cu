// A map that is its own inverse: boxes whose axes change places in pairs by tiles with their mirror images, all else unit by unit.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/kernels.hpp"
#include "move/cuda/launches.hpp"
#include "move/cuda/unit_tiles.hpp"

namespace crinkle {

CudaStep cuda_exchange_step(const Boxes& boxes, const planning::Partners& partners, const Machine& machine, std::int64_t n_buffers,
                            int device) {
  const gpu::OnDevice on(device);
  CudaStep made;
  Tables tables;
  for (std::size_t v = 0; v < planning::alignments.size(); ++v) {
    std::vector<tile::UnitTile> units;
    std::vector<tile::ExchangeTile> mirrored;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const Box box = planning::box_for(tile::rows_of(boxes[b]), planning::alignments[v], machine);
      const bool is_own = partners[b] == static_cast<std::int32_t>(b);
      if (auto exchange = is_own ? exchange_tile(box, machine, planning::alignments[v]) : std::nullopt) mirrored.push_back(*exchange);
      else units.push_back(unit_tile(box));
    }
    CudaLaunches& launches = made.variants[v];
    if (!units.empty()) launches.push_back(launch_of(std::move(units), [](const tile::UnitTile&) { return units_kernel(true); }, tables));
    for (const std::int32_t unit : planning::alignments) {
      std::vector<tile::ExchangeTile> of_unit;
      for (const tile::ExchangeTile& t : mirrored)
        if (t.tile.frame.unit == unit) of_unit.push_back(t);
      if (!of_unit.empty())
        launches.push_back(launch_of(std::move(of_unit), [&](const tile::ExchangeTile&) { return exchange_kernel(unit); }, tables));
    }
  }
  finish(made, tables, machine, n_buffers, n_buffers, device);
  return made;
}

}  // namespace crinkle
