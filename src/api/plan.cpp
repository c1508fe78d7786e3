// Plan: planning, checking buffers, running, the process-wide cache.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/plan.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <vector>

#include "api/buffers.hpp"
#include "api/plan_data.hpp"
#include "base/checked.hpp"
#include "form/check.hpp"
#include "form/simplify.hpp"
#include "move/cpu.hpp"
#include "move/cpu_in_place.hpp"
#include "plan/involution.hpp"

namespace crinkle {

Device cpu() noexcept { return {}; }

namespace {

Machine machine_of(Device device) { return device.kind == Device::Kind::cuda ? machine_of_cuda(device) : Machine::this_cpu(); }

// Only the steps of a named rearrangement keep its layouts; a plan of bare boxes describes itself by their spans.
Steps steps_of(const Boxes& boxes) {
  Steps steps;
  steps.steps.push_back({boxes, {}, {}});
  return steps;
}

}  // namespace

Plan::Plan(const Rearrangement& r, Device device)
    : data_(std::make_shared<const Data>(r.steps(), machine_of(device), device, r.n_sources(), r.n_destinations(), r.source(),
                                         r.destination())) {}

Plan::Plan(const Rearrangement& r, std::string_view machine)
    : data_(std::make_shared<const Data>(r.steps(), Machine::named(machine), cpu(), r.n_sources(), r.n_destinations(), r.source(),
                                         r.destination())) {}

Plan::Plan(const Boxes& boxes, Device device) {
  const std::int64_t n_sources = count_slots(boxes, Side::source), n_destinations = count_slots(boxes, Side::destination);
  data_ = std::make_shared<const Data>(steps_of(boxes), machine_of(device), device, n_sources, n_destinations, std::nullopt, std::nullopt);
}

Plan::Data::Data(Steps of, Machine on, Device runs_on, std::int64_t n_sources, std::int64_t n_destinations, std::optional<Layout> from,
                 std::optional<Layout> to)
    : machine(std::move(on)),
      device(runs_on),
      source(std::move(from)),
      destination(std::move(to)),
      workspace_bytes(of.workspace_bytes),
      odd_at(of.odd_at),
      why(of.why) {
  source_spans = spans_of(of, Side::source, n_sources);
  destination_spans = spans_of(of, Side::destination, n_destinations);
  for (Step& step : of.steps) {
    steps.emplace_back(std::move(step), machine);
    const plan::Pass& pass = steps.back().pass;
    bytes_moved = add(bytes_moved, multiply(steps.back().n_entries(), add(pass.bytes_read, pass.bytes_written)));
  }
  std::string why_not;
  const bool is_on_gpu = device.kind == Device::Kind::cuda;
  if (is_on_gpu) make_cuda_steps();
  if (machine.kind != MachineKind::cpu && !is_on_gpu) return;
  const std::optional<Boxes> boxes = boxes_in_place(why_not);
  const auto partners = boxes ? plan::partners_of(*boxes) : std::nullopt;
  if (!partners) return;
  if (is_on_gpu) make_cuda_exchanges(*boxes, *partners);
  else exchanges = plan::exchanges_of(*boxes, *partners);
}

std::optional<Boxes> Plan::Data::boxes_in_place(std::string& why_not) const {
  if (steps.size() > 1) why_not = "it takes " + std::to_string(steps.size()) + " steps";
  if (steps.size() == 1 && !steps[0].move.gathers.empty()) why_not = "an axis is gathered by an index array";
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
  for (Box& box : plan::all_boxes(steps[0].pass)) {
    box.src_offset = subtract(box.src_offset, source_spans[static_cast<std::size_t>(box.src_slot)].first);
    box.dst_offset = subtract(box.dst_offset, destination_spans[static_cast<std::size_t>(box.dst_slot)].first);
    boxes.push_back(std::move(box));
  }
  simplify(boxes);
  return boxes;
}

std::string Plan::Data::why_not_in_place() const {
  std::string why_not;
  const std::optional<Boxes> boxes = boxes_in_place(why_not);
  return boxes ? plan::why_not_its_own_inverse(*boxes) : why_not;
}

void Plan::Data::refuse_in_place() const {
  throw Error(ErrorCode::overlap, "source and destination are the same bytes, and " + why_not_in_place() +
                                      ": only moves that are their own inverse run in place; use a second buffer");
}

PlannedStep::PlannedStep(Step step, const Machine& machine) : pass(plan::plan_pass(step.boxes, machine, !step.gathers.empty())) {
  for (Boxes& fills : step.fill_boxes) simplify(fills);
  if (machine.kind != MachineKind::cpu) {
    move.gathers = tables_of(step.gathers);
    fill_boxes = std::move(step.fill_boxes);
    return;
  }
  move = cpu_step(pass.entries, step);
  for (const Boxes& bundle : pass.bundles) move.add(cpu_bundle(*plan::tile_of(bundle, plan::alignments.back(), machine)));
}

std::int64_t PlannedStep::n_entries() const { return move.n_entries(); }

bool Plan::can_run_in_place() const noexcept { return data_->exchanges.has_value() || data_->exchanges_on_gpu != nullptr; }
std::int64_t Plan::workspace_bytes() const noexcept { return data_->workspace_bytes; }
std::int64_t Plan::table_bytes() const noexcept {
  std::int64_t n = 0;
  for (const PlannedStep& step : data_->steps) n += step.move.table_bytes();
  return n;
}
std::int64_t Plan::bytes_moved() const noexcept { return data_->bytes_moved; }

void Plan::run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, Executor& executor, Buffer workspace) const {
  if (data_->device.kind == Device::Kind::cuda)
    throw Error(ErrorCode::device, "this plan is for " + data_->machine.name + ": run it on a stream, not with an executor of the CPU");
  if (data_->machine.kind != MachineKind::cpu)
    throw Error(ErrorCode::device, "this plan is for " + data_->machine.name + ", which is not here; it can only be described");
  if (check_buffers(data_->source_spans, src, data_->destination_spans, dst) == Aliasing::in_place) {
    if (!data_->exchanges) data_->refuse_in_place();
    const auto buffers = data_->begins_of(dst);
    return run_in_place(*data_->exchanges, {buffers.data(), buffers.size()}, executor);
  }

  std::unique_ptr<std::byte[]> own;
  if (data_->workspace_bytes > 0 && workspace.data == nullptr) {
    own.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(data_->workspace_bytes)]);
    if (!own)
      throw Error(ErrorCode::out_of_memory,
                  "a workspace of " + std::to_string(data_->workspace_bytes) + " bytes; run_in_slabs() does with less");
    workspace = {own.get(), data_->workspace_bytes};
  }
  if (workspace.bytes < data_->workspace_bytes) {
    throw Error(ErrorCode::bad_shape,
                "a workspace of " + std::to_string(workspace.bytes) + " bytes; the plan needs " + std::to_string(data_->workspace_bytes));
  }
  data_->run_steps(src, dst, workspace, [&](const PlannedStep& step, auto in, auto out) { step.run(in, out, executor); });
}

void Plan::run(ConstBuffer src, Buffer dst) const {
  if (data_->device.kind == Device::Kind::cuda) return run(src, dst, Stream());
  run({&src, 1}, {&dst, 1}, default_executor());
}

void Plan::run(const ConstBuffer& src, const Buffer& dst, const Stream& stream) const {
  run(std::span(&src, 1), std::span(&dst, 1), stream);
}

void PlannedStep::run(std::span<const std::byte* const> src, std::span<std::byte* const> dst, Executor& executor) const {
  run_cpu(move, src, dst, executor, simd::kernels(), move.limits);
}

}  // namespace crinkle
