// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/mapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/checked.hpp"
#include "cuda/entry.hpp"
#include "move/cuda/ahead.hpp"
#include "plan/prediction.hpp"
#include "tile/build_axis_maps.hpp"

namespace crinkle {
namespace {

using tile::AxisMaps;
using tile::AxisSegment;
using tile::FewMaps;
using tile::MappedAxis;

// docs/tuning.md: mapped
constexpr double bytes_beside_fills = 3200, share_of_joins = 0.5;  // of narrow units
constexpr double share_of_seams_of_bytes = 0.7, share_of_seams_of_pairs = 0.92, most_ahead = 0.42;
constexpr double most_share = 0.9, instructions_of_copy = 220, of_vector = 150, of_walk = 60, of_unit = 14, more_ahead = 40;

template <class Visit>
bool all_segments(const MappedAxis& axis, const Visit& visit) {
  return std::all_of(axis.segment.begin(), axis.segment.begin() + axis.n_segments, visit);
}

bool has_fills(const AxisMaps& maps) {
  return std::any_of(maps.axis.begin(), maps.axis.begin() + maps.n_axes,
                     [](const MappedAxis& a) { return !all_segments(a, [](const AxisSegment& s) { return !s.is_fill; }); });
}
// Bytes of the shortest rows whose fills are shorter than what is written as fast as anything: the library's tiles write sectors in part
// there. 0: there are none.
std::int64_t rows_of_short_fills(const AxisMaps& maps) {
  constexpr std::int64_t long_fill = 512;  // bytes
  for (std::int32_t a = 0; a < maps.n_axes; ++a) {
    const MappedAxis& axis = maps.axis[a];
    for (std::int32_t s = 0; s < axis.n_segments; ++s) {
      const std::uint64_t end = s + 1 < axis.n_segments ? axis.segment[s + 1].first : axis.extent;
      if (axis.segment[s].is_fill && static_cast<std::int64_t>(end - axis.segment[s].first) < long_fill / axis.dst)
        return multiply(static_cast<std::int64_t>(axis.extent), axis.dst);
    }
  }
  return 0;
}
bool has_segments(const AxisMaps& maps) {
  return std::any_of(maps.axis.begin(), maps.axis.begin() + maps.n_axes, [](const MappedAxis& a) { return a.n_segments > 1; });
}
bool has_seams(const AxisMaps& maps) { return has_segments(maps) || maps.axis[0].segment[0].step != maps.unit; }

// Long rows of wide units without a seam: the library copies them as fast as anything is copied.
bool is_plain(const AxisMaps& maps) {
  constexpr std::uint64_t long_row = 512;  // bytes
  return maps.unit >= 4 && !has_seams(maps) && !has_fills(maps) && maps.axis[0].extent * static_cast<std::uint64_t>(maps.unit) >= long_row;
}

// Sources alternate within a vector: tiles of records bring such together.
bool is_woven(const AxisMaps& maps) {
  return maps.n_sources > 1 &&
         maps.axis[0].extent < static_cast<std::uint64_t>(maps.n_units()) * static_cast<std::uint64_t>(maps.axis[0].n_segments);
}

// Units that a warp writes side by side lie side by side in the source, too.
bool stays_near(const AxisMaps& maps) {
  constexpr std::int64_t line = 128, times = 4;  // bytes
  if (!all_segments(maps.axis[0], [&](const AxisSegment& s) { return s.is_fill || std::abs(s.step) <= maps.unit; })) return false;
  std::int64_t reached = maps.unit;
  for (std::int32_t a = 0; a < maps.n_run && reached < line; ++a) {
    const MappedAxis& axis = maps.axis[a];
    if (!all_segments(axis, [&](const AxisSegment& s) { return s.is_fill || std::abs(s.step) <= times * reached; })) return false;
    reached = multiply(reached, static_cast<std::int64_t>(axis.extent));
  }
  return reached >= line;
}

}  // namespace

std::optional<AxisMaps> mapped_axes(const planning::Pass& pass) {
  const std::optional<AxisMaps> maps = tile::build_axis_maps(planning::all_boxes(pass));
  if (!maps || !stays_near(*maps) || is_woven(*maps)) return {};
  return maps;
}

double most_fixed_fraction(const AxisMaps& maps) {
  if (const auto row = static_cast<double>(rows_of_short_fills(maps)); row > 0) return row / (row + bytes_beside_fills);
  if (maps.unit >= 4 || !has_segments(maps)) return 1;
  return maps.n_sources > 1 ? share_of_joins : maps.unit == 1 ? share_of_seams_of_bytes : share_of_seams_of_pairs;
}

double mapped_fraction(const AxisMaps& maps, bool is_ahead) {
  const double pieces = static_cast<double>(maps.axis[0].extent) / maps.n_units();
  // Those that go by units: at seams, and at ends of rows.
  const double walking = std::min(1.0, maps.axis[0].n_segments / pieces);
  return std::min(is_ahead ? most_ahead : most_share,
                  instructions_of_copy / (of_vector + (is_ahead ? more_ahead : 0) + walking * (of_walk + of_unit * maps.n_units())));
}

std::optional<FewMaps> few_maps(const AxisMaps& all) {
  if (all.n_axes > FewMaps::most_axes || all.n_sources > 1 || !all.are_narrow()) return {};
  FewMaps few{all.unit, all.n_axes, all.n_run, {}, all.src_offset, all.dst_offset, all.run_units, all.run_pieces, all.n_runs, all.pattern};
  few.by_run_pieces = Divisor<std::uint32_t>(all.run_pieces);
  few.readable[0] = all.readable[0];
  for (std::int32_t a = 0; a < all.n_axes; ++a) {
    const MappedAxis& from = all.axis[a];
    FewMaps::MappedAxis& to = few.axis[a];
    if (from.n_segments > to.most || from.extent > AxisMaps::most_narrow) return {};
    to.extent = from.extent;
    to.dst = from.dst;
    to.n_segments = from.n_segments;
    std::copy_n(from.segment.begin(), from.n_segments, to.segment.begin());
    to.by = Divisor<std::uint32_t>(static_cast<std::uint32_t>(from.extent));
  }
  return few;
}

gpu::KernelSource source_of(const AxisMaps& maps) {
  std::vector<std::string> axes;
  for (std::int32_t a = 0; a < maps.n_axes; ++a) {
    const MappedAxis& axis = maps.axis[a];
    std::vector<std::string> segments;
    for (std::int32_t s = 0; s < axis.n_segments; ++s) {
      const AxisSegment& segment = axis.segment[s];
      segments.push_back(fmt::format("{{{}, {}, {}, {}, {}}}", segment.first, segment.is_fill, segment.at, segment.step, segment.slot));
    }
    axes.push_back(fmt::format("{{{}, {}, {}, {{{{{}}}}}}}", axis.extent, axis.dst, axis.n_segments, fmt::join(segments, ", ")));
  }
  std::vector<std::string> readable;
  for (std::int32_t k = 0; k < maps.n_sources; ++k)
    readable.push_back(fmt::format("{{{}, {}}}", maps.readable[k].begin, maps.readable[k].reach));
  gpu::KernelSource source;
  source.name = fmt::format("a move of {} mapped axes in units of {} bytes", maps.n_axes, maps.unit);
  source.text = fmt::format(
      R"(#include "move/cuda/mapped.cuh"
using namespace crinkle;
extern "C" __global__ void __launch_bounds__(tile::AxisMaps::threads, 4) kernel(std::uint32_t first, const __grid_constant__ tile::Sources sources, char* __restrict__ dst, const char*) {{
  constexpr tile::AxisMaps maps{{{unit}, {n_axes}, {n_run},
                                {{{{{axes}}}}},
                                {src_offset}, {dst_offset}, {run_units}, {run_pieces}, {n_runs}, {{{{{pattern}}}}},
                                {n_sources}, {src_slot}, {{{{{readable}}}}}}};
  __shared__ crinkle::kernel::LatePieces late;
  crinkle::kernel::move_mapped<{unit}, {index}>(maps, first + blockIdx.x, sources, dst, late);
}}
)",
      fmt::arg("unit", maps.unit), fmt::arg("index", maps.are_narrow() ? "std::uint32_t" : "std::uint64_t"),
      fmt::arg("n_axes", maps.n_axes), fmt::arg("n_run", maps.n_run),
      fmt::arg("axes", fmt::join(axes, ",\n                                  ")), fmt::arg("src_offset", maps.src_offset),
      fmt::arg("dst_offset", maps.dst_offset), fmt::arg("n_sources", maps.n_sources), fmt::arg("src_slot", maps.src_slot),
      fmt::arg("readable", fmt::join(readable, ", ")), fmt::arg("run_units", maps.run_units), fmt::arg("run_pieces", maps.run_pieces),
      fmt::arg("n_runs", maps.n_runs), fmt::arg("pattern", fmt::join(maps.pattern.begin(), maps.pattern.end(), ", ")));
  source.function = "kernel";
  return source;
}

std::optional<CompiledForm> mapped_form(const planning::Pass& pass, const Machine& machine) {
  const std::optional<AxisMaps> maps = mapped_axes(pass);
  if (!maps || is_plain(*maps)) return {};
  CompiledForm form;
  form.source = source_of(*maps);
  form.n_blocks = ceil_divide(std::int64_t{maps->n_pieces()}, std::int64_t{AxisMaps::threads} * AxisMaps::each);
  form.threads = AxisMaps::threads;
  form.fraction = mapped_fraction(*maps);
  if (const auto few = few_maps(*maps))
    form.ahead = ahead_of(gpu::is_built ? gpu::entry<mapped_kernel>(few->unit) : nullptr, *few, mapped_fraction(*maps, true));
  form.fixed_fraction = std::min(planning::fraction_of_copy(pass, machine), most_fixed_fraction(*maps));
  form.bytes = add(pass.bytes_read, pass.bytes_written);
  return form;
}

}  // namespace crinkle
