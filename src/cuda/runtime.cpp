// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/runtime.hpp"

#include <cuda_runtime_api.h>

#include <atomic>
#include <map>
#include <mutex>

#include "base/checked.hpp"
#include "base/per_process.hpp"

namespace crinkle {
namespace {

std::string version_of(int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); }

std::string text_of(cudaError_t status) {
  std::string text = std::string("CUDA says: ") + cudaGetErrorString(status);
  if (status == cudaErrorNoDevice) return "this machine has no GPU that CUDA knows; use the CPU";
  if (status == cudaErrorInsufficientDriver) {
    int driver = 0;
    cudaDriverGetVersion(&driver);
    if (driver == 0) return "this machine has no NVIDIA driver; use the CPU";
    text += "; the driver knows CUDA " + version_of(driver) + ", this build is of CUDA " + version_of(CUDART_VERSION);
  }
  return text;
}

[[noreturn]] void fail(cudaError_t status, const std::string& what) {
  cudaGetLastError();  // what is told is forgotten: the next call does not tell it again
  const bool is_memory = status == cudaErrorMemoryAllocation;
  throw Error(is_memory ? ErrorCode::out_of_memory : ErrorCode::device, what + ": " + text_of(status));
}

void check(cudaError_t status, const std::string& what) {
  if (status != cudaSuccess) fail(status, what);
}
void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) fail(status, what);
}

std::string name_of(int device) { return "CUDA device " + std::to_string(device); }

struct Known {
  std::mutex mutex;
  std::map<int, cudaDeviceProp> devices;
};

// They never change, and asking takes the driver a third of a millisecond.
const cudaDeviceProp& properties_of(int n) {
  static constinit PerProcess<Known> known;
  auto& [mutex, devices] = known.get();
  const std::lock_guard lock(mutex);
  const auto at = devices.find(n);
  if (at != devices.end()) return at->second;
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, n), name_of(n));
  return devices.emplace(n, properties).first->second;
}

}  // namespace

int count_cuda_devices() noexcept {
  int n = 0;
  if (cudaGetDeviceCount(&n) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return n;
}

bool has_cuda() noexcept { return true; }

Device cuda(int n) {
  static std::atomic<int> known = 0;  // devices that are there stay: every call on a GPU's array comes here
  if (n >= 0 && n < known.load(std::memory_order_relaxed)) return {Device::Kind::cuda, n};
  int count = 0;
  check(cudaGetDeviceCount(&count), name_of(n));
  known.store(count, std::memory_order_relaxed);
  if (n < 0 || n >= count) {
    throw Error(ErrorCode::device, name_of(n) + ": there " + (count == 1 ? "is 1" : "are " + std::to_string(count)) +
                                       (count > 0 ? ", numbered from 0" : "; use the CPU"));
  }
  return {Device::Kind::cuda, n};
}

DeviceFacts facts_of(Device device) {
  if (device.kind != Device::Kind::cuda) throw Error(ErrorCode::device, "facts of a CUDA device were asked of the CPU; give cuda(0)");
  const int n = cuda(device.index).index;
  const gpu::OnDevice on(n);
  const cudaDeviceProp& properties = properties_of(n);
  DeviceFacts facts;
  facts.name = properties.name;
  facts.compute_major = properties.major;
  facts.compute_minor = properties.minor;
  facts.multiprocessors = properties.multiProcessorCount;
  std::size_t free_bytes = 0, all_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &all_bytes), name_of(n));
  facts.memory_bytes = static_cast<std::int64_t>(all_bytes);
  facts.free_bytes = static_cast<std::int64_t>(free_bytes);
  facts.cache_bytes = properties.l2CacheSize;
  facts.shared_bytes_block = static_cast<std::int64_t>(properties.sharedMemPerBlockOptin);
  facts.shared_bytes_worker = static_cast<std::int64_t>(properties.sharedMemPerMultiprocessor);
  facts.threads_block = properties.maxThreadsPerBlock;
  check(cudaDriverGetVersion(&facts.driver), name_of(n));
  check(cudaRuntimeGetVersion(&facts.runtime), name_of(n));
  return facts;
}

