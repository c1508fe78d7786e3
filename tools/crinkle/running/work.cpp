// SPDX-License-Identifier: BSD-3-Clause
#include "running/work.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <random>

#include "base/checked.hpp"
#include "command_line/shared_options.hpp"
#include "crinkle/plan.hpp"
#include "files/arrays.hpp"
#include "operation/model.hpp"
#include "plan/describe.hpp"
#include "plan/machine.hpp"
#include "running/planning.hpp"
#include "running/progress.hpp"

namespace crinkle::tool {
namespace {

// Of one core of a Xeon with AVX-512 (2026-11-24): operations of arithmetic in float32, and bytes read and written; and what goes to a
// GPU's memory and back from pageable memory. A GPU computes all of that in no time.
constexpr double operations_s = 15e9, bytes_s = 8e9, through_s = 6e9;
constexpr std::int64_t usual_part = 256 << 20;  // of a GPU's memory

std::string type_of(const Port& port) { return port.type ? name_of(*port.type) : fmt::format("{} bytes", port.layout.element_bytes); }

nlohmann::ordered_json described(const std::vector<Port>& ports) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Port& port : ports) list.push_back({{"name", port.name}, {"shape", port.layout.extents}, {"type", type_of(port)}});
  return list;
}

}  // namespace

void WorkOptions::add_to(Command& c, const std::string& verify) {
  add_device(c, device).manual(
      "With `auto` it is computed where it is predicted to take less time, a GPU's start and the ways of the data included; `--explain` "
      "says both times. A device that is asked for and not there is an error; nothing falls back.");
  add_threads(c, threads);
  c.option("--memory", "BYTES", memory, "compute in parts whose arrays take at most so many bytes, as in 512MiB")
      .manual("Of the device it runs on, and where the work can be cut so finely; a part has the bits of the whole.");
  add_explain(c, is_explained);
  add_dry_run(c, is_dry);
  add_json(c, is_json, "print JSON: what was done, on which device, bytes and seconds")
      .manual("The seconds are without reading and writing files.");
  if (!verify.empty()) add_verify(c, is_verified, verify);
  add_force(c, is_forced);
}

void WorkOptions::check(const std::string& output) const {
  if (!memory.empty()) parse_bytes("--memory", memory);
  if (is_json && output == "-") throw Error(ErrorCode::bad_notation, "--json prints to standard output, where the output is to go, too");
  parse_device(device);
}

