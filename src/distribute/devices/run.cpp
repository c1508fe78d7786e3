// Runs of what several devices do together. What one sends while it computes goes on a stream of its own, which begins behind what is sent
// and ends in every device's stream, whatever happens.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

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

// Where the body throws, streams are joined, if that can be: nobody waits for them otherwise. Its error is told.
template <class Body, class Join>
void run_or_join(const Body& body, const Join& join) {
  try {
    body();
  } catch (...) {
    const std::exception_ptr failure = std::current_exception();
    try {
      join();
    } catch (...) { std::rethrow_exception(failure); }
    throw;
  }
}

std::vector<Buffer> rooms_of(const DevicesPlan::Data::Step::Fetch& input) {
  std::vector<Buffer> rooms;
  for (const Room& room : input.rooms) rooms.push_back(room.buffer());
  return rooms;
}

// What a device has of every input: `from` has one after the other.
std::vector<ConstBuffer> held_by(std::size_t device, std::size_t n_devices, const std::vector<ConstBuffer>& from) {
  std::vector<ConstBuffer> held;
  for (std::size_t k = device; k < from.size(); k += n_devices) held.push_back(from[k]);
  return held;
}

// The same, with what was fetched in its place.
std::vector<ConstBuffer> needed_by(std::size_t device, const std::deque<DevicesPlan::Data::Step::Fetch>& inputs,
                                   std::vector<ConstBuffer> held) {
  for (std::size_t k = 0; k < held.size(); ++k)
    if (inputs[k].exchange) held[k] = inputs[k].rooms[device].buffer();
  return held;
}

Worker worker_of(std::size_t device, const Lanes& lanes) {
  return lanes.executor == nullptr ? Worker(lanes.streams[device]) : Worker(*lanes.executor);
}

}  // namespace

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

Lanes DevicesPlan::Data::senders_beside(const Lanes& lanes) const {
  Lanes senders = lanes;
  if (devices.are_gpus()) senders.streams = beside;
  return senders;
}

void DevicesPlan::Data::fork(const Lanes& senders, const Lanes& lanes, std::int64_t device) const {
  begins.record(lanes, device);
  begins.wait(senders, device, device);
}

void DevicesPlan::Data::start(const Step& step, const std::vector<ConstBuffer>& from, const Lanes& senders) const {
  const auto n = static_cast<std::size_t>(devices.size());
  for (const std::deque<Step::Fetch>& inputs : step.fetched)
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (inputs[k].exchange) inputs[k].exchange->start(std::span(from).subspan(k * n, n), rooms_of(inputs[k]), senders);
}

void DevicesPlan::Data::run_step(Step& step, const std::vector<ConstBuffer>& from, const std::vector<Buffer>& made, bool is_sent,
                                 const Lanes& lanes) {
  const auto n = static_cast<std::size_t>(devices.size());
  const bool has_inner = std::any_of(step.parts.begin(), step.parts.end(), [](const RankStep& part) { return !part.inner.empty(); });
  const Lanes senders = has_inner ? senders_beside(lanes) : lanes;
  for (std::int64_t d = 0; has_inner && d < devices.size(); ++d) fork(senders, lanes, d);
  if (!is_sent) start(step, from, senders);
  for (std::size_t d = 0; d < n; ++d)
    for (RankPart& part : step.parts[d].inner) part.run(held_by(d, n, from), made[d], worker_of(d, lanes));
  for (std::size_t f = 0; f < step.fetched.size(); ++f) {
    for (const Step::Fetch& input : step.fetched[f])
      if (input.exchange) input.exchange->finish(rooms_of(input), lanes);
    for (std::size_t d = 0; d < n; ++d)
      for (RankPart& part : step.parts[d].fetched[f].parts)
        part.run(needed_by(d, step.fetched[f], held_by(d, n, from)), made[d], worker_of(d, lanes));
  }
}

