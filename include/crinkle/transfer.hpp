// Rearrangements between the memories of a host and a CUDA device, and of host memory through a device, whose memory may be smaller than
// the arrays: packets go round a few lanes of pinned staging memory, so that packing one, moving the next and unpacking a third overlap.
// In a build without CUDA all of these throw unsupported.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "crinkle/device.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/rearrangement.hpp"

namespace crinkle {

struct TransferOptions {
  std::int64_t device_memory = 0;           // bytes of the device's for 6 staging buffers, of which an upload uses 3; 0: what is free
  std::int64_t staging_bytes = 8 << 20;     // of one of up to 6 staging buffers on the host, pinned, and as many on the device, at most
  std::int64_t workspace_bytes = 64 << 20;  // of host memory between the steps of r, at most, where that can be cut (SlabOptions)
  Executor* executor = nullptr;             // packs and unpacks; nullptr: default_executor()
  std::function<void(std::int64_t n_bytes)> moved;  // if there: told the bytes of every part of the destination that has arrived
};

/// dst = r(src), src in the host's memory and dst in the device's. Waits for the device's default stream and returns when all bytes are
/// there; what other streams do with the buffers must have ended before. Throws, before anything is written,
/// bad_shape and overlap as Plan::run, device for memory on the wrong side, out_of_memory where device_memory does not hold one unit a
/// staging buffer, or, with an index array, the arrays, which are whole on the device then; later out_of_memory where the device or the
/// host has less than it said, and device. Aliasing: none. Cost: what is read and written on the host, twice; fills do not travel.
void upload(const Rearrangement& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, Device device,
            const TransferOptions& options = {});
void upload(const Rearrangement& r, ConstBuffer src, Buffer dst, Device device, const TransferOptions& options = {});

/// The same from the device's memory into the host's.
void download(const Rearrangement& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, Device device,
              const TransferOptions& options = {});
void download(const Rearrangement& r, ConstBuffer src, Buffer dst, Device device, const TransferOptions& options = {});

/// The same from host memory into host memory, rearranged by the device.
void move_through(const Rearrangement& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, Device device,
                  const TransferOptions& options = {});
void move_through(const Rearrangement& r, ConstBuffer src, Buffer dst, Device device, const TransferOptions& options = {});

}  // namespace crinkle
