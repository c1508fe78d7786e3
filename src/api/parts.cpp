// Operations part by part, stage by stage, by one device or several at once.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "api/one_part.hpp"
#include "api/parts.hpp"
#include "base/checked.hpp"
#include "crinkle/devices.hpp"
#include "crinkle/error.hpp"
#include "crinkle/operation.hpp"
#include "cuda/runtime.hpp"
#include "operation/check.hpp"

namespace crinkle {
namespace {

// The bytes of an operation's arrays and workspace together, run whole.
std::int64_t memory_of(const Operation& of) { return add(of.workspace_bytes(), add(bytes_of(of.inputs()), bytes_of(of.outputs()))); }

// Runs an operation as it is, bytes of whole arrays through a GPU. Gaps between an output's elements come back as they went.
void run_whole(const Operation& operation, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs, Executor& executor) {
  const Device device = operation.device();
  if (device.kind == Device::Kind::cpu) return operation.run(inputs, outputs, executor);
  std::vector<DeviceMemory> memory;
  std::vector<ConstBuffer> in;
  std::vector<Buffer> out;
  const auto there = [&](const void* data, std::int64_t bytes, bool is_read) {
    if (bytes == 0) return Buffer{};
    memory.emplace_back(device, bytes);
    if (is_read) copy_bytes({data, bytes}, memory.back());
    return Buffer(memory.back());
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) in.push_back(there(inputs[i].data, operation.inputs()[i].touched.last, true));
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const Port& port = operation.outputs()[o];
    out.push_back(there(outputs[o].data, port.touched.last, port.is_updated || !port.layout.is_dense() || port.layout.offset > 0));
  }
  const Stream stream(device);
  operation.run(in, out, stream);
  stream.synchronize();
  for (std::size_t o = 0; o < outputs.size(); ++o)
    if (out[o].bytes > 0) copy_bytes(out[o], outputs[o]);
}

using Operations = std::span<const Operation>;  // the same, for several devices

// Every device takes the next part, on a thread of its own. The first error ends all.
void run_side_by_side(Operations same, const std::vector<Ranges>& all, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs,
                      Executor& executor, const PartsOptions& options) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failed;
  std::int64_t written = 0;
  const auto take_parts = [&](const Operation& operation) {
    try {
      std::optional<gpu::OnDevice> on;
      if (operation.device().kind == Device::Kind::cuda) on.emplace(operation.device().index);
      PartsOptions its = options;
      std::int64_t told = 0;
      if (options.written)
        its.written = [&](std::int64_t n, std::int64_t of_all) {
          const std::lock_guard lock(mutex);
          written += n - told;
          told = n;
          options.written(written, of_all);
        };
      Parts parts(operation, inputs, outputs, executor, its);
      for (std::size_t k = next++; k < all.size(); k = next++) parts.run(all[k]);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failed) failed = std::current_exception();
      next = all.size();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 1; k < same.size(); ++k) threads.emplace_back([&, k] { take_parts(same[k]); });
    take_parts(same[0]);
  }
  if (failed) std::rethrow_exception(failed);
}

void run_cut(Operations same, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs, Executor& executor,
             const PartsOptions& options) {
  const Operation& operation = same[0];
  std::int64_t bytes = options.memory_bytes;
  if (same.size() > 1) bytes = std::clamp<std::int64_t>(memory_of(operation) / std::ssize(same), 1, bytes);
  const std::vector<Ranges> all = operation.cuts().empty() ? std::vector<Ranges>(1) : parts_of(operation, bytes);
  if (all.size() == 1) {
    run_whole(operation, inputs, outputs, executor);
    const std::int64_t n = bytes_of(operation.outputs());
    if (options.written) options.written(n, n);
    return;
  }
  run_side_by_side(same, all, inputs, outputs, executor, options);
}

/// Whether each part of it reads no more than the places of the array that it writes.
bool may_go_over(const Operation& stage, std::int64_t part_bytes) {
  if (stage.inputs().size() != 1 || stage.outputs().size() != 1 || !stage.can_run_in_place()) return false;
  if (!(stage.inputs()[0].layout == stage.outputs()[0].layout)) return false;
  if (stage.cuts().empty()) return true;
  const std::vector<Ranges> all = parts_of(stage, part_bytes);
  return std::all_of(all.begin(), all.end(), [&](const Ranges& part) { return stage.needs(part)[0] == stage.gives(part)[0]; });
}

