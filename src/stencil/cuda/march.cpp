// Stars and boxes recognised in lists of points, and their tiles. SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda/march.hpp"

#include <algorithm>
#include <limits>

#include "base/checked.hpp"

namespace crinkle {
namespace {

// The points in the order that the kernels add them.
std::vector<std::int64_t> offsets_of(const March& march, const std::vector<std::int64_t>& radii) {
  const std::size_t n = radii.size();
  std::vector<std::int64_t> offsets, offset(n, 0);
  if (march.is_box) {
    for (std::size_t a = 0; a < n; ++a) offset[a] = -radii[a];
    for (;;) {
      offsets.insert(offsets.end(), offset.begin(), offset.end());
      std::size_t a = n;
      while (a > 0 && offset[a - 1] == radii[a - 1]) {
        offset[a - 1] = -radii[a - 1];
        --a;
      }
      if (a == 0) return offsets;
      ++offset[a - 1];
    }
  }
  offsets = offset;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::int64_t k = 1; k <= radii[a]; ++k) {
      for (const std::int64_t o : {-k, k}) {
        offset[a] = o;
        offsets.insert(offsets.end(), offset.begin(), offset.end());
      }
    }
    offset[a] = 0;
  }
  return offsets;
}

// The march of an unbroken row of weights along the last axis or the one before it, or nullptr.
const March* row_of(const Stage& stage, const std::vector<std::int64_t>& radii) {
  const std::size_t n = radii.size(), reached = static_cast<std::size_t>(n - 1 - static_cast<std::size_t>(radii[n - 1] == 0));
  for (std::size_t a = 0; a < n; ++a)
    if ((radii[a] > 0) != (a == reached)) return nullptr;
  if (stage.n_points() != stage.below[reached] + stage.above[reached] + 1 || stage.n_points() > most_cuda_points) return nullptr;
  for (std::int64_t k = 0; k < stage.n_points(); ++k)
    if (stage.offsets[static_cast<std::size_t>(k) * n + reached] != k - stage.below[reached]) return nullptr;
  if (reached == n - 1 && n <= most_star_axes && stage.below[reached] == stage.above[reached]) {
    const int r = static_cast<int>(std::min<std::int64_t>(stage.above[reached], most_cuda_points));
    const auto found = std::find(marches.begin(), marches.end(), March{r, r, r, 1, true, March::Row::star_of_axes});
    if (found != marches.end()) return &*found;
  }
  const March::Row kind = reached == n - 1 ? March::Row::along_line : March::Row::across;
  return std::find_if(marches.begin(), marches.end(), [&](const March& march) { return march.row == kind; });
}

// Whether streaming suits the line: the narrowest stars leave short lines, where a warp's vectors would be few, to another kernel.
bool can_stream(const March& march, std::int64_t line) {
  constexpr std::int64_t shortest = 96, longest = std::numeric_limits<std::int32_t>::max();  // StreamSource::Places
  return line <= longest && (line >= shortest || march.is_box || march.line > 1);
}

}  // namespace

const March* march_of(const Stage& stage, const SweepShape& shape) {
  const std::size_t n = shape.axes.size();
  std::vector<std::int64_t> radii(n, 0);
  for (std::size_t a = 0; a < n; ++a) {
    radii[a] = std::max(stage.below[a], stage.above[a]);
    if (radii[a] > 0 && shape.axes[a].extent <= 2 * radii[a]) return nullptr;  // rows beyond a face are then to be found inside
  }
  if (shape.width > 1 && radii[n - 1] > 0) return nullptr;
  if (const March* const row = row_of(stage, radii)) return row;
  for (const March& march : marches) {
    if (march.row == March::Row::star_of_axes && !march.is_box && n <= most_star_axes && radii[n - 1] == march.line &&
        std::all_of(radii.begin(), radii.end(), [&](auto r) { return r == 0 || r == march.line; }) &&
        offsets_of(march, radii) == stage.offsets)
      return &march;
    const std::size_t n_tiled = march.has_rows() ? 3 : 2;
    if (march.steps > 1 || (march.row != March::Row::none && !march.is_stream())) continue;
    if (march.is_stream() && !can_stream(march, shape.axes[n - 1].extent)) continue;
    if (radii[n - 1] != march.line || radii[n - n_tiled] != march.along || (march.has_rows() && radii[n - 2] != march.rows)) continue;
    const bool is_within = std::all_of(radii.begin(), radii.end() - static_cast<std::ptrdiff_t>(n_tiled), [](auto r) { return r == 0; });
    if (is_within && offsets_of(march, radii) == stage.offsets) return &march;
  }
  return nullptr;
}

