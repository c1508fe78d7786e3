// SPDX-License-Identifier: BSD-3-Clause
#include "operation/check.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "crinkle/error.hpp"
#include "cuda/device_buffers.hpp"
#include "operation/seen_addresses.hpp"

namespace crinkle {
namespace {

// The spans that buffers have to hold; a counted output's is as long as its buffer.
struct Spans {
  detail::SmallVector<ByteSpan, 4> spans;
  ValueForms forms;
};
template <class B>
Spans spans_of_ports(const std::vector<Port>& ports, std::span<const B> buffers) {
  Spans all;
  for (std::size_t p = 0; p < ports.size(); ++p) {
    all.spans.push_back(ports[p].is_counted && p < buffers.size() ? ByteSpan{0, buffers[p].bytes} : ports[p].touched);
    all.forms.push_back(ports[p].values);
  }
  return all;
}
BuffersOf buffers_of(const Operation::Model& of) {
  return {of.name.c_str(), of.may_be_in_place, [&](std::size_t i) { return of.inputs[i].name; },
          [&](std::size_t i) { return of.outputs[i].name; }};
}

// The addresses that operations on a device were run with lately; null of a device beyond those that are kept.
SeenAddresses* seen_by(Device device) {
  static auto& tables = *new std::array<SeenAddresses, 16>;  // NOLINT: never destroyed, since threads may outlive main()
  return device.index < std::ssize(tables) ? &tables[static_cast<std::size_t>(device.index)] : nullptr;
}

}  // namespace

void check_inputs(const Operation::Model& of, std::span<const ConstBuffer> in) {
  const Spans spans = spans_of_ports(of.inputs, in);
  check_held(buffers_of(of), true, spans.spans, spans.forms, in);
}

Aliasing check_buffers(const Operation::Model& of, std::span<const ConstBuffer> in, std::span<const Buffer> out) {
  const Spans from = spans_of_ports(of.inputs, in), to = spans_of_ports(of.outputs, out);
  return check_buffers(buffers_of(of), from.spans, from.forms, in, to.spans, to.forms, out);
}

void check_workspace(const Operation::Model& of, std::span<const ConstBuffer> in, std::span<const Buffer> out, Buffer workspace) {
  if (workspace.data == nullptr || workspace.bytes < of.workspace_bytes) {
    throw Error(ErrorCode::bad_shape, fmt::format("the workspace has {} bytes; this {} needs {}",
                                                  workspace.data == nullptr ? 0 : workspace.bytes, of.name, of.workspace_bytes));
  }
  const auto own = reinterpret_cast<std::uintptr_t>(workspace.data);
  const auto check = [&](const Port& port, const ByteSpan& span, const void* data) {
    const auto at = reinterpret_cast<std::uintptr_t>(data);
    if (span.first != span.last && own < at + static_cast<std::uintptr_t>(span.last) &&
        at + static_cast<std::uintptr_t>(span.first) < own + static_cast<std::uintptr_t>(of.workspace_bytes))
      throw Error(ErrorCode::overlap, fmt::format("the workspace of {} bytes shares bytes with the {}", of.workspace_bytes, port.name));
  };
  const Spans from = spans_of_ports(of.inputs, in), to = spans_of_ports(of.outputs, out);
  for (std::size_t i = 0; i < in.size(); ++i) check(of.inputs[i], from.spans[i], in[i].data);
  for (std::size_t i = 0; i < out.size(); ++i) check(of.outputs[i], to.spans[i], out[i].data);
}

void check_device(const Operation::Model& of, const Worker& worker) {
  if (of.device.kind == Device::Kind::cuda) {
    gpu::check_built(of.device);
    if (!worker.is_executor()) return;
    throw Error(ErrorCode::device,
                fmt::format("this {} is planned for {}: run it on a stream, not with an executor of the CPU", of.name, of.machine));
  }
  if (!worker.is_stream()) return;
  gpu::check_built(of.device);
  throw Error(ErrorCode::device, fmt::format("this {} is planned for the CPU: run it with an executor, or plan it for cuda(n)", of.name));
}

void check_reach(const Operation::Model& of, std::span<const ConstBuffer> in, std::span<const Buffer> out, Buffer workspace,
                 const Worker& worker) {
  CUstream_st* const stream = worker.stream().get();
  // Each address is asked about once, so that a run that is repeated asks nothing; nor does one that is captured.
  SeenAddresses* const seen = seen_by(of.device);
  const auto is_new = [&](const void* p) { return p != nullptr && (seen == nullptr || !seen->holds(p)) && !gpu::is_capturing(stream); };
  const auto check = [&](const void* p, const std::string& what) {
    gpu::check_pointer(p, of.device.index, what);
    if (seen != nullptr) seen->note(p);
  };
  const auto check_port = [&](const Port& port, const void* p) {
    if (port.touched.first != port.touched.last && is_new(p)) check(p, "the " + port.name);
  };
  for (std::size_t i = 0; i < in.size(); ++i) check_port(of.inputs[i], in[i].data);
  for (std::size_t i = 0; i < out.size(); ++i) check_port(of.outputs[i], out[i].data);
  if (of.workspace_bytes > 0 && is_new(workspace.data)) check(workspace.data, "the workspace");
  if (!is_new(stream)) return;
  gpu::check_stream(stream, of.device.index);
  if (seen != nullptr) seen->note(stream);
}

}  // namespace crinkle
