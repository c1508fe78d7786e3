// Transposes between rows and columns given by tables of addresses, columns[c] + r·U = rows[r] + c·U. A block is N/U rows by 16/U columns;
// with vectors of N = 64 or 32 bytes, units of 4 bytes and more go through squares of N/U rows and columns, whose source lines are loaded
// whole:
//     interleave inside 16-byte blocks, then transpose the blocks: 64 shuffles for 16 × 16 of 4 bytes, 24 for 8 × 8.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_TABLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_TABLES_INL
#undef CRINKLE_CPU_TABLES_INL
#else
#define CRINKLE_CPU_TABLES_INL
#endif

#include <algorithm>

#include "cpu/odd-inl.hpp"
#include "cpu/rows-inl.hpp"
#include "cpu/squares-inl.hpp"
#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

// Block b of vector i is 16 bytes of row b·16/U + i.
template <int N, int U>
HWY_INLINE void load_rows(const std::byte* const* rows, int64 at, Vec<N>* v) {
  constexpr int n = 16 / U;
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) {
    if constexpr (N == 16) v[i] = load<16>(rows[i] + at);
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    if constexpr (N == 32) v[i] = hn::Combine(Tag<N>(), load<16>(rows[n + i] + at), load<16>(rows[i] + at));
#endif
#if HWY_TARGET <= HWY_AVX3
    if constexpr (N == 64) {
      __m512i x = _mm512_castsi128_si512(load<16>(rows[i] + at).raw);
      x = _mm512_mask_broadcast_i32x4(x, 0x00F0, load<16>(rows[n + i] + at).raw);
      x = _mm512_mask_broadcast_i32x4(x, 0x0F00, load<16>(rows[2 * n + i] + at).raw);
      v[i] = Vec<64>{_mm512_mask_broadcast_i32x4(x, 0xF000, load<16>(rows[3 * n + i] + at).raw)};
    }
#endif
  }
}

// Columns first ≤ c < last of a block of N/U rows.
template <int N, int U>
HWY_INLINE void table_block(const std::byte* const* rows, int64 in_at, std::byte* const* columns, int64 out_at, int64 first, int64 last) {
  constexpr int n = 16 / U;
  Vecs<N, n> v;
  load_rows<N, U>(rows, in_at, v);
  interleave<N, U>(v);
#pragma GCC unroll 16
  for (int c = 0; c < n; ++c)
    if (c >= first && c < last) store<N>(v[c], columns[c] + out_at);
}

// Moves a corner narrower than a block: at most 16/U rows of `bytes` each, 16/U columns at most.
template <int U>
HWY_INLINE void table_corner(const std::byte* const* rows, int64 n_rows, int64 in_at, std::byte* const* columns, int64 n_columns,
                             int64 out_at) {
  constexpr int n = 16 / U;
  Vecs<16, n> v;
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) v[i] = load_part(rows[std::min<int64>(i, n_rows - 1)] + in_at, n_columns * U);
  interleave<16, U>(v);
#pragma GCC unroll 16
  for (int c = 0; c < n; ++c)
    if (c < n_columns) store_part(v[c], columns[c] + out_at, n_rows * U);
}

#if HWY_TARGET <= HWY_AVX3
// A square of 64/U rows and columns, of which n_rows and n_columns are there; `stored(column, vector)` takes each.
template <int U, class Stored>
HWY_INLINE void table_square(const std::byte* const* rows, int64 n_rows, int64 in_at, int64 n_columns, const Stored& stored) {
  constexpr int n = 16 / U, edge = 64 / U;
  Vecs<64, n> v[4];
  if (n_rows == edge && n_columns == edge) {
#pragma GCC unroll 4
    for (int g = 0; g < 4; ++g)
#pragma GCC unroll 4
      for (int i = 0; i < n; ++i) v[g][i] = load<64>(rows[g * n + i] + in_at);
  } else {
    const auto wanted = static_cast<__mmask16>((1u << (n_columns * U / 4)) - 1);
#pragma GCC unroll 4
    for (int g = 0; g < 4; ++g)
#pragma GCC unroll 4
      for (int i = 0; i < n; ++i) v[g][i] = Vec<64>{_mm512_maskz_loadu_epi32(wanted, rows[std::min<int64>(g * n + i, n_rows - 1)] + in_at)};
  }
  turn_square<U>(v);
#pragma GCC unroll 4
  for (int b = 0; b < 4; ++b)
#pragma GCC unroll 4
    for (int c = 0; c < n; ++c)
      if (n_columns == edge || b * n + c < n_columns) stored(b * n + c, v[b][c]);
}
#endif

