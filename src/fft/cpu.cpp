// How a CPU goes through the lines of an axis:
//     columns   vectors of lines that lie side by side, several vectors at once so that whole lines of the cache are used
//     line      one line at a time, its numbers in the lanes: long lines, and those without others beside them
//     gathered  as many lines as there are lanes, from wherever they are
// Real lines of even N are complex lines of N/2 (fold_rows); those of odd N are complex ones.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "base/checked.hpp"
#include "cpu/scratch.hpp"
#include "fft/copies.hpp"
#include "fft/pass.hpp"
#include "fft/roots.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t group_bytes = 128 << 10;  // of a group of columns in one of the two buffers
constexpr std::int64_t most_vectors = 4;         // in a row
constexpr std::int64_t shortest_line = 64;       // whose numbers go into lanes where there are other lines
constexpr std::int64_t chunk_bytes = 64 << 10;   // of lines, at least, for a thread
constexpr std::size_t most_loops = 64;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

template <class T>
class CpuPass final : public Pass {
 public:
  explicit CpuPass(const Axis& axis);
  void run(const std::byte* in, std::byte* out, std::byte* workspace, Executor& executor) const override;
  std::string describe() const override;

 private:
  static constexpr std::int64_t number = 2 * sizeof(T);
  enum class Way : std::uint8_t { columns, line, gathered };

  bool is_half() const { return axis_.kind != FftKind::complex_to_complex && axis_.n % 2 == 0; }
  void choose_lanes();
  bool is_aligned(const std::byte* p, std::int64_t stride, std::int64_t line_stride) const;
  void load(const std::byte* in, std::int64_t n_lines, const RowPlace& place, T* rows) const;
  void fill(std::int64_t begin, std::int64_t end, const RowPlace& place, T* rows) const;
  void load_half_complex(const std::byte* in, std::int64_t n_lines, const RowPlace& place, T* rows) const;
  void make_real(T* rows, std::int64_t n_lines, const RowPlace& place) const;
  void store(const T* rows, std::int64_t n_lines, const RowPlace& place, std::byte* out) const;
  void run_group(const std::byte* in, std::byte* out, std::int64_t n_lines, T* a, T* b) const;
  void run_line(const std::byte* in, std::byte* out, T* a, T* b) const;
  void fold(T* rows, std::int64_t n_lines, const RowPlace& place) const;

  Axis axis_;
  const simd::FftKernelsOf<T>* kernels_;
  Way way_ = Way::line;
  Loop lanes_{1, 0, 0};                             // the lines of a group
  std::int64_t w_ = 1, n_groups_ = 1, buffer_ = 0;  // vectors in a row; groups of lanes_; elements of a buffer
  std::optional<Line<T>> line_;
  std::vector<T> fold_;  // −i W_N^k
  T im_in_ = 1;
  simd::FftFactor<T> factor_;
};

template <class T>
CpuPass<T>::CpuPass(const Axis& axis) : axis_(axis), kernels_(&simd::fft_kernels().of<T>()) {
  const bool is_inverse = axis.direction == FftDirection::inverse;
  const double factor = axis.factor * (is_half() && axis.kind == FftKind::real_to_complex ? 0.5 : 1.0);
  // Everything is a forward transform; the others are it between conjugations. What gives real numbers is the forward one of conj x.
  if (axis.kind != FftKind::real_to_complex) im_in_ = is_inverse ? T{-1} : T{1};
  const bool is_conjugated = axis.kind == FftKind::complex_to_real || is_inverse;
  factor_ = {static_cast<T>(factor), static_cast<T>(is_conjugated ? -factor : factor)};
  choose_lanes();
  const std::int64_t n = is_half() ? axis_.n / 2 : axis_.n;
  line_.emplace(n, way_ == Way::line ? Lanes::numbers : Lanes::lines, *kernels_);
  if (way_ == Way::columns) {
    const std::int64_t bytes = multiply(add(line_->n_rows(), 1), kernels_->lanes * number);
    w_ = std::clamp(std::min(group_bytes / bytes, ceil_divide(lanes_.extent, kernels_->lanes)), std::int64_t{1}, most_vectors);
  }
  if (way_ == Way::line) w_ = line_->n_vectors();
  buffer_ = multiply(multiply(add(line_->n_rows(), 2), w_), 2 * kernels_->lanes);
  n_groups_ = ceil_divide(lanes_.extent, w_ * kernels_->lanes);
  if (!is_half()) return;
  for (std::int64_t k = 0; 2 * k <= n; ++k) {
    const Root<T> w = root<T>(k, axis_.n);
    fold_.push_back(w.im);
    fold_.push_back(-w.re);
  }
}

