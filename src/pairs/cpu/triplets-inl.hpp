// Axilrod and Teller's terms of triplets. With s = r² of the pairs (i, j), (i, k), (j, k), called a, b, c, the law of cosines gives
//     8 a b c · cos cos cos = (a + b − c)(a + c − b)(b + c − a) = p,     term = (1 + 3 p / (8 a b c)) / (a b c)^(3/2),
// of which 1/s and 1/s^(3/2) are made once a pair: one root and one quotient of (j, k) serve up to eight i.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_SIMPLEX_TRIPLETS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_SIMPLEX_TRIPLETS_INL
#undef CRINKLE_SIMPLEX_TRIPLETS_INL
#else
#define CRINKLE_SIMPLEX_TRIPLETS_INL
#endif

#include "pairs/cpu/distances-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

template <class T>
struct PairNumbers {
  PairVec<T> square, inverse, cube;  // s, 1/s, 1/s^(3/2)
};

template <class T>
HWY_INLINE PairNumbers<T> numbers_of_pair(const Planes<T>& points, const PairVec<T> (&x)[3], std::int64_t k) {
  const PairTag<T> d;
  PairNumbers<T> of;
  of.square = SquaredDistance::first<T>(x[0], hn::LoadU(d, points.first + k));
  of.square = SquaredDistance::next<T>(of.square, x[1], hn::LoadU(d, points.first + points.pitch + k));
  of.square = SquaredDistance::next<T>(of.square, x[2], hn::LoadU(d, points.first + 2 * points.pitch + k));
  of.inverse = hn::Div(hn::Set(d, T{1}), of.square);
  of.cube = hn::Mul(of.inverse, hn::Mul(of.inverse, hn::Sqrt(of.square)));
  return of;
}

template <class T>
HWY_INLINE void all_of_point(const T* x, PairVec<T> (&to)[3]) {
  for (int f = 0; f < 3; ++f) to[f] = hn::Set(PairTag<T>(), x[f]);
}

template <class T>
void pair_row(const Planes<T>& points, const T* x, std::int64_t begin, std::int64_t n, T* to, std::int64_t pitch) {
  const PairTag<T> d;
  PairVec<T> of_x[3];
  all_of_point(x, of_x);
  for (std::int64_t t = 0; t < n; t += pair_lanes<T>) {
    const PairNumbers<T> of = numbers_of_pair<T>(points, of_x, begin + t);
    hn::StoreU(of.square, d, to + t);
    hn::StoreU(of.inverse, d, to + pitch + t);
    hn::StoreU(of.cube, d, to + 2 * pitch + t);
  }
}

// sum[lane] += v[lane], in float64.
HWY_INLINE void add_terms(PairVec<double> v, PairVec<double>* sums) { sums[0] = hn::Add(sums[0], v); }
HWY_INLINE void add_terms(PairVec<float> v, PairVec<double>* sums) {
  const PairTag<double> d;
#if HWY_TARGET == HWY_SCALAR
  sums[0] = hn::Add(sums[0], hn::PromoteTo(d, v));
#else
  const hn::Rebind<float, PairTag<double>> half;
  sums[0] = hn::Add(sums[0], hn::PromoteTo(d, hn::LowerHalf(half, v)));
  sums[1] = hn::Add(sums[1], hn::PromoteTo(d, hn::UpperHalf(half, v)));
#endif
}

// The first n lanes, of any n.
template <class T>
HWY_INLINE PairMask<T> before(std::int64_t n) {
  return hn::FirstN(PairTag<T>(), static_cast<std::size_t>(std::clamp<std::int64_t>(n, 0, pair_lanes<T>)));
}

template <class T>
void add_triplets(const TripletRange<T>& range, double* sums) {
  constexpr int lanes = static_cast<int>(TripletRange<T>::lanes), n_vectors = lanes / pair_lanes<T>;
  constexpr int n_sums = lanes / pair_lanes<double>, sums_of_vector = n_sums / n_vectors;
  const PairTag<T> d;
  const PairTag<double> dd;
  PairVec<double> sum[static_cast<std::size_t>(n_sums)];
#pragma GCC unroll 16
  for (int s = 0; s < n_sums; ++s) sum[s] = hn::LoadU(dd, sums + s * pair_lanes<double>);
  PairVec<T> of_j[3];
  all_of_point(range.j, of_j);
  const PairVec<T> one = hn::Set(d, T{1});
  for (std::int64_t k = range.begin; k < range.end; k += lanes) {
    const bool is_whole = k >= range.least && k + lanes <= range.end;
#pragma GCC unroll 16
    for (int u = 0; u < n_vectors; ++u) {
      const std::int64_t at = k + u * pair_lanes<T>;
      const PairNumbers<T> c = numbers_of_pair<T>(range.points, of_j, at);
      const T* of_ik = range.ik + (at - range.ik_begin);
      for (std::int64_t i = 0; i < range.n; ++i, of_ik += 3 * range.pitch) {
        const PairVec<T> a = hn::Set(d, range.ij[i].square), b = hn::LoadU(d, of_ik);
        const PairVec<T> both = hn::Add(a, b), apart = hn::Sub(a, b);
        const PairVec<T> p = hn::Mul(hn::Mul(hn::Sub(both, c.square), hn::Add(c.square, apart)), hn::Sub(c.square, apart));
        const PairVec<T> q =
            hn::Mul(hn::Mul(hn::Set(d, range.ij[i].inverse), hn::LoadU(d, of_ik + range.pitch)), c.inverse);  // 3 / (8 a b c)
        const PairVec<T> cubes = hn::Mul(hn::Mul(hn::Set(d, range.ij[i].cube), hn::LoadU(d, of_ik + 2 * range.pitch)), c.cube);
        PairVec<T> term = hn::Mul(hn::Add(one, hn::Mul(p, q)), cubes);
        if (!is_whole) term = hn::IfThenElseZero(hn::AndNot(before<T>(range.least - at), before<T>(range.end - at)), term);
        add_terms(term, sum + u * sums_of_vector);
      }
    }
  }
#pragma GCC unroll 16
  for (int s = 0; s < n_sums; ++s) hn::StoreU(sum[s], dd, sums + s * pair_lanes<double>);
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
