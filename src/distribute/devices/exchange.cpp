// Redistributions between devices of this process.
// SPDX-License-Identifier: BSD-3-Clause
#include "distribute/devices/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/checked.hpp"
#include "cuda/peers.hpp"
#include "form/simplify.hpp"

namespace crinkle::distributed {
namespace {

constexpr std::size_t most_together = 2048;    // boxes of one planned move
constexpr std::int64_t aligned_to = 256;       // bytes, of packed messages
constexpr std::int64_t copied_row = 64 << 10;  // bytes, of rows that are copied beside kernels: docs/tuning.md

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

Exchange::Exchange(const Redistribution& r, const Devices& devices, const Reach& reach, const Slabs& slabs)
    : r_(r), slabs_(slabs), sides_(static_cast<std::size_t>(devices.size())), sent_(devices) {
  std::vector<std::int64_t> in_bytes(sides_.size(), 0);
  std::vector<Boxes> unpacks(sides_.size());
  for (std::int64_t d = 0; d < devices.size(); ++d) plan_side(d, devices, reach, in_bytes, unpacks);
  for (std::int64_t d = 0; d < devices.size(); ++d) {
    const auto k = static_cast<std::size_t>(d);
    sides_[k].unpacks = planned_on(devices[d], unpacks[k], 1);
    sides_[k].in = Room(devices[d], in_bytes[k]);
  }
}

// A slab of a message; all of it where there is one.
std::vector<std::vector<PieceBox>> Exchange::chunks_of_slab(const RankOverlay& overlay, const Message& message, std::int64_t slab) const {
  std::vector<PieceBox> boxes = overlay.boxes(message);
  if (slabs_.n > 1) {
    const auto link =
        std::find_if(overlay.links().begin(), overlay.links().end(), [&](const Link& l) { return l.src_axis == slabs_.axis; });
    const std::int64_t extent = r_.from().local_extents(message.from)[static_cast<std::size_t>(slabs_.axis)];
    boxes = boxes_within(boxes, static_cast<std::size_t>(link - overlay.links().begin()), slab_of({0, extent}, slabs_.n, slab));
  }
  return chunks_of(std::move(boxes), r_.element_bytes(), INT64_MAX);
}

// A box of long rows, which a device copies without kernels, whose blocks would wait for those that compute.
std::optional<Exchange::Copy> Exchange::copy_of(Box box, std::int64_t to) {
  simplify(box);
  Copy copy{.to = to, .from_at = box.src_offset, .to_at = box.dst_offset, .bytes = box.unit};
  std::size_t n_axes = box.axes.size();
  if (n_axes > 0 && box.axes.back().src_stride == box.unit && box.axes.back().dst_stride == box.unit)
    copy.bytes = multiply(copy.bytes, box.axes[--n_axes].extent);
  if (n_axes > 1 || copy.bytes < copied_row) return {};
  if (n_axes == 0) return copy;
  const Axis& rows = box.axes[0];
  if (std::min(rows.src_stride, rows.dst_stride) < copy.bytes || std::max(rows.src_stride, rows.dst_stride) > INT32_MAX) return {};
  copy.n_rows = rows.extent;
  copy.from_pitch = rows.src_stride;
  copy.to_pitch = rows.dst_stride;
  return copy;
}

void Exchange::plan_side(std::int64_t device, const Devices& devices, const Reach& reach, std::vector<std::int64_t>& in_bytes,
                         std::vector<Boxes>& unpacks) {
  const std::int64_t bytes = r_.element_bytes();
  const bool has_slabs = slabs_.n > 1;
  Side& side = sides_[static_cast<std::size_t>(device)];
  side.slabs.resize(static_cast<std::size_t>(slabs_.n));
  side.out_at.assign(sides_.size(), -1);
  const RankOverlay overlay(r_, device);
  const Layout source = r_.from().local(device, bytes), own = r_.to().local(device, bytes);
  std::vector<Boxes> pushes(side.slabs.size()), keeps(side.slabs.size());
  for (Box& fill : fills_of(r_, overlay.links(), device, own)) {
    fill.dst_slot = static_cast<std::int32_t>(device);
    pushes[0].push_back(std::move(fill));
  }
  std::int64_t out_bytes = 0;
  for (const Message& message : overlay.sends()) {
    const auto to = static_cast<std::size_t>(message.to);
    const bool is_kept = message.to == device, is_direct = reach[static_cast<std::size_t>(device)][to];
    const Layout destination = r_.to().local(message.to, bytes);
    const std::int64_t all = multiply(message.elements, bytes), in_at = in_bytes[to];
    if (!is_kept) {
      sides_[to].senders.push_back(device);
      sent_bytes_ = add(sent_bytes_, all);
      ++n_messages_;
    }
    bool is_copied = has_slabs && is_direct && !is_kept;
    std::int64_t packed = 0;
    for (std::size_t k = 0; k < side.slabs.size(); ++k) {
      const std::int64_t begin = packed;
      for (const std::vector<PieceBox>& chunk : chunks_of_slab(overlay, message, static_cast<std::int64_t>(k))) {
        for (Box& box : moves_of(chunk, overlay.links(), &source, is_direct ? &destination : nullptr, bytes)) {
          if (has_slabs && is_direct && !is_kept) {
            if (std::optional<Copy> copy = copy_of(box, message.to)) {
              side.slabs[k].copies.push_back(*copy);
              continue;
            }
            is_copied = false;
          }
          box.dst_slot = static_cast<std::int32_t>(message.to);
          if (!is_direct) box.dst_offset = add(box.dst_offset, packed);
          (has_slabs && is_kept ? keeps : pushes)[k].push_back(std::move(box));
        }
        if (is_direct) continue;
        for (Box& box : moves_of(chunk, overlay.links(), nullptr, &destination, bytes)) {
          box.src_offset = add(box.src_offset, add(in_at, packed));
          unpacks[to].push_back(std::move(box));
        }
        for (const PieceBox& box : chunk) packed = add(packed, multiply(elements_of(box), bytes));
      }
      if (packed > begin)
        side.slabs[k].copies.push_back(
            {.to = message.to, .from_at = add(out_bytes, begin), .to_at = add(in_at, begin), .bytes = packed - begin, .is_packed = true});
    }
    n_copied_ += is_copied ? 1 : 0;
    if (is_direct) continue;
    ++n_staged_;
    side.out_at[to] = out_bytes;
    out_bytes = up_to_multiple(add(out_bytes, all), aligned_to);
    in_bytes[to] = up_to_multiple(add(in_at, all), aligned_to);
  }
  for (std::size_t k = 0; k < side.slabs.size(); ++k) {
    side.slabs[k].pushes = planned_on(devices[device], pushes[k], devices.size());
    side.slabs[k].keeps = planned_on(devices[device], keeps[k], devices.size());
  }
  side.out = Room(devices[device], out_bytes);
}

void Exchange::run(const Copy& copy, std::int64_t device, ConstBuffer src, Buffer dst, const Lanes& senders) const {
  if (copy.is_packed) {
    src = sides_[static_cast<std::size_t>(device)].out.buffer();
    dst = sides_[static_cast<std::size_t>(copy.to)].in.buffer();
  }
  const std::byte* const from = static_cast<const std::byte*>(src.data) + copy.from_at;
  std::byte* const into = static_cast<std::byte*>(dst.data) + copy.to_at;
  if (senders.devices.are_gpus()) {
    gpu::copy_rows_between_devices({from, into, copy.bytes, copy.n_rows, copy.from_pitch, copy.to_pitch},
                                   senders.streams[static_cast<std::size_t>(device)].get());
    return;
  }
  for (std::int64_t r = 0; r < copy.n_rows; ++r)
    std::memcpy(into + r * copy.to_pitch, from + r * copy.from_pitch, static_cast<std::size_t>(copy.bytes));
}

void Exchange::send(std::int64_t slab, std::int64_t device, std::span<const ConstBuffer> src, std::span<const Buffer> dst,
                    const Lanes& senders, const Lanes& lanes) const {
  const auto at = [](Buffer room, std::int64_t place) { return Buffer(static_cast<std::byte*>(room.data) + place, room.bytes - place); };
  const Side& side = sides_[static_cast<std::size_t>(device)];
  const Sending& of = side.slabs[static_cast<std::size_t>(slab)];
  const ConstBuffer from = src[static_cast<std::size_t>(device)];
  on_lane(lanes, device, [&] {
    std::vector<Buffer> to(dst.begin(), dst.end());
    for (std::size_t k = 0; k < to.size(); ++k)
      if (side.out_at[k] >= 0) to[k] = at(side.out.buffer(), side.out_at[k]);
    for (const PlannedMove& push : of.pushes) run_move(push, from, to, senders, device);
    for (const Copy& copy : of.copies) run(copy, device, from, dst[static_cast<std::size_t>(copy.to)], senders);
    for (const PlannedMove& keep : of.keeps) run_move(keep, from, to, lanes, device);
  });
}

void Exchange::start(std::span<const ConstBuffer> src, std::span<const Buffer> dst, const Lanes& lanes) const {
  for (std::int64_t d = 0; d < lanes.devices.size(); ++d) {
    for (std::int64_t slab = 0; slab < slabs_.n; ++slab) send(slab, d, src, dst, lanes, lanes);
    end_sending(d, lanes);
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
