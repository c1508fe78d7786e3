// Tiles: with D and S the two places of an outer index, rows r of `along` and columns l of `down`,
//     D + R(r) + l·element  <->  S + L(l) + r·element,
// R and L the offsets of the chains' axes. A task is a large block of r against a large block of l, so that both sides stay within few
// pages; inside, tiles whose rows are half a KiB. In a square R = L and D = S: blocks and tiles below the diagonal are exchanged with those
// above it, tiles on it transposed in themselves.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu/in_place_tiles.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/checked.hpp"
#include "base/loops.hpp"
#include "base/sizes.hpp"
#include "cpu/scratch.hpp"
#include "cpu/tables.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t tile_row = 512;    // bytes
constexpr std::int64_t most_edge = 256;   // elements of a tile
constexpr std::int64_t block_row = 4096;  // bytes

struct Edges {
  std::int64_t first = 0, last = 0;
  std::int64_t size() const { return last - first; }
};
Edges piece(Edges all, std::int64_t k, std::int64_t size) { return {all.first + k * size, std::min(all.last, all.first + (k + 1) * size)}; }

// Tiles side by side: some rows, no more than a tile has, against some columns.
struct Strip {
  std::byte *dst = nullptr, *src = nullptr;
  Edges rows, columns;
  bool is_on_diagonal = false;  // its last tile is
};

// The strips of part p of n of an exchange, block by block.
class Strips {
 public:
  Strips(const planning::Exchange& x, Destinations buffers, std::int64_t edge, std::int64_t part, std::int64_t n_parts)
      : buffers_(buffers), is_square_(x.kind == planning::Exchanged::squares), edge_(edge), walk_(x) {
    n_rows_ = n_indices(x.along);
    n_columns_ = n_indices(x.down);
    block_ = std::max(edge, block_row / x.element / edge * edge);
    while (block_ > edge && multiply(walk_.size(), n_blocks()) < 4 * n_parts) block_ = std::max(edge, block_ / 2 / edge * edge);
    const std::int64_t n = multiply(walk_.size(), n_blocks());
    at_ = n / n_parts * part + n % n_parts * part / n_parts;
    last_ = n / n_parts * (part + 1) + n % n_parts * (part + 1) / n_parts;
    if (at_ == last_) return;
    walk_.seek(at_ / n_blocks());
    begin_block();
  }

  /// False where there are no more.
  bool next(Strip& strip) {
    if (at_ == last_) return false;
    const std::int64_t n = ceil_divide(rows_.size(), edge_);
    strip.dst = buffers_[static_cast<std::size_t>(walk_.spot().dst_slot)] + walk_.spot().dst;
    strip.src = buffers_[static_cast<std::size_t>(walk_.spot().src_slot)] + walk_.spot().src;
    strip.rows = piece(rows_, strip_, edge_);
    strip.columns = is_on_diagonal_ ? Edges{rows_.first, strip.rows.last} : columns_;
    strip.is_on_diagonal = is_on_diagonal_;
    if (++strip_ < n) return true;
    if (++at_ % n_blocks() == 0) walk_.skip(1);
    if (at_ < last_) begin_block();
    return true;
  }

 private:
  // The blocks of an outer index; a square has those below the diagonal, then those on it.
  std::int64_t n_blocks() const {
    const std::int64_t n = ceil_divide(n_rows_, block_);
    return is_square_ ? (n == 1 ? 1 : add(planning::n_pairs(n), n)) : multiply(n, ceil_divide(n_columns_, block_));
  }
  void begin_block() {
    const std::int64_t b = at_ % n_blocks(), n_down = ceil_divide(n_columns_, block_),
                       n_below = n_down == 1 ? 0 : planning::n_pairs(n_down);
    planning::Pair place{b / n_down, b % n_down};
    if (is_square_) place = b < n_below ? planning::pair_at(b, n_down) : planning::Pair{b - n_below, b - n_below};
    is_on_diagonal_ = is_square_ && b >= n_below;
    rows_ = piece({0, n_rows_}, place.above, block_);
    columns_ = piece({0, n_columns_}, place.below, block_);
    strip_ = 0;
  }

