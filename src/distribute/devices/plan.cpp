// Plans of what several devices do together: exchanges, and between them each device's part of an operation.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "base/checked.hpp"
#include "distribute/devices/plan_data.hpp"

namespace crinkle {

using distributed::Exchange;
using distributed::Lanes;
using distributed::RankPart;
using distributed::RankStep;
using distributed::Room;

namespace {

bool share_any(ConstBuffer a, std::int64_t a_bytes, ConstBuffer b, std::int64_t b_bytes) {
  const auto p = reinterpret_cast<std::uintptr_t>(a.data), q = reinterpret_cast<std::uintptr_t>(b.data);
  return a_bytes > 0 && b_bytes > 0 && p < q + static_cast<std::uintptr_t>(b_bytes) && q < p + static_cast<std::uintptr_t>(a_bytes);
}

}  // namespace

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

void DevicesPlan::Data::add_step(const DistributedOperation::Step& of, const std::function<Operation(Device)>& stage_on, bool is_last) {
  Step& step = steps.emplace_back();
  DistributedOperation::Step on_one = of;
  for (std::int64_t d = 0; d < devices.size(); ++d) {
    on_one.operation = stage_on(devices[d]);
    const RankStep& made = step.parts.emplace_back(on_one, d, 1);
    for (RankPart& part : step.parts.back().inner) part.take_memory();
    for (RankStep::Fetched& fetched : step.parts.back().fetched)
      if (fetched.part) fetched.part->take_memory();
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
      input.exchange.emplace(fetch, devices, reach);
    }
  }
}

void DevicesPlan::Data::check(std::span<const ConstBuffer> from, std::span<const Buffer> to) const {
  const auto n = static_cast<std::size_t>(devices.size());
  if (from.size() != n * in.size() || to.size() != n)
    throw Error(ErrorCode::bad_shape, fmt::format("{} inputs and {} outputs of {} and {}: one buffer a device, input after input",
                                                  from.size(), to.size(), n * in.size(), n));
  const auto name = [&](std::size_t k) {
    return fmt::format("input{} of device {}", in.size() > 1 ? " " + std::to_string(k / n) : "", k % n);
  };
  const auto check_one = [&](ConstBuffer buffer, std::int64_t needed, const std::string& its) {
    if (needed > 0 && (buffer.data == nullptr || buffer.bytes < needed))
      throw Error(ErrorCode::bad_shape, fmt::format("the {} has {} bytes{}; its part has {}", its, buffer.bytes,
                                                    buffer.data == nullptr ? " at no address" : "", needed));
  };
  for (std::size_t k = 0; k < from.size(); ++k) check_one(from[k], in[k / n][k % n].n_bytes(), name(k));
  for (std::size_t d = 0; d < n; ++d) check_one(to[d], out[d].n_bytes(), fmt::format("output of device {}", d));
  for (std::size_t d = 0; d < n; ++d) {
    for (std::size_t k = 0; k < from.size(); ++k)
      if (share_any(to[d], out[d].n_bytes(), from[k], in[k / n][k % n].n_bytes()))
        throw Error(ErrorCode::overlap,
                    fmt::format("the output of device {} and the {} share bytes: give an output of its own", d, name(k)));
    for (std::size_t e = d + 1; e < n; ++e)
      if (share_any(to[d], out[d].n_bytes(), to[e], out[e].n_bytes()))
        throw Error(ErrorCode::overlap, fmt::format("the outputs of devices {} and {} share bytes: give each its own", d, e));
  }
}

void DevicesPlan::Data::check_reach(std::span<const ConstBuffer> from, std::span<const Buffer> to,
                                    const std::vector<Stream>& streams) const {
  for (std::int64_t d = 0; d < devices.size(); ++d) {
    const auto k = static_cast<std::size_t>(d);
    const gpu::OnDevice on(devices[d].index);
    if (gpu::is_capturing(streams[k].get())) return;
    gpu::check_stream(streams[k].get(), devices[d].index);
    for (std::size_t i = 0; i < in.size(); ++i)
      if (in[i][k].n_bytes() > 0)
        gpu::check_pointer(from[i * streams.size() + k].data, devices[d].index, fmt::format("the input of device {}", d));
    if (out[k].n_bytes() > 0) gpu::check_pointer(to[k].data, devices[d].index, fmt::format("the output of device {}", d));
  }
}

