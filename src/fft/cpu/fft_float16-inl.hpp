// Numbers of float16 to float32 and back: by instructions where there are some that round as they should, else one by one.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_FFT_FLOAT16_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_FFT_FLOAT16_INL
#undef CRINKLE_CPU_FFT_FLOAT16_INL
#else
#define CRINKLE_CPU_FFT_FLOAT16_INL
#endif

#include "base/number_lines.hpp"
#include "fft/cpu/fft_stages-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

// Highway's own conversions cut the last bits off where the processor has none.
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86 && !defined(HWY_DISABLE_F16C)
#define CRINKLE_FFT_HAS_FLOAT16 1
#else
#define CRINKLE_FFT_HAS_FLOAT16 0
#endif

inline void widen_float16(const std::byte* from, std::int64_t n, float* HWY_RESTRICT to) {
  std::int64_t i = 0;
#if CRINKLE_FFT_HAS_FLOAT16
  const hn::ScalableTag<float> d;
  const hn::Rebind<hwy::float16_t, hn::ScalableTag<float>> narrow;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(narrow, reinterpret_cast<const hwy::float16_t*>(from + 2 * i))), d, to + i);
#endif
  load_line(to + i, 1, from + 2 * i, 2, n - i, NumberType{Number::float16});
}

inline void narrow_float16(const float* HWY_RESTRICT from, std::int64_t n, std::byte* to) {
  std::int64_t i = 0;
#if CRINKLE_FFT_HAS_FLOAT16
  const hn::ScalableTag<float> d;
  const hn::Rebind<hwy::float16_t, hn::ScalableTag<float>> narrow;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::DemoteTo(narrow, hn::LoadU(d, from + i)), narrow, reinterpret_cast<hwy::float16_t*>(to + 2 * i));
#endif
  store_line(to + 2 * i, 2, from + i, 1, n - i, NumberType{Number::float16});
}

#undef CRINKLE_FFT_HAS_FLOAT16

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
