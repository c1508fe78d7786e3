// Plan: planning, checking buffers, running, the process-wide cache.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/plan.hpp"

#include <new>
#include <optional>
#include <vector>

#include "api/plan_data.hpp"
#include "base/held_bytes.hpp"
#include "crinkle/error.hpp"
#include "form/check.hpp"
#include "move/describe.hpp"

namespace crinkle {

Device cpu() noexcept { return {}; }

namespace {

// Only the steps of a named rearrangement keep its layouts; a plan of bare boxes describes itself by their spans.
Steps steps_of(const Boxes& boxes) {
  Steps steps;
  steps.steps.push_back({boxes, {}, {}});
  return steps;
}

}  // namespace

Plan::Plan(const Rearrangement& r, Device device) : data_(std::make_shared<const Data>(r, machine_of(device), device)) {}

Plan::Plan(const Rearrangement& r, std::string_view machine) : data_(std::make_shared<const Data>(r, Machine::named(machine), cpu())) {}

Plan::Plan(const Boxes& boxes, Device device) {
  check_boxes(boxes);
  data_ = std::make_shared<const Data>(boxes, machine_of(device), device);
}

Plan::Data::Data(const Rearrangement& r, Machine on, Device runs_on)
    : PlannedMove(r.steps(), std::move(on), runs_on, r.n_sources(), r.n_destinations()),
      source(r.source()),
      destination(r.destination()),
      source_values(r.source_values()),
      destination_values(r.destination_values()) {
  if (runs_on.kind == Device::Kind::cuda) seen = std::make_shared<SeenAddresses>(source_spans.size() + destination_spans.size());
}

Plan::Data::Data(const Boxes& boxes, Machine on, Device runs_on)
    : PlannedMove(steps_of(boxes), std::move(on), runs_on, count_slots(boxes, Side::source), count_slots(boxes, Side::destination)) {
  if (runs_on.kind == Device::Kind::cuda) seen = std::make_shared<SeenAddresses>(source_spans.size() + destination_spans.size());
}

Aliasing Plan::Data::check_buffers(std::span<const ConstBuffer> src, std::span<const Buffer> dst) const {
  return crinkle::check_buffers(buffers_of_move(source_spans.size(), destination_spans.size()), source_spans, source_values, src,
                                destination_spans, destination_values, dst);
}

void Plan::Data::refuse_in_place() const {
  throw Error(ErrorCode::overlap, "source and destination are the same bytes, and " + why_not_in_place() +
                                      ": only moves that are their own inverse run in place; use a second buffer");
}

bool Plan::can_run_in_place() const noexcept { return data_->can_run_in_place(); }
std::int64_t Plan::workspace_bytes() const noexcept { return data_->workspace_bytes; }
std::int64_t Plan::held_bytes() const noexcept {
  return allocated_bytes(sizeof(Data)) + data_->held_bytes() + held_by(data_->source, data_->destination);
}
std::int64_t Plan::bytes_moved() const noexcept { return data_->bytes_moved; }

void Plan::run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, Executor& executor, Buffer workspace) const {
  if (data_->device.kind == Device::Kind::cuda)
    throw Error(ErrorCode::device, "this plan is for " + data_->machine.name + ": run it on a stream, not with an executor of the CPU");
  if (data_->machine.kind != MachineKind::cpu)
    throw Error(ErrorCode::device, "this plan is for " + data_->machine.name + ", which is not here; it can only be described");
  if (data_->check_buffers(src, dst) == Aliasing::in_place) {
    if (!data_->exchanges) data_->refuse_in_place();
    return data_->run_in_place(dst, executor);
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
  data_->run(src, dst, workspace, executor);
}

namespace {
const Layout* layout_in(const std::optional<Layout>& layout) { return layout ? &*layout : nullptr; }
}  // namespace

std::string Plan::describe() const { return crinkle::describe(*data_, layout_in(data_->source), layout_in(data_->destination)); }
std::string Plan::describe_json() const { return crinkle::describe_json(*data_, layout_in(data_->source), layout_in(data_->destination)); }

void Plan::run(ConstBuffer src, Buffer dst) const { run({src}, {dst}); }

void Plan::run(std::initializer_list<ConstBuffer> src, std::initializer_list<Buffer> dst) const {
  const std::span from(src.begin(), src.size());
  const std::span to(dst.begin(), dst.size());
  if (data_->device.kind == Device::Kind::cuda) return run(from, to, Stream());
  run(from, to, default_executor());
}

void Plan::run(const ConstBuffer& src, const Buffer& dst, const Stream& stream) const {
  run(std::span(&src, 1), std::span(&dst, 1), stream);
}

}  // namespace crinkle
