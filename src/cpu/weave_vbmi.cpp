// Programs of one vector keep their tables in registers; others read them again for every period, from the first cache.
// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/weave_vbmi.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace crinkle::simd {

#if defined(__x86_64__)
namespace {

#define CRINKLE_VBMI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi")))

constexpr std::int64_t width = 64;

// The last vector of all: nothing behind it is overwritten.
CRINKLE_VBMI inline void put_last(__m512i v, std::byte* out, std::int32_t n) {
  _mm512_mask_storeu_epi8(out, n == width ? ~__mmask64{0} : (__mmask64{1} << n) - 1, v);
}

template <bool is_streaming>
CRINKLE_VBMI inline void put(__m512i v, std::byte* out) {
  if constexpr (is_streaming) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(out), v);
  } else {
    _mm512_storeu_si512(out, v);
  }
}

CRINKLE_VBMI inline __m512i initial_of(const WeaveProgram& program, const WovenVector& v) {
  return v.initial < 0 ? _mm512_setzero_si512() : _mm512_loadu_si512(program.initials.data() + v.initial * width);
}

// One vector of n_pieces a period, whose tables stay in registers.
template <bool is_streaming, std::size_t n_pieces>
CRINKLE_VBMI void weave_vector(const WeaveProgram& program, const std::byte* const* bases, std::int64_t src_step, std::int64_t n,
                               std::byte* out, std::int64_t out_step) {
  __m512i index[n_pieces];
  __mmask64 mask[n_pieces];
  const std::byte* at[n_pieces];
#pragma GCC unroll 8
  for (std::size_t p = 0; p < n_pieces; ++p) {
    const WovenPiece& piece = program.pieces[p];
    index[p] = _mm512_loadu_si512(program.indexes.data() + p * std::size_t{width});
    mask[p] = piece.mask;
    at[p] = bases[piece.base] + piece.offset;
  }
  const __m512i initial = initial_of(program, program.vectors[0]);
  for (std::int64_t i = 0, from = 0; i < n; ++i, from += src_step, out += out_step) {
    __m512i v = initial;
#pragma GCC unroll 8
    for (std::size_t p = 0; p < n_pieces; ++p) v = _mm512_mask_permutexvar_epi8(v, mask[p], index[p], _mm512_loadu_si512(at[p] + from));
    if (!is_streaming && i + 1 == n) return put_last(v, out, program.n_last);
    put<is_streaming>(v, out);
  }
}

// Any number of vectors; where there is one base only, it stays in a register.
template <bool is_streaming, std::size_t n_pieces, bool is_one_base>
CRINKLE_VBMI void weave_vectors(const WeaveProgram& program, const std::byte* const* bases, std::int64_t src_step, std::int64_t n,
                                std::byte* out, std::int64_t out_step) {
  const WovenVector* const first = program.vectors.data();
  const std::size_t n_vectors = program.vectors.size();
  for (std::int64_t i = 0, from = 0; i < n; ++i, from += src_step, out += out_step) {
    const WovenPiece* piece = program.pieces.data();
    const std::uint8_t* index = program.indexes.data();
    const std::byte* const only = bases[0] + from;
    for (const WovenVector* v = first; v < first + n_vectors; ++v, piece += n_pieces, index += n_pieces * width) {
      __m512i woven = initial_of(program, *v);
#pragma GCC unroll 8
      for (std::size_t p = 0; p < n_pieces; ++p) {
        const std::byte* const window = (is_one_base ? only : bases[piece[p].base] + from) + piece[p].offset;
        woven = _mm512_mask_permutexvar_epi8(woven, piece[p].mask, _mm512_loadu_si512(index + p * std::size_t{width}),
                                             _mm512_loadu_si512(window));
      }
      if (!is_streaming && i + 1 == n && v + 1 == first + n_vectors) return put_last(woven, out + v->at, program.n_last);
      put<is_streaming>(woven, out + v->at);
    }
  }
}

template <bool is_streaming, std::size_t n_pieces>
CRINKLE_VBMI void weave_pieces(const WeaveProgram& program, const std::byte* const* bases, std::int64_t src_step, std::int64_t n,
                               std::byte* out, std::int64_t out_step) {
  if (program.vectors.size() == 1) return weave_vector<is_streaming, n_pieces>(program, bases, src_step, n, out, out_step);
  if (program.n_bases == 1) return weave_vectors<is_streaming, n_pieces, true>(program, bases, src_step, n, out, out_step);
  weave_vectors<is_streaming, n_pieces, false>(program, bases, src_step, n, out, out_step);
}

template <bool is_streaming>
void weave(const WeaveProgram& program, const std::byte* const* bases, std::int64_t src_step, std::int64_t n, std::byte* out,
           std::int64_t out_step) {
  constexpr decltype(&weave_pieces<is_streaming, 1>) of_pieces[] = {
      weave_pieces<is_streaming, 1>, weave_pieces<is_streaming, 2>, weave_pieces<is_streaming, 3>, weave_pieces<is_streaming, 4>,
      weave_pieces<is_streaming, 5>, weave_pieces<is_streaming, 6>, weave_pieces<is_streaming, 7>, weave_pieces<is_streaming, 8>};
  of_pieces[program.n_pieces - 1](program, bases, src_step, n, out, out_step);
}

#undef CRINKLE_VBMI
}  // namespace

bool has_vbmi() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi");
}
void weave_vbmi(const WeaveProgram& program, const std::byte* const* bases, std::int64_t src_step, std::int64_t n, std::byte* out,
                std::int64_t out_step) {
  weave<false>(program, bases, src_step, n, out, out_step);
}
void weave_stream_vbmi(const WeaveProgram& program, const std::byte* const* bases, std::int64_t src_step, std::int64_t n, std::byte* out,
                       std::int64_t out_step) {
  weave<true>(program, bases, src_step, n, out, out_step);
}
#else
bool has_vbmi() { return false; }
void weave_vbmi(const WeaveProgram&, const std::byte* const*, std::int64_t, std::int64_t, std::byte*, std::int64_t) {}
void weave_stream_vbmi(const WeaveProgram&, const std::byte* const*, std::int64_t, std::int64_t, std::byte*, std::int64_t) {}
#endif

}  // namespace crinkle::simd
