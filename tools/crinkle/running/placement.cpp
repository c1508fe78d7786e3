// SPDX-License-Identifier: BSD-3-Clause
#include "running/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/checked.hpp"
#include "command_line/shared_options.hpp"
#include "running/planning.hpp"
#include "running/progress.hpp"
#include "running/run.hpp"

namespace crinkle::tool {
namespace {

constexpr double slow_copy_gb_per_s = 17;          // of one core of a Xeon, 2026-11 (docs/performance.md)
constexpr std::int64_t measured_bytes = 64 << 20;  // of the copy that is measured where that rate does not decide

std::string print_seconds(double s) { return s < 0.001 ? "under 0.001 s" : fmt::format("{:.3f} s", s); }

}  // namespace

Place place_for(const std::string& device, const std::function<planning::DeviceTimes()>& times) {
  if (const std::vector<Device> asked = parse_devices(device); !asked.empty()) {
    if (asked[0].kind == Device::Kind::cpu) return {asked[0], "on the CPU"};
    const std::string count = asked.size() > 1 ? fmt::format("{} times ", asked.size()) : "";
    return {asked[0], "through " + count + facts_of(asked[0]).name, false, {asked.begin() + 1, asked.end()}};
  }
  if (!has_cuda()) return {cpu(), "on the CPU: this build has no CUDA"};
  const planning::DeviceTimes t = times();
  const std::string predicted =
      fmt::format("predicted {} on the CPU, {} through a GPU, its start included", print_seconds(t.cpu_s), print_seconds(t.gpu_s));
  if (!t.is_for_gpu()) return {cpu(), "on the CPU: " + predicted};
  if (count_cuda_devices() == 0) return {cpu(), "on the CPU: this machine has no GPU that CUDA knows"};  // asking takes CUDA's start
  return {cuda(), "through " + facts_of(cuda()).name + ": " + predicted, true};
}

void Running::add_to(Command& c, const std::string& verify_help) {
  WorkOptions::add_to(c, verify_help,
                      " A terminal is told of a GPU that was chosen. With `cuda` a move goes through the GPU's memory in packets, however "
                      "long the file is. Index arrays, bit planes and `--plan measure` are for the CPU alone.",
                      " Moves of one step need none on the CPU; what lies between several takes 64 MiB where nothing is said.");
  c.option("--device-memory", "BYTES", device_memory, "of --device cuda: use at most so many bytes of its memory")
      .manual("They are for packets, and at most 48 MiB are used at any rate. Bytes may have a unit, as in 64KiB, 512MiB or 2GiB.");
}

void Running::check(const std::string& output, const std::string& why_not) const {
  if (!device_memory.empty()) parse_bytes("--device-memory", device_memory);
  const bool is_gpu = device.starts_with("cuda");
  if (!is_gpu && !device_memory.empty()) throw Error(ErrorCode::bad_notation, "--device-memory is for --device cuda, not for " + device);
  if (is_gpu && !why_not.empty()) throw Error(ErrorCode::unsupported, "--device " + device + ": " + why_not + "; use --device cpu");
  WorkOptions::check(output);
}

Place Running::choose(const Rearrangement& map, std::int64_t result_bytes, const std::string& why_not, Executor& executor) const {
  const Steps steps = map.steps();
  const bool is_gathered = std::any_of(steps.steps.begin(), steps.steps.end(), [](const Step& step) { return !step.gathers.empty(); });
  const std::string why_cpu = !why_not.empty() ? why_not : is_gathered ? "how fast an index array goes is not predicted" : "";
  if (device == "auto" && !why_cpu.empty()) return {cpu(), "on the CPU: " + why_cpu};
  return place_for(device, [&] {
    const Machine gpu = Machine::h200();
    const double fraction = Plan(map).predicted_fraction();
    planning::MoveFacts facts{multiply(2 * std::ssize(steps.steps), result_bytes), result_bytes, result_bytes,
                              fraction * slow_copy_gb_per_s, slow_copy_gb_per_s};
    if (planning::predicted_times(facts, gpu).cpu_s > gpu.start_up_s) {
      facts.cpu_copy_gb_per_s = 2 * static_cast<double>(measured_bytes) / copy_seconds(measured_bytes, executor) * 1e-9;
      facts.cpu_move_gb_per_s = fraction * facts.cpu_copy_gb_per_s;
    }
    return planning::predicted_times(facts, gpu);
  });
}

std::int64_t Running::slab_bytes() const { return memory.empty() ? tool::slab_bytes() : parse_bytes("--memory", memory); }

std::int64_t Running::device_bytes() const {
  return !device_memory.empty() ? parse_bytes("--device-memory", device_memory) : memory.empty() ? 0 : slab_bytes();
}

namespace {

void move_through_several(const Rearrangement& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, const Place& place,
                          const TransferOptions& options, Progress& progress) {
  std::vector<Operation> same{plan(r, place.device)};
  check_cut(same[0]);
  for (const Device other : place.others) same.push_back(plan(r, other));
  constexpr std::int64_t usual = 256 << 20;
  std::int64_t done = 0;
  run_in_parts(same, src, dst, *options.executor,
               {.memory_bytes = options.device_memory > 0 ? options.device_memory : usual, .written = [&](std::int64_t n, std::int64_t) {
                  progress.advance(n - done);
                  done = n;
                }});
}

}  // namespace

void check_cut(const Operation& operation) {
  if (operation.cuts().empty() && operation.stages().size() == 1)
    throw Error(ErrorCode::unsupported, fmt::format("this {} cannot be cut into parts for several GPUs; name one", operation.name()));
}

double move_through_gpu(const Rearrangement& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, const Place& place,
                        const Running& running, Executor& executor) {
  std::int64_t n_bytes = 0;
  for (const Buffer& b : dst) n_bytes += b.bytes;
  Progress progress(n_bytes);
  TransferOptions options;
  options.device_memory = running.device_bytes();
  options.workspace_bytes = running.slab_bytes();
  options.executor = &executor;
  options.moved = [&](std::int64_t n) { progress.advance(n); };
  const auto start = std::chrono::steady_clock::now();
  if (place.others.empty()) move_through(r, src, dst, place.device, options);
  else move_through_several(r, src, dst, place, options, progress);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace crinkle::tool
