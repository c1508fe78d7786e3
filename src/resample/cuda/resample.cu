// A thread makes one element, with the formulas of the CPU (places.hpp): the same bits.
// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "resample/cuda/element.cuh"
#include "resample/cuda/form.hpp"

namespace crinkle::resampling {
namespace {

template <class E, class Out, int n_taps>
__global__ void __launch_bounds__(cuda_resample_threads)
    resample_elements(const CudaForm f, std::int64_t first_block, const std::byte* in, std::byte* out) {
  using T = typename kernel::NumberOf<E>::Type;
  const std::int64_t element = (first_block + blockIdx.x) * cuda_resample_threads + threadIdx.x;
  if (element >= f.n_elements) return;
  auto rest = static_cast<std::uint64_t>(element);
  std::int64_t p[most_form_axes];
  for (int b = f.form.n_near - 1; b >= 0; --b) {
    const auto [quotient, i] = f.near[b].divide(rest);
    in += static_cast<std::int64_t>(i) * f.form.near[b].in;
    out += static_cast<std::int64_t>(i) * f.form.near[b].out;
    rest = quotient;
  }
  for (int b = f.form.map.n_out - 1; b >= 0; --b) {
    const auto [quotient, i] = f.out[b].divide(rest);
    p[b] = static_cast<std::int64_t>(i);
    out += p[b] * f.form.out[b].out;
    rest = quotient;
  }
  for (int b = f.form.n_outer - 1; b >= 0; --b) {
    const auto [quotient, i] = f.outer[b].divide(rest);
    in += static_cast<std::int64_t>(i) * f.form.outer[b].in;
    out += static_cast<std::int64_t>(i) * f.form.outer[b].out;
    rest = quotient;
  }
  double q[slots];
  coordinates(f.form.map, p, q);
  const Out value = kernel::stored<Out>(value_at<E, T, n_taps>(f.form, q, in));
  if (f.form.is_aligned) *reinterpret_cast<Out*>(out) = value;
  else memcpy(out, &value, sizeof value);
}

}  // namespace

template <class E, class Out>
void launch_resample(const CudaForm& form, const std::byte* in, std::byte* out, CUstream_st* stream) {
  static_assert(sizeof(CudaForm) + 64 <= 4096, "what a launch may carry");
  const void* kernel = reinterpret_cast<const void*>(&resample_elements<E, Out, 4>);
  if constexpr (detail::Same<E, Out>::value) {  // of coefficients there are four taps
    if (form.form.n_taps == 1) kernel = reinterpret_cast<const void*>(&resample_elements<E, Out, 1>);
    if (form.form.n_taps == 2) kernel = reinterpret_cast<const void*>(&resample_elements<E, Out, 2>);
  }
  const std::int64_t n_blocks = (form.n_elements - 1) / cuda_resample_threads + 1;
  gpu::for_each_grid(n_blocks, [&](std::int64_t first, std::uint32_t n) {
    void* arguments[] = {const_cast<CudaForm*>(&form), &first, &in, &out};
    gpu::launch(kernel, {n, cuda_resample_threads, 0}, arguments, stream, "resampling");
  });
}

template void launch_resample<std::uint8_t, std::uint8_t>(const CudaForm&, const std::byte*, std::byte*, CUstream_st*);
template void launch_resample<std::uint16_t, std::uint16_t>(const CudaForm&, const std::byte*, std::byte*, CUstream_st*);
template void launch_resample<std::int16_t, std::int16_t>(const CudaForm&, const std::byte*, std::byte*, CUstream_st*);
template void launch_resample<float, float>(const CudaForm&, const std::byte*, std::byte*, CUstream_st*);
template void launch_resample<double, double>(const CudaForm&, const std::byte*, std::byte*, CUstream_st*);
template void launch_resample<float, std::uint8_t>(const CudaForm&, const std::byte*, std::byte*, CUstream_st*);
template void launch_resample<float, std::uint16_t>(const CudaForm&, const std::byte*, std::byte*, CUstream_st*);
template void launch_resample<float, std::int16_t>(const CudaForm&, const std::byte*, std::byte*, CUstream_st*);

}  // namespace crinkle::resampling
