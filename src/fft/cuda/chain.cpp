// Lines that no shared memory holds: the steps of a chain, and those that bring lines to rows of the workspace and back.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "base/checked.hpp"
#include "fft/cuda/pass.hpp"
#include "fft/cuda/stages.hpp"
#include "fft/roots.hpp"

namespace crinkle::fft {
namespace {

// Powers of two, docs/tuning.md: columns as parts, so many bytes side by side; up to where longer ones than 2048 pay.
constexpr std::int64_t columns_bytes = 64, longest_in_two = std::int64_t{1} << 25;
constexpr std::int64_t most_folded = std::int64_t{1} << 31;  // whose places have 32 bits

// What fetching a number costs where the nearest other one is this far.
std::int64_t distance(std::int64_t a, std::int64_t b) { return std::min({std::abs(a), std::abs(b), std::int64_t{128}}); }

}  // namespace

template <class T>
typename CudaPass<T>::Side CudaPass<T>::rows(Place place, std::int64_t row) {
  Side side{place, number, {}};
  std::int64_t stride = row * number;
  side.loops.resize(axis_.loops.size());
  for (std::size_t i = axis_.loops.size(); i-- > 0;) {
    side.loops[i] = stride;
    stride *= axis_.loops[i].extent;
  }
  n_rows_ = std::max<std::int64_t>(n_rows_, place - first_rows + 1);
  return side;
}

template <class T>
std::vector<Loop>::const_iterator CudaPass<T>::nearest(const std::vector<Loop>& loops, std::int64_t in, std::int64_t out) {
  const auto cost = [&](const Loop& loop) { return distance(in, loop.in) + distance(out, loop.out); };
  return std::min_element(loops.begin(), loops.end(),
                          [&](const Loop& a, const Loop& b) { return cost(a) != cost(b) ? cost(a) < cost(b) : a.extent > b.extent; });
}

// Whether so many columns lie beside each other that a kernel of the library takes them: half of its lanes (choose_known).
template <class T>
bool CudaPass<T>::are_known_beside() const {
  const auto lane = nearest(axis_.loops, axis_.in, axis_.out);
  if (lane == axis_.loops.end()) return false;
  const auto is_wide = [&](const KnownShape* shape) { return shape != nullptr && shape->n_lanes() <= 2 * lane->extent; };
  return (std::abs(lane->in) < std::abs(axis_.in) && is_wide(has_known(n_, Known::columns_in))) || is_wide(has_known(n_, Known::columns));
}

// An array of the workspace in the order of another one: columns stay columns.
template <class T>
typename CudaPass<T>::Side CudaPass<T>::ordered_as(const Side& other, Place place, std::int64_t n) {
  Side side = rows(place, n);
  std::vector<std::size_t> order(side.loops.size() + 1);  // the loops, and the line behind them
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto stride_of = [&](std::size_t i) { return std::abs(i < other.loops.size() ? other.loops[i] : other.stride); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return stride_of(a) < stride_of(b); });
  std::int64_t stride = number;
  for (const std::size_t i : order) {
    (i < side.loops.size() ? side.loops[i] : side.stride) = stride;
    stride *= i < side.loops.size() ? axis_.loops[i].extent : n;
  }
  return side;
}

// Lines that a kernel can take whole: the first stage, and the others.
template <class T>
std::vector<std::int64_t> CudaPass<T>::parts_of_chain(std::int64_t n) const {
  if (is_one_step(n)) {
    const std::int64_t first = cuda_radices<T>(n).front();
    return {first, n / first};
  }
  std::vector<std::int64_t> parts = cuda_parts(n, [&](std::int64_t part) {
    const KnownShape* const known = has_known(part, Known::columns_in);
    const bool are_wide = known != nullptr && known->n_lanes() * number >= columns_bytes && (part <= 2048 || n <= longest_in_two);
    return fits(part) && (are_wide || cuda_threads<T>(part, narrowest_bytes / number) <= most_fft_threads);
  });
  if (std::all_of(parts.begin(), parts.end(), [&](std::int64_t part) { return has_known(part, Known::columns_in) != nullptr; }))
    std::sort(parts.begin(), parts.end());  // docs/tuning.md
  return parts;
}

// W_n^e of all e < n, as products of two.
template <class T>
void CudaPass<T>::add_twist(Step& step, std::int64_t n) {
  step.lines.twist_bits = 1;
  while ((std::int64_t{1} << 2 * step.lines.twist_bits) < n) ++step.lines.twist_bits;
  const std::int64_t n_low = std::int64_t{1} << step.lines.twist_bits;
  const auto add_table = [&](std::int64_t count, std::int64_t by) {
    const std::int64_t begin = std::ssize(tables_);
    for (std::int64_t k = 0; k < count; ++k) {
      const Root<T> w = root<T>(multiply(k, by), n);
      tables_.push_back({w.re, w.im});
    }
    return begin;
  };
  step.low = add_table(n_low, 1);
  step.high = add_table(ceil_divide(n, n_low), n_low);
}

