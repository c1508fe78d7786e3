// SPDX-License-Identifier: BSD-3-Clause
#include "fft/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "fft/cuda/between.hpp"

namespace crinkle::fft {
namespace {

// `step`: parts between two numbers of y.
template <class T>
void multiply_numbers(T* x, const T* y, std::int64_t n, std::int64_t step) {
  for (std::int64_t i = 0; i < n; ++i) {
    const T re = x[2 * i] * y[step * i] - x[2 * i + 1] * y[step * i + 1];
    x[2 * i + 1] = x[2 * i] * y[step * i + 1] + x[2 * i + 1] * y[step * i];
    x[2 * i] = re;
  }
}

template <class T>
void multiply_on(Executor& executor, const std::vector<Loop>& loops, std::int64_t n, std::byte* x, const std::byte* y) {
  constexpr std::int64_t chunk = 1 << 14;
  const auto body = [&](std::int64_t c) {
    const Loop& inner = loops.back();
    const std::int64_t end = std::min(n, (c + 1) * chunk);
    for (std::int64_t i = c * chunk; i < end;) {
      const std::int64_t column = i % inner.extent, count = std::min(inner.extent - column, end - i);
      const std::int64_t place = column * inner.in + place_in(loops.data(), loops.size() - 1, i / inner.extent).in;
      T* const a = reinterpret_cast<T*>(x) + 2 * i;
      const T* const b = reinterpret_cast<const T*>(y) + 2 * place;
      if (inner.in == 1) multiply_numbers(a, b, count, 2);
      else multiply_numbers(a, b, count, 2 * inner.in);
      i += count;
    }
  };
  executor.parallel_for(ceil_divide(n, chunk), std::ref(body));
}

template <class T>
void give_product(const std::vector<Loop>& loops, std::int64_t n, std::byte* x, const std::byte* y, const Stream& stream) {
  CudaProduct<T> product;
  product.n = n;
  for (const Loop& loop : loops) product.loops.loops[product.loops.n++] = {loop.extent, loop.in, 0};
  gpu::entry<&launch_product<T>>(product, x, y, stream.get());
}

}  // namespace

Product::Product(const Extents& x, const Layout& y, FftReal real) : real_(real) {
  for (std::size_t a = 0; a < x.size(); ++a) {
    const Loop loop{x[a], y.extents[a] == 1 ? 0 : y.strides[a] / y.element_bytes, 0};
    n_ = multiply(n_, loop.extent);
    if (loop.extent == 1) continue;
    if (!loops_.empty() && loops_.back().in == loop.in * loop.extent) loops_.back() = {loops_.back().extent * loop.extent, loop.in, 0};
    else loops_.push_back(loop);
  }
  if (loops_.empty()) loops_.push_back({1, 1, 0});
  if (loops_.size() > most_cuda_loops)
    throw Error(ErrorCode::too_large, fmt::format("spectra of {} axes; {} at most", x.size(), most_cuda_loops));
}

void Product::run(std::byte* x, const std::byte* y, Executor& executor) const {
  (real_ == FftReal::float32 ? multiply_on<float> : multiply_on<double>)(executor, loops_, n_, x, y);
}

void Product::run(std::byte* x, const std::byte* y, const Stream& stream) const {
  (real_ == FftReal::float32 ? give_product<float> : give_product<double>)(loops_, n_, x, y, stream);
}

}  // namespace crinkle::fft
