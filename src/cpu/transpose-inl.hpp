// Transposes of a matrix of units, out[c·out_stride + r·U] = in[r·in_stride + c·U]. A block is N/U rows by K = 16/U columns: 16-byte pieces
// of rows become N bytes of columns in registers. Columns are walked in chunks of a source line, inside a chunk all rows, so that a line is
// read once; a ragged end is a block shifted back to end where the matrix ends, whose columns are stored only where they are new. Matrices
// narrower than 16 bytes either way: records where they follow each other without a gap, else partial loads and stores.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_TRANSPOSE_INL
#undef CRINKLE_CPU_TRANSPOSE_INL
#else
#define CRINKLE_CPU_TRANSPOSE_INL
#endif

#include <algorithm>
#include <array>

#include "cpu/blocks-inl.hpp"
#include "cpu/records-inl.hpp"
#include "cpu/rows-inl.hpp"
#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

// Rows of n_bytes < 16, to be read no further, one every 16 bytes.
inline void stage_rows(const std::byte* in, int64 in_stride, int64 n_rows, int64 n_bytes, std::byte* stage) {
  for (int64 r = 0; r < n_rows; ++r) store<16>(load_part(in + r * in_stride, n_bytes), stage + 16 * r);
}

template <int U>
struct StagedBand {
  const std::byte* in;
  int64 in_stride, n_columns;
  std::byte* out;
  int64 out_stride;

  template <int N>
  HWY_INLINE void run(int64 row, int64 n_bands) const {
    alignas(64) std::array<std::byte, static_cast<std::size_t>(16 * N / U)> stage;
    for (const int64 end = row + n_bands * (N / U); row < end; row += N / U) {
      stage_rows(in + row * in_stride, in_stride, N / U, n_columns * U, stage.data());
      transpose_bands<N, 1, U, Stores::ordinary>(stage.data(), 16, 1, n_columns, out + row * U, out_stride);
    }
  }
};

// K columns of rows that are less than 16 bytes of a column; only `first` to `last` are stored.
template <int U>
HWY_INLINE void transpose_few_rows(const std::byte* in, int64 in_stride, int64 n_rows, std::byte* out, int64 out_stride, int64 first,
                                   int64 last) {
  constexpr int n = 16 / U;
  Vecs<16, n> v;
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) v[i] = load<16>(in + std::min<int64>(i, n_rows - 1) * in_stride);
  interleave<16, U>(v);
  alignas(64) std::array<std::byte, static_cast<std::size_t>(16 * n)> stage;
#pragma GCC unroll 16
  for (int c = 0; c < n; ++c) store<16>(v[c], stage.data() + 16 * c);
  for (int64 c = first; c < last; ++c) store_part(load<16>(stage.data() + 16 * c), out + c * out_stride, n_rows * U);
}

template <int U>
void transpose_low(const std::byte* in, int64 in_stride, int64 n_rows, int64 n_columns, std::byte* out, int64 out_stride) {
  constexpr int64 n = 16 / U;
  alignas(64) std::array<std::byte, static_cast<std::size_t>(16 * n)> stage;
  if (n_columns < n) {
    stage_rows(in, in_stride, n_rows, n_columns * U, stage.data());
    in = stage.data(), in_stride = 16;
  }
  for (int64 c = 0; c < n_columns; c += n) {
    const int64 at = std::max<int64>(0, std::min(c, n_columns - n));
    transpose_few_rows<U>(in + at * U, in_stride, n_rows, out + at * out_stride, out_stride, c - at, std::min(n, n_columns - at));
  }
}

template <int U>
void transpose_wide(const std::byte* in, int64 in_stride, int64 n_rows, int64 n_columns, std::byte* out, int64 out_stride) {
  // The fewer the rows, the more lines of each may be taken at once and what they become still stay in L1.
  const int64 chunk = (n_rows * U <= widest ? 8 : n_rows * U <= 2 * line ? 4 : 1) * line / U;
  for (int64 c = 0, n; c < n_columns; c += n) {
    n = n_columns - c < 2 * chunk ? n_columns - c : chunk;
    all_rows<widest, U>(Band<U>{in + c * U, in_stride, n, out + c * out_stride, out_stride}, 0, n_rows);
  }
}

template <int U>
void transpose(const std::byte* in, int64 in_stride, int64 n_rows, int64 n_columns, std::byte* out, int64 out_stride) {
  if (n_rows <= 0 || n_columns <= 0) return;
  if constexpr (U < 16) {
    if (n_columns * U < 16 && in_stride == n_columns * U) {
      const int64 done = fields_to_planes<U, Stores::ordinary>(in, n_rows * in_stride, n_rows, n_columns, n_columns, out, out_stride);
      in += done * in_stride, n_rows -= done, out += done * U;
    }
    if (n_rows * U < 16 && out_stride == n_rows * U) {
      const int64 done = planes_to_records<U>(in, in_stride, n_rows, n_columns, out);
      in += done * U, n_columns -= done, out += done * out_stride;
    }
    if (n_rows == 0 || n_columns == 0) return;
    if (n_columns == 1) return gather<U>(in, in_stride, n_rows, out);
    if (n_rows == 1) return scatter<U>(in, n_columns, out, out_stride);
    if (n_rows * U < 16) return transpose_low<U>(in, in_stride, n_rows, n_columns, out, out_stride);
    if (n_columns * U < 16) return all_rows<widest, U>(StagedBand<U>{in, in_stride, n_columns, out, out_stride}, 0, n_rows);
  }
  transpose_wide<U>(in, in_stride, n_rows, n_columns, out, out_stride);
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
