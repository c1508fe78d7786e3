// Which lines a block takes together, where they lie in shared memory, and the launches.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"
#include "fft/at.hpp"
#include "fft/cuda/known.hpp"
#include "fft/cuda/pass.hpp"
#include "fft/cuda/stages.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t block_numbers = 2048;  // of a block, where lines are short enough
constexpr std::int64_t beside_bytes = 64;     // of lines side by side, at least, where they fit

// The widest of number, part and 1 that all are multiples of.
std::int32_t unit_of(std::int32_t part, std::initializer_list<std::int64_t> strides) {
  std::int64_t all = std::int64_t{2} * part;
  for (const std::int64_t s : strides) all = std::gcd(all, s);
  return all == 2 * part ? 2 * part : all % part == 0 ? part : 1;
}

// One loop for two that are walked as one.
void merge_loops(std::vector<Loop>& loops, std::int64_t& twist_loop) {
  for (std::size_t i = 0; i < loops.size();) {
    const bool is_twist = static_cast<std::int64_t>(i) == twist_loop;
    const bool is_single = loops[i].extent == 1 && !is_twist;
    const bool is_joined = i + 1 < loops.size() && !is_twist && static_cast<std::int64_t>(i) + 1 != twist_loop &&
                           loops[i].in == loops[i + 1].in * loops[i + 1].extent && loops[i].out == loops[i + 1].out * loops[i + 1].extent;
    if (!is_single && !is_joined) {
      ++i;
      continue;
    }
    if (is_joined && !is_single) loops[i + 1].extent *= loops[i].extent;
    loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i));
    if (static_cast<std::int64_t>(i) < twist_loop) --twist_loop;
  }
}

}  // namespace

template <class T>
void CudaPass<T>::add_loops(Step& step, const std::vector<Loop>& loops) const {
  CudaLines<T>& lines = step.lines;
  if (loops.size() > most_cuda_loops)
    throw Error(ErrorCode::too_large,
                std::to_string(loops.size()) + " axes beside a transform's; " + std::to_string(most_cuda_loops) + " at most");
  CudaEnds<T>& e = lines.ends;
  e.in_unit = unit_of(e.in_part, {e.in_kind == CudaIn::numbers || e.in_kind == CudaIn::folded || e.in_kind == CudaIn::mirrored ? e.in : 0});
  e.out_unit = unit_of(e.out_part, {e.out_kind == CudaOut::pairs || e.out_kind == CudaOut::reals ? 0 : e.out});
  // Two real numbers at once, where they follow each other.
  if (e.in_kind == CudaIn::pairs || e.in_kind == CudaIn::reals)
    e.in_unit = e.in == e.in_part && e.in_shift == 0 ? 2 * e.in_part : unit_of(e.in_part, {e.in, e.in_part});
  if (e.out_kind == CudaOut::pairs || e.out_kind == CudaOut::reals)
    e.out_unit = e.out == e.out_part && e.out_shift == 0 ? 2 * e.out_part : unit_of(e.out_part, {e.out, e.out_part});
  for (const Loop& loop : loops) {
    lines.loops.loops[at(lines.loops.n++)] = {loop.extent, loop.in, loop.out};
    e.in_unit = std::min(e.in_unit, unit_of(e.in_part, {loop.in}));
    e.out_unit = std::min(e.out_unit, unit_of(e.out_part, {loop.out}));
  }
}

