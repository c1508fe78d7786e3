// A conversion on a GPU: a launch a piece, of one linear grid; grids beyond the limit are several launches. Nothing is allocated and
// nothing waited for.
// SPDX-License-Identifier: BSD-3-Clause
#include "triangle/cuda/kernels.cuh"

#include <algorithm>

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "move/cuda/forms.cuh"
#include "triangle/triangle.hpp"
#include "triangle/works.hpp"

namespace crinkle {
namespace {

constexpr const char* what = "a conversion of triangles";

const void* copy_kernel(int unit) {
  return kernel::of_unit(unit, [](auto bytes) { return reinterpret_cast<const void*>(&kernel::copy_triangle_lines<bytes>); });
}
const void* cross_kernel(const tile::TriangleCrossTile& tile) {
  return kernel::of_unit(tile.move.unit, [&](auto bytes) {
    if (!tile.is_staged) return reinterpret_cast<const void*>(&kernel::cross_triangle_units<bytes>);
    return reinterpret_cast<const void*>(&kernel::cross_triangle_lines<bytes>);
  });
}

class Launcher {
 public:
  Launcher(const std::byte* src, std::byte* dst, CUstream_st* stream)
      : src_(reinterpret_cast<const char*>(src)), dst_(reinterpret_cast<char*>(dst)), stream_(stream) {}

  template <class Tile>
  void launch(const void* kernel, Tile tile, std::int64_t shared_bytes) {
    gpu::for_each_grid(static_cast<std::int64_t>(tile.blocks.n_blocks()), [&](std::int64_t first, std::uint32_t n_blocks) {
      void* arguments[] = {&tile, &first, &src_, &dst_};
      gpu::launch(kernel, {n_blocks, Tile::threads, shared_bytes}, arguments, stream_, what);
    });
  }

  void zero(const DiagonalLines& diagonal, std::int64_t element, int unit) {
    TriangleLines lines = diagonal.lines;
    std::int64_t begin = diagonal.begin, n = diagonal.end - diagonal.begin, n_units = element / unit;
    const auto blocks = static_cast<std::uint32_t>(std::min<std::int64_t>((n + kernel::zero_threads - 1) / kernel::zero_threads, 1 << 20));
    void* arguments[] = {&lines, &begin, &n, &n_units, &dst_};
    const void* const zeros =
        kernel::of_unit(unit, [](auto bytes) { return reinterpret_cast<const void*>(&kernel::zero_triangle_diagonal<bytes>); });
    gpu::launch(zeros, {blocks, kernel::zero_threads}, arguments, stream_, what);
  }

 private:
  const char* src_;
  char* dst_;
  CUstream_st* stream_;
};

std::int32_t phase_of(const std::byte* p) { return static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(p) % 128); }

}  // namespace

void convert_cuda(const Conversion& conversion, const std::byte* src, std::byte* dst, CUstream_st* stream) {
  Launcher launcher(src, dst, stream);
  const std::int64_t e = conversion.element;
  int unit = 16;  // the widest that an element and both addresses are multiples of
  while ((e | phase_of(src) | phase_of(dst)) % unit != 0) unit /= 2;
  for (const TriangleWork& work : conversion.works) {
    const tile::TriangleMove move{work.piece.part, work.piece.from, work.piece.to,       e, unit,
                                  phase_of(src),   phase_of(dst),   conversion.src_bytes};
    if (!work.piece.is_crossing()) {
      const tile::TriangleCopyTile tile(move);
      launcher.launch(copy_kernel(unit), tile, 0);
      continue;
    }
    const tile::TriangleCrossTile tile(move, work.beside);
    launcher.launch(cross_kernel(tile), tile, tile.shared_bytes());
  }
  for (const DiagonalLines& diagonal : conversion.zeros) launcher.zero(diagonal, e, unit);
}

}  // namespace crinkle
