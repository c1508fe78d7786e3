// Tiles: with D and S the two places of an outer index, rows r of `along` and columns l of `down`,
//     D + R(r) + l·element  <->  S + L(l) + r·element,
// R and L the offsets of the chains' axes. A task is a large block of r against a large block of l, so that both sides stay within few
// pages; inside, tiles of two lines a row. In a square R = L and D = S: blocks and tiles below the diagonal are exchanged with those above
// it, tiles on it transposed in themselves.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu_in_place_tiles.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "cpu/tables.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t tile_row = 128;    // bytes
constexpr std::int64_t most_edge = 64;    // elements of a tile
constexpr std::int64_t block_row = 1024;  // bytes
constexpr std::int64_t tile_bytes = most_edge * tile_row;

struct Edges {
  std::int64_t first = 0, last = 0;
  std::int64_t size() const { return last - first; }
};

class Tiles {
 public:
  Tiles(const plan::Exchange& x, Destinations buffers, const simd::Kernels& kernels)
      : x_(x), buffers_(buffers), k_(kernels), is_square_(x.kind == plan::Exchanged::squares), e_(x.element) {
    n_rows_ = n_indices(x.along);
    n_columns_ = n_indices(x.down);
    edge_ = std::clamp<std::int64_t>(tile_row / e_, 2, most_edge);
  }

  void run(std::int64_t part, std::int64_t n_parts) {
    ExchangeWalk walk(x_);
    std::int64_t block = std::max(edge_, block_row / e_ / edge_ * edge_);
    while (block > edge_ && multiply(walk.size(), n_blocks(block)) < 4 * n_parts) block = std::max(edge_, block / 2 / edge_ * edge_);
    const std::int64_t each = n_blocks(block), n = multiply(walk.size(), each);
    const std::int64_t first = n / n_parts * part + n % n_parts * part / n_parts;
    const std::int64_t last = n / n_parts * (part + 1) + n % n_parts * (part + 1) / n_parts;
    if (first == last) return;
    walk.seek(first / each);
    for (std::int64_t t = first; t < last; ++t) {
      const Spot& spot = walk.spot();
      dst_ = buffers_[static_cast<std::size_t>(spot.dst_slot)] + spot.dst;
      src_ = buffers_[static_cast<std::size_t>(spot.src_slot)] + spot.src;
      run_block(t % each, block);
      if ((t + 1) % each == 0) walk.skip(1);
    }
  }

 private:
  // Blocks of an outer index; of a square those below the diagonal, then those on it.
  std::int64_t n_blocks(std::int64_t block) const {
    const std::int64_t r = ceil_divide(n_rows_, block);
    return is_square_ ? (r == 1 ? 1 : add(plan::n_pairs(r), r)) : multiply(r, ceil_divide(n_columns_, block));
  }

  void run_block(std::int64_t b, std::int64_t block) {
    const std::int64_t n_down = ceil_divide(n_columns_, block);
    if (!is_square_) return run_tiles(edges(b / n_down, block, n_rows_), edges(b % n_down, block, n_columns_), false);
    const std::int64_t n_below = n_down == 1 ? 0 : plan::n_pairs(n_down);
    if (b >= n_below) return run_tiles(edges(b - n_below, block, n_rows_), edges(b - n_below, block, n_rows_), true);
    const plan::Pair pair = plan::pair_at(b, n_down);
    run_tiles(edges(pair.above, block, n_rows_), edges(pair.below, block, n_rows_), false);
  }
  static Edges edges(std::int64_t k, std::int64_t size, std::int64_t n) { return {k * size, std::min(n, (k + 1) * size)}; }

  void run_tiles(Edges rows, Edges columns, bool is_on_diagonal) {
    for (std::int64_t r = rows.first; r < rows.last; r += edge_) {
      const Edges some_rows{r, std::min(rows.last, r + edge_)};
      pointers(x_.along, some_rows, true, dst_, rows_);
      const std::int64_t end = is_on_diagonal ? r : columns.last;
      for (std::int64_t c = columns.first; c < end; c += edge_) {
        const Edges some_columns{c, std::min(columns.last, c + edge_)};
        pointers(x_.down, some_columns, false, src_, columns_);
        exchange(some_rows, some_columns);
      }
      if (is_on_diagonal) transpose_one(some_rows);
    }
  }

  // The addresses of some indices of a chain on its slow side.
  static void pointers(const AxisList& chain, Edges some, bool is_along, std::byte* from, std::byte** to) {
    std::int64_t index[max_axes], rest = some.first, offset = 0;
    const auto stride = [is_along](const Axis& a) { return is_along ? a.dst_stride : a.src_stride; };
    for (std::size_t a = 0; a < chain.size(); ++a) {
      index[a] = rest % chain[a].extent;
      rest /= chain[a].extent;
      offset += index[a] * stride(chain[a]);
    }
    for (std::int64_t i = 0; i < some.size(); ++i) {
      to[i] = from + offset;
      for (std::size_t a = 0; a < chain.size(); ++a) {
        offset += stride(chain[a]);
        if (++index[a] < chain[a].extent) break;
        offset -= chain[a].extent * stride(chain[a]);
        index[a] = 0;
      }
    }
  }

  // rows_[r][l] <-> columns_[l][r]
  void exchange(Edges rows, Edges columns) {
    const std::int64_t n = rows.size(), m = columns.size(), at_row = columns.first * e_, at_column = rows.first * e_;
    stage(kept_, n * e_, m);
    simd::transpose(k_, {rows_, n, stage_, m}, at_row, 0, e_);  // kept[l][r] = rows[r][l]
    if (x_.swapped == 0) {
      simd::transpose(k_, {columns_, m, rows_, n}, at_column, at_row, e_);
    } else {
      stage(other_, m * e_, n);
      simd::transpose(k_, {columns_, m, stage_, n}, at_column, 0, e_);
      for (std::int64_t r = 0; r < n; ++r) put(other_ + r * m * e_, rows_[r] + at_row, m * e_);
    }
    for (std::int64_t l = 0; l < m; ++l) put(kept_ + l * n * e_, columns_[l] + at_column, n * e_);
  }

  void transpose_one(Edges rows) {
    const std::int64_t n = rows.size(), at = rows.first * e_;
    stage(kept_, n * e_, n);
    simd::transpose(k_, {rows_, n, stage_, n}, at, 0, e_);
    for (std::int64_t l = 0; l < n; ++l) put(kept_ + l * n * e_, rows_[l] + at, n * e_);
  }

  void stage(std::byte* from, std::int64_t pitch, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) stage_[i] = from + i * pitch;
  }
  void put(const std::byte* in, std::byte* out, std::int64_t bytes) const {
    x_.swapped == 0 ? k_.copy(in, out, bytes) : k_.swap_bytes(in, bytes, static_cast<int>(x_.swapped), out);
  }

  const plan::Exchange& x_;
  Destinations buffers_;
  const simd::Kernels& k_;
  const bool is_square_;
  const std::int64_t e_;
  std::int64_t n_rows_, n_columns_, edge_;
  std::byte *dst_ = nullptr, *src_ = nullptr;
  std::byte *rows_[most_edge] = {}, *columns_[most_edge] = {}, *stage_[most_edge] = {};
  alignas(64) std::byte kept_[tile_bytes], other_[tile_bytes];
};

}  // namespace

void exchange_tiles(const plan::Exchange& x, Destinations buffers, const simd::Kernels& kernels, std::int64_t part, std::int64_t n_parts) {
  Tiles(x, buffers, kernels).run(part, n_parts);
}

}  // namespace crinkle
