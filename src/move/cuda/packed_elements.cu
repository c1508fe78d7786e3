// A packed byte a thread: neighbours read and write side by side. SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/packed_elements.hpp"

#include <type_traits>

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "move/packed_byte.hpp"

namespace crinkle {
namespace {

constexpr unsigned threads = 256;

// The elements of a packed byte, a byte each.
template <int bits>
using Word = std::conditional_t<bits == 4, std::uint16_t, std::conditional_t<bits == 2, std::uint32_t, std::uint64_t>>;

template <int bits>
__global__ void unpack_bytes(const std::uint8_t* packed, std::uint8_t* bytes, std::int64_t n, std::int64_t first_block) {
  constexpr int each = 8 / bits;
  const std::int64_t k = (first_block + blockIdx.x) * threads + threadIdx.x;
  if (k * each >= n) return;
  const std::uint64_t all = unpacked<bits>(packed[k]);
  if (k * each + each <= n) {
    reinterpret_cast<Word<bits>*>(bytes)[k] = static_cast<Word<bits>>(all);
    return;
  }
  for (int j = 0; k * each + j < n; ++j) bytes[k * each + j] = static_cast<std::uint8_t>(all >> (8 * j));
}

template <int bits>
__global__ void pack_bytes(const std::uint8_t* bytes, std::uint8_t* to, std::int64_t n, std::int64_t first_block) {
  constexpr int each = 8 / bits;
  const std::int64_t k = (first_block + blockIdx.x) * threads + threadIdx.x;
  if (k * each >= n) return;
  std::uint64_t all = 0;
  if (k * each + each <= n) all = reinterpret_cast<const Word<bits>*>(bytes)[k];
  else
    for (int j = 0; k * each + j < n; ++j) all |= std::uint64_t{bytes[k * each + j]} << (8 * j);
  to[k] = static_cast<std::uint8_t>(packed<bits>(all));
}

using Kernel = void (*)(const std::uint8_t*, std::uint8_t*, std::int64_t, std::int64_t);

void launch_bytes(Kernel kernel, const std::byte* from, std::byte* to, std::int64_t n, int bits, CUstream_st* stream) {
  const std::int64_t of_a_block = std::int64_t{threads} * (8 / bits);
  gpu::for_each_grid((n + of_a_block - 1) / of_a_block, [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {&from, &to, &n, &first};
    gpu::launch(reinterpret_cast<const void*>(kernel), {n_blocks, threads, 0}, arguments, stream, "packed elements");
  });
}

}  // namespace

void unpack_on_gpu(const std::byte* packed, std::byte* bytes, std::int64_t n, int bits, CUstream_st* stream) {
  const Kernel kernel = bits == 1 ? unpack_bytes<1> : bits == 2 ? unpack_bytes<2> : unpack_bytes<4>;
  launch_bytes(kernel, packed, bytes, n, bits, stream);
}
void pack_on_gpu(const std::byte* bytes, std::byte* packed, std::int64_t n, int bits, CUstream_st* stream) {
  const Kernel kernel = bits == 1 ? pack_bytes<1> : bits == 2 ? pack_bytes<2> : pack_bytes<4>;
  launch_bytes(kernel, bytes, packed, n, bits, stream);
}

}  // namespace crinkle
