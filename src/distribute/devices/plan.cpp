// Plans of what several devices do together: exchanges, and between them each device's part of an operation (run.cpp runs them).
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <functional>
#include <map>
#include <optional>

#include "distribute/devices/plan_data.hpp"

namespace crinkle {

using distributed::RankPart;
using distributed::RankStep;
using distributed::Slabs;

DevicesPlan::Data::Data(const Devices& of, const DevicesOptions& options)
    : devices(of), reach(distributed::reach_of(of, options)), points(of), ends(of), begins(of) {
  if (!devices.are_gpus()) return;
  for (const Device device : devices.all()) {
    own.emplace_back(device);
    beside.emplace_back(device);
  }
}

void DevicesPlan::Data::check_number(std::int64_t n_ranks) const {
  if (n_ranks == devices.size()) return;
  const bool is_one = devices.size() == 1;
  throw Error(ErrorCode::bad_shape, fmt::format("the layouts divide by {} and there {} {} device{}: divide by {}, or give {}", n_ranks,
                                                is_one ? "is" : "are", devices.size(), is_one ? "" : "s", devices.size(), n_ranks));
}

void DevicesPlan::Data::add_layouts(std::vector<Layout>& list, const Distribution& d, std::int64_t element_bytes) const {
  for (std::int64_t k = 0; k < devices.size(); ++k) list.push_back(d.local(k, element_bytes));
}

void DevicesPlan::Data::add_step(const DistributedOperation::Step& of, const std::function<Operation(Device)>& stage_on, bool is_last,
                                 const Slabs& sent, const Slabs& slabs) {
  Step& step = steps.emplace_back();
  step.slabs = slabs;
  DistributedOperation::Step on_one = of;
  for (std::int64_t d = 0; d < devices.size(); ++d) {
    on_one.operation = stage_on(devices[d]);
    const RankStep& made = step.parts.emplace_back(on_one, d, 1, slabs);
    for (RankPart& part : step.parts.back().inner) part.take_memory();
    for (RankStep::Fetched& fetched : step.parts.back().fetched)
      for (RankPart& part : fetched.parts) part.take_memory();
    step.made.emplace_back(devices[d], is_last ? 0 : made.made_bytes);
  }
  for (const std::vector<Redistribution>* fetches : distributed::fetches_of(of)) {
    const std::vector<bool>& is_fetched = step.parts[0].fetched[step.fetched.size()].is_fetched;
    std::deque<Step::Fetch>& inputs = step.fetched.emplace_back();
    for (std::size_t k = 0; k < fetches->size(); ++k) {
      Step::Fetch& input = inputs.emplace_back();
      const Redistribution& fetch = (*fetches)[k];
      if (!is_fetched[k]) continue;
      for (std::int64_t d = 0; d < devices.size(); ++d)
        input.rooms.emplace_back(devices[d], fetch.to().local(d, fetch.element_bytes()).n_bytes());
      input.exchange.emplace(fetch, devices, reach, sent);
    }
  }
}

const Devices& DevicesPlan::devices() const noexcept { return data_->devices; }
std::int64_t DevicesPlan::n_inputs() const noexcept { return std::ssize(data_->in); }

Extents DevicesPlan::source(std::int64_t input, std::int64_t device) const {
  return data_->in.at(static_cast<std::size_t>(input)).at(static_cast<std::size_t>(device)).extents;
}
Extents DevicesPlan::destination(std::int64_t device) const { return data_->out.at(static_cast<std::size_t>(device)).extents; }

DevicesPlan plan(const Redistribution& r, const Devices& devices, const DevicesOptions& options) {
  auto data = std::make_shared<DevicesPlan::Data>(devices, options);
  data->what = "redistribution";
  data->check_number(r.n_ranks());
  data->add_layouts(data->in.emplace_back(), r.from(), r.element_bytes());
  data->add_layouts(data->out, r.to(), r.element_bytes());
  data->last.emplace(r, devices, data->reach);
  return DevicesPlan(std::move(data));
}

DevicesPlan plan(const std::function<Operation(Device)>& make, std::vector<Distribution> in, const Distribution& out,
                 const Devices& devices, const DevicesOptions& options) {
  const Operation first = make(devices[0]);
  const DistributedOperation op(first, std::move(in), out);
  auto data = std::make_shared<DevicesPlan::Data>(devices, options);
  data->what = first.name();
  data->check_number(op.n_ranks());
  std::map<int, std::vector<Operation>> stages{{devices[0].index, first.stages()}};  // of every device
  for (std::size_t k = 0; k < op.in().size(); ++k)
    data->add_layouts(data->in.emplace_back(), op.in()[k], first.inputs()[k].layout.element_bytes);
  data->add_layouts(data->out, op.out(), first.outputs()[0].layout.element_bytes);
  const bool are_logical = devices.size() > 1 && devices[0] == devices[1];
  const std::int64_t slab_bytes = options.slab_bytes.value_or(are_logical ? INT64_MAX : distributed::usual_slab_bytes);
  if (slab_bytes < 1) throw Error(ErrorCode::bad_shape, fmt::format("slabs of {} bytes: give 1 or more", slab_bytes));
  std::vector<Slabs> slabs(op.steps().size()), sent(op.steps().size() + 1);  // of what steps make, and of what is there before them
  const std::vector<distributed::StepsInSlabs> in_slabs = distributed::steps_in_slabs(op, slab_bytes);
  for (const distributed::StepsInSlabs& some : in_slabs) {
    for (std::size_t s = some.first; s <= some.last; ++s) slabs[s] = some.slabs;
    sent[some.last + 1] = some.slabs;
  }
  for (std::size_t s = 0; s < op.steps().size(); ++s) {
    const auto stage_on = [&](Device device) {
      const auto known = stages.find(device.index);
      if (known != stages.end()) return known->second[s];
      return stages.emplace(device.index, make(device).stages()).first->second[s];
    };
    data->add_step(op.steps()[s], stage_on, s + 1 == op.steps().size() && op.last().empty(), sent[s], slabs[s]);
  }
  for (const distributed::StepsInSlabs& some : in_slabs) data->steps[some.first].n_together = some.last - some.first + 1;
  if (!op.last().empty()) data->last.emplace(op.last()[0], devices, data->reach, sent.back());
  return DevicesPlan(std::move(data));
}

DevicesPlan plan(const Rearrangement& move, const Distribution& from, const Distribution& to, const Devices& devices,
                 const DevicesOptions& options) {
  if (const std::optional<Redistribution> r = distributed::by_axes(move, from, to)) return plan(*r, devices, options);
  return plan([&](Device device) { return plan(move, device); }, {from}, to, devices, options);
}

}  // namespace crinkle