Work::Work(const WorkOptions& options, const std::function<Operation(Device)>& plan)
    : options_(options), executor_(make_executor(options.threads)), plan_(plan) {
  if (const std::optional<Device> asked = parse_device(options.device)) {
    operation_ = plan(*asked);
    why_ = is_on_gpu() ? "through " + facts_of(*asked).name : "on the CPU";
    return;
  }
  operation_ = plan(cpu());
  const OperationCost cost = operation_->cost();
  const auto ways = static_cast<double>(add(bytes_of(operation_->inputs()), bytes_of(operation_->outputs())));
  const double cpu_s = std::max(cost.operations / operations_s, static_cast<double>(cost.bytes) / bytes_s) / executor_->n_workers();
  const double gpu_s = Machine::h200().start_up_s + ways / through_s;
  const std::string predicted = fmt::format("predicted {:.3f} s on the CPU, {:.3f} s through a GPU, its start included", cpu_s, gpu_s);
  why_ = "on the CPU: " + (has_cuda() ? predicted : "this build has no CUDA");
  if (!has_cuda() || cpu_s <= gpu_s || count_cuda_devices() == 0) return;
  try {
    operation_ = plan(cuda());
    why_ = "through " + facts_of(cuda()).name + ": " + predicted;
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
  for (const std::string& note : Sink::check(path, output, options_.overwrite())) fmt::print(stderr, "crinkle: note: {}\n", note);
  if (options_.is_json) {
    print_json({{"dry_run", true}, {"input", input.path}, {"output", path}});
    return true;
  }
  fmt::print(path == "-" ? stderr : stdout, "{} {} {} -> {} {} {}\n", input.path, print_shape(input.layout.extents), spelled(input.type),
             path, print_shape(output.extents), spelled(output.type));
  return true;
}

void Work::run(std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs) {
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t limit = part_bytes();
  if (limit == INT64_MAX) {
    // Passes over memory, about: each is told of as it goes.
    const std::int64_t written = bytes_of(operation_->outputs()),
                       once = std::max<std::int64_t>(1, add(bytes_of(operation_->inputs()), written));
    const std::int64_t n_passes = std::max<std::int64_t>(1, (operation_->cost().bytes + once / 2) / once);
    Progress progress(multiply(n_passes, written));
    PassExecutor told(executor_, progress, written);
    operation_->run(inputs, outputs, told);
    progress.finish();
  } else {
    note_too_large_parts(limit);
    Progress progress(bytes_of(operation_->outputs()));
    std::int64_t done = 0;
    run_in_parts(*operation_, inputs, outputs, *executor_, {.memory_bytes = limit, .written = [&](std::int64_t n, std::int64_t) {
                                                              progress.advance(n - done);
                                                              done = n;
                                                            }});
  }
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
}

namespace {

// The bytes of a part of an array, dense.
std::vector<std::byte> taken(const Layout& array, const Ranges& ranges, ConstBuffer from) {
  const Rearrangement r = window(array, ranges);
  std::vector<std::byte> dense(static_cast<std::size_t>(r.destination().n_bytes()));
  if (!dense.empty()) Plan(r).run(from, dense);
  return dense;
}

}  // namespace

void Work::verify(std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs, const std::string& path) const {
  constexpr std::int64_t most = 10'000;  // parts of one index of every cut
  const Operation here = is_on_gpu() ? plan_(cpu()) : *operation_;
  std::int64_t n_all = 1;
  for (const Cut& cut : here.cuts()) n_all = multiply(n_all, cut.extent);
  if (n_all == 0) return;
  std::mt19937_64 random(20261129);
  const std::int64_t n_drawn = std::min(n_all, most);
  constexpr std::chrono::seconds longest(10);
  const auto start = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> n_compared{0};
  std::vector<std::string> faults(static_cast<std::size_t>(n_drawn));
  std::vector<Ranges> parts;
  for (std::int64_t k = 0; k < n_drawn; ++k) {
    std::int64_t number = n_all <= most ? k : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n_all));
    Ranges part(here.cuts().size());
    for (std::size_t c = part.size(); c-- > 0;) {
      part[c] = {number % here.cuts()[c].extent, 1};
      number /= here.cuts()[c].extent;
    }
    parts.push_back(std::move(part));
  }
  executor_->parallel_for(n_drawn, [&](std::int64_t k) {
    if (n_compared > 0 && std::chrono::steady_clock::now() - start > longest) return;
    const Ranges& part = parts[static_cast<std::size_t>(k)];
    const std::vector<Ranges> needs = here.needs(part), gives = here.gives(part);
    const Operation of_part = here.part(part);
    std::vector<std::vector<std::byte>> in, out;
    std::vector<ConstBuffer> from;
    std::vector<Buffer> to;
    for (std::size_t i = 0; i < inputs.size(); ++i) in.push_back(taken(here.inputs()[i].layout, needs[i], inputs[i]));
    for (std::size_t o = 0; o < outputs.size(); ++o) out.push_back(taken(here.outputs()[o].layout, gives[o], outputs[o]));
    const std::vector<std::vector<std::byte>> found = out;
    for (const auto& bytes : in) from.emplace_back(bytes);
    for (auto& bytes : out) to.emplace_back(bytes);
    of_part.define(from, to);
    ++n_compared;
    if (out == found) return;
    std::string at;
    for (const Range& range : part) at += (at.empty() ? "" : ", ") + std::to_string(range.first);
    faults[static_cast<std::size_t>(k)] = fmt::format("{}: at [{}] is not what the definition of the {} gives", path, at, here.name());
  });
  for (const std::string& fault : faults)
    if (!fault.empty()) throw Error(ErrorCode::bad_file, fault);
  if (n_compared < n_drawn)
    fmt::print(stderr, "crinkle: note: --verify compared {} of {} elements, as many as the definition makes in {} s\n", n_compared.load(),
               n_all, longest.count());
  say_verified(n_compared == n_all ? "" : fmt::format(": {} of {} elements, drawn", n_compared.load(), n_all));
}

void Work::say_verified(const std::string& what) const {
  if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "crinkle: verified{}\n", what);
}

void Work::print_json(nlohmann::ordered_json more) const {
  if (!options_.is_json) return;
  const std::int64_t bytes = add(bytes_of(operation_->inputs()), bytes_of(operation_->outputs()));
  nlohmann::ordered_json facts{{"operation", operation_->name()},
                               {"device", is_on_gpu() ? facts_of(operation_->device()).name : "cpu"},
                               {"inputs", described(operation_->inputs())},
                               {"outputs", described(operation_->outputs())},
                               {"bytes", bytes},
                               {"bytes_moved", operation_->cost().bytes}};
  if (!options_.is_dry) facts["seconds"] = seconds_;
  if (!options_.memory.empty()) facts["memory"] = part_bytes();
  if (seconds_ > 0) facts["gb_per_s"] = static_cast<double>(bytes) / seconds_ * 1e-9;
  if (options_.is_verified && !options_.is_dry) facts["verified"] = true;
  if (more.is_object()) facts.update(more);
  fmt::print("{}\n", facts.dump(2));
}

}  // namespace crinkle::tool