// Takes the loop of the lines in a group out of the others.
template <class T>
void CpuPass<T>::choose_lanes() {
  std::vector<Loop>& loops = axis_.loops;
  std::erase_if(loops, [](const Loop& loop) { return loop.extent == 1; });
  const std::int64_t in_element = axis_.kind == FftKind::real_to_complex ? number / 2 : number;
  const std::int64_t out_element = axis_.kind == FftKind::complex_to_real ? number / 2 : number;
  const auto take = [&](std::vector<Loop>::iterator loop, Way way) {
    lanes_ = *loop;
    loops.erase(loop);
    way_ = way;
  };
  if (axis_.in != in_element || axis_.out != out_element) {
    const auto side = std::find_if(loops.begin(), loops.end(), [&](const Loop& l) { return l.in == in_element && l.out == out_element; });
    if (side != loops.end() && side->extent > 1) return take(side, Way::columns);
  }
  const auto most = std::max_element(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.extent < b.extent; });
  const std::int64_t n = is_half() ? axis_.n / 2 : axis_.n;
  const bool fits_lanes = n % kernels_->lanes == 0, has_others = most != loops.end();
  if (has_others && (n < shortest_line || !fits_lanes)) return take(most, Way::gathered);
  way_ = Way::line;
}

template <class T>
bool CpuPass<T>::is_aligned(const std::byte* p, std::int64_t stride, std::int64_t line_stride) const {
  const auto bits = reinterpret_cast<std::uintptr_t>(p) | static_cast<std::uintptr_t>(stride) | static_cast<std::uintptr_t>(line_stride);
  return bits % sizeof(T) == 0;
}

// Zeros for the numbers of a line from `begin` on.
template <class T>
void CpuPass<T>::fill(std::int64_t begin, std::int64_t end, const RowPlace& place, T* rows) const {
  if (place.is_one_line()) {
    end = ceil_divide(end, place.n_numbers) * place.n_numbers;
    for (std::int64_t j = begin; j < end; ++j) rows[place(j, 0)] = rows[place(j, 0) + place.lanes] = T{0};
  } else if (begin < end) {
    std::fill(rows + place(begin, 0), rows + place(end, 0), T{0});
  }
}

template <class T>
void CpuPass<T>::load(const std::byte* in, std::int64_t n_lines, const RowPlace& place, T* rows) const {
  const std::int64_t vector = place.lanes * number;
  const Lines lines{axis_.n_in, n_lines, axis_.in, lanes_.in};
  if (!place.is_one_line() && n_lines % place.lanes != 0) std::fill(rows, rows + line_->n_rows() * place.w * 2 * place.lanes, T{0});
  if (axis_.kind == FftKind::complex_to_real) return load_half_complex(in, n_lines, place, rows);
  const bool is_pairs = axis_.kind == FftKind::real_to_complex && is_half();
  std::int64_t done = 0;  // numbers of the line, or all of them
  if (axis_.kind == FftKind::complex_to_complex || is_pairs) {
    const std::int64_t n = is_pairs ? axis_.n_in / 2 : axis_.n_in;
    if (place.n_numbers == place.lanes && axis_.in == (is_pairs ? number / 2 : number) && is_aligned(in, axis_.in, 0)) {
      kernels_->load_rows(in, vector, n / place.lanes, 1, rows, {T{1}, is_pairs ? T{1} : im_in_});
      done = n / place.lanes * place.lanes;
    } else if (!is_pairs && way_ == Way::columns && n_lines % place.lanes == 0 && is_aligned(in, axis_.in, lanes_.in)) {
      kernels_->load_rows(in, axis_.in, n, place.w, rows, {T{1}, im_in_});
      done = n;
    }
  }
  const std::int64_t step = is_pairs ? 2 : 1;
  const Lines rest{axis_.n_in - step * done, n_lines, axis_.in, lanes_.in};
  const std::byte* from = in + step * done * axis_.in;
  T* to = rows + (place.is_one_line() ? place(done, 0) : done * place.w * 2 * place.lanes);
  if (rest.n > 0) {
    if (is_pairs) read_pairs(from, rest, place, to);
    else if (axis_.kind == FftKind::real_to_complex) read_reals(from, rest, place, to);
    else read_complex(from, rest, place, im_in_, to);
  }
  fill(ceil_divide(lines.n, step), line_->n(), place, rows);
}

