// The permutations are tables that the compiler makes: even numbers of fields go two at a time, pairs of pairs and so on; odd ones all at
// once.
// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/few_vbmi.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "cpu/lines_vbmi.hpp"
#include "cpu/weave_vbmi.hpp"

namespace crinkle::simd {

#if defined(__x86_64__)
namespace {

using namespace vbmi;

template <int bytes>
using Lane =
    std::conditional_t<bytes == 1, std::uint8_t,
                       std::conditional_t<bytes == 2, std::uint16_t, std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>>;

enum class Way { together, apart };

// For vectors of 64/U records of F units of U bytes. Unit e of the records, in their vector e / n at place e mod n, is field e mod F of
// record e / F, which arrays have in vector e mod F at place e / F. Where F and n have no common divisor, the n units of a field lie at n
// different places of the records' vectors: they are laid over each other under masks and need one permutation. Units of 16 bytes are two
// lanes.
template <int U, std::size_t F, Way way>
struct Permutations {
  static constexpr int lane_bytes = std::min(U, 8);
  static constexpr std::size_t lanes_of_unit = U / lane_bytes, n_lanes = width / lane_bytes, n_units = width / U;
  static constexpr bool are_laid_over = F % 2 != 0;

  // [j][k], laid over each other: the lane of field j's vector that goes to lane k of the records' vectors, or the other way round.
  // Else, of two fields: the lane of vector j, or n_lanes further of the second one, that lane k of vector j that leaves has.
  alignas(width) Lane<lane_bytes> lane[F][n_lanes] = {};
  std::uint64_t mask[F][F] = {};      // [j][i], laid over each other: lanes of the records' vector i that are field j's
  std::uint64_t from_second[F] = {};  // of two: lanes of vector j that leaves that come from the second

