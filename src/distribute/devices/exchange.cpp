// Redistributions between devices of this process.
// SPDX-License-Identifier: BSD-3-Clause
#include "distribute/devices/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/checked.hpp"
#include "distribute/overlay.hpp"

namespace crinkle::distributed {
namespace {

constexpr std::size_t most_together = 2048;  // boxes of one planned move
constexpr std::int64_t aligned_to = 256;     // bytes, of packed messages

std::int64_t up_to_multiple(std::int64_t bytes, std::int64_t of) { return multiply(ceil_divide(bytes, of), of); }

// Moves of boxes that write apart from each other.
std::vector<PlannedMove> planned_on(Device device, const Boxes& boxes, std::int64_t n_destinations) {
  std::vector<PlannedMove> moves;
  Machine machine = machine_of(device);
  machine.are_tiles_mixed = n_destinations > 1;  // so that no memory waits for the link
  for (std::size_t first = 0; first < boxes.size(); first += most_together) {
    Step step;
    for (std::size_t k = first; k < std::min(boxes.size(), first + most_together); ++k) step.boxes.push_back(boxes[k]);
    Steps steps;
    steps.steps.push_back(std::move(step));
    moves.emplace_back(std::move(steps), machine, device, 1, n_destinations);
  }
  return moves;
}

// What the device is given while it is the thread's own.
template <class Give>
void on_lane(const Lanes& lanes, std::int64_t device, const Give& give) {
  std::optional<gpu::OnDevice> on;
  if (lanes.devices.are_gpus()) on.emplace(lanes.devices[device].index);
  give();
}

void run_move(const PlannedMove& move, ConstBuffer src, std::span<const Buffer> dst, const Lanes& lanes, std::int64_t device) {
  if (lanes.devices.are_gpus()) move.run({&src, 1}, dst, {}, lanes.streams[static_cast<std::size_t>(device)]);
  else move.run({&src, 1}, dst, {}, *lanes.executor);
}

}  // namespace

Room::Room(Device device, std::int64_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  if (device.kind == Device::Kind::cuda) {
    there_ = DeviceMemory(device, bytes);
    data_ = static_cast<std::byte*>(there_.data());
    return;
  }
  constexpr std::int64_t line = 64;
  here_.reset(static_cast<std::byte*>(std::aligned_alloc(line, static_cast<std::size_t>(up_to_multiple(bytes, line)))));
  data_ = here_.get();
  if (data_ == nullptr)
    throw Error(ErrorCode::out_of_memory, fmt::format("there are no {} bytes of the CPU's memory for one of the devices", bytes));
}

Reach reach_of(const Devices& devices, const DevicesOptions& options) {
  Reach reach;
  for (const Device from : devices.all()) {
    std::vector<bool>& row = reach.emplace_back();
    for (const Device to : devices.all())
      row.push_back(!options.is_staged && (from == to || !devices.are_gpus() || gpu::reach_peer(from.index, to.index)));
  }
  for (std::size_t k = 0; k < reach.size(); ++k) reach[k][k] = true;
  return reach;
}

Points::Points(const Devices& devices) {
  if (!devices.are_gpus()) return;
  for (const Device device : devices.all()) events_.emplace_back(device.index);
}

void Points::record(const Lanes& lanes, std::int64_t device) const {
  if (events_.empty()) return;
  const auto k = static_cast<std::size_t>(device);
  on_lane(lanes, device, [&] { events_[k].record(lanes.streams[k].get()); });
}

void Points::wait(const Lanes& lanes, std::int64_t device, std::int64_t other) const {
  if (events_.empty()) return;
  on_lane(lanes, device, [&] { events_[static_cast<std::size_t>(other)].let_wait(lanes.streams[static_cast<std::size_t>(device)].get()); });
}

void Points::meet(const Lanes& lanes) const {
  for (std::int64_t d = 0; d < lanes.devices.size(); ++d) record(lanes, d);
  for (std::int64_t d = 0; d < lanes.devices.size(); ++d)
    for (std::int64_t other = 0; other < lanes.devices.size(); ++other)
      if (other != d) wait(lanes, d, other);
}

Exchange::Exchange(const Redistribution& r, const Devices& devices, const Reach& reach)
    : r_(r), sides_(static_cast<std::size_t>(devices.size())), sent_(devices) {
  std::vector<std::int64_t> in_bytes(sides_.size(), 0);
  std::vector<Boxes> unpacks(sides_.size());
  for (std::int64_t d = 0; d < devices.size(); ++d) plan_side(d, devices, reach, in_bytes, unpacks);
  for (std::int64_t d = 0; d < devices.size(); ++d) {
    const auto k = static_cast<std::size_t>(d);
    sides_[k].unpacks = planned_on(devices[d], unpacks[k], 1);
    sides_[k].in = Room(devices[d], in_bytes[k]);
  }
}

void Exchange::plan_side(std::int64_t device, const Devices& devices, const Reach& reach, std::vector<std::int64_t>& in_bytes,
                         std::vector<Boxes>& unpacks) {
  const std::int64_t bytes = r_.element_bytes();
  Side& side = sides_[static_cast<std::size_t>(device)];
  side.out_at.assign(sides_.size(), -1);
  const RankOverlay overlay(r_, device);
  const Layout source = r_.from().local(device, bytes), own = r_.to().local(device, bytes);
  Boxes pushes = fills_of(r_, overlay.links(), device, own);
  for (Box& fill : pushes) fill.dst_slot = static_cast<std::int32_t>(device);
  std::int64_t out_bytes = 0;
  for (const Message& message : overlay.sends()) {
    const auto to = static_cast<std::size_t>(message.to);
    const bool is_direct = reach[static_cast<std::size_t>(device)][to];
    const Layout destination = r_.to().local(message.to, bytes);
    const std::int64_t all = multiply(message.elements, bytes), in_at = in_bytes[to];
    if (message.to != device) {
      sides_[to].senders.push_back(device);
      sent_bytes_ = add(sent_bytes_, all);
      ++n_messages_;
    }
    std::int64_t packed = 0;
    for (const std::vector<PieceBox>& chunk : chunks_of(overlay.boxes(message), bytes, INT64_MAX)) {
      for (Box& box : moves_of(chunk, overlay.links(), &source, is_direct ? &destination : nullptr, bytes)) {
        box.dst_slot = static_cast<std::int32_t>(message.to);
        if (!is_direct) box.dst_offset = add(box.dst_offset, packed);
        pushes.push_back(std::move(box));
      }
      if (is_direct) continue;
      for (Box& box : moves_of(chunk, overlay.links(), nullptr, &destination, bytes)) {
        box.src_offset = add(box.src_offset, add(in_at, packed));
        unpacks[to].push_back(std::move(box));
      }
      for (const PieceBox& box : chunk) packed = add(packed, multiply(elements_of(box), bytes));
    }
    if (is_direct) continue;
    ++n_staged_;
    side.out_at[to] = out_bytes;
    side.copies.push_back({message.to, out_bytes, in_at, all});
    out_bytes = up_to_multiple(add(out_bytes, all), aligned_to);
    in_bytes[to] = up_to_multiple(add(in_at, all), aligned_to);
  }
  side.pushes = planned_on(devices[device], pushes, devices.size());
  side.out = Room(devices[device], out_bytes);
}

void Exchange::start(std::span<const ConstBuffer> src, std::span<const Buffer> dst, const Lanes& lanes) const {
  const auto at = [](Buffer room, std::int64_t place) { return Buffer(static_cast<std::byte*>(room.data) + place, room.bytes - place); };
  for (std::int64_t d = 0; d < lanes.devices.size(); ++d) {
    const Side& side = sides_[static_cast<std::size_t>(d)];
    on_lane(lanes, d, [&] {
      std::vector<Buffer> to(dst.begin(), dst.end());
      for (std::size_t k = 0; k < to.size(); ++k)
        if (side.out_at[k] >= 0) to[k] = at(side.out.buffer(), side.out_at[k]);
      for (const PlannedMove& push : side.pushes) run_move(push, src[static_cast<std::size_t>(d)], to, lanes, d);
      for (const Copy& copy : side.copies) {
        const Buffer from = at(side.out.buffer(), copy.from_at),
                     into = at(sides_[static_cast<std::size_t>(copy.to)].in.buffer(), copy.to_at);
        if (lanes.devices.are_gpus())
          gpu::copy_between_devices(from.data, into.data, copy.bytes, lanes.streams[static_cast<std::size_t>(d)].get());
        else std::memcpy(into.data, from.data, static_cast<std::size_t>(copy.bytes));
      }
    });
    sent_.record(lanes, d);
  }
}

void Exchange::finish(std::span<const Buffer> dst, const Lanes& lanes) const {
  for (std::int64_t d = 0; d < lanes.devices.size(); ++d) {
    const Side& side = sides_[static_cast<std::size_t>(d)];
    sent_.wait(lanes, d, d);  // which another stream of the device may have sent
    for (const std::int64_t sender : side.senders) sent_.wait(lanes, d, sender);
    on_lane(lanes, d, [&] {
      for (const PlannedMove& unpack : side.unpacks) run_move(unpack, side.in.buffer(), {&dst[static_cast<std::size_t>(d)], 1}, lanes, d);
    });
  }
}

std::int64_t Exchange::own_bytes(std::int64_t device) const {
  const Side& side = sides_[static_cast<std::size_t>(device)];
  return add(side.out.bytes(), side.in.bytes());
}

}  // namespace crinkle::distributed
