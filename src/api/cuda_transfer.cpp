// Rearrangements between host and device, packet by packet (form/packets.hpp). A lane is a stream with a staging buffer for each side on
// the host and on the device; packets take the lanes in turn: while the CPU packs one and unpacks another, the device has two to move.
//     host memory -> pack (CPU) -> pinned -> device -> move (GPU) -> device -> pinned -> unpack (CPU) -> host memory
// Shorter packets cut the rows of transposes short, and longer ones need more memory to be pinned, which takes longer than the rest of a
// small move.
// An upload ends with the move, which writes where the array is; a download begins with it.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/cuda_whole.hpp"
#include "crinkle/error.hpp"
#include "crinkle/transfer.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"
#include "form/check.hpp"
#include "form/packets.hpp"
#include "form/slabs.hpp"
#include "move/cuda/move.hpp"
#include "move/planned.hpp"
#include "operation/buffers.hpp"

namespace crinkle {
namespace {

enum class Memory : std::uint8_t { host, device };

struct From {
  std::span<const std::byte* const> buffers;
  Memory memory = Memory::host;
};
struct To {
  std::span<std::byte* const> buffers;
  Memory memory = Memory::host;
  bool is_result = true;  // not the workspace
};

constexpr std::size_t n_lanes = 3;
constexpr std::int64_t n_buffers = 2 * n_lanes;  // on the device
constexpr std::int64_t least_staging = 16;       // bytes: a unit of any box
constexpr std::size_t most_moves = 8;            // kept by a lane: packets of a box cut along two axes have four shapes

struct Lane {
  Lane() = default;
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() {  // what the device still does with the memory of a transfer that failed ends before it is freed
    try {
      if (stream) stream->synchronize();
    } catch (const Error&) {}  // the one that is on its way is the first
  }

  std::optional<Stream> stream;
  gpu::PinnedMemory host_in, host_out;
  DeviceMemory device_in, device_out;
  std::vector<std::pair<Boxes, CudaStep>> moves;  // planned, the oldest first
  bool is_busy = false;
  std::int64_t n_bytes = 0;  // of the packet that is on its way
  Boxes unpack;
};

class Transfer {
 public:
  Transfer(Device device, const TransferOptions& options)
      : device_(device),
        options_(options),
        machine_(machine_of(device)),
        executor_(options.executor != nullptr ? *options.executor : default_executor()) {
    machine_.memory_bytes = facts_of(device).free_bytes;
    if (options.device_memory > 0) machine_.memory_bytes = std::min(machine_.memory_bytes, options.device_memory);
    limit_ = std::min(options.staging_bytes, machine_.memory_bytes / n_buffers);
  }

  void check_memory(const Steps& steps) const {
    std::int64_t unit = 0;
    for (const Step& step : steps.steps)
      for (const Box& box : step.boxes) unit = std::max<std::int64_t>(unit, box.unit);
    if (unit <= limit_) return;
    throw Error(ErrorCode::out_of_memory, std::to_string(machine_.memory_bytes) + " bytes of " + machine_.name + " for " +
                                              std::to_string(n_buffers) + " staging buffers: at least " + std::to_string(n_buffers * unit) +
                                              " are needed, a unit of " + std::to_string(unit) + " in each");
  }

  /// One step, all of it.
  void run(const Step& step, const From& from, const To& to) {
    fill(step.boxes, to);
    const PackedSides sides = from.memory == Memory::device ? PackedSides::destination
                              : to.memory == Memory::device ? PackedSides::source
                                                            : PackedSides::both;
    const std::int64_t staging = packed_bytes(step.boxes, sides, limit_);
    for_each_packet(step.boxes, sides, limit_, [&](const Packet& packet) {
      Lane& lane = lanes_[next_];
      next_ = (next_ + 1) % n_lanes;
      land(lane, to);
      reserve(lane, sides, staging);
      send(lane, sides, packet, from, to);
    });
    for (std::size_t k = 0; k < n_lanes; ++k) land(lanes_[(next_ + k) % n_lanes], to);
  }

 private:
  PlannedStep planned(const Boxes& boxes) const { return {Step{boxes, {}, {}}, cpu_}; }
  void tell(std::int64_t n_bytes, const To& to) const {
    if (n_bytes > 0 && options_.moved && to.is_result) options_.moved(n_bytes);
  }

  CudaStep step_on_device(const Boxes& boxes) const {
    return gpu::entry<cuda_step>(planning::plan_pass(boxes, machine_), machine_, count_slots(boxes, Side::source),
                                 count_slots(boxes, Side::destination), device_.index);
  }

