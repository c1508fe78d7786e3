// Several devices: points of their streams, and each other's memory.
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>

#include "cuda/peers.hpp"

namespace crinkle::gpu {

Event::Event(int device) {
  const OnDevice on(device);
  cudaEvent_t made = nullptr;
  check_status(cudaEventCreateWithFlags(&made, cudaEventDisableTiming), "an event");
  event_ = std::shared_ptr<CUevent_st>(made, [](CUevent_st* e) { cudaEventDestroy(e); });
}

void Event::record(CUstream_st* stream) const { check_status(cudaEventRecord(event_.get(), stream), "an event"); }
void Event::let_wait(CUstream_st* stream) const { check_status(cudaStreamWaitEvent(stream, event_.get(), 0), "waiting for an event"); }

bool reach_peer(int device, int peer) {
  if (device == peer) return true;
  int can = 0;
  check_status(cudaDeviceCanAccessPeer(&can, device, peer), "asking whether devices reach each other");
  if (can == 0) return false;
  const OnDevice on(device);
  const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
  if (status == cudaSuccess || status == cudaErrorPeerAccessAlreadyEnabled) {
    cudaGetLastError();  // that it was enabled before is no error of what comes next
    return true;
  }
  if (status != cudaErrorTooManyPeers) check_status(status, "access to another device's memory");
  cudaGetLastError();
  return false;
}

void copy_between_devices(const void* from, void* to, std::int64_t bytes, CUstream_st* stream) {
  check_status(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDefault, stream), "a copy between devices");
}

void copy_rows_between_devices(const Rows& rows, CUstream_st* stream) {
  if (rows.n == 1) return copy_between_devices(rows.from, rows.to, rows.bytes, stream);
  const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  check_status(cudaMemcpy2DAsync(rows.to, size(rows.to_pitch), rows.from, size(rows.from_pitch), size(rows.bytes), size(rows.n),
                                 cudaMemcpyDefault, stream),
               "a copy between devices");
}

}  // namespace crinkle::gpu
