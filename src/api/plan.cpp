// Plan: planning, checking buffers, running, the process-wide cache.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/plan.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <optional>
#include <vector>

#include "api/plan_data.hpp"
#include "base/checked.hpp"
#include "form/check.hpp"
#include "move/cpu.hpp"

namespace crinkle {

Device cpu() noexcept { return {}; }

Device cuda(int n) {
  throw Error(ErrorCode::unsupported,
              "CUDA device " + std::to_string(n) +
                  ": this build of crinkle has no CUDA executor; use the CPU, or plan and explain for --machine h200");
}

namespace {

std::string machine_of(Device device) {
  if (device.kind == Device::Kind::cuda) cuda(device.index);
  return "this";
}

// Only the steps of a named rearrangement keep its layouts; a plan of bare boxes describes itself by their spans.
Steps steps_of(const Boxes& boxes) {
  Steps steps;
  steps.steps.push_back({boxes, {}, {}});
  return steps;
}

void check_buffers(const char* side, const std::vector<ByteSpan>& spans, std::span<const ConstBuffer> buffers) {
  if (buffers.size() != spans.size()) {
    throw Error(ErrorCode::bad_shape,
                std::to_string(buffers.size()) + " " + side + " buffers for a plan of " + std::to_string(spans.size()));
  }
  for (std::size_t s = 0; s < spans.size(); ++s) {
    if (spans[s].first == spans[s].last) continue;
    if (buffers[s].data == nullptr || spans[s].first < 0 || spans[s].last > buffers[s].bytes) {
      throw Error(ErrorCode::bad_shape, std::string(side) + " buffer " + std::to_string(s) + " has " +
                                            std::to_string(buffers[s].data == nullptr ? 0 : buffers[s].bytes) +
                                            " bytes; the plan touches bytes " + std::to_string(spans[s].first) + " to " +
                                            std::to_string(spans[s].last));
    }
  }
}

// The addresses that are touched, [first, last).
std::pair<std::uintptr_t, std::uintptr_t> touched(const void* data, const ByteSpan& span) {
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  return {at + static_cast<std::uintptr_t>(span.first), at + static_cast<std::uintptr_t>(span.last)};
}

void check_apart(std::span<const ConstBuffer> a, const std::vector<ByteSpan>& spans_a, std::span<const Buffer> b,
                 const std::vector<ByteSpan>& spans_b, bool is_same_list) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = is_same_list ? i + 1 : 0; j < b.size(); ++j) {
      if (spans_a[i].first == spans_a[i].last || spans_b[j].first == spans_b[j].last) continue;
      const auto [a0, a1] = touched(a[i].data, spans_a[i]);
      const auto [b0, b1] = touched(b[j].data, spans_b[j]);
      if (a0 < b1 && b0 < a1) {
        throw Error(ErrorCode::overlap, std::string(is_same_list ? "destination" : "source") + " buffer " + std::to_string(i) +
                                            " and destination buffer " + std::to_string(j) +
                                            " share bytes; a move needs its destination apart from everything else");
      }
    }
  }
}

}  // namespace

Plan::Plan(const Rearrangement& r, Device device) : Plan(r, machine_of(device)) {}

Plan::Plan(const Rearrangement& r, std::string_view machine)
    : data_(std::make_shared<const Data>(r.steps(), Machine::named(machine), r.n_sources(), r.n_destinations(), r.source(),
                                         r.destination())) {}

Plan::Plan(const Boxes& boxes, Device device) {
  const std::int64_t n_sources = count_slots(boxes, Side::source), n_destinations = count_slots(boxes, Side::destination);
  data_ = std::make_shared<const Data>(steps_of(boxes), Machine::named(machine_of(device)), n_sources, n_destinations, std::nullopt,
                                       std::nullopt);
}