  constexpr Permutations() {
    for (std::size_t e = 0; e < F * n_units; ++e) {
      const std::size_t j = e % F, i = e / n_units, in_records = e % n_units, in_array = e / F;
      for (std::size_t part = 0; part < lanes_of_unit; ++part) {
        const std::size_t r = in_records * lanes_of_unit + part, a = in_array * lanes_of_unit + part;
        const bool is_together = way == Way::together;
        const std::size_t from = is_together ? a : r, to = is_together ? r : a;
        const std::size_t came = is_together ? j : i, leaves = is_together ? i : j;
        mask[j][i] |= std::uint64_t{1} << r;
        if (came == 1) from_second[leaves] |= std::uint64_t{1} << to;
        lane[are_laid_over ? j : leaves][to] = static_cast<Lane<lane_bytes>>(are_laid_over ? from : came * n_lanes + from);
      }
    }
  }
};
template <int U, std::size_t F, Way way>
constexpr Permutations<U, F, way> permutations;

template <int lane_bytes>
CRINKLE_VBMI_INLINE __m512i permuted(__m512i v, const void* lanes) {
  const __m512i index = _mm512_load_si512(lanes);
  if constexpr (lane_bytes == 1) return _mm512_permutexvar_epi8(index, v);
  if constexpr (lane_bytes == 2) return _mm512_permutexvar_epi16(index, v);
  if constexpr (lane_bytes == 4) return _mm512_permutexvar_epi32(index, v);
  return _mm512_permutexvar_epi64(index, v);
}
// Vector j that leaves of two fields. With narrow lanes a permutation of two vectors costs three times as much as one of a single vector.
template <int U, Way way>
CRINKLE_VBMI_INLINE __m512i of_two(__m512i a, __m512i b, std::size_t j) {
  constexpr const auto& table = permutations<U, 2, way>;
  const __m512i index = _mm512_load_si512(table.lane[j]);
  if constexpr (table.lane_bytes == 1)
    return _mm512_mask_permutexvar_epi8(_mm512_permutexvar_epi8(index, a), table.from_second[j], index, b);
  if constexpr (table.lane_bytes == 2)
    return _mm512_mask_permutexvar_epi16(_mm512_permutexvar_epi16(index, a), static_cast<__mmask32>(table.from_second[j]), index, b);
  if constexpr (table.lane_bytes == 4) return _mm512_permutex2var_epi32(a, index, b);
  return _mm512_permutex2var_epi64(a, index, b);
}
// The lanes of v under a mask laid over others.
template <int lane_bytes>
CRINKLE_VBMI_INLINE __m512i laid_over(__m512i others, __m512i v, std::uint64_t mask) {
  if constexpr (lane_bytes == 1) return _mm512_mask_mov_epi8(others, mask, v);
  if constexpr (lane_bytes == 2) return _mm512_mask_mov_epi16(others, static_cast<__mmask32>(mask), v);
  if constexpr (lane_bytes == 4) return _mm512_mask_mov_epi32(others, static_cast<__mmask16>(mask), v);
  return _mm512_mask_mov_epi64(others, static_cast<__mmask8>(mask), v);
}

// F vectors, one of every field, become the F vectors of their records.
template <int U, std::size_t F>
CRINKLE_VBMI_INLINE void join_vectors(__m512i* v) {
  __m512i made[F];
  if constexpr (F == 2) {
    made[0] = of_two<U, Way::together>(v[0], v[1], 0);
    made[1] = of_two<U, Way::together>(v[0], v[1], 1);
  } else if constexpr (F % 2 == 0) {
#pragma GCC unroll 16
    for (std::size_t b = 0; b < F / 2; ++b) {  // vector a of the records of a pair has the pairs of half of all records
      made[b] = of_two<U, Way::together>(v[2 * b], v[2 * b + 1], 0);
      made[b + F / 2] = of_two<U, Way::together>(v[2 * b], v[2 * b + 1], 1);
    }
    join_vectors<2 * U, F / 2>(made);
    join_vectors<2 * U, F / 2>(made + F / 2);
  } else {
    constexpr const auto& table = permutations<U, F, Way::together>;
    __m512i placed[F];
#pragma GCC unroll 16
    for (std::size_t j = 0; j < F; ++j) placed[j] = permuted<table.lane_bytes>(v[j], table.lane[j]);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < F; ++i) {
      made[i] = placed[0];
#pragma GCC unroll 16
      for (std::size_t j = 1; j < F; ++j) made[i] = laid_over<table.lane_bytes>(made[i], placed[j], table.mask[j][i]);
    }
  }
  std::copy_n(made, F, v);
}

// And back.
template <int U, std::size_t F>
CRINKLE_VBMI_INLINE void part_vectors(__m512i* v) {
  __m512i made[F];
  if constexpr (F == 2) {
    made[0] = of_two<U, Way::apart>(v[0], v[1], 0);
    made[1] = of_two<U, Way::apart>(v[0], v[1], 1);
  } else if constexpr (F % 2 == 0) {
    part_vectors<2 * U, F / 2>(v);
    part_vectors<2 * U, F / 2>(v + F / 2);
#pragma GCC unroll 16
    for (std::size_t b = 0; b < F / 2; ++b) {
      made[2 * b] = of_two<U, Way::apart>(v[b], v[b + F / 2], 0);
      made[2 * b + 1] = of_two<U, Way::apart>(v[b], v[b + F / 2], 1);
    }
  } else {
    constexpr const auto& table = permutations<U, F, Way::apart>;
#pragma GCC unroll 16
    for (std::size_t j = 0; j < F; ++j) {
      __m512i all = v[0];
#pragma GCC unroll 16
      for (std::size_t i = 1; i < F; ++i) all = laid_over<table.lane_bytes>(all, v[i], table.mask[j][i]);
      made[j] = permuted<table.lane_bytes>(all, table.lane[j]);
    }
  }
  std::copy_n(made, F, v);
}

template <int U, std::size_t F, class Sink>
CRINKLE_VBMI std::int64_t together_rows(const std::byte* const* rows, std::int64_t n, const FieldLines& to, std::int64_t ahead) {
  constexpr std::int64_t n_records = vector_bytes / U;
  const std::byte* row[F];
  std::copy_n(rows, F, row);
  Sink sink(to, ahead);
  std::int64_t done = 0;
  for (; done + n_records <= n; done += n_records) {
    __m512i v[F];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < F; ++i) v[i] = _mm512_loadu_si512(row[i] + done * U);
    join_vectors<U, F>(v);
#pragma GCC unroll 16
    for (std::size_t j = 0; j < F; ++j) sink.put(v[j]);
  }
  sink.finish();
  return done;
}

template <int U, std::size_t F>
CRINKLE_VBMI void apart_stored(const std::byte* in, std::int64_t n, const FieldLines* fields, std::int64_t ahead) {
  std::byte* field[F];
  for (std::size_t j = 0; j < F; ++j) field[j] = fields[j].line;
  for (std::int64_t at = 0; at < n * U; at += vector_bytes, in += F * width) {
    __m512i v[F];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < F; ++i) v[i] = _mm512_loadu_si512(in + i * width);
    part_vectors<U, F>(v);
#pragma GCC unroll 16
    for (std::size_t j = 0; j < F; ++j) {
      __builtin_prefetch(address_at(field[j] + at, ahead), 1, 3);
      _mm512_storeu_si512(field[j] + at, v[j]);
    }
  }
}

