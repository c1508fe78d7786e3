// Memory for packed pieces under way, a room each. A piece is packed where the parts lie, and MPI sends it from there, or from memory of
// the host beside it where it cannot reach that.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/reused_memory.hpp"
#include "crinkle/cuda.hpp"
#include "crinkle/operation.hpp"
#include "cuda/runtime.hpp"

namespace crinkle::mpi {

class Rooms {
 public:
  /// n rooms of so many bytes.
  Rooms(Device device, std::int64_t n, std::int64_t bytes, bool is_staged)
      : is_gpu_(device.kind == Device::Kind::cuda), is_staged_(is_staged), bytes_(bytes) {
    if (n == 0 || bytes == 0) return;
    if (!is_gpu_) {
      memory_.of(n * bytes);
      if (is_staged_) staging_.of(n * bytes);
      return;
    }
    for (std::int64_t k = 0; k < n; ++k) {
      on_gpu_.emplace_back(device, bytes);
      if (is_staged_) pinned_.emplace_back(bytes);
    }
  }
  /// Where a piece is packed.
  std::byte* packed(std::size_t room) {
    return is_gpu_ ? static_cast<std::byte*>(on_gpu_[room].data()) : memory_.of(0) + static_cast<std::int64_t>(room) * bytes_;
  }
  /// Where MPI reads or writes it.
  std::byte* wire(std::size_t room) {
    if (!is_staged_) return packed(room);
    return is_gpu_ ? pinned_[room].data() : staging_.of(0) + static_cast<std::int64_t>(room) * bytes_;
  }
  /// What was packed is where MPI reads it.
  void bring_out(std::size_t room, std::int64_t n, const Worker& worker) {
    if (is_staged_ && is_gpu_) gpu::copy_to_host(on_gpu_[room], pinned_[room], n, worker.stream().get());
    if (is_gpu_) worker.stream().synchronize();
    else if (is_staged_) std::copy_n(packed(room), n, wire(room));
  }
  /// What MPI wrote is where it is unpacked.
  void bring_in(std::size_t room, std::int64_t n, const Worker& worker) {
    if (is_staged_ && is_gpu_) gpu::copy_to_device(pinned_[room], on_gpu_[room], n, worker.stream().get());
    else if (is_staged_) std::copy_n(wire(room), n, packed(room));
  }
  bool is_staged() const noexcept { return is_staged_; }

 private:
  bool is_gpu_, is_staged_;
  std::int64_t bytes_;
  ReusedMemory memory_, staging_;
  std::vector<DeviceMemory> on_gpu_;
  std::vector<gpu::PinnedMemory> pinned_;
};

}  // namespace crinkle::mpi
