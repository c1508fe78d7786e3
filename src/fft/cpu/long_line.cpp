// Lines that no cache holds, in two passes over memory, each shared among threads. With N = N₁·N₂, n = N₂·n₁ + n₂ and k = k₁ + N₁·k₂,
//     t[n₂][k₁] = W_N^{n₂k₁} Σ_{n₁} x[n₁][n₂] W_{N₁}^{n₁k₁},     X[k₂][k₁] = Σ_{n₂} t[n₂][k₁] W_{N₂}^{n₂k₂},
// both by columns side by side; the first pass turns its columns into rows as it writes them. t lies where X will, or in a workspace
// where X is to lie where x is. Lines of any layout go this way, so that they have the same bits: what is not dense is copied into the
// workspace and out of it, as many lines at once as are side by side in a vector.
// Source: D. H. Bailey, "FFTs in external or hierarchical memory", 1990, without its transpositions.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/checked.hpp"
#include "cpu/scratch.hpp"
#include "fft/at.hpp"
#include "fft/pass.hpp"
#include "fft/radices.hpp"
#include "fft/roots.hpp"
#include "fft/sizes.hpp"
#include "plan/machine.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t shortest_bytes = std::int64_t{1} << 20;  // of a line
constexpr std::int64_t long_group_bytes = 256 << 10;            // of columns, in one of two buffers
constexpr std::int64_t most_long_vectors = 4;
constexpr std::int64_t copied_at_once = 256;  // numbers of lines, for a thread
constexpr std::size_t rows_bytes = copied_at_once * 64;

// The N₁ nearest to √N of two factors that are multiples of `of`, or 0.
std::int64_t first_factor(std::int64_t n, std::int64_t of) {
  if (n % (of * of) != 0 || !has_radices(n)) return 0;
  std::int64_t best = 0;
  for (std::int64_t d = of; d <= n / d; d += of)
    if (n % d == 0 && n / d % of == 0) best = d;
  return best;
}

// Any W_N^e as the product of two of a table, in float64.
class Powers {
 public:
  explicit Powers(std::int64_t n) : n_(n) {
    while (step_ * step_ < n) step_ *= 2;
    for (std::int64_t i = 0; i < step_; ++i) low_.push_back(root<double>(i, n));
    for (std::int64_t i = 0; i * step_ < n; ++i) high_.push_back(root<double>(i * step_, n));
  }
  template <class T>
  void put(std::int64_t e, T* re, T* im) const {
    const Root<double>&a = low_[at(e % step_)], &b = high_[at(e / step_)];
    *re = static_cast<T>(a.re * b.re - a.im * b.im);
    *im = static_cast<T>(a.re * b.im + a.im * b.re);
  }
  std::int64_t n() const { return n_; }
  std::int64_t held_bytes() const { return held_by(low_, high_); }

 private:
  std::int64_t n_, step_ = 1;
  std::vector<Root<double>> low_, high_;
};

/// Which sides of an axis a pass reads and writes where they are, and on which a shift is signs: as N₁ and N₂ are even, one of x by N/2 is
/// a sign of (−1)^k, and one of X a sign of (−1)^n₂. Other shifts are the copies'.
struct Sides {
  bool in_is_dense, out_is_dense, in_is_signed, out_is_signed;
  bool are_dense() const { return in_is_dense && out_is_dense; }
};
Sides sides_of(const Axis& axis, std::int64_t n1, std::int64_t part) {
  const bool are_even = n1 % 2 == 0 && axis.n / n1 % 2 == 0;
  Sides sides{};
  sides.in_is_signed = are_even && axis.in_shift != 0 && axis.n_in == axis.n;
  sides.out_is_signed = are_even && axis.out_shift != 0;
  sides.in_is_dense = axis.in == 2 * part && axis.n_in == axis.n && (axis.in_shift == 0 || sides.in_is_signed);
  sides.out_is_dense = axis.out == 2 * part && (axis.out_shift == 0 || sides.out_is_signed);
  for (const Loop& loop : axis.loops) {
    sides.in_is_dense = sides.in_is_dense && loop.in % part == 0;
    sides.out_is_dense = sides.out_is_dense && loop.out % part == 0;
  }
  return sides;
}

