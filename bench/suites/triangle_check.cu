// SPDX-License-Identifier: BSD-3-Clause
#include "suites/triangle_check.hpp"

#include <cuda_runtime_api.h>

#include "cuda/runtime.hpp"
#include "tile/triangle_parts.hpp"

namespace crinkle::bench {
namespace {

using Lowest = unsigned long long;

__global__ void check_piece(TrianglePiece piece, std::int64_t element, const std::byte* src, const std::byte* dst, Lowest* lowest) {
  const std::int64_t j = piece.part.j_begin + blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  for (std::int64_t i = piece.part.i_begin + blockIdx.y; i < piece.part.i_end; i += gridDim.y) {
    if (!piece.part.has(i, j)) continue;
    const std::int64_t from = piece.from.place(i, j) * element, to = piece.to.place(i, j) * element;
    for (std::int64_t k = 0; k < element; ++k)
      if (src[from + k] != dst[to + k]) atomicMin(lowest, static_cast<Lowest>(to + k));
  }
}

__global__ void check_zeros(DiagonalLines diagonal, std::int64_t element, const std::byte* dst, Lowest* lowest) {
  for (std::int64_t i = diagonal.begin + threadIdx.x; i < diagonal.end; i += blockDim.x)
    for (std::int64_t k = 0, to = diagonal.lines.place(i, i) * element; k < element; ++k)
      if (dst[to + k] != std::byte{0}) atomicMin(lowest, static_cast<Lowest>(to + k));
}

}  // namespace

std::int64_t first_wrong_of_triangle(const TriangleLayout& from, const TriangleLayout& to, const std::byte* src, const std::byte* dst,
                                     const Stream& stream) {
  const DeviceMemory memory(cuda(), sizeof(Lowest));
  auto* const lowest = static_cast<Lowest*>(memory.data());
  Lowest found = ~0ull;
  copy_bytes({&found, sizeof found}, memory);
  for (const TrianglePiece& piece : pieces_of(from, to)) {
    const auto width = static_cast<unsigned>((piece.part.j_end - piece.part.j_begin + 255) / 256);
    check_piece<<<dim3(width, 1024), 256, 0, stream.get()>>>(piece, to.element_bytes, src, dst, lowest);
  }
  for (const DiagonalLines& diagonal : zeros_of(from, to))
    check_zeros<<<1, 256, 0, stream.get()>>>(diagonal, to.element_bytes, dst, lowest);
  gpu::check_status(static_cast<int>(cudaGetLastError()), "checking a triangle");
  stream.synchronize();
  copy_bytes(memory, {&found, sizeof found});
  return found == ~0ull ? std::int64_t{-1} : static_cast<std::int64_t>(found);
}

}  // namespace crinkle::bench
