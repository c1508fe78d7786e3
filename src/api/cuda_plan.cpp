// Plans for CUDA devices: the machine that a device is, and running on a stream. Left out of a build without CUDA (no_cuda.cpp).
// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "api/buffers.hpp"
#include "api/plan_data.hpp"
#include "crinkle/error.hpp"
#include "cuda/runtime.hpp"
#include "move/cuda.hpp"

namespace crinkle {
namespace {

/// What a plan's pointers and streams are asked once, so that a run that is repeated asks nothing.
void check_reach(const Plan::Data& data, const void* p, const std::string& what) {
  if (p == nullptr || data.seen->holds(p)) return;
  gpu::check_pointer(p, data.device.index, what);
  data.seen->note(p);
}

}  // namespace

Machine machine_of_cuda(Device device) {
  const DeviceFacts facts = facts_of(device);
  Machine machine = Machine::h200();  // sizes of tiles are those measured there; other cards' limits replace its own
  if (facts.name.find("H200") == std::string::npos) machine.copies.clear();
  machine.name = facts.name;
  machine.workers = facts.multiprocessors;
  machine.memory_bytes = facts.memory_bytes;
  machine.cache_bytes = facts.cache_bytes;
  machine.shared_bytes_block = facts.shared_bytes_block;
  machine.shared_bytes_worker = facts.shared_bytes_worker;
  machine.threads_block = facts.threads_block;
  return machine;
}

void check_gathers_on_gpu(std::size_t n_gathers) {
  if (n_gathers > 0)
    throw Error(ErrorCode::unsupported, "an axis that is gathered by an index array is not moved on a GPU yet; use the CPU");
}

void Plan::Data::make_cuda_steps() {
  seen = std::make_shared<SeenAddresses>();
  for (PlannedStep& step : steps) {
    check_gathers_on_gpu(step.move.gathers.size());
    const std::size_t k = static_cast<std::size_t>(&step - steps.data());
    const std::int64_t n_from = k == 0 ? std::ssize(source_spans) : 1, n_to = k + 1 == steps.size() ? std::ssize(destination_spans) : 1;
    step.on_gpu = std::make_shared<const CudaStep>(cuda_step(step.pass, machine, n_from, n_to, device.index));
  }
  what = "a move on " + machine.name + ", " + std::to_string(bytes_moved) + " bytes in " + std::to_string(steps.size()) +
         (steps.size() == 1 ? " step" : " steps");
}

void Plan::run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, const Stream& stream, Buffer workspace) const {
  const Data& data = *data_;
  if (data.device.kind != Device::Kind::cuda) {
    throw Error(ErrorCode::device, "a plan for " + (data.machine.kind == MachineKind::cpu ? "the CPU" : data.machine.name) +
                                       " does not run on a stream; plan it for cuda(n)");
  }
  if (check_buffers(data.source_spans, src, data.destination_spans, dst) == Aliasing::in_place) {
    throw Error(ErrorCode::overlap, "source and destination are the same bytes: on a GPU a move needs a second buffer");
  }
  if (workspace.bytes < data.workspace_bytes) {
    throw Error(ErrorCode::bad_shape, "a workspace of " + std::to_string(workspace.bytes) + " bytes on the device; the plan needs " +
                                          std::to_string(data.workspace_bytes));
  }
  const gpu::OnDevice on(data.device.index);
  if (!gpu::is_capturing(stream.get())) {
    for (std::size_t s = 0; s < src.size(); ++s) check_reach(data, src[s].data, "source buffer " + std::to_string(s));
    for (std::size_t s = 0; s < dst.size(); ++s) check_reach(data, dst[s].data, "destination buffer " + std::to_string(s));
    if (data.workspace_bytes > 0) check_reach(data, workspace.data, "the workspace");
    if (stream.get() != nullptr && !data.seen->holds(stream.get())) {
      gpu::check_stream(stream.get(), data.device.index);
      data.seen->note(stream.get());
    }
  }
  detail::SmallVector<const std::byte*, 4> from;
  detail::SmallVector<std::byte*, 4> to;
  for (const ConstBuffer& b : src) from.push_back(static_cast<const std::byte*>(b.data));
  for (const Buffer& b : dst) to.push_back(static_cast<std::byte*>(b.data));
  data.run_steps(from, to, workspace,
                 [&](const PlannedStep& step, auto in, auto out) { run_cuda(*step.on_gpu, in, out, stream.get(), data.what.c_str()); });
}

}  // namespace crinkle