template <class T>
class LongPass final : public Pass {
 public:
  LongPass(const Axis& axis, std::int64_t n1, const Sides& sides)
      : axis_(axis),
        sides_(sides),
        kernels_(&simd::FftKernels::best().of<T>()),
        first_(n1, Lanes::lines, *kernels_),
        second_(axis.n / n1, Lanes::lines, *kernels_),
        powers_(axis.n) {
    const bool is_inverse = axis.direction == FftDirection::inverse;
    im_in_ = is_inverse ? T{-1} : T{1};
    factor_ = {static_cast<T>(axis.factor), static_cast<T>(is_inverse ? -axis.factor : axis.factor)};
    if (sides.are_dense()) return;
    std::vector<Loop>& loops = axis_.loops;
    const auto beside = std::find_if(loops.begin(), loops.end(), [](const Loop& l) { return l.in == number || l.out == number; });
    if (beside == loops.end()) return;
    beside_ = *beside;
    loops.erase(beside);
  }
  bool is_possible() const { return first_.can_run_through() && second_.can_run_through(); }
  std::int64_t workspace_bytes() const override { return multiply(axis_.n * number, n_between() + n_copies()); }
  std::int64_t times_through_memory() const override { return 2 + (sides_.in_is_dense ? 0 : 1) + (sides_.out_is_dense ? 0 : 1); }

  void run(const std::byte* in, std::byte* out, std::byte* workspace, const Worker& by) const override {
    const std::int64_t line = axis_.n * number, n_groups = ceil_divide(beside_.extent, n_at_once());
    std::int64_t n_items = n_groups;
    for (const Loop& loop : axis_.loops) n_items *= loop.extent;
    std::byte* const copies = workspace + n_between() * line;
    for (std::int64_t item = 0; item < n_items; ++item) {
      const std::int64_t done = item % n_groups * n_at_once(), n_lines = std::min(n_at_once(), beside_.extent - done);
      const LoopPlace place = place_in(axis_.loops.data(), axis_.loops.size(), item / n_groups);
      const std::byte* const from = in + done * beside_.in + place.in;
      std::byte* const to = out + done * beside_.out + place.out;
      if (!sides_.in_is_dense) copy_in(from, n_lines, copies, *by.executor);
      for (std::int64_t l = 0; l < n_lines; ++l) {
        const std::byte* const x = sides_.in_is_dense ? from + l * beside_.in : copies + l * line;
        std::byte* const y = sides_.out_is_dense ? to + l * beside_.out : copies + l * line;
        run_line(x, y, x == y ? workspace : y, *by.executor);
      }
      if (!sides_.out_is_dense) copy_out(copies, n_lines, to, *by.executor);
    }
  }

  std::int64_t held_bytes() const override { return allocated_bytes(sizeof *this) + held_by(axis_.loops, first_, second_, powers_); }
  std::string describe() const override {
    const char* copies[] = {"", ", copied before", ", copied behind", ", copied before and behind"};
    return fmt::format("axis {}: complex {} = ({})·({}), each line twice through memory{}, shared among threads{}", axis_.number, axis_.n,
                       first_.describe(), second_.describe(), copies[(sides_.in_is_dense ? 0 : 1) + (sides_.out_is_dense ? 0 : 2)],
                       shifts_of(axis_));
  }

 private:
  static constexpr std::int64_t number = 2 * sizeof(T);

  std::int64_t n_at_once() const { return std::clamp(beside_.extent, std::int64_t{1}, kernels_->lanes); }
  // Lines of the workspace.
  std::int64_t n_between() const {
    return sides_.in_is_dense == sides_.out_is_dense && (axis_.may_be_in_place || !sides_.are_dense()) ? 1 : 0;
  }
  std::int64_t n_copies() const { return sides_.are_dense() ? 0 : n_at_once(); }

