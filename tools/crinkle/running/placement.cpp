// SPDX-License-Identifier: BSD-3-Clause
#include "running/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/checked.hpp"
#include "command_line/shared_options.hpp"
#include "plan/device_times.hpp"
#include "running/planning.hpp"
#include "running/progress.hpp"
#include "running/run.hpp"

namespace crinkle::tool {
namespace {

constexpr double slow_copy_gb_per_s = 17;          // of one core of a Xeon, 2026-11 (docs/performance.md)
constexpr std::int64_t measured_bytes = 64 << 20;  // of the copy that is measured where that rate does not decide

std::string print_seconds(double s) { return s < 0.001 ? "under 0.001 s" : fmt::format("{:.3f} s", s); }

}  // namespace

void Placement::add_to(Command& c) {
  add_device(c, device).manual(
      "With `auto` a move runs where it is predicted to take less time, what a GPU needs to start and to be sent the data included: "
      "`--explain` says both times, and a terminal is told. With `cuda` it goes through the GPU's memory in packets, however long the "
      "file is. A device that is asked for and not there is an error; nothing falls back. Index arrays, bit planes and `--plan measure` "
      "are for the CPU alone.");
  c.option("--device-memory", "BYTES", device_memory, "of --device cuda: use at most so many bytes of its memory")
      .manual("They are for packets, and at most 48 MiB are used at any rate. Bytes may have a unit, as in 64KiB, 512MiB or 2GiB.");
}

std::int64_t Placement::memory_bytes() const { return device_memory.empty() ? 0 : parse_bytes("--device-memory", device_memory); }

std::optional<Place> Placement::asked(const std::string& why_not) const {
  memory_bytes();
  const bool is_gpu = device.starts_with("cuda");
  if (!is_gpu && !device_memory.empty()) throw Error(ErrorCode::bad_notation, "--device-memory is for --device cuda, not for " + device);
  if (is_gpu && !why_not.empty()) throw Error(ErrorCode::unsupported, "--device " + device + ": " + why_not + "; use --device cpu");
  const std::optional<Device> given = parse_device(device);
  if (!given) return {};
  return Place{*given, is_gpu ? "through " + facts_of(*given).name : "on the CPU"};
}

Place Placement::choose(const Rearrangement& map, std::int64_t result_bytes, const std::string& why_not, Executor& executor) const {
  if (std::optional<Place> place = asked(why_not)) return *std::move(place);
  if (!why_not.empty()) return {cpu(), "on the CPU: " + why_not};
  if (!has_cuda()) return {cpu(), "on the CPU: this build has no CUDA"};
  const Steps steps = map.steps();
  const auto is_gathered = [](const Step& step) { return !step.gathers.empty(); };
  if (std::any_of(steps.steps.begin(), steps.steps.end(), is_gathered))
    return {cpu(), "on the CPU: how fast an index array goes is not predicted"};
  const Machine gpu = Machine::h200();
  const double fraction = Plan(map).predicted_fraction();
  planning::MoveFacts facts{multiply(2 * std::ssize(steps.steps), result_bytes), result_bytes, result_bytes, fraction * slow_copy_gb_per_s,
                            slow_copy_gb_per_s};
  if (planning::predicted_times(facts, gpu).cpu_s > gpu.start_up_s) {
    facts.cpu_copy_gb_per_s = 2 * static_cast<double>(measured_bytes) / copy_seconds(measured_bytes, executor) * 1e-9;
    facts.cpu_move_gb_per_s = fraction * facts.cpu_copy_gb_per_s;
  }
  const planning::DeviceTimes times = planning::predicted_times(facts, gpu);
  const std::string predicted =
      fmt::format("predicted {} on the CPU, {} through a GPU, its start included", print_seconds(times.cpu_s), print_seconds(times.gpu_s));
  if (!times.is_for_gpu()) return {cpu(), "on the CPU: " + predicted};
  if (count_cuda_devices() == 0) return {cpu(), "on the CPU: this machine has no GPU that CUDA knows"};  // asking takes CUDA's start
  return {cuda(), "through " + facts_of(cuda()).name + ": " + predicted, true};
}

double move_through_gpu(const Rearrangement& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, Device device,
                        std::int64_t device_memory, Executor& executor) {
  std::int64_t n_bytes = 0;
  for (const Buffer& b : dst) n_bytes += b.bytes;
  Progress progress(n_bytes);
  TransferOptions options;
  options.device_memory = device_memory;
  options.workspace_bytes = slab_bytes();
  options.executor = &executor;
  options.moved = [&](std::int64_t n) { progress.advance(n); };
  const auto start = std::chrono::steady_clock::now();
  move_through(r, src, dst, device, options);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace crinkle::tool
