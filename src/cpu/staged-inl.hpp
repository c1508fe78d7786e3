// Transposes on their way through a stage, for processors that follow few source streams: the rows of a block are read in long turns, two
// or four rows at a time, and prefetched in that order, into memory that stays in the second cache; meanwhile the block before leaves its
// stage by whole lines. In the stage units narrower than 4 bytes already lie interleaved by 4/U rows, so that squares of words serve them
// too:
//     stage line (row group g, source line l, vector q), word j  =  rows g·4/U … of column 64/U · l + 16/U · (j / 4) + 4 q + j % 4.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_STAGED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_STAGED_INL
#undef CRINKLE_CPU_STAGED_INL
#else
#define CRINKLE_CPU_STAGED_INL
#endif

#include <algorithm>
#include <cstring>

#include "cpu/blocks-inl.hpp"
#include "cpu/squares-inl.hpp"
#include "cpu/staged_kernels.hpp"
#include "cpu/tables_stream-inl.hpp"
#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

#if HWY_TARGET <= HWY_AVX2

// 64 bytes of a row, of which n are there.
HWY_INLINE Line load_line(const std::byte* from, int64 n) {
#if HWY_TARGET <= HWY_AVX3
  return {{Vec<64>{_mm512_maskz_loadu_epi8(Shifted::low(n), from)}}};
#else
  alignas(64) std::byte padded[line];
  if (n < line) {
    std::memset(padded, 0, sizeof padded);
    std::memcpy(padded, from, static_cast<std::size_t>(n));
    from = padded;
  }
  return {{load<widest>(from), load<widest>(from + widest)}};
#endif
}

// How a block is read: sets of `n_rows` rows by up to `turn` bytes, along the rows first.
template <int U>
class StageSets {
 public:
  static constexpr int n_rows = U == 1 ? 4 : 2;
  static constexpr int64 turn = 512;
  // With what is staged and taken out meanwhile, half of the first cache.
  static constexpr int64 lines_ahead = 128;

  explicit StageSets(const StagedBlock* block) : block_(block) {
    if (block == nullptr) return;
    width_ = block->n_columns * U;
    n_left_ = (block->n_rows + n_rows - 1) / n_rows * ((width_ + turn - 1) / turn);
  }
  int64 n_lines() const { return block_ == nullptr ? 0 : (block_->n_rows + n_rows - 1) / n_rows * ((width_ + line - 1) / line); }
  static int64 ahead(const StagedBlock& block) { return lines_ahead * line / (std::min(turn, block.n_columns * U) * n_rows); }

  int64 n_left() const { return n_left_; }
  const StagedBlock& block() const { return *block_; }
  int64 row() const { return row_; }
  int64 column() const { return column_; }
  int64 bytes() const { return std::min(turn, width_ - column_); }

  // Row k of the set: behind the last row comes the last again.
  const std::byte* from(int64 k) const { return block_->rows[std::min(row_ + k, block_->n_rows - 1)] + block_->in_at + column_; }

  void next() {
    --n_left_;
    column_ += turn;
    if (column_ < width_) return;
    column_ = 0;
    row_ += n_rows;
  }

 private:
  const StagedBlock* block_;
  int64 width_ = 0, n_left_ = 0, row_ = 0, column_ = 0;
};

// A block's stage keeps groups of rows so many bytes apart.
template <int U>
inline constexpr int stage_unit = U < 4 ? 4 : U;
template <int U>
HWY_INLINE int64 stage_pitch(const StagedBlock& block) {
  return ((block.n_columns * U + line - 1) / line * (stage_unit<U> / U) + 1) * line;
}

template <int U>
HWY_INLINE void stage_line(const Line* v, std::byte* to) {
  constexpr int N = widest;
#pragma GCC unroll 2
  for (int p = 0; p < Line::n_parts; ++p, to += N) {
    if constexpr (U == 1) {
      const Vec<N> even_low = lower<N, 1>(v[0].part[p], v[2].part[p]), even_high = upper<N, 1>(v[0].part[p], v[2].part[p]);
      const Vec<N> odd_low = lower<N, 1>(v[1].part[p], v[3].part[p]), odd_high = upper<N, 1>(v[1].part[p], v[3].part[p]);
      store<N>(lower<N, 1>(even_low, odd_low), to);
      store<N>(upper<N, 1>(even_low, odd_low), to + line);
      store<N>(lower<N, 1>(even_high, odd_high), to + 2 * line);
      store<N>(upper<N, 1>(even_high, odd_high), to + 3 * line);
    } else {
      store<N>(lower<N, 2>(v[0].part[p], v[1].part[p]), to);
      store<N>(upper<N, 2>(v[0].part[p], v[1].part[p]), to + line);
    }
  }
}

