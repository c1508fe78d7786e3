// Cosine and sine transforms of types II and III, through real transforms of the same length (Makhoul, "A fast cosine transform in one and
// two dimensions", 1980). With θ = πk/2N, and the line put in another order, v = x[0], x[2], … x[3], x[1], V its transform:
//     II    X[k] = 2 (re V[k] cos θ + im V[k] sin θ),   X[N − k] = 2 (re V[k] sin θ − im V[k] cos θ)
//     III   V[k] = (X[k] − i X[N − k]) (cos θ + i sin θ),   X[N] = 0,   and back to x
// A sine transform is a cosine one of (−1)^n x[n], X in the opposite order. Lines go in groups that a cache holds.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "cpu/scratch.hpp"
#include "crinkle/error.hpp"
#include "fft/at.hpp"
#include "fft/cpu/cosine_kernels.hpp"
#include "fft/cpu/one_thread.hpp"
#include "fft/pass.hpp"
#include "fft/roots.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t cosine_bytes = 64 << 10;

simd::Scratch& own_scratch() {  // the passes of the real transforms have the other one
  thread_local simd::Scratch scratch;
  return scratch;
}

template <class T>
class CosinePass final : public Pass {
 public:
  explicit CosinePass(const Axis& axis) : axis_(axis), is_inverse_(axis.direction == FftDirection::inverse), n_half_(axis.n / 2 + 1) {
    std::erase_if(axis_.loops, [](const Loop& loop) { return loop.extent == 1; });
    const auto nearest = std::min_element(axis_.loops.begin(), axis_.loops.end(),
                                          [](const Loop& a, const Loop& b) { return std::abs(a.in) < std::abs(b.in); });
    if (nearest != axis_.loops.end()) {
      lines_ = *nearest;
      axis_.loops.erase(nearest);
    }
    const std::int64_t line_bytes = multiply(multiply(axis_.n, std::int64_t{2}), size);
    group_ = std::clamp(cosine_bytes / line_bytes, std::int64_t{1}, std::max(lines_.extent, std::int64_t{1}));
    n_groups_ = ceil_divide(lines_.extent, group_);
    inner_ = make_pass(real_axis_of(axis, group_, size), sizeof(T) == 4 ? FftReal::float32 : FftReal::float64);
    for (std::int64_t k = 0; k < n_half_; ++k) {
      const Root<T> turn = root<T>(k, 4 * axis.n);
      cosines_.push_back(turn.re);
      sines_.push_back(-turn.im);
    }
  }

  void run(const std::byte* in, std::byte* out, std::byte* /*workspace*/, const Worker& by) const override {
    std::int64_t n_items = n_groups_;
    for (const Loop& loop : axis_.loops) n_items *= loop.extent;
    if (n_items == 0 || lines_.extent == 0) return;
    const std::int64_t n_chunks = std::min<std::int64_t>(n_items, std::int64_t{8} * by.executor->n_workers());
    const auto body = [&](std::int64_t chunk) {
      const std::int64_t begin = part_begin(n_items, n_chunks, chunk), end = part_begin(n_items, n_chunks, chunk + 1);
      const std::int64_t n_real = group_ * axis_.n, n_all = 2 * n_real + 2 * group_ * n_half_;
      T* const real = static_cast<T*>(own_scratch().get(at(n_all * size)));
      std::fill(real, real + n_all, T{0});  // lines that the last group does not have
      for (std::int64_t item = begin; item < end; ++item) run_group(item, in, out, real, real + n_real, real + 2 * n_real);
    };
    if (n_chunks == 1) return body(0);
    by.executor->parallel_for(n_chunks, std::ref(body));
  }

  std::int64_t held_bytes() const override { return allocated_bytes(sizeof *this) + held_by(axis_.loops, inner_, cosines_, sines_); }
  std::string describe() const override {
    return fmt::format("axis {}: {} transform of type {}, {} lines at once, of which {}", axis_.number,
                       axis_.kind == FftKind::cosine ? "cosine" : "sine", is_inverse_ ? "III" : "II", group_, inner_->describe());
  }

 private:
  static constexpr std::int64_t size = sizeof(T);

