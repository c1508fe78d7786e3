// Transposes by whole lines: 64/U rows at a time, of which every column is one line, stored by consecutive non-temporal stores. Columns are
// walked in chunks of a source line, inside a chunk all rows. With vectors of 64 bytes, units of 4, 8 and 16 bytes go through squares,
// whose source lines are loaded once and whole.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_TRANSPOSE_STREAM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_TRANSPOSE_STREAM_INL
#undef CRINKLE_CPU_TRANSPOSE_STREAM_INL
#else
#define CRINKLE_CPU_TRANSPOSE_STREAM_INL
#endif

#include <algorithm>
#include <array>

#include "cpu/blocks-inl.hpp"
#include "cpu/records-inl.hpp"
#include "cpu/rows-inl.hpp"
#include "cpu/squares-inl.hpp"
#include "cpu/transpose-inl.hpp"
#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3
// 64/U columns of all rows.
template <int U>
HWY_NOINLINE void stream_squares(const std::byte* in, int64 in_stride, int64 n_rows, std::byte* out, int64 out_stride, int64 ahead) {
  constexpr int n = 16 / U;
  for (int64 row = 0; row < n_rows; row += line / U, in += line / U * in_stride, out += line) {
    for (int64 r = 0; ahead != 0 && r < line / U; ++r) prefetch(in + r * in_stride, ahead);
    Vecs<64, n> v[4];
#pragma GCC unroll 4
    for (int g = 0; g < 4; ++g)
#pragma GCC unroll 16
      for (int i = 0; i < n; ++i) v[g][i] = load<64>(in + (g * n + i) * in_stride);
    turn_square<U>(v);
#pragma GCC unroll 4
    for (int b = 0; b < 4; ++b) {
#pragma GCC unroll 16
      for (int c = 0; c < n; ++c) stream<64>(v[b][c], out + (b * n + c) * out_stride);
    }
  }
}
#endif

template <int U>
void transpose_stream(const std::byte* in, int64 in_stride, int64 n_rows, int64 n_columns, std::byte* out, int64 out_stride, int64 ahead) {
  constexpr int64 n = 16 / U, chunk = line / U, band_rows = band_bytes / U;
  if (n_columns <= 0) return;
  if (n_columns < n) {
    int64 row = 0;
    if constexpr (U < 16) {
      if (in_stride == n_columns * U) {
        row = fields_to_planes<U, Stores::streaming>(in, n_rows * in_stride, n_rows, n_columns, n_columns, out, out_stride);
      }
    }
    for (; row < n_rows; row += band_rows) {
      alignas(64) std::array<std::byte, static_cast<std::size_t>(16 * band_rows)> stage;
      stage_rows(in + row * in_stride, in_stride, band_rows, n_columns * U, stage.data());
      transpose_bands<widest, band_bytes / widest, U, Stores::streaming>(stage.data(), 16, 1, n_columns, out + row * U, out_stride);
    }
    return;
  }
  for (int64 c = 0, width; c < n_columns; c += width) {
    width = n_columns - c < chunk + n ? n_columns - c : chunk;  // what is left after a chunk is wide enough for a block
    const std::byte* from = in + c * U;
    std::byte* to = out + c * out_stride;
#if HWY_TARGET == HWY_AVX3
    if constexpr (U >= 4) {
      if (width == chunk) {
        stream_squares<U>(from, in_stride, n_rows, to, out_stride, ahead);
        continue;
      }
    }
#endif
    transpose_bands<widest, band_bytes / widest, U, Stores::streaming>(from, in_stride, n_rows / band_rows, width, to, out_stride, ahead);
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
