// NVIDIA GPUs: what they are, their memory and their streams. Needs no CUDA header: a stream is what cudaStream_t points to, memory is a
// pointer. In a build without CUDA there are no devices, and all else throws unsupported.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "crinkle/device.hpp"

struct CUstream_st;  // *cudaStream_t

namespace crinkle {

struct DeviceFacts {
  std::string name;
  int compute_major = 0, compute_minor = 0;
  std::int32_t multiprocessors = 0;
  std::int64_t memory_bytes = 0, free_bytes = 0;  // of the card; free when asked
  std::int64_t cache_bytes = 0;                   // second level
  std::int64_t shared_bytes_block = 0;            // that one block may have
  std::int64_t shared_bytes_worker = 0;           // of one multiprocessor
  std::int32_t threads_block = 0;
  int driver = 0, runtime = 0;  // CUDA versions, 1000 · major + 10 · minor: of the driver, and of the runtime that is linked
};

/// How many CUDA devices there are: 0 without a driver, or in a build without CUDA. Throws nothing.
int count_cuda_devices() noexcept;

/// Whether this build has CUDA, whatever devices there are.
bool has_cuda() noexcept;

/// Throws what cuda() throws.
DeviceFacts facts_of(Device device);

/// A stream: what is given to it happens in order. Either somebody's cudaStream_t, which stays theirs, or an own one.
class Stream {
 public:
  /// The device's default stream.
  Stream() noexcept = default;
  Stream(CUstream_st* borrowed) noexcept : stream_(borrowed) {}  // NOLINT: a cudaStream_t is a stream
  /// A new one, which does not wait for the default stream; it is destroyed with its last copy.
  explicit Stream(Device device);

  CUstream_st* get() const noexcept { return stream_; }
  /// Waits for all that was given to it. Throws device if any of that failed.
  void synchronize() const;

 private:
  CUstream_st* stream_ = nullptr;
  std::shared_ptr<void> own_;
};

/// Memory of a device, freed with its owner; not initialised.
class DeviceMemory {
 public:
  DeviceMemory() noexcept = default;
  /// Throws out_of_memory, saying how much is free.
  DeviceMemory(Device device, std::int64_t bytes);

  void* data() const noexcept { return data_.get(); }
  std::int64_t bytes() const noexcept { return bytes_; }
  operator Buffer() const noexcept { return {data(), bytes_}; }       // NOLINT: it is one
  operator ConstBuffer() const noexcept { return {data(), bytes_}; }  // NOLINT

 private:
  std::shared_ptr<void> data_;
  std::int64_t bytes_ = 0;
};

/// Copies bytes between host and device, or within either, and waits for it. Throws bad_shape where `to` is smaller, device if it fails.
void copy_bytes(ConstBuffer from, Buffer to);

}  // namespace crinkle
