// SPDX-License-Identifier: BSD-3-Clause
#include "tile/build_channels.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/checked.hpp"
#include "tile/build_frame.hpp"

namespace crinkle::tile {
namespace {

constexpr std::int64_t most_items = (std::int64_t{1} << 31) - 1;

bool counts_bytes(const Box& box) {
  return std::all_of(box.axes.begin(), box.axes.end(),
                     [](const Axis& a) { return a.src_counts == Counts::bytes && a.dst_counts == Counts::bytes; });
}

}  // namespace

std::optional<OuterAxes> outer_axes(const Box& box, std::ptrdiff_t a, std::ptrdiff_t b, std::int64_t& n) {
  OuterAxes outer;
  n = 1;
  for (std::ptrdiff_t i = std::ssize(box.axes); i-- > 0;) {
    if (i == a || i == b) continue;
    const Axis& axis = box.axes[static_cast<std::size_t>(i)];
    if (outer.n == OuterAxes::most || axis.extent > most_items / n) return {};
    n *= axis.extent;
    outer.axis[outer.n++] = {static_cast<std::uint32_t>(axis.extent), axis.src_stride, axis.dst_stride};
  }
  return outer;
}

std::optional<ChannelTile> build_channels(const Box& box) {
  if (box.is_fill || box.src_slot != 0 || box.dst_slot != 0 || box.unit > 2 || !counts_bytes(box)) return {};
  const auto find = [&](std::int64_t Axis::* stride) {
    return std::find_if(box.axes.begin(), box.axes.end(), [&](const Axis& a) { return std::abs(a.*stride) == box.unit; });
  };
  const auto read = find(&Axis::src_stride), written = find(&Axis::dst_stride);
  if (read == box.axes.end() || written == box.axes.end() || read == written) return {};
  ChannelTile t;
  t.to_planes = read->extent < written->extent;
  const Axis &channels = t.to_planes ? *read : *written, &pixels = t.to_planes ? *written : *read;
  const std::int64_t c = channels.extent, step = c * box.unit;  // bytes of a pixel
  if (c < 2 || c > ChannelTile::most_channels) return {};
  const bool are_dense =
      t.to_planes ? std::abs(pixels.src_stride) == step && std::abs(channels.src_stride) == box.unit && pixels.dst_stride == box.unit
                  : pixels.dst_stride == step && channels.dst_stride == box.unit;
  if (!are_dense) return {};
  t.unit = box.unit;
  t.channels = static_cast<std::int32_t>(c);
  t.is_backwards = pixels.src_stride < 0;
  t.plane = t.to_planes ? channels.dst_stride : channels.src_stride;
  t.src_offset = box.src_offset;
  t.dst_offset = box.dst_offset;
  if (t.to_planes && channels.src_stride < 0) {  // the last channel first: planes from the last one on
    t.src_offset -= (c - 1) * box.unit;
    t.dst_offset = add(t.dst_offset, multiply(c - 1, t.plane));
    t.plane = -t.plane;
  }

  std::int64_t n_pictures = 0;
  const auto pictures = outer_axes(box, read - box.axes.begin(), written - box.axes.begin(), n_pictures);
  if (!pictures) return {};
  t.pictures = *pictures;
  const std::int64_t plane_bytes = multiply(pixels.extent, std::int64_t{box.unit});
  // Pixels that are read backwards begin behind the last one.
  const std::int64_t begin = t.is_backwards ? add(t.src_offset, std::abs(pixels.src_stride)) : t.src_offset;
  std::int64_t vector = 16;
  for (const std::int64_t place : {begin, t.dst_offset, t.plane, plane_bytes}) vector = common_alignment(vector, place);
  for (int a = 0; a < t.pictures.n; ++a)
    vector = common_alignment(common_alignment(vector, t.pictures.axis[a].src), t.pictures.axis[a].dst);
  if (vector < 4) return {};
  t.vector = static_cast<std::int32_t>(vector);
  if (t.is_backwards) t.src_offset = begin + t.src_step();
  const std::int64_t pieces = plane_bytes / vector, strips = ceil_divide(pieces, std::int64_t{ChannelTile::lanes});
  if (pieces > most_items || strips > most_items / n_pictures) return {};
  t.n_pieces = static_cast<std::uint32_t>(pieces);
  t.n_strips = static_cast<std::uint32_t>(strips);
  t.n_all = static_cast<std::uint32_t>(strips * n_pictures);
  return t;
}

}  // namespace crinkle::tile
