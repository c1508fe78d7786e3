// Which way a CPU goes through an axis, and the walk through its lines.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "cpu/scratch.hpp"
#include "fft/at.hpp"
#include "fft/cpu/pass.hpp"
#include "fft/radices.hpp"
#include "fft/roots.hpp"
#include "fft/sizes.hpp"
#include "plan/machine.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t group_bytes = 128 << 10;  // of a group of columns in one of the two buffers
constexpr std::int64_t most_vectors = 4;         // in a row
constexpr std::int64_t shortest_line = 64;       // whose numbers go into lanes where there are other lines
constexpr std::int64_t longest_short = 64;       // of rows whole in registers
constexpr std::int64_t chunk_bytes = 64 << 10;   // of lines, at least, for a thread
// Sizes from which, and up to which, single lines are fetched: of all lines together, and of one (docs/tuning.md).
constexpr std::int64_t least_fetched_bytes = 1 << 20, shortest_fetched_bytes = 1 << 10, most_fetched_whole = 4 << 10,
                       most_fetched_ahead = 16 << 10;
constexpr std::size_t most_loops = 64;

// So many numbers of T or a few more that two buffers one behind the other are half a page apart: what is read from one and written to the
// other at the same place in both has neither a cache's set in common nor an address that the processor takes for the same one.
template <class T>
std::int64_t apart(std::int64_t n) {
  constexpr std::int64_t page = 4096 / sizeof(T);
  return n < page ? n : (add(n, page / 2 - 1) / page) * page + page / 2;
}

}  // namespace

template <class T>
CpuPass<T>::CpuPass(const Axis& axis) : axis_(axis), kernels_(&simd::FftKernels::best().of<T>()) {
  const bool is_inverse = axis.direction == FftDirection::inverse;
  const double factor = axis.factor * (is_half() && axis.kind == FftKind::real_to_complex ? 0.5 : 1.0);
  // Everything is a forward transform; the others are it between conjugations. What gives real numbers is the forward one of conj x.
  if (axis.kind != FftKind::real_to_complex) im_in_ = is_inverse ? T{-1} : T{1};
  const bool is_conjugated = axis.kind == FftKind::complex_to_real || is_inverse;
  factor_ = {static_cast<T>(factor), static_cast<T>(is_conjugated ? -factor : factor)};
  choose_lanes();
  const std::int64_t n = is_half() ? axis_.n / 2 : axis_.n;
  const std::int64_t in_tables = has_radices(n) ? n : multiply(2, n), lines_at_once = way_ == Way::line ? 1 : kernels_->lanes;
  check_memory(axis.number, axis.n, multiply(multiply(in_tables, number), 1 + n_buffers() * lines_at_once),
               Machine::this_cpu().memory_bytes);
  line_.emplace(n, way_ == Way::line ? Lanes::numbers : Lanes::lines, *kernels_);
  if (way_ == Way::line && !line_->has_one_line()) way_ = Way::gathered;  // it alone
  if (way_ == Way::columns) {
    const std::int64_t bytes = multiply(add(line_->n_rows(), 1), kernels_->lanes * number);
    w_ = std::clamp(std::min(group_bytes / bytes, ceil_divide(lanes_.extent, kernels_->lanes)), std::int64_t{1}, most_vectors);
  }
  if (way_ == Way::line) buffer_ = std::max(line_->line_elements(), 2 * (add(n, 1) + kernels_->lanes));
  else buffer_ = multiply(multiply(add(line_->n_rows(), 2), w_), 2 * kernels_->lanes);
  buffer_ = apart<T>(buffer_);
  n_groups_ = ceil_divide(lanes_.extent, w_ * kernels_->lanes);
  choose_fetches();
  if (way_ == Way::gathered && has_dense_rows()) short_rows_ = line_->short_rows(simd::ShortKernels::best().of<T>());
  if (is_half()) make_fold();
}

