// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/mapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "base/checked.hpp"
#include "cuda/entry.hpp"
#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "plan/prediction.hpp"
#include "tile/build_axis_maps.hpp"

namespace crinkle {
namespace {

using tile::AxisMaps;
using tile::AxisSegment;
using tile::MappedAxis;

// docs/tuning.md: mapped
constexpr double share_of_narrow_fills = 0.2, share_of_fills = 0.4, share_of_narrow_seams = 0.5;
constexpr double most_share = 0.9, instructions_of_copy = 220, of_vector = 150, of_walk = 60, of_unit = 14, compile_seconds = 0.8;
constexpr double least_gain = 1.05;
constexpr std::int64_t least_bytes = 1 << 20;  // a launch takes as long as less does

template <class Visit>
bool all_segments(const MappedAxis& axis, const Visit& visit) {
  return std::all_of(axis.segment.begin(), axis.segment.begin() + axis.n_segments, visit);
}

bool has_fills(const AxisMaps& maps) {
  return std::any_of(maps.axis.begin(), maps.axis.begin() + maps.n_axes,
                     [](const MappedAxis& a) { return !all_segments(a, [](const AxisSegment& s) { return !s.is_fill; }); });
}
bool has_seams(const AxisMaps& maps) {
  return std::any_of(maps.axis.begin(), maps.axis.begin() + maps.n_axes, [](const MappedAxis& a) { return a.n_segments > 1; }) ||
         maps.axis[0].segment[0].step != maps.unit;
}

// Long rows of wide units without a seam: the library copies them as fast as anything is copied.
bool is_plain(const AxisMaps& maps) {
  constexpr std::uint64_t long_row = 512;  // bytes
  return maps.unit >= 4 && !has_seams(maps) && !has_fills(maps) && maps.axis[0].extent * static_cast<std::uint64_t>(maps.unit) >= long_row;
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

double fixed_fraction(const AxisMaps& maps, const planning::Pass& pass, const Machine& machine) {
  const double predicted = planning::fraction_of_copy(pass, machine);
  if (has_fills(maps)) return std::min(predicted, maps.unit < 4 ? share_of_narrow_fills : share_of_fills);
  return has_seams(maps) && maps.unit < 4 ? std::min(predicted, share_of_narrow_seams) : predicted;
}

}  // namespace

std::optional<AxisMaps> mapped_axes(const planning::Pass& pass) {
  const std::optional<AxisMaps> maps = tile::build_axis_maps(planning::all_boxes(pass));
  if (!maps || !stays_near(*maps)) return {};
  return maps;
}

double mapped_fraction(const AxisMaps& maps) {
  constexpr double warp = 32;  // pieces: one that goes by units holds up all
  const double pieces = static_cast<double>(maps.axis[0].extent) / maps.n_units();
  // A seam, or the end of a row; of pads the ends of two rows lie side by side.
  const double seams = std::max(1, maps.axis[0].n_segments / 2), walking = std::min(1.0, (warp + 1) * seams / pieces);
  return std::min(most_share, instructions_of_copy / (of_vector + walking * (of_walk + of_unit * maps.n_units())));
}

gpu::KernelSource source_of(const AxisMaps& maps) {
  std::vector<std::string> axes;
  for (std::int32_t a = 0; a < maps.n_axes; ++a) {
    const MappedAxis& axis = maps.axis[a];
    std::vector<std::string> segments;
    for (std::int32_t s = 0; s < axis.n_segments; ++s) {
      const AxisSegment& segment = axis.segment[s];
      segments.push_back(fmt::format("{{{}, {}, {}, {}}}", segment.first, segment.is_fill, segment.at, segment.step));
    }
    axes.push_back(fmt::format("{{{}, {}, {}, {{{{{}}}}}}}", axis.extent, axis.dst, axis.n_segments, fmt::join(segments, ", ")));
  }
  gpu::KernelSource source;
  source.name = fmt::format("a move of {} mapped axes in units of {} bytes", maps.n_axes, maps.unit);
  source.text = fmt::format(
      R"(#include "move/cuda/mapped.cuh"
using namespace crinkle;
extern "C" __global__ void __launch_bounds__(tile::AxisMaps::threads, 4) kernel(std::uint32_t first, const char* __restrict__ src, char* __restrict__ dst) {{
  constexpr tile::AxisMaps maps{{{unit}, {n_axes}, {n_run},
                                {{{{{axes}}}}},
                                {src_offset}, {dst_offset}, {src_begin}, {src_reach}, {run_units}, {run_pieces}, {n_runs}, {{{{{pattern}}}}}}};
  crinkle::kernel::move_mapped<{unit}, {index}>(maps, first + blockIdx.x, src, dst);
}}
)",
      fmt::arg("unit", maps.unit), fmt::arg("index", maps.are_narrow() ? "std::uint32_t" : "std::uint64_t"),
      fmt::arg("n_axes", maps.n_axes), fmt::arg("n_run", maps.n_run),
      fmt::arg("axes", fmt::join(axes, ",\n                                  ")), fmt::arg("src_offset", maps.src_offset),
      fmt::arg("dst_offset", maps.dst_offset), fmt::arg("src_begin", maps.src_begin), fmt::arg("src_reach", maps.src_reach),
      fmt::arg("run_units", maps.run_units), fmt::arg("run_pieces", maps.run_pieces), fmt::arg("n_runs", maps.n_runs),
      fmt::arg("pattern", fmt::join(maps.pattern.begin(), maps.pattern.end(), ", ")));
  source.function = "kernel";
  return source;
}

std::shared_ptr<const MappedStep> mapped_step(const planning::Pass& pass, const Machine& machine, Device device) {
  if (kernel_options().effort == KernelEffort::library || pass.bytes_written < least_bytes) return nullptr;
  const std::optional<AxisMaps> maps = mapped_axes(pass);
  if (!maps || is_plain(*maps)) return nullptr;
  const double fixed = fixed_fraction(*maps, pass, machine), compiled = mapped_fraction(*maps);
  if (compiled < least_gain * fixed) return nullptr;
  const std::int64_t bytes = add(pass.bytes_read, pass.bytes_written);
  const double measured = machine.copy_gb_per_s(bytes / 2), seconds = static_cast<double>(bytes) / (1e9 * (measured > 0 ? measured : 1000));
  auto kernel = gpu::compiled(source_of(*maps), device, {seconds / fixed, seconds / compiled, compile_seconds});
  if (!kernel) return nullptr;
  return std::make_shared<const MappedStep>(MappedStep{*maps, std::move(*kernel)});
}

bool takes(const MappedStep&, const std::byte* src, const std::byte* dst) {
  return (reinterpret_cast<std::uintptr_t>(src) | reinterpret_cast<std::uintptr_t>(dst)) % AxisMaps::piece_bytes == 0;
}

void run_mapped(const MappedStep& step, const std::byte* src, std::byte* dst, CUstream_st* stream, const char* what) {
  const std::int64_t n_blocks = ceil_divide(std::int64_t{step.maps.n_pieces()}, std::int64_t{AxisMaps::threads} * AxisMaps::each);
  gpu::for_each_grid(n_blocks, [&](std::int64_t begin, std::uint32_t n) {
    auto first = static_cast<std::uint32_t>(begin);
    void* arguments[] = {&first, &src, &dst};
    gpu::entry<&gpu::launch>(step.kernel.get(), gpu::Grid{n, AxisMaps::threads, 0}, arguments, stream, what);
  });
}

std::string describe(const MappedStep& step) {
  const gpu::KernelFacts facts = step.kernel.facts();
  return fmt::format("in one launch by a compiled kernel where buffers lie at multiples of 16 bytes: {}; {} registers", step.kernel.name(),
                     facts.registers);
}

}  // namespace crinkle