// How lines leave: as they are, all columns beginning on a line; put together with the end of the last; or by parts, at the ends of columns
// and of the block.
enum class Leave { whole, joined, parts };

#if HWY_TARGET > HWY_AVX3
// As with vectors of a line (cpu/squares-inl.hpp): here lines are put together in memory.
struct Shifted {
  int64 at, bytes;
  bool begins, ends;  // the columns

  template <int U>
  HWY_INLINE void join(const Line& v, std::byte* column, std::byte* kept) const {
    const auto phase = static_cast<int64>(reinterpret_cast<std::uintptr_t>(column) % line);
    alignas(64) std::byte whole[line];
    v.store_to(whole);
    stream_joined(kept, whole, phase, column - phase + at);
    v.store_to(kept);
  }

  template <int U>
  HWY_INLINE void put(const Line& v, std::byte* column, std::byte* kept) const {
    if (!begins && !ends) return join<U>(v, column, kept);
    const auto phase = static_cast<int64>(reinterpret_cast<std::uintptr_t>(column) % line);
    std::byte* const to = column - phase + at;
    alignas(64) std::byte both[2 * line];
    move_line(kept, both);
    v.store_to(both + line);
    v.store_to(kept);
    const std::byte* const from = both + line - phase;
    const int64 first = begins ? phase : 0, there = phase + bytes;  // from the line's beginning on
    copy(from + first, to + first, std::min<int64>(line, there) - first);
    if (ends && there > line) copy(from + line, to + line, there - line);
  }
};
#endif