template <class T>
void CudaPass<T>::add_chain(const Side& from, const Side& to, Place through, std::int64_t n, const CudaEnds<T>& ends_of_all) {
  if (has_kernel(n) && from.place == to.place) parts_ = {n};  // rows of the workspace
  else parts_ = parts_of_chain(n);
  const std::size_t n_parts = parts_.size();
  const bool are_stages = is_one_step(n) && n_parts > 1;
  const Radices radices = cuda_radices<T>(n);
  // Where each step writes. Only the last may be in place, and the first must not write where lines are still to be read.
  std::vector<bool> is_through(n_parts);
  const auto choose = [&](bool is_before_last_through) {
    for (std::size_t j = n_parts - 1; j-- > 0;) is_through[j] = j + 2 == n_parts ? is_before_last_through : !is_through[j + 1];
  };
  choose(false);
  if ((axis_.may_be_in_place || from.place == to.place) && n_parts > 1 && !is_through[0]) choose(true);
  const bool folds_in = ends_of_all.in_kind == CudaIn::folded, folds_out = ends_of_all.out_kind == CudaOut::folded;
  // The output does not hold what is between two steps: that lies in two arrays of rows.
  const bool is_apart = folds_out || ends_of_all.out_part == 2;
  Side now = from;
  std::int64_t rest = n, done = 1;
  for (std::size_t j = 0; j < n_parts; ++j) {
    const bool is_first = j == 0, is_last = j + 1 == n_parts;
    const Place between = (j % 2 == 0) == (from.place != first_rows) ? first_rows : second_rows;
    const Side next = is_last || !(is_apart || is_through[j]) ? to
                      : folds_out                             ? rows(between, n)
                                                              : ordered_as(to, is_apart ? between : through, n);
    const std::int64_t part = parts_[j], q = rest / part;
    Step step;
    step.from = now.place;
    step.to = next.place;
    CudaEnds<T>& e = step.lines.ends;
    e.n = e.n_in = e.n_out = part;
    e.in = q * done * now.stride;
    e.out = done * next.stride;
    if (is_first) e.in_part = ends_of_all.in_part;
    if (is_last) e.out_part = ends_of_all.out_part;
    if (is_first && ends_of_all.in_shift != 0) e.in_shift = part / 2;
    if (is_last && ends_of_all.out_shift != 0) e.out_shift = part / 2;
    e.im_in = is_first ? ends_of_all.im_in : T{1};
    e.re = is_last ? ends_of_all.re : T{1};
    e.im = is_last ? ends_of_all.im : T{1};
    step.lines.n = part;
    step.lines.folds_in = is_first && folds_in;
    step.lines.folds_out = is_last && folds_out;
    if (step.lines.folds_in || step.lines.folds_out) add_fold_and_chirp(step);
    if (are_stages) step.radices = is_first ? Radices{radices.front()} : Radices(radices.begin() + 1, radices.end());
    std::vector<Loop> loops;
    for (std::size_t i = 0; i < axis_.loops.size(); ++i) loops.push_back({axis_.loops[i].extent, now.loops[i], next.loops[i]});
    loops.push_back({q, done * now.stride, part * done * next.stride});
    loops.push_back({done, now.stride, next.stride});
    if (!is_last && are_stages) {
      step.n_butterflies = q;
    } else if (!is_last) {
      add_twist(step, rest);
    }
    add_lines(std::move(step), loops, is_last ? none : std::ssize(loops) - 2);
    now = next;
    rest = q;
    done *= part;
  }
}

// Joined where kernels are compiled for all steps; else with `in`, to rows, and `out`, from there, which results that are folded always
// need.
template <class T>
void CudaPass<T>::add_convolution(const Step& in, const Step& out) {
  const std::size_t n_before = tables_.size();
  add_convolution(in, out, ConvolutionWay::joined);
  if (std::all_of(steps_.begin(), steps_.end(), [](const Step& step) { return step.is_known || step.kind == Kind::from_rows; })) return;
  steps_ = {};
  tables_.resize(n_before);
  add_convolution(in, out, ConvolutionWay::apart);
}

template <class T>
void CudaPass<T>::add_convolution(Step in, Step out, ConvolutionWay way) {
  const Side between[] = {rows(first_rows, m_), rows(second_rows, m_)};
  const std::vector<ConvolutionStep<T>> steps = convolution_steps<T>(ends(), parts_, way);
  const bool is_joined = way == ConvolutionWay::joined;
  in.to = second_rows;
  if (!is_joined) steps_.push_back(std::move(in));
  for (std::size_t j = 0; j < steps.size(); ++j) {
    const ConvolutionStep<T>& of = steps[j];
    const Side &before = between[(j + 1) % 2], &behind = between[j % 2];
    if (!is_joined && j == steps.size() / 2) {
      Step convolve;
      convolve.kind = Kind::convolve;
      convolve.from = convolve.to = before.place;
      convolve.row = m_;
      convolve.n_lines = n_lines_;
      convolve.kernel = kernel_;
      steps_.push_back(std::move(convolve));
    }
    Step step;
    step.lines = of.lines;
    step.from = of.reads_array ? input : before.place;
    step.to = of.writes_array ? output : behind.place;
    if (of.reads_array || of.writes_array) add_fold_and_chirp(step);
    if (of.is_convolved) step.kernel = kernel_;
    std::vector<Loop> loops;
    for (std::size_t i = 0; i < axis_.loops.size(); ++i) {
      const Loop& loop = axis_.loops[i];
      loops.push_back({loop.extent, of.reads_array ? loop.in : before.loops[i], of.writes_array ? loop.out : behind.loops[i]});
    }
    loops.push_back(of.along);
    loops.push_back(of.other);
    if (of.twisted > 0) add_twist(step, of.twisted);
    add_lines(std::move(step), loops, of.twisted > 0 || of.writes_array ? std::ssize(loops) - 2 : none);
  }
  if (steps.back().writes_array) return;
  out.from = steps_.back().to;
  steps_.push_back(std::move(out));
}

