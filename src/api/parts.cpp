// Operations part by part: windows of the inputs, the part's own operation, and its outputs put where they belong.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "api/parts.hpp"
#include "base/checked.hpp"
#include "base/reused_memory.hpp"
#include "crinkle/error.hpp"
#include "crinkle/operation.hpp"
#include "crinkle/plan.hpp"
#include "crinkle/transfer.hpp"
#include "cuda/runtime.hpp"
#include "operation/check.hpp"

namespace crinkle {
namespace {

/// Memory of a device that is taken anew only where it is too small.
class PartMemory {
 public:
  std::byte* of(Device device, std::int64_t bytes) {
    if (device.kind != Device::Kind::cuda) return here_.of(bytes);
    if (bytes > bytes_) {
      there_ = {};
      there_ = DeviceMemory(device, bytes);
      bytes_ = bytes;
    }
    return static_cast<std::byte*>(there_.data());
  }

 private:
  ReusedMemory here_;
  DeviceMemory there_;
  std::int64_t bytes_ = 0;  // there
};

/// The byte of the buffer at which a part of an array begins, if the part lies dense there.
std::optional<std::int64_t> dense_at(const Layout& array, const Ranges& ranges) {
  std::int64_t at = array.offset, stride = array.element_bytes;
  for (std::size_t a = ranges.size(); a-- > 0;) {
    const Range& range = ranges[a];
    if (range.n == 0 || range.first + range.n > array.extents[a]) return {};
    if (range.n > 1 && array.strides[a] != stride) return {};
    at = add_product(at, range.first, array.strides[a]);
    stride = multiply(stride, range.n);
  }
  return at;
}

class Parts {
 public:
  Parts(const Operation& operation, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs, Executor& executor,
        const PartsOptions& options)
      : operation_(operation), inputs_(inputs), outputs_(outputs), executor_(executor), options_(options), device_(operation.device()) {
    from_.resize(inputs.size());
    to_.resize(outputs.size());
    all_ = bytes_of(operation.outputs());
    is_over_ = inputs.size() == 1 && outputs.size() == 1 && inputs[0].data == outputs[0].data;
    for (const Port& port : operation.outputs())
      if (port.is_counted) throw Error(ErrorCode::unsupported, fmt::format("the {}'s size is not known before", port.name));
  }

  void run(const Ranges& ranges) {
    const std::vector<Ranges> needs = operation_.needs(ranges), gives = operation_.gives(ranges);
    const Operation part = operation_.part(ranges);
    std::vector<ConstBuffer> in;
    std::vector<Buffer> out;
    const bool is_apart = is_over_ && !part.can_run_in_place();
    for (std::size_t i = 0; i < inputs_.size(); ++i) in.push_back(fetched(i, needs[i], is_apart));
    for (std::size_t o = 0; o < outputs_.size(); ++o) out.push_back(place_for(o, gives[o]));
    const std::int64_t bytes = part.workspace_bytes();
    const Buffer workspace = bytes == 0 ? Buffer{} : Buffer{workspace_.of(device_, bytes), bytes};
    if (device_.kind == Device::Kind::cpu) {
      part.run(in, out, executor_, workspace);
    } else {
      const Stream stream(device_);
      part.run(in, out, stream, workspace);
      stream.synchronize();
    }
    for (std::size_t o = 0; o < outputs_.size(); ++o) put(o, gives[o], out[o]);
  }

 private:
  bool is_on_gpu() const { return device_.kind == Device::Kind::cuda; }

  ConstBuffer fetched(std::size_t i, const Ranges& ranges, bool is_apart) {
    const Layout& array = operation_.inputs()[i].layout;
    const std::int64_t bytes = bytes_of(array, ranges);
    const std::optional<std::int64_t> at = dense_at(array, ranges);
    const auto* const begin = static_cast<const std::byte*>(inputs_[i].data);
    if (bytes == 0) return {};
    if (at && !is_on_gpu() && !is_apart) return {begin + *at, bytes};
    const Buffer room{from_[i].of(device_, bytes), bytes};
    if (at && is_on_gpu()) copy_bytes({begin + *at, bytes}, room);
    else move(window(array, ranges), inputs_[i], room, Way::up);
    return room;
  }