  Destinations buffers_;
  const bool is_square_;
  const std::int64_t edge_;
  ExchangeWalk walk_;
  std::int64_t n_rows_ = 0, n_columns_ = 0, block_ = 1;
  std::int64_t at_ = 0, last_ = 0, strip_ = 0;  // blocks; strips of a block
  Edges rows_, columns_;
  bool is_on_diagonal_ = false;
};

// Two words that overlap are an element of a size between one and two of them.
template <class Word>
void transpose_odd(const std::byte* in, std::int64_t n, std::int64_t m, std::int64_t element, std::byte* out, std::int64_t pitch) {
  const auto last = element - static_cast<std::int64_t>(sizeof(Word));
  for (std::int64_t c = 0; c < m; ++c, in += element, out += pitch) {
    std::byte* to = out;
    for (std::int64_t r = 0; r < n; ++r, to += element) {
      Word first, second;
      std::memcpy(&first, in + r * pitch, sizeof first);
      std::memcpy(&second, in + r * pitch + last, sizeof second);
      std::memcpy(to, &first, sizeof first);
      std::memcpy(to + last, &second, sizeof second);
    }
  }
}
constexpr auto transpose_3 = transpose_odd<std::uint16_t>, transpose_to_8 = transpose_odd<std::uint32_t>,
               transpose_to_16 = transpose_odd<std::uint64_t>, transpose_to_32 = transpose_odd<std::array<std::uint64_t, 2>>,
               transpose_to_64 = transpose_odd<std::array<std::uint64_t, 4>>;

class Tiles {
 public:
  Tiles(const planning::Exchange& x, const simd::Kernels& kernels, simd::Scratch& memory)
      : x_(x), k_(kernels), e_(x.element), is_odd_(e_ > 16 || (e_ & (e_ - 1)) != 0) {
    edge_ = std::clamp<std::int64_t>(tile_row / e_, 2, most_edge);
    pitch_ = ceil_divide(edge_ * e_, cache_line) * cache_line + cache_line;
    const auto bytes = static_cast<std::size_t>(edge_ * pitch_), pointers = static_cast<std::size_t>(edge_) * sizeof(std::byte*);
    auto* const all = static_cast<std::byte*>(memory.get(3 * bytes + 4 * pointers));
    kept_ = all;
    other_ = all + bytes;
    raw_ = all + 2 * bytes;
    rows_ = reinterpret_cast<std::byte**>(all + 3 * bytes);
    columns_ = rows_ + edge_;
    stage_ = columns_ + edge_;
    next_columns_ = stage_ + edge_;
  }

  void run(Destinations buffers, std::int64_t part, std::int64_t n_parts) {
    Strips strips(x_, buffers, edge_, part, n_parts);
    for (Strip strip; strips.next(strip);) run_strip(strip);
  }

 private:
  void run_strip(const Strip& strip) {
    pointers(x_.along, strip.rows, true, strip.dst, rows_);
    const std::int64_t n = ceil_divide(strip.columns.size(), edge_);
    for (std::int64_t k = 0; k < n; ++k) {
      const Edges columns = piece(strip.columns, k, edge_);
      if (strip.is_on_diagonal && k + 1 == n) {
        transpose_one(strip.rows);
      } else {
        if (k == 0) pointers(x_.down, columns, false, strip.src, columns_);
        next_ = piece(strip.columns, k + 1, edge_);
        if (k + 1 == n) next_ = {};
        pointers(x_.down, next_, false, strip.src, next_columns_);
        exchange(strip.rows, columns);
        std::swap(columns_, next_columns_);
      }
    }
  }