// A short line ends before the processor has seen where its streams go, and the next one begins elsewhere.
template <class T>
void CpuPass<T>::choose_fetches() {
  if (way_ != Way::line || axis_.in != in_element() || axis_.loops.empty()) return;
  std::int64_t n_lines = 1;
  for (const Loop& loop : axis_.loops) n_lines = multiply(n_lines, loop.extent);
  const std::int64_t bytes = axis_.n_in * in_element();
  if (multiply(n_lines, bytes) < least_fetched_bytes || bytes <= shortest_fetched_bytes) return;
  if (bytes <= most_fetched_whole) fetches_ = Fetches::line;
  else if (bytes <= most_fetched_ahead) fetches_ = Fetches::ahead;
}

template <class T>
void CpuPass<T>::make_fold() {
  const std::int64_t h = axis_.n / 2, v = way_ == Way::line ? kernels_->lanes : 1;
  const auto put = [&](std::int64_t place, std::int64_t k) {
    const Root<T> w = root<T>(k, axis_.n);
    fold_[at(place)] = w.im;
    fold_[at(place + v)] = -w.re;
  };
  for (std::int64_t block = way_ == Way::line ? 1 : 0; 2 * block <= h; block += v) {
    const std::int64_t place = std::ssize(fold_), begin = std::min(block, std::max<std::int64_t>(0, h / 2 - v + 1));
    fold_.resize(at(place + 2 * v));
    for (std::int64_t i = 0; i < v; ++i) put(place + i, begin + i);
  }
}

// Takes the loop of the lines in a group out of the others.
template <class T>
void CpuPass<T>::choose_lanes() {
  std::vector<Loop>& loops = axis_.loops;
  std::erase_if(loops, [](const Loop& loop) { return loop.extent == 1; });
  const auto take = [&](std::vector<Loop>::iterator loop, Way way) {
    lanes_ = *loop;
    loops.erase(loop);
    way_ = way;
  };
  if (axis_.in != in_element() || axis_.out != out_element()) {
    const auto side =
        std::find_if(loops.begin(), loops.end(), [&](const Loop& l) { return l.in == in_element() && l.out == out_element(); });
    if (side != loops.end() && side->extent > 1) return take(side, Way::columns);
  }
  const auto most = std::max_element(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.extent < b.extent; });
  const std::int64_t n = is_half() ? axis_.n / 2 : axis_.n;
  const bool fills_lanes = n % kernels_->lanes == 0 && has_radices(n), has_others = most != loops.end();
  const bool is_short = n < shortest_line || (has_others && n == longest_short && has_dense_rows() && most->extent >= kernels_->lanes);
  if (has_others && (is_short || !fills_lanes)) return take(most, Way::gathered);
  way_ = Way::line;
}

// Whole groups of lines from group `first` on, at most n: how many.
template <class T>
std::int64_t CpuPass<T>::run_short_rows(const std::byte* in, std::byte* out, std::int64_t first, std::int64_t n) const {
  const std::int64_t lanes = kernels_->lanes, whole = std::min(n, lanes_.extent / lanes - first);
  if (short_rows_ == nullptr || whole <= 0 || !is_aligned(in, lanes_.in, 0) || !is_aligned(out, lanes_.out, 0)) return 0;
  short_rows_({in + first * lanes * lanes_.in, lanes_.in}, {out + first * lanes * lanes_.out, lanes_.out}, whole, line_->first_twiddles(),
              im_in_, factor_);
  return whole;
}

