// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/operation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "cuda/runtime.hpp"
#include "form/array_check.hpp"
#include "operation/check.hpp"
#include "operation/model.hpp"

namespace crinkle {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_shape, text); }

/// Memory of the device an operation runs on, not cleared.
class Workspace {
 public:
  Workspace(Device device, std::int64_t bytes) {
    if (device.kind == Device::Kind::cuda) {
      on_gpu_ = DeviceMemory(device, bytes);
      return;
    }
    try {
      on_cpu_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
    } catch (const std::bad_alloc&) { throw Error(ErrorCode::out_of_memory, fmt::format("there are no {} bytes for a workspace", bytes)); }
  }
  std::byte* data() const noexcept { return on_cpu_ ? on_cpu_.get() : static_cast<std::byte*>(on_gpu_.data()); }

 private:
  std::unique_ptr<std::byte[]> on_cpu_;
  DeviceMemory on_gpu_;
};

void check_part(const Operation::Model& of, const Ranges& part) {
  if (of.cuts.empty()) throw Error(ErrorCode::unsupported, fmt::format("this {} cannot be cut", of.name));
  if (part.size() != of.cuts.size())
    refuse(fmt::format("a part of {} ranges; this {} has {} cuts, and a part one range of each", part.size(), of.name, of.cuts.size()));
  for (std::size_t c = 0; c < part.size(); ++c) {
    const Range& range = part[c];
    const Cut& cut = of.cuts[c];
    if (range.first < 0 || range.n < 0 || range.first > cut.extent || range.n > cut.extent - range.first)
      refuse(fmt::format("a part of {} from {} on of {}, which has {}", range.n, range.first, cut.name, cut.extent));
  }
}

}  // namespace

std::int64_t bytes_of(ElementType type) noexcept { return bytes_of(type.number.number) * (type.is_complex ? 2 : 1); }

std::string name_of(const ElementType& type) {
  const std::string number = name_of(type.number.number);
  if (!type.is_complex) return (type.number.is_swapped ? ">" : "") + number;
  return number == "float64" ? "complex128" : number == "float32" ? "complex64" : "2 " + number;
}

Port port_of(std::string name, Layout layout) {
  const ByteSpan touched = bytes_touched_by(layout);
  const std::int64_t n = layout.element_bytes;
  return {.name = std::move(name), .layout = std::move(layout), .touched = touched, .values = {n, n % 2 == 0 ? n / 2 : 0}};
}

Port port_of(std::string name, Layout layout, ElementType type) {
  if (layout.element_bytes != bytes_of(type))
    refuse(fmt::format("the {} has elements of {} bytes; {}{} has {}", name, layout.element_bytes, type.is_complex ? "complex " : "",
                       name_of(type.number.number), bytes_of(type)));
  Port port = port_of(std::move(name), std::move(layout));
  port.type = type;
  port.values = ValueForm::numbers(port.layout.element_bytes, type.is_complex ? 2 : 1);
  return port;
}

std::int64_t bytes_of(const Layout& whole, const Ranges& part) {
  std::int64_t n = whole.element_bytes;
  for (const Range& range : part) n = multiply(n, range.n);
  return n;
}

std::int64_t bytes_of(const std::vector<Port>& ports) {
  std::int64_t n = 0;
  for (const Port& port : ports)
    if (!port.is_counted) n = add(n, port.layout.n_bytes());
  return n;
}

std::int64_t bytes_of(const std::vector<Port>& ports, const std::vector<Ranges>& parts) {
  std::int64_t n = 0;
  for (std::size_t p = 0; p < ports.size(); ++p) n = add(n, bytes_of(ports[p].layout, parts[p]));
  return n;
}

Layout dense_part(const Layout& whole, const Ranges& ranges) {
  Extents extents;
  for (const Range& range : ranges) extents.push_back(range.n);
  return Layout::dense(extents, whole.element_bytes);
}

void Operation::Model::define(std::span<const ConstBuffer>, std::span<const Buffer>) const {
  throw Error(ErrorCode::unsupported, fmt::format("this {} has no definition of its own to be compared with", name));
}

std::int64_t Operation::Model::count(std::span<const ConstBuffer>, const Worker&) const {
  throw Error(ErrorCode::unsupported, fmt::format("the outputs of this {} are as large as their layouts say", name));
}

Operation Operation::Model::part(const Ranges&) const { throw Error(ErrorCode::unsupported, fmt::format("this {} cannot be cut", name)); }

