// SPDX-License-Identifier: BSD-3-Clause
#include "harness/gpu_kernels.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <memory>
#include <string>

#include "crinkle/detail/hd.hpp"
#include "crinkle/error.hpp"
#include "harness/random.hpp"

namespace crinkle::bench {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned many_blocks = 8192;

void check(cudaError_t status) {
  if (status != cudaSuccess) throw Error(ErrorCode::device, std::string("a kernel of the benchmark: ") + cudaGetErrorString(status));
}

__global__ void randomize(unsigned char* bytes, std::int64_t n, std::uint64_t seed) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t w = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; w < (n + 7) / 8; w += step) {
    std::uint64_t state = seed + static_cast<std::uint64_t>(w), x = next_random(state);
    for (std::int64_t b = 8 * w; b < n && b < 8 * w + 8; ++b, x >>= 8) bytes[b] = static_cast<unsigned char>(x);
  }
}

__global__ void copy(const uint4* src, uint4* dst, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) dst[i] = src[i];
}

__global__ void fill(uint4* to, std::int64_t n) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < n) to[k] = make_uint4(1, 2, 3, 4);
}

__global__ void read(const uint4* data, std::int64_t n, unsigned* sink) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  unsigned all = 0;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    const uint4 v = data[i];
    all ^= v.x ^ v.y ^ v.z ^ v.w;
  }
  if (all == 0x9E3779B9u) *sink = all;  // of random data almost never, which the compiler does not know
}

// A block takes blockDim.y entries; blockDim.x threads go through the words of each.
template <class Word>
__global__ void index_words(const __grid_constant__ IndexLoop loop, const Word* src, Word* dst) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.y;
  for (std::int64_t j = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y; j < loop.n_entries; j += step) {
    const std::int64_t index = loop.indices[j];
    for (std::int64_t o = blockIdx.y; o < loop.n_outer; o += gridDim.y) {
      const Word* from = src + (o * loop.src_extent + (loop.is_gather ? index : j)) * loop.n_inner;
      Word* to = dst + (o * loop.dst_extent + (loop.is_gather ? j : index)) * loop.n_inner;
      for (std::int64_t k = threadIdx.x; k < loop.n_inner; k += blockDim.x) to[k] = from[k];
    }
  }
}

template <class Word>
void launch_index_words(const IndexLoop& loop, const void* src, void* dst, CUstream_st* stream) {
  constexpr std::int64_t most_x = 0x7FFFFFFF, most_y = 0xFFFF;  // of a grid
  dim3 block(1, 1);
  while (block.x < loop.n_inner && block.x < threads) block.x *= 2;
  block.y = threads / block.x;
  const dim3 grid(static_cast<unsigned>(std::min(most_x, (loop.n_entries + block.y - 1) / block.y)),
                  static_cast<unsigned>(std::min(most_y, loop.n_outer)));
  index_words<<<grid, block, 0, stream>>>(loop, static_cast<const Word*>(src), static_cast<Word*>(dst));
  check(cudaGetLastError());
}

struct Map {
  int rank = 0;
  int unit = 1;
  bool is_fill = false;
  std::int64_t src_offset = 0, dst_offset = 0, n = 1;
  Array<Axis, max_axes> axis = {};
  Array<unsigned char, 16> pattern = {};
};

__global__ void compare(const __grid_constant__ Map map, const unsigned char* src, const unsigned char* dst, unsigned long long* lowest) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; k < map.n; k += step) {
    std::int64_t from = map.src_offset, to = map.dst_offset, rest = k;
    for (int a = map.rank - 1; a >= 0; --a) {
      const std::int64_t i = rest % map.axis[a].extent;
      rest /= map.axis[a].extent;
      from += i * map.axis[a].src_stride;
      to += i * map.axis[a].dst_stride;
    }
    for (int b = 0; b < map.unit; ++b)
      if (dst[to + b] != (map.is_fill ? map.pattern[b] : src[from + b])) atomicMin(lowest, static_cast<unsigned long long>(to + b));
  }
}

}  // namespace