const March* march_of_steps(const March& one, int steps) {
  March wanted = one;
  wanted.steps = steps;
  const auto found = std::find(marches.begin(), marches.end(), wanted);
  return found == marches.end() ? nullptr : &*found;
}

template <class T>
void set_march(CudaStage<T>& s, const March& march, std::int64_t workers) {
  constexpr std::int64_t vector = 16 / static_cast<std::int64_t>(sizeof(T));
  if (march.row == March::Row::star_of_axes) {
    s.along = -1;  // a row's thread makes one cell
    for (int a = s.n_axes - 2; a >= 0 && !march.is_box; --a)
      if (s.axes[a].below > 0 || s.along < 0) s.along = a;
    const auto bits_of = [&](int a) {  // no tile where many of its rows would be beyond the axis
      const std::int64_t extent = s.axes[a].extent, tile = std::int64_t{1} << star_tile_bits;
      const bool is_filled = ceil_divide(extent, tile) * tile * 8 <= extent * 9;
      return !march.is_box && a != s.along && s.axes[a].below > 0 && is_filled ? star_tile_bits : 0;
    };
    s.row_bits = bits_of(s.n_axes - 2);
    s.deep_bits = bits_of(s.n_axes - 3);
    std::int64_t n = s.axes[s.n_axes - 1].extent * static_cast<std::int64_t>(sizeof(T)) / s.vector;
    for (int a = 0; a + 1 < s.n_axes; ++a) {
      const int bits = a == s.n_axes - 2 ? s.row_bits : a == s.n_axes - 3 ? s.deep_bits : 0;
      if (a == s.along) n *= ceil_divide(s.axes[a].extent, std::int64_t{star_length(march.line, s.vector)});
      else n *= ceil_divide(s.axes[a].extent, std::int64_t{1} << bits) << bits;
    }
    s.n_blocks = ceil_divide(n, std::int64_t{cuda_sweep_threads});
    return;
  }
  const int n_tiled = march.has_rows() ? 3 : 2;
  const CudaSweepAxis<T>* const axes = s.axes + s.n_axes - n_tiled;
  const std::int64_t along = axes[0].extent, rows = march.has_rows() ? axes[1].extent : 1;
  const std::int64_t vectors = s.axes[s.n_axes - 1].extent * s.width / vector;
  std::int64_t outer = 1;
  for (int a = 0; a < s.n_axes - n_tiled; ++a) outer *= s.axes[a].extent;
  std::int64_t row_tile = 1, chunks = 1;  // rows of a block; parts of the marching axis in a block
  if (march.is_stream()) {
    s.counts[2] = ceil_divide(vectors, std::int64_t{32});
    row_tile = stream_tile(march.rows, march.is_box).rows;
  } else if (march.steps > 1) {
    s.counts[2] = ceil_divide(vectors, 32 - 2 * ceil_divide(std::int64_t{march.steps * march.line}, vector));
    chunks = cuda_sweep_threads / 32;
  } else {
    s.lane_bits = std::min(bits_for(vectors), std::max(5, 8 - bits_for(march.has_rows() ? rows : along)));
    s.counts[2] = ceil_divide(vectors, std::int64_t{1} << s.lane_bits);
    (march.has_rows() ? row_tile : chunks) = cuda_sweep_threads >> s.lane_bits;
  }
  s.counts[1] = ceil_divide(rows, row_tile);
  s.march = march.is_stream() ? (march.rows == 1 ? 32 : 64) : march.row != March::Row::none ? 4 : march.steps > 1 ? 32 : 8;
  for (;;) {
    s.counts[0] = ceil_divide(ceil_divide(along, std::int64_t{s.march}), chunks);
    s.n_blocks = s.counts[0] * s.counts[1] * s.counts[2] * outer;
    if (s.n_blocks >= 4 * workers || s.march <= 8) break;  // shorter parts read more rows twice
    s.march /= 2;
  }
}

template void set_march(CudaStage<float>&, const March&, std::int64_t);
template void set_march(CudaStage<double>&, const March&, std::int64_t);

}  // namespace crinkle
