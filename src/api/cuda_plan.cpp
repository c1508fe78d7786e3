// Plans for CUDA devices: the machine that a device is, and running on a stream. Left out of a build without CUDA (no_cuda.cpp).
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "api/buffers.hpp"
#include "api/plan_data.hpp"
#include "crinkle/error.hpp"
#include "cuda/runtime.hpp"
#include "move/cuda.hpp"

namespace crinkle {
namespace {

/// What a plan's pointers and streams are asked once, so that a run that is repeated asks nothing.
void check_reach(SeenAddresses& seen, int device, const void* p, const std::string& what) {
  if (p == nullptr || seen.holds(p)) return;
  gpu::check_pointer(p, device, what);
  seen.note(p);
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
  constexpr std::int64_t beside = 12 << 10;  // a further tile of a launch, and the kernels' own variables
  machine.shared_bytes_block = std::max<std::int64_t>(0, facts.shared_bytes_block - beside);
  machine.shared_bytes_worker = facts.shared_bytes_worker;
  machine.threads_block = facts.threads_block;
  return machine;
}

void Plan::Data::make_cuda_steps() {
  seen = std::make_shared<SeenAddresses>(source_spans.size() + destination_spans.size());
  for (PlannedStep& step : steps) {
    const std::size_t k = static_cast<std::size_t>(&step - steps.data());
    const std::int64_t n_from = k == 0 ? std::ssize(source_spans) : 1, n_to = k + 1 == steps.size() ? std::ssize(destination_spans) : 1;
    step.on_gpu = std::make_shared<const CudaStep>(
        step.move.gathers.empty() ? cuda_step(step.pass, machine, n_from, n_to, device.index)
                                  : cuda_gather_step(step.pass, step.fill_boxes, step.move.gathers, machine, n_from, n_to, device.index));
    step.fill_boxes.clear();
  }
  what = "a move on " + machine.name + ", " + std::to_string(bytes_moved) + " bytes in " + std::to_string(steps.size()) +
         (steps.size() == 1 ? " step" : " steps");
}

void Plan::Data::make_cuda_exchanges(const Boxes& boxes, const plan::Partners& partners) {
  exchanges_on_gpu =
      std::make_shared<const CudaStep>(cuda_exchange_step(boxes, partners, machine, std::ssize(destination_spans), device.index));
}

void Plan::run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, const Stream& stream, Buffer workspace) const {
  const Data& data = *data_;
  if (data.device.kind != Device::Kind::cuda) {
    throw Error(ErrorCode::device, "a plan for " + (data.machine.kind == MachineKind::cpu ? "the CPU" : data.machine.name) +
                                       " does not run on a stream; plan it for cuda(n)");
  }
  const bool is_in_place = check_buffers(data.source_spans, src, data.destination_spans, dst) == Aliasing::in_place;
  if (is_in_place && data.exchanges_on_gpu == nullptr) data.refuse_in_place();
  if (workspace.bytes < data.workspace_bytes) {
    throw Error(ErrorCode::bad_shape, "a workspace of " + std::to_string(workspace.bytes) + " bytes on the device; the plan needs " +
                                          std::to_string(data.workspace_bytes));
  }
  const gpu::OnDevice on(data.device.index);
  if (!gpu::is_capturing(stream.get())) {
    const auto check = [&](const void* p, const std::string& what) { check_reach(*data.seen, data.device.index, p, what); };
    for (std::size_t s = 0; s < src.size(); ++s) check(src[s].data, "source buffer " + std::to_string(s));
    for (std::size_t s = 0; s < dst.size(); ++s) check(dst[s].data, "destination buffer " + std::to_string(s));
    if (data.workspace_bytes > 0) check(workspace.data, "the workspace");
    if (stream.get() != nullptr && !data.seen->holds(stream.get())) {
      gpu::check_stream(stream.get(), data.device.index);
      data.seen->note(stream.get());
    }
  }
  if (is_in_place) {
    const auto buffers = data.begins_of(dst);
    const detail::SmallVector<const std::byte*, 4> as_sources(buffers.begin(), buffers.end());
    return run_cuda(*data.exchanges_on_gpu, as_sources, buffers, stream.get(), data.what.c_str());
  }
  data.run_steps(src, dst, workspace,
                 [&](const PlannedStep& step, auto in, auto out) { run_cuda(*step.on_gpu, in, out, stream.get(), data.what.c_str()); });
}

}  // namespace crinkle
