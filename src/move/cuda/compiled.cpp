// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/compiled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "move/cuda/channels.hpp"
#include "move/cuda/mapped.hpp"
#include "move/cuda/move.hpp"
#include "move/cuda/taken.hpp"
#include "plan/prediction.hpp"
#include "tile/axis_maps.hpp"

namespace crinkle {
namespace {

// docs/tuning.md: compiled moves
constexpr double least_gain = 1.05, clearly = 1.02, compile_seconds = 0.8;
constexpr std::int64_t least_bytes = 1 << 20;                     // written: a launch takes as long as less does
constexpr std::int64_t most_tried_bytes = std::int64_t{4} << 30;  // of both buffers
constexpr int n_rounds = 5;

// Both ways in turns, in memory of their own: what it holds does not matter, but for index arrays, which the steps have.
using TriedRun = std::function<void(std::span<const std::byte* const> src, std::byte* dst, CUstream_st* stream)>;
bool is_quicker(const CompiledStep& compiled, const TriedRun& library, const StepSpans& spans, Device device) {
  constexpr std::int64_t aligned = 256;
  const auto length = [](const ByteSpan& s) { return add(s.last - s.first, aligned); };
  const auto origin = [](const DeviceMemory& memory, const ByteSpan& s) {  // at a multiple of `aligned`
    return static_cast<std::byte*>(memory.data()) - (s.first - (s.first % aligned + aligned) % aligned);
  };
  std::vector<DeviceMemory> memory;
  std::vector<const std::byte*> src;
  for (const ByteSpan& span : spans.src) src.push_back(origin(memory.emplace_back(device, length(span)), span));
  std::byte* const dst = origin(memory.emplace_back(device, length(spans.dst)), spans.dst);
  const Stream stream(device);
  gpu::Timer timer(device.index);
  double of_library = 1e30, of_compiled = 1e30;
  for (int round = -1; round < n_rounds; ++round) {  // the first one warms
    const auto timed = [&](double& least, const auto& run) {
      timer.begin(stream.get());
      run();
      timer.end(stream.get());
      const double seconds = timer.seconds();
      if (round >= 0) least = std::min(least, seconds);
    };
    timed(of_library, [&] { library(src, dst, stream.get()); });
    timed(of_compiled, [&] { run_compiled(compiled, src, dst, stream.get(), "a move that is tried"); });
  }
  return of_library > clearly * of_compiled;
}

bool is_large(const PlannedStep& step) { return step.pass.bytes_written * step.n_entries() >= least_bytes; }

std::int64_t bytes_of(const StepSpans& spans) {
  std::int64_t n = spans.dst.last - spans.dst.first;
  for (const ByteSpan& span : spans.src) n = add(n, span.last - span.first);
  return n;
}

constexpr const char *found_compiled = "compiled", *found_library = "library";
std::string finding_key(const CompiledStep& step, Device device) { return facts_of(device).name + ' ' + step.form.source.text; }

// Whether the compiled kernel is the quicker one: as found before, or now.
bool is_chosen_by_trial(const CompiledStep& compiled, const TriedRun& library, const StepSpans& spans, Device device) {
  const std::string key = finding_key(compiled, device);
  if (const auto found = gpu::kept_finding(key); found == found_compiled || found == found_library) return found == found_compiled;
  const bool is = is_quicker(compiled, library, spans, device);
  gpu::keep_finding(key, is ? found_compiled : found_library);
  return is;
}

}  // namespace

std::optional<CompiledForm> compiled_form(const PlannedStep& step, const Machine& machine) {
  if (!step.gathers().empty()) {
    auto taken = taken_form(step, machine);
    return taken ? std::move(taken) : picked_form(step);
  }
  if (auto channels = channel_form(step.pass, machine)) return channels;
  return mapped_form(step.pass, machine);
}

double library_fraction(const planning::Pass& pass, const Machine& machine) {
  const double predicted = planning::fraction_of_copy(pass, machine);
  if (const auto maps = mapped_axes(pass)) return std::min(predicted, most_fixed_fraction(*maps));
  return predicted;
}

double predicted_fraction(const PlannedStep& step, const Machine& machine) {
  const double tiles = step.gathers().empty() ? library_fraction(step.pass, machine) : picked_fraction(step);
  if (!is_large(step)) return tiles;
  const auto form = compiled_form(step, machine);
  return form ? std::max(tiles, form->ahead.fraction) : tiles;
}

namespace {
const void* kernel_of(const CompiledStep& step) { return step.kernel ? step.kernel->get() : step.form.ahead.kernel; }

CompiledStep made_ready(CompiledForm form, std::optional<gpu::Kernel> kernel, Device device) {
  CompiledStep step{std::move(form), std::move(kernel), {}, false};
  const gpu::OnDevice on(device.index);
  if (step.form.shared_bytes > 0) gpu::entry<&gpu::allow_shared_bytes>(kernel_of(step), step.form.shared_bytes, device.index);
  if (!step.form.table.empty()) {
    step.table = DeviceMemory(device, std::ssize(step.form.table));
    copy_bytes({step.form.table.data(), std::ssize(step.form.table)}, step.table);
    step.form.table = {};
  }
  return step;
}

}  // namespace

std::optional<CompiledStep> compiled_step(CompiledForm form, Device device, const gpu::Worth& worth, const KernelOptions& options) {
  if (form.source.text.empty()) return {};
  auto kernel = gpu::compiled(form.source, device, worth, options);
  if (!kernel) return {};
  return made_ready(std::move(form), std::move(kernel), device);
}

std::optional<CompiledStep> ahead_step(CompiledForm form, Device device) {
  if (form.ahead.kernel == nullptr) return {};
  form.fraction = form.ahead.fraction;
  return made_ready(std::move(form), {}, device);
}

std::shared_ptr<const CompiledStep> compiled_step(const PlannedStep& step, const StepSpans& spans, const Machine& machine, Device device) {
  const KernelEffort effort = kernel_options().effort;
  if (!is_large(step)) return nullptr;
  auto form = compiled_form(step, machine);
  if (!form) return nullptr;
  std::shared_ptr<const CompiledStep> ahead;
  if (form->ahead.fraction >= least_gain * form->fixed_fraction) {
    try {
      if (auto made = ahead_step(*form, device)) ahead = std::make_shared<const CompiledStep>(std::move(*made));
    } catch (const Error& e) {  // tiles need no more memory
      if (e.code() != ErrorCode::out_of_memory) throw;
    }
  }
  if (effort == KernelEffort::library) return ahead;
  if (ahead != nullptr) form->fixed_fraction = form->ahead.fraction;
  const bool is_tried = effort == KernelEffort::measured && bytes_of(spans) <= most_tried_bytes;
  if (!is_tried && form->fraction < least_gain * form->fixed_fraction) return ahead;
  const double measured = machine.copy_gb_per_s(form->bytes / 2), rate = 1e9 * (measured > 0 ? measured : 1000);
  const double seconds = static_cast<double>(form->bytes) / rate;
  const gpu::Worth worth{seconds / form->fixed_fraction, seconds / form->fraction, compile_seconds};
  auto made = compiled_step(std::move(*form), device, worth);
  if (!made) return ahead;
  const bool is_predicted_faster = made->form.fraction >= least_gain * made->form.fixed_fraction;
  if (!is_tried) {  // what a trial found before holds for others, too, unless a kernel was asked for whatever it costs
    if (effort != KernelEffort::compiled && gpu::kept_finding(finding_key(*made, device)) == found_library) return ahead;
    return std::make_shared<const CompiledStep>(std::move(*made));
  }
  try {
    const gpu::OnDevice on(device.index);
    const TriedRun library = [&](std::span<const std::byte* const> src, std::byte* dst, CUstream_st* stream) {
      constexpr const char* what = "a move that is tried";
      if (ahead != nullptr) return run_compiled(*ahead, src, dst, stream, what);
      gpu::entry<run_cuda>(*step.on_gpu, src, {&dst, 1}, stream, what);
    };
    if (!is_chosen_by_trial(*made, library, spans, device)) return ahead;
    made->is_measured = true;
  } catch (const Error& e) {
    if (e.code() != ErrorCode::out_of_memory) throw;
    if (!is_predicted_faster) return ahead;
  }
  return std::make_shared<const CompiledStep>(std::move(*made));
}

bool takes(const CompiledStep&, std::span<const std::byte* const> src, const std::byte* dst) {
  auto low = reinterpret_cast<std::uintptr_t>(dst);
  for (const std::byte* p : src) low |= reinterpret_cast<std::uintptr_t>(p);
  return low % 16 == 0;
}

void run_compiled(const CompiledStep& step, std::span<const std::byte* const> src, std::byte* dst, CUstream_st* stream, const char* what) {
  tile::Sources sources;  // the first one is where a kernel of one source looks for its own
  for (std::size_t k = 0; k < src.size(); ++k) sources.at[static_cast<int>(k)] = reinterpret_cast<const char*>(src[k]);
  gpu::for_each_grid(step.form.n_blocks, [&](std::int64_t begin, std::uint32_t n) {
    auto first = static_cast<std::uint32_t>(begin);
    const void* table = step.table.data();
    void* arguments[] = {&first, &sources, &dst, &table, const_cast<std::byte*>(step.form.ahead.known.data())};  // as many as there are
    gpu::entry<&gpu::launch>(kernel_of(step), gpu::Grid{n, step.form.threads, step.form.shared_bytes}, arguments, stream, what);
  });
}

std::string describe(const CompiledStep& step) {
  constexpr const char* where = "where buffers lie at multiples of 16 bytes";
  if (!step.kernel) return fmt::format("in one launch by a kernel of the library {}: {}", where, step.form.source.name);
  const gpu::KernelFacts facts = step.kernel->facts();
  return fmt::format("in one launch by a compiled kernel {}: {}; {} registers{}", where, step.kernel->name(), facts.registers,
                     step.is_measured ? "; measured, and faster than the library's kernels" : "");
}

}  // namespace crinkle
