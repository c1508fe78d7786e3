// Plans on a stream of a CUDA device: what is checked.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "api/plan_data.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"

namespace crinkle {
namespace {

/// The first byte that a plan touches of a buffer, or null. The buffer's own first byte may lie before the memory that is on the device.
const void* first_byte(const void* data, const ByteSpan& span) {
  if (data == nullptr || span.first == span.last) return nullptr;
  return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(span.first));
}

}  // namespace

void Plan::run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, const Stream& stream, Buffer workspace) const {
  const Data& data = *data_;
  gpu::check_built(data.device);
  if (data.device.kind != Device::Kind::cuda) {
    throw Error(ErrorCode::device, "a plan for " + (data.machine.kind == MachineKind::cpu ? "the CPU" : data.machine.name) +
                                       " does not run on a stream; plan it for cuda(n)");
  }
  const bool is_in_place = data.check_buffers(src, dst) == Aliasing::in_place;
  if (is_in_place && data.exchanges_on_gpu == nullptr) data.refuse_in_place();
  if (workspace.bytes < data.workspace_bytes) {
    throw Error(ErrorCode::bad_shape, "a workspace of " + std::to_string(workspace.bytes) + " bytes on the device; the plan needs " +
                                          std::to_string(data.workspace_bytes));
  }
  const gpu::OnDevice on(data.device.index);
  // Each of a plan's pointers is asked about once, so that a run that is repeated asks nothing; nor does one that is captured.
  const auto is_new = [&](const void* p) { return p != nullptr && !data.seen->holds(p) && !gpu::is_capturing(stream.get()); };
  const auto check = [&](const void* p, const std::string& what) {
    gpu::check_pointer(p, data.device.index, what);
    data.seen->note(p);
  };
  for (std::size_t s = 0; s < src.size(); ++s)
    if (const void* p = first_byte(src[s].data, data.source_spans[s]); is_new(p))
      check(p, "the " + name_of_buffer("source", s, src.size()));
  for (std::size_t s = 0; s < dst.size(); ++s)
    if (const void* p = first_byte(dst[s].data, data.destination_spans[s]); is_new(p))
      check(p, "the " + name_of_buffer("destination", s, dst.size()));
  if (data.workspace_bytes > 0 && is_new(workspace.data)) check(workspace.data, "the workspace");
  if (is_new(stream.get())) {
    gpu::check_stream(stream.get(), data.device.index);
    data.seen->note(stream.get());
  }
  if (is_in_place) data.run_in_place(dst, stream);
  else data.run(src, dst, workspace, stream);
}

}  // namespace crinkle
