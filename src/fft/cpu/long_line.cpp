// Lines that no cache holds, in two passes over memory, each shared among threads. With N = N₁·N₂, n = N₂·n₁ + n₂ and k = k₁ + N₁·k₂,
//     t[n₂][k₁] = W_N^{n₂k₁} Σ_{n₁} x[n₁][n₂] W_{N₁}^{n₁k₁},     X[k₂][k₁] = Σ_{n₂} t[n₂][k₁] W_{N₂}^{n₂k₂},
// both by columns side by side; the first pass turns its columns into rows as it writes them. t lies where X will, or in a workspace
// where X is to lie where x is.
// Source: D. H. Bailey, "FFTs in external or hierarchical memory", 1990, without its transpositions.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/checked.hpp"
#include "cpu/scratch.hpp"
#include "fft/at.hpp"
#include "fft/pass.hpp"
#include "fft/radices.hpp"
#include "fft/roots.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t shortest_bytes = std::int64_t{1} << 20;  // of a line
constexpr std::int64_t long_group_bytes = 256 << 10;            // of columns, in one of two buffers
constexpr std::int64_t most_long_vectors = 4;

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

 private:
  std::int64_t n_, step_ = 1;
  std::vector<Root<double>> low_, high_;
};

template <class T>
class LongPass final : public Pass {
 public:
  LongPass(const Axis& axis, std::int64_t n1)
      : axis_(axis),
        kernels_(&simd::FftKernels::best().of<T>()),
        first_(n1, Lanes::lines, *kernels_),
        second_(axis.n / n1, Lanes::lines, *kernels_),
        powers_(axis.n) {
    const bool is_inverse = axis.direction == FftDirection::inverse;
    im_in_ = is_inverse ? T{-1} : T{1};
    factor_ = {static_cast<T>(axis.factor), static_cast<T>(is_inverse ? -axis.factor : axis.factor)};
  }
  bool is_possible() const { return first_.can_run_through() && second_.can_run_through(); }
  std::int64_t workspace_bytes() const override { return axis_.n * number; }
  std::int64_t times_through_memory() const override { return 2; }

  void run(const std::byte* in, std::byte* out, std::byte* workspace, const Worker& by) const override {
    std::int64_t n_lines = 1;
    for (const Loop& loop : axis_.loops) n_lines *= loop.extent;
    for (std::int64_t line = 0; line < n_lines; ++line) {
      const std::byte* from = in;
      std::byte* to = out;
      std::int64_t rest = line;
      for (std::size_t i = axis_.loops.size(); i-- > 0;) {
        from += rest % axis_.loops[i].extent * axis_.loops[i].in;
        to += rest % axis_.loops[i].extent * axis_.loops[i].out;
        rest /= axis_.loops[i].extent;
      }
      run_line(from, to, from == to ? workspace : to, *by.executor);
    }
  }

  std::string describe() const override {
    return fmt::format("axis {}: complex {} = ({})·({}), each line twice through memory, shared among threads{}", axis_.number, axis_.n,
                       first_.describe(), second_.describe(), shifts_of(axis_));
  }

 private:
  static constexpr std::int64_t number = 2 * sizeof(T);

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

  // Of columns c … c + n − 1: W^{ck} for k < lanes, and W^{ck} for the multiples k of lanes. As N₁ and N₂ are even, a shift of x by N/2 is
  // a sign of (−1)^k, and one of X a sign of (−1)^c.
  void make_twiddles(std::int64_t column, std::int64_t n, T* first, T* steps) const {
    const std::int64_t lanes = kernels_->lanes, vector = 2 * lanes;
    for (std::int64_t c = 0; c < n; ++c) {
      std::int64_t e = 0;
      const bool is_odd = axis_.out_shift != 0 && (column + c) % 2 == 1;
      for (std::int64_t k = 0; k < lanes; ++k, e = (e + column + c) % powers_.n()) {
        T *const re = first + c * vector + k, *const im = re + lanes;
        powers_.put(e, re, im);
        if (is_odd == (axis_.in_shift != 0 && k % 2 == 1)) continue;
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
  const simd::FftKernelsOf<T>* kernels_;
  Line<T> first_, second_;
  Powers powers_;
  T im_in_ = 1;
  simd::FftFactor<T> factor_;
};

template <class T>
std::unique_ptr<Pass> make_of(const Axis& axis) {
  const std::int64_t number = 2 * sizeof(T);
  if (axis.kind != FftKind::complex_to_complex || axis.in != number || axis.out != number || axis.n_in != axis.n ||
      axis.n * number < shortest_bytes)
    return nullptr;
  for (const Loop& loop : axis.loops)
    if (loop.in % static_cast<std::int64_t>(sizeof(T)) != 0 || loop.out % static_cast<std::int64_t>(sizeof(T)) != 0) return nullptr;
  const std::int64_t n1 = first_factor(axis.n, simd::FftKernels::best().of<T>().lanes);
  if (n1 == 0 || ((axis.in_shift != 0 || axis.out_shift != 0) && (n1 % 2 != 0 || axis.n / n1 % 2 != 0))) return nullptr;
  auto pass = std::make_unique<LongPass<T>>(axis, n1);
  if (!pass->is_possible()) return nullptr;
  return pass;
}

}  // namespace

std::unique_ptr<Pass> make_long_pass(const Axis& axis, FftReal real) {
  return real == FftReal::float32 ? make_of<float>(axis) : make_of<double>(axis);
}

}  // namespace crinkle::fft
