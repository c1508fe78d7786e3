// The tables of the kernels of cosine and sine transforms, for every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/cpu/cosine_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "fft/cpu/cosine_kernels.hpp"
#include "fft/cpu/fft_cosine-inl.hpp"
#include "fft/cpu/fft_cosine_line-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

template <class T>
CosineKernelsOf<T> cosine_kernels_of() {
  CosineKernelsOf<T> kernels{
      .lanes = fft_lanes<T>,
      .cosines = {},
      .sines = {},
      .inverse_cosines = {},
      .inverse_sines = {},
      .load_ordered = load_ordered<T>,
      .store_ordered = store_ordered<T>,
      .load_plain = load_plain<T>,
      .store_plain = store_plain<T>,
      .turn = turn_cosines<T>,
      .turn_back = turn_cosines_back<T>,
      .order_line = order_line<T>,
      .order_line_back = order_line_back<T>,
      .turn_line = turn_line<T>,
      .turn_line_back = turn_line_back<T>,
  };
  const auto put = [&]<std::size_t... N>(std::index_sequence<N...>) {
    ((kernels.cosines[N] = whole_lines<T, N, FftKind::cosine, FftDirection::forward>,
      kernels.sines[N] = whole_lines<T, N, FftKind::sine, FftDirection::forward>,
      kernels.inverse_cosines[N] = whole_lines<T, N, FftKind::cosine, FftDirection::inverse>,
      kernels.inverse_sines[N] = whole_lines<T, N, FftKind::sine, FftDirection::inverse>),
     ...);
  };
  put(std::index_sequence<8, 16>());
  return kernels;
}

inline const CosineKernels* cosine_table() {
  static const CosineKernels kernels = {hwy::TargetName(HWY_TARGET), cosine_kernels_of<float>(), cosine_kernels_of<double>()};
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(cosine_table);
const CosineKernels& CosineKernels::best() { return best_table(HWY_DISPATCH_TABLE(cosine_table)); }
std::vector<const CosineKernels*> CosineKernels::all() { return all_tables(HWY_DISPATCH_TABLE(cosine_table)); }

}  // namespace crinkle::simd
#endif