template <class T>
void CudaPass<T>::add_lines(Step step, std::vector<Loop> loops, std::int64_t twist_loop) {
  CudaLines<T>& lines = step.lines;
  CudaEnds<T>& e = lines.ends;
  const bool is_folded = lines.folds_in || lines.folds_out;
  std::int64_t lane_of_chain = lines.folds_out ? std::ssize(loops) - 1 : twist_loop;
  merge_loops(loops, lane_of_chain);
  if (twist_loop >= 0) twist_loop = lane_of_chain;
  step.tables = 0;
  add_loops(step, loops);
  if (step.radices.empty()) step.radices = cuda_radices<T>(lines.n);
  add_stages(step.radices, step.n_butterflies, lines, tables_);
  if (step.kernel != none) {
    add_stages(lines.kernel_step > 1 ? step.radices : radices_back(step.radices), 1, lines, tables_);
    lines.n_stages /= 2;
  }
  lines.loops.n = 0;
  if (const auto lane = is_folded ? loops.begin() + lane_of_chain : nearest(loops, e.in, e.out); lane != loops.end()) {
    const std::int64_t place = lane - loops.begin();
    lines.lane = {lane->extent, lane->in, lane->out};
    loops.erase(lane);
    if (twist_loop >= 0) lines.twist_loop = static_cast<std::int32_t>(place == twist_loop ? 0 : twist_loop + (place < twist_loop ? 0 : 1));
  }
  for (const Loop& loop : loops) lines.loops.loops[at(lines.loops.n++)] = {loop.extent, loop.in, loop.out};
  lines.lanes_first_in = lines.lane.extent > 1 && std::abs(lines.lane.in) < std::abs(e.in);
  lines.lanes_first_out = lines.lane.extent > 1 && std::abs(lines.lane.out) < std::abs(e.out);
  choose_cells(step);
  lines.n_put = static_cast<std::int32_t>(lines.part_out > 0 ? lines.n : e.out_kind == CudaOut::pairs ? e.n : e.n_out);
  lines.by_lanes = division_by(lines.n_lanes);
  const bool may_fold = step.chirp == none;
  lines.by_n = division_by(lines.n);
  lines.by_in = division_by(may_fold && e.in_kind == CudaIn::folded ? e.n / 2 + 1 : step.order != none ? e.n : lines.n);
  lines.by_put = division_by(may_fold && e.out_kind == CudaOut::folded ? e.n / 2 + 1 : lines.n_put);
  count_blocks(lines);
  choose_direct(step);
  choose_known(step);
  choose_compiled(step);
  steps_.push_back(std::move(step));
}

// A line of one butterfly is a thread's: side by side their numbers come in whole lines of memory, one behind the other not. Those of a
// first stage are read so in any case.
template <class T>
void CudaPass<T>::choose_direct(Step& step) const {
  const CudaLines<T>& lines = step.lines;
  const CudaEnds<T>& e = lines.ends;
  const bool are_held =
      std::all_of(lines.stages, lines.stages + lines.n_stages, [](const CudaStage& stage) { return !has_sums(stage.radix); });
  const bool are_beside = lines.lanes_first_in && lines.lanes_first_out;
  if (!are_held || step.kernel != none || lines.n_stages == 0) return;
  if (lines.held > most_held && lines.stages[0].radix <= most_held) return;  // those kernels read by larger radices alone (any_stage)
  if (lines.n_stages == 1 && !are_beside && !(lines.first_stage_m > 0 && lines.lanes_first_in)) return;
  step.reads = lines.part_in == 0 && e.in_unit == 2 * e.in_part &&
               (e.in_kind == CudaIn::numbers || (e.in_kind == CudaIn::pairs && e.n_in == 2 * e.n));
  step.writes = lines.part_out == 0 && (lines.n_stages > 1 || are_beside) && e.out_unit == 2 * e.out_part &&
                (e.out_kind == CudaOut::numbers || (e.out_kind == CudaOut::pairs && e.n_out == 2 * e.n));
}

template <class T>
LinesWanted CudaPass<T>::wanted_of(const Step& step) const {
  LinesWanted wanted;
  wanted.radices = step.radices;
  wanted.reads = step.reads;
  wanted.writes = step.writes;
  wanted.are_convolved = step.kernel != none;
  wanted.has_chirp = step.chirp != none;
  wanted.are_ordered = step.order != none;
  wanted.is_part = step.lines.kernel_step > 1;
  wanted.folds_in = step.lines.folds_in;
  wanted.folds_out = step.lines.folds_out;
  wanted.shared_bytes = shared_bytes_;
  return wanted;
}

template <class T>
void CudaPass<T>::take_compiled(Step& step, CompiledLines<T> compiled) {
  step.known = std::move(compiled.lines);
  step.known.cell_stride = 0;
  step.is_known = true;
  step.shape = std::move(compiled.shape);
  step.compiled = std::move(compiled.kernel);
}

template <class T>
void CudaPass<T>::choose_compiled(Step& step) const {
  if (step.is_known || step.lines.n_stages == 0 || addresses_ == Addresses::any) return;
  CompiledLines<T> compiled = compiled_lines(step.lines, wanted_of(step), device_);
  if (!compiled.kernel) return;
  take_compiled(step, std::move(compiled));
  step.known_tables = step.lines.stages[0].twiddles;
}

