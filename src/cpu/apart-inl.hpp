// Records taken apart, straight from memory: 64/U records at a time, of which every field is 64 bytes. Fields go by groups of K = 16/U, a
// block of 16 bytes of every record, so that records may be as long as they like and 64 bytes take some ten instructions.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_APART_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_APART_INL
#undef CRINKLE_CPU_APART_INL
#else
#define CRINKLE_CPU_APART_INL
#endif

#include <algorithm>

#include "cpu/blocks-inl.hpp"
#include "cpu/record_kernels.hpp"
#include "cpu/squares-inl.hpp"
#include "cpu/tables_stream-inl.hpp"
#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

#if HWY_TARGET <= HWY_AVX2
// Line `at` of a field. What does not fill a line waits behind the 64 bytes before it.
template <int U>
HWY_INLINE void put_line(const Line& v, const FieldLines& to, int64 at) {
  if (to.phase == 0) return v.stream_to(to.line + at);
  std::byte* const kept = to.waiting + to.phase - line;
#if HWY_TARGET <= HWY_AVX3
  stream<64>(Vec<64>{joined<U>(load<64>(kept).raw, v.part[0].raw, static_cast<int>(to.phase))}, to.line + at);
#else
  alignas(64) std::byte whole[line];
  v.store_to(whole);
  stream_joined(kept, whole, to.phase, to.line + at);
#endif
  v.store_to(kept);
}

// Two lines of every field at a time: one by one, streams that lie badly to each other in memory take up to a fifth longer. What is
// streamed is sent for before it is read, some lines with every group of fields; what is stored through the caches, before it is written.
template <int U, Stores S>
void apart(const std::byte* in, int64 in_stride, int64 n, const FieldLines* fields, int64 n_fields, int64 ahead) {
  constexpr int64 k = 16 / U, n_records = line / U, most_lines = 2;
  const int64 n_groups = (n_fields + k - 1) / k;
  for (int64 at = 0, n_lines; at < n; at += n_lines * n_records, in += n_lines * n_records * in_stride) {
    n_lines = std::min(most_lines, (n - at) / n_records);
    const int64 share = n_lines * n_records * in_stride / n_groups;
    for (int64 g = 0; g < n_groups; ++g) {
      const int64 last = std::min(n_fields, (g + 1) * k), first = std::max<int64>(0, last - k);
      for (int64 b = 0; S == Stores::streaming && b < share; b += line) prefetch_early(in + g * share, ahead + b);
      for (int64 l = 0; l < n_lines; ++l) {
        const std::byte* const from = in + l * n_records * in_stride + first * U;
        Vecs<widest, 16 / U> v[Line::n_parts];
#pragma GCC unroll 2
        for (int p = 0; p < Line::n_parts; ++p) {
#pragma GCC unroll 16
          for (int i = 0; i < k; ++i) v[p][i] = load_blocks<widest>(from + (p * (widest / U) + i) * in_stride, k * in_stride);
          interleave<widest, U>(v[p]);
        }
#pragma GCC unroll 16
        for (int c = 0; c < k; ++c) {
          const bool is_again = S == Stores::streaming && first + c < g * k;  // ordinary stores may put the same bytes twice
          if (is_again || (n_fields < k && c >= n_fields)) continue;
          const FieldLines& to = fields[first + c];
          const int64 out_at = (at + l * n_records) * U;
          if constexpr (S == Stores::streaming) {
            put_line<U>(line_of<k>(v, c), to, out_at);
          } else {
            prefetch_write(to.line + out_at, ahead);
            line_of<k>(v, c).store_to(to.line + out_at);
          }
        }
      }
    }
  }
}
#endif

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
