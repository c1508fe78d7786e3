// Transposes of elements of 3, 5, 6, 7, 9 … 15 bytes: in a block that stays in the first cache, rows are widened to the next unit U, the
// units transposed, the columns narrowed again,
//     wide[k·U …]  =  in[k·e …],  0 ≤ k < n,  the bytes between e and U anything,
// 16 bytes at a time by a shuffle. Vectors of 64 bytes keep squares of 3, 5, 6 and 7 bytes in registers on the way, whose 16/U elements
// are an even number of bytes. On their way to columns anywhere in a line, elements of 9 to 63 bytes are put together to lines.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_ODD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_ODD_INL
#undef CRINKLE_CPU_ODD_INL
#else
#define CRINKLE_CPU_ODD_INL
#endif

#include <algorithm>
#include <array>

#include "cpu/squares-inl.hpp"
#include "cpu/table_kernels.hpp"
#include "cpu/transpose-inl.hpp"
#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

template <int U>
class Odd {
 public:
  explicit Odd(int64 e) : element_(e) {
    alignas(16) std::array<std::uint8_t, 16> wide, last, narrow;
    for (int64 b = 0; b < 16; ++b) {
      const int64 from = b / U * e + std::min(b % U, e - 1);
      wide[static_cast<std::size_t>(b)] = static_cast<std::uint8_t>(from);
      last[static_cast<std::size_t>(b)] = static_cast<std::uint8_t>(16 - per_vector * e + from);
      narrow[static_cast<std::size_t>(b)] = static_cast<std::uint8_t>(b < per_vector * e ? b / e * U + b % e : 0);
    }
    widening_ = load<16>(reinterpret_cast<const std::byte*>(wide.data()));
    widening_last_ = load<16>(reinterpret_cast<const std::byte*>(last.data()));
    narrowing_ = load<16>(reinterpret_cast<const std::byte*>(narrow.data()));
  }

  HWY_INLINE void widen(const std::byte* in, int64 n, std::byte* out) const {
    const int64 whole = n_whole(n);
    int64 k = 0;
    for (; k < whole; k += per_vector) store<16>(shuffled<16>(load<16>(in + k * element_), widening_), out + k * U);
    if (k + per_vector <= n && n * element_ >= 16) {  // the last of them end with the vector
      store<16>(shuffled<16>(load<16>(in + (k + per_vector) * element_ - 16), widening_last_), out + k * U);
      k += per_vector;
    }
    for (; k < n; ++k) copy_up_to_16(in + k * element_, out + k * U, element_);
  }
  // Between two elements, bytes of the second are written twice.
  HWY_INLINE void narrow(const std::byte* in, int64 n, std::byte* out) const {
    const int64 whole = n_whole(n);
    int64 k = 0;
    for (; k < whole; k += per_vector) store<16>(shuffled<16>(load<16>(in + k * U), narrowing_), out + k * element_);
    for (; k + per_vector <= n; k += per_vector)
      store_part(shuffled<16>(load<16>(in + k * U), narrowing_), out + k * element_, per_vector * element_);
    for (; k < n; ++k) copy_up_to_16(in + k * U, out + k * element_, element_);
  }

 private:
  static constexpr int64 per_vector = 16 / U;

  // Elements whose vectors end with the n-th or before.
  int64 n_whole(int64 n) const {
    return n * element_ < 16 ? 0 : std::min((n * element_ - 16) / (per_vector * element_) + 1, n / per_vector) * per_vector;
  }

  int64 element_;
  Vec<16> widening_, widening_last_, narrowing_;  // where each byte of a vector comes from
};

template <int U>
void table_odd_as(const std::byte* const* rows, int64 n_rows, std::byte* const* columns, int64 n_columns, int64 in_at, int64 out_at,
                  int64 element) {
  constexpr int64 edge = 32, gap = 64;  // rows and columns of a block; power-of-two strides share a set of the cache
  constexpr int64 pitch = edge * U + gap;
  alignas(64) std::byte wide[static_cast<std::size_t>(edge * pitch)], turned[static_cast<std::size_t>(edge * pitch)];
  const Odd<U> odd(element);
  for (int64 c = 0; c < n_columns; c += edge) {
    const int64 width = std::min(edge, n_columns - c);
    for (int64 r = 0; r < n_rows; r += edge) {
      const int64 height = std::min(edge, n_rows - r);
      for (int64 k = 0; k < height; ++k) odd.widen(rows[r + k] + in_at + c * element, width, wide + k * pitch);
      transpose<U>(wide, pitch, height, width, turned, pitch);
      for (int64 k = 0; k < width; ++k) odd.narrow(turned + k * pitch, height, columns[c + k] + out_at + r * element);
    }
  }
}