// Calls stored(column, its line) for each column of a square of the stage: rows `pitch` apart, of which n_rows are there.
template <int unit, class Store>
HWY_INLINE void unstage_square(const std::byte* from, int64 pitch, int64 n_rows, const Store& stored) {
  constexpr int n = 16 / unit, edge = line / unit;
#if HWY_TARGET <= HWY_AVX3
  Vecs<64, n> v[4];
#pragma GCC unroll 4
  for (int g = 0; g < 4; ++g)
#pragma GCC unroll 4
    for (int i = 0; i < n; ++i) {
      v[g][i] = load<64>(from);
      if (g * n + i + 1 < n_rows) from += pitch;
    }
  turn_square<unit>(v);
#pragma GCC unroll 4
  for (int b = 0; b < 4; ++b)
#pragma GCC unroll 4
    for (int i = 0; i < n; ++i) stored(b * n + i, Line{{v[b][i]}});
#else
  const std::byte* rows[static_cast<std::size_t>(edge)];
  for (int64 k = 0; k < edge; ++k) rows[k] = from + std::min<int64>(k, n_rows - 1) * pitch;
#pragma GCC unroll 4
  for (int b = 0; b < 4; ++b) {
    Vecs<widest, n> v[Line::n_parts];
#pragma GCC unroll 2
    for (int p = 0; p < Line::n_parts; ++p) {
      load_rows<widest, unit>(rows + p * (widest / unit), 16 * b, v[p]);
      interleave<widest, unit>(v[p]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < n; ++i) stored(b * n + i, line_of<n>(v, i));
  }
#endif
}

// The line `at` bytes down the columns in vector `group` of the stage.
template <int U, Leave L>
HWY_INLINE void unstage(const StagedBlock& block, int64 pitch, int64 group, int64 at) {
  constexpr int unit = stage_unit<U>, edge = line / unit, n_vectors = unit / U;
  const int64 n_groups = (block.n_rows * U + unit - 1) / unit, bytes = block.n_rows * U;
  const int64 column = group / n_vectors * (line / U) + group % n_vectors * 4;
  std::byte* const* const columns = block.columns + column;
  std::byte* const carry = block.carry + column * line;
  const int64 n_there = L == Leave::parts ? n_groups - at / unit : edge;
  const Shifted lines{block.out_at + at, std::min<int64>(line, bytes - at), block.is_first && at == 0, block.is_last && at + line >= bytes};
  unstage_square<unit>(block.stage + at / unit * pitch + group * line, pitch, n_there, [&](int j, const Line& v) HWY_ATTR {
    constexpr int lanes = U < 4 ? 16 / U : 4;  // columns that lie between two blocks of 16 bytes
    const int c = U < 4 ? lanes * (j / 4) + j % 4 : j;
    if constexpr (L == Leave::whole) {
      v.stream_to(columns[c] + lines.at);
    } else if constexpr (L == Leave::joined) {
      lines.template join<U>(v, columns[c], carry + c * line);
    } else {
      if (column + c < block.n_columns) lines.template put<U>(v, columns[c], carry + c * line);
    }
  });
}

template <int U>
HWY_NOINLINE void unstage_parts(const StagedBlock& block, int64 pitch, int64 group, int64 at) {
  unstage<U, Leave::parts>(block, pitch, group, at);
}

// A block on its way out, a line of some columns at a time, all lines of those before the next.
template <int U>
class Unstaging {
 public:
  explicit Unstaging(const StagedBlock* block) : block_(block) {
    if (block == nullptr) return;
    pitch_ = stage_pitch<U>(*block);
    bytes_ = block->n_rows * U;
    n_whole_ = block->n_columns * U / line * n_vectors;
    n_left_ = (block->n_columns * U + line - 1) / line * n_vectors * ((bytes_ + line - 1) / line);
  }
  int64 n_left() const { return n_left_; }

  HWY_INLINE void next() {
    const bool has_parts = group_ >= n_whole_ || at_ + line > bytes_ ||
                           (!block_->on_lines && ((block_->is_first && at_ == 0) || (block_->is_last && at_ + line == bytes_)));
    if (has_parts) {
      unstage_parts<U>(*block_, pitch_, group_, at_);
    } else if (block_->on_lines) {
      unstage<U, Leave::whole>(*block_, pitch_, group_, at_);
    } else {
      unstage<U, Leave::joined>(*block_, pitch_, group_, at_);
    }
    --n_left_;
    at_ += line;
    if (at_ < bytes_) return;
    at_ = 0;
    ++group_;
  }

 private:
  static constexpr int n_vectors = stage_unit<U> / U;
  const StagedBlock* block_;
  int64 pitch_ = 0, bytes_ = 0, n_whole_ = 0, n_left_ = 0, group_ = 0, at_ = 0;
};

template <int U>
void table_staged(const StagedBlock* in, const StagedBlock* out, const StagedBlock* next) {
  constexpr int n_rows = StageSets<U>::n_rows, n_vectors = stage_unit<U> / U;
  StageSets<U> sets(in), ahead(in), further(next);
  Unstaging<U> leaving(out);
  const int64 n_in = sets.n_lines(), n_out = leaving.n_left(), pitch = in == nullptr ? 0 : stage_pitch<U>(*in);
  if (in != nullptr)
    for (int64 k = std::min(sets.n_left(), StageSets<U>::ahead(*in)); k > 0; --k) ahead.next();  // fetched by the call before
  int64 share = 0;
  for (; sets.n_left() > 0; sets.next()) {
    StageSets<U>& fetched = ahead.n_left() > 0 ? ahead : further;
    const std::byte *from[n_rows], *later[n_rows];
    int64 later_bytes = 0;
    if (fetched.n_left() > 0) {
      later_bytes = fetched.bytes() + line - 1;  // one line more where the row does not begin on one
#pragma GCC unroll 4
      for (int k = 0; k < n_rows; ++k) later[k] = fetched.from(k);
      fetched.next();
    }
#pragma GCC unroll 4
    for (int k = 0; k < n_rows; ++k) from[k] = sets.from(k);
    std::byte* const to = in->stage + sets.row() * U / stage_unit<U> * pitch + sets.column() * n_vectors;
    const int64 bytes = sets.bytes();
    for (int64 b = 0; b < bytes; b += line) {
      if (b < later_bytes) {
#pragma GCC unroll 4
        for (int k = 0; k < n_rows; ++k) prefetch(later[k], b);
      }
      Line v[n_rows];
#pragma GCC unroll 4
      for (int k = 0; k < n_rows; ++k) v[k] = load_line(from[k] + b, bytes - b);
      if constexpr (U < 4) {
        stage_line<U>(v, to + b * n_vectors);
      } else {
#pragma GCC unroll 2
        for (int k = 0; k < n_rows; ++k) v[k].store_to(to + k * pitch + b);
      }
      for (share += n_out; share >= n_in; share -= n_in) leaving.next();
    }
  }
  while (leaving.n_left() > 0) leaving.next();
}

#endif

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
