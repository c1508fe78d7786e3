// Stands for runtime.cpp in a build without CUDA: there are no devices, and all else is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/entry.hpp"
#include "cuda/peers.hpp"

namespace crinkle {

int count_cuda_devices() noexcept { return 0; }
bool has_cuda() noexcept { return false; }
Device cuda(int n) { gpu::refuse(n); }
DeviceFacts facts_of(Device device) { gpu::refuse(device.index); }
Stream::Stream(Device device) { gpu::refuse(device.index); }
void Stream::synchronize() const { gpu::refuse(); }
DeviceMemory::DeviceMemory(Device device, std::int64_t) { gpu::refuse(device.index); }
void copy_bytes(ConstBuffer, Buffer) { gpu::refuse(); }

namespace gpu {

OnDevice::OnDevice(int device) { refuse(device); }
OnDevice::~OnDevice() = default;
int architecture_of(int device) { refuse(device); }
void check_pointer(const void*, int device, const std::string&) { refuse(device); }
void check_host_pointer(const void*, const std::string&) { refuse(); }
void check_stream(CUstream_st*, int device) { refuse(device); }
bool is_capturing(CUstream_st*) { refuse(); }
Graph::Graph(const std::function<void(CUstream_st*)>&) { refuse(); }
void Graph::launch(CUstream_st*) const { refuse(); }
Timer::Timer(int device) { refuse(device); }
Timer::~Timer() = default;
void Timer::begin(CUstream_st*) { refuse(); }
void Timer::end(CUstream_st*) { refuse(); }
double Timer::seconds() { refuse(); }
Event::Event(int device) { refuse(device); }
void Event::record(CUstream_st*) const { refuse(); }
void Event::let_wait(CUstream_st*) const { refuse(); }
bool reach_peer(int device, int) { refuse(device); }
void copy_between_devices(const void*, void*, std::int64_t, CUstream_st*) { refuse(); }
void copy_rows_between_devices(const Rows&, CUstream_st*) { refuse(); }
void copy_on_device(const void*, void*, std::int64_t, CUstream_st*) { refuse(); }
void clear(void*, std::int64_t, CUstream_st*) { refuse(); }
void fetch(const void*, void*, std::int64_t, CUstream_st*) { refuse(); }
PinnedMemory::PinnedMemory(std::int64_t) { refuse(); }
void clear(const DeviceMemory&, CUstream_st*) { refuse(); }
void copy_to_device(const PinnedMemory&, const DeviceMemory&, std::int64_t, CUstream_st*) { refuse(); }
void copy_to_host(const DeviceMemory&, const PinnedMemory&, std::int64_t, CUstream_st*) { refuse(); }

}  // namespace gpu
}  // namespace crinkle