  // Fills where the destination lies.
  void fill(const Boxes& boxes, const To& to) const {
    Boxes fills;
    std::int64_t n_bytes = 0;
    for (const Box& box : boxes) {
      if (!box.is_fill) continue;
      n_bytes += n_bytes_of(box);
      fills.push_back(box);
    }
    if (n_bytes == 0) return;
    if (to.memory == Memory::host) {
      planned(fills).run({}, to.buffers, executor_);
    } else {
      const Stream stream(device_);
      const CudaStep step = step_on_device(fills);
      const std::byte* const nothing = nullptr;
      gpu::entry<run_cuda>(step, {&nothing, 1}, to.buffers.first(static_cast<std::size_t>(count_slots(fills, Side::destination))),
                           stream.get(), "fills on the device");
      stream.synchronize();
    }
    tell(n_bytes, to);
  }

  void reserve(Lane& lane, PackedSides sides, std::int64_t n_bytes) const {
    if (!lane.stream) lane.stream.emplace(device_);
    const auto grow = [&](gpu::PinnedMemory& host, DeviceMemory& device) {
      if (device.bytes() >= n_bytes) return;
      host = {}, device = {};  // first: both together may be too much
      host = gpu::PinnedMemory(n_bytes);
      device = DeviceMemory(device_, n_bytes);
      gpu::clear(device, lane.stream->get());  // what lies between the boxes of a packet travels with them
    };
    if (packs_source(sides)) grow(lane.host_in, lane.device_in);
    if (packs_destination(sides)) grow(lane.host_out, lane.device_out);
  }

  const CudaStep& step_for(Lane& lane, const Boxes& boxes) const {
    const auto known = std::find_if(lane.moves.begin(), lane.moves.end(), [&](const auto& move) { return move.first == boxes; });
    if (known != lane.moves.end()) return known->second;
    if (lane.moves.size() == most_moves) lane.moves.erase(lane.moves.begin());
    return lane.moves.emplace_back(boxes, step_on_device(boxes)).second;
  }

  void send(Lane& lane, PackedSides sides, const Packet& packet, const From& from, const To& to) {
    CUstream_st* stream = lane.stream->get();
    const CudaStep& step = step_for(lane, packet.move);
    const auto first = static_cast<std::size_t>(packet.first_slot);
    detail::SmallVector<const std::byte*, 4> in;
    detail::SmallVector<std::byte*, 4> out;
    if (packs_source(sides)) {
      std::byte* const pinned = lane.host_in.data();
      planned(packet.pack).run(from.buffers, {&pinned, 1}, executor_);
      gpu::copy_to_device(lane.host_in, lane.device_in, packet.in_bytes, stream);
      in.push_back(static_cast<const std::byte*>(lane.device_in.data()));
    } else {
      const auto n = static_cast<std::size_t>(count_slots(packet.move, Side::source));
      for (const std::byte* b : from.buffers.subspan(first, n)) in.push_back(b + packet.at);
    }
    if (packs_destination(sides)) {
      out.push_back(static_cast<std::byte*>(lane.device_out.data()));
    } else {
      const auto n = static_cast<std::size_t>(count_slots(packet.move, Side::destination));
      for (std::byte* b : to.buffers.subspan(first, n)) out.push_back(b + packet.at);
    }
    lane.is_busy = true;
    lane.n_bytes = packet.n_bytes;
    lane.unpack = packet.unpack;
    gpu::entry<run_cuda>(step, {in.data(), in.size()}, {out.data(), out.size()}, stream, "a packet on the device");
    if (packs_destination(sides)) gpu::copy_to_host(lane.device_out, lane.host_out, packet.out_bytes, stream);
  }

  // Waits for the packet that is on its way, if there is one, and brings it where it belongs.
  void land(Lane& lane, const To& to) const {
    if (!lane.is_busy) return;
    lane.stream->synchronize();
    lane.is_busy = false;
    const std::byte* const pinned = lane.host_out.data();
    if (!lane.unpack.empty()) planned(lane.unpack).run({&pinned, 1}, to.buffers, executor_);
    tell(lane.n_bytes, to);
  }