  // The addresses of some indices of a chain on its slow side.
  static void pointers(const AxisList& chain, Edges some, bool is_along, std::byte* from, std::byte** to) {
    std::int64_t index[max_axes];
    const auto extent = [&](std::size_t a) { return chain[a].extent; };
    const auto go = [&](std::size_t a, std::int64_t by) { from += by * (is_along ? chain[a].dst_stride : chain[a].src_stride); };
    split_index<Fastest::first>(some.first, chain.size(), extent, [&](std::size_t a, std::int64_t i) { go(a, index[a] = i); });
    for (std::int64_t i = 0; i < some.size(); ++i) {
      to[i] = from;
      step_index<Fastest::first>(index, chain.size(), extent, go);
    }
  }

  // rows_[r][l] <-> columns_[l][r]. Both sides are written row by row, and with each row one of the next tile's is fetched: storing columns
  // of a transpose straight into rows that are a multiple of a page apart takes longer, and so do tiles that are not fetched ahead.
  void exchange(Edges rows, Edges columns) {
    const std::int64_t n = rows.size(), m = columns.size(), at_row = columns.first * e_, at_column = rows.first * e_;
    transpose(rows_, n, m, at_row, kept_);
    transpose(columns_, m, n, at_column, other_);
    for (std::int64_t r = 0; r < n; ++r) {
      fetch(rows_[r] + next_.first * e_, next_.size() * e_);
      put(other_ + r * pitch_, rows_[r] + at_row, m * e_);
    }
    for (std::int64_t l = 0; l < m; ++l) {
      if (l < next_.size()) fetch(next_columns_[l] + at_column, n * e_);
      put(kept_ + l * pitch_, columns_[l] + at_column, n * e_);
    }
  }
  static void fetch(const std::byte* row, std::int64_t bytes) {
    for (std::int64_t b = 0; b < bytes; b += cache_line) __builtin_prefetch(row + b, 1, 2);
  }

  void transpose_one(Edges rows) {
    const std::int64_t n = rows.size(), at = rows.first * e_;
    transpose(rows_, n, n, at, kept_);
    for (std::int64_t l = 0; l < n; ++l) put(kept_ + l * pitch_, rows_[l] + at, n * e_);
  }

  // out[c·pitch + r·element] = rows[r] + at + c·element. Where a line of a row is needed many times, all rows are first laid side by side.
  void transpose(std::byte* const* rows, std::int64_t n, std::int64_t m, std::int64_t at, std::byte* out) {
    if (!is_odd_ && e_ > 2) {
      for (std::int64_t c = 0; c < m; ++c) stage_[c] = out + c * pitch_;
      return simd::transpose(k_, {rows, n, stage_, m}, at, 0, e_);
    }
    for (std::int64_t r = 0; r < n; ++r) k_.copy(rows[r] + at, raw_ + r * pitch_, m * e_);
    if (!is_odd_) return k_.transpose[e_ - 1](raw_, pitch_, n, m, out, pitch_);  // 1 or 2 bytes
    const auto transpose = e_ < 4    ? transpose_3
                           : e_ < 8  ? transpose_to_8
                           : e_ < 16 ? transpose_to_16
                           : e_ < 32 ? transpose_to_32
                                     : transpose_to_64;
    transpose(raw_, n, m, e_, out, pitch_);
  }

  void put(const std::byte* in, std::byte* out, std::int64_t bytes) const {
    x_.swapped == 0 ? k_.copy(in, out, bytes) : k_.swap_bytes(in, bytes, static_cast<int>(x_.swapped), out);
  }

  const planning::Exchange& x_;
  const simd::Kernels& k_;
  const std::int64_t e_;
  const bool is_odd_;
  std::int64_t edge_, pitch_;                                // elements; bytes
  std::byte *kept_, *other_, *raw_;                          // edge × pitch bytes
  std::byte **rows_, **columns_, **next_columns_, **stage_;  // edge addresses
  Edges next_;                                               // columns of the next tile
};

}  // namespace

void exchange_tiles(const planning::Exchange& x, Destinations buffers, const simd::Kernels& kernels, std::int64_t part,
                    std::int64_t n_parts) {
  Tiles(x, kernels, simd::Scratch::of_this_thread()).run(buffers, part, n_parts);
}

}  // namespace crinkle