#if HWY_TARGET <= HWY_AVX3
// Rows of 64/U elements, of e = 3, 5, 6 or 7 bytes, to vectors of units and back: words go to and from the 16-byte block that has them,
// bytes to their place inside it.
template <int U>
class OddVectors {
 public:
  explicit OddVectors(int64 e) {
    alignas(64) std::array<std::uint16_t, 32> apart, together = {};
    alignas(64) std::array<std::uint8_t, 64> wide, narrow;
    const int64 n_words = per_block * e / 2;
    for (int64 w = 0; w < 32; ++w) {
      apart[static_cast<std::size_t>(w)] = static_cast<std::uint16_t>(w / 8 * n_words + w % 8);
      if (w < 4 * n_words) together[static_cast<std::size_t>(w)] = static_cast<std::uint16_t>(w / n_words * 8 + w % n_words);
    }
    for (int64 b = 0; b < 64; ++b) {
      const int64 i = b % 16;
      wide[static_cast<std::size_t>(b)] = static_cast<std::uint8_t>(i / U * e + std::min(i % U, e - 1));
      narrow[static_cast<std::size_t>(b)] = static_cast<std::uint8_t>(i < per_block * e ? i / e * U + i % e : 0);
    }
    apart_ = _mm512_load_si512(apart.data());
    together_ = _mm512_load_si512(together.data());
    wide_ = _mm512_load_si512(wide.data());
    narrow_ = _mm512_load_si512(narrow.data());
  }
  HWY_INLINE Vec<64> widened(const std::byte* in, std::uint64_t wanted) const {
    return Vec<64>{_mm512_shuffle_epi8(_mm512_permutexvar_epi16(apart_, _mm512_maskz_loadu_epi8(wanted, in)), wide_)};
  }
  HWY_INLINE void store_narrowed(Vec<64> v, std::byte* out, std::uint64_t there) const {
    _mm512_mask_storeu_epi8(out, there, _mm512_permutexvar_epi16(together_, _mm512_shuffle_epi8(v.raw, narrow_)));
  }

 private:
  static constexpr int64 per_block = 16 / U;
  __m512i apart_, together_, wide_, narrow_;
};

// The same as table_odd, in squares.
template <int U>
HWY_INLINE void odd_squares(const OddVectors<U>& odd, const std::byte* const* rows, int64 n_rows, std::byte* const* columns,
                            int64 n_columns, int64 in_at, int64 out_at, int64 element) {
  constexpr int n = 16 / U;
  constexpr int64 edge = line / U;
  for (int64 c = 0; c < n_columns; c += edge) {
    const int64 width = std::min(edge, n_columns - c);
    const std::uint64_t wanted = Shifted::low(width * element);
    for (int64 r = 0; r < n_rows; r += edge) {
      const int64 height = std::min(edge, n_rows - r);
      const std::uint64_t there = Shifted::low(height * element);
      Vecs<64, n> v[4];
#pragma GCC unroll 16
      for (int k = 0; k < edge; ++k) v[k / n][k % n] = odd.widened(rows[r + std::min<int64>(k, height - 1)] + in_at + c * element, wanted);
      turn_square<U>(v);
#pragma GCC unroll 16
      for (int k = 0; k < edge; ++k)
        if (k < width) odd.store_narrowed(v[k / n][k % n], columns[c + k] + out_at + r * element, there);
    }
  }
}

// Calls f(squares) with what turns elements of less than 8 bytes, 64/U columns at a time.
template <class F>
HWY_INLINE void with_squares(int64 element, const F& f) {
  element < 4 ? f(OddVectors<4>(element)) : f(OddVectors<8>(element));
}

