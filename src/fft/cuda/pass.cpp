// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/pass.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/checked.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"
#include "fft/at.hpp"
#include "fft/chirp.hpp"
#include "fft/cuda/known.hpp"
#include "fft/cuda/plane.hpp"
#include "fft/cuda/stages.hpp"
#include "fft/rader.hpp"
#include "fft/radices.hpp"
#include "fft/roots.hpp"
#include "fft/sizes.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t kept_shared_bytes = 2 << 10;  // of a block's, for the runtime

}  // namespace

template <class T>
CudaPass<T>::CudaPass(const Axis& axis, Device device, Addresses addresses) : axis_(axis), device_(device), addresses_(addresses) {
  const DeviceFacts facts = facts_of(device);
  shared_bytes_ = facts.shared_bytes_block - kept_shared_bytes;
  multiprocessors_ = facts.multiprocessors;
  has_clusters_ = facts.compute_major >= 9;
  std::erase_if(axis_.loops, [](const Loop& loop) { return loop.extent == 1; });
  for (const Loop& loop : axis_.loops) n_lines_ = multiply(n_lines_, loop.extent);
  n_ = is_half() ? axis_.n / 2 : axis_.n;
  is_rader_ = is_rader(n_);
  m_ = is_rader_ ? n_ - 1 : has_cuda_stages(n_) ? n_ : smooth_length(add(multiply(2, n_), -1), n_ < 32 ? 1 : 16);
  parts_ = {m_};
  if (n_lines_ == 0) return;
  // Columns so long that few go side by side waste most of every sector; twice through memory costs less (docs/tuning.md).
  const bool is_complex = axis_.kind == FftKind::complex_to_complex && axis_.n_in == axis_.n && m_ == n_;
  std::int64_t beside = n_lines_ == 1 ? 1 : most_fft_threads;
  while (beside > 1 && cuda_threads<T>(m_, beside) > most_fft_threads) beside /= 2;
  const CudaEnds<T> e = ends();
  const bool is_of_numbers = e.in_part == number / 2 && e.out_part == number / 2;  // not of float16
  const bool are_columns = std::any_of(axis_.loops.begin(), axis_.loops.end(), [&](const Loop& loop) {
    return std::abs(loop.in) < std::abs(axis_.in) || std::abs(loop.out) < std::abs(axis_.out);
  });
  const bool is_narrow = is_complex && are_columns && beside * number < narrowest_bytes && !(is_of_numbers && are_known_beside());
  const bool may_be_one = !fits(m_) ? is_one_step(m_) : is_narrow && n_ > 256;
  if (may_be_one && addresses == Addresses::of_numbers && add_known_one(is_narrow)) {
    unaligned_ = std::make_unique<CudaPass>(axis, device, Addresses::any);
  } else if (!fits(m_) || (is_narrow && n_ > 256)) {
    if (is_complex && is_shifted_in_chain()) {
      Side from{input, axis_.in, {}}, to{output, axis_.out, {}};
      for (const Loop& loop : axis_.loops) {
        from.loops.push_back(loop.in);
        to.loops.push_back(loop.out);
      }
      add_chain(from, to, first_rows, n_, e);
    } else {
      add_rows(addresses);
    }
  } else {
    add_one();
  }
  if (n_rows_ > 0) rows_bytes_ = aligned_bytes(multiply(multiply(n_lines_, m_), number));
  upload();
  if (unaligned_ != nullptr && steps_.front().shape.landing >= 0) needed_alignment_ = 16;
}

template <class T>
std::int64_t CudaPass<T>::workspace_bytes() const {
  return std::max(n_rows_ * rows_bytes_, unaligned_ == nullptr ? 0 : unaligned_->workspace_bytes());
}

template <class T>
bool CudaPass<T>::fits(std::int64_t n) const {
  return cuda_threads<T>(n, 1) <= most_fft_threads && (n + n / numbers_a_row<T> + numbers_a_row<T>)*number <= shared_bytes_;
}

// Whether the first and last steps of a chain shift the axis: halves of the axis are then halves of their lines.
template <class T>
bool CudaPass<T>::is_shifted_in_chain() const {
  if (axis_.in_shift == 0 && axis_.out_shift == 0) return true;
  const std::vector<std::int64_t> parts = parts_of_chain(n_);
  return parts.front() % 2 == 0 && parts.back() % 2 == 0;
}

// A prime without a butterfly, of which a block holds the convolution, and threads its butterflies.
template <class T>
bool CudaPass<T>::is_rader(std::int64_t n) const {
  if (has_cuda_stages(n) || !is_prime(n)) return false;
  return fits(n - 1) && are_in_registers(cuda_radices<T>(n - 1));
}