template <class T>
void CpuPass<T>::run(const std::byte* in, std::byte* out, std::byte* /*workspace*/, const Worker& by) const {
  Executor& executor = *by.executor;
  std::int64_t n_items = n_groups_;
  for (const Loop& loop : axis_.loops) n_items *= loop.extent;
  if (n_items == 0) return;
  const std::int64_t group = w_ * kernels_->lanes, item_bytes = buffer_ * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t by_size = ceil_divide(n_items, std::max<std::int64_t>(1, chunk_bytes / item_bytes));
  const std::int64_t n_chunks = executor.n_workers() == 1 ? 1 : std::min<std::int64_t>(by_size, std::int64_t{8} * executor.n_workers());
  const auto body = [&](std::int64_t chunk) {
    const std::int64_t begin = part_begin(n_items, n_chunks, chunk), end = part_begin(n_items, n_chunks, chunk + 1);
    T* a = static_cast<T*>(simd::Scratch::of_this_thread().get(at(n_buffers() * item_bytes)));
    std::array<std::int64_t, most_loops> place{};
    const std::byte* from = in;
    std::byte* to = out;
    const std::size_t n_loops = axis_.loops.size();
    const auto extent = [&](std::size_t i) { return axis_.loops[i].extent; };
    const auto go = [&](std::size_t i, std::int64_t times) {
      from += times * axis_.loops[i].in;
      to += times * axis_.loops[i].out;
    };
    split_index(begin / n_groups_, n_loops, extent, [&](std::size_t i, std::int64_t n) { go(i, place[i] = n); });
    const std::int64_t line_bytes = axis_.n_in * in_element();
    std::int64_t g = begin % n_groups_;
    for (std::int64_t item = begin; item < end; ++item) {
      if (const std::int64_t n = run_short_rows(from, to, g, std::min(end - item, n_groups_ - g)); n > 0) {
        item += n - 1;
        g += n;
        if (g < n_groups_) continue;
        g = 0;
        step_index(place, n_loops, extent, go);
        continue;
      }
      // Not in a function of its own, which gcc 12 takes for one that does nothing.
      if (fetches_ == Fetches::line) {
        for (std::int64_t i = 0; i < line_bytes; i += 64) __builtin_prefetch(from + i);
      } else if (fetches_ == Fetches::ahead && place[n_loops - 1] + 2 < axis_.loops.back().extent) {
        for (std::int64_t i = 0; i < line_bytes; i += 64) __builtin_prefetch(from + 2 * axis_.loops.back().in + i, 0, 2);
      }
      if (way_ == Way::line) run_line(from, to, a, a + buffer_, a + 2 * buffer_);
      else run_group(from + g * group * lanes_.in, to + g * group * lanes_.out, std::min(group, lanes_.extent - g * group), a, a + buffer_);
      if (++g < n_groups_) continue;
      g = 0;
      step_index(place, n_loops, extent, go);
    }
  };
  if (n_chunks == 1) return body(0);
  executor.parallel_for(n_chunks, std::ref(body));  // what a std::function holds without allocating
}

template <class T>
std::string CpuPass<T>::describe() const {
  const char* ways[] = {"columns side by side", "one line at a time", "lines gathered"};
  const char* kinds[] = {"complex", "real to complex", "complex to real"};
  const std::string half = is_half() ? fmt::format(" as {} complex", axis_.n / 2) : "";
  const std::string group = way_ == Way::line || lanes_.extent == 1 ? "" : fmt::format(", {} at once", w_ * kernels_->lanes);
  return fmt::format("axis {}: {} {}{} = {}, {}{}{}", axis_.number, kinds[static_cast<int>(axis_.kind)], axis_.n, half, line_->describe(),
                     short_rows_ != nullptr ? "rows whole in registers" : ways[static_cast<int>(way_)], group, shifts_of(axis_));
}

const char* shifts_of(const Axis& axis) {
  if (axis.in_shift != 0) return axis.out_shift != 0 ? ", both sides shifted on the way" : ", input shifted on the way";
  return axis.out_shift != 0 ? ", output shifted on the way" : "";
}

std::unique_ptr<Pass> make_pass(const Axis& axis, FftReal real) {
  if (auto pass = make_long_pass(axis, real)) return pass;
  if (auto pass = make_odd_pass(axis, real)) return pass;
  if (real == FftReal::float32) return std::make_unique<CpuPass<float>>(axis);
  return std::make_unique<CpuPass<double>>(axis);
}

}  // namespace crinkle::fft