  Buffer place_for(std::size_t o, const Ranges& ranges) {
    const Port& port = operation_.outputs()[o];
    const std::int64_t bytes = bytes_of(port.layout, ranges);
    const std::optional<std::int64_t> at = dense_at(port.layout, ranges);
    if (bytes == 0) return {};
    if (at && !is_on_gpu()) return {static_cast<std::byte*>(outputs_[o].data) + *at, bytes};
    const Buffer room{to_[o].of(device_, bytes), bytes};
    if (port.is_updated) move(window(port.layout, ranges), outputs_[o], room, Way::up);
    return room;
  }

  void put(std::size_t o, const Ranges& ranges, Buffer made) {
    const Layout& array = operation_.outputs()[o].layout;
    const std::int64_t bytes = bytes_of(array, ranges);
    if (bytes > 0) {
      const std::optional<std::int64_t> at = dense_at(array, ranges);
      if (is_on_gpu() && at) copy_bytes(made, {static_cast<std::byte*>(outputs_[o].data) + *at, bytes});
      else if (!at) move(unwindow(array, ranges), made, outputs_[o], Way::down);
    }
    written_ += bytes;
    if (options_.written && o + 1 == outputs_.size()) options_.written(written_, all_);
  }

  enum class Way : std::uint8_t { up, down };
  void move(const Rearrangement& r, ConstBuffer from, Buffer to, Way way) {
    if (is_on_gpu()) {
      TransferOptions options;
      options.executor = &executor_;
      return way == Way::up ? upload(r, from, to, device_, options) : download(r, from, to, device_, options);
    }
    Plan(r).run({&from, 1}, {&to, 1}, executor_);
  }

  const Operation& operation_;
  std::span<const ConstBuffer> inputs_;
  std::span<const Buffer> outputs_;
  Executor& executor_;
  const PartsOptions& options_;
  Device device_;
  bool is_over_ = false;  // its output is its input
  std::vector<PartMemory> from_, to_;
  PartMemory workspace_;
  std::int64_t written_ = 0, all_ = 0;
};

// The bytes of an operation's arrays and workspace together, run whole.
std::int64_t memory_of(const Operation& of) { return add(of.workspace_bytes(), add(bytes_of(of.inputs()), bytes_of(of.outputs()))); }

// Runs an operation as it is, bytes of whole arrays through a GPU. Gaps between an output's elements come back as they went.
void run_whole(const Operation& operation, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs, Executor& executor) {
  const Device device = operation.device();
  if (device.kind == Device::Kind::cpu) return operation.run(inputs, outputs, executor);
  std::vector<DeviceMemory> memory;
  std::vector<ConstBuffer> in;
  std::vector<Buffer> out;
  const auto there = [&](const void* data, std::int64_t bytes, bool is_read) {
    if (bytes == 0) return Buffer{};
    memory.emplace_back(device, bytes);
    if (is_read) copy_bytes({data, bytes}, memory.back());
    return Buffer(memory.back());
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) in.push_back(there(inputs[i].data, operation.inputs()[i].touched.last, true));
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const Port& port = operation.outputs()[o];
    out.push_back(there(outputs[o].data, port.touched.last, port.is_updated || !port.layout.is_dense() || port.layout.offset > 0));
  }
  const Stream stream(device);
  operation.run(in, out, stream);
  stream.synchronize();
  for (std::size_t o = 0; o < outputs.size(); ++o)
    if (out[o].bytes > 0) copy_bytes(out[o], outputs[o]);
}

void run_cut(const Operation& operation, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs, Executor& executor,
             const PartsOptions& options) {
  const std::vector<Ranges> all = operation.cuts().empty() ? std::vector<Ranges>(1) : parts_of(operation, options.memory_bytes);
  if (all.size() == 1) {
    run_whole(operation, inputs, outputs, executor);
    const std::int64_t n = bytes_of(operation.outputs());
    if (options.written) options.written(n, n);
    return;
  }
  Parts parts(operation, inputs, outputs, executor, options);
  for (const Ranges& part : all) parts.run(part);
}

/// Whether each part of it reads no more than the places of the array that it writes.
bool may_go_over(const Operation& stage, std::int64_t part_bytes) {
  if (stage.inputs().size() != 1 || stage.outputs().size() != 1 || !stage.can_run_in_place()) return false;
  if (!(stage.inputs()[0].layout == stage.outputs()[0].layout)) return false;
  if (stage.cuts().empty()) return true;
  const std::vector<Ranges> all = parts_of(stage, part_bytes);
  return std::all_of(all.begin(), all.end(), [&](const Ranges& part) { return stage.needs(part)[0] == stage.gives(part)[0]; });
}

enum class Between : std::uint8_t { first_room, second_room, in_output };

/// Where stages write: into the last one's output where all later ones may go over it, over their input where that is no input of the
/// whole.
std::vector<Between> places_between(const std::vector<Operation>& stages, std::int64_t part_bytes) {
  std::vector<bool> goes_over;
  for (const Operation& stage : stages) goes_over.push_back(may_go_over(stage, part_bytes));
  std::size_t first = stages.size() - 1;  // of those that write into the output
  while (first > 0 && goes_over[first]) --first;
  std::vector<Between> places(stages.size(), Between::in_output);
  for (std::size_t s = 0; s < first; ++s) {
    const Between last = s == 0 ? Between::second_room : places[s - 1];
    if (s == 0 || !goes_over[s]) places[s] = last == Between::first_room ? Between::second_room : Between::first_room;
    else places[s] = last;
  }
  return places;
}

bool is_run_whole(const Operation& operation, const std::vector<Operation>& stages, std::int64_t part_bytes) {
  return stages.size() == 1 || (memory_of(operation) <= part_bytes && !operation.cuts().empty());
}

}  // namespace

