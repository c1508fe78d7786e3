// SPDX-License-Identifier: BSD-3-Clause
#include "operation/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/values.hpp"
#include "crinkle/error.hpp"
#include "cuda/device_buffers.hpp"

namespace crinkle {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_shape, text); }

const char* plural(std::size_t n) { return n == 1 ? "" : "s"; }

bool is_touched(const ByteSpan& span) { return span.first != span.last; }

void check_room(const Operation::Model& of, const Port& port, ConstBuffer buffer) {
  check_values(buffer, port.values, port.name, fmt::format("the {}", of.name).c_str());
  if (port.is_counted || !is_touched(port.touched)) return;
  if (buffer.data != nullptr && port.touched.first >= 0 && port.touched.last <= buffer.bytes) return;
  refuse(fmt::format("the {}'s buffer has {} bytes{}; its layout needs bytes {} to {}", port.name, buffer.bytes,
                     buffer.data == nullptr ? " at no address" : "", port.touched.first, port.touched.last));
}

// The addresses that are touched.
struct Addresses {
  std::uintptr_t first = 0, last = 0;
  friend bool operator==(const Addresses&, const Addresses&) = default;
};
Addresses addresses_of(const Port& port, ConstBuffer buffer) {
  const auto at = reinterpret_cast<std::uintptr_t>(buffer.data);
  if (port.is_counted) return {at, at + static_cast<std::uintptr_t>(buffer.bytes)};
  return {at + static_cast<std::uintptr_t>(port.touched.first), at + static_cast<std::uintptr_t>(port.touched.last)};
}
std::int64_t n_shared(const Addresses& a, const Addresses& b) {
  const auto first = std::max(a.first, b.first), last = std::min(a.last, b.last);
  return a.first < a.last && b.first < b.last && first < last ? static_cast<std::int64_t>(last - first) : 0;
}

}  // namespace

void check_inputs(const Operation::Model& of, std::span<const ConstBuffer> in) {
  if (in.size() != of.inputs.size())
    refuse(fmt::format("{} input buffer{} for the {} of {}", in.size(), plural(in.size()), of.name, of.inputs.size()));
  for (std::size_t i = 0; i < in.size(); ++i) check_room(of, of.inputs[i], in[i]);
}

Aliasing check_buffers(const Operation::Model& of, std::span<const ConstBuffer> in, std::span<const Buffer> out) {
  check_inputs(of, in);
  if (out.size() != of.outputs.size())
    refuse(fmt::format("{} output buffer{} for the {} of {}", out.size(), plural(out.size()), of.name, of.outputs.size()));
  for (std::size_t i = 0; i < out.size(); ++i) check_room(of, of.outputs[i], out[i]);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Addresses a = addresses_of(of.outputs[i], out[i]);
    for (std::size_t j = i + 1; j < out.size(); ++j) {
      const std::int64_t n = n_shared(a, addresses_of(of.outputs[j], out[j]));
      if (n > 0)
        throw Error(ErrorCode::overlap, fmt::format("the {} and the {} share {} bytes; outputs lie apart from each other",
                                                    of.outputs[i].name, of.outputs[j].name, n));
    }
  }
  bool are_same = of.may_be_in_place && in.size() == out.size() && !in.empty();
  for (std::size_t i = 0; are_same && i < in.size(); ++i)
    are_same = addresses_of(of.inputs[i], in[i]) == addresses_of(of.outputs[i], out[i]) && is_touched(of.inputs[i].touched);
  if (are_same) return Aliasing::in_place;
  for (std::size_t i = 0; i < in.size(); ++i) {
    for (std::size_t j = 0; j < out.size(); ++j) {
      const Port &from = of.inputs[i], &to = of.outputs[j];
      const std::int64_t n = n_shared(addresses_of(from, in[i]), addresses_of(to, out[j]));
      if (n == 0) continue;
      throw Error(
          ErrorCode::overlap,
          fmt::format("the {} and the {} share {} bytes; {}", from.name, to.name, n,
                      of.may_be_in_place ? fmt::format("a {} in place has both at the same bytes, any other one needs them apart", of.name)
                                         : fmt::format("this {} needs them apart", of.name)));
    }
  }
  return Aliasing::apart;
}

void check_workspace(const Operation::Model& of, std::span<const ConstBuffer> in, std::span<const Buffer> out, Buffer workspace) {
  if (workspace.data == nullptr || workspace.bytes < of.workspace_bytes)
    refuse(fmt::format("the workspace has {} bytes; this {} needs {}", workspace.data == nullptr ? 0 : workspace.bytes, of.name,
                       of.workspace_bytes));
  const auto at = reinterpret_cast<std::uintptr_t>(workspace.data);
  const Addresses own{at, at + static_cast<std::uintptr_t>(of.workspace_bytes)};
  const auto check = [&](const Port& port, ConstBuffer buffer) {
    if (n_shared(own, addresses_of(port, buffer)) > 0)
      throw Error(ErrorCode::overlap, fmt::format("the workspace of {} bytes shares bytes with the {}", of.workspace_bytes, port.name));
  };
  for (std::size_t i = 0; i < in.size(); ++i) check(of.inputs[i], in[i]);
  for (std::size_t i = 0; i < out.size(); ++i) check(of.outputs[i], out[i]);
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
  if (gpu::is_capturing(worker.stream().get())) return;
  const auto check = [&](const Port& port, ConstBuffer buffer) {
    if (is_touched(port.touched) && buffer.data != nullptr) gpu::check_pointer(buffer.data, of.device.index, "the " + port.name);
  };
  for (std::size_t i = 0; i < in.size(); ++i) check(of.inputs[i], in[i]);
  for (std::size_t i = 0; i < out.size(); ++i) check(of.outputs[i], out[i]);
  if (workspace.data != nullptr) gpu::check_pointer(workspace.data, of.device.index, "the workspace");
  gpu::check_stream(worker.stream().get(), of.device.index);
}

}  // namespace crinkle