void DevicesPlan::Data::run_in_slabs(std::size_t first, const std::vector<ConstBuffer>& from, const std::vector<std::vector<Buffer>>& made,
                                     bool is_sent, std::span<const Buffer> to, const Lanes& lanes) {
  const auto n = static_cast<std::size_t>(devices.size());
  const std::size_t end = first + made.size();
  const bool is_last = end == steps.size();
  const Exchange& behind = is_last ? *last : *steps[end].fetched[0][0].exchange;
  const std::vector<Buffer> into = is_last ? std::vector(to.begin(), to.end()) : rooms_of(steps[end].fetched[0][0]);
  const std::vector<ConstBuffer> sent(made.back().begin(), made.back().end());
  const Lanes senders = senders_beside(lanes);
  if (!is_sent) start(steps[first], from, lanes);
  for (const Step::Fetch& input : steps[first].fetched[0])
    if (input.exchange) input.exchange->finish(rooms_of(input), lanes);
  const std::int64_t n_slabs = behind.n_slabs();
  for (std::int64_t k = 0; k < n_slabs; ++k)
    for (std::size_t d = 0; d < n; ++d) {
      // Devices begin with different slabs: where these go to one device each, all links are in use.
      const auto at = static_cast<std::int64_t>(d), slab = (k + n_slabs * (at + 1) / devices.size()) % n_slabs;
      for (std::size_t s = first; s < end; ++s) {
        std::vector<RankPart>& parts = steps[s].parts[d].fetched[0].parts;
        if (parts.empty()) continue;
        const std::vector<ConstBuffer> needed =
            s > first ? std::vector<ConstBuffer>{made[s - first - 1][d]} : needed_by(d, steps[s].fetched[0], held_by(d, n, from));
        parts[static_cast<std::size_t>(slab)].run(needed, made[s - first][d], worker_of(d, lanes));
      }
      fork(senders, lanes, at);
      behind.send(slab, at, sent, into, senders, lanes);
      if (k + 1 == n_slabs) behind.end_sending(at, senders);
    }
}

void DevicesPlan::Data::run_steps(std::span<const ConstBuffer> from, std::span<const Buffer> to, const Lanes& lanes) {
  std::vector<ConstBuffer> now(from.begin(), from.end());
  bool is_sent = false;
  for (std::size_t s = 0; s < steps.size(); s += steps[s].n_together) {
    std::vector<std::vector<Buffer>> made(steps[s].n_together);
    for (std::size_t k = 0; k < made.size(); ++k) {
      const Step& step = steps[s + k];
      const bool makes_output = s + k + 1 == steps.size() && !last;
      for (std::size_t d = 0; d < to.size(); ++d)
        made[k].push_back({makes_output ? to[d].data : step.made[d].buffer().data, step.parts[d].made_bytes});
    }
    const bool is_in_slabs = steps[s].slabs.n > 1;
    if (is_in_slabs) run_in_slabs(s, now, made, is_sent, to, lanes);
    else run_step(steps[s], now, made[0], is_sent, lanes);
    is_sent = is_in_slabs;
    now.assign(made.back().begin(), made.back().end());
  }
  if (!last) return;
  if (!is_sent) last->start(now, to, lanes);
  last->finish(to, lanes);
}

void DevicesPlan::Data::run(std::span<const ConstBuffer> from, std::span<const Buffer> to, const Lanes& lanes) {
  run_or_join([&] { run_steps(from, to, lanes); },
              [&] {
                const Lanes senders = senders_beside(lanes);
                for (std::int64_t d = 0; d < devices.size(); ++d) {
                  fork(senders, lanes, d);
                  begins.record(senders, d);
                }
                for (std::int64_t d = 0; d < devices.size(); ++d)
                  for (std::int64_t other = 0; other < devices.size(); ++other) begins.wait(lanes, d, other);
              });
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
  const auto join = [&] {
    for (std::int64_t k = 1; k < d.devices.size(); ++k) {
      d.ends.record(lanes, k);
      d.ends.wait(lanes, 0, k);
    }
  };
  d.points.record(lanes, 0);
  for (std::int64_t k = 1; k < d.devices.size(); ++k) d.points.wait(lanes, k, 0);
  run_or_join([&] { d.run(in, out, lanes); }, join);
  join();
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

}  // namespace crinkle
