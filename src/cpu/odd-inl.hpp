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
