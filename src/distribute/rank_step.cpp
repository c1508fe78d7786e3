// SPDX-License-Identifier: BSD-3-Clause
#include "distribute/rank_step.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "crinkle/operation.hpp"
#include "distribute/rims.hpp"
#include "operation/model.hpp"

namespace crinkle::distributed {
namespace {

constexpr std::int64_t slice_bytes = 2 << 20;  // of an inner part's output: messages go on behind each

// The box that a rank holds; no elements where it holds nothing.
Ranges box_of(const Distribution& d, std::int64_t rank) {
  Ranges box;
  for (std::size_t a = 0; a < d.extents().size(); ++a) {
    const std::vector<Range> held = d.held(rank, a);
    box.push_back(held.empty() ? Range{} : held[0]);
  }
  return box;
}

// Where in arrays of these boxes what a part needs begins, in bytes.
std::vector<std::int64_t> places_in(const std::vector<Ranges>& boxes, const Operation& op, const Ranges& part) {
  std::vector<std::int64_t> places;
  const std::vector<Ranges> needed = op.needs(part);
  for (std::size_t k = 0; k < needed.size(); ++k)
    places.push_back(multiply(place_in(boxes[k], needed[k]), op.inputs()[k].layout.element_bytes));
  return places;
}

}  // namespace

RankPart::RankPart(Operation part, const Ranges& gives, std::vector<std::int64_t> from, const Ranges& made)
    : RankPart(std::move(part), std::move(from), -1) {
  const std::int64_t element = operation_.outputs()[0].layout.element_bytes;
  if (const std::int64_t place = place_in(made, gives); place >= 0) {
    to_ = multiply(place, element);
    return;
  }
  Extents extents;
  Ranges within;
  for (std::size_t a = 0; a < made.size(); ++a) {
    extents.push_back(made[a].n);
    within.push_back({gives[a].first - made[a].first, gives[a].n});
  }
  put_.emplace(plan(unwindow(Layout::dense(extents, element), within), operation_.device()));
}

bool RankPart::can_run_in_place() const {
  return operation_.can_run_in_place() && !put_ && to_ == 0 && from_ == std::vector<std::int64_t>{0} &&
         operation_.inputs()[0].touched == operation_.outputs()[0].touched;
}

void RankPart::run_one(const Operation& op, DeviceRoom& room, const std::vector<ConstBuffer>& in, Buffer out, const Worker& worker) {
  const std::int64_t bytes = op.workspace_bytes();
  op.run(in, std::span(&out, 1), worker, {room.of(std::max<std::int64_t>(1, bytes)), bytes});
}

void RankPart::run(std::vector<ConstBuffer> in, Buffer out, const Worker& worker) {
  for (std::size_t k = 0; k < in.size(); ++k)
    in[k] = {static_cast<const std::byte*>(in[k].data) + from_[k], operation_.inputs()[k].touched.last};
  const std::int64_t bytes = operation_.outputs()[0].touched.last;
  if (!put_) return run_one(operation_, workspace_, in, {static_cast<std::byte*>(out.data) + to_, bytes}, worker);
  const Buffer own(made_.of(std::max<std::int64_t>(1, bytes)), bytes);
  run_one(operation_, workspace_, in, own, worker);
  run_one(*put_, of_put_, {own}, out, worker);
}

void RankPart::take_memory() {
  const auto take = [](DeviceRoom& room, std::int64_t bytes) { room.of(std::max<std::int64_t>(1, bytes)); };
  take(workspace_, operation_.workspace_bytes());
  if (!put_) return;
  take(made_, operation_.outputs()[0].touched.last);
  take(of_put_, put_->workspace_bytes());
}

std::int64_t RankPart::own_bytes() const {
  const std::int64_t bytes = operation_.workspace_bytes();
  return put_ ? add(bytes, add(operation_.outputs()[0].touched.last, put_->workspace_bytes())) : bytes;
}

std::vector<const std::vector<Redistribution>*> fetches_of(const DistributedOperation::Step& step) {
  if (step.rims.empty()) return {&step.fetch};
  std::vector<const std::vector<Redistribution>*> of_rims;
  for (const DistributedOperation::Rim& rim : step.rims) of_rims.push_back(&rim.fetch);
  return of_rims;
}

RankStep::RankStep(const DistributedOperation::Step& step, std::int64_t rank, std::int64_t most_slices, const Slabs& slabs)
    : made(box_of(step.made, rank)) {
  const Operation& op = step.operation;
  const auto at = static_cast<std::size_t>(rank);
  made_bytes = op.outputs()[0].layout.element_bytes;
  for (const Range& range : made) made_bytes = multiply(made_bytes, range.n);
  const auto add = [&](const std::vector<Redistribution>& fetch, const Ranges& part, bool is_rim) {
    Fetched& one = fetched.emplace_back();
    for (std::size_t k = 0; k < fetch.size(); ++k) {
      one.is_fetched.push_back(is_rim || !step.is_there[k]);
      one.bytes.push_back(fetch[k].to().local(rank, fetch[k].element_bytes()).n_bytes());
    }
    if (is_empty(part) || made_bytes == 0) return;
    if (part.empty()) {
      one.parts.emplace_back(op);
      return;
    }
    const std::vector<Ranges> all = op.needs(part);
    for (std::int64_t k = 0; k < slabs.n; ++k) {
      const Ranges slab = slab_of(op, part, slabs, k);
      one.parts.emplace_back(op.part(slab), op.gives(slab)[0], places_in(all, op, slab), made);
    }
  };
  if (step.rims.empty()) {
    add(step.fetch, step.parts[at], false);
    return;
  }
  for (const DistributedOperation::Rim& rim : step.rims) add(rim.fetch, rim.parts[at], true);
  if (is_empty(step.inner[at])) return;
  std::vector<Ranges> held;
  for (const Redistribution& fetch : step.fetch) held.push_back(box_of(fetch.from(), rank));
  const std::vector<Ranges> slices = slices_of(op, step.inner[at], held, most_slices, slice_bytes);
  for (const Ranges& slice : slices) {
    // Behind the only slice the rims are made.
    auto part = slices.size() == 1 ? op.model().part_with_rims(slice) : std::pair(op.gives(slice)[0], op.part(slice));
    if (slices.size() == 1 && place_in(made, part.first) < 0) part = {op.gives(slice)[0], op.part(slice)};
    inner.emplace_back(std::move(part.second), part.first, places_in(held, op, slice), made);
  }
}

namespace {

// The only part of a step, where it can run in place; `is_fetched`: from what is fetched, or from what the rank holds.
bool runs_in_place(const RankStep& step, bool is_fetched) {
  if (!step.inner.empty() || step.fetched.size() != 1 || step.fetched[0].is_fetched.size() != 1) return false;
  const RankStep::Fetched& fetched = step.fetched[0];
  return fetched.is_fetched[0] == is_fetched && fetched.parts.size() == 1 && fetched.parts[0].can_run_in_place() &&
         fetched.bytes[0] == step.made_bytes;
}

}  // namespace

std::vector<OutputPlace> places_of(const std::deque<RankStep>& steps, bool has_last, bool is_input_kept) {
  std::vector<OutputPlace> places(steps.size());
  for (std::size_t s = steps.size(); s-- > 0;) {
    const bool is_final = s + 1 == steps.size();
    if (is_final) places[s].array = has_last ? static_cast<std::int64_t>(s) : -1;
    else if (runs_in_place(steps[s + 1], false)) places[s].array = places[s + 1].array;
    else places[s].array = static_cast<std::int64_t>(s);
    places[s].is_fetched_into = (s > 0 || is_input_kept || places[s].array >= 0) && runs_in_place(steps[s], true);
  }
  return places;
}

}  // namespace crinkle::distributed
