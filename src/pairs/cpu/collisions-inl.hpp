// Spheres that collide with one of them: vectors of a test each, whose bits are counted or become numbers.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_SIMPLEX_COLLISIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_SIMPLEX_COLLISIONS_INL
#undef CRINKLE_SIMPLEX_COLLISIONS_INL
#else
#define CRINKLE_SIMPLEX_COLLISIONS_INL
#endif

#include "pairs/cpu/distances-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

template <int n_dims, bool are_plain, class T>
HWY_INLINE PairMask<T> collide(const Planes<T>& planes, const PairVec<T>* x, std::int64_t begin) {
  const PairTag<T> d;
  const T* y = planes.first + begin;
  PairVec<T> sum = SquaredDistance::first<T>(x[0], hn::LoadU(d, y));
#pragma GCC unroll 2
  for (int f = 1; f < n_dims; ++f) sum = SquaredDistance::next<T>(sum, x[f], hn::LoadU(d, y + f * planes.pitch));
  const PairVec<T> reach = hn::Add(x[n_dims], hn::LoadU(d, y + n_dims * planes.pitch));
  const PairVec<T> square = hn::Mul(reach, reach);
  if constexpr (!are_plain) {
    if (!hn::AllTrue(d, is_plain<T>(square))) {
      const PairVec<T> scale = scale_for<T>(square), scaled = hn::Mul(reach, scale);
      sum = hn::Zero(d);
      for (int f = 0; f < n_dims; ++f) {
        const PairVec<T> apart = hn::Mul(hn::Sub(x[f], hn::LoadU(d, y + f * planes.pitch)), scale);
        sum = hn::Add(sum, hn::Mul(apart, apart));
      }
      return hn::Le(sum, hn::Mul(scaled, scaled));
    }
  }
  return hn::Le(sum, square);
}

/// Calls found(t, mask) for the vectors from point begin + t on; lanes behind the range are not set.
template <int n_dims, bool are_plain, class T, class Found>
HWY_INLINE void for_each_test(const Planes<T>& planes, const T* x, std::int64_t begin, std::int64_t n, const Found& found) {
  const PairTag<T> d;
  constexpr std::int64_t lanes = pair_lanes<T>;
  PairVec<T> of_x[4];
#pragma GCC unroll 4
  for (int f = 0; f <= n_dims; ++f) of_x[f] = hn::Set(d, x[f]);
  std::int64_t t = 0;
  for (; t + lanes <= n; t += lanes) found(t, collide<n_dims, are_plain, T>(planes, of_x, begin + t));
  if (t < n) found(t, hn::And(collide<n_dims, are_plain, T>(planes, of_x, begin + t), hn::FirstN(d, static_cast<std::size_t>(n - t))));
}

template <bool are_plain, class T, class Found>
HWY_INLINE void for_each_test_in(const Planes<T>& planes, const T* x, std::int64_t begin, std::int64_t n, const Found& found) {
  switch (planes.n_features) {
    case 1: return for_each_test<1, are_plain>(planes, x, begin, n, found);
    case 2: return for_each_test<2, are_plain>(planes, x, begin, n, found);
    default: return for_each_test<3, are_plain>(planes, x, begin, n, found);
  }
}
template <class T, class Found>
HWY_INLINE void for_each_test_of(const Planes<T>& planes, const T* x, std::int64_t begin, std::int64_t n, bool are_plain,
                                 const Found& found) {
  if (are_plain) for_each_test_in<true>(planes, x, begin, n, found);
  else for_each_test_in<false>(planes, x, begin, n, found);
}

template <class T>
struct CollisionCount {
  std::int64_t* n;
  HWY_INLINE void operator()(std::int64_t, PairMask<T> mask) const { *n += static_cast<std::int64_t>(hn::CountTrue(PairTag<T>(), mask)); }
};

template <class T>
std::int64_t count_collisions(const Planes<T>& planes, const T* x, std::int64_t begin, std::int64_t n, bool are_plain) {
  std::int64_t count = 0;
  for_each_test_of(planes, x, begin, n, are_plain, CollisionCount<T>{&count});
  return count;
}

template <class T>
struct CollisionList {
  std::int64_t i, begin;
  std::int64_t** next;
  HWY_INLINE void operator()(std::int64_t t, PairMask<T> mask) const {
    const PairTag<T> d;
    if (HWY_LIKELY(hn::AllFalse(d, mask))) return;
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, mask, bytes);
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes, sizeof bits);
    for (; bits != 0; bits &= bits - 1) {
      (*next)[0] = i;
      (*next)[1] = begin + t + static_cast<std::int64_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
      *next += 2;
    }
  }
};

template <class T>
std::int64_t find_collisions(const Planes<T>& planes, const T* x, std::int64_t begin, std::int64_t n, std::int64_t i, bool are_plain,
                             std::int64_t* found) {
  std::int64_t* next = found;
  for_each_test_of(planes, x, begin, n, are_plain, CollisionList<T>{i, begin, &next});
  return (next - found) / 2;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