  // Lines that are not dense go through `copies`.
  void run_group(std::int64_t item, const std::byte* in, std::byte* out, T* real, T* copies, T* complex) const {
    const std::int64_t first = item % n_groups_ * group_, n_lines = std::min(group_, lines_.extent - first), n = axis_.n;
    const LoopPlace place = place_in(axis_.loops.data(), axis_.loops.size(), item / n_groups_);
    in += first * lines_.in + place.in;
    out += first * lines_.out + place.out;
    const bool in_is_dense = axis_.in == size && axis_.n_in == n && is_aligned(in, lines_.in);
    const bool out_is_dense = axis_.out == size && is_aligned(out, lines_.out);
    if (!in_is_dense) copy_in(in, n_lines, copies);
    const auto line_in = [&](std::int64_t l) { return in_is_dense ? reinterpret_cast<const T*>(in + l * lines_.in) : copies + l * n; };
    const auto line_out = [&](std::int64_t l) { return out_is_dense ? reinterpret_cast<T*>(out + l * lines_.out) : copies + l * n; };
    const auto spectrum = [&](std::int64_t l) { return complex + 2 * l * n_half_; };
    const T odd = axis_.kind == FftKind::sine ? T{-1} : T{1}, of_first = axis_.is_orthonormal ? std::sqrt(T{2}) : is_inverse_ ? T{1} : T{2};
    OneThread one;
    const Worker worker{.executor = &one};
    if (is_inverse_) {
      for (std::int64_t l = 0; l < n_lines; ++l)
        kernels_->turn_line_back(line_in(l), n, cosines_.data(), sines_.data(), of_first, axis_.kind, spectrum(l));
      inner_->run(bytes_of(complex), bytes_of(real), nullptr, worker);
      for (std::int64_t l = 0; l < n_lines; ++l) kernels_->order_line_back(real + l * n, n, line_out(l), odd);
    } else {
      for (std::int64_t l = 0; l < n_lines; ++l) kernels_->order_line(line_in(l), n, real + l * n, odd);
      inner_->run(bytes_of(real), bytes_of(complex), nullptr, worker);
      for (std::int64_t l = 0; l < n_lines; ++l)
        kernels_->turn_line(spectrum(l), n, cosines_.data(), sines_.data(), of_first, axis_.kind, line_out(l));
    }
    if (!out_is_dense) copy_out(copies, n_lines, out);
  }

  static bool is_aligned(const std::byte* at, std::int64_t line) {
    return (reinterpret_cast<std::uintptr_t>(at) | static_cast<std::uintptr_t>(line)) % sizeof(T) == 0;
  }
  void copy_in(const std::byte* in, std::int64_t n_lines, T* copies) const {
    if (axis_.n_in < axis_.n) std::fill(copies, copies + n_lines * axis_.n, T{0});
    for (std::int64_t k = 0; k < axis_.n_in; ++k)
      for (std::int64_t l = 0; l < n_lines; ++l) std::memcpy(copies + l * axis_.n + k, in + k * axis_.in + l * lines_.in, sizeof(T));
  }
  void copy_out(const T* copies, std::int64_t n_lines, std::byte* out) const {
    for (std::int64_t k = 0; k < axis_.n; ++k)
      for (std::int64_t l = 0; l < n_lines; ++l) std::memcpy(out + k * axis_.out + l * lines_.out, copies + l * axis_.n + k, sizeof(T));
  }

  Axis axis_;
  bool is_inverse_;
  std::int64_t n_half_, group_ = 1, n_groups_ = 1;
  Loop lines_;  // those of a group
  std::unique_ptr<Pass> inner_;
  std::vector<T> cosines_, sines_;  // of θ
  const simd::CosineKernelsOf<T>* kernels_ = &simd::CosineKernels::best().of<T>();
};

}  // namespace

Axis real_axis_of(const Axis& axis, std::int64_t n_lines, std::int64_t size) {
  const bool is_inverse = axis.direction == FftDirection::inverse;
  const std::int64_t n_half = axis.n / 2 + 1, real = multiply(axis.n, size), complex = multiply(n_half, 2 * size);
  Axis inner;
  inner.kind = is_inverse ? FftKind::complex_to_real : FftKind::real_to_complex;
  inner.direction = axis.direction;
  inner.n = axis.n;
  inner.n_in = is_inverse ? n_half : axis.n;
  inner.in = is_inverse ? 2 * size : size;
  inner.out = is_inverse ? size : 2 * size;
  inner.factor = axis.factor;
  inner.number = axis.number;
  inner.loops = {{n_lines, is_inverse ? complex : real, is_inverse ? real : complex}};
  return inner;
}

std::unique_ptr<Pass> make_cosine_pass(const Axis& axis, FftReal real) {
  if (auto pass = make_cosine_lanes(axis, real)) return pass;
  if (real == FftReal::float32) return std::make_unique<CosinePass<float>>(axis);
  return std::make_unique<CosinePass<double>>(axis);
}

}  // namespace crinkle::fft
