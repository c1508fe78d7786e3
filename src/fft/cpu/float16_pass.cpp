// Arrays of float16 are transformed in float32: lines, in groups that a cache holds, are widened into scratch memory, a pass of float32
// takes them from there, and its results are narrowed. A side that is float32 already is read or written where it lies. Lines of 1 MiB and
// more are in the workspace, one or a vector of columns at a time, and all threads work on them.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "base/checked.hpp"
#include "base/number_lines.hpp"
#include "base/sizes.hpp"
#include "cpu/scratch.hpp"
#include "fft/at.hpp"
#include "fft/cpu/fft_kernels.hpp"
#include "fft/cpu/one_thread.hpp"
#include "fft/pass.hpp"
#include "fft/sizes.hpp"

namespace crinkle::fft {
namespace {

constexpr NumberType float16_numbers{crinkle::Number::float16};
constexpr std::int64_t number_bytes = 8;                // of a complex one
constexpr std::int64_t float16_group_bytes = 64 << 10;  // of lines in one of two buffers
constexpr std::int64_t shared_line_bytes = 1 << 20;
constexpr std::int64_t most_column_bytes = 1 << 20;
constexpr std::int64_t part_elements = 1 << 14;  // that a thread converts at once

simd::Scratch& float16_scratch() {  // the passes inside have others
  thread_local simd::Scratch scratch;
  return scratch;
}

class Float16Pass final : public Pass {
 public:
  explicit Float16Pass(const Axis& axis) : axis_(axis), kernels_(&simd::FftKernels::best()) {
    std::erase_if(axis_.loops, [](const Loop& loop) { return loop.extent == 1; });
    in_ = {axis.in_is_float16, axis.parts_in(), axis.n_in, axis.in};
    out_ = {axis.out_is_float16, axis.parts_out(), axis.n_out(), axis.out};
    choose_lines();
    full_ = pass_of(group_);
    if (lines_.extent % group_ != 0) rest_ = pass_of(lines_.extent % group_);
  }

  std::int64_t workspace_bytes() const override { return is_shared_ ? scratch_bytes() + full_->workspace_bytes() : 0; }

  void run(const std::byte* in, std::byte* out, std::byte* workspace, const Worker& by) const override {
    const std::int64_t n_groups = ceil_divide(lines_.extent, group_);
    std::int64_t n_items = n_groups;
    for (const Loop& loop : axis_.loops) n_items *= loop.extent;
    if (n_items == 0) return;
    if (is_shared_) {
      for (std::int64_t item = 0; item < n_items; ++item)
        run_group(item, n_groups, in, out, workspace, workspace + scratch_bytes(), *by.executor);
      return;
    }
    const std::int64_t n_chunks = std::min<std::int64_t>(n_items, std::int64_t{8} * by.executor->n_workers());
    const auto body = [&](std::int64_t chunk) {
      const std::int64_t begin = part_begin(n_items, n_chunks, chunk), end = part_begin(n_items, n_chunks, chunk + 1);
      auto* const scratch = static_cast<std::byte*>(float16_scratch().get(at(scratch_bytes())));
      OneThread one;
      for (std::int64_t item = begin; item < end; ++item) run_group(item, n_groups, in, out, scratch, nullptr, one);
    };
    if (n_chunks == 1) return body(0);
    by.executor->parallel_for(n_chunks, std::ref(body));
  }

  std::int64_t held_bytes() const override { return allocated_bytes(sizeof *this) + held_by(axis_.loops, full_, rest_); }
  std::string describe() const override {
    const char* how = in_.is_float16 ? out_.is_float16 ? "widened and narrowed" : "widened" : "narrowed";
    return fmt::format("{}, {} {} {}", full_->describe(), group_, group_ == 1 ? "line" : "lines", how);
  }

 private:
  /// An array's side of the pass, and its lines in scratch memory, where they lie one behind the other or as columns.
  struct Side {
    bool is_float16 = false;
    std::int64_t parts = 1, n = 1, stride = 0;  // of an element; elements of a line; bytes
    bool are_columns = false;

    std::int64_t element_bytes() const { return 2 * parts; }
    std::int64_t scratch_bytes(std::int64_t n_lines) const {
      return is_float16 ? ceil_divide(multiply(multiply(n, n_lines), 4 * parts), workspace_alignment) * workspace_alignment : 0;
    }
  };

  std::int64_t scratch_bytes() const { return in_.scratch_bytes(group_) + out_.scratch_bytes(group_); }

  // The loop whose lines go together, the nearest one, and how many of them.
  void choose_lines() {
    const auto distance = [&](const Loop& loop) {
      return (in_.is_float16 ? std::abs(loop.in) : 0) + (out_.is_float16 ? std::abs(loop.out) : 0);
    };
    const auto nearest =
        std::min_element(axis_.loops.begin(), axis_.loops.end(), [&](const Loop& a, const Loop& b) { return distance(a) < distance(b); });
    if (nearest != axis_.loops.end()) {
      lines_ = *nearest;
      axis_.loops.erase(nearest);
    }
    in_.are_columns = in_.is_float16 && lines_.in == in_.element_bytes() && in_.stride != in_.element_bytes();
    out_.are_columns = out_.is_float16 && lines_.out == out_.element_bytes() && out_.stride != out_.element_bytes();
    const std::int64_t line_bytes = multiply(axis_.n, number_bytes);
    const bool are_columns = in_.are_columns || out_.are_columns;
    is_shared_ = line_bytes >= shared_line_bytes;
    const std::int64_t least = !are_columns ? 1 : 32 * line_bytes <= most_column_bytes ? 32 : 8;
    group_ = std::max(least, float16_group_bytes / line_bytes);
    if (group_ > 8) group_ -= group_ % (group_ > 32 ? 32 : 8);  // whole vectors of lines
    group_ = std::clamp(group_, std::int64_t{1}, std::max<std::int64_t>(1, lines_.extent));
  }