void randomize_on_gpu(void* data, std::int64_t n_bytes, std::uint64_t seed, CUstream_st* stream) {
  randomize<<<many_blocks, threads, 0, stream>>>(static_cast<unsigned char*>(data), n_bytes, seed);
  check(cudaGetLastError());
}

void copy_on_gpu(const void* src, void* dst, std::int64_t n_bytes, CUstream_st* stream) {
  const std::int64_t n = n_bytes / 16;
  if (n == 0) return;
  copy<<<static_cast<unsigned>((n + threads - 1) / threads), threads, 0, stream>>>(static_cast<const uint4*>(src), static_cast<uint4*>(dst),
                                                                                   n);
  check(cudaGetLastError());
}

void fill_on_gpu(void* dst, std::int64_t n_bytes, CUstream_st* stream) {
  const std::int64_t n = n_bytes / 16;
  if (n == 0) return;
  fill<<<static_cast<unsigned>((n + threads - 1) / threads), threads, 0, stream>>>(static_cast<uint4*>(dst), n);
  check(cudaGetLastError());
}

void memset_on_gpu(void* dst, int byte, std::int64_t n_bytes, CUstream_st* stream) {
  check(cudaMemsetAsync(dst, byte, static_cast<std::size_t>(n_bytes), stream));
}

void read_on_gpu(const void* data, std::int64_t n_bytes, void* sink, CUstream_st* stream) {
  read<<<many_blocks, threads, 0, stream>>>(static_cast<const uint4*>(data), n_bytes / 16, static_cast<unsigned*>(sink));
  check(cudaGetLastError());
}

void index_on_gpu(const IndexLoop& loop, const void* src, void* dst, CUstream_st* stream) {
  if (loop.n_entries == 0 || loop.n_outer == 0) return;
  switch (loop.word_bytes) {
    case 1: return launch_index_words<unsigned char>(loop, src, dst, stream);
    case 2: return launch_index_words<unsigned short>(loop, src, dst, stream);
    case 4: return launch_index_words<unsigned>(loop, src, dst, stream);
    case 8: return launch_index_words<uint2>(loop, src, dst, stream);
    case 16: return launch_index_words<uint4>(loop, src, dst, stream);
    default:
      throw Error(ErrorCode::unsupported, "a loop over words of " + std::to_string(loop.word_bytes) + " bytes; give 1, 2, 4, 8 or 16");
  }
}

void check_on_gpu(const Box& box, const void* src, const void* dst, unsigned long long* lowest_wrong, CUstream_st* stream) {
  Map map;
  map.rank = static_cast<int>(box.axes.size());
  map.unit = box.unit;
  map.is_fill = box.is_fill;
  map.src_offset = box.src_offset;
  map.dst_offset = box.dst_offset;
  for (int a = 0; a < map.rank; ++a) {
    map.axis[a] = box.axes[static_cast<std::size_t>(a)];
    map.n *= map.axis[a].extent;
  }
  for (int b = 0; b < 16; ++b) map.pattern[b] = static_cast<unsigned char>(box.pattern[static_cast<std::size_t>(b)]);
  compare<<<many_blocks, threads, 0, stream>>>(map, static_cast<const unsigned char*>(src), static_cast<const unsigned char*>(dst),
                                               lowest_wrong);
  check(cudaGetLastError());
}

std::function<void()> graph_of(const std::function<void()>& work, CUstream_st* stream) {
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  work();
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiate(&exec, graph, 0));
  check(cudaGraphDestroy(graph));
  return [stream, own = std::shared_ptr<CUgraphExec_st>(exec, [](cudaGraphExec_t e) { cudaGraphExecDestroy(e); })] {
    check(cudaGraphLaunch(own.get(), stream));
  };
}

}  // namespace crinkle::bench
