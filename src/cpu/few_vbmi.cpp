// The permutations are tables that the compiler makes. A vector that leaves begins as the first one that came and takes lanes of the others
// in turn: lanes of 4 bytes and more by a permutation of two vectors, which costs as much as one of a single vector; narrower ones, where
// it costs three times as much, by a permutation under a mask.
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

// For vectors of 64/U records of F units of U bytes: which lane of which vector that came is lane k of vector j that leaves. Units of 16
// bytes are two lanes.
template <int U, std::size_t F, Way way>
struct Permutations {
  static constexpr int lane_bytes = std::min(U, 8);
  static constexpr std::size_t lanes_of_unit = U / lane_bytes, n_lanes = width / lane_bytes, n_units = width / U;
  static constexpr bool by_two = lane_bytes >= 4;

  // [j][i][k], for vector i: its lane; by_two: the lane of vector j so far and, n_lanes further, of vector i.
  alignas(width) Lane<lane_bytes> lane[F][F][n_lanes] = {};
  std::uint64_t mask[F][F] = {};  // [j][i]: lanes of vector j that come from vector i

  constexpr Permutations() {
    for (std::size_t j = 0; j < F; ++j) {
      for (std::size_t k = 0; k < n_lanes; ++k) {
        const bool is_together = way == Way::together;
        const std::size_t unit = k / lanes_of_unit, at = is_together ? j * n_units + unit : unit * F + j;  // in the records
        const std::size_t from = is_together ? at % F : at / n_units, place = is_together ? at / F : at % n_units;
        const std::size_t wanted = place * lanes_of_unit + k % lanes_of_unit;
        for (std::size_t i = 0; i < F; ++i) {
          const std::size_t kept = i == 1 && from == 0 ? wanted : k;  // the first vector comes with the second
          lane[j][i][k] = static_cast<Lane<lane_bytes>>(!by_two ? wanted : from == i ? n_lanes + wanted : kept);
        }
        mask[j][from] |= std::uint64_t{1} << k;
      }
    }
  }
};
template <int U, std::size_t F, Way way>
constexpr Permutations<U, F, way> permutations;

// `so_far` with lanes of v.
template <int lane_bytes>
CRINKLE_VBMI_INLINE __m512i with(__m512i so_far, __m512i v, __m512i lanes, std::uint64_t mask) {
  if constexpr (lane_bytes == 1) return _mm512_mask_permutexvar_epi8(so_far, mask, lanes, v);
  if constexpr (lane_bytes == 2) return _mm512_mask_permutexvar_epi16(so_far, static_cast<__mmask32>(mask), lanes, v);
  if constexpr (lane_bytes == 4) return _mm512_permutex2var_epi32(so_far, lanes, v);
  return _mm512_permutex2var_epi64(so_far, lanes, v);
}

// Vector j that leaves.
template <int U, std::size_t F, Way way>
CRINKLE_VBMI_INLINE __m512i permuted(const __m512i* came, std::size_t j) {
  using Table = Permutations<U, F, way>;
  constexpr const Table& table = permutations<U, F, way>;
  const auto lanes = [&](std::size_t i) CRINKLE_VBMI { return _mm512_load_si512(table.lane[j][i]); };
  __m512i v = came[0];
  if constexpr (Table::lane_bytes == 1) v = _mm512_permutexvar_epi8(lanes(0), v);
  if constexpr (Table::lane_bytes == 2) v = _mm512_permutexvar_epi16(lanes(0), v);
#pragma GCC unroll 16
  for (std::size_t i = 1; i < F; ++i) v = with<Table::lane_bytes>(v, came[i], lanes(i), table.mask[j][i]);
  return v;
}

// F vectors, one of every field, become the F vectors of their records.
template <int U, std::size_t F>
CRINKLE_VBMI_INLINE void join_vectors(__m512i* v) {
  __m512i made[F];
  if constexpr (F > 2 && F % 2 == 0 && 2 * U <= vector_bytes) {
#pragma GCC unroll 16
    for (std::size_t b = 0; b < F / 2; ++b) {  // vector a of the records of a pair has the pairs of half of all records
      made[b] = permuted<U, 2, Way::together>(v + 2 * b, 0);
      made[b + F / 2] = permuted<U, 2, Way::together>(v + 2 * b, 1);
    }
    join_vectors<2 * U, F / 2>(made);
    join_vectors<2 * U, F / 2>(made + F / 2);
  } else {
#pragma GCC unroll 16
    for (std::size_t j = 0; j < F; ++j) made[j] = permuted<U, F, Way::together>(v, j);
  }
  std::copy_n(made, F, v);
}

// And back.
template <int U, std::size_t F>
CRINKLE_VBMI_INLINE void part_vectors(__m512i* v) {
  __m512i made[F];
  if constexpr (F > 2 && F % 2 == 0 && 2 * U <= vector_bytes) {
    part_vectors<2 * U, F / 2>(v);
    part_vectors<2 * U, F / 2>(v + F / 2);
#pragma GCC unroll 16
    for (std::size_t b = 0; b < F / 2; ++b) {
      const __m512i pair[] = {v[b], v[b + F / 2]};
      made[2 * b] = permuted<U, 2, Way::apart>(pair, 0);
      made[2 * b + 1] = permuted<U, 2, Way::apart>(pair, 1);
    }
  } else {
#pragma GCC unroll 16
    for (std::size_t j = 0; j < F; ++j) made[j] = permuted<U, F, Way::apart>(v, j);
  }
  std::copy_n(made, F, v);
}

template <int U, std::size_t F, class Sink>
CRINKLE_VBMI std::int64_t together_rows(const std::byte* const* rows, std::int64_t n, const FieldLines& to) {
  constexpr std::int64_t n_records = vector_bytes / U;
  const std::byte* row[F];
  std::copy_n(rows, F, row);
  Sink sink(to);
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

// The same for every number of fields.
constexpr std::size_t least = FewFields::least;
using Numbers = std::make_index_sequence<FewFields::most - least + 1>;

template <int U, class Sink>
std::int64_t together(const std::byte* const* rows, std::int64_t n_rows, std::int64_t n, const FieldLines& to) {
  constexpr auto of_rows = []<std::size_t... k>(std::index_sequence<k...>) {
    return std::array{together_rows<U, least + k, Sink>...};
  }(Numbers());
  return of_rows[static_cast<std::size_t>(n_rows) - least](rows, n, to);
}
template <int U, bool is_streamed>
void apart(const std::byte* in, std::int64_t, std::int64_t n, const FieldLines* fields, std::int64_t n_fields, std::int64_t ahead) {
  constexpr auto of_fields = []<std::size_t... k>(std::index_sequence<k...>) {
    return std::array{(is_streamed ? apart_streamed<U, least + k> : apart_stored<U, least + k>)...};
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