// Lines that a compiled kernel takes whole, whether it is there or not: the length's bits are those of its stages.
template <class T>
bool CudaPass<T>::is_compiled_length(std::int64_t n) const {
  constexpr std::int64_t longest = 131072 / number;
  const Radices radices = cuda_radices<T>(n);
  return n <= longest && std::all_of(radices.begin(), radices.end(), [](std::int64_t r) { return !has_sums(r); }) && !radices.empty();
}

template <class T>
const KnownShape* CudaPass<T>::has_known(std::int64_t n, Known known) const {
  const int place = known_place<T>(n, known != Known::rows, has_clusters_ && known == Known::columns_in);
  return place >= 0 && known_bytes<T>(known_shapes<T>[place]) <= shared_bytes_ ? &known_shapes<T>[place] : nullptr;
}

// As fft/cpu/pass.cpp has it: everything is a forward transform, the others are it between conjugations.
template <class T>
CudaEnds<T> CudaPass<T>::ends() const {
  CudaEnds<T> e;
  const bool is_inverse = axis_.direction == FftDirection::inverse, is_real_in = axis_.kind == FftKind::real_to_complex,
             is_real_out = axis_.kind == FftKind::complex_to_real;
  if (is_real_in) {
    e.in_kind = is_half() ? CudaIn::pairs : CudaIn::reals;
    e.out_kind = is_half() ? CudaOut::folded : CudaOut::halves;
  } else if (is_real_out) {
    e.in_kind = is_half() ? CudaIn::folded : CudaIn::mirrored;
    e.out_kind = is_half() ? CudaOut::pairs : CudaOut::reals;
  }
  e.n = n_;
  e.n_in = axis_.n_in;
  e.n_out = axis_.n_out();
  e.in = axis_.in;
  e.out = axis_.out;
  e.in_shift = axis_.in_shift;
  e.out_shift = axis_.out_shift;
  const double factor = axis_.factor * (is_half() && is_real_in ? 0.5 : 1.0);
  if (axis_.in_is_float16) e.in_part = 2;
  if (axis_.out_is_float16) e.out_part = 2;
  e.im_in = is_inverse && !is_real_in ? T{-1} : T{1};
  e.re = static_cast<T>(factor);
  e.im = static_cast<T>(is_real_out || is_inverse ? -factor : factor);
  return e;
}

template <class T>
void CudaPass<T>::add_fold_and_chirp(Step& step) {
  const auto add_roots = [&](const std::vector<Root<double>>& roots) {
    const std::int64_t begin = std::ssize(tables_);
    for (const Root<double>& w : roots) tables_.push_back({static_cast<T>(w.re), static_cast<T>(w.im)});
    return begin;
  };
  if (is_rader_ && order_ == none) {
    const Rader rader = rader_of(n_);
    kernel_ = add_roots(rader.kernel);
    order_ = std::ssize(tables_);
    std::vector<std::uint32_t> order(at(n_));
    for (std::int64_t q = 0; q < m_; ++q) {
      order[at(rader.powers[at(q)])] += static_cast<std::uint32_t>(q);
      order[at(rader.powers[at((m_ - q) % m_)])] += static_cast<std::uint32_t>(q) << 16;
    }
    const std::size_t bytes = order.size() * sizeof(order[0]);
    tables_.resize(tables_.size() + (bytes + at(number) - 1) / at(number));
    std::memcpy(static_cast<void*>(tables_.data() + order_), order.data(), bytes);
  } else if (m_ != n_ && kernel_ == none) {
    const Chirp chirp = chirp_of(n_, m_);
    chirp_ = add_roots(chirp.numbers);
    kernel_ = add_roots(chirp.kernel);
  }
  if (is_half() && fold_ == none) {
    fold_ = std::ssize(tables_);
    for (std::int64_t k = 0; k <= n_; ++k) {
      const Root<T> w = root<T>(k, axis_.n);
      tables_.push_back({w.im, -w.re});
    }
  }
  step.chirp = chirp_;
  step.fold = fold_;
}

template <class T>
void CudaPass<T>::add_one() {
  Step step;
  step.lines.ends = ends();
  add_fold_and_chirp(step);
  step.kernel = kernel_;
  step.order = order_;
  step.lines.n = m_;
  add_lines(std::move(step), axis_.loops, none);
}

// Lines that are too long for other kernels, or columns that go side by side in a compiled one alone.
template <class T>
bool CudaPass<T>::add_known_one(bool are_narrow) {
  add_one();
  const Step& step = steps_.back();
  if (step.is_known && (!are_narrow || step.known.n_lanes * number >= narrowest_bytes)) return true;
  steps_ = {};
  tables_ = {};
  fold_ = chirp_ = kernel_ = order_ = none;
  return false;
}

