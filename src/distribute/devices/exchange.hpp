// A redistribution between the memories of devices of this process, made ready: what each of them stores into the others' memory, or packs,
// copies there and unpacks.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/reused_memory.hpp"
#include "crinkle/devices.hpp"
#include "cuda/runtime.hpp"
#include "distribute/overlay.hpp"
#include "distribute/slabs.hpp"
#include "move/planned.hpp"

namespace crinkle::distributed {

/// "cpu", "cuda:1"
std::string name_of_device(Device device);

/// Of a move that maps every axis by itself; nothing where an operation does it.
std::optional<Redistribution> by_axes(const Rearrangement& move, const Distribution& from, const Distribution& to);

/// Memory of a device, not cleared.
class Room {
 public:
  Room() = default;
  /// Throws out_of_memory, naming the device.
  Room(Device device, std::int64_t bytes);

  Buffer buffer() const noexcept { return {data_, bytes_}; }
  std::int64_t bytes() const noexcept { return bytes_; }

 private:
  std::unique_ptr<std::byte, detail::Free> here_;
  DeviceMemory there_;
  std::byte* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

/// Whose memory a device can store into: of [from][to].
using Reach = std::vector<std::vector<bool>>;
/// Lets devices reach each other where they can. Throws what the runtime says.
Reach reach_of(const Devices& devices, const DevicesOptions& options);

/// Who works for every device in one run.
struct Lanes {
  const Devices& devices;
  Executor* executor = nullptr;  // of all, on a CPU
  std::vector<Stream> streams;   // one a device, on GPUs
};

/// Points of the devices' streams. On a CPU there are none, and nothing is waited for.
class Points {
 public:
  explicit Points(const Devices& devices);
  void record(const Lanes& lanes, std::int64_t device) const;
  /// What is given to the device's stream from now on comes behind `other`'s point.
  void wait(const Lanes& lanes, std::int64_t device, std::int64_t other) const;
  /// Every device behind all others' points.
  void meet(const Lanes& lanes) const;

 private:
  std::vector<gpu::Event> events_;
};

class Exchange {
 public:
  /// In slabs of the source's parts, of which each can be sent when it is there. Requires a move without verbs where there are several.
  Exchange(const Redistribution& r, const Devices& devices, const Reach& reach, const Slabs& slabs = {});

  /// dst = the redistribution of src, one buffer a device. Requires buffers that are checked.
  void run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, const Lanes& lanes) const {
    start(src, dst, lanes);
    finish(dst, lanes);
  }
  /// What devices send, on these streams; what is given to their streams then does not wait for what they receive, up to finish(), which
  /// may have other streams.
  void start(std::span<const ConstBuffer> src, std::span<const Buffer> dst, const Lanes& lanes) const;
  void finish(std::span<const Buffer> dst, const Lanes& lanes) const;
  /// start() by slabs, in any order: what a device sends of one goes on the senders' stream, what it keeps of several on its own. Behind
  /// its last one end_sending().
  void send(std::int64_t slab, std::int64_t device, std::span<const ConstBuffer> src, std::span<const Buffer> dst, const Lanes& senders,
            const Lanes& lanes) const;
  void end_sending(std::int64_t device, const Lanes& senders) const { sent_.record(senders, device); }

  const Redistribution& what() const noexcept { return r_; }
  std::int64_t n_slabs() const noexcept { return slabs_.n; }
  std::int64_t own_bytes(std::int64_t device) const;
  std::int64_t n_staged() const noexcept { return n_staged_; }  // messages that are packed
  std::int64_t n_copied() const noexcept { return n_copied_; }  // that are copied as they are
  std::int64_t n_messages() const noexcept { return n_messages_; }
  std::int64_t sent_bytes() const noexcept { return sent_bytes_; }

 private:
  // Rows, from a part into another device's, or of packed messages from `out` into its `in`.
  struct Copy {
    std::int64_t to = 0, from_at = 0, to_at = 0;
    std::int64_t bytes = 0, n_rows = 1, from_pitch = 0, to_pitch = 0;
    bool is_packed = false;
  };
  struct Sending {
    std::vector<PlannedMove> pushes;  // from its part into all parts, or its own `out`
    std::vector<Copy> copies;
    std::vector<PlannedMove> keeps;  // from its part into its part, of several slabs
  };
  // One device's.
  struct Side {
    std::vector<Sending> slabs;
    std::vector<std::int64_t> out_at;  // of every device: where in `out` lies what is packed for it; −1: it is stored into
    std::vector<PlannedMove> unpacks;  // from `in` into its part
    std::vector<std::int64_t> senders;
    Room out, in;
  };
  void plan_side(std::int64_t device, const Devices& devices, const Reach& reach, std::vector<std::int64_t>& in_bytes,
                 std::vector<Boxes>& unpacks);
  std::vector<std::vector<PieceBox>> chunks_of_slab(const RankOverlay& overlay, const Message& message, std::int64_t slab) const;
  static std::optional<Copy> copy_of(Box box, std::int64_t to);
  void run(const Copy& copy, std::int64_t device, ConstBuffer src, Buffer dst, const Lanes& senders) const;

  Redistribution r_;
  Slabs slabs_;
  std::vector<Side> sides_;
  Points sent_;
  std::int64_t n_staged_ = 0, n_copied_ = 0, n_messages_ = 0, sent_bytes_ = 0;
};

}  // namespace crinkle::distributed
