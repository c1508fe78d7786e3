// Convolution through transforms: F⁻¹(F a · F b), both padded with zeros to sizes that hold all of it, so that nothing wraps around.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "crinkle/fft.hpp"
#include "fft/at.hpp"
#include "fft/radices.hpp"
#include "fft/sizes.hpp"

namespace crinkle {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_shape, text); }

// x[i] *= y[i].
template <class T>
void multiply_numbers(std::byte* x, const std::byte* y, std::int64_t n, Executor& executor) {
  constexpr std::int64_t chunk = 1 << 14;
  const auto body = [&](std::int64_t c) {
    T* a = reinterpret_cast<T*>(x) + 2 * c * chunk;
    const T* b = reinterpret_cast<const T*>(y) + 2 * c * chunk;
    for (std::int64_t i = 0; i < std::min(chunk, n - c * chunk); ++i) {
      const T re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
      a[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
      a[2 * i] = re;
    }
  };
  executor.parallel_for(ceil_divide(n, chunk), std::ref(body));
}

// out[i] = whole[start + i], elements of `bytes` bytes.
void copy_window(const Layout& whole, const std::byte* from, const Extents& start, const Layout& out, std::byte* to) {
  Extents index(out.extents.size());
  const std::int64_t n = out.n_elements();
  for (std::size_t a = 0; a < start.size(); ++a) from += start[a] * whole.strides[a];
  to += out.offset;
  for (std::int64_t i = 0; i < n; ++i) {
    std::copy_n(from, out.element_bytes, to);
    for (std::size_t a = index.size(); a-- > 0;) {
      from += whole.strides[a];
      to += out.strides[a];
      if (++index[a] < out.extents[a]) break;
      from -= whole.strides[a] * index[a];
      to -= out.strides[a] * index[a];
      index[a] = 0;
    }
  }
}

void check_apart(const ConstArray& in, const fft::Span& out, Buffer dst) {
  const fft::Span span = fft::span_of(in.layout);
  fft::check_buffers(span, out, false, in.data, dst);
}

}  // namespace

Extents convolve_extents(const Extents& a, const Extents& b, ConvolveMode mode) {
  if (a.size() != b.size() || a.empty())
    refuse(fmt::format("arrays of {} and {} axes cannot be convolved; give both the same, one or more", a.size(), b.size()));
  Extents result;
  bool a_holds_b = true, b_holds_a = true;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] < 1 || b[i] < 1) refuse(fmt::format("axis {} has {} and {} elements; a convolution needs one at least", i, a[i], b[i]));
    a_holds_b = a_holds_b && a[i] >= b[i];
    b_holds_a = b_holds_a && b[i] >= a[i];
    result.push_back(mode == ConvolveMode::full   ? add(a[i], b[i]) - 1
                     : mode == ConvolveMode::same ? a[i]
                                                  : std::max(a[i], b[i]) - std::min(a[i], b[i]) + 1);
  }
  if (mode == ConvolveMode::valid && !a_holds_b && !b_holds_a)
    refuse(fmt::format("valid convolution of [{}] and [{}]: one must be at least as long as the other along every axis", fmt::join(a, ", "),
                       fmt::join(b, ", ")));
  return result;
}

void fft_convolve(const ConstArray& a, const ConstArray& b, const Layout& out, Buffer dst, ConvolveMode mode, FftReal real,
                  Executor& executor) {
  if (real == FftReal::float16)
    throw Error(ErrorCode::unsupported, "convolutions are of float32 and float64; convert float16 arrays to float32 first");
  const Extents wanted = convolve_extents(a.layout.extents, b.layout.extents, mode);
  const std::int64_t part = real == FftReal::float32 ? 4 : 8;
  if (out.extents != wanted || out.strides.size() != wanted.size() || out.element_bytes != part) {
    refuse(fmt::format("the output has the extents [{}] of {} bytes; this convolution gives [{}] of {}", fmt::join(out.extents, ", "),
                       out.element_bytes, fmt::join(wanted, ", "), part));
  }
  const fft::Span out_span = fft::span_of(out);
  check_apart(a, out_span, dst);
  check_apart(b, out_span, dst);
  FftRequest there{.kind = FftKind::real_to_complex, .real = real};
  Extents start;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::int64_t na = a.layout.extents[i], nb = b.layout.extents[i];
    there.axes.push_back(static_cast<std::int64_t>(i));
    there.sizes.push_back(fft::smooth_length(add(na, nb) - 1, 2));
    start.push_back(mode == ConvolveMode::full ? 0 : mode == ConvolveMode::same ? (nb - 1) / 2 : std::min(na, nb) - 1);
  }
  std::vector<std::byte> spectra[2];
  const ConstArray* arrays[] = {&a, &b};
  for (int i = 0; i < 2; ++i) {
    there.in = arrays[i]->layout;
    there.out = Layout::dense(fft_extents(there.in.extents, there.axes, there.kind, there.sizes), 2 * part);
    spectra[i].resize(fft::at(there.out.n_bytes()));
    const FftPlan plan(there);
    std::vector<std::byte> workspace(fft::at(plan.workspace_bytes()));
    plan.run(arrays[i]->data, {spectra[i].data(), std::ssize(spectra[i])}, {workspace.data(), std::ssize(workspace)}, executor);
  }
  const auto multiply_all = real == FftReal::float32 ? multiply_numbers<float> : multiply_numbers<double>;
  multiply_all(spectra[0].data(), spectra[1].data(), there.out.n_elements(), executor);
  FftRequest back{.in = there.out,
                  .out = Layout::dense(there.sizes, part),
                  .axes = there.axes,
                  .kind = FftKind::complex_to_real,
                  .direction = FftDirection::inverse,
                  .real = real,
                  .sizes = there.sizes};
  const FftPlan plan(back);
  std::vector<std::byte> whole(fft::at(back.out.n_bytes())), workspace(fft::at(plan.workspace_bytes()));
  plan.run({spectra[0].data(), std::ssize(spectra[0])}, {whole.data(), std::ssize(whole)}, {workspace.data(), std::ssize(workspace)},
           executor);
  copy_window(back.out, whole.data(), start, out, static_cast<std::byte*>(dst.data));
}

}  // namespace crinkle