Stream::Stream(Device device) {
  const gpu::OnDevice on(device.index);
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "a stream of " + name_of(device.index));
  own_ = std::shared_ptr<void>(stream_, [](void* s) { cudaStreamDestroy(static_cast<cudaStream_t>(s)); });
}

void Stream::synchronize() const { check(cudaStreamSynchronize(stream_), "waiting for a stream"); }

DeviceMemory::DeviceMemory(Device device, std::int64_t bytes) : bytes_(bytes) {
  if (bytes < 0) throw Error(ErrorCode::bad_shape, std::to_string(bytes) + " bytes of " + name_of(device.index));
  if (bytes == 0) return;
  const gpu::OnDevice on(device.index);
  void* data = nullptr;
  const cudaError_t status = cudaMalloc(&data, static_cast<std::size_t>(bytes));
  if (status != cudaSuccess) {
    std::size_t free_bytes = 0, all_bytes = 0;
    cudaMemGetInfo(&free_bytes, &all_bytes);
    fail(status, std::to_string(bytes) + " bytes of " + name_of(device.index) + ", of whose " + std::to_string(all_bytes) + " bytes " +
                     std::to_string(free_bytes) + " are free");
  }
  data_ = std::shared_ptr<void>(data, [](void* p) { cudaFree(p); });
}

void copy_bytes(ConstBuffer from, Buffer to) {
  if (from.bytes > to.bytes)
    throw Error(ErrorCode::bad_shape, std::to_string(from.bytes) + " bytes do not go into " + std::to_string(to.bytes));
  if (from.bytes == 0) return;
  const std::string what = "copying " + std::to_string(from.bytes) + " bytes";
  check(cudaMemcpy(to.data, from.data, static_cast<std::size_t>(from.bytes), cudaMemcpyDefault), what);
  // From pageable memory, or within a device, it returns before the last bytes have arrived, and streams that are not the default one do
  // not wait for them.
  check(cudaStreamSynchronize(nullptr), what);
}

namespace gpu {

OnDevice::OnDevice(int device) : device_(device) {
  cudaError_t status = cudaGetDevice(&before_);
  if (status == cudaSuccess && before_ != device_) status = cudaSetDevice(device_);
  if (status != cudaSuccess) fail(status, name_of(device));  // the name is made for errors alone: every run of a plan comes here
}
OnDevice::~OnDevice() {
  if (before_ != device_) cudaSetDevice(before_);
}

int architecture_of(int device) { return 10 * properties_of(device).major + properties_of(device).minor; }

void check_pointer(const void* data, int device, const std::string& what) {
  cudaPointerAttributes of{};
  check(cudaPointerGetAttributes(&of, data), what);
  const bool is_elsewhere = of.type == cudaMemoryTypeDevice && of.device != device;
  if (of.type != cudaMemoryTypeUnregistered && of.devicePointer != nullptr && !is_elsewhere) return;
  throw Error(ErrorCode::device, what + " is not memory that " + name_of(device) + " can reach: it lies " +
                                     (is_elsewhere ? "on " + name_of(of.device) : "in the host's ordinary memory") +
                                     "; upload() and download() move between host and device");
}

void check_host_pointer(const void* data, const std::string& what) {
  cudaPointerAttributes of{};
  check(cudaPointerGetAttributes(&of, data), what);
  if (of.type != cudaMemoryTypeDevice) return;
  throw Error(ErrorCode::device, what + " is not memory that the CPU can reach: it lies on " + name_of(of.device) +
                                     "; upload() takes its source and download() its destination in the host's memory");
}

void check_stream(CUstream_st* stream, int device) {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return;  // those of the current device
  int of = device;
#if CUDART_VERSION >= 12080
  check(cudaStreamGetDevice(stream, &of), "a stream for " + name_of(device));
#endif
  if (of != device)
    throw Error(ErrorCode::device, "the stream is of " + name_of(of) + ", the plan for " + name_of(device) + "; give a stream of that one");
}

bool is_capturing(CUstream_st* stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(stream, &status) != cudaSuccess) {  // the default stream while another one is being captured
    cudaGetLastError();
    return true;
  }
  return status != cudaStreamCaptureStatusNone;
}

