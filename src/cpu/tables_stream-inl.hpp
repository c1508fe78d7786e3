// Transposes between tables of addresses by whole lines: 64/U rows at a time, of which every column is one line, whose stores follow each
// other.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_TABLES_STREAM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_TABLES_STREAM_INL
#undef CRINKLE_CPU_TABLES_STREAM_INL
#else
#define CRINKLE_CPU_TABLES_STREAM_INL
#endif

#include <algorithm>

#include "cpu/rows-inl.hpp"
#include "cpu/squares-inl.hpp"
#include "cpu/tables-inl.hpp"
#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

// Lines of columns first ≤ c < last: 64/U rows.
template <int U>
HWY_INLINE void stream_block(const std::byte* const* rows, int64 in_at, std::byte* const* columns, int64 out_at, int64 first, int64 last) {
  constexpr int n = 16 / U, n_vectors = line / widest;
  Vecs<widest, n> v[n_vectors];
#pragma GCC unroll 4
  for (int l = 0; l < n_vectors; ++l) {
    load_rows<widest, U>(rows + l * (widest / U), in_at, v[l]);
    interleave<widest, U>(v[l]);
  }
#pragma GCC unroll 16
  for (int c = 0; c < n; ++c) {
    if (c < first || c >= last) continue;
#pragma GCC unroll 4
    for (int l = 0; l < n_vectors; ++l) stream<widest>(v[l][c], columns[c] + out_at + l * widest);
  }
}

template <int U>
void table_stream(const std::byte* const* rows, int64 n_rows, std::byte* const* columns, int64 n_columns, int64 out_at, int64 ahead) {
  constexpr int64 edge = line / U, n = 16 / U;
  for (int64 c = 0; c < n_columns; c += edge) {
    const int64 width = std::min(edge, n_columns - c);
    for (int64 r = 0; r < n_rows; r += edge) {
      if (ahead != 0)
        for (int64 k = 0; k < edge; ++k) prefetch(rows[r + k] + c * U, ahead);
#if HWY_TARGET <= HWY_AVX3
      if constexpr (U >= 4) {
        table_square<U>(rows + r, edge, c * U, width, [&](int64 k, Vec<64> v) { stream<64>(v, columns[c + k] + out_at + r * U); });
        continue;
      }
#endif
      int64 k = 0;
      for (; k + n <= width; k += n) stream_block<U>(rows + r, (c + k) * U, columns + c + k, out_at + r * U, 0, n);
      if (k < width && c + width >= n) {
        const int64 back = c + width - n;
        stream_block<U>(rows + r, back * U, columns + back, out_at + r * U, c + k - back, n);
      } else if (k < width) {
        for (int64 i = 0; i < edge; i += n) table_corner<U>(rows + r + i, n, (c + k) * U, columns + c + k, width - k, out_at + (r + i) * U);
      }
    }
  }
}

// The same where columns begin anywhere in a line, at a multiple of U.
#if HWY_TARGET <= HWY_AVX3
template <int U>
void table_shift(const std::byte* const* rows, int64 n_rows, std::byte* const* columns, int64 n_columns, int64 out_at, std::byte* carry,
                 bool is_first, bool is_last, int64 ahead) {
  constexpr int64 edge = line / U;
  for (int64 c = 0; c < n_columns; c += edge) {
    const int64 width = std::min(edge, n_columns - c);
    for (int64 r = 0; r < n_rows; r += edge) {
      const int64 n = std::min(edge, n_rows - r);
      if (ahead != 0)
        for (int64 k = 0; k < n; ++k) prefetch(rows[r + k] + c * U, ahead);
      const Shifted lines{out_at + r * U, n * U, is_first && r == 0, is_last && r + edge >= n_rows};
      table_square<U>(rows + r, n, c * U, width,
                      [&](int64 k, Vec<64> v) { lines.put<U>(Line{{v}}, columns[c + k], carry + (c + k) * line); });
    }
  }
}
#endif

// Whole lines only.
HWY_INLINE void stream_lines(const std::byte* in, std::byte* out, int64 bytes, int64 ahead) {
  for (int64 b = 0; b < bytes; b += line) {
    if (ahead != 0) prefetch(in + b, ahead);
#pragma GCC unroll 4
    for (int64 l = 0; l < line; l += widest) put<widest, Stores::streaming>(load<widest>(in + b + l), out + b + l);
  }
}

inline void table_runs_stream(const std::byte* const* rows, int64 n_rows, std::byte* const* columns, int64 n_columns, int64 out_at,
                              int64 element, int64 ahead) {
  for (int64 c = 0; c < n_columns; ++c) {
    std::byte* out = columns[c] + out_at;
    for (int64 r = 0; r < n_rows; ++r, out += element) stream_lines(rows[r] + c * element, out, element, ahead);
  }
}

HWY_INLINE void move_line(const std::byte* in, std::byte* out) {
  for (int64 b = 0; b < line; b += widest) store<widest>(load<widest>(in + b), out + b);
}

// The last `phase` bytes of a line and the first of another.
HWY_INLINE void stream_joined(const std::byte* before, const std::byte* in, int64 phase, std::byte* out) {
#if HWY_TARGET <= HWY_AVX3
  const auto from = reinterpret_cast<std::uintptr_t>(in) - static_cast<std::uintptr_t>(phase);  // may lie before the array: a number
  const __m512i first = _mm512_loadu_si512(before + line - phase);
  stream<64>(Vec<64>{_mm512_mask_loadu_epi8(first, ~__mmask64{0} << phase, reinterpret_cast<const void*>(from))}, out);
#else
  alignas(64) std::byte both[2 * line];
  move_line(before, both);
  move_line(in, both + line);
  stream_lines(both + line - phase, out, line, 0);
#endif
}

inline void table_runs_shift(const std::byte* const* rows, int64 n_rows, std::byte* const* columns, int64 n_columns, int64 out_at,
                             int64 element, std::byte* carry, bool is_first, bool is_last, int64 ahead) {
  for (int64 c = 0; c < n_columns; ++c, carry += line) {
    std::byte* out = columns[c] + out_at;
    for (int64 r = 0; r < n_rows; ++r, out += element) {
      const std::byte* in = rows[r] + c * element;
      const auto phase = static_cast<int64>(reinterpret_cast<std::uintptr_t>(out) % line);
      const int64 head = phase == 0 ? 0 : line - phase, whole = (element - head) / line * line, tail = element - head - whole;
      if (head != 0 && is_first && r == 0) {
        copy(in, out, head);
      } else if (head != 0) {
        stream_joined(carry, in, phase, out - phase);
      }
      if (ahead != 0 && head != 0) prefetch(in, ahead);
      stream_lines(in + head, out + head, whole, ahead);
      move_line(in + element - line, carry);
      if (is_last && r + 1 == n_rows) copy(in + head + whole, out + head + whole, tail);
    }
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
