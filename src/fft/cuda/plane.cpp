// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/plane.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdlib>
#include <utility>

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/cuda/compiled.hpp"
#include "fft/cuda/pass.hpp"
#include "fft/cuda/plane_pass.hpp"

namespace crinkle::fft {
namespace {

constexpr double share_of_pass = 0.85, share_of_plane = 0.6, plane_seconds = 0.8;  // of a copy; to compile: docs/tuning.md
constexpr std::int64_t most_of_cluster = 512 << 10;  // bytes, of powers of two: others are slower than two passes

// Whole numbers that butterflies read, of all that the line has; pairs of real ones that follow each other are numbers.
template <class T>
bool are_read_whole(CudaEnds<T>& e) {
  if (e.in_unit != 2 * e.in_part || e.in_shift != 0) return false;
  if (e.in_kind == CudaIn::numbers) return e.n_in == e.n;
  if (e.in_kind == CudaIn::folded) return e.n_in == e.n + 1;
  if (e.in_kind != CudaIn::pairs || e.n_in != 2 * e.n || e.in != e.in_part) return false;
  e.in *= 2;
  e.n_in = e.n;
  return true;
}
template <class T>
bool are_written_whole(CudaEnds<T>& e) {
  if (e.out_unit != 2 * e.out_part || e.out_shift != 0) return false;
  if (e.out_kind == CudaOut::numbers) return e.n_out == e.n;
  if (e.out_kind == CudaOut::folded) return e.n_out == e.n + 1;
  if (e.out_kind != CudaOut::pairs || e.n_out != 2 * e.n || e.out != e.out_part) return false;
  e.out *= 2;
  e.n_out = e.n;
  return true;
}

template <class T>
LinesWanted wanted_of(const PlaneAxis<T>& axis, bool are_columns, bool reads) {
  LinesWanted wanted;
  wanted.radices = axis.radices;
  wanted.n = axis.lines.n;
  wanted.n_lines = axis.lines.lane.extent;
  wanted.number = static_cast<std::int64_t>(sizeof(Number<T>));
  wanted.are_columns = are_columns;
  wanted.reads = reads;
  wanted.writes = !reads;
  return wanted;
}

template <class T>
std::unique_ptr<Pass> made(typename PlanePass<T>::Passes passes, const PlaneAxis<T>& first, const PlaneAxis<T>& second,
                           const std::vector<Loop>& loops, Device device) {
  const DeviceFacts facts = facts_of(device);
  const bool is_of_line = passes.size() == 1;
  const std::int64_t n = first.lines.n * second.lines.n;
  const bool are_together = facts.compute_major >= 9 && std::has_single_bit(static_cast<std::uint64_t>(n)) &&
                            n * static_cast<std::int64_t>(sizeof(Number<T>)) <= most_of_cluster;
  std::vector<CompiledLines<T>> planes = planes_to_compile(first, second, loops, facts.shared_bytes_block - plane_kept_bytes,
                                                           facts.shared_bytes_worker, are_together, shapes_wanted());
  const CudaEnds<T>&in = first.lines.ends, &out = second.lines.ends;
  const std::vector<CudaLoop> reach{{in.n_in, in.in, 0},
                                    {first.lines.lane.extent, first.lines.lane.in, 0},
                                    {out.n_out, 0, out.out},
                                    {second.lines.lane.extent, 0, second.lines.lane.out}};
  return plane_pass<T>(std::move(passes), std::move(planes), reach, is_of_line ? "both parts of a line" : "both axes",
                       {first.lines.n * first.lines.lane.extent, share_of_pass / 2, share_of_plane, plane_seconds}, device);
}
template <class T>
std::unique_ptr<Pass> plane_of(const AxisPair& pair, Device device) {
  typename PlanePass<T>::Passes passes;
  for (const Axis* const axis : {&pair.first, &pair.second})
    passes.push_back(std::make_unique<CudaPass<T>>(*axis, device, CudaPass<T>::Addresses::any));
  std::optional<PlaneAxis<T>> first = passes[0]->plane_axis(), second = passes[1]->plane_axis();
  if (!first || !second) return nullptr;
  const auto lane_of = [](const Loop& loop) { return CudaLoop{loop.extent, loop.in, loop.out}; };
  first->lines.lane = lane_of(pair.of_first);
  second->lines.lane = lane_of(pair.of_second);
  return made<T>(std::move(passes), *first, *second, pair.loops, device);
}
template <class T>
std::unique_ptr<Pass> line_of(const Axis& axis, Device device) {
  typename PlanePass<T>::Passes passes;
  passes.push_back(std::make_unique<CudaPass<T>>(axis, device, CudaPass<T>::Addresses::any));
  const auto axes = passes[0]->chain_axes();
  return axes ? made<T>(std::move(passes), axes->first, axes->second, axis.loops, device) : nullptr;
}

}  // namespace

template <class T>
std::optional<PlaneAxis<T>> CudaPass<T>::axis_of(const Step& step) {
  if (step.kind != Kind::lines || step.kernel != none || step.chirp != none || step.lines.n_stages == 0 || step.n_butterflies > 1)
    return {};
  PlaneAxis<T> axis{step.lines, step.radices};
  axis.lines.tables += step.lines.stages[0].twiddles;  // those of its stages follow each other
  return axis;
}
template <class T>
std::optional<PlaneAxis<T>> CudaPass<T>::plane_axis() const {
  return steps_.size() == 1 ? axis_of(steps_.front()) : std::nullopt;
}
template <class T>
std::optional<std::pair<PlaneAxis<T>, PlaneAxis<T>>> CudaPass<T>::chain_axes() const {
  if (steps_.size() != 2 || steps_[0].from != input || steps_[1].to != output) return {};
  std::optional<PlaneAxis<T>> first = axis_of(steps_[0]), second = axis_of(steps_[1]);
  if (!first || !second || !first->lines.is_twisted() || second->lines.is_twisted()) return {};
  // Number c of the first axis' lines is where they begin, and X[k] of them is line k of the second axis.
  first->lines.lane = {second->lines.n, axis_.in, 0};
  second->lines.lane = {first->lines.n, 0, axis_.out};
  return std::pair(*std::move(first), *std::move(second));
}

template <class T>
std::vector<CompiledLines<T>> planes_to_compile(PlaneAxis<T> first, PlaneAxis<T> second, const std::vector<Loop>& loops,
                                                std::int64_t shared_bytes, std::int64_t shared_bytes_worker, bool has_clusters,
                                                std::size_t most) {
  CudaLines<T>&a = first.lines, &b = second.lines;
  if (!are_in_registers(first.radices) || !are_in_registers(second.radices)) return {};
  if (a.is_twisted() && has_sums(first.radices.back())) return {};  // whose products have another order elsewhere (twisted)
  if (!are_read_whole(a.ends) || !are_written_whole(b.ends)) return {};
  // What lies between them is in shared memory: whole numbers, or folded ones.
  const bool is_from_real = a.ends.out_kind == CudaOut::folded, is_to_real = b.ends.in_kind == CudaIn::folded;
  if (!(a.ends.out_kind == CudaOut::numbers ? a.ends.n_out == a.ends.n : is_from_real && a.ends.n_out == a.ends.n + 1) ||
      a.ends.out_shift != 0)
    return {};
  if (!(b.ends.in_kind == CudaIn::numbers ? b.ends.n_in == b.ends.n : is_to_real && b.ends.n_in == b.ends.n + 1) || b.ends.in_shift != 0)
    return {};
  if (a.ends.in_kind == CudaIn::folded || b.ends.out_kind == CudaOut::folded || (is_from_real && is_to_real)) return {};
  // Whole sectors are read and written along the fast axis.
  const auto is_fast = [](std::int64_t stride, std::int64_t lane, int part) {
    return std::min(std::abs(stride), std::abs(lane)) == 2 * part;
  };
  if (!is_fast(a.ends.in, a.lane.in, a.ends.in_part) || !is_fast(b.ends.out, b.lane.out, b.ends.out_part)) return {};
  a.lanes_first_in = std::abs(a.lane.in) < std::abs(a.ends.in);
  b.lanes_first_out = std::abs(b.lane.out) < std::abs(b.ends.out);
  const bool is_first_rows = !a.lanes_first_in;
  if ((is_from_real && !is_first_rows) || (is_to_real && is_first_rows)) return {};  // what is folded are rows
  a.lanes_first_out = !is_first_rows;
  b.lanes_first_in = is_first_rows;
  a.loops.n = b.loops.n = 0;
  if (loops.size() > most_cuda_loops) return {};
  for (const Loop& loop : loops)
    if (loop.extent != 1) a.loops.loops[a.loops.n++] = b.loops.loops[b.loops.n++] = {loop.extent, loop.in, loop.out};
  const PlaneWanted wanted{{first.radices, a.n, a.lane.extent},
                           {second.radices, b.n, b.lane.extent},
                           is_first_rows,
                           static_cast<std::int64_t>(sizeof(Number<T>)),
                           shared_bytes,
                           shared_bytes_worker,
                           has_clusters,
                           is_first_rows ? false : b.lanes_first_out};
  if (a.n * a.lane.extent * wanted.number > most_together * shared_bytes) return {};
  CudaLines<T> lines = a;
  lines.second_tables = b.tables;
  if (is_to_real) lines.ends.fold = b.ends.fold;
  lines.ends.out_unit = b.ends.out_unit;
  lines.lane = {1, 0, 0};
  lines.twist_loop = -1;  // a line's c is its number in the plane
  lines.n_lanes = 1;
  count_blocks(lines);
  std::vector<CompiledLines<T>> planes;
  for (const PlaneShape& shape : plane_shapes(wanted, most)) {
    const auto text_of = [&](const char* name, const PlaneAxis<T>& axis, const LinesShape& of, bool is_second, bool is_folded) {
      const std::string more = fmt::format(
          "  static constexpr std::uint32_t n_lines = {}, n_own = {}, together = {};\n"
          "  static constexpr bool is_second = {}, is_folded = {};\n",
          axis.lines.lane.extent, is_second == is_first_rows ? shape.own_columns : shape.own_rows, of.together, is_second, is_folded);
      LinesWanted of_axis = wanted_of(axis, is_second == is_first_rows, !is_second);
      return plan_text(name, axis.lines, of_axis, of, more);
    };
    CompiledLines<T> plane{lines, shape.first, {}, {}};
    plane.source = transform_source(
        fmt::format("planes of {}x{} complex{}", b.n, a.n, sizeof(T) * 16), "known_plane.cuh",
        text_of("First", first, shape.first, false, is_from_real) + text_of("Second", second, shape.second, true, is_to_real), "First",
        "transform_plane<First, Second>", shape.first.together);
    plane.shape.shared_bytes = shape.shared_bytes;
    plane.lines.threads = static_cast<std::int32_t>(shape.first.threads);
    planes.push_back(std::move(plane));
  }
  return planes;
}

template std::vector<CompiledLines<float>> planes_to_compile(PlaneAxis<float>, PlaneAxis<float>, const std::vector<Loop>&, std::int64_t,
                                                             std::int64_t, bool, std::size_t);
template std::vector<CompiledLines<double>> planes_to_compile(PlaneAxis<double>, PlaneAxis<double>, const std::vector<Loop>&, std::int64_t,
                                                              std::int64_t, bool, std::size_t);

std::unique_ptr<Pass> make_cuda_plane(const AxisPair& pair, FftReal real, Device device) {
  const std::int64_t number = real == FftReal::float64 ? 16 : 8, n = pair.first.n, m = pair.second.n;
  if (kernel_options().effort == KernelEffort::library || std::min(n, m) < 2 || std::max(n, m) > 32768) return nullptr;
  if (std::min(std::abs(pair.first.in), std::abs(pair.of_first.in)) > number ||
      std::min(std::abs(pair.second.out), std::abs(pair.of_second.out)) > number)
    return nullptr;
  const std::int64_t half = pair.first.kind == FftKind::complex_to_complex && pair.second.kind == FftKind::complex_to_complex ? 1 : 2;
  if (n * m / half * number > most_together * facts_of(device).shared_bytes_block) return nullptr;
  if (real == FftReal::float64) return plane_of<double>(pair, device);
  return plane_of<float>(pair, device);
}

std::unique_ptr<Pass> make_cuda_long_line(const Axis& axis, FftReal real, Device device) {
  const std::int64_t number = real == FftReal::float64 ? 16 : 8;
  if (kernel_options().effort == KernelEffort::library || axis.kind != FftKind::complex_to_complex || axis.n_in != axis.n) return nullptr;
  if (axis.n * number <= longest_bytes || axis.n > most_together * facts_of(device).shared_bytes_block / number) return nullptr;
  if (std::max(std::abs(axis.in), std::abs(axis.out)) > number || axis.in_shift != 0 || axis.out_shift != 0) return nullptr;
  if (real == FftReal::float64) return line_of<double>(axis, device);
  return line_of<float>(axis, device);
}

}  // namespace crinkle::fft
