// Kernels along one row: copied, reversed, gathered, scattered, filled, with the bytes of its items reversed; by ordinary stores or by
// whole lines. What is left after the last whole vector is one more vector, shifted back to end where the row ends.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_ROWS_INL
#undef CRINKLE_CPU_ROWS_INL
#else
#define CRINKLE_CPU_ROWS_INL
#endif

#include <algorithm>
#include <array>

#include "cpu/blocks-inl.hpp"
#include "cpu/records-inl.hpp"
#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

struct CopyBand {
  const std::byte* in;
  std::byte* out;
  template <int N>
  HWY_INLINE void run(int64 at, int64 n_bands) const {
    for (const int64 stop = at + n_bands * N; at < stop; at += N) store<N>(load<N>(in + at), out + at);
  }
};

HWY_INLINE int64 bytes_to_line(const std::byte* p) { return static_cast<int64>(-reinterpret_cast<std::uintptr_t>(p) % line); }

// Stores that cross from line to line cost twice: from here on the first line goes alone, and the others where lines begin.
constexpr int64 lined_up_from = 256;
// From here on runs are the C library's.
constexpr int64 library_from = 4096;

inline void copy(const std::byte* in, std::byte* out, int64 bytes) {
  constexpr int wide = widest < 32 ? 16 : 32;
  if (bytes <= 16) return copy_up_to_16(in, out, bytes);
  if (bytes <= 32) return copy_ends<Vec<16>>(in, out, bytes);
  if (bytes <= 2 * wide) return copy_ends<Vec<wide>>(in, out, bytes);
  if (bytes >= library_from) return static_cast<void>(std::memcpy(out, in, static_cast<std::size_t>(bytes)));
  const int64 at = bytes >= lined_up_from ? bytes_to_line(out) : 0;
  if (at > 0) CopyBand{in, out}.run<widest>(0, line / widest);
  all_rows<widest, 1>(CopyBand{in + at, out + at}, 0, bytes - at);
}

inline void stream_from(const std::byte* in, std::byte* out, int64 bytes, int64 ahead) {
  int64 at = std::min(bytes, bytes_to_line(out));
  copy(in, out, at);
  for (; at + line <= bytes; at += line) {
    if (ahead != 0) prefetch(in + at, ahead);
    Vecs<widest, line / widest> v;
#pragma GCC unroll 4
    for (int l = 0; l < line / widest; ++l) v[l] = load<widest>(in + at + l * widest);
#pragma GCC unroll 4
    for (int l = 0; l < line / widest; ++l) stream<widest>(v[l], out + at + l * widest);
  }
  copy(in + at, out + at, bytes - at);
}

inline void stream_copy(const std::byte* in, std::byte* out, int64 bytes) { stream_from(in, out, bytes, 0); }

template <int U>
struct ReverseBand {
  const std::byte* end;
  std::byte* out;
  template <int N>
  HWY_INLINE void run(int64 at, int64 n_bands) const {
    for (const int64 stop = at + n_bands * N; at < stop; at += N) store<N>(reversed<N, U>(load<N>(end - at - N)), out + at);
  }
};