Operation Operation::Model::inverse() const {
  throw Error(ErrorCode::unsupported, fmt::format("this {} has no inverse: transforms, moves and triangles have one", name));
}

OperationCost Operation::Model::cost() const { return {.bytes = add(bytes_of(inputs), bytes_of(outputs))}; }

std::vector<Ranges> Operation::Model::along(const std::vector<Port>& ports, PortAxes Cut::* axis, const Ranges& part) const {
  std::vector<Ranges> all;
  for (std::size_t p = 0; p < ports.size(); ++p) {
    Ranges ranges;
    for (const std::int64_t extent : ports[p].layout.extents) ranges.push_back({0, extent});
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      const int along = (cuts[c].*axis)[p];
      if (along >= 0) ranges[static_cast<std::size_t>(along)] = part[c];
    }
    all.push_back(std::move(ranges));
  }
  return all;
}

const std::string& Operation::name() const noexcept { return model_->name; }
Device Operation::device() const noexcept { return model_->device; }
const std::vector<Port>& Operation::inputs() const noexcept { return model_->inputs; }
const std::vector<Port>& Operation::outputs() const noexcept { return model_->outputs; }
bool Operation::can_run_in_place() const noexcept { return model_->may_be_in_place; }
std::int64_t Operation::workspace_bytes() const noexcept { return model_->workspace_bytes; }
const std::vector<Cut>& Operation::cuts() const noexcept { return model_->cuts; }
Operation Operation::inverse() const { return model_->inverse(); }
std::int64_t Operation::held_bytes() const { return model_->held_bytes(); }
OperationCost Operation::cost() const { return model_->cost(); }
std::string Operation::describe() const { return model_->describe(); }

void Operation::run(std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs, const Worker& worker, Buffer workspace) const {
  const Model& model = *model_;
  check_device(model, worker);
  check_buffers(model, inputs, outputs);
  const auto is_touched = [](const Port& port) { return port.is_counted || port.touched.first != port.touched.last; };
  if (std::none_of(model.outputs.begin(), model.outputs.end(), is_touched)) return;
  if (model.workspace_bytes > 0 && workspace.data != nullptr) check_workspace(model, inputs, outputs, workspace);
  if (model.device.kind == Device::Kind::cpu) {
    if (model.workspace_bytes == 0 || workspace.data != nullptr)
      return model.run(inputs, outputs, static_cast<std::byte*>(workspace.data), worker);
    const Workspace own(model.device, model.workspace_bytes);
    return model.run(inputs, outputs, own.data(), worker);
  }
  const gpu::OnDevice on(model.device.index);
  check_reach(model, inputs, outputs, workspace, worker);
  if (model.workspace_bytes == 0 || workspace.data != nullptr)
    return model.run(inputs, outputs, static_cast<std::byte*>(workspace.data), worker);
  const Workspace own(model.device, model.workspace_bytes);
  model.run(inputs, outputs, own.data(), worker);
  worker.stream().synchronize();
}

void Operation::run(std::initializer_list<ConstBuffer> inputs, std::initializer_list<Buffer> outputs, const Worker& worker,
                    Buffer workspace) const {
  run(std::span<const ConstBuffer>(inputs), std::span<const Buffer>(outputs), worker, workspace);
}

void Operation::define(std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs) const {
  check_buffers(*model_, inputs, outputs);
  model_->define(inputs, outputs);
}

std::int64_t Operation::count(std::span<const ConstBuffer> inputs, const Worker& worker) const {
  check_device(*model_, worker);
  check_inputs(*model_, inputs);
  if (model_->device.kind == Device::Kind::cpu) return model_->count(inputs, worker);
  const gpu::OnDevice on(model_->device.index);
  check_reach(*model_, inputs, {}, {}, worker);
  return model_->count(inputs, worker);
}

std::vector<Ranges> Operation::needs(const Ranges& part) const {
  check_part(*model_, part);
  return model_->needs(part);
}

std::vector<Ranges> Operation::gives(const Ranges& part) const {
  check_part(*model_, part);
  return model_->gives(part);
}

Operation Operation::part(const Ranges& part) const {
  check_part(*model_, part);
  return model_->part(part);
}

std::vector<Operation> Operation::stages() const {
  std::vector<Operation> stages = model_->stages();
  if (stages.empty()) stages.push_back(*this);
  return stages;
}

}  // namespace crinkle