Plan::Data::Data(Steps of, Machine on, std::int64_t n_sources, std::int64_t n_destinations, std::optional<Layout> from,
                 std::optional<Layout> to)
    : machine(std::move(on)), source(std::move(from)), destination(std::move(to)), workspace_bytes(of.workspace_bytes), why(of.why) {
  source_spans = spans_of(of, Side::source, n_sources);
  destination_spans = spans_of(of, Side::destination, n_destinations);
  for (Step& step : of.steps) {
    PlannedStep planned{plan::plan_pass(step.boxes, machine), {}};
    for (Boxes& fills : step.fill_boxes) simplify(fills);
    for (std::size_t v = 0; v < planned.runs.size(); ++v) {
      Step& run = planned.runs[v];
      if (v > 0 && !step.gathers.empty()) break;  // a gathered axis has entries at any offset: units stay as they are
      run.gathers = step.gathers;
      run.fill_boxes = step.fill_boxes;
      for (const tile::Rows& rows : planned.pass.entries) {
        if (rows.segments.size() == 1 && step.gathers.empty()) {
          run.boxes.push_back(plan::widened(rows, plan::alignments[v]));
        } else {
          for (Box& box : boxes_of(rows)) run.boxes.push_back(std::move(box));
        }
      }
    }
    bytes_moved = add(bytes_moved, multiply(planned.n_entries(), add(planned.pass.bytes_read, planned.pass.bytes_written)));
    steps.push_back(std::move(planned));
  }
}

std::int64_t PlannedStep::n_entries() const {
  std::int64_t n = 1;
  for (const GatherAxis& g : runs[0].gathers) n = multiply(n, static_cast<std::int64_t>(g.src_offsets.size()));
  return n;
}

std::int64_t Plan::workspace_bytes() const noexcept { return data_->workspace_bytes; }
std::int64_t Plan::bytes_moved() const noexcept { return data_->bytes_moved; }

void Plan::run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, Executor& executor, Buffer workspace) const {
  if (data_->machine.kind != MachineKind::cpu)
    throw Error(ErrorCode::device, "this plan is for " + data_->machine.name + ", which is not here; it can only be described");
  detail::SmallVector<ConstBuffer, 4> written;
  for (const Buffer& b : dst) written.push_back({b.data, b.bytes});
  check_buffers("source", data_->source_spans, src);
  check_buffers("destination", data_->destination_spans, written);
  check_apart(src, data_->source_spans, dst, data_->destination_spans, false);
  check_apart(written, data_->destination_spans, dst, data_->destination_spans, true);

  std::unique_ptr<std::byte[]> own;
  if (data_->workspace_bytes > 0 && workspace.data == nullptr) {
    own.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(data_->workspace_bytes)]);
    if (!own)
      throw Error(ErrorCode::out_of_memory,
                  "a workspace of " + std::to_string(data_->workspace_bytes) + " bytes; run slab by slab (Rearrangement::slab)");
    workspace = {own.get(), data_->workspace_bytes};
  }
  if (workspace.bytes < data_->workspace_bytes) {
    throw Error(ErrorCode::bad_shape,
                "a workspace of " + std::to_string(workspace.bytes) + " bytes; the plan needs " + std::to_string(data_->workspace_bytes));
  }
  detail::SmallVector<const std::byte*, 4> from;
  detail::SmallVector<std::byte*, 4> to;
  for (const ConstBuffer& b : src) from.push_back(static_cast<const std::byte*>(b.data));
  for (const Buffer& b : dst) to.push_back(static_cast<std::byte*>(b.data));
  const std::size_t n_steps = data_->steps.size();
  for (std::size_t k = 0; k < n_steps; ++k) {
    detail::SmallVector<const std::byte*, 4> in = from;
    detail::SmallVector<std::byte*, 4> out = to;
    if (k > 0) in = {static_cast<const std::byte*>(workspace.data)};
    if (k + 1 < n_steps) out = {static_cast<std::byte*>(workspace.data)};
    data_->steps[k].run({in.data(), in.size()}, {out.data(), out.size()}, executor);
  }
}

void Plan::run(ConstBuffer src, Buffer dst) const { run({&src, 1}, {&dst, 1}, default_executor()); }

void PlannedStep::run(std::span<const std::byte* const> src, std::span<std::byte* const> dst, Executor& executor) const {
  if (!runs[0].gathers.empty()) return run_cpu(runs[0], src, dst, executor);
  std::uintptr_t low_bits = 16;
  for (const std::byte* p : src) low_bits |= reinterpret_cast<std::uintptr_t>(p);
  for (const std::byte* p : dst) low_bits |= reinterpret_cast<std::uintptr_t>(p);
  run_cpu(runs[static_cast<std::size_t>(std::countr_zero(low_bits))], src, dst, executor);
}

}  // namespace crinkle