  Device device_;
  const TransferOptions& options_;
  Machine machine_, cpu_ = Machine::this_cpu();
  Executor& executor_;
  std::int64_t limit_ = 0;  // bytes of a staging buffer
  std::array<Lane, n_lanes> lanes_;
  std::size_t next_ = 0;
};

template <class Buffers>
void check_pointers(const std::vector<ByteSpan>& spans, const Buffers& buffers, Memory memory, const char* side, Device device) {
  for (std::size_t s = 0; s < spans.size(); ++s) {
    if (spans[s].first == spans[s].last) continue;
    const void* touched = static_cast<const std::byte*>(buffers[s].data) + spans[s].first;
    const std::string what = "the " + name_of_buffer(side, s, spans.size());
    if (memory == Memory::host) gpu::check_host_pointer(touched, what);
    else gpu::check_pointer(touched, device.index, what);
  }
}

void transfer(const Rearrangement& r, std::span<const ConstBuffer> src, Memory src_memory, std::span<const Buffer> dst, Memory dst_memory,
              Device device, const TransferOptions& options) {
  gpu::check_built(device);
  if (device.kind != Device::Kind::cuda) throw Error(ErrorCode::device, "a transfer needs a CUDA device, not the CPU; give cuda(0)");
  if (options.staging_bytes < least_staging) {
    throw Error(ErrorCode::bad_shape, "staging buffers of " + std::to_string(options.staging_bytes) + " bytes: give " +
                                          std::to_string(least_staging) + " or more");
  }
  const gpu::OnDevice on(cuda(device.index).index);
  const Steps steps = r.steps();
  const std::vector<ByteSpan> src_spans = r.source_spans(), dst_spans = r.destination_spans();
  const BuffersOf of = buffers_of_move(src_spans.size(), dst_spans.size());
  if (check_buffers(of, src_spans, r.source_values(), src, dst_spans, r.destination_values(), dst) == Aliasing::in_place)
    throw Error(ErrorCode::overlap, "source and destination are the same bytes: through a GPU a move needs a second buffer");
  check_pointers(src_spans, src, src_memory, "source", device);
  check_pointers(dst_spans, dst, dst_memory, "destination", device);
  const auto is_gathered = [](const Step& step) { return !step.gathers.empty(); };
  if (std::any_of(steps.steps.begin(), steps.steps.end(), is_gathered))
    return transfer_whole(r, src, src_memory == Memory::host, dst, dst_memory == Memory::host, device, options);
  Transfer packets(device, options);
  packets.check_memory(steps);
  Stream().synchronize();  // lanes do not wait for what was given to the default stream

  std::unique_ptr<std::byte[]> workspace;
  const auto run = [&](const Step& step, Place from, Place to) {
    detail::SmallVector<const std::byte*, 4> in;
    detail::SmallVector<std::byte*, 4> out;
    const bool is_from_source = from.array == Place::In::source, is_result = to.array == Place::In::destination;
    if (!is_from_source) in.push_back(workspace.get() + from.at);
    else
      for (const ConstBuffer& b : src) in.push_back(static_cast<const std::byte*>(b.data) + from.at);
    if (!is_result) out.push_back(workspace.get() + to.at);
    else
      for (const Buffer& b : dst) out.push_back(static_cast<std::byte*>(b.data) + to.at);
    packets.run(step, {{in.data(), in.size()}, is_from_source ? src_memory : Memory::host},
                {{out.data(), out.size()}, is_result ? dst_memory : Memory::host, is_result});
  };
  if (steps.steps.size() <= 1) {
    for (const Step& step : steps.steps) run(step, {Place::In::source, 0}, {Place::In::destination, 0});
    return;
  }
  Slabs::Actions actions;
  actions.run = run;
  Slabs slabs(r, options.workspace_bytes, std::move(actions));
  workspace.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(slabs.workspace_bytes())]);
  if (!workspace) throw Error(ErrorCode::out_of_memory, "a workspace of " + std::to_string(slabs.workspace_bytes()) + " bytes");
  slabs.run();
}

}  // namespace

void upload(const Rearrangement& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, Device device,
            const TransferOptions& options) {
  transfer(r, src, Memory::host, dst, Memory::device, device, options);
}
void download(const Rearrangement& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, Device device,
              const TransferOptions& options) {
  transfer(r, src, Memory::device, dst, Memory::host, device, options);
}
void move_through(const Rearrangement& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, Device device,
                  const TransferOptions& options) {
  transfer(r, src, Memory::host, dst, Memory::host, device, options);
}
void upload(const Rearrangement& r, ConstBuffer src, Buffer dst, Device device, const TransferOptions& options) {
  upload(r, std::span(&src, 1), std::span(&dst, 1), device, options);
}
void download(const Rearrangement& r, ConstBuffer src, Buffer dst, Device device, const TransferOptions& options) {
  download(r, std::span(&src, 1), std::span(&dst, 1), device, options);
}
void move_through(const Rearrangement& r, ConstBuffer src, Buffer dst, Device device, const TransferOptions& options) {
  move_through(r, std::span(&src, 1), std::span(&dst, 1), device, options);
}

}  // namespace crinkle
