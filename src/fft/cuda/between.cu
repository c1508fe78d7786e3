// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/between.cuh"

#include <algorithm>

#include "base/checked.hpp"
#include "fft/cuda/launch.cuh"

namespace crinkle::fft {

template <class T>
void launch_pairs(const CudaPairs<T>& pairs, const std::byte* in, std::byte* out, CUstream_st* stream) {
  const void* const kernel = pairs.is_load ? reinterpret_cast<const void*>(&kernel::move_pairs<T, true>)
                                           : reinterpret_cast<const void*>(&kernel::move_pairs<T, false>);
  gpu::for_each_grid(pairs.n_blocks, [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {const_cast<CudaPairs<T>*>(&pairs), &first, &in, &out};
    gpu::launch(kernel, {n_blocks, kernel::pair_threads}, arguments, stream, what_runs);
  });
}

template <class T>
void launch_product(const CudaProduct<T>& product, std::byte* x, const std::byte* y, CUstream_st* stream) {
  void* arguments[] = {const_cast<CudaProduct<T>*>(&product), &x, &y};
  const auto blocks =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(ceil_divide(product.n, std::int64_t{kernel::pair_threads}), 1, 1 << 20));
  gpu::launch(reinterpret_cast<const void*>(&kernel::multiply_spectra<T>), {blocks, kernel::pair_threads}, arguments, stream, what_runs);
}

template void launch_pairs<float>(const CudaPairs<float>&, const std::byte*, std::byte*, CUstream_st*);
template void launch_pairs<double>(const CudaPairs<double>&, const std::byte*, std::byte*, CUstream_st*);
template void launch_product<float>(const CudaProduct<float>&, std::byte*, const std::byte*, CUstream_st*);
template void launch_product<double>(const CudaProduct<double>&, std::byte*, const std::byte*, CUstream_st*);

}  // namespace crinkle::fft