// Of the steps that have compiled kernels the quickest shapes. Requires the tables to be where they stay.
template <class T>
void CudaPass<T>::measure() {
  for (Step& step : steps_) {
    if (!step.compiled) continue;
    CudaLines<T> lines = step.lines;
    lines.tables = step.known.tables;
    std::optional<CompiledLines<T>> quickest = quickest_lines(lines, wanted_of(step), device_);
    if (quickest) take_compiled(step, std::move(*quickest));
    gpu::entry<&gpu::allow_shared_bytes>(step.compiled->get(), step.shape.shared_bytes, device_.index);
  }
}

// Not where more than half of the lines were missing in many blocks.
template <class T>
void CudaPass<T>::choose_known(Step& step) {
  const CudaLines<T>& lines = step.lines;
  const bool are_columns = lines.lanes_first_in || lines.lanes_first_out;
  const bool are_mirrored = lines.folds_in || lines.folds_out;
  const auto place_of = [&](bool may_be_together) { return known_place<T>(lines.n, are_columns, may_be_together, are_mirrored); };
  int place = place_of(has_clusters_ && lines.lanes_first_in);
  if (place >= 0 && lines.lane.extent < known_shapes<T>[place].n_lanes() && place_of(false) >= 0) place = place_of(false);
  const KnownKind kind = are_mirrored ? KnownKind::complex : known_kind(lines);
  CudaEnds<T> ends = lines.ends;
  if (kind == KnownKind::from_real) ends.in *= 2;  // pairs that follow each other are numbers
  if (kind == KnownKind::to_real) ends.out *= 2;
  if (place < 0 || step.radices != cuda_radices<T>(lines.n) || step.kernel != none || ends.in_unit != number || ends.out_unit != number ||
      step.chirp != none)
    return;
  if (ends.in_shift != 0 || ends.out_shift != 0) return;
  if (kind == KnownKind::complex) {
    if (!step.reads || !step.writes || ends.n_in != ends.n) return;
  } else {
    if (are_columns || (kind == KnownKind::from_real ? ends.in : ends.out) != number) return;
    if (ends.n_in != (kind == KnownKind::from_real ? 2 * ends.n : ends.n + 1)) return;
  }
  const KnownShape& shape = known_shapes<T>[place];
  const std::int64_t n_padded = ceil_divide(lines.lane.extent, shape.n_lanes()) * shape.n_lanes();
  if (known_bytes<T>(shape) > shared_bytes_ || lines.twist_bits > 16) return;
  if (lines.loops.n > 0 && n_padded > 2 * lines.lane.extent) return;
  CudaLines<T>& known = step.known = lines;
  known.known = place;
  step.is_known = true;
  known.ends = ends;
  known.n_lanes = static_cast<std::int32_t>(shape.n_lanes());
  known.threads = static_cast<std::int32_t>(shape.threads());
  known.cell_stride = static_cast<std::int32_t>(known_stride<T>(shape));
  count_blocks(known);
  step.known_tables = lines.stages[0].twiddles;  // those of its stages follow each other
}

template <class T>
void CudaPass<T>::choose_cells(Step& step) const {
  constexpr std::int64_t row = numbers_a_row<T>;
  CudaLines<T>& lines = step.lines;
  const std::int64_t n = lines.n, last = step.order != none ? n + 1 : n, cells = last + last / row;
  const bool are_beside = lines.lanes_first_in || lines.lanes_first_out;
  const auto stride_of = [&](std::int64_t n_lanes) {
    // Lines that are reached at once lie in different banks.
    const std::int64_t at_once = std::min(n_lanes, row), first = n / (lines.n_stages > 0 ? lines.stages[0].radix : 1);
    const std::int64_t apart = are_beside ? std::max<std::int64_t>(1, row / at_once) : first < row ? first : 1;
    return cells + (apart + row * row - cells % row) % row;
  };
  std::int64_t n_lanes = std::max<std::int64_t>(1, block_numbers / n);
  if (are_beside) n_lanes = std::max(n_lanes, beside_bytes / number);
  n_lanes = std::min(n_lanes, lines.lane.extent);
  while (n_lanes > 1 &&
         (cuda_threads(step.radices, n, n_lanes) > most_fft_threads || n_lanes * stride_of(n_lanes) * number > shared_bytes_))
    n_lanes = ceil_divide(n_lanes, 2);
  const std::int64_t whole = row / std::gcd(n, row);  // so many dense lines end where a line of memory does
  if (n_lanes > whole) n_lanes -= n_lanes % whole;
  lines.n_lanes = static_cast<std::int32_t>(n_lanes);
  lines.cell_stride = static_cast<std::int32_t>(stride_of(n_lanes));
  lines.held = static_cast<std::int32_t>(cuda_held(step.radices, n));
  lines.threads = static_cast<std::int32_t>(
      std::max<std::int64_t>(cuda_threads(step.radices, n, n_lanes), std::min<std::int64_t>(128, ceil_divide(n * n_lanes, 128) * 32)));
  for (std::size_t i = 0; i < at(step.kernel == none ? lines.n_stages : 2 * lines.n_stages); ++i)
    lines.stages[i].by_columns = division_by(n_lanes * std::int64_t{lines.stages[i].n_butterflies});
}