#if HWY_TARGET == HWY_AVX2
// A square of 32/U rows and columns, all of them there: its source half lines are loaded whole.
template <int U>
HWY_INLINE void table_half_square(const std::byte* const* rows, int64 in_at, std::byte* const* columns, int64 out_at) {
  constexpr int n = 16 / U;
  const Tag<32> d;
  Vecs<32, n> v[2];
#pragma GCC unroll 2
  for (int g = 0; g < 2; ++g) {
#pragma GCC unroll 4
    for (int i = 0; i < n; ++i) v[g][i] = load<32>(rows[g * n + i] + in_at);
    interleave<32, U>(v[g]);
  }
#pragma GCC unroll 4
  for (int c = 0; c < n; ++c) {
    store<32>(hn::ConcatLowerLower(d, v[1][c], v[0][c]), columns[c] + out_at);
    store<32>(hn::ConcatUpperUpper(d, v[1][c], v[0][c]), columns[n + c] + out_at);
  }
}

// As many whole lines of rows as there are; returns how many columns that is.
template <int U>
HWY_INLINE int64 table_half_squares(const std::byte* const* rows, int64 n_rows, std::byte* const* columns, int64 n_columns, int64 in_at,
                                    int64 out_at) {
  constexpr int64 edge = 32 / U, chunk = line / U;
  if (n_rows % edge != 0) return 0;
  int64 c = 0;
  for (; c + chunk <= n_columns; c += chunk)
    for (int64 r = 0; r < n_rows; r += edge)
      for (int64 k = c; k < c + chunk; k += edge) table_half_square<U>(rows + r, in_at + k * U, columns + k, out_at + r * U);
  return c;
}
#endif

template <int N, int U>
void table_bands(const std::byte* const* rows, int64 n_rows, std::byte* const* columns, int64 n_columns, int64 in_at, int64 out_at) {
  constexpr int64 n = 16 / U, band = N / U;
  int64 r = 0;
  for (; r + band <= n_rows; r += band) {
    int64 c = 0;
    for (; c + n <= n_columns; c += n) table_block<N, U>(rows + r, in_at + c * U, columns + c, out_at + r * U, 0, n);
    if (c < n_columns && n_columns >= n) {
      const int64 back = n_columns - n;
      table_block<N, U>(rows + r, in_at + back * U, columns + back, out_at + r * U, c - back, n);
    } else if (c < n_columns) {
      for (int64 k = 0; k < band; k += n) table_corner<U>(rows + r + k, n, in_at, columns, n_columns, out_at + (r + k) * U);
    }
  }
  if (r == n_rows) return;
  if constexpr (N > 16) {
    return table_bands<N / 2, U>(rows + r, n_rows - r, columns, n_columns, in_at, out_at + r * U);
  } else {
    for (int64 c = 0; c < n_columns; c += n)
      table_corner<U>(rows + r, n_rows - r, in_at + c * U, columns + c, std::min(n, n_columns - c), out_at + r * U);
  }
}

template <int U>
void table_transpose(const std::byte* const* rows, int64 n_rows, std::byte* const* columns, int64 n_columns, int64 in_at, int64 out_at) {
  if (n_rows <= 0 || n_columns <= 0) return;
#if HWY_TARGET <= HWY_AVX3
  if constexpr (U >= 4) {
    constexpr int64 edge = 64 / U;
    for (int64 r = 0; r < n_rows; r += edge) {
      const int64 n = std::min(edge, n_rows - r);
      const auto there = static_cast<__mmask16>((1u << (n * U / 4)) - 1);
      for (int64 c = 0; c < n_columns; c += edge) {
        std::byte* const* to = columns + c;
        const int64 at = out_at + r * U;
        if (n == edge) {
          table_square<U>(rows + r, n, in_at + c * U, std::min(edge, n_columns - c), [&](int64 k, Vec<64> v) { store<64>(v, to[k] + at); });
        } else {
          table_square<U>(rows + r, n, in_at + c * U, std::min(edge, n_columns - c),
                          [&](int64 k, Vec<64> v) { _mm512_mask_storeu_epi32(to[k] + at, there, v.raw); });
        }
      }
    }
    return;
  }
#endif
  constexpr int64 chunk = line / U;  // columns of a source line, of all rows before the next
  int64 c = 0, n = 0;
#if HWY_TARGET == HWY_AVX2
  if constexpr (U >= 4) c = table_half_squares<U>(rows, n_rows, columns, n_columns, in_at, out_at);
#endif
  for (; c < n_columns; c += n) {
    n = n_columns - c < 2 * chunk ? n_columns - c : chunk;
    table_bands<widest, U>(rows, n_rows, columns + c, n, in_at + c * U, out_at);
  }
}

// Elements of any other size. A destination line is written by neighbours down a column, so rows are the inner loop.
inline void table_runs(const std::byte* const* rows, int64 n_rows, std::byte* const* columns, int64 n_columns, int64 in_at, int64 out_at,
                       int64 element) {
  if (element < 16) return table_odd(rows, n_rows, columns, n_columns, in_at, out_at, element);
  for (int64 c = 0; c < n_columns; ++c)
    for (int64 r = 0; r < n_rows; ++r) copy(rows[r] + in_at + c * element, columns[c] + out_at + r * element, element);
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