void DevicesPlan::Data::run_step(Step& step, const std::vector<ConstBuffer>& from, const std::vector<Buffer>& made, const Lanes& lanes) {
  const auto n = static_cast<std::size_t>(devices.size());
  const auto worker_of = [&](std::size_t d) { return devices.are_gpus() ? Worker(lanes.streams[d]) : Worker(*lanes.executor); };
  const auto rooms_of = [](const Step::Fetch& input) {
    std::vector<Buffer> rooms;
    for (const Room& room : input.rooms) rooms.push_back(room.buffer());
    return rooms;
  };
  const auto held_by = [&](std::size_t d) {
    std::vector<ConstBuffer> held;
    for (std::size_t k = 0; k * n < from.size(); ++k) held.push_back(from[k * n + d]);
    return held;
  };
  Lanes senders = lanes;
  const bool has_inner = std::any_of(step.parts.begin(), step.parts.end(), [](const RankStep& part) { return !part.inner.empty(); });
  if (has_inner && devices.are_gpus()) {
    senders.streams = beside;
    for (std::int64_t d = 0; d < devices.size(); ++d) {
      begins.record(lanes, d);
      begins.wait(senders, d, d);
    }
  }
  for (const std::deque<Step::Fetch>& inputs : step.fetched)
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (inputs[k].exchange) inputs[k].exchange->start(std::span(from).subspan(k * n, n), rooms_of(inputs[k]), senders);
  for (std::size_t d = 0; d < n; ++d)
    for (RankPart& part : step.parts[d].inner) part.run(held_by(d), made[d], worker_of(d));
  for (std::size_t f = 0; f < step.fetched.size(); ++f) {
    for (const Step::Fetch& input : step.fetched[f])
      if (input.exchange) input.exchange->finish(rooms_of(input), lanes);
    for (std::size_t d = 0; d < n; ++d) {
      std::optional<RankPart>& part = step.parts[d].fetched[f].part;
      if (!part) continue;
      std::vector<ConstBuffer> needed = held_by(d);
      for (std::size_t k = 0; k < needed.size(); ++k)
        if (step.fetched[f][k].exchange) needed[k] = step.fetched[f][k].rooms[d].buffer();
      part->run(needed, made[d], worker_of(d));
    }
  }
}

void DevicesPlan::Data::run(std::span<const ConstBuffer> from, std::span<const Buffer> to, const Lanes& lanes) {
  std::vector<ConstBuffer> now(from.begin(), from.end());
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const bool makes_output = s + 1 == steps.size() && !last;
    std::vector<Buffer> made;
    for (std::size_t d = 0; d < to.size(); ++d)
      made.push_back({makes_output ? to[d].data : steps[s].made[d].buffer().data, steps[s].parts[d].made_bytes});
    run_step(steps[s], now, made, lanes);
    now.assign(made.begin(), made.end());
  }
  if (last) last->run(now, to, lanes);
}

void DevicesPlan::run(std::span<const ConstBuffer> in, std::span<const Buffer> out, const Worker& worker) const {
  Data& d = *data_;
  d.check(in, out);
  if (!d.devices.are_gpus()) {
    if (worker.is_stream())
      throw Error(ErrorCode::device, fmt::format("this {} is planned for the CPU: run it with an executor, or plan it for GPUs", d.what));
    return d.run(in, out, {d.devices, &worker.executor(), {}});
  }
  if (worker.is_executor())
    throw Error(ErrorCode::device,
                fmt::format("this {} is planned for {}: run it on a stream, not with an executor of the CPU", d.what, d.devices.text()));
  Lanes lanes{d.devices, nullptr, d.own};
  lanes.streams[0] = worker.stream();
  d.check_reach(in, out, lanes.streams);
  // The first device's stream goes on in all of them, and they in it.
  d.points.record(lanes, 0);
  for (std::int64_t k = 1; k < d.devices.size(); ++k) d.points.wait(lanes, k, 0);
  d.run(in, out, lanes);
  for (std::int64_t k = 1; k < d.devices.size(); ++k) {
    d.ends.record(lanes, k);
    d.ends.wait(lanes, 0, k);
  }
}

void DevicesPlan::run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::span<const Stream> streams) const {
  Data& d = *data_;
  d.check(in, out);
  if (!d.devices.are_gpus()) throw Error(ErrorCode::device, fmt::format("this {} is planned for the CPU, which has no streams", d.what));
  if (std::ssize(streams) != d.devices.size())
    throw Error(ErrorCode::bad_shape, fmt::format("{} streams of {} devices: one a device", streams.size(), d.devices.size()));
  const Lanes lanes{d.devices, nullptr, {streams.begin(), streams.end()}};
  d.check_reach(in, out, lanes.streams);
  d.points.meet(lanes);
  d.run(in, out, lanes);
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
  for (std::size_t s = 0; s < op.steps().size(); ++s) {
    const auto stage_on = [&](Device device) {
      const auto known = stages.find(device.index);
      if (known != stages.end()) return known->second[s];
      return stages.emplace(device.index, make(device).stages()).first->second[s];
    };
    data->add_step(op.steps()[s], stage_on, s + 1 == op.steps().size() && op.last().empty());
  }
  if (!op.last().empty()) data->last.emplace(op.last()[0], devices, data->reach);
  return DevicesPlan(std::move(data));
}

DevicesPlan plan(const Rearrangement& move, const Distribution& from, const Distribution& to, const Devices& devices,
                 const DevicesOptions& options) {
  if (const std::optional<Redistribution> r = distributed::by_axes(move, from, to)) return plan(*r, devices, options);
  return plan([&](Device device) { return plan(move, device); }, {from}, to, devices, options);
}

}  // namespace crinkle
