// Programs of one vector keep their tables in registers; others read them again for every period, from the first cache.
// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/weave_vbmi.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "cpu/lines_vbmi.hpp"

namespace crinkle::simd {

#if defined(__x86_64__)
namespace {

constexpr std::int32_t width = 64;

// Takes vectors one after the other and stores each when the next one's windows have been loaded. Rows that are only shifted a little
// lie at the same place of a 4096-byte page on both sides, and a load that overlaps the last store there waits for it on many processors.
class Stored {
 public:
  CRINKLE_VBMI void put(__m512i v, std::byte* out) {
    if (to_ != nullptr) _mm512_storeu_si512(to_, late_);
    late_ = v, to_ = out;
  }
  // The last of all overwrites nothing behind it.
  CRINKLE_VBMI void put_last(__m512i v, std::byte* out, std::int32_t n) {
    if (to_ != nullptr) _mm512_storeu_si512(to_, late_);
    _mm512_mask_storeu_epi8(out, n == width ? ~__mmask64{0} : (__mmask64{1} << n) - 1, v);
  }

 private:
  __m512i late_;
  std::byte* to_ = nullptr;
};
class Streamed {
 public:
  CRINKLE_VBMI void put(__m512i v, std::byte* out) {
    if (to_ != nullptr) _mm512_stream_si512(reinterpret_cast<__m512i*>(to_), late_);
    late_ = v, to_ = out;
  }
  CRINKLE_VBMI void put_last(__m512i v, std::byte* out, std::int32_t) {
    put(v, out);
    put(v, nullptr);
  }

 private:
  __m512i late_;
  std::byte* to_ = nullptr;
};
// A line is the end of the vector before and the beginning of this one.
class Shifted {
 public:
  CRINKLE_VBMI Shifted(__m512i before, __m512i bytes) : before_(before), bytes_(bytes) {}
  CRINKLE_VBMI void put(__m512i v, std::byte* out) {
    lines_.put(_mm512_permutex2var_epi8(before_, bytes_, v), out);
    before_ = v;
  }
  CRINKLE_VBMI void put_last(__m512i v, std::byte* out, std::int32_t n) {
    lines_.put_last(_mm512_permutex2var_epi8(before_, bytes_, v), out, n);
    before_ = v;
  }
  CRINKLE_VBMI __m512i before() const { return before_; }

 private:
  __m512i before_, bytes_;
  Streamed lines_;
};

CRINKLE_VBMI inline __m512i vector_of(const WovenBytes& bytes) { return _mm512_load_si512(bytes.byte); }
CRINKLE_VBMI inline __m512i initial_of(const WeaveProgram& program, std::size_t v) {
  const std::int32_t initial = program.initial_of[v];
  return initial < 0 ? _mm512_setzero_si512() : vector_of(program.initials[static_cast<std::size_t>(initial)]);
}

struct Task {
  const WeaveProgram* program;
  const std::byte* const* bases;
  std::int64_t n;
  std::byte* out;
  std::int64_t out_step;
  std::size_t first = 0, last = SIZE_MAX;  // vectors of a period
};

// The addresses of the period's bases.
class Bases {
 public:
  explicit Bases(const Task& t) : steps_(t.program->steps.data()), n_(t.program->n_bases) { std::copy_n(t.bases, n_, at_); }
  const std::byte* at(std::int32_t base) const { return at_[base]; }
  void step() {
    for (std::int32_t b = 0; b < n_; ++b) at_[b] += steps_[b];
  }

