// Convolutions that no block holds in one pass, by a kernel compiled for them (known_convolution.cuh).
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "fft/at.hpp"
#include "fft/cuda/pass.hpp"
#include "fft/cuda/plane.hpp"
#include "fft/cuda/plane_pass.hpp"
#include "fft/cuda/stages.hpp"

namespace crinkle::fft {
namespace {

// Of a copy by the library's seven launches, and by the kernel; seconds to compile it: docs/tuning.md.
constexpr double share_of_library = 0.06, share_of_kernel = 0.15, convolution_seconds = 1.2;

template <class T>
std::unique_ptr<Pass> convolution_of(const Axis& axis, Device device) {
  typename PlanePass<T>::Passes passes;
  passes.push_back(std::make_unique<CudaPass<T>>(axis, device, CudaPass<T>::Addresses::any));
  const auto axes = passes[0]->convolution_axes();
  if (!axes) return nullptr;
  const DeviceFacts facts = facts_of(device);
  const CudaEnds<T>& e = axes->first.lines.ends;
  return plane_pass<T>(std::move(passes),
                       convolutions_to_compile(axes->first, axes->second, axis.loops, facts.shared_bytes_block - plane_kept_bytes,
                                               facts.shared_bytes_worker, shapes_wanted()),
                       {{e.n_in, e.in, 0}, {e.n_out, 0, e.out}}, "a convolution",
                       {e.n, share_of_library, share_of_kernel, convolution_seconds}, device);
}

}  // namespace

template <class T>
std::optional<std::pair<PlaneAxis<T>, PlaneAxis<T>>> CudaPass<T>::convolution_axes() const {
  // To rows, both parts, the product, both parts, from rows (convolution.hpp).
  if (kernel_ == none || parts_.size() != 2 || steps_.size() != 7) return {};
  std::optional<PlaneAxis<T>> columns = axis_of(steps_[1]), rows = axis_of(steps_[2]);
  if (!columns || !rows || !columns->lines.is_twisted() || steps_[3].kind != Kind::convolve) return {};
  const std::int64_t n_columns = rows->lines.n, n_rows = columns->lines.n;
  CudaLines<T>& lines = columns->lines;
  lines.ends = steps_[0].lines.ends;
  if (lines.ends.out_kind == CudaOut::folded) return {};
  lines.part_in = lines.part_out = n_columns;
  lines.kernel = steps_[3].lines.kernel;
  lines.kernel_step = n_rows;
  lines.lane = {n_columns, 0, 0};
  rows->lines.lane = {n_rows, 0, 0};
  rows->lines.twist_loop = 0;
  return std::pair(*std::move(columns), *std::move(rows));
}

template <class T>
std::vector<CompiledLines<T>> convolutions_to_compile(PlaneAxis<T> columns, PlaneAxis<T> rows, const std::vector<Loop>& loops,
                                                      std::int64_t shared_bytes, std::int64_t shared_bytes_worker, std::size_t most) {
  // Products of larger last radices have another order elsewhere (twisted, twiddles.cuh).
  const auto are_held = [](const Radices& radices) { return are_in_registers(radices) && radices.back() <= most_held; };
  if (!are_held(columns.radices) || !are_held(rows.radices) || loops.size() > most_cuda_loops) return {};
  columns.lines.lanes_first_in = columns.lines.lanes_first_out = true;
  rows.lines.lanes_first_in = rows.lines.lanes_first_out = false;
  columns.lines.loops.n = 0;
  for (const Loop& loop : loops)
    if (loop.extent != 1) columns.lines.loops.loops[at(columns.lines.loops.n++)] = {loop.extent, loop.in, loop.out};
  PlaneWanted wanted{{columns.radices, columns.lines.n, columns.lines.lane.extent}, {rows.radices, rows.lines.n, rows.lines.lane.extent}};
  wanted.is_first_rows = false;
  wanted.number = static_cast<std::int64_t>(sizeof(Number<T>));
  wanted.shared_bytes = shared_bytes;
  wanted.shared_bytes_worker = shared_bytes_worker;
  wanted.has_clusters = wanted.are_all_at_once = true;
  CudaLines<T> lines = columns.lines;
  lines.second_tables = rows.lines.tables;
  lines.lane = {1, 0, 0};
  lines.twist_loop = -1;
  lines.n_lanes = 1;
  count_blocks(lines);
  std::vector<CompiledLines<T>> all;
  for (const PlaneShape& shape : plane_shapes(wanted, most)) {
    const auto text_of = [&](const char* name, const PlaneAxis<T>& axis, const LinesShape& of, bool are_rows) {
      LinesWanted of_axis;
      of_axis.radices = axis.radices;
      of_axis.n = axis.lines.n;
      of_axis.number = wanted.number;
      of_axis.are_columns = of_axis.reads = of_axis.writes = of_axis.has_chirp = !are_rows;
      of_axis.are_convolved = of_axis.is_part = are_rows;
      return plan_text(name, axis.lines, of_axis, of,
                       fmt::format("  static constexpr std::uint32_t n_lines = {}, n_own = {}, together = {};\n"
                                   "  static constexpr bool is_second = {}, is_folded = false;\n",
                                   axis.lines.lane.extent, are_rows ? shape.own_rows : shape.own_columns, of.together, are_rows));
    };
    CompiledLines<T> one{lines, shape.first, {}, {}};
    one.source = transform_source(fmt::format("convolutions of {}x{} complex{}", columns.lines.n, rows.lines.n, sizeof(T) * 16),
                                  "known_convolution.cuh",
                                  text_of("Columns", columns, shape.first, false) + text_of("Rows", rows, shape.second, true), "Columns",
                                  "transform_convolution<Columns, Rows>", shape.first.together);
    one.shape.shared_bytes = shape.shared_bytes;
    one.lines.threads = static_cast<std::int32_t>(shape.first.threads);
    all.push_back(std::move(one));
  }
  return all;
}

template std::vector<CompiledLines<float>> convolutions_to_compile(PlaneAxis<float>, PlaneAxis<float>, const std::vector<Loop>&,
                                                                   std::int64_t, std::int64_t, std::size_t);
template std::vector<CompiledLines<double>> convolutions_to_compile(PlaneAxis<double>, PlaneAxis<double>, const std::vector<Loop>&,
                                                                    std::int64_t, std::int64_t, std::size_t);

std::unique_ptr<Pass> make_cuda_long_convolution(const Axis& axis, FftReal real, Device device) {
  const std::int64_t number = real == FftReal::float64 ? 16 : 8;
  const bool is_half = axis.kind != FftKind::complex_to_complex && axis.n % 2 == 0;
  const std::int64_t n = is_half ? axis.n / 2 : axis.n;
  if (kernel_options().effort == KernelEffort::library || has_cuda_stages(n) || (is_half && axis.kind == FftKind::real_to_complex))
    return nullptr;
  if (2 * n * number <= longest_bytes) return nullptr;
  const DeviceFacts facts = facts_of(device);
  if (facts.compute_major < 9 || 2 * n > most_together * facts.shared_bytes_block / number) return nullptr;
  if (std::max(std::abs(axis.in), std::abs(axis.out)) > number) return nullptr;  // lines one behind the other
  if (real == FftReal::float64) return convolution_of<double>(axis, device);
  return convolution_of<float>(axis, device);
}

}  // namespace crinkle::fft