Graph::Graph(const std::function<void(CUstream_st*)>& give) {
  constexpr const char* what = "a graph of launches";
  cudaStream_t made = nullptr;
  check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), what);
  const std::unique_ptr<CUstream_st, void (*)(CUstream_st*)> stream(made, [](CUstream_st* s) { cudaStreamDestroy(s); });
  check(cudaStreamBeginCapture(made, cudaStreamCaptureModeThreadLocal), what);
  cudaGraph_t graph = nullptr;
  try {
    give(made);
  } catch (...) {
    cudaStreamEndCapture(made, &graph);
    cudaGraphDestroy(graph);
    throw;
  }
  check(cudaStreamEndCapture(made, &graph), what);
  cudaGraphExec_t exec = nullptr;
  const cudaError_t status = cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphDestroy(graph);
  check(status, what);
  exec_ = std::shared_ptr<CUgraphExec_st>(exec, [](CUgraphExec_st* e) { cudaGraphExecDestroy(e); });
}

void Graph::launch(CUstream_st* stream) const { check(cudaGraphLaunch(exec_.get(), stream), "a graph of launches"); }

void allow_shared_bytes(const void* kernel, std::int64_t wanted, int device) {
  constexpr int own = 1024;  // more than the kernels' own variables take
  int most = 0;
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), name_of(device));
  if (wanted > most - own) {
    throw Error(ErrorCode::unsupported, name_of(device) + " has " + std::to_string(most - own) +
                                            " bytes of shared memory for a block; this move needs " + std::to_string(wanted) +
                                            ": use the CPU");
  }
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most - own), "shared memory of a kernel");
}

void check_status(int status, const char* what) { check(static_cast<cudaError_t>(status), what); }

void launch(const void* kernel, const Grid& grid, void** arguments, CUstream_st* stream, const char* what) {
  check(cudaLaunchKernel(kernel, dim3(grid.blocks), dim3(grid.threads), arguments, static_cast<std::size_t>(grid.shared_bytes), stream),
        what);
}

Timer::Timer(int device) {
  const OnDevice on(device);
  check(cudaEventCreate(&begin_), "an event");
  check(cudaEventCreate(&end_), "an event");
}
Timer::~Timer() {
  cudaEventDestroy(begin_);
  cudaEventDestroy(end_);
}
void Timer::begin(CUstream_st* stream) { check(cudaEventRecord(begin_, stream), "an event"); }
void Timer::end(CUstream_st* stream) { check(cudaEventRecord(end_, stream), "an event"); }
double Timer::seconds() {
  check(cudaEventSynchronize(end_), "waiting for what is timed");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin_, end_), "an event");
  return ms * 1e-3;
}

void copy_on_device(const void* from, void* to, std::int64_t bytes, CUstream_st* stream) {
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice, stream), "a copy on the device");
}

void clear(void* data, std::int64_t bytes, CUstream_st* stream) {
  check(cudaMemsetAsync(data, 0, static_cast<std::size_t>(bytes), stream), "clearing memory of the device");
}
void fetch(const void* from, void* to, std::int64_t bytes, CUstream_st* stream) {
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost, stream), "a copy to the host");
  check(cudaStreamSynchronize(stream), "waiting for a stream");
}

PinnedMemory::PinnedMemory(std::int64_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  void* data = nullptr;
  check(cudaHostAlloc(&data, static_cast<std::size_t>(bytes), cudaHostAllocDefault), std::to_string(bytes) + " bytes of pinned memory");
  data_ = std::shared_ptr<void>(data, [](void* p) { cudaFreeHost(p); });
}

void clear(const DeviceMemory& memory, CUstream_st* stream) {
  check(cudaMemsetAsync(memory.data(), 0, static_cast<std::size_t>(memory.bytes()), stream), "clearing memory of the device");
}
void copy_to_device(const PinnedMemory& from, const DeviceMemory& to, std::int64_t bytes, CUstream_st* stream) {
  check(cudaMemcpyAsync(to.data(), from.data(), static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice, stream), "a copy to the device");
}
void copy_to_host(const DeviceMemory& from, const PinnedMemory& to, std::int64_t bytes, CUstream_st* stream) {
  check(cudaMemcpyAsync(to.data(), from.data(), static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost, stream), "a copy to the host");
}

}  // namespace gpu
}  // namespace crinkle
