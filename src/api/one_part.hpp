// One part of an operation after another: windows of the inputs, the part's own operation, and its outputs put where they belong.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/checked.hpp"
#include "base/reused_memory.hpp"
#include "crinkle/error.hpp"
#include "crinkle/operation.hpp"
#include "crinkle/plan.hpp"
#include "crinkle/transfer.hpp"
#include "cuda/runtime.hpp"
#include "operation/model.hpp"

namespace crinkle {

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
inline std::optional<std::int64_t> dense_at(const Layout& array, const Ranges& ranges) {
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

}  // namespace crinkle
