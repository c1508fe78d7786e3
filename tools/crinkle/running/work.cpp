// SPDX-License-Identifier: BSD-3-Clause
#include "running/work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/parts.hpp"
#include "base/checked.hpp"
#include "command_line/shared_options.hpp"
#include "crinkle/devices.hpp"
#include "files/arrays.hpp"
#include "files/file_names.hpp"
#include "formats/interrupt.hpp"
#include "operation/model.hpp"
#include "plan/describe.hpp"
#include "plan/machine.hpp"
#include "running/placement.hpp"
#include "running/planning.hpp"
#include "running/progress.hpp"
#include "running/stored.hpp"

namespace crinkle::tool {
namespace {

// One core of a Xeon with AVX-512 (2026-11-24) reads and writes bytes_s; through_s is to a GPU's memory and back from pageable memory.
// A GPU computes all of that in no time.
constexpr double bytes_s = 8e9, through_s = 6e9;
constexpr std::int64_t usual_part = 256 << 20;  // of a GPU's memory

bool is_counted(const Operation& operation) {
  return std::any_of(operation.outputs().begin(), operation.outputs().end(), [](const Port& port) { return port.is_counted; });
}

std::string type_of(const Port& port) { return port.type ? name_of(*port.type) : fmt::format("{} bytes", port.layout.element_bytes); }

void describe(const std::vector<Port>& ports, std::optional<std::int64_t> n_counted, nlohmann::ordered_json& list) {
  for (const Port& port : ports) {
    Extents shape = port.layout.extents;
    if (port.is_counted && n_counted) shape[0] = *n_counted;
    list.push_back({{"name", port.name}, {"shape", shape}, {"type", type_of(port)}});
  }
}

/// Arrays of the host where a GPU reads them.
class Uploaded {
 public:
  Uploaded(Device device, std::span<const ConstBuffer> from) {
    for (const ConstBuffer& buffer : from) {
      memories_.emplace_back(device, buffer.bytes);
      copy_bytes(buffer, memories_.back());
      buffers_.emplace_back(memories_.back());
    }
  }
  std::span<const ConstBuffer> buffers() const { return buffers_; }