template <class T>
void CudaPass<T>::upload() {
  std::int64_t shared = 0;
  for (const Step& step : steps_)
    if (step.kind == Kind::lines) shared = std::max(shared, step.lines.shared_bytes());
  const gpu::OnDevice on(device_.index);
  if (shared > 0) gpu::entry<&allow_lines<T>>(shared, device_.index);
  for (const Step& step : steps_) {
    if (step.compiled) gpu::entry<&gpu::allow_shared_bytes>(step.compiled->get(), step.shape.shared_bytes, device_.index);
    else if (step.is_known) gpu::entry<&allow_known<T>>(step.known, device_.index);
  }
  const std::int64_t bytes = std::ssize(tables_) * number;
  if (bytes == 0) return;
  memory_ = DeviceMemory(device_, bytes);
  copy_bytes({tables_.data(), bytes}, memory_);
  const auto* begin = static_cast<const Number<T>*>(memory_.data());
  const auto address = [&](std::int64_t place) { return place == none ? nullptr : begin + place; };
  for (Step& step : steps_) {
    step.lines.tables = begin;
    step.lines.kernel = step.known.kernel = address(step.kernel);
    step.lines.order = step.known.order = reinterpret_cast<const std::uint32_t*>(address(step.order));
    step.lines.ends.fold = step.known.ends.fold = address(step.fold);
    // The first step of a convolution takes numbers times the chirp, the last one gives them.
    step.lines.ends.chirp_in = step.known.ends.chirp_in = address(step.lines.part_out > 0 ? none : step.chirp);
    step.lines.ends.chirp_out = step.known.ends.chirp_out = address(step.lines.part_in > 0 ? none : step.chirp);
    step.lines.twist_low = step.known.twist_low = address(step.low);
    step.lines.twist_high = step.known.twist_high = address(step.high);
    step.known.tables = address(step.known_tables);
  }
  tables_ = {};
  if (kernel_options().effort == KernelEffort::measured) measure();
}

template <class T>
std::string CudaPass<T>::describe() const {
  const char* kinds[] = {"complex", "real to complex", "complex to real"};
  std::vector<std::string> parts;
  std::int64_t n_lanes = 0, threads = 0, n_compiled = 0;
  std::vector<std::string> kernels;
  for (const std::int64_t part : parts_) {
    Radices radices;
    for (const Step& step : steps_) {
      if (step.kind != Kind::lines || step.lines.n != part) continue;
      const CudaLines<T>& lines = step.is_known ? step.known : step.lines;
      if (step.compiled) {
        ++n_compiled;
        if (std::find(kernels.begin(), kernels.end(), step.compiled->name()) == kernels.end()) kernels.push_back(step.compiled->name());
      }
      n_lanes = lines.n_lanes;
      threads = lines.threads;
      radices = step.radices;
    }
    parts.push_back(part == 1 ? "1" : fmt::format("{}", fmt::join(radices, "·")));
  }
  return fmt::format("axis {}: {} {}{} = {}({}), {} launches; the last has {} lines a block of {} threads{}{}", axis_.number,
                     kinds[static_cast<int>(axis_.kind)], axis_.n, is_half() ? fmt::format(" as {} complex", n_) : "",
                     m_ == n_ ? "" : fmt::format("{} by {} = ", is_rader_ ? "Rader" : "Bluestein", m_), fmt::join(parts, ")·("),
                     steps_.size(), n_lanes, threads,
                     n_compiled == 0 ? "" : fmt::format(", {} by kernels compiled for it, {}", n_compiled, fmt::join(kernels, ", ")),
                     shifts_of(axis_));
}

// What chain.cpp and plane.cpp call.
template CudaPass<float>::CudaPass(const Axis&, Device, Addresses);
template CudaPass<double>::CudaPass(const Axis&, Device, Addresses);
template CudaEnds<float> CudaPass<float>::ends() const;
template CudaEnds<double> CudaPass<double>::ends() const;
template bool CudaPass<float>::fits(std::int64_t) const;
template bool CudaPass<double>::fits(std::int64_t) const;
template const KnownShape* CudaPass<float>::has_known(std::int64_t, Known) const;
template bool CudaPass<float>::is_compiled_length(std::int64_t) const;
template bool CudaPass<double>::is_compiled_length(std::int64_t) const;
template const KnownShape* CudaPass<double>::has_known(std::int64_t, Known) const;
template void CudaPass<float>::add_fold_and_chirp(Step&);
template void CudaPass<double>::add_fold_and_chirp(Step&);

std::unique_ptr<Pass> make_cuda_pass(const Axis& axis, FftReal real, Device device) {
  if (std::unique_ptr<Pass> line = make_cuda_long_line(axis, real, device)) return line;
  if (real == FftReal::float32) return std::make_unique<CudaPass<float>>(axis, device);
  return std::make_unique<CudaPass<double>>(axis, device);
}

}  // namespace crinkle::fft