enum class Between : std::uint8_t { first_room, second_room, in_output };

/// Where stages write: into the last one's output where all later ones may go over it, over their input where that is no input of the
/// whole.
std::vector<Between> places_between(const std::vector<Operation>& stages, std::int64_t part_bytes) {
  std::vector<bool> goes_over;
  for (const Operation& stage : stages) goes_over.push_back(may_go_over(stage, part_bytes));
  std::size_t first = stages.size() - 1;  // of those that write into the output
  while (first > 0 && goes_over[first]) --first;
  std::vector<Between> places(stages.size(), Between::in_output);
  for (std::size_t s = 0; s < first; ++s) {
    const Between last = s == 0 ? Between::second_room : places[s - 1];
    if (s == 0 || !goes_over[s]) places[s] = last == Between::first_room ? Between::second_room : Between::first_room;
    else places[s] = last;
  }
  return places;
}

bool is_run_whole(const Operation& operation, const std::vector<Operation>& stages, std::int64_t part_bytes) {
  return stages.size() == 1 || (memory_of(operation) <= part_bytes && !operation.cuts().empty());
}

}  // namespace

std::int64_t bytes_between_stages(const Operation& operation, std::int64_t part_bytes) {
  const std::vector<Operation> stages = operation.stages();
  if (is_run_whole(operation, stages, part_bytes)) return 0;
  const std::vector<Between> places = places_between(stages, part_bytes);
  std::int64_t most[2] = {};
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (places[s] == Between::in_output) continue;
    std::int64_t& room = most[places[s] == Between::second_room ? 1 : 0];
    room = std::max(room, stages[s].outputs()[0].touched.last);
  }
  return add(most[0], most[1]);
}

void run_in_parts(const Operation& operation, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs, Executor& executor,
                  const PartsOptions& options) {
  run_in_parts(Operations(&operation, 1), inputs, outputs, executor, options);
}

void run_in_parts(Operations same, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs, Executor& executor,
                  const PartsOptions& options) {
  if (same.empty()) throw Error(ErrorCode::bad_shape, "parts of no operation: give it for one device or more");
  const Operation& operation = same[0];
  const auto are_alike = [](const Port& a, const Port& b) { return a.layout == b.layout && a.type == b.type; };
  for (const Operation& other : same)
    if (!std::ranges::equal(other.inputs(), operation.inputs(), are_alike) ||
        !std::ranges::equal(other.outputs(), operation.outputs(), are_alike))
      throw Error(ErrorCode::bad_shape, fmt::format("a {} and a {} of unlike arrays: give one operation, planned for each device",
                                                    operation.name(), other.name()));
  if (options.memory_bytes < 1) throw Error(ErrorCode::bad_shape, fmt::format("parts of {} bytes; give 1 or more", options.memory_bytes));
  if (check_buffers(operation.model(), inputs, outputs) == Aliasing::in_place) {
    run_whole(operation, inputs, outputs, executor);
    if (options.written) options.written(bytes_of(operation.outputs()), bytes_of(operation.outputs()));
    return;
  }
  const std::vector<Operation> stages = operation.stages();
  if (is_run_whole(operation, stages, options.memory_bytes)) return run_cut(same, inputs, outputs, executor, options);
  std::vector<std::vector<Operation>> stages_there(stages.size());  // of every stage: for every device
  for (const Operation& one : same) {
    const std::vector<Operation> its = one.stages();
    for (std::size_t s = 0; s < stages.size(); ++s) stages_there[s].push_back(its[s]);
  }
  const std::vector<Between> places = places_between(stages, options.memory_bytes);
  PartMemory rooms[2];
  std::vector<ConstBuffer> now(inputs.begin(), inputs.end());
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const bool is_last = s + 1 == stages.size();
    PartsOptions its = options;
    if (!is_last) its.written = {};
    std::vector<Buffer> to(outputs.begin(), outputs.end());
    if (places[s] != Between::in_output) {
      const std::int64_t bytes = stages[s].outputs()[0].touched.last;
      PartMemory& room = rooms[places[s] == Between::second_room ? 1 : 0];
      to = {Buffer{room.of(cpu(), bytes), bytes}};
    }
    run_cut(stages_there[s], now, to, executor, its);
    now.assign(to.begin(), to.end());
  }
}

}  // namespace crinkle
