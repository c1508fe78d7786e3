// Boxes put together again: an axis for every stride of the destination, cut where a box begins or ends. What the axes then say is compared
// with every box, so that boxes which are no such move are found out.
// SPDX-License-Identifier: BSD-3-Clause
#include "tile/build_axis_maps.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/checked.hpp"
#include "form/check.hpp"
#include "tile/alike_boxes.hpp"
#include "tile/build_frame.hpp"

namespace crinkle::tile {
namespace {

constexpr std::size_t most_cells = 512;

/// A box in the axes of the destination.
struct Part {
  Counted begin, extent, src;  // indices, indices, bytes per index
  std::int64_t src_offset = 0;
  std::int32_t src_slot = 0;
  bool is_fill = false;
};

/// What is put together, the fastest axis first.
struct Whole {
  Counted dst;               // bytes per index
  Counted extent;            //
  std::vector<Counted> cut;  // where segments begin, and the extent
  std::vector<Part> parts;

  std::size_t n() const { return dst.size(); }
};

/// A box whose axes run on into slower ones of the destination is cut there.
bool take_part(const Box& box, std::int64_t dst_offset, const Counted& strides, Part& part) {
  const std::size_t n = strides.size();
  part = {Counted(n, 0), Counted(n, 1), Counted(n, 0), box.is_fill ? 0 : box.src_offset, box.src_slot, box.is_fill};
  std::int64_t rest = subtract(box.dst_offset, dst_offset);
  for (std::size_t a = n; a-- > 0;) {
    part.begin[a] = rest / strides[a];
    rest %= strides[a];
  }
  if (rest != 0) return false;
  for (const Axis& axis : box.axes) {
    std::int64_t extent = axis.extent, src = box.is_fill ? 0 : axis.src_stride;
    for (auto a = static_cast<std::size_t>(std::find(strides.begin(), strides.end(), axis.dst_stride) - strides.begin()); extent > 1; ++a) {
      if (part.extent[a] != 1) return false;
      const std::int64_t room = a + 1 < n ? strides[a + 1] / strides[a] : part.begin[a] + extent;
      part.src[a] = src;
      part.extent[a] = std::min(extent, room);
      if (part.begin[a] + part.extent[a] > room || extent % part.extent[a] != 0) return false;
      extent /= part.extent[a];
      src = multiply(src, part.extent[a]);
    }
  }
  return true;
}

/// The parts fill the whole, which each axis cuts into few segments.
bool take_cuts(Whole& whole) {
  std::int64_t filled = 0, all = 1;
  std::size_t n_cells = 1;
  whole.extent.assign(whole.n(), 1);
  whole.cut.assign(whole.n(), {});
  for (const Part& p : whole.parts) {
    std::int64_t units = 1;
    for (std::size_t a = 0; a < whole.n(); ++a) {
      whole.extent[a] = std::max(whole.extent[a], p.begin[a] + p.extent[a]);
      whole.cut[a].insert(whole.cut[a].end(), {p.begin[a], p.begin[a] + p.extent[a]});
      units = multiply(units, p.extent[a]);
    }
    filled = add(filled, units);
  }
  for (std::size_t a = 0; a < whole.n(); ++a) {
    Counted& cut = whole.cut[a];
    std::sort(cut.begin(), cut.end());
    cut.erase(std::unique(cut.begin(), cut.end()), cut.end());
    all = multiply(all, whole.extent[a]);
    n_cells *= cut.size() - 1;
    if (cut.front() != 0 || std::ssize(cut) - 1 > MappedAxis::most || n_cells > most_cells) return false;
  }
  return filled == all;
}

/// Calls visit(part, segment of every axis, address of the first unit) for every cell, which a part has alone.
template <class Visit>
bool for_each_cell(const Whole& whole, const Visit& visit) {
  for (const Part& p : whole.parts) {
    std::vector<std::size_t> first(whole.n()), at;
    for (std::size_t a = 0; a < whole.n(); ++a) {
      const Counted& cut = whole.cut[a];
      first[a] = static_cast<std::size_t>(std::lower_bound(cut.begin(), cut.end(), p.begin[a]) - cut.begin());
    }
    at = first;
    for (std::size_t a = 0; a < whole.n();) {
      std::int64_t src = p.src_offset;
      for (std::size_t b = 0; b < whole.n(); ++b) src += (whole.cut[b][at[b]] - p.begin[b]) * p.src[b];
      if (!visit(p, at, src)) return false;
      for (a = 0; a < whole.n(); at[a] = first[a], ++a)
        if (whole.cut[a][++at[a]] < p.begin[a] + p.extent[a]) break;
    }
  }
  return true;
}

/// What each axis adds to the source, from the cells beside the first one that is copied; whether that is so in every cell.
bool take_maps(const Whole& whole, AxisMaps& maps) {
  const std::size_t n = whole.n();
  const auto segment = [&](std::size_t a, std::size_t s) -> AxisSegment& {
    return maps.axis[static_cast<int>(a)].segment[static_cast<int>(s)];
  };
  for (std::size_t a = 0; a < n; ++a) {
    MappedAxis& axis = maps.axis[static_cast<int>(a)];
    axis.extent = static_cast<std::uint64_t>(whole.extent[a]);
    axis.dst = whole.dst[a];
    axis.n_segments = static_cast<std::int32_t>(whole.cut[a].size()) - 1;
    for (std::size_t s = 0; s + 1 < whole.cut[a].size(); ++s) segment(a, s) = {static_cast<std::uint64_t>(whole.cut[a][s]), true, 0, 0, 0};
  }
  std::vector<std::size_t> from;
  for_each_cell(whole, [&](const Part& p, const std::vector<std::size_t>& at, std::int64_t src) {
    if (p.is_fill) return true;
    if (from.empty()) {
      from = at;
      maps.src_offset = src;
      maps.src_slot = p.src_slot;
    }
    for (std::size_t a = 0; a < n; ++a) segment(a, at[a]).is_fill = false;
    return true;
  });
  if (from.empty()) return false;
  for_each_cell(whole, [&](const Part& p, const std::vector<std::size_t>& at, std::int64_t src) {
    std::size_t n_other = 0, other = 0;
    for (std::size_t a = 0; a < n; ++a)
      if (at[a] != from[a]) ++n_other, other = a;
    for (std::size_t a = 0; a < n && !p.is_fill && n_other <= 1; ++a) {
      if (n_other == 1 && a != other) continue;
      AxisSegment& s = segment(a, at[a]);
      s.step = p.src[a];
      s.at = src - maps.src_offset - static_cast<std::int64_t>(s.first) * s.step;
      s.slot = p.src_slot - maps.src_slot;
    }
    return true;
  });
  return for_each_cell(whole, [&](const Part& p, const std::vector<std::size_t>& at, std::int64_t src) {
    bool is_fill = false, is_right = true;
    std::int64_t mapped = maps.src_offset;
    std::int32_t slot = maps.src_slot;
    for (std::size_t a = 0; a < n; ++a) {
      const AxisSegment& s = segment(a, at[a]);
      is_fill = is_fill || s.is_fill;
      mapped += s.at + static_cast<std::int64_t>(s.first) * s.step;
      slot += s.slot;
      is_right = is_right && (p.extent[a] == 1 || s.step == p.src[a] || whole.cut[a][at[a] + 1] - whole.cut[a][at[a]] == 1);
    }
    return is_fill == p.is_fill && (is_fill || (is_right && mapped == src && slot == p.src_slot));
  });
}

void drop_axis(AxisMaps& maps, std::int32_t a) {
  if (maps.n_axes == 1) return;
  for (; a + 1 < maps.n_axes; ++a) maps.axis[a] = maps.axis[a + 1];
  maps.axis[--maps.n_axes] = {};
}

/// Units twice as wide, as often as offsets, steps and segments allow; an axis of one unit goes.
void widen(AxisMaps& maps) {
  while (maps.unit < AxisMaps::piece_bytes) {
    const std::int64_t wide = 2 * std::int64_t{maps.unit};
    MappedAxis& fastest = maps.axis[0];
    bool can = maps.src_offset % wide == 0 && maps.dst_offset % wide == 0 && fastest.extent % 2 == 0 && fastest.dst == maps.unit;
    for (std::int32_t a = 0; a < maps.n_axes; ++a) {
      const MappedAxis& axis = maps.axis[a];
      can = can && (a == 0 || axis.dst % wide == 0);
      for (std::int32_t s = 0; s < axis.n_segments; ++s) {
        const AxisSegment& segment = axis.segment[s];
        can = can && segment.at % wide == 0 && (a > 0 ? segment.step % wide == 0 : segment.first % 2 == 0);
        can = can && (a > 0 || segment.is_fill || segment.step == maps.unit);
      }
    }
    if (!can) return;
    maps.unit *= 2;
    fastest.extent /= 2;
    fastest.dst = maps.unit;
    for (std::int32_t s = 0; s < fastest.n_segments; ++s) fastest.segment[s].first /= 2, fastest.segment[s].step *= 2;
    if (fastest.extent == 1 && fastest.segment[0].at == 0 && fastest.segment[0].slot == 0 && !fastest.segment[0].is_fill &&
        maps.axis[1].dst == maps.unit)
      drop_axis(maps, 0);
  }
}

/// Runs, and pieces of them, which launches count in 32 bits.
bool take_runs(AxisMaps& maps) {
  if (maps.axis[0].dst != maps.unit) return false;
  maps.run_units = maps.axis[0].extent;
  for (maps.n_run = 1; maps.n_run < maps.n_axes; ++maps.n_run) {
    const MappedAxis& next = maps.axis[maps.n_run];
    if (next.dst != static_cast<std::int64_t>(maps.run_units) * maps.unit || next.extent > AxisMaps::most_narrow / maps.run_units) break;
    maps.run_units *= next.extent;
  }
  std::int64_t n_runs = 1, alignment = common_alignment(AxisMaps::piece_bytes, maps.dst_offset);
  for (std::int32_t a = maps.n_run; a < maps.n_axes; ++a) {
    n_runs = multiply(n_runs, static_cast<std::int64_t>(maps.axis[a].extent));
    alignment = common_alignment(alignment, maps.axis[a].dst);
  }
  const std::int64_t late = AxisMaps::piece_bytes - alignment, bytes = static_cast<std::int64_t>(maps.run_units) * maps.unit;
  const std::int64_t pieces = ceil_divide(add(bytes, late), AxisMaps::piece_bytes);
  constexpr std::int64_t most_pieces = (std::int64_t{1} << 32) - (1 << 16);
  if (n_runs > most_pieces || multiply(n_runs, pieces) > most_pieces) return false;
  maps.n_runs = static_cast<std::uint32_t>(n_runs);
  maps.run_pieces = static_cast<std::uint32_t>(pieces);
  return true;
}

}  // namespace

std::optional<AxisMaps> build_axis_maps(Boxes boxes) {
  if (!make_alike(boxes)) return {};
  Whole whole;
  AxisMaps maps;
  if (!take_strides(boxes, whole.dst)) return {};
  maps.unit = boxes[0].unit;
  maps.n_axes = static_cast<std::int32_t>(whole.n());
  maps.dst_offset = boxes[0].dst_offset;
  const Box* fill = nullptr;
  for (const Box& b : boxes) {
    maps.dst_offset = std::min(maps.dst_offset, b.dst_offset);
    if (!b.is_fill) continue;
    if (fill != nullptr && fill->pattern != b.pattern) return {};
    fill = &b;
  }
  for (const Box& b : boxes)
    if (!take_part(b, maps.dst_offset, whole.dst, whole.parts.emplace_back())) return {};
  if (!take_cuts(whole) || !take_maps(whole, maps)) return {};
  if (fill != nullptr) {
    std::array<std::byte, AxisMaps::piece_bytes> pattern;
    for (std::size_t b = 0; b < pattern.size(); ++b) pattern[b] = fill->pattern[b % static_cast<std::size_t>(maps.unit)];
    std::memcpy(maps.pattern.begin(), pattern.data(), pattern.size());
  }
  for (std::int32_t a = maps.n_axes; a-- > 1;)
    if (maps.axis[a].extent == 1) drop_axis(maps, a);
  widen(maps);
  maps.n_sources = 1;
  for (const Box& b : boxes) maps.n_sources = std::max(maps.n_sources, b.src_slot + 1);
  const std::vector<ByteSpan> read = spans_of(boxes, Side::source, maps.n_sources);
  for (std::int32_t k = 0; k < maps.n_sources; ++k) {
    const ByteSpan& span = read[static_cast<std::size_t>(k)];
    maps.readable[k] = {span.first, span.last - span.first - 2 * AxisMaps::piece_bytes};
  }
  if (!take_runs(maps)) return {};
  return maps;
}

}  // namespace crinkle::tile
