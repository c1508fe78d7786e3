// Planning all steps of a move, and running them on a CPU.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/planned.hpp"

#include <algorithm>
#include <utility>

#include "base/checked.hpp"
#include "base/held_bytes.hpp"
#include "form/check.hpp"
#include "form/simplify.hpp"
#include "move/cpu/in_place.hpp"
#include "move/cuda/compiled.hpp"
#include "move/cuda/move.hpp"
#include "plan/involution.hpp"
#include "plan/prediction.hpp"

namespace crinkle {
namespace {

/// The rate of one step of a plan for a CPU: bytes written by the time that a copy would take for them.
double fraction_on_cpu(const PlannedStep& step) {
  if (!step.gathers().empty()) return planning::fraction_of_picked(step.pass.bytes_written);
  double bytes = 0, copies = 0;
  for (const planning::Schedule& s : step.on_cpu.schedules) {
    bytes += static_cast<double>(s.n_bytes);
    copies += static_cast<double>(s.n_bytes) / planning::fraction_of_copy(s);
  }
  constexpr double of_bundles = 0.5;  // records whose fields part
  for (const CpuBundle& b : step.on_cpu.bundles) {
    bytes += static_cast<double>(b.n_bytes);
    copies += static_cast<double>(b.n_bytes) / of_bundles;
  }
  return copies > 0 ? bytes / copies : 1;
}

/// With its tables on the device.
std::int64_t held_on_gpu(const std::shared_ptr<const CudaStep>& step) {
  return step == nullptr ? 0 : allocated_bytes(sizeof *step) + held_by(step->variants) + step->tables.bytes() + step->slots.bytes();
}

}  // namespace

PlannedStep::PlannedStep(Step step, const Machine& machine) : pass(planning::plan_pass(step.boxes, machine, !step.gathers.empty())) {
  for (Boxes& fills : step.fill_boxes) simplify(fills);
  if (machine.kind != MachineKind::cpu) {
    other_gathers = tables_of(step.gathers);
    fill_boxes = std::move(step.fill_boxes);
    return;
  }
  on_cpu = cpu_step(pass.entries, step);
  for (const Boxes& bundle : pass.bundles) on_cpu.add(cpu_bundle(*planning::tile_of(bundle, planning::alignments.back(), machine)));
}

void PlannedStep::run(std::span<const std::byte* const> src, std::span<std::byte* const> dst, Executor& executor) const {
  run_cpu(on_cpu, src, dst, executor, simd::kernels(), on_cpu.limits);
}

std::int64_t PlannedStep::n_entries() const {
  std::int64_t n = 1;
  for (const EntryTable& g : gathers()) n = multiply(n, g.n_entries);
  return n;
}

double PlannedStep::predicted_fraction(const Machine& machine) const {
  if (machine.kind == MachineKind::cpu) return fraction_on_cpu(*this);
  if (compiled != nullptr) return compiled->form.fraction;
  return crinkle::predicted_fraction(*this, machine);
}

std::int64_t PlannedStep::held_bytes() const {
  std::int64_t n = held_by(pass, on_cpu, other_gathers, fill_boxes, chosen) + held_on_gpu(on_gpu);
  if (compiled != nullptr)
    n += allocated_bytes(sizeof *compiled) + held_by(compiled->form.source.text, compiled->form.table, compiled->form.ahead.known) +
         compiled->table.bytes();
  return n;
}

PlannedMove::PlannedMove(Steps of, Machine on, Device runs_on, std::int64_t n_sources, std::int64_t n_destinations)
    : machine(std::move(on)), device(runs_on), workspace_bytes(of.workspace_bytes), odd_at(of.odd_at), why(of.why) {
  source_spans = spans_of(of, Side::source, n_sources);
  destination_spans = spans_of(of, Side::destination, n_destinations);
  for (Step& step : of.steps) {
    steps.emplace_back(std::move(step), machine);
    const planning::Pass& pass = steps.back().pass;
    bytes_moved = add(bytes_moved, multiply(steps.back().n_entries(), add(pass.bytes_read, pass.bytes_written)));
  }
  std::string why_not;
  const bool is_on_gpu = device.kind == Device::Kind::cuda;
  if (is_on_gpu) make_cuda_steps();
  if (machine.kind != MachineKind::cpu && !is_on_gpu) return;
  const std::optional<Boxes> boxes = boxes_in_place(why_not);
  const auto partners = boxes ? planning::partners_of(*boxes) : std::nullopt;
  if (!partners) return;
  if (is_on_gpu) make_cuda_exchanges(*boxes, *partners);
  else exchanges = planning::exchanges_of(*boxes, *partners);
}

std::optional<Boxes> PlannedMove::boxes_in_place(std::string& why_not) const {
  if (steps.size() > 1) why_not = "it takes " + std::to_string(steps.size()) + " steps";
  if (steps.size() == 1 && !steps[0].gathers().empty()) why_not = "an axis is gathered by an index array";
  if (!why_not.empty()) return {};
  for (std::size_t s = 0; s < std::max(source_spans.size(), destination_spans.size()); ++s) {
    const ByteSpan from = s < source_spans.size() ? source_spans[s] : ByteSpan{};
    const ByteSpan to = s < destination_spans.size() ? destination_spans[s] : ByteSpan{};
    if (from.last - from.first == to.last - to.first) continue;
    why_not = std::to_string(from.last - from.first) + " bytes of buffer " + std::to_string(s) + " are read and " +
              std::to_string(to.last - to.first) + " written";
    return {};
  }
  Boxes boxes;
  if (steps.empty()) return boxes;
  const auto begins_elsewhere = [](const std::vector<ByteSpan>& spans) {
    return std::any_of(spans.begin(), spans.end(), [&](const ByteSpan& s) { return s.first != spans.front().first; });
  };
  if (begins_elsewhere(source_spans) || begins_elsewhere(destination_spans)) {
    why_not = "its buffers do not begin at the same byte";
    return {};
  }
  for (Box& box : planning::all_boxes(steps[0].pass)) {
    box.src_offset = subtract(box.src_offset, source_spans[static_cast<std::size_t>(box.src_slot)].first);
    box.dst_offset = subtract(box.dst_offset, destination_spans[static_cast<std::size_t>(box.dst_slot)].first);
    boxes.push_back(std::move(box));
  }
  simplify(boxes);
  return boxes;
}

std::int64_t PlannedMove::held_bytes() const {
  return held_by(machine.name, what, steps, source_spans, destination_spans, why, exchanges) + held_on_gpu(exchanges_on_gpu);
}

std::string PlannedMove::why_not_in_place() const {
  std::string why_not;
  const std::optional<Boxes> boxes = boxes_in_place(why_not);
  return boxes ? planning::why_not_its_own_inverse(*boxes) : why_not;
}

detail::SmallVector<std::byte*, 4> PlannedMove::begins_of(std::span<const Buffer> buffers) const {
  detail::SmallVector<std::byte*, 4> begins;
  for (std::size_t s = 0; s < buffers.size(); ++s) begins.push_back(static_cast<std::byte*>(buffers[s].data) + destination_spans[s].first);
  return begins;
}

void PlannedMove::run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, Buffer workspace, Executor& executor) const {
  run_steps(src, dst, workspace, [&](const PlannedStep& step, auto in, auto out) { step.run(in, out, executor); });
}

void PlannedMove::run_in_place(std::span<const Buffer> buffers, Executor& executor) const {
  const auto begins = begins_of(buffers);
  crinkle::run_in_place(*exchanges, {begins.data(), begins.size()}, executor);
}

}  // namespace crinkle
