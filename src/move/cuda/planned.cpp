// The machine that a device is, and moves that run on one.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "cuda/entry.hpp"
#include "move/cuda/compiled.hpp"
#include "move/cuda/move.hpp"
#include "move/planned.hpp"
#include "tile/axis_maps.hpp"

namespace crinkle {

Machine machine_of(Device device) {
  if (device.kind == Device::Kind::cpu) return Machine::this_cpu();
  const DeviceFacts facts = facts_of(device);
  Machine machine = Machine::h200();  // sizes of tiles are those measured there; other cards' limits replace its own
  if (facts.name.find("H200") == std::string::npos) machine.copies.clear();
  machine.name = facts.name;
  machine.workers = facts.multiprocessors;
  machine.memory_bytes = facts.memory_bytes;
  constexpr std::int64_t beside = 12 << 10;  // a further tile of a launch, and the kernels' own variables
  machine.shared_bytes_block = std::max<std::int64_t>(0, facts.shared_bytes_block - beside);
  machine.shared_bytes_worker = facts.shared_bytes_worker;
  machine.threads_block = facts.threads_block;
  return machine;
}

void PlannedMove::make_cuda_steps() {
  for (PlannedStep& step : steps) {
    const std::size_t k = static_cast<std::size_t>(&step - steps.data());
    const std::int64_t n_from = k == 0 ? std::ssize(source_spans) : 1, n_to = k + 1 == steps.size() ? std::ssize(destination_spans) : 1;
    step.on_gpu =
        std::make_shared<const CudaStep>(step.gathers().empty() ? gpu::entry<cuda_step>(step.pass, machine, n_from, n_to, device.index)
                                                                : gpu::entry<cuda_gather_step>(step.pass, step.fill_boxes, step.gathers(),
                                                                                               machine, n_from, n_to, device.index));
    step.fill_boxes.clear();
    if (n_from >= 1 && n_from <= tile::Sources::most && n_to == 1) {
      const ByteSpan between{0, workspace_bytes};
      step.compiled = compiled_step(
          step, {k == 0 ? source_spans : std::vector{between}, k + 1 == steps.size() ? destination_spans[0] : between}, machine, device);
    }
  }
  what = "a move on " + machine.name + ", " + std::to_string(bytes_moved) + " bytes in " + std::to_string(steps.size()) +
         (steps.size() == 1 ? " step" : " steps");
}

void PlannedMove::make_cuda_exchanges(const Boxes& boxes, const planning::Partners& partners) {
  exchanges_on_gpu = std::make_shared<const CudaStep>(
      gpu::entry<cuda_exchange_step>(boxes, partners, machine, std::ssize(destination_spans), device.index));
}

void PlannedMove::run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, Buffer workspace, const Stream& stream) const {
  run_steps(src, dst, workspace, [&](const PlannedStep& step, auto in, auto out) {
    if (step.compiled != nullptr && takes(*step.compiled, in, out[0]))
      return run_compiled(*step.compiled, in, out[0], stream.get(), what.c_str());
    gpu::entry<run_cuda>(*step.on_gpu, in, out, stream.get(), what.c_str());
  });
}

void PlannedMove::run_in_place(std::span<const Buffer> buffers, const Stream& stream) const {
  const auto begins = begins_of(buffers);
  const detail::SmallVector<const std::byte*, 4> as_sources(begins.begin(), begins.end());
  gpu::entry<run_cuda>(*exchanges_on_gpu, as_sources, begins, stream.get(), what.c_str());
}

}  // namespace crinkle
