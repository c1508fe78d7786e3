// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/channels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.hpp"
#include "cuda/entry.hpp"
#include "move/cuda/ahead.hpp"
#include "move/cuda/outer_text.hpp"
#include "plan/prediction.hpp"
#include "tile/build_channels.hpp"

namespace crinkle {
namespace {

using tile::ChannelTile;

// docs/tuning.md: channels
constexpr double channel_share = 0.8, channel_share_of_words = 0.6, channel_share_of_library = 0.7, channel_share_of_ahead = 0.95;

}  // namespace

std::optional<ChannelTile> channel_tile(const planning::Pass& pass) {
  const Boxes boxes = planning::all_boxes(pass);
  if (boxes.size() != 1) return {};
  return tile::build_channels(boxes[0]);
}

double channel_fraction(const ChannelTile& tile) {
  const double lanes = static_cast<double>(tile.n_strips) * ChannelTile::lanes;
  return (tile.vector == 4 ? channel_share_of_words : channel_share) *
         std::min(1.0, 2 * tile.n_pieces / lanes);  // half of a warp's lanes may stand idle
}

gpu::KernelSource source_of(const ChannelTile& tile) {
  gpu::KernelSource source;
  source.name = fmt::format("{} channels of {} bytes {}", tile.channels, tile.unit, tile.to_planes ? "to planes" : "to pixels");
  source.text = fmt::format(
      R"(#include "move/cuda/channels.cuh"
using namespace crinkle;
extern "C" __global__ void __launch_bounds__(tile::ChannelTile::threads, 4) kernel(std::uint32_t first, const char* __restrict__ src, char* __restrict__ dst, const char*) {{
  extern __shared__ __align__(128) char shared[];
  constexpr tile::ChannelTile tile{{{unit}, {channels}, {vector}, {to_planes}, {is_backwards}, {n_pieces}, {n_strips}, {n_all}, {src_offset}, {dst_offset}, {plane}, {pictures}}};
  crinkle::kernel::move_channels<{to_planes}, {is_backwards}, {unit}, {channels}, {vector}>(tile, first + blockIdx.x, src, dst, shared);
}}
)",
      fmt::arg("unit", tile.unit), fmt::arg("channels", tile.channels), fmt::arg("vector", tile.vector),
      fmt::arg("to_planes", tile.to_planes), fmt::arg("is_backwards", tile.is_backwards), fmt::arg("n_pieces", tile.n_pieces),
      fmt::arg("n_strips", tile.n_strips), fmt::arg("n_all", tile.n_all), fmt::arg("src_offset", tile.src_offset),
      fmt::arg("dst_offset", tile.dst_offset), fmt::arg("plane", tile.plane), fmt::arg("pictures", text_of(tile.pictures)));
  return source;
}

std::optional<CompiledForm> channel_form(const planning::Pass& pass, const Machine& machine) {
  const std::optional<ChannelTile> tile = channel_tile(pass);
  if (!tile) return {};
  CompiledForm form;
  form.source = source_of(*tile);
  form.n_blocks = ceil_divide(std::int64_t{tile->n_all}, std::int64_t{tile->strips_of_block()});
  form.threads = ChannelTile::threads;
  form.shared_bytes = tile->shared_bytes();
  form.fraction = channel_fraction(*tile);
  form.fixed_fraction = std::min(planning::fraction_of_copy(pass, machine), channel_share_of_library);
  if (tile->unit == 1 && tile->vector == 16 && !tile->is_backwards && (tile->channels == 3 || tile->channels == 4))
    form.ahead = ahead_of(gpu::is_built ? gpu::entry<channels_kernel>(tile->channels, tile->to_planes) : nullptr, *tile,
                          channel_share_of_ahead * form.fraction);
  form.bytes = add(pass.bytes_read, pass.bytes_written);
  return form;
}

}  // namespace crinkle