 private:
  std::vector<DeviceMemory> memories_;
  std::vector<ConstBuffer> buffers_;
};

}  // namespace

void WorkOptions::add_to(Command& c, const std::string& verify, const std::string& of_device, const std::string& of_memory) {
  add_device(c, device).manual(
      "With `auto` it runs where it is predicted to take less time, a GPU's start and the ways of the data included; `--explain` says both "
      "times. A device that is asked for and not there is an error; nothing falls back. Several GPUs of one model, as in `cuda:0,1`, take "
      "parts of the work in turn." +
      of_device);
  add_threads(c, threads);
  c.option("--memory", "BYTES", memory, "work in parts whose arrays take at most so many bytes, as in 512MiB")
      .manual("Of the device it runs on, and where the work can be cut so finely; a part has the bits of the whole." + of_memory);
  add_explain(c, is_explained);
  add_dry_run(c, is_dry);
  add_json(c, is_json, "print JSON: what was done, on which device, bytes and seconds")
      .manual("The seconds are without reading and writing files.");
  add_stored(c, stored);
  c.option("--temporary", "DIR", temporary, "a directory for what lies between passes over files larger than memory")
      .manual("Left out, that of the output, or $TMPDIR where that must not be written. What is there has no name and goes with the run.");
  add_verify(c, is_verified, verify);
  add_force(c, is_forced);
}

StoredMeans WorkOptions::means(const std::string& output) const { return {memory, temporary, output}; }

void WorkOptions::check(const std::string& output) const {
  if (!memory.empty()) parse_bytes("--memory", memory);
  if (stored.is_resumed && (output == "-" || output.ends_with(".png") || output.ends_with(".gz")))
    throw Error(ErrorCode::bad_notation,
                "--resume is of outputs that are made part by part, as .npy, raw, .nii, .zarr, .h5, .nc and .tif; " + output +
                    " is written as a whole");
  if (stored.is_any() && !names_dataset(output))
    throw Error(ErrorCode::bad_notation,
                (output == "-" ? "standard output" : output) +
                    ": is stored in one piece; --chunks, --shards, --filter and --into are of outputs named .zarr, .h5, .nc or .tif");
  if (is_json && output == "-") throw Error(ErrorCode::bad_notation, "--json prints to standard output, where the output is to go, too");
  parse_devices(device);
}

Work::Work(const WorkOptions& options, const std::function<Operation(Device)>& plan, double operations_s)
    : options_(options), executor_(make_executor(options.threads)), plan_(plan) {
  const Place place = place_for(options.device, [&] {
    operation_ = plan(cpu());
    const OperationCost cost = operation_->cost();
    const double cpu_s = std::max(cost.operations / operations_s, static_cast<double>(cost.bytes) / bytes_s) / executor_->n_workers(),
                 ways_s = static_cast<double>(bytes_of(operation_->inputs()) + bytes_of(operation_->outputs())) / through_s;
    return planning::DeviceTimes{cpu_s, Machine::h200().start_up_s + ways_s};
  });
  why_ = place.why;
  if (!place.is_predicted) {
    if (!operation_) operation_ = plan(place.device);
    if (place.others.empty()) return;
    check_cut(*operation_);
    if (is_counted(*operation_))
      throw Error(ErrorCode::unsupported, fmt::format("--device {}: how much this {} writes is not known before it is done; name one GPU",
                                                      options.device, operation_->name()));
    same_ = {*operation_};
    for (const Device other : place.others) same_.push_back(plan(other));
    return;
  }
  try {
    Operation there = plan(place.device);
    const bool is_cut = !there.cuts().empty() || there.stages().size() > 1;
    if (!is_cut && facts_of(place.device).free_bytes / 2 < bytes_of(there.inputs()) + bytes_of(there.outputs()))
      throw Error(ErrorCode::out_of_memory, "its arrays do not fit there, and cannot be cut");
    operation_ = std::move(there);
  } catch (const Error& e) {
    if (e.code() != ErrorCode::unsupported && e.code() != ErrorCode::out_of_memory) throw;
    why_ = fmt::format("on the CPU: a GPU cannot do it ({})", e.what());
  }
}

std::int64_t Work::part_bytes() const {
  if (!options_.memory.empty()) return parse_bytes("--memory", options_.memory);
  return is_on_gpu() ? std::max(usual_part, facts_of(operation_->device()).free_bytes / 4) : INT64_MAX;
}

void Work::explain(const std::string& title) const {
  if (!options_.is_explained) return;
  const std::int64_t limit = part_bytes();
  std::string parts;
  if (limit < INT64_MAX) {
    const std::vector<Operation> stages = operation_->stages();
    const auto limit_text = planning::print_bytes(static_cast<double>(limit));
    if (operation_->cuts().empty() && stages.size() == 1) parts = fmt::format("it cannot be cut into parts of {}\n", limit_text);
    else if (stages.size() > 1) parts = fmt::format("in {} stages, each in parts of at most {}\n", stages.size(), limit_text);
    else if (const std::size_t n = parts_of(*operation_, limit).size(); n > 1)
      parts = fmt::format("in {} parts of at most {}\n", n, limit_text);
    else parts = fmt::format("in one part, of at most {}\n", limit_text);
  }
  fmt::print(stderr, "{}{}{}{}\n", title.empty() ? "" : title + ": ", operation_->describe(), parts, why_);
}

bool Work::is_dry(const ArrayFacts& input, const OutputFacts& output, const std::string& path) const {
  if (!options_.is_dry) return false;
  if (!is_named_tiff(path)) print_notes(Sink::check(path, output, options_.overwrite()));  // a map's maker has looked at its name
  return is_dry(path, described(input.path, input.layout.extents, input.type) + " -> " + described(path, output.extents, output.written()));
}

bool Work::is_dry(const std::string& path, const std::string& words) const {
  if (options_.is_dry) print_dry(options_, done({}), path, words);
  return options_.is_dry;
}

// Passes over memory, about: each is told of as it goes.
void Work::run_on_cpu(std::int64_t n_passes, std::int64_t pass_bytes, const std::function<void(Executor&)>& body) {
  Progress progress(multiply(n_passes, pass_bytes));
  PassExecutor told(executor_, progress, pass_bytes);
  body(told);
  progress.finish();
}

std::int64_t Work::count(std::span<const ConstBuffer> inputs) {
  const auto start = std::chrono::steady_clock::now();
  note_too_large_parts(part_bytes());
  if (is_on_gpu()) n_counted_ = operation_->count(Uploaded(operation_->device(), inputs).buffers(), Stream(operation_->device()));
  else run_on_cpu(1, bytes_of(operation_->inputs()), [&](Executor& told) { n_counted_ = operation_->count(inputs, told); });
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return *n_counted_;
}

void Work::run(std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs) {
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t limit = part_bytes(), read = bytes_of(operation_->inputs()), written = bytes_of(operation_->outputs());
  if (!n_counted_) note_too_large_parts(limit);
  if (is_counted(*operation_) && is_on_gpu()) {
    const Uploaded in(operation_->device(), inputs);
    const DeviceMemory out(operation_->device(), outputs[0].bytes);
    const Buffer there = out;
    operation_->run(in.buffers(), {&there, 1}, Stream(operation_->device()));
    copy_bytes(out, outputs[0]);
  } else if (limit == INT64_MAX || is_counted(*operation_)) {
    const std::int64_t once = std::max<std::int64_t>(1, add(read, written));
    run_on_cpu(std::max<std::int64_t>(1, (operation_->cost().bytes + once / 2) / once), std::max(read, written),
               [&](Executor& told) { operation_->run(inputs, outputs, told); });
  } else {
    Progress progress(written);
    std::int64_t done = 0;
    const std::span<const Operation> all = same_.empty() ? std::span(&*operation_, 1) : std::span<const Operation>(same_);
    run_in_parts(all, inputs, outputs, *executor_, {.memory_bytes = limit, .written = [&](std::int64_t n, std::int64_t) {
                                                      progress.advance(n - done);
                                                      done = n;
                                                    }});
  }
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Work::write(Sink& sink, std::span<const ConstBuffer> inputs, const std::string& path,
                 const std::function<void(std::span<std::byte>)>& look, const Agreement& agreement) {
  const std::span<std::byte> data = sink.data();
  const Buffer out{data.data(), std::ssize(data)};
  run(inputs, {&out, 1});
  const ConstBuffer written = out;
  if (options_.is_verified) verify(inputs, {&written, 1}, path, agreement);
  if (look) look(data);
  sink.commit();
  print_notes(sink.notes());
}

bool Work::is_stored(const Sink& sink, const Source& source) const {
  return !options_.is_verified && StoredRun::serves(*operation_, {&source}, sink);
}

void Work::write(Sink& sink, const Source& source, const std::string& path, const std::function<void(std::span<std::byte>)>& look,
                 const Agreement& agreement) {
  if (is_stored(sink, source)) return write_stored(sink, source, path, {.read = {}, .look = look, .written = {}});
  const ConstBuffer from{source.bytes().data(), std::ssize(source.bytes())};
  write(sink, {&from, 1}, path, look, agreement);
}

void Work::write_stored(Sink& sink, const Source& source, const std::string& path, const PartCalls& calls) {
  const auto start = std::chrono::steady_clock::now();
  {
    const EndsOnTheWay on_the_way;
    StoredRun run(*operation_, {&source}, sink, options_.means(path), *executor_);
    run.report(options_.is_explained);
    Progress progress(static_cast<std::int64_t>(run.plan().all.written));
    PartCalls told = calls;
    told.written = [&](std::int64_t n) { progress.advance(n); };
    run.run(told);
  }
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  sink.commit();
  print_notes(sink.notes());
}

void Work::note_too_large_parts(std::int64_t limit) const {
  if (options_.memory.empty()) return;
  std::int64_t most = 0;
  for (const Operation& stage : operation_->stages()) {
    std::int64_t n = 0;
    if (stage.cuts().empty()) {
      n = add(add(bytes_of(stage.inputs()), bytes_of(stage.outputs())), stage.workspace_bytes());
    } else {
      const std::vector<Ranges> parts = parts_of(stage, limit);
      constexpr std::size_t looked_at = 100;
      for (std::size_t k = 0; k < parts.size(); k += std::max<std::size_t>(1, parts.size() / looked_at))
        n = std::max(n, add(bytes_of(stage.inputs(), stage.needs(parts[k])), bytes_of(stage.outputs(), stage.gives(parts[k]))));
    }
    most = std::max(most, n);
  }
  if (most > limit)
    fmt::print(stderr, "crinkle: note: --memory {}: the smallest parts of this {} take {}\n", options_.memory, operation_->name(),
               planning::print_bytes(static_cast<double>(most)));
  if (const std::int64_t between = bytes_between_stages(*operation_, limit); between > 0)
    fmt::print(stderr, "crinkle: note: --memory {}: beside its parts, {} lie between the stages of this {}\n", options_.memory,
               planning::print_bytes(static_cast<double>(between)), operation_->name());
}

Done Work::done(const std::vector<const Work*>& others) const {
  Done done{.operation = operation_->name(), .device = operation_->device(), .n_devices = std::max<std::int64_t>(1, std::ssize(same_))};
  const auto include = [&](const Work& work) {
    const Operation& its = *work.operation_;
    describe(its.inputs(), work.n_counted_, done.inputs);
    describe(its.outputs(), work.n_counted_, done.outputs);
    done.bytes = add(done.bytes, add(bytes_of(its.inputs()), bytes_of(its.outputs())));
    done.bytes_moved = add(done.bytes_moved, its.cost().bytes);
    done.seconds += work.seconds_;
  };
  include(*this);
  for (const Work* other : others) include(*other);
  return done;
}

void Work::print_json(const nlohmann::ordered_json& more, const std::vector<const Work*>& others) const {
  if (options_.is_json) print_done(options_, done(others), more);
}

}  // namespace crinkle::tool