// Numbers 0 … N/2, of which the first, and the last of an even N, are real; for an odd N also their mirror images.
template <class T>
void CpuPass<T>::load_half_complex(const std::byte* in, std::int64_t n_lines, const RowPlace& place, T* rows) const {
  const std::int64_t n = axis_.n, h = n / 2;
  read_complex(in, Lines{axis_.n_in, n_lines, axis_.in, lanes_.in}, place, im_in_, rows);
  fill(axis_.n_in, h + 1, place, rows);
  for (std::int64_t l = 0; l < n_lines; ++l) {
    rows[place(0, l) + place.lanes] = T{0};
    if (n % 2 == 0) rows[place(h, l) + place.lanes] = T{0};
  }
  if (n % 2 == 0) return;
  for (std::int64_t k = 1; k <= h; ++k) {
    for (std::int64_t l = 0; l < n_lines; ++l) {
      rows[place(n - k, l)] = rows[place(k, l)];
      rows[place(n - k, l) + place.lanes] = -rows[place(k, l) + place.lanes];
    }
  }
  if (place.is_one_line()) fill(n, n, place, rows);
}

// One line's two halves, as fold_rows does several lines'.
template <class T>
void CpuPass<T>::fold(T* rows, std::int64_t n_lines, const RowPlace& place) const {
  const std::int64_t h = axis_.n / 2, first = axis_.kind == FftKind::real_to_complex ? 0 : h;
  if (!place.is_one_line()) return kernels_->fold_rows(rows, h, ceil_divide(n_lines, place.lanes), first, fold_.data());
  for (std::int64_t k = 0; 2 * k <= h; ++k) {
    T* a = rows + place(k, 0);
    T* b = rows + place(h - k, 0);
    const T* c = k == 0 && first == 0 ? a : b;
    const T s_re = a[0] + c[0], s_im = a[place.lanes] - c[place.lanes], d_re = a[0] - c[0], d_im = a[place.lanes] + c[place.lanes];
    const T u_re = fold_[at(2 * k)], u_im = fold_[at(2 * k + 1)];
    const T p_re = u_re * d_re - u_im * d_im, p_im = u_re * d_im + u_im * d_re;
    b[0] = s_re - p_re;
    b[place.lanes] = p_im - s_im;
    a[0] = s_re + p_re;
    a[place.lanes] = s_im + p_im;
  }
}

// A sum of real numbers has no imaginary part, whatever was rounded on the way.
template <class T>
void CpuPass<T>::make_real(T* rows, std::int64_t n_lines, const RowPlace& place) const {
  if (axis_.kind != FftKind::real_to_complex || is_half()) return;
  for (std::int64_t l = 0; l < n_lines; ++l) rows[place(0, l) + place.lanes] = T{0};
}

template <class T>
void CpuPass<T>::store(const T* rows, std::int64_t n_lines, const RowPlace& place, std::byte* out) const {
  const Lines lines{axis_.n_out(), n_lines, axis_.out, lanes_.out};
  if (axis_.kind == FftKind::complex_to_real) {
    if (is_half()) return write_pairs(rows, lines, place, factor_.re, factor_.im, out);
    return write_reals(rows, lines, place, factor_.re, out);
  }
  const bool has_whole_vectors = way_ == Way::columns && n_lines % place.lanes == 0 && lanes_.out == number;
  if (has_whole_vectors && is_aligned(out, axis_.out, lanes_.out)) kernels_->store_rows(rows, lines.n, place.w, out, axis_.out, factor_);
  else write_complex(rows, lines, place, factor_.re, factor_.im, out);
}

template <class T>
void CpuPass<T>::run_group(const std::byte* in, std::byte* out, std::int64_t n_lines, T* a, T* b) const {
  const RowPlace place{kernels_->lanes, ceil_divide(n_lines, kernels_->lanes)};
  if (way_ == Way::columns && axis_.kind == FftKind::complex_to_complex && axis_.n_in == axis_.n && n_lines % kernels_->lanes == 0 &&
      line_->can_run_through() && is_aligned(in, axis_.in, lanes_.in) && is_aligned(out, axis_.out, lanes_.out))
    return line_->run_through({in, axis_.in, im_in_}, a, b, place.w, {out, axis_.out, factor_});
  load(in, n_lines, place, a);
  if (is_half() && axis_.kind == FftKind::complex_to_real) fold(a, n_lines, place);
  T* x = line_->run_rows(a, b, place.w);
  make_real(x, n_lines, place);
  if (is_half() && axis_.kind == FftKind::real_to_complex) fold(x, n_lines, place);
  store(x, n_lines, place, out);
}