  // copy(array, line's number, n) for n numbers of lines, which lie one behind the other from `array` on.
  template <class Byte, class F>
  static void for_each_run(Byte* array, std::int64_t n, std::int64_t stride, std::int64_t shift, Executor& executor, const F& copy) {
    for_each_part(array, n, stride, shift, [&](Byte* at, std::int64_t begin, std::int64_t end) {
      const auto chunk = [&](std::int64_t c) {
        const std::int64_t j = begin + c * copied_at_once;
        copy(at + c * copied_at_once * stride, j, std::min(copied_at_once, end - j));
      };
      executor.parallel_for(ceil_divide(end - begin, copied_at_once), std::ref(chunk));
    });
  }
  bool are_beside(const std::byte* array, std::int64_t stride, std::int64_t line, std::int64_t n_lines) const {
    const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(array));
    return line == number && n_lines == kernels_->lanes && (address | stride) % static_cast<std::int64_t>(sizeof(T)) == 0;
  }

  // Zeros are such that they are positive behind a product with im_in_.
  void copy_in(const std::byte* in, std::int64_t n_lines, std::byte* copies, Executor& executor) const {
    const std::int64_t line = axis_.n * number, shift = sides_.in_is_signed ? 0 : axis_.in_shift, lanes = kernels_->lanes;
    for_each_run(in, axis_.n_in, axis_.in, shift, executor, [&](const std::byte* from, std::int64_t j, std::int64_t n) {
      std::byte* const to = copies + j * number;
      const std::int64_t whole = are_beside(from, axis_.in, beside_.in, n_lines) ? n / lanes * lanes : 0;
      alignas(64) T rows[rows_bytes / sizeof(T)];
      kernels_->load_rows(from, axis_.in, whole, 1, rows, {T{1}, T{1}});
      kernels_->store_turned(rows, whole, to, line, {T{1}, T{1}});
      copy_numbers(from + whole * axis_.in, axis_.in, beside_.in, to + whole * number, number, line, n - whole, n_lines);
    });
    const T zero[2] = {T{0}, T{0} * im_in_};
    for (std::int64_t l = 0; l < n_lines; ++l)
      for (std::int64_t j = axis_.n_in; j < axis_.n; ++j) std::memcpy(copies + l * line + j * number, zero, at(number));
  }
  void copy_out(const std::byte* copies, std::int64_t n_lines, std::byte* out, Executor& executor) const {
    const std::int64_t line = axis_.n * number, shift = sides_.out_is_signed ? 0 : axis_.out_shift, lanes = kernels_->lanes;
    for_each_run(out, axis_.n, axis_.out, shift, executor, [&](std::byte* to, std::int64_t j, std::int64_t n) {
      const std::byte* const from = copies + j * number;
      const std::int64_t whole = are_beside(to, axis_.out, beside_.out, n_lines) ? n / lanes * lanes : 0;
      alignas(64) T rows[rows_bytes / sizeof(T)];
      kernels_->load_turned(from, line, whole, rows, T{1});
      kernels_->store_rows(rows, whole, 1, to, axis_.out, {T{1}, T{1}});
      copy_numbers(from + whole * number, number, line, to + whole * axis_.out, axis_.out, beside_.out, n - whole, n_lines);
    });
  }
  static void copy_numbers(const std::byte* from, std::int64_t from_stride, std::int64_t from_line, std::byte* to, std::int64_t to_stride,
                           std::int64_t to_line, std::int64_t n, std::int64_t n_lines) {
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t l = 0; l < n_lines; ++l)
        std::memcpy(to + j * to_stride + l * to_line, from + j * from_stride + l * from_line, at(number));
  }

  // body(first column, vectors, a, b, c) for groups of columns of lines of n numbers, `n_columns` in all.
  template <class F>
  void for_each_group(const Line<T>& line, std::int64_t n_columns, Executor& executor, const F& body) const {
    const std::int64_t lanes = kernels_->lanes, row = lanes * number;
    const std::int64_t w = std::clamp(std::min(long_group_bytes / (line.n() * row), n_columns / lanes), std::int64_t{1}, most_long_vectors);
    const std::int64_t n_groups = ceil_divide(n_columns, w * lanes), buffer = (line.n_rows() + 2) * w * 2 * lanes;
    const std::int64_t n_chunks = executor.n_workers() == 1 ? 1 : std::min<std::int64_t>(n_groups, std::int64_t{8} * executor.n_workers());
    const auto chunk_body = [&](std::int64_t chunk) {
      auto* a = static_cast<T*>(simd::Scratch::of_this_thread().get(at(3 * buffer * static_cast<std::int64_t>(sizeof(T)))));
      for (std::int64_t g = n_groups * chunk / n_chunks; g < n_groups * (chunk + 1) / n_chunks; ++g)
        body(g * w * lanes, std::min(w, n_columns / lanes - g * w), a, a + buffer, a + 2 * buffer);
    };
    executor.parallel_for(n_chunks, std::ref(chunk_body));
  }

  void run_line(const std::byte* in, std::byte* out, std::byte* between, Executor& executor) const {
    const std::int64_t n1 = first_.n(), n2 = second_.n();
    const auto columns_to_rows = [&](std::int64_t column, std::int64_t w, T* a, T* b, T* first) {
      const T* x = first_.run_from({in + column * number, n2 * number, im_in_}, a, b, w);
      T* steps = x == a ? b : a;
      make_twiddles(column, w * kernels_->lanes, first, steps);
      kernels_->twist(x, n1, w, between + column * n1 * number, n1 * number, first, steps);
    };
    for_each_group(first_, n2, executor, columns_to_rows);
    const auto columns = [&](std::int64_t column, std::int64_t w, T* a, T* b, T*) {
      second_.run_through({between + column * number, n1 * number, T{1}}, a, b, w, {out + column * number, n1 * number, factor_});
    };
    for_each_group(second_, n1, executor, columns);
  }

  // Computes, for columns c … c + n − 1, W^{ck} for k < lanes, and W^{ck} for the multiples k of lanes.
  void make_twiddles(std::int64_t column, std::int64_t n, T* first, T* steps) const {
    const std::int64_t lanes = kernels_->lanes, vector = 2 * lanes;
    for (std::int64_t c = 0; c < n; ++c) {
      std::int64_t e = 0;
      const bool is_odd = sides_.out_is_signed && (column + c) % 2 == 1;
      for (std::int64_t k = 0; k < lanes; ++k, e = (e + column + c) % powers_.n()) {
        T *const re = first + c * vector + k, *const im = re + lanes;
        powers_.put(e, re, im);
        if (is_odd == (sides_.in_is_signed && k % 2 == 1)) continue;
        *re = -*re;
        *im = -*im;
      }
      const std::int64_t step = e;  // lanes · c
      e = 0;
      for (std::int64_t k = 0; k < first_.n() / lanes; ++k) {
        powers_.put(e, steps + 2 * (k * n + c), steps + 2 * (k * n + c) + 1);
        e += step;
        if (e >= powers_.n()) e -= powers_.n();
      }
    }
  }

  Axis axis_;
  Sides sides_;
  Loop beside_;  // lines of which several are copied at once
  const simd::FftKernelsOf<T>* kernels_;
  Line<T> first_, second_;
  Powers powers_;
  T im_in_ = 1;
  simd::FftFactor<T> factor_;
};

template <class T>
std::unique_ptr<Pass> make_of(const Axis& axis) {
  const std::int64_t number = 2 * sizeof(T);
  if (axis.kind != FftKind::complex_to_complex || axis.n * number < shortest_bytes) return nullptr;
  const std::int64_t n1 = first_factor(axis.n, simd::FftKernels::best().of<T>().lanes);
  if (n1 == 0) return nullptr;
  const Sides sides = sides_of(axis, n1, sizeof(T));
  if (!sides.are_dense()) check_memory(axis.number, axis.n, multiply(axis.n, 2 * number), Machine::this_cpu().memory_bytes);
  auto pass = std::make_unique<LongPass<T>>(axis, n1, sides);
  if (!pass->is_possible()) return nullptr;
  return pass;
}

}  // namespace

std::unique_ptr<Pass> make_long_pass(const Axis& axis, FftReal real) {
  return real == FftReal::float32 ? make_of<float>(axis) : make_of<double>(axis);
}

}  // namespace crinkle::fft
