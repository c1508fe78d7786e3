// Cosine and sine transforms of many lines at once, which are the lanes: 8 and 16 numbers whole in registers, other even lengths by the
// formulas and with the bits of fft/cpu/cosine.cpp, without its walks through single numbers. Lines side by side and rows are read and
// written where they are, all others through a copy.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <vector>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "cpu/scratch.hpp"
#include "fft/at.hpp"
#include "fft/cpu/cosine_kernels.hpp"
#include "fft/cpu/line.hpp"
#include "fft/pass.hpp"
#include "fft/roots.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t most_lane_bytes = 256 << 10;  // of a vector of lines
constexpr std::int64_t wide_bytes = 256 << 10;       // of several vectors, side by side
constexpr std::int64_t most_wide = 4;
constexpr std::int64_t shortest_alone = 64;     // numbers of a line that has its own lanes where there are few others
constexpr std::int64_t piece_bytes = 64 << 10;  // of lines, at least, for a thread

// Two loops that walk as one become one.
void merge_loops(std::vector<Loop>& loops) {
  std::erase_if(loops, [](const Loop& loop) { return loop.extent == 1; });
  for (std::size_t i = loops.size(); i-- > 1;) {
    const Loop& inner = loops[i];
    if (loops[i - 1].in != inner.in * inner.extent || loops[i - 1].out != inner.out * inner.extent) continue;
    loops[i - 1] = {loops[i - 1].extent * inner.extent, inner.in, inner.out};
    loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

template <class T>
class CosineLanes final : public Pass {
 public:
  explicit CosineLanes(const Axis& axis) : axis_(axis), kernels_(&simd::CosineKernels::best().of<T>()) {
    merge_loops(axis_.loops);
    take_lines();
    w_ = std::clamp(std::min(wide_bytes / (2 * axis.n * kernels_->lanes * size), lines_.extent / kernels_->lanes), std::int64_t{1},
                    most_wide);
    const bool is_whole = axis.n <= static_cast<std::int64_t>(simd::CosineKernelsOf<T>::most_whole);
    if (is_whole) whole_ = kernels_->whole(axis.n, axis.kind, axis.direction);
    if (is_whole && whole_ != nullptr) w_ = 1;
    else whole_ = nullptr;
    if (are_rows(axis_.in, lines_.in) || are_rows(axis_.out, lines_.out)) w_ = 1;
    const std::int64_t lanes = w_ * kernels_->lanes;
    blocks_ = {lines_.extent / lanes, lanes * lines_.in, lanes * lines_.out};
    n_rest_ = lines_.extent % lanes;
    if (blocks_.extent == 1 && n_rest_ == 0 && !axis_.loops.empty()) {
      blocks_ = axis_.loops.back();
      axis_.loops.pop_back();
    }
    const double factor = axis.direction == FftDirection::inverse || whole_ != nullptr ? axis.factor : axis.factor * 0.5;
    const T root = std::sqrt(T{2});
    factors_ = {static_cast<T>(factor), axis.is_orthonormal ? root : axis.direction == FftDirection::inverse ? T{1} : T{2}};
    odd_ = axis.kind == FftKind::sine ? T{-1} : T{1};
    if (whole_ == nullptr) make_tables();
  }
  bool has_lanes() const { return whole_ != nullptr || lines_.extent >= kernels_->lanes || axis_.n < shortest_alone; }

  void run(const std::byte* in, std::byte* out, std::byte* /*workspace*/, const Worker& by) const override {
    std::int64_t n_outer = 1;
    for (const Loop& loop : axis_.loops) n_outer *= loop.extent;
    const std::int64_t n_blocks = n_outer * blocks_.extent, n_items = n_blocks + (n_rest_ > 0 ? n_outer : 0);
    if (n_items == 0) return;
    const std::int64_t block_bytes = axis_.n * w_ * kernels_->lanes * size;
    const std::int64_t by_size = ceil_divide(n_items, std::max<std::int64_t>(1, piece_bytes / block_bytes));
    const std::int64_t n_workers = by.executor->n_workers(), n_chunks = n_workers == 1 ? 1 : std::min(by_size, 8 * n_workers);
    const auto body = [&](std::int64_t chunk) {
      const std::int64_t begin = part_begin(n_items, n_chunks, chunk), end = part_begin(n_items, n_chunks, chunk + 1);
      auto* const memory = static_cast<T*>(simd::Scratch::of_this_thread().get(at((copied_ + 2 * buffer_ + real_) * size)));
      for (std::int64_t item = begin; item < end;) {
        const bool is_rest = item >= n_blocks;
        const LoopPlace place = place_in(axis_.loops.data(), axis_.loops.size(), is_rest ? item - n_blocks : item / blocks_.extent);
        const std::int64_t first = is_rest ? blocks_.extent : item % blocks_.extent;
        const std::int64_t n = is_rest ? 1 : std::min(std::min(end, n_blocks) - item, blocks_.extent - first);
        run_blocks(in + place.in + first * blocks_.in, out + place.out + first * blocks_.out, n, is_rest ? n_rest_ : w_ * kernels_->lanes,
                   memory);
        item += n;
      }
    };
    if (n_chunks == 1) return body(0);
    by.executor->parallel_for(n_chunks, std::ref(body));
  }

  std::int64_t held_bytes() const override { return allocated_bytes(sizeof *this) + held_by(axis_.loops, line_, fold_, turns_); }
  std::string describe() const override {
    return fmt::format(
        "axis {}: {} transform of type {}, {} lines at once{}", axis_.number, axis_.kind == FftKind::cosine ? "cosine" : "sine",
        is_inverse() ? "III" : "II", w_ * kernels_->lanes,
        whole_ != nullptr ? ", whole in registers" : fmt::format(", through {} complex = {}", axis_.n / 2, line_->describe()));
  }

 private:
  static constexpr std::int64_t size = sizeof(T);

  bool is_inverse() const { return axis_.direction == FftDirection::inverse; }
  static bool are_rows(std::int64_t number, std::int64_t line) { return number == size && line != size; }
  static bool is_aligned(const std::byte* at, std::int64_t number, std::int64_t line) {
    return (reinterpret_cast<std::uintptr_t>(at) | static_cast<std::uintptr_t>(number) | static_cast<std::uintptr_t>(line)) % sizeof(T) ==
           0;
  }

  // Lines that are rows on both sides: the longest loop; else lines side by side on a side; else those that lie nearest.
  void take_lines() {
    std::vector<Loop>& loops = axis_.loops;
    if (loops.empty()) return;
    const auto distance = [](std::int64_t stride) { return stride < 0 ? -stride : stride; };
    auto best = std::max_element(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.extent < b.extent; });
    if (axis_.in != size || axis_.out != size)
      best = std::min_element(loops.begin(), loops.end(), [&](const Loop& a, const Loop& b) {
        return distance(a.in) + distance(a.out) < distance(b.in) + distance(b.out);
      });
    lines_ = *best;
    loops.erase(best);
  }

  void make_tables() {
    const std::int64_t n = axis_.n, h = n / 2, lanes = w_ * kernels_->lanes;
    line_.emplace(h, Lanes::lines, fft_);
    for (std::int64_t k = 0; 2 * k <= h; ++k) {
      const Root<T> w = root<T>(k, n);
      fold_.insert(fold_.end(), {w.im, -w.re});
    }
    for (std::int64_t k = 0; k <= h; ++k) {
      const Root<T> w = root<T>(k, 4 * n);
      turns_.insert(turns_.end(), {w.re, -w.im});
    }
    buffer_ = multiply(multiply(add(std::max(line_->n_rows(), h + 1), 1), 2), lanes);
    real_ = multiply(n, lanes);
    copied_ = real_;
  }

  bool is_direct(const std::byte* at, std::int64_t number, std::int64_t line) const {
    return (number == size || line == size) && is_aligned(at, number, line);
  }

  void run_blocks(const std::byte* in, std::byte* out, std::int64_t n_blocks, std::int64_t n_lines, T* memory) const {
    const std::int64_t lanes = w_ * kernels_->lanes;
    const bool is_full = n_lines == lanes;
    const bool in_is_direct = is_full && axis_.n_in == axis_.n && is_direct(in, axis_.in, lines_.in) && is_aligned(in, 0, blocks_.in);
    const bool out_is_direct = is_full && is_direct(out, axis_.out, lines_.out) && is_aligned(out, 0, blocks_.out);
    const simd::RealLines beside{lanes * size, size};
    const simd::RealLines from{axis_.in, lines_.in}, to{axis_.out, lines_.out};
    if (in_is_direct && out_is_direct) return run_direct(in, from, out, to, n_blocks, memory);
    for (std::int64_t b = 0; b < n_blocks; ++b, in += blocks_.in, out += blocks_.out) {
      if (!in_is_direct) copy_in(in, n_lines, memory);
      run_direct(in_is_direct ? in : bytes_of(memory), in_is_direct ? from : beside, out_is_direct ? out : bytes_of(memory),
                 out_is_direct ? to : beside, 1, memory);
      if (!out_is_direct) copy_out(memory, n_lines, out);
    }
  }

  void copy_in(const std::byte* in, std::int64_t n_lines, T* copies) const {
    const std::int64_t lanes = w_ * kernels_->lanes;
    if (n_lines < lanes || axis_.n_in < axis_.n) std::fill(copies, copies + axis_.n * lanes, T{0});
    for (std::int64_t e = 0; e < axis_.n_in; ++e)
      for (std::int64_t l = 0; l < n_lines; ++l) std::memcpy(copies + e * lanes + l, in + e * axis_.in + l * lines_.in, sizeof(T));
  }
  void copy_out(const T* copies, std::int64_t n_lines, std::byte* out) const {
    const std::int64_t lanes = w_ * kernels_->lanes;
    for (std::int64_t e = 0; e < axis_.n; ++e)
      for (std::int64_t l = 0; l < n_lines; ++l) std::memcpy(out + e * axis_.out + l * lines_.out, copies + e * lanes + l, sizeof(T));
  }

  // X[k] of a cosine transform lies at `front` + k·stride; one of sines has it at the other end.
  template <class Byte>
  std::pair<Byte*, std::int64_t> order(Byte* at, std::int64_t stride) const {
    if (axis_.kind == FftKind::cosine) return {at, stride};
    return {at + (axis_.n - 1) * stride, -stride};
  }

  void run_direct(const std::byte* in, const simd::RealLines& from, std::byte* out, const simd::RealLines& to, std::int64_t n_blocks,
                  T* memory) const {
    if (whole_ != nullptr) return whole_(in, out, {from, to, n_blocks, blocks_.in, blocks_.out}, factors_);
    T *const a = memory + copied_, *const b = a + buffer_, *const real = b + buffer_;
    const std::int64_t n = axis_.n, h = n / 2, row = kernels_->lanes * size;
    for (std::int64_t block = 0; block < n_blocks; ++block, in += blocks_.in, out += blocks_.out) {
      if (is_inverse()) {
        if (from.line != size) kernels_->load_plain(in, from.line, n, real);
        const auto [x, stride] = from.line != size ? order(bytes_of(static_cast<const T*>(real)), row) : order(in, from.number);
        kernels_->turn_back(x, stride, n, w_, turns_.data(), factors_.of_first, a);
        fft_.fold_rows(a, h, w_, h, fold_.data());
        kernels_->store_ordered(line_->run_rows(a, b, w_), n, w_, out, to, factors_.factor, -factors_.factor, odd_);
      } else {
        kernels_->load_ordered(in, from, n, w_, a, odd_);
        T* const x = line_->run_rows(a, b, w_);
        fft_.fold_rows(x, h, w_, 0, fold_.data());
        const auto [y, stride] = to.line != size ? order(bytes_of(real), row) : order(out, to.number);
        kernels_->turn(x, n, w_, turns_.data(), factors_, y, stride);
        if (to.line != size) kernels_->store_plain(real, n, out, to.line);
      }
    }
  }

  Axis axis_;
  const simd::CosineKernelsOf<T>* kernels_;
  const simd::FftKernelsOf<T>& fft_ = simd::FftKernels::best().of<T>();
  typename simd::CosineKernelsOf<T>::Whole whole_ = nullptr;
  Loop lines_, blocks_;              // the lines of a block; blocks
  std::int64_t w_ = 1, n_rest_ = 0;  // vectors of lines; lines behind the last block
  std::int64_t copied_ = static_cast<std::int64_t>(simd::CosineKernelsOf<T>::most_whole * 32 / sizeof(T)), buffer_ = 0,
               real_ = 0;  // numbers
  simd::CosineFactors<T> factors_{};
  T odd_ = 1;
  std::optional<Line<T>> line_;
  std::vector<T> fold_, turns_;  // −i W_n^k, as fft_.fold_rows has it; cos θ, sin θ
};

template <class T>
std::unique_ptr<Pass> lanes_of(const Axis& axis) {
  const std::int64_t lanes = simd::CosineKernels::best().of<T>().lanes;
  if (axis.n % 2 != 0 || axis.n > most_lane_bytes / (lanes * static_cast<std::int64_t>(sizeof(T)))) return nullptr;
  auto pass = std::make_unique<CosineLanes<T>>(axis);
  if (!pass->has_lanes()) return nullptr;
  return pass;
}

}  // namespace

std::unique_ptr<Pass> make_cosine_lanes(const Axis& axis, FftReal real) {
  return real == FftReal::float32 ? lanes_of<float>(axis) : lanes_of<double>(axis);
}

}  // namespace crinkle::fft
