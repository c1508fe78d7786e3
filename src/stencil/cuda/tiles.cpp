// Tiles are as long along the line as it has elements for, and then as high and deep as fits many blocks: rows that a block reads twice
// come from the first cache.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/checked.hpp"
#include "stencil/cuda/form.hpp"
#include "stencil/cuda/march.hpp"

namespace crinkle {

template <class T>
void set_tiles(CudaStage<T>& s, std::int64_t workers) {
  const CudaSweepAxis<T>* axes = s.axes + s.n_axes - 3;
  const std::int64_t line = axes[2].extent * s.width;
  std::int64_t outer = 1;
  for (int a = 0; a + 3 < s.n_axes; ++a) outer *= s.axes[a].extent;
  const auto measure = [&] {
    s.line_tile = s.lane_bits < 5 ? 1 << s.lane_bits : cuda_elements << s.lane_bits;
    s.counts[0] = ceil_divide(axes[0].extent, std::int64_t{1} << s.deep_bits);
    s.counts[1] = ceil_divide(axes[1].extent, std::int64_t{1} << s.row_bits);
    s.counts[2] = ceil_divide(line, std::int64_t{s.line_tile});
    s.n_blocks = s.counts[0] * s.counts[1] * s.counts[2] * outer;
  };
  s.lane_bits = std::min(bits_for(line), 5);
  s.deep_bits = std::min(bits_for(axes[0].extent), 3);
  s.row_bits = std::min(bits_for(axes[1].extent), s.deep_bits > 0 ? 3 : 5);
  constexpr int thread_bits = 8;
  static_assert(1 << thread_bits == cuda_sweep_threads);
  while (s.lane_bits >= 5 && s.lane_bits + s.row_bits + s.deep_bits < thread_bits && cuda_elements << s.lane_bits < line) ++s.lane_bits;
  measure();
  while (s.n_blocks < 4 * workers && s.lane_bits + s.row_bits + s.deep_bits > thread_bits) {
    --(s.deep_bits > 0 ? s.deep_bits : s.row_bits);
    measure();
  }
}

template void set_tiles(CudaStage<float>&, std::int64_t);
template void set_tiles(CudaStage<double>&, std::int64_t);

}  // namespace crinkle
