// Every function of a k-index in a kernel, a thread a cell.
// SPDX-License-Identifier: BSD-3-Clause
#include "kindex_on_gpu.hpp"

namespace crinkle::testing {
namespace {

template <class Index>
__global__ void call_everything(KIndexCalls<Index> calls, KIndexArrays<typename Index::Integer> to) {
  using K = typename Index::Integer;
  const K k = (static_cast<K>(blockIdx.y) * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;  // eq. 20
  if (k >= calls.index.total()) return;
  for (int call = 0; call < KIndexCalls<Index>::n_calls; ++call) to.values[static_cast<K>(call) * calls.index.total() + k] = calls(call, k);
  fill_neighbours_of(k, calls.index, nearest_distances<Index::rank>(), Boundary::open, TableOrder::by_cell, to.by_cell);
  fill_neighbours_of(k, calls.index, nearest_distances<Index::rank>(), Boundary::reflecting, TableOrder::by_slot, to.by_slot);
}

}  // namespace

template <class Index>
int call_on_gpu(const KIndexCalls<Index>& calls, const KIndexArrays<typename Index::Integer>& arrays) {
  constexpr unsigned threads = 32, across = 3;
  const auto total = static_cast<unsigned>(calls.index.total());
  call_everything<<<dim3(across, (total + threads * across - 1) / (threads * across)), threads>>>(calls, arrays);
  const cudaError_t launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
  return launched != cudaSuccess ? launched : ended;
}

template int call_on_gpu(const KIndexCalls<PowerOfTwoIndex<3, std::uint32_t>>&, const KIndexArrays<std::uint32_t>&);
template int call_on_gpu(const KIndexCalls<PowerOfTwoIndex<3, std::uint64_t>>&, const KIndexArrays<std::uint64_t>&);
template int call_on_gpu(const KIndexCalls<AnyIndex<3, std::uint32_t>>&, const KIndexArrays<std::uint32_t>&);
template int call_on_gpu(const KIndexCalls<AnyIndex<3, std::uint64_t>>&, const KIndexArrays<std::uint64_t>&);
template int call_on_gpu(const KIndexCalls<AnyIndex<5, std::uint32_t>>&, const KIndexArrays<std::uint32_t>&);

}  // namespace crinkle::testing