// As table_shift, by squares: some columns of a strip at a time are put together in a buffer, which they leave by whole lines.
template <int U>
HWY_INLINE void odd_squares_shift(const OddVectors<U>& odd, const std::byte* const* rows, int64 n_rows, std::byte* const* columns,
                                  int64 n_columns, int64 out_at, int64 element, std::byte* carry, bool is_first, bool is_last,
                                  int64 ahead) {
  constexpr int64 n = line / U, pitch = most_odd_rows * 8 + line;
  alignas(64) std::byte together[static_cast<std::size_t>(n * pitch)];
  std::byte* to[static_cast<std::size_t>(n)];
  for (int64 k = 0; k < n; ++k) to[k] = together + k * pitch;
  const int64 bytes = n_rows * element;
  for (int64 c = 0; c < n_columns; c += n) {
    const int64 width = std::min(n, n_columns - c);
    if (ahead != 0)
      for (int64 r = 0; r < n_rows; ++r) prefetch(rows[r] + c * element, ahead);
    odd_squares(odd, rows, n_rows, to, width, c * element, 0, element);
    for (int64 k = 0; k < width; ++k) {
      for (int64 at = 0; at < bytes; at += line) {
        const Shifted lines{out_at + at, std::min<int64>(line, bytes - at), is_first && at == 0, is_last && at + line >= bytes};
        lines.put<1>(Line{{load<64>(to[k] + at)}}, columns[c + k], carry + (c + k) * line);
      }
    }
  }
}

// Puts lines of a strip's column together from bytes of elements of one row each, loaded so that they come to lie in their place.
class OddLines {
 public:
  OddLines(const std::byte* const* rows, int64 n_rows, int64 element) : bytes_(n_rows * element) {
    for (int64 at = 0; at < bytes_; at += line, ++n_lines_) {
      first_[n_lines_] = n_;
      for (int64 r = at / element; r < n_rows && r * element < at + line; ++r, ++n_) {
        const int64 place = r * element - at;
        wanted_[n_] = Shifted::low(place + element) & ~(place > 0 ? Shifted::low(place) : 0);
        from_[n_] = reinterpret_cast<std::uintptr_t>(rows[r]) - static_cast<std::uintptr_t>(place);  // may lie before the array: a number
      }
    }
    first_[n_lines_] = n_;
  }
  int64 n_lines() const { return n_lines_; }
  int64 bytes() const { return bytes_; }
  HWY_INLINE Vec<64> line_of(int64 l, int64 at) const {
    __m512i v = _mm512_setzero_si512();
    for (int64 i = first_[l]; i < first_[l + 1]; ++i)
      v = _mm512_mask_loadu_epi8(v, wanted_[i], reinterpret_cast<const void*>(from_[i] + static_cast<std::uintptr_t>(at)));
    return Vec<64>{v};
  }

 private:
  std::uint64_t wanted_[2 * most_odd_rows];
  std::uintptr_t from_[2 * most_odd_rows];
  int64 first_[most_odd_rows + 1];
  int64 n_ = 0, n_lines_ = 0, bytes_;
};

inline void table_odd_shift(const std::byte* const* rows, int64 n_rows, std::byte* const* columns, int64 n_columns, int64 out_at,
                            int64 element, std::byte* carry, bool is_first, bool is_last, int64 ahead) {
  if (element < 8) {
    return with_squares(element, [&](const auto& odd) {
      odd_squares_shift(odd, rows, n_rows, columns, n_columns, out_at, element, carry, is_first, is_last, ahead);
    });
  }
  const OddLines odd(rows, n_rows, element);
  for (int64 c = 0; c < n_columns; ++c) {
    if (ahead != 0 && (c == 0 || c * element / line != (c - 1) * element / line))
      for (int64 r = 0; r < n_rows; ++r) prefetch(rows[r] + c * element, ahead);
    for (int64 l = 0; l < odd.n_lines(); ++l) {
      const int64 at = l * line;
      const Shifted lines{out_at + at, std::min<int64>(line, odd.bytes() - at), is_first && l == 0, is_last && l + 1 == odd.n_lines()};
      lines.put<1>(Line{{odd.line_of(l, c * element)}}, columns[c], carry + c * line);
    }
  }
}
#endif

// Requires element < 16.
inline void table_odd(const std::byte* const* rows, int64 n_rows, std::byte* const* columns, int64 n_columns, int64 in_at, int64 out_at,
                      int64 element) {
#if HWY_TARGET <= HWY_AVX3
  if (element < 8)
    return with_squares(element, [&](const auto& odd) { odd_squares(odd, rows, n_rows, columns, n_columns, in_at, out_at, element); });
#endif
  if (element <= 4) return table_odd_as<4>(rows, n_rows, columns, n_columns, in_at, out_at, element);
  if (element <= 8) return table_odd_as<8>(rows, n_rows, columns, n_columns, in_at, out_at, element);
  table_odd_as<16>(rows, n_rows, columns, n_columns, in_at, out_at, element);
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