// The result of a line comes as interleaved numbers: straight to where it belongs, or into scratch memory, which is rows of one lane.
template <class T>
void CpuPass<T>::run_line(const std::byte* in, std::byte* out, T* a, T* b) const {
  const RowPlace place{kernels_->lanes, line_->n_vectors(), line_->n_numbers()};
  const bool is_complex = axis_.kind == FftKind::complex_to_complex;
  const bool is_direct = is_complex && axis_.out == number && is_aligned(out, axis_.out, 0);
  if (is_direct && axis_.in == number && axis_.n_in == axis_.n && line_->can_begin() && is_aligned(in, axis_.in, 0))
    return line_->run_numbers(in, im_in_, a, b, out, factor_);
  load(in, 1, place, a);
  if (is_half() && axis_.kind == FftKind::complex_to_real) fold(a, 1, place);
  if (is_direct) return line_->run_numbers(a, b, out, factor_);
  T* x = b + buffer_;
  line_->run_numbers(a, b, reinterpret_cast<std::byte*>(x), {T{1}, T{1}});
  const RowPlace interleaved{1, 1, 1};
  make_real(x, 1, interleaved);
  if (is_half() && axis_.kind == FftKind::real_to_complex) fold(x, 1, interleaved);
  store(x, 1, interleaved, out);
}

template <class T>
void CpuPass<T>::run(const std::byte* in, std::byte* out, std::byte* /*workspace*/, Executor& executor) const {
  std::int64_t n_items = n_groups_;
  for (const Loop& loop : axis_.loops) n_items *= loop.extent;
  if (n_items == 0) return;
  const std::int64_t group = w_ * kernels_->lanes, item_bytes = buffer_ * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t by_size = ceil_divide(n_items, std::max<std::int64_t>(1, chunk_bytes / item_bytes));
  const std::int64_t n_chunks = executor.n_workers() == 1 ? 1 : std::min<std::int64_t>(by_size, std::int64_t{8} * executor.n_workers());
  const auto body = [&](std::int64_t chunk) {
    const std::int64_t begin = n_items / n_chunks * chunk + std::min(chunk, n_items % n_chunks);
    const std::int64_t end = begin + n_items / n_chunks + (chunk < n_items % n_chunks ? 1 : 0);
    T* a = static_cast<T*>(simd::Scratch::of_this_thread().get(at(3 * item_bytes)));
    std::array<std::int64_t, most_loops> place{};
    const std::byte* from = in;
    std::byte* to = out;
    std::int64_t rest = begin / n_groups_;
    for (std::size_t i = axis_.loops.size(); i-- > 0;) {
      const Loop& loop = axis_.loops[i];
      place[i] = rest % loop.extent;
      rest /= loop.extent;
      from += place[i] * loop.in;
      to += place[i] * loop.out;
    }
    std::int64_t g = begin % n_groups_;
    for (std::int64_t item = begin; item < end; ++item) {
      if (way_ == Way::line) run_line(from, to, a, a + buffer_);
      else run_group(from + g * group * lanes_.in, to + g * group * lanes_.out, std::min(group, lanes_.extent - g * group), a, a + buffer_);
      if (++g < n_groups_) continue;
      g = 0;
      for (std::size_t i = axis_.loops.size(); i-- > 0;) {
        const Loop& loop = axis_.loops[i];
        from += loop.in;
        to += loop.out;
        if (++place[i] < loop.extent) break;
        from -= loop.extent * loop.in;
        to -= loop.extent * loop.out;
        place[i] = 0;
      }
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
  const std::string group = way_ == Way::line ? "" : fmt::format(", {} at once", w_ * kernels_->lanes);
  return fmt::format("axis {}: {} {}{} = {}, {}{}", axis_.number, kinds[static_cast<int>(axis_.kind)], axis_.n, half, line_->describe(),
                     ways[static_cast<int>(way_)], group);
}

}  // namespace

std::unique_ptr<Pass> make_pass(const Axis& axis, FftReal real) {
  if (auto pass = make_long_pass(axis, real)) return pass;
  if (real == FftReal::float32) return std::make_unique<CpuPass<float>>(axis);
  return std::make_unique<CpuPass<double>>(axis);
}

}  // namespace crinkle::fft
