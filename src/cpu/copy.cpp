// Every kind is head, lines, tail: ordinary stores up to the destination's first whole line, non-temporal stores of whole lines, ordinary
// stores for what is left. A line that is stored non-temporally is always stored whole: parts of lines are flushed one by one.
// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/copy.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace crinkle {
namespace {

// Four pages in turn and a prefetch of 256 bytes ahead.
constexpr std::int64_t line = 64, page = 4096, n_ways = 4, ahead = 256;

// Copies line l of each of `ways` places, `way_bytes` apart, for l = 0 … n_lines−1. dst is a multiple of 64.
using CopyLines = void (*)(std::byte* dst, const std::byte* src, std::int64_t n_lines, std::int64_t ways, std::int64_t way_bytes);

void copy_lines_portable(std::byte* dst, const std::byte* src, std::int64_t n_lines, std::int64_t ways, std::int64_t way_bytes) {
  for (std::int64_t l = 0; l < n_lines; ++l) {
    for (std::int64_t w = 0; w < ways; ++w) std::memcpy(dst + w * way_bytes + l * line, src + w * way_bytes + l * line, line);
  }
}

#if defined(__x86_64__)
// The address is a number because it may lie behind the source's end, where a prefetch does nothing.
inline void prefetch(const std::byte* from) {
  _mm_prefetch(reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(from) + ahead), _MM_HINT_T0);
}

void copy_lines_sse2(std::byte* dst, const std::byte* src, std::int64_t n_lines, std::int64_t ways, std::int64_t way_bytes) {
  for (std::int64_t l = 0; l < n_lines; ++l) {
    for (std::int64_t w = 0; w < ways; ++w) {
      const auto* from = reinterpret_cast<const __m128i*>(src + w * way_bytes + l * line);
      auto* to = reinterpret_cast<__m128i*>(dst + w * way_bytes + l * line);
      if (ways > 1) prefetch(src + w * way_bytes + l * line);
      const __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1);
      const __m128i c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
      _mm_stream_si128(to, a);
      _mm_stream_si128(to + 1, b);
      _mm_stream_si128(to + 2, c);
      _mm_stream_si128(to + 3, d);
    }
  }
}

__attribute__((target("avx2"))) void copy_lines_avx2(std::byte* dst, const std::byte* src, std::int64_t n_lines, std::int64_t ways,
                                                     std::int64_t way_bytes) {
  for (std::int64_t l = 0; l < n_lines; ++l) {
    for (std::int64_t w = 0; w < ways; ++w) {
      const auto* from = reinterpret_cast<const __m256i*>(src + w * way_bytes + l * line);
      auto* to = reinterpret_cast<__m256i*>(dst + w * way_bytes + l * line);
      if (ways > 1) prefetch(src + w * way_bytes + l * line);
      const __m256i a = _mm256_loadu_si256(from), b = _mm256_loadu_si256(from + 1);
      _mm256_stream_si256(to, a);
      _mm256_stream_si256(to + 1, b);
    }
  }
}

__attribute__((target("avx512f"))) void copy_lines_avx512(std::byte* dst, const std::byte* src, std::int64_t n_lines, std::int64_t ways,
                                                          std::int64_t way_bytes) {
  for (std::int64_t l = 0; l < n_lines; ++l) {
    for (std::int64_t w = 0; w < ways; ++w) {
      if (ways > 1) prefetch(src + w * way_bytes + l * line);
      const __m512i a = _mm512_loadu_si512(src + w * way_bytes + l * line);
      _mm512_stream_si512(reinterpret_cast<__m512i*>(dst + w * way_bytes + l * line), a);
    }
  }
}

CopyLines lines_of(LineStore store) {
  constexpr CopyLines all[] = {copy_lines_portable, copy_lines_sse2, copy_lines_avx2, copy_lines_avx512};
  return all[static_cast<int>(store)];
}
void fence() { _mm_sfence(); }
#else
CopyLines lines_of(LineStore) { return copy_lines_portable; }
void fence() {}
#endif

LineStore find_widest() noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return LineStore::avx512;
  if (__builtin_cpu_supports("avx2")) return LineStore::avx2;
  return LineStore::sse2;
#else
  return LineStore::portable;
#endif
}

}  // namespace

const char* name_of(CopyKind kind) noexcept {
  constexpr const char* names[] = {"memcpy", "streamed", "interleaved"};
  return names[static_cast<int>(kind)];
}

LineStore widest_line_store() noexcept {
  static const LineStore widest = find_widest();
  return widest;
}

void copy_plain(CopyKind kind, std::byte* dst, const std::byte* src, std::int64_t n_bytes, LineStore store) {
  if (n_bytes == 0) return;
  const auto past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst) % line);
  const std::int64_t head = kind == CopyKind::memcpy ? n_bytes : std::min(n_bytes, (line - past_line) % line);
  std::memcpy(dst, src, static_cast<std::size_t>(head));
  std::int64_t at = head;
  const CopyLines copy_lines = lines_of(store);
  if (kind == CopyKind::interleaved) {
    for (; n_bytes - at >= n_ways * page; at += n_ways * page) copy_lines(dst + at, src + at, page / line, n_ways, page);
  }
  const std::int64_t n_lines = (n_bytes - at) / line;
  if (n_lines > 0) copy_lines(dst + at, src + at, n_lines, 1, 0);
  at += n_lines * line;
  if (at < n_bytes) std::memcpy(dst + at, src + at, static_cast<std::size_t>(n_bytes - at));
  if (kind != CopyKind::memcpy) fence();
}

void copy_plain(CopyKind kind, std::byte* dst, const std::byte* src, std::int64_t n_bytes, Executor& executor) {
  const auto past_page = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst) % page);
  const std::int64_t n_pages = (n_bytes + past_page + page - 1) / page;
  const std::int64_t n_parts = std::clamp<std::int64_t>(executor.n_workers(), 1, std::max<std::int64_t>(1, n_pages));
  // Part p begins with the destination's page ⌊n_pages·p / n_parts⌋.
  const auto begin_of = [&](std::int64_t p) { return std::clamp<std::int64_t>(n_pages * p / n_parts * page - past_page, 0, n_bytes); };
  executor.parallel_for(n_parts, [&](std::int64_t p) {
    const std::int64_t first = begin_of(p), last = begin_of(p + 1);
    copy_plain(kind, dst + first, src + first, last - first);
  });
}

}  // namespace crinkle
