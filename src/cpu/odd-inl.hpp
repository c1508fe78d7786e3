// Transposes of elements of 3, 5, 6, 7, 9 … 15 bytes: in a block that stays in the first cache, rows are widened to the next unit U, the
// units transposed, the columns narrowed again,
//     wide[k·U …]  =  in[k·e …],  0 ≤ k < n,  the bytes between e and U anything,
// 16 bytes at a time by a shuffle.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_ODD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_ODD_INL
#undef CRINKLE_CPU_ODD_INL
#else
#define CRINKLE_CPU_ODD_INL
#endif

#include <algorithm>
#include <array>
#include <bit>

#include "cpu/transpose-inl.hpp"
#include "cpu/vectors-inl.hpp"
#include "cpu/weave-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

template <int U>
struct Odd {
  static constexpr int64 per_vector = 16 / U;
  int64 element;
  Vec<16> widening, narrowing;  // where each byte of a vector comes from

  explicit Odd(int64 e) : element(e) {
    alignas(16) std::array<std::uint8_t, 16> wide, narrow;
    for (int64 b = 0; b < 16; ++b) {
      const int64 in_element = std::min(b % U, e - 1);
      wide[static_cast<std::size_t>(b)] = static_cast<std::uint8_t>(b / U * e + in_element);
      narrow[static_cast<std::size_t>(b)] = static_cast<std::uint8_t>(b < per_vector * e ? b / e * U + b % e : 0);
    }
    widening = load<16>(reinterpret_cast<const std::byte*>(wide.data()));
    narrowing = load<16>(reinterpret_cast<const std::byte*>(narrow.data()));
  }

  // A vector's 16 bytes are read and written while they are all named ones.
  int64 n_by_vectors(int64 n) const {
    return n * element < 16 ? 0 : std::min((n * element - 16) / element / per_vector + 1, n / per_vector) * per_vector;
  }

  HWY_INLINE void widen(const std::byte* in, int64 n, std::byte* out) const {
    const int64 whole = n_by_vectors(n);
    for (int64 k = 0; k < whole; k += per_vector) store<16>(with_bytes(vector_of(0, 0), load<16>(in + k * element), widening), out + k * U);
    for (int64 k = whole; k < n; ++k) copy_up_to_16(in + k * element, out + k * U, element);
  }
  HWY_INLINE void narrow(const std::byte* in, int64 n, std::byte* out) const {
    const int64 whole = n_by_vectors(n);
    for (int64 k = 0; k < whole; k += per_vector)
      store<16>(with_bytes(vector_of(0, 0), load<16>(in + k * U), narrowing), out + k * element);
    for (int64 k = whole; k < n; ++k) copy_up_to_16(in + k * U, out + k * element, element);
  }
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

// Requires element < 16.
inline void table_odd(const std::byte* const* rows, int64 n_rows, std::byte* const* columns, int64 n_columns, int64 in_at, int64 out_at,
                      int64 element) {
  if (element <= 4) return table_odd_as<4>(rows, n_rows, columns, n_columns, in_at, out_at, element);
  if (element <= 8) return table_odd_as<8>(rows, n_rows, columns, n_columns, in_at, out_at, element);
  table_odd_as<16>(rows, n_rows, columns, n_columns, in_at, out_at, element);
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