template <class T>
void CudaPass<T>::run(const std::byte* in, std::byte* out, std::byte* workspace, const Worker& by) const {
  const auto fitting = [](std::int32_t unit, std::int32_t part, const std::byte* p) {
    const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p) % number);
    return std::min(unit, unit_of(part, {address}));
  };
  const auto is_multiple = [](const std::byte* p, std::uintptr_t of) { return reinterpret_cast<std::uintptr_t>(p) % of == 0; };
  if (unaligned_ != nullptr && !(is_multiple(in, needed_alignment_) && is_multiple(out, needed_alignment_)))
    return unaligned_->run(in, out, workspace, by);
  std::byte* const places[] = {const_cast<std::byte*>(in), out, workspace, workspace + rows_bytes_};
  for (const Step& step : steps_) {
    const std::byte* const from = places[step.from];
    std::byte* const to = places[step.to];
    if (step.kind == Kind::convolve) {
      gpu::entry<&launch_convolve<T>>(step.lines.kernel, step.row, step.n_lines, to, by.stream);
      continue;
    }
    CudaEnds<T> ends = step.lines.ends;
    ends.in_unit = fitting(ends.in_unit, ends.in_part, from);
    ends.out_unit = fitting(ends.out_unit, ends.out_part, to);
    if (step.kind == Kind::lines) {
      const bool is_aligned = ends.in_unit == step.lines.ends.in_unit && ends.out_unit == step.lines.ends.out_unit &&
                              (step.shape.landing < 0 || (is_multiple(from, 16) && is_multiple(to, 16)));
      if (step.is_known && is_aligned) {
        if (step.compiled) launch_compiled(step.known, *step.compiled, step.shape, from, to, multiprocessors_, by.stream);
        else gpu::entry<&launch_lines<T>>(step.known, from, to, by.stream);
        continue;
      }
      CudaLines<T> lines = step.lines;
      lines.reads = step.reads && ends.in_unit == number;
      lines.writes = step.writes && ends.out_unit == number;
      if (lines.held > most_held && (ends.in_shift != 0 || ends.out_shift != 0)) lines.reads = lines.writes = false;
      if (lines.reads != lines.writes && lines.held != few_held) lines.reads = lines.writes = false;
      if (lines.first_stage_m > 0 && !lines.reads) lines.writes = false;
      if (lines.reads && ends.in_kind == CudaIn::pairs) ends.in *= 2, ends.n_in = ends.n;
      if (lines.writes && ends.out_kind == CudaOut::pairs) ends.out *= 2;
      lines.ends = ends;
      gpu::entry<&launch_lines<T>>(lines, from, to, by.stream);
      continue;
    }
    const bool is_in = step.kind == Kind::to_rows;
    const bool are_halves = ends.chirp_in == nullptr && (is_in ? ends.in_kind == CudaIn::folded && ends.n_in == ends.n + 1
                                                               : ends.out_kind == CudaOut::folded && ends.out_unit == number);
    const CudaRows<T> rows{ends, step.row, step.n_lines, are_halves, step.lines.loops};
    if (is_in) gpu::entry<&launch_to_rows<T>>(rows, from, to, by.stream);
    else gpu::entry<&launch_from_rows<T>>(rows, from, to, by.stream);
  }
}

template void CudaPass<float>::add_loops(Step&, const std::vector<Loop>&) const;
template void CudaPass<float>::measure();
template void CudaPass<float>::add_lines(Step, std::vector<Loop>, std::int64_t);
template void CudaPass<float>::run(const std::byte*, std::byte*, std::byte*, const Worker&) const;
template void CudaPass<double>::add_loops(Step&, const std::vector<Loop>&) const;
template void CudaPass<double>::measure();
template void CudaPass<double>::add_lines(Step, std::vector<Loop>, std::int64_t);
template void CudaPass<double>::run(const std::byte*, std::byte*, std::byte*, const Worker&) const;

}  // namespace crinkle::fft
