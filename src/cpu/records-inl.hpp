// Records of k units, shorter than 16 bytes, to k planes and back. With R = k rounded up to a power of two, a piece of 16 bytes holds
// q = 16/(R·U) records. A shuffle inside the piece puts the q units of one field together, so that R pieces transpose as a matrix of wide
// units of q·U bytes:
//     to planes    load a piece every q records, shuffle, transpose R ways: field c of all records, without a gap
//     to records   R planes (the last ones repeated), transpose R ways, shuffle, store a piece every q records, each over the loose end of
//                  the one before
// Both stop before a piece would reach past the last record and say how many records they did.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_RECORDS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_RECORDS_INL
#undef CRINKLE_CPU_RECORDS_INL
#else
#define CRINKLE_CPU_RECORDS_INL
#endif

#include <algorithm>
#include <array>

#include "cpu/blocks-inl.hpp"
#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

using Pattern = std::array<std::uint8_t, 16>;

// Byte i·q·U + j·U + b comes from byte (j·k + i)·U + b: unit i of record j.
template <int U, int R>
constexpr Pattern fields_of_records(int k) {
  constexpr int q = 16 / (R * U);
  Pattern p{};
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < q; ++j)
      for (int b = 0; b < U; ++b) p[static_cast<std::size_t>((i * q + j) * U + b)] = static_cast<std::uint8_t>((j * k + i) * U + b);
  return p;
}
// The other way.
template <int U, int R>
constexpr Pattern records_of_fields(int k) {
  constexpr int q = 16 / (R * U);
  Pattern p{};
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < q; ++j)
      for (int b = 0; b < U; ++b) p[static_cast<std::size_t>((j * k + i) * U + b)] = static_cast<std::uint8_t>((i * q + j) * U + b);
  return p;
}

// For k = 0 … R; a k of R/2 or less belongs to a smaller R.
template <int U, int R>
struct Patterns {
  alignas(64) std::array<Pattern, static_cast<std::size_t>(R + 1)> to_planes, to_records;
  constexpr Patterns() : to_planes{}, to_records{} {
    for (int k = R / 2 + 1; k <= R; ++k) {
      to_planes[static_cast<std::size_t>(k)] = fields_of_records<U, R>(k);
      to_records[static_cast<std::size_t>(k)] = records_of_fields<U, R>(k);
    }
  }
};
template <int U, int R>
inline constexpr Patterns<U, R> patterns;

// A band of pieces; of the R fields made, n_fields are stored.
template <int U, int R, Stores S>
struct RecordBand {
  const std::byte* in;
  int64 piece_stride, n_fields;
  std::byte* out;
  int64 out_stride;
  const std::uint8_t* pattern;

  template <int N, int L = 1>
  HWY_NOINLINE void run(int64 piece, int64 n_bands) const {
    constexpr int wide = 16 / R;
    for (const int64 end = piece + n_bands * (L * N / wide); piece < end; piece += L * N / wide) {
      Vecs<N, R> v[static_cast<std::size_t>(L)];
#pragma GCC unroll 4
      for (int l = 0; l < L; ++l) {
#pragma GCC unroll 16
        for (int i = 0; i < R; ++i) {
          const std::byte* from = in + (piece + l * (N / wide) + i) * piece_stride;
          v[l][i] = shuffled<N>(load_blocks<N>(from, R * piece_stride), repeated<N>(pattern));
        }
        interleave<N, wide>(v[l]);
      }
#pragma GCC unroll 16
      for (int c = 0; c < R; ++c) {
        if (c >= n_fields) continue;
#pragma GCC unroll 4
        for (int l = 0; l < L; ++l) put<N, S>(v[l][c], out + c * out_stride + piece * wide + l * N);
      }
    }
  }
};

// The first n_fields fields of n records of k < 16/U units, of which the bytes from the first record's start to `end` may be read. R is
// sought here; where a piece holds one record only, nothing needs to be shuffled.
template <int U, Stores S, int R = 2>
int64 fields_to_planes(const std::byte* in, int64 end, int64 n, int64 k, int64 n_fields, std::byte* out, int64 out_stride) {
  if constexpr (R * U < 16) {
    if (k > R) return fields_to_planes<U, S, 2 * R>(in, end, n, k, n_fields, out, out_stride);
  }
  constexpr int64 wide = 16 / R, q = wide / U, band_pieces = band_bytes / wide;
  const int64 stride = q * k * U;
  int64 n_pieces = end < 16 ? 0 : std::min((end - 16) / stride + 1, n / q);
  if constexpr (S == Stores::streaming) n_pieces -= n_pieces % band_pieces;
  if (k < 2 || n_pieces < R) return 0;
  if constexpr (q == 1) {
    if constexpr (S == Stores::streaming) {
      transpose_bands<widest, band_bytes / widest, U, S>(in, stride, n_pieces / band_pieces, n_fields, out, out_stride);
    } else {
      all_rows<widest, U>(Band<U>{in, stride, n_fields, out, out_stride}, 0, n_pieces);
    }
  } else {
    const RecordBand<U, R, S> band{in, stride, n_fields, out, out_stride, patterns<U, R>.to_planes[static_cast<std::size_t>(k)].data()};
    if constexpr (S == Stores::streaming) {
      band.template run<widest, band_bytes / widest>(0, n_pieces / band_pieces);
    } else {
      all_rows<widest, wide>(band, 0, n_pieces);
    }
  }
  return n_pieces * q;
}

template <int U, int R = 2>
int64 planes_to_records(const std::byte* in, int64 in_stride, int64 k, int64 n, std::byte* out) {
  if constexpr (R * U < 16) {
    if (k > R) return planes_to_records<U, 2 * R>(in, in_stride, k, n, out);
  }
  if (k < 2) return 0;
  constexpr int wide = 16 / R, N = std::min(widest, 32), n_blocks = N / 16;
  constexpr int64 q = wide / U, n_columns = N / U;
  const int64 stride = q * k * U;
  const Vec<16> pattern = load<16>(reinterpret_cast<const std::byte*>(patterns<U, R>.to_records[static_cast<std::size_t>(k)].data()));
  int64 c = 0;
  for (; c + n_columns <= n && (c + n_columns - q) * k * U + 16 <= n * k * U; c += n_columns) {
    Vecs<N, R> v;
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i) v[i] = load<N>(in + std::min<int64>(i, k - 1) * in_stride + c * U);
    interleave<N, wide>(v);
    std::byte* to = out + c * k * U;
#pragma GCC unroll 2
    for (int b = 0; b < n_blocks; ++b) {
#pragma GCC unroll 16
      for (int i = 0; i < R; ++i, to += stride) {
        Vec<16> piece = block_of<N>(v[i], b);
        if constexpr (wide > U) piece = shuffled<16>(piece, pattern);
        store<16>(piece, to);
      }
    }
  }
  return c;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
