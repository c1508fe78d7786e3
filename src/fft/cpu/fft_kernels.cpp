// The tables of the kernels of Fourier transforms, compiled once for every instruction set. Stages of known radices are compiled elsewhere
// (fft_stages-inl.hpp), all other kernels here.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/cpu/fft_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "fft/cpu/fft_across-inl.hpp"
#include "fft/cpu/fft_float16-inl.hpp"
#include "fft/cpu/fft_kernels.hpp"
#include "fft/cpu/fft_rows-inl.hpp"
#include "fft/cpu/fft_stages-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

template <class T>
FftKernelsOf<T> fft_kernels_of() {
  FftKernelsOf<T> kernels{
      .lanes = fft_lanes<T>,
      .stages = {},
      .first_stages = {},
      .last_stages = {},
      .any_stage = any_stage<T>,
      .across = {},
      .turn = turn<T>,
      .twist = twist<T>,
      .load_turned = load_turned<T>,
      .store_turned = store_turned<T>,
      .load_rows = load_rows<T>,
      .store_rows = store_rows<T>,
      .store_products = store_products<T>,
      .multiply_rows = multiply_rows<T>,
      .multiply_vectors = multiply_vectors<T>,
      .multiply_numbers = multiply_numbers<T>,
      .fold_rows = fold_rows<T>,
      .fold_numbers = fold_numbers<T>,
  };
  put_radices_2(kernels);
  put_radices_7(kernels);
  put_radices_9(kernels);
  put_radices_13(kernels);
  put_radices_15(kernels);
  const auto add_across = [&]<std::size_t... R>(std::index_sequence<R...>) { ((kernels.across[R] = across<T, R>), ...); };
  add_across(std::index_sequence<3, 4, 5, 7, 8, 9, 15>());
  return kernels;
}

inline const FftKernels* fft_table() {
  static const FftKernels kernels = {hwy::TargetName(HWY_TARGET), fft_kernels_of<float>(), fft_kernels_of<double>(), widen_float16,
                                     narrow_float16};
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(fft_table);
const FftKernels& FftKernels::best() { return best_table(HWY_DISPATCH_TABLE(fft_table)); }
std::vector<const FftKernels*> FftKernels::all() { return all_tables(HWY_DISPATCH_TABLE(fft_table)); }

}  // namespace crinkle::simd
#endif