 private:
  const std::byte* at_[Weave::most_bases] = {};
  const std::int64_t* steps_;
  std::int32_t n_;
};

// One vector a period, whose tables stay in registers.
template <class Sink, std::size_t n_pieces>
CRINKLE_VBMI void weave_vector(const Task& t, Sink& sink) {
  const WeaveProgram& program = *t.program;
  __m512i index[n_pieces];
  __mmask64 mask[n_pieces];
  const std::byte* at[n_pieces];
  std::int64_t step[n_pieces];
#pragma GCC unroll 8
  for (std::size_t p = 0; p < n_pieces; ++p) {
    const WovenPiece& piece = program.pieces[p];
    step[p] = program.steps[static_cast<std::size_t>(piece.base)];
    index[p] = vector_of(program.indexes[p]);
    mask[p] = piece.mask;
    at[p] = t.bases[piece.base] + piece.offset;
  }
  Sink own = sink;
  const __m512i initial = initial_of(program, 0);
  std::byte* out = t.out;
  for (std::int64_t i = 0; i < t.n; ++i, out += t.out_step) {
    __m512i w = initial;
#pragma GCC unroll 8
    for (std::size_t p = 0; p < n_pieces; ++p) {
      w = _mm512_mask_permutexvar_epi8(w, mask[p], index[p], _mm512_loadu_si512(at[p]));
      at[p] += step[p];
    }
    i + 1 == t.n ? own.put_last(w, out, program.n_last) : own.put(w, out);
  }
  sink = own;
}

// A vector of its windows, which go in pairs.
template <std::size_t n_pieces, bool is_filled, class Window>
CRINKLE_VBMI inline __m512i woven(const WeaveProgram& program, std::size_t v, const Window& window) {
  const WovenBytes* const pair = program.pairs.data() + v * ((n_pieces + 1) / 2);
  const std::uint64_t* const mask = program.pair_masks.data() + v * ((n_pieces + 1) / 2);
  __m512i w = is_filled ? initial_of(program, v) : _mm512_setzero_si512();
#pragma GCC unroll 8
  for (std::size_t p = 0; p + 1 < n_pieces; p += 2) {
    const __m512i both = _mm512_permutex2var_epi8(window(p), vector_of(pair[p / 2]), window(p + 1));
    w = p == 0 && !is_filled ? both : _mm512_mask_blend_epi8(mask[p / 2], w, both);
  }
  if constexpr (n_pieces % 2 != 0)
    w = _mm512_mask_permutexvar_epi8(w, mask[n_pieces / 2], vector_of(pair[n_pieces / 2]), window(n_pieces - 1));
  return w;
}

enum class Windows { of_one_base, of_bases, shared };  // shared: all vectors of a period have the same

template <class Sink, std::size_t n_pieces, Windows windows, bool is_filled>
CRINKLE_VBMI void weave_vectors(const Task& t, Sink& sink) {
  const WeaveProgram& program = *t.program;
  const auto n_vectors = static_cast<std::size_t>(program.n_vectors()), last = std::min(t.last, n_vectors);
  const std::int32_t n_last = last == n_vectors ? program.n_last : width;
  Sink own = sink;
  std::byte* out = t.out;
  const std::byte* at[n_pieces];  // of shared windows; addresses in variables of their own: stores might change what is behind t
  std::int64_t step[n_pieces];
#pragma GCC unroll 16
  for (std::size_t p = 0; p < n_pieces && windows == Windows::shared; ++p) {
    at[p] = t.bases[program.pieces[p].base] + program.pieces[p].offset;
    step[p] = program.steps[static_cast<std::size_t>(program.pieces[p].base)];
  }
  Bases bases(t);
  const std::byte* only = t.bases[0];  // of one base
  const std::int64_t only_step = program.steps[0];
  for (std::int64_t i = 0; i < t.n; ++i, only += only_step, out += t.out_step) {
    __m512i held[n_pieces];
#pragma GCC unroll 16
    for (std::size_t p = 0; p < n_pieces && windows == Windows::shared; ++p) {
      held[p] = _mm512_loadu_si512(at[p]);
      at[p] += step[p];
    }
    const WovenPiece* piece = program.pieces.data() + t.first * n_pieces;
    for (std::size_t v = t.first; v < last; ++v, piece += n_pieces) {
      const auto window = [&](std::size_t p) CRINKLE_VBMI -> __m512i {
        if constexpr (windows == Windows::shared) return held[p];
        return _mm512_loadu_si512((windows == Windows::of_one_base ? only : bases.at(piece[p].base)) + piece[p].offset);
      };
      const __m512i w = woven<n_pieces, is_filled>(program, v, window);
      std::byte* const to = out + static_cast<std::int64_t>(v - t.first) * width;
      const bool is_last = i + 1 == t.n && v + 1 == last;
      is_last ? own.put_last(w, to, n_last) : own.put(w, to);
    }
    if constexpr (windows == Windows::of_bases) bases.step();
  }
  sink = own;
}

// Any number of pieces, in pairs that lie in memory.
template <class Sink, bool is_of_one_base>
CRINKLE_VBMI void weave_many(const Task& t, Sink& sink) {
  const WeaveProgram& program = *t.program;
  const auto n_vectors = static_cast<std::size_t>(program.n_vectors()), last = std::min(t.last, n_vectors);
  const std::int32_t n_last = last == n_vectors ? program.n_last : width;
  const auto n_pieces = static_cast<std::size_t>(program.n_pieces), n_pairs = (n_pieces + 1) / 2;
  Sink own = sink;
  Bases bases(t);
  const std::byte* only = t.bases[0];
  const std::int64_t only_step = program.steps[0];
  std::byte* out = t.out;
  for (std::int64_t i = 0; i < t.n; ++i, only += only_step, out += t.out_step) {
    for (std::size_t v = t.first; v < last; ++v) {
      const WovenPiece* piece = program.pieces.data() + v * n_pieces;
      const WovenBytes* const pair = program.pairs.data() + v * n_pairs;
      const std::uint64_t* const mask = program.pair_masks.data() + v * n_pairs;
      __m512i w = initial_of(program, v);
      for (std::size_t p = 0; p < n_pairs; ++p, piece += 2) {
        const WovenPiece& second = piece[2 * p + 1 < n_pieces ? 1 : 0];
        const __m512i a = _mm512_loadu_si512((is_of_one_base ? only : bases.at(piece->base)) + piece->offset),
                      b = _mm512_loadu_si512((is_of_one_base ? only : bases.at(second.base)) + second.offset);
        w = _mm512_mask_blend_epi8(mask[p], w, _mm512_permutex2var_epi8(a, vector_of(pair[p]), b));
      }
      std::byte* const to = out + static_cast<std::int64_t>(v - t.first) * width;
      const bool is_last = i + 1 == t.n && v + 1 == last;
      is_last ? own.put_last(w, to, n_last) : own.put(w, to);
    }
    if constexpr (!is_of_one_base) bases.step();
  }
  sink = own;
}
template <class Sink>
void weave_many(const Task& t, Sink& sink) {
  t.program->n_bases == 1 ? weave_many<Sink, true>(t, sink) : weave_many<Sink, false>(t, sink);
}

template <class Sink, std::size_t n_pieces>
void weave_pieces(const Task& t, Sink& sink) {
  const WeaveProgram& program = *t.program;
  if constexpr (n_pieces <= 8) {
    if (program.n_vectors() == 1) return weave_vector<Sink, n_pieces>(t, sink);
    if (program.is_filled) return weave_vectors<Sink, n_pieces, Windows::of_bases, true>(t, sink);
    if (!program.shares_windows && program.n_bases == 1) return weave_vectors<Sink, n_pieces, Windows::of_one_base, false>(t, sink);
    if (!program.shares_windows) return weave_vectors<Sink, n_pieces, Windows::of_bases, false>(t, sink);
  }
  program.shares_windows ? weave_vectors<Sink, n_pieces, Windows::shared, false>(t, sink) : weave_many(t, sink);
}

constexpr std::size_t most_pieces = 16;  // for which there are loops of their own

template <class Sink>
void weave(const Task& t, Sink& sink) {
  constexpr auto of_pieces = []<std::size_t... k>(std::index_sequence<k...>) {
    return std::array{weave_pieces<Sink, k + 1>...};
  }(std::make_index_sequence<most_pieces>());
  const auto n_pieces = static_cast<std::size_t>(t.program->n_pieces);
  n_pieces > most_pieces ? weave_many(t, sink) : of_pieces[n_pieces - 1](t, sink);
}

CRINKLE_VBMI void weave_shifted(const Task& t, std::byte* waiting, std::int64_t phase) {
  alignas(64) std::uint8_t bytes[64];
  for (std::int64_t b = 0; b < width; ++b) bytes[b] = static_cast<std::uint8_t>(width - phase + b);
  std::byte* const before = waiting + phase - width;
  Shifted sink{_mm512_loadu_si512(before), _mm512_load_si512(bytes)};
  weave(t, sink);
  _mm512_storeu_si512(before, sink.before());
}

}  // namespace

bool has_vbmi() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi");
}
void weave_vbmi(const WeaveProgram& program, const std::byte* const* bases, std::int64_t n, std::byte* out, std::int64_t out_step) {
  Stored sink;
  weave(Task{&program, bases, n, out, out_step}, sink);
}
void weave_part_vbmi(const WeaveProgram& program, const std::byte* const* bases, std::int64_t first, std::int64_t last, std::byte* out) {
  Stored sink;
  weave(Task{&program, bases, 1, out, 0, static_cast<std::size_t>(first), static_cast<std::size_t>(last)}, sink);
}
void weave_stream_vbmi(const WeaveProgram& program, const std::byte* const* bases, std::int64_t n, std::byte* out, std::int64_t out_step) {
  Streamed sink;
  weave(Task{&program, bases, n, out, out_step}, sink);
}
void weave_lines_vbmi(const WeaveProgram& program, const std::byte* const* bases, std::int64_t n, std::byte* out, std::byte* waiting,
                      std::int64_t phase) {
  const std::int64_t period = program.n_vectors() * width;
  weave_shifted(Task{&program, bases, n, out, period}, waiting, phase);
}
#else
bool has_vbmi() { return false; }
void weave_vbmi(const WeaveProgram&, const std::byte* const*, std::int64_t, std::int64_t, std::byte*, std::int64_t) {}
void weave_part_vbmi(const WeaveProgram&, const std::byte* const*, std::int64_t, std::int64_t, std::byte*) {}
void weave_stream_vbmi(const WeaveProgram&, const std::byte* const*, std::int64_t, std::int64_t, std::byte*, std::int64_t) {}
void weave_lines_vbmi(const WeaveProgram&, const std::byte* const*, std::int64_t, std::int64_t, std::byte*, std::byte*, std::int64_t) {}
#endif

}  // namespace crinkle::simd