template <class T>
void CudaPass<T>::add_rows(Addresses addresses) {
  const Side a = rows(first_rows, m_);
  Step in;
  in.kind = Kind::to_rows;
  in.to = first_rows;
  in.lines.ends = ends();
  in.row = m_;
  in.n_lines = n_lines_;
  add_fold_and_chirp(in);
  add_loops(in, axis_.loops);
  Step out = in;
  out.kind = Kind::from_rows;
  out.from = first_rows;
  out.to = output;
  if (kernel_ != none && !is_one_step(m_)) {
    parts_ = parts_of_chain(m_);
    return add_convolution(in, out);
  }
  // Pairs of real numbers that follow each other are the numbers of rows, and need not be brought there.
  const CudaEnds<T>& e = in.lines.ends;
  const bool are_rows = addresses == Addresses::of_numbers && kernel_ == none && e.in_unit == number && e.out_unit == number;
  const bool are_in = are_rows && e.in_shift == 0 && e.in_kind == CudaIn::pairs && e.in == number / 2 && e.n_in == 2 * e.n;
  const bool are_out = are_rows && e.out_shift == 0 && e.out_kind == CudaOut::pairs && e.out == number / 2;
  const auto add_all = [&](bool folds_in, bool folds_out) {
    const bool is_in = are_in || folds_in, is_out = are_out || folds_out;
    Side from = a, to = a;
    if (is_in) from = {input, are_in ? number : e.in, {}};
    if (is_out) to = {output, are_out ? number : e.out, {}};
    for (const Loop& loop : axis_.loops) {
      if (is_in) from.loops.push_back(loop.in);
      if (is_out) to.loops.push_back(loop.out);
    }
    CudaEnds<T> of_chain;
    if (folds_in) {
      of_chain.in_kind = CudaIn::folded;
      of_chain.im_in = e.im_in;
    }
    if (folds_out) of_chain.out_kind = CudaOut::folded;
    if (is_out) {
      of_chain.re = e.re;
      of_chain.im = e.im;
    }
    if (!is_in) steps_.push_back(in);
    add_chain(from, to, is_in && is_out ? first_rows : second_rows, m_, of_chain);
    if (kernel_ != none) {
      Step convolve;
      convolve.kind = Kind::convolve;
      convolve.from = convolve.to = first_rows;
      convolve.row = m_;
      convolve.n_lines = n_lines_;
      convolve.kernel = kernel_;
      steps_.push_back(std::move(convolve));
      add_chain(a, a, second_rows, m_, CudaEnds<T>{});
    }
    if (!is_out) steps_.push_back(out);
  };
  // Real lines are folded where a chain reads or writes them, if there is a kernel for that.
  const bool may_fold = addresses == Addresses::of_numbers && kernel_ == none && !has_kernel(m_) && m_ <= most_folded;
  const std::size_t n_before = tables_.size();
  add_all(may_fold && e.in_kind == CudaIn::folded && e.in_unit == number && e.in_shift == 0 && e.n_in == e.n + 1,
          may_fold && e.out_kind == CudaOut::folded && e.out_unit == number && e.out_shift == 0);
  const auto has_none = [](const Step& step) { return (step.lines.folds_in || step.lines.folds_out) && !step.is_known; };
  if (std::any_of(steps_.begin(), steps_.end(), has_none)) {
    steps_ = {};
    tables_.resize(n_before);
    add_all(false, false);
  }
  if (steps_.front().kind == Kind::lines || steps_.back().kind == Kind::lines)
    unaligned_ = std::make_unique<CudaPass>(axis_, device_, Addresses::any);
}

template void CudaPass<float>::add_chain(const Side&, const Side&, Place, std::int64_t, const CudaEnds<float>&);
template void CudaPass<double>::add_chain(const Side&, const Side&, Place, std::int64_t, const CudaEnds<double>&);
template void CudaPass<float>::add_rows(Addresses);
template bool CudaPass<float>::are_known_beside() const;
template std::vector<Loop>::const_iterator CudaPass<float>::nearest(const std::vector<Loop>&, std::int64_t, std::int64_t);
template void CudaPass<double>::add_rows(Addresses);
template bool CudaPass<double>::are_known_beside() const;
template std::vector<Loop>::const_iterator CudaPass<double>::nearest(const std::vector<Loop>&, std::int64_t, std::int64_t);

}  // namespace crinkle::fft