  // In float32, of so many lines.
  std::unique_ptr<Pass> pass_of(std::int64_t n_lines) const {
    Axis inner = axis_;
    inner.in_is_float16 = inner.out_is_float16 = false;
    inner.may_be_in_place = false;
    Loop lines{n_lines, lines_.in, lines_.out};
    const auto place = [&](const Side& side, std::int64_t& stride, std::int64_t& line) {
      if (!side.is_float16) return;
      stride = 4 * side.parts * (side.are_columns ? n_lines : 1);
      line = 4 * side.parts * (side.are_columns ? 1 : side.n);
    };
    place(in_, inner.in, lines.in);
    place(out_, inner.out, lines.out);
    inner.loops = {lines};
    return is_real_to_real(axis_.kind) ? make_cosine_pass(inner, FftReal::float32) : make_pass(inner, FftReal::float32);
  }

  void run_group(std::int64_t item, std::int64_t n_groups, const std::byte* in, std::byte* out, std::byte* scratch, std::byte* of_pass,
                 Executor& executor) const {
    const std::int64_t first = item % n_groups * group_, n_lines = std::min(group_, lines_.extent - first);
    const LoopPlace lies = place_in(axis_.loops.data(), axis_.loops.size(), item / n_groups);
    in += first * lines_.in + lies.in;
    out += first * lines_.out + lies.out;
    auto* const wide_in = reinterpret_cast<float*>(scratch);
    auto* const wide_out = reinterpret_cast<float*>(scratch + in_.scratch_bytes(group_));
    if (in_.is_float16) {
      for_each_run(in_, lines_.in, n_lines, executor, [&](std::int64_t at, std::int64_t place, std::int64_t n, std::int64_t stride) {
        widen(in + at, stride, n, in_.parts, wide_in + place);
      });
    }
    const Pass& pass = n_lines == group_ ? *full_ : *rest_;
    pass.run(in_.is_float16 ? reinterpret_cast<const std::byte*>(wide_in) : in,
             out_.is_float16 ? reinterpret_cast<std::byte*>(wide_out) : out, of_pass, {.executor = &executor});
    if (!out_.is_float16) return;
    for_each_run(out_, lines_.out, n_lines, executor, [&](std::int64_t at, std::int64_t place, std::int64_t n, std::int64_t stride) {
      narrow(wide_out + place, out_.parts, n, out + at, stride);
    });
  }

  // body(byte in the array, place in scratch memory, elements, bytes between them) of what lies one behind the other in scratch memory.
  template <class F>
  void for_each_run(const Side& side, std::int64_t line, std::int64_t n_lines, Executor& executor, const F& body) const {
    if (side.are_columns) {
      const std::int64_t n_rows = ceil_divide(part_elements, n_lines);
      const auto part = [&](std::int64_t c) {
        for (std::int64_t j = c * n_rows; j < std::min(side.n, (c + 1) * n_rows); ++j)
          body(j * side.stride, j * n_lines * side.parts, n_lines, line);
      };
      executor.parallel_for(ceil_divide(side.n, n_rows), std::ref(part));
    } else {
      const std::int64_t n_parts = ceil_divide(side.n, part_elements);
      const auto part = [&](std::int64_t c) {
        const std::int64_t l = c / n_parts, j = c % n_parts * part_elements;
        body(l * line + j * side.stride, (l * side.n + j) * side.parts, std::min(part_elements, side.n - j), side.stride);
      };
      executor.parallel_for(n_lines * n_parts, std::ref(part));
    }
  }

  void widen(const std::byte* from, std::int64_t stride, std::int64_t n, std::int64_t parts, float* to) const {
    if (stride == 2 * parts) return kernels_->widen_float16(from, n * parts, to);
    for (std::int64_t p = 0; p < parts; ++p) load_line(to + p, parts, from + 2 * p, stride, n, float16_numbers);
  }
  void narrow(const float* from, std::int64_t parts, std::int64_t n, std::byte* to, std::int64_t stride) const {
    if (stride == 2 * parts) return kernels_->narrow_float16(from, n * parts, to);
    for (std::int64_t p = 0; p < parts; ++p) store_line(to + 2 * p, stride, from + p, parts, n, float16_numbers);
  }

  Axis axis_;
  const simd::FftKernels* kernels_;
  Side in_, out_;
  Loop lines_;  // those of a group
  std::int64_t group_ = 1;
  bool is_shared_ = false;
  std::unique_ptr<Pass> full_, rest_;
};

}  // namespace

std::unique_ptr<Pass> make_float16_pass(const Axis& axis) { return std::make_unique<Float16Pass>(axis); }

}  // namespace crinkle::fft
