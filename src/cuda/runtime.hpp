// The executor needs these functions of the CUDA runtime, without its headers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "crinkle/cuda.hpp"

struct CUevent_st;      // *cudaEvent_t
struct CUgraphExec_st;  // *cudaGraphExec_t

namespace crinkle::gpu {

/// Makes a device the calling thread's own for as long as it lives.
class OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  [[maybe_unused]] int before_ = 0, device_ = 0;  // not used where no_runtime stands for the runtime
};

/// 10 · major + minor of its compute capability.
int architecture_of(int device);

/// Throws device unless memory at `data` can be reached by the device. `what` names the buffer.
void check_pointer(const void* data, int device, const std::string& what);

/// Throws device where memory at `data` is a device's, which the CPU cannot reach.
void check_host_pointer(const void* data, const std::string& what);

/// Throws device unless the stream is one of the device's.
void check_stream(CUstream_st* stream, int device);

/// Whether work given to the stream is being captured into a graph.
bool is_capturing(CUstream_st* stream);

/// Work that was given to a stream once, to be given again as one launch.
class Graph {
 public:
  Graph() noexcept = default;
  /// Records what `give` gives to a stream of the thread's own device; none of it runs now.
  explicit Graph(const std::function<void(CUstream_st*)>& give);

  explicit operator bool() const noexcept { return exec_ != nullptr; }
  void launch(CUstream_st* stream) const;

 private:
  std::shared_ptr<CUgraphExec_st> exec_;
};

/// Lets a kernel be given as much shared memory as the device has for a block. Throws unsupported where that is less than `wanted`.
/// Requires the device to be the thread's own.
void allow_shared_bytes(const void* kernel, std::int64_t wanted, int device);

/// Throws what a status says, a cudaError_t as a number, if it is an error. `what` is put into the error.
void check_status(int status, const char* what);

/// Gives one launch to a stream. `what` is put into the error.
struct Grid {
  std::uint32_t blocks = 1, threads = 1;
  std::int64_t shared_bytes = 0;
};
void launch(const void* kernel, const Grid& grid, void** arguments, CUstream_st* stream, const char* what);

/// Seconds between two points of a stream, by the device's clock.
class Timer {
 public:
  explicit Timer(int device);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void begin(CUstream_st* stream);
  void end(CUstream_st* stream);
  double seconds();  // waits for end

 private:
  [[maybe_unused]] CUevent_st *begin_ = nullptr, *end_ = nullptr;
};

/// A point of a stream, for streams of this and other devices to wait for.
class Event {
 public:
  explicit Event(int device);
  void record(CUstream_st* stream) const;    // one of its device
  void let_wait(CUstream_st* stream) const;  // for the last record; one of the thread's own device
 private:
  std::shared_ptr<CUevent_st> event_;
};

/// Whether kernels of a device can reach the memory of another one, which is allowed from then on.
bool reach_peer(int device, int peer);

/// Copies from one device's memory to another one's, given to a stream of either.
void copy_between_devices(const void* from, void* to, std::int64_t bytes, CUstream_st* stream);

/// Copies within the device by the driver, given to the stream.
void copy_on_device(const void* from, void* to, std::int64_t bytes, CUstream_st* stream);

/// Sets bytes of the device to 0, given to the stream.
void clear(void* data, std::int64_t bytes, CUstream_st* stream);

/// Copies a few bytes from the device to the host behind all that was given to the stream, and waits for that. Throws device if any of it
/// failed. Requires a stream that is not being captured.
void fetch(const void* from, void* to, std::int64_t bytes, CUstream_st* stream);

/// Host memory that stays where it is, so that copies from and to it are done by the device while the CPU goes on; freed with its owner,
/// not initialised.
class PinnedMemory {
 public:
  PinnedMemory() noexcept = default;
  /// Throws out_of_memory.
  explicit PinnedMemory(std::int64_t bytes);

  std::byte* data() const noexcept { return static_cast<std::byte*>(data_.get()); }
  std::int64_t bytes() const noexcept { return bytes_; }

 private:
  std::shared_ptr<void> data_;
  std::int64_t bytes_ = 0;
};

/// Sets memory of the device to 0, given to the stream.
void clear(const DeviceMemory& memory, CUstream_st* stream);

/// Copies from pinned memory to the device, or back, given to the stream.
void copy_to_device(const PinnedMemory& from, const DeviceMemory& to, std::int64_t bytes, CUstream_st* stream);
void copy_to_host(const DeviceMemory& from, const PinnedMemory& to, std::int64_t bytes, CUstream_st* stream);

}  // namespace crinkle::gpu
