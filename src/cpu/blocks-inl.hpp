// Blocks of a transpose in registers: N/U rows by K = 16/U columns. Vector i takes, as its 16-byte block b, the piece of row b·K + i; after
// the network every vector is N bytes of one column. L blocks above each other make whole lines. A ragged end is a block shifted back to
// end where the columns end, of which only the new columns are stored.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_BLOCKS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_BLOCKS_INL
#undef CRINKLE_CPU_BLOCKS_INL
#else
#define CRINKLE_CPU_BLOCKS_INL
#endif

#include <algorithm>

#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

// Made as a number: it may lie outside of every array, where a prefetch does nothing.
HWY_INLINE const std::byte* address_at(const std::byte* p, int64 distance) {
  return reinterpret_cast<const std::byte*>(reinterpret_cast<std::uintptr_t>(p) + static_cast<std::uintptr_t>(distance));
}

HWY_INLINE void prefetch(const std::byte* p, int64 distance) { hwy::Prefetch(address_at(p, distance)); }
HWY_INLINE void prefetch_write(const std::byte* p, int64 distance) { __builtin_prefetch(address_at(p, distance), 1, 3); }
// Into the second cache: for what is read some thousand bytes later.
HWY_INLINE void prefetch_early(const std::byte* p, int64 distance) { __builtin_prefetch(address_at(p, distance), 0, 2); }

// Stores those of the K columns of L·N/U rows at `in` that `wanted` has.
template <int N, int L, int U, Stores S, class Wanted>
HWY_INLINE void transpose_block(const std::byte* in, int64 in_stride, std::byte* out, int64 out_stride, const Wanted& wanted) {
  constexpr int n = 16 / U;
  Vecs<N, n> v[static_cast<std::size_t>(L)];
#pragma GCC unroll 4
  for (int l = 0; l < L; ++l) {
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i) v[l][i] = load_blocks<N>(in + (l * (N / U) + i) * in_stride, n * in_stride);
    interleave<N, U>(v[l]);
  }
#pragma GCC unroll 16
  for (int c = 0; c < n; ++c) {
    if (!wanted.has(c)) continue;
#pragma GCC unroll 4
    for (int l = 0; l < L; ++l) put<N, S>(v[l][c], out + c * out_stride + l * N);
  }
}

struct AllColumns {
  static constexpr bool has(int64) { return true; }
};
struct SomeColumns {
  int64 first, last;
  bool has(int64 c) const { return c >= first && c < last; }
};

// All columns of n_bands times L·N/U rows. Reads whole blocks of K columns, also where n_columns < K. A streaming band fetches its rows
// `ahead` bytes further, a quarter of them with every block.
template <int N, int L, int U, Stores S>
HWY_NOINLINE void transpose_bands(const std::byte* in, int64 in_stride, int64 n_bands, int64 n_columns, std::byte* out, int64 out_stride,
                                  int64 ahead = 0) {
  constexpr int64 n = 16 / U, rows = L * N / U;
  for (int64 b = 0; b < n_bands; ++b, in += rows * in_stride, out += L * N) {
    int64 c = 0, fetched = 0;
    for (; c + n <= n_columns; c += n) {
      if constexpr (S == Stores::streaming) {
        for (const int64 last = std::min(rows, fetched + rows / 4); ahead != 0 && fetched < last; ++fetched) {
          prefetch(in + fetched * in_stride + c * U, ahead);
        }
      }
      transpose_block<N, L, U, S>(in + c * U, in_stride, out + c * out_stride, out_stride, AllColumns());
    }
    if (c < n_columns) {
      const int64 at = std::max<int64>(0, n_columns - n);
      transpose_block<N, L, U, S>(in + at * U, in_stride, out + at * out_stride, out_stride, SomeColumns{c - at, n_columns - at});
    }
  }
}

template <int U>
struct Band {
  const std::byte* in;
  int64 in_stride, n_columns;
  std::byte* out;
  int64 out_stride;

  template <int N>
  HWY_INLINE void run(int64 row, int64 n_bands) const {
    transpose_bands<N, 1, U, Stores::ordinary>(in + row * in_stride, in_stride, n_bands, n_columns, out + row * U, out_stride);
  }
};

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