std::int64_t bytes_between_stages(const Operation& operation, std::int64_t part_bytes) {
  const std::vector<Operation> stages = operation.stages();
  if (is_run_whole(operation, stages, part_bytes)) return 0;
  const std::vector<Between> places = places_between(stages, part_bytes);
  std::int64_t most[2] = {};
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (places[s] == Between::in_output) continue;
    std::int64_t& room = most[places[s] == Between::second_room ? 1 : 0];
    room = std::max(room, stages[s].outputs()[0].touched.last);
  }
  return add(most[0], most[1]);
}

void run_in_parts(const Operation& operation, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs, Executor& executor,
                  const PartsOptions& options) {
  if (options.memory_bytes < 1) throw Error(ErrorCode::bad_shape, fmt::format("parts of {} bytes; give 1 or more", options.memory_bytes));
  if (check_buffers(operation.model(), inputs, outputs) == Aliasing::in_place) {
    run_whole(operation, inputs, outputs, executor);
    if (options.written) options.written(bytes_of(operation.outputs()), bytes_of(operation.outputs()));
    return;
  }
  const std::vector<Operation> stages = operation.stages();
  if (is_run_whole(operation, stages, options.memory_bytes)) return run_cut(operation, inputs, outputs, executor, options);
  const std::vector<Between> places = places_between(stages, options.memory_bytes);
  PartMemory rooms[2];
  std::vector<ConstBuffer> now(inputs.begin(), inputs.end());
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const bool is_last = s + 1 == stages.size();
    PartsOptions its = options;
    if (!is_last) its.written = {};
    std::vector<Buffer> to(outputs.begin(), outputs.end());
    if (places[s] != Between::in_output) {
      const std::int64_t bytes = stages[s].outputs()[0].touched.last;
      PartMemory& room = rooms[places[s] == Between::second_room ? 1 : 0];
      to = {Buffer{room.of(cpu(), bytes), bytes}};
    }
    run_cut(stages[s], now, to, executor, its);
    now.assign(to.begin(), to.end());
  }
}

}  // namespace crinkle