// Line `at` of a field. What does not fill a line waits behind the 64 bytes before it.
CRINKLE_VBMI_INLINE void put_line(__m512i v, const FieldLines& to, std::int64_t at) {
  __m512i whole = v;
  if (to.phase != 0) {
    std::byte* const kept = to.waiting + to.phase - vector_bytes;
    whole = Phase(to.phase).line_of(_mm512_loadu_si512(kept), v);
    _mm512_storeu_si512(kept, v);
  }
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to.line + at), whole);
}

// Two lines of every field at a time: one by one, streams that lie badly to each other in memory take longer (cpu/apart-inl.hpp).
template <int U, std::size_t F>
CRINKLE_VBMI void apart_streamed(const std::byte* in, std::int64_t n, const FieldLines* fields, std::int64_t ahead) {
  constexpr std::int64_t most_lines = 2;
  for (std::int64_t at = 0, n_lines; at < n * U; at += n_lines * vector_bytes) {
    n_lines = std::min(most_lines, n * U / vector_bytes - at / vector_bytes);
    __m512i v[most_lines][F];
    for (std::int64_t l = 0; l < n_lines; ++l, in += F * width) {
#pragma GCC unroll 16
      for (std::size_t i = 0; i < F; ++i) {
        __builtin_prefetch(address_at(in + i * width, ahead), 0, 2);
        v[l][i] = _mm512_loadu_si512(in + i * width);
      }
      part_vectors<U, F>(v[l]);
    }
#pragma GCC unroll 16
    for (std::size_t j = 0; j < F; ++j)
      for (std::int64_t l = 0; l < n_lines; ++l) put_line(v[l][j], fields[j], at + l * vector_bytes);
  }
}

// The same for every number of fields; null for those that has() excludes.
constexpr std::size_t least = FewFields::least;
using Numbers = std::make_index_sequence<FewFields::most - least + 1>;

template <int U, std::size_t F, class Sink>
constexpr auto together_of() {
  using Rows = decltype(&together_rows<1, 2, Sink>);
  if constexpr (FewFields::has(F, U)) return &together_rows<U, F, Sink>;
  else return Rows{nullptr};
}
template <int U, std::size_t F, bool is_streamed>
constexpr auto apart_of() {
  using Fields = decltype(&apart_stored<1, 2>);
  if constexpr (!FewFields::has(F, U)) return Fields{nullptr};
  else if constexpr (is_streamed) return &apart_streamed<U, F>;
  else return &apart_stored<U, F>;
}

template <int U, class Sink>
std::int64_t together(const std::byte* const* rows, std::int64_t n_rows, std::int64_t n, const FieldLines& to, std::int64_t ahead) {
  constexpr auto of_rows = []<std::size_t... k>(std::index_sequence<k...>) {
    return std::array{together_of<U, least + k, Sink>()...};
  }(Numbers());
  return of_rows[static_cast<std::size_t>(n_rows) - least](rows, n, to, ahead);
}
template <int U, bool is_streamed>
void apart(const std::byte* in, std::int64_t, std::int64_t n, const FieldLines* fields, std::int64_t n_fields, std::int64_t ahead) {
  constexpr auto of_fields = []<std::size_t... k>(std::index_sequence<k...>) {
    return std::array{apart_of<U, least + k, is_streamed>()...};
  }(Numbers());
  of_fields[static_cast<std::size_t>(n_fields) - least](in, n, fields, ahead);
}

constexpr FewFields few_fields = {
    .together = {together<1, Stored>, together<2, Stored>, together<4, Stored>, together<8, Stored>, together<16, Stored>},
    .together_stream = {together<1, Streamed>, together<2, Streamed>, together<4, Streamed>, together<8, Streamed>, together<16, Streamed>},
    .apart = {apart<1, false>, apart<2, false>, apart<4, false>, apart<8, false>, apart<16, false>},
    .apart_stream = {apart<1, true>, apart<2, true>, apart<4, true>, apart<8, true>, apart<16, true>},
};

}  // namespace

const FewFields* few_fields_vbmi() { return has_vbmi() ? &few_fields : nullptr; }
#else
const FewFields* few_fields_vbmi() { return nullptr; }
#endif

}  // namespace crinkle::simd
