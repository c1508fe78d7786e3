// Real lines of an odd length, by OddLine: each by a thread of its own, in scratch memory; long ones shared among threads, in the
// workspace. Where there is none, as inside other passes, they are a thread's, too. Lines that are not dense go through copies.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <type_traits>

#include "base/checked.hpp"
#include "cpu/scratch.hpp"
#include "fft/at.hpp"
#include "fft/cpu/copies.hpp"
#include "fft/cpu/odd_line.hpp"
#include "fft/pass.hpp"
#include "fft/sizes.hpp"
#include "plan/machine.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t shared_numbers = 1 << 14;  // of a line
constexpr std::int64_t odd_piece = 1 << 12;       // numbers that a thread copies at once
constexpr std::int64_t most_at_once = 16;         // lines side by side that are copied together
constexpr std::int64_t copied_bytes = 8 << 20;    // of them

template <class T>
class OddPass final : public Pass {
 public:
  explicit OddPass(const Axis& axis)
      : axis_(axis),
        line_(axis.n, simd::FftKernels::best().of<T>(), simd::OddKernels::best().of<T>()),
        is_shared_(axis.n >= shared_numbers) {
    const bool is_inverse = axis.direction == FftDirection::inverse;
    const auto factor = static_cast<T>(is_real_in() ? axis.factor * 0.5 : axis.factor);
    factor_ = {factor, is_inverse ? -factor : factor};
    im_in_ = is_inverse ? T{-1} : T{1};
    std::vector<Loop>& loops = axis_.loops;
    std::erase_if(loops, [](const Loop& loop) { return loop.extent == 1; });
    in_is_dense_ = axis.in == in_bytes() && axis.n_in == n_read() && axis.in_shift == 0;
    out_is_dense_ = axis.out == out_bytes() && axis.out_shift == 0;
    for (const Loop& loop : loops) {
      in_is_dense_ = in_is_dense_ && loop.in % size == 0;
      out_is_dense_ = out_is_dense_ && loop.out % size == 0;
    }
    if (in_is_dense_ && out_is_dense_) return;
    const auto beside =
        std::find_if(loops.begin(), loops.end(), [&](const Loop& loop) { return loop.in == in_bytes() || loop.out == out_bytes(); });
    if (beside == loops.end()) return;
    beside_ = *beside;
    loops.erase(beside);
    at_once_ = std::clamp(std::min(copied_bytes / (axis.n * size), beside_.extent), std::int64_t{1}, most_at_once);
  }

  std::int64_t workspace_bytes() const override { return is_shared_ ? multiply(memory_elements(), size) : 0; }

  void run(const std::byte* in, std::byte* out, std::byte* workspace, const Worker& by) const override {
    std::int64_t n_items = ceil_divide(beside_.extent, at_once_);
    for (const Loop& loop : axis_.loops) n_items *= loop.extent;
    if (n_items == 0) return;
    Executor& executor = *by.executor;
    if (is_shared_ && workspace != nullptr) {
      const auto together = [&](std::int64_t n_groups, const auto& body) {
        const std::int64_t n_chunks =
            executor.n_workers() == 1 ? 1 : std::min<std::int64_t>(n_groups, std::int64_t{8} * executor.n_workers());
        const auto chunk_body = [&](std::int64_t chunk) {
          T* const scratch = scratch_of(line_.scratch_elements());
          for (std::int64_t g = n_groups * chunk / n_chunks; g < n_groups * (chunk + 1) / n_chunks; ++g) body(g, scratch);
        };
        executor.parallel_for(n_chunks, std::ref(chunk_body));
      };
      for (std::int64_t item = 0; item < n_items; ++item) run_lines(item, in, out, reinterpret_cast<T*>(workspace), together);
      return;
    }
    const std::int64_t n_workers = executor.n_workers(), n_chunks = n_workers == 1 ? 1 : std::min(n_items, 8 * n_workers);
    const auto body = [&](std::int64_t chunk) {
      T *const memory = scratch_of(memory_elements() + line_.scratch_elements()), *const scratch = memory + memory_elements();
      const auto alone = [&](std::int64_t n_groups, const auto& of_group) {
        for (std::int64_t g = 0; g < n_groups; ++g) of_group(g, scratch);
      };
      for (std::int64_t item = n_items * chunk / n_chunks; item < n_items * (chunk + 1) / n_chunks; ++item)
        run_lines(item, in, out, memory, alone);
    };
    if (n_chunks == 1) return body(0);
    executor.parallel_for(n_chunks, std::ref(body));
  }

  std::int64_t held_bytes() const override { return allocated_bytes(sizeof *this) + held_by(axis_.loops, line_); }
  std::string describe() const override {
    return fmt::format("axis {}: {} {} = {} in half the work, {}{}", axis_.number, is_real_in() ? "real to complex" : "complex to real",
                       axis_.n, line_.describe(), is_shared_ ? "each line shared among threads" : "one line at a time", shifts_of(axis_));
  }

 private:
  static constexpr std::int64_t size = sizeof(T);

  bool is_real_in() const { return axis_.kind == FftKind::real_to_complex; }
  std::int64_t in_bytes() const { return axis_.parts_in() * size; }
  std::int64_t out_bytes() const { return axis_.parts_out() * size; }
  std::int64_t n_read() const { return is_real_in() ? axis_.n : axis_.n / 2 + 1; }
  std::int64_t line_elements() const { return axis_.n + 1; }  // of a copy
  // What lies between the two steps, and copies of lines and of their results.
  std::int64_t memory_elements() const {
    return line_.between_elements() + (in_is_dense_ ? 0 : at_once_ * line_elements()) + (out_is_dense_ ? 0 : at_once_ * line_elements());
  }
  static T* scratch_of(std::int64_t n) { return static_cast<T*>(simd::Scratch::of_this_thread().get(at(n * size))); }