// Bytes 16−m … 31−m reverse the units in the first m bytes of a vector.
template <int U>
constexpr std::array<std::uint8_t, 32> reversal_of_part() {
  std::array<std::uint8_t, 32> p{};
  for (int i = 0; i < 16; ++i) p[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>((15 / U - i / U) * U + i % U);
  return p;
}
template <int U>
inline constexpr std::array<std::uint8_t, 32> part_reversal = reversal_of_part<U>();

template <int U>
void reverse(const std::byte* in, int64 n, std::byte* out) {
  const int64 bytes = n * U;
  if (bytes >= 16) return all_rows<widest, 1>(ReverseBand<U>{in + bytes, out}, 0, bytes);
  if (bytes <= 0) return;
  const Vec<16> places = load<16>(reinterpret_cast<const std::byte*>(part_reversal<U>.data()) + 16 - bytes);
  store_part(shuffled<16>(load_part(in, bytes), places), out, bytes);
}

template <int U>
void stream_reversed(const std::byte* in, int64 n, std::byte* out, int64 ahead) {
  const int64 bytes = n * U;
  if (reinterpret_cast<std::uintptr_t>(out) % U != 0) {  // lines cut units: reversed into L1 first
    constexpr int64 chunk = 4096;
    alignas(64) std::array<std::byte, chunk + line> buffer;
    std::byte* staged = buffer.data() + reinterpret_cast<std::uintptr_t>(out) % line;
    for (int64 at = 0, n_bytes; at < bytes; at += n_bytes) {
      n_bytes = std::min(chunk, bytes - at);
      reverse<U>(in + bytes - at - n_bytes, n_bytes / U, staged);
      stream_copy(staged, out + at, n_bytes);
    }
    return;
  }
  int64 at = std::min(bytes, bytes_to_line(out));
  reverse<U>(in + bytes - at, at / U, out);
  for (; at + line <= bytes; at += line) {
    if (ahead != 0) prefetch(in + bytes - at, -ahead - line);
    Vecs<widest, line / widest> v;
#pragma GCC unroll 4
    for (int l = 0; l < line / widest; ++l) v[l] = reversed<widest, U>(load<widest>(in + bytes - at - (l + 1) * widest));
#pragma GCC unroll 4
    for (int l = 0; l < line / widest; ++l) stream<widest>(v[l], out + at + l * widest);
  }
  reverse<U>(in, (bytes - at) / U, out + at);
}

// Byte i comes from its mirror image in its item of s bytes, for the 16/s whole items of a vector.
constexpr std::array<Pattern, 17> item_reversals() {
  std::array<Pattern, 17> all{};
  for (std::size_t s = 1; s <= 16; ++s)
    for (std::size_t i = 0; i < 16 / s * s; ++i) all[s][i] = static_cast<std::uint8_t>(i / s * s + s - 1 - i % s);
  return all;
}
alignas(64) inline constexpr std::array<Pattern, 17> item_reversal = item_reversals();

struct SwapBand {
  const std::byte* in;
  std::byte* out;
  const std::uint8_t* pattern;
  template <int N>
  HWY_INLINE void run(int64 at, int64 n_bands) const {
    for (const int64 stop = at + n_bands * N; at < stop; at += N) store<N>(shuffled<N>(load<N>(in + at), repeated<N>(pattern)), out + at);
  }
};

inline void swap_bytes(const std::byte* in, int64 bytes, int item_bytes, std::byte* out) {
  if (item_bytes > 16) {
    for (int64 at = 0; at < bytes; at += item_bytes) reverse<1>(in + at, item_bytes, out + at);
    return;
  }
  const std::uint8_t* pattern = item_reversal[static_cast<std::size_t>(item_bytes)].data();
  if ((item_bytes & (item_bytes - 1)) == 0 && bytes >= 16) return all_rows<widest, 1>(SwapBand{in, out, pattern}, 0, bytes);
  const int64 step = 16 / item_bytes * item_bytes;
  int64 at = 0;
  for (; at + 16 <= bytes; at += step) SwapBand{in, out, pattern}.run<16>(at, 1);
  if (at < bytes) store_part(shuffled<16>(load_part(in + at, bytes - at), repeated<16>(pattern)), out + at, bytes - at);
}

// `pattern` is 16 bytes, at a multiple of 16.
inline void fill_row(std::byte* out, int64 bytes, const std::uint8_t* pattern) {
  int64 at = 0;
  for (const Vec<widest> v = repeated<widest>(pattern); at + widest <= bytes; at += widest) store<widest>(v, out + at);
  const Vec<16> v = repeated<16>(pattern);
  for (; at + 16 <= bytes; at += 16) store<16>(v, out + at);
  if (at < bytes) store_part(v, out + at, bytes - at);
}
inline void fill(std::byte* out, int64 bytes, const std::byte* pattern16) {
  alignas(16) Pattern pattern;
  std::memcpy(pattern.data(), pattern16, 16);
  fill_row(out, bytes, pattern.data());
}

// out[i] = in[i·in_stride] unit by unit; short units eight bytes at a time.
template <int U>
void gather_units(const std::byte* in, int64 in_stride, int64 n, std::byte* out) {
  constexpr int together = U < 8 ? 8 / U : 1;
  int64 i = 0;
  for (; i + together <= n; i += together, in += together * in_stride, out += together * U) {
    if constexpr (U < 4) {
      std::uint64_t word = 0;
#pragma GCC unroll 8
      for (int j = together - 1; j >= 0; --j) {
        Unit<U> unit;
        std::memcpy(&unit, in + j * in_stride, U);
        word = word << (8 * U) | unit;
      }
      std::memcpy(out, &word, 8);
    } else {
#pragma GCC unroll 8
      for (int j = 0; j < together; ++j) std::memcpy(out + j * U, in + j * in_stride, U);
    }
  }
  for (; i < n; ++i, in += in_stride, out += U) std::memcpy(out, in, U);
}

template <int U>
void gather(const std::byte* in, int64 in_stride, int64 n, std::byte* out) {
  if (n <= 0) return;
  if (in_stride == U) return copy(in, out, n * U);
  if (in_stride == -U) return reverse<U>(in - (n - 1) * U, n, out);
  if (in_stride == 0) {
    alignas(16) Pattern pattern;
    for (std::size_t at = 0; at < 16; at += U) std::memcpy(pattern.data() + at, in, U);
    return fill_row(out, n * U, pattern.data());
  }
  if constexpr (U <= 4) {
    if (in_stride > 0 && in_stride <= 16 && in_stride % U == 0) {
      const int64 done = fields_to_planes<U, Stores::ordinary>(in, (n - 1) * in_stride + U, n, in_stride / U, 1, out, 0);
      in += done * in_stride, n -= done, out += done * U;
    } else if (in_stride < 0 && in_stride >= -16 && n >= 64) {
      std::array<std::byte, 1024> forth;
      constexpr int64 chunk = 1024 / U;
      for (int64 i = 0, m; i < n; i += m) {
        m = std::min(chunk, n - i);
        gather<U>(in + (i + m - 1) * in_stride, -in_stride, m, forth.data());
        reverse<U>(forth.data(), m, out + i * U);
      }
      return;
    }
  }
  gather_units<U>(in, in_stride, n, out);
}

template <int U>
void scatter(const std::byte* in, int64 n, std::byte* out, int64 out_stride) {
  if (out_stride == U) return copy(in, out, n * U);
  for (int64 i = 0; i < n; ++i) std::memcpy(out + i * out_stride, in + i * U, U);
}

// n_rows runs of some bytes, each from and to the next of evenly spaced places.
inline void copy_rows(const std::byte* in, int64 in_stride, std::byte* out, int64 out_stride, int64 n_rows, int64 bytes) {
#if HWY_TARGET <= HWY_AVX3
  if (bytes >= lined_up_from) {
    for (int64 r = 0; r < n_rows; ++r) copy(in + r * in_stride, out + r * out_stride, bytes);
    return;
  }
  const int64 whole = bytes / line * line;
  const auto rest = (std::uint64_t{1} << (bytes - whole)) - 1;
  for (int64 r = 0; r < n_rows; ++r, in += in_stride, out += out_stride) {
    for (int64 k = 0; k < whole; k += line) store<64>(load<64>(in + k), out + k);
    if (rest != 0) _mm512_mask_storeu_epi8(out + whole, rest, _mm512_maskz_loadu_epi8(rest, in + whole));
  }
#else
  for (int64 r = 0; r < n_rows; ++r) copy(in + r * in_stride, out + r * out_stride, bytes);
#endif
}

// Rows in turn, half a KiB of each: reads and writes of several memory pages are under way at once.
inline void stream_rows(const std::byte* const* in, std::byte* const* out, int64 n_rows, int64 bytes, int64 ahead) {
  constexpr int64 turn = 512;
  for (int64 at = 0; at < bytes; at += turn) {
    const int64 end = std::min(bytes, at + turn);
    for (int64 r = 0; r < n_rows; ++r) {
      const std::byte* from = in[r];
      std::byte* to = out[r];
      for (int64 k = at; k < end; k += line) {
        if (ahead != 0) prefetch(from + k, ahead);
        Vecs<widest, line / widest> v;
#pragma GCC unroll 4
        for (int l = 0; l < line / widest; ++l) v[l] = load<widest>(from + k + l * widest);
#pragma GCC unroll 4
        for (int l = 0; l < line / widest; ++l) stream<widest>(v[l], to + k + l * widest);
      }
    }
  }
}

inline void drain_lines(std::byte* stage, int64 pitch, std::byte* const* columns, int64 n_columns, int64 out_at, int64 n_lines) {
  for (int64 c = 0; c < n_columns; ++c) {
    std::byte* from = stage + c * pitch;
    std::byte* to = columns[c] - static_cast<int64>(reinterpret_cast<std::uintptr_t>(columns[c]) % line) + out_at;
    for (int64 l = 0; l < n_lines; ++l) {
#pragma GCC unroll 4
      for (int i = 0; i < line; i += widest) stream<widest>(load<widest>(from + l * line + i), to + l * line + i);
    }
#pragma GCC unroll 4
    for (int i = 0; i < line; i += widest) store<widest>(load<widest>(from + n_lines * line + i), from + i);
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