  // Numbers j of lines l, `own` of which are copies; body(byte of the array, copy) for each. each(n, body) calls body(group, scratch) for
  // all groups < n.
  template <class Byte, class Each, class Body>
  void for_each_number(Byte* array, T* own, const Lines& lines, std::int64_t shift, std::int64_t bytes, const Each& each,
                       const Body& body) const {
    for_each_part(array, lines.n, lines.stride, shift, [&](Byte* at, std::int64_t begin, std::int64_t end) {
      each(ceil_divide(end - begin, odd_piece), [&](std::int64_t piece, T*) {
        const std::int64_t first = begin + piece * odd_piece, last = std::min(first + odd_piece, end);
        for (std::int64_t j = first; j < last; ++j)
          for (std::int64_t l = 0; l < lines.n_lines; ++l)
            body(at + (j - begin) * lines.stride + l * lines.line_stride, bytes_of(own + l * line_elements()) + j * bytes);
      });
    });
  }
  template <class Each>
  void copy_in(const std::byte* in, std::int64_t n_lines, T* own, const Each& each) const {
    const Lines lines{axis_.n_in, n_lines, axis_.in, beside_.in};
    const std::int64_t bytes = in_bytes();
    const auto copy = [&](auto number) {
      for_each_number(in, own, lines, axis_.in_shift, bytes, each,
                      [](const std::byte* from, std::byte* to) { std::memcpy(to, from, decltype(number)::value); });
    };
    if (is_real_in()) copy(std::integral_constant<std::size_t, sizeof(T)>());
    else copy(std::integral_constant<std::size_t, 2 * sizeof(T)>());
    const std::int64_t parts = axis_.parts_in();
    for (std::int64_t l = 0; l < n_lines; ++l, own += line_elements()) std::fill(own + parts * axis_.n_in, own + parts * n_read(), T{0});
  }
  template <class Each>
  void copy_out(T* own, std::int64_t n_lines, std::byte* out, const Each& each) const {
    const Lines lines{axis_.n_out(), n_lines, axis_.out, beside_.out};
    const auto copy = [&](auto number) {
      for_each_number(out, own, lines, axis_.out_shift, out_bytes(), each,
                      [](std::byte* to, const std::byte* from) { std::memcpy(to, from, decltype(number)::value); });
    };
    if (is_real_in()) copy(std::integral_constant<std::size_t, 2 * sizeof(T)>());
    else copy(std::integral_constant<std::size_t, sizeof(T)>());
  }

  template <class Each>
  void run_lines(std::int64_t item, const std::byte* in, std::byte* out, T* memory, const Each& each) const {
    const std::int64_t n_groups = ceil_divide(beside_.extent, at_once_), first = item % n_groups * at_once_;
    const std::int64_t n_lines = std::min(at_once_, beside_.extent - first);
    const LoopPlace place = place_in(axis_.loops.data(), axis_.loops.size(), item / n_groups);
    in += place.in + first * beside_.in;
    out += place.out + first * beside_.out;
    T *const z = memory, *const own_in = z + line_.between_elements();
    T* const own_out = own_in + (in_is_dense_ ? 0 : at_once_ * line_elements());
    if (!in_is_dense_) copy_in(in, n_lines, own_in, each);
    for (std::int64_t l = 0; l < n_lines; ++l)
      run_line(in_is_dense_ ? in + l * beside_.in : bytes_of(own_in + l * line_elements()),
               out_is_dense_ ? out + l * beside_.out : bytes_of(own_out + l * line_elements()), z, each);
    if (!out_is_dense_) copy_out(own_out, n_lines, out, each);
  }
  template <class Each>
  void run_line(const std::byte* from, std::byte* to, T* z, const Each& each) const {
    if (is_real_in()) {
      each(line_.n_column_groups(), [&](std::int64_t g, T* scratch) { line_.columns(g, from, z, scratch); });
      each(line_.n_number_groups(), [&](std::int64_t g, T* scratch) { line_.numbers(g, z, to, factor_, scratch); });
    } else {
      each(line_.n_number_groups(), [&](std::int64_t g, T* scratch) { line_.numbers_back(g, from, im_in_, z, scratch); });
      each(line_.n_column_groups(), [&](std::int64_t g, T* scratch) { line_.columns_back(g, z, factor_.re, to, scratch); });
    }
  }

  Axis axis_;
  OddLine<T> line_;
  Loop beside_;  // lines of which several are copied at once
  std::int64_t at_once_ = 1;
  bool is_shared_, in_is_dense_ = true, out_is_dense_ = true;
  T im_in_ = 1;
  simd::FftFactor<T> factor_;
};

}  // namespace

std::unique_ptr<Pass> make_odd_pass(const Axis& axis, FftReal real) {
  const bool is_real = axis.kind == FftKind::real_to_complex || axis.kind == FftKind::complex_to_real;
  if (!is_real || odd_factor(axis.n) == 0) return nullptr;
  const std::int64_t number = real == FftReal::float32 ? 8 : 16;
  check_memory(axis.number, axis.n, multiply(axis.n, 3 * number), Machine::this_cpu().memory_bytes);
  if (real == FftReal::float32) return std::make_unique<OddPass<float>>(axis);
  return std::make_unique<OddPass<double>>(axis);
}

}  // namespace crinkle::fft
