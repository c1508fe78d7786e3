// SPDX-License-Identifier: BSD-3-Clause
#include "running/several.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/checked.hpp"
#include "command_line/shared_options.hpp"
#include "formats/dataset.hpp"
#include "formats/interrupt.hpp"
#include "formats/temporary.hpp"
#include "running/progress.hpp"
#include "running/run.hpp"
#include "running/stored.hpp"

namespace crinkle::tool {
namespace {

using Outs = std::vector<std::span<std::byte>>;

std::string describe(const Rearrangement& r, const Place& place, std::int64_t limit) {
  std::string text = Plan(r, place.device).describe();
  if (!place.is_gpu()) text += describe_slabs(r, Form::elements, Form::elements, limit);
  return text + place.why + "\n";
}

// Returns the seconds that it took.
double move_several(const Rearrangement& r, std::vector<ConstBuffer> src, const Outs& outs, std::int64_t n_bytes, const Place& place,
                    const Running& running, Executor& executor) {
  std::vector<Buffer> dst;
  for (const auto& out : outs) dst.push_back({out.data(), std::ssize(out)});
  // Buffers behind the last that is touched are none of the map's.
  src.resize(std::min(src.size(), r.source_spans().size()));
  dst.resize(std::min(dst.size(), r.destination_spans().size()));
  if (place.is_gpu()) return move_through_gpu(r, src, dst, place, running, executor);
  const auto start = std::chrono::steady_clock::now();
  Progress progress(n_bytes);
  SlabOptions options;
  options.workspace_bytes = running.slab_bytes();
  options.moved = [&](std::int64_t n) { progress.advance(n); };
  if (!running.memory.empty()) note_large_slabs(r, Form::elements, Form::elements, options.workspace_bytes);
  run_in_slabs(r, src, dst, executor, options);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Done done_by(const Rearrangement& r, const SeveralFiles& files, Device device) {
  Done done{.operation = "move", .device = device, .bytes_moved = Plan(r).bytes_moved()};
  for (const Source* input : files.inputs)
    done.include(done.inputs, input->facts().path, input->facts().layout.extents, input->facts().type);
  for (const OutputFile& output : files.outputs) done.include(done.outputs, output.path, output.facts.extents, output.facts.type);
  return done;
}

// Returns the seconds that it took.
double move_stored(const Operation& operation, const SeveralFiles& files, Sink& sink, const Running& running, Executor& executor) {
  const auto start = std::chrono::steady_clock::now();
  const EndsOnTheWay on_the_way;
  StoredRun run(operation, files.inputs, sink, running.means(files.outputs[0].path), executor);
  run.report(running.is_explained);
  Progress progress(static_cast<std::int64_t>(run.plan().all.written));
  run.run({.read = {}, .look = {}, .written = [&](std::int64_t n) { progress.advance(n); }});
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What there is to say of the outputs: what is the same of several is said of the first.
void print_notes_of(const SeveralFiles& files, const std::function<std::vector<std::string>(std::size_t)>& notes_of) {
  struct Told {
    std::string key, note;  // the key has nothing of the output's name
    std::size_t n_others;
  };
  std::vector<Told> all;
  for (std::size_t k = 0; k < files.outputs.size(); ++k) {
    const std::string& path = files.outputs[k].path;
    for (const std::string& note : notes_of(k)) {
      std::string key = note;
      for (std::size_t at = key.find(path); at != std::string::npos; at = key.find(path, at)) key.erase(at, path.size());
      const auto same = std::find_if(all.begin(), all.end(), [&](const Told& told) { return told.key == key; });
      if (same == all.end()) all.push_back({std::move(key), note, 0});
      else ++same->n_others;
    }
  }
  for (const Told& told : all)
    print_notes({told.note +
                 (told.n_others > 0 ? fmt::format(" (and so of {} more output{})", told.n_others, told.n_others == 1 ? "" : "s") : "")});
}

void finish(const Rearrangement& r, const SeveralFiles& files, const Place& place, const Running& running,
            std::span<const std::unique_ptr<Sink>> sinks, double seconds) {
  commit_all(sinks);
  print_notes_of(files, [&](std::size_t k) { return sinks[k]->notes(); });
  if (!running.is_json) return;
  Done done = done_by(r, files, place.device);
  done.seconds = seconds;
  print_done(running, done, {});
}

// All outputs are open at once: more of them than a shell allows, where the system lets this process have them.
void allow_open_files(std::size_t n) {
  constexpr rlim_t others = 64;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= n + others) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, n + others);
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
}

}  // namespace

void check_outputs(const SeveralFiles& files, Overwrite overwrite) {
  std::map<std::filesystem::path, std::string> seen;
  for (const OutputFile& output : files.outputs) {
    if (output.path == "-" && files.outputs.size() > 1)
      throw Error(ErrorCode::unsupported, "standard output takes one file, and there are " + std::to_string(files.outputs.size()));
    for (const Source* input : files.inputs) check_output_name(output.path, overwrite, input->facts().identity, output.facts.replaced);
    std::error_code code;
    const bool is_of_file = takes_whole_file(output.path);
    const std::string name = is_of_file ? dataset_name(output.path).file : output.path;
    const auto [first, is_new] = seen.emplace(std::filesystem::weakly_canonical(std::filesystem::absolute(name, code), code), output.path);
    if (!is_new && is_of_file && first->second != output.path)
      throw Error(ErrorCode::unsupported, output.path + ": one run makes one array of a file, and " + first->second +
                                              " is in the same; give every output a file of its own, or a .zarr store");
    if (!is_new) {
      const std::string other = first->second == output.path ? "" : " as " + first->second;
      throw Error(ErrorCode::exists, output.path + ": is an output already" + other + "; every output has a name of its own");
    }
  }
}

void run_several(const Rearrangement& r, const std::vector<ConstBuffer>& sources, const SeveralFiles& files, const Running& running) {
  run_several(r, [&] { return sources; }, files, running);
}

void run_several(const Rearrangement& r, const std::function<std::vector<ConstBuffer>()>& sources, const SeveralFiles& files,
                 const Running& running) {
  const auto executor = make_executor(running.threads);
  std::int64_t n_bytes = 0;
  for (const OutputFile& output : files.outputs)
    n_bytes = add(n_bytes, Layout::dense(output.facts.extents, output.facts.type.bytes).n_bytes() - output.begin);
  n_bytes = files.moved_bytes.value_or(n_bytes);
  const Place place = running.choose(r, n_bytes, "", *executor);
  check_outputs(files, running.overwrite());
  for (const Source* input : files.inputs) {
    for (const std::string& note : input->facts().notes) fmt::print(stderr, "crinkle: note: {}: {}\n", input->facts().path, note);
  }
  if (running.is_explained) fmt::print(stderr, "{}\n{}", files.what, describe(r, place, running.slab_bytes()));
  else if (place.is_predicted && isatty(STDERR_FILENO) == 1) fmt::print(stderr, "crinkle: {}\n", place.why);
  if (running.is_dry) {
    print_notes_of(files, [&](std::size_t k) {
      return Sink::check(files.outputs[k].path, running.stored_as(files.outputs[k].facts), running.overwrite());
    });
    return print_dry(running, done_by(r, files, place.device), files.outputs.front().path, files.what);  // says whether it can be planned
  }
  allow_open_files(files.outputs.size());
  std::vector<std::unique_ptr<Sink>> sinks;
  for (const OutputFile& output : files.outputs)
    sinks.push_back(Sink::create(output.path, running.stored_as(output.facts), running.overwrite()));
  if (sinks.size() == 1 && !place.is_gpu() && !running.is_verified && files.outputs[0].replaced.empty() && files.outputs[0].begin == 0) {
    const Operation operation = plan(r, cpu());
    if (StoredRun::serves(operation, files.inputs, *sinks[0])) {
      const double seconds = move_stored(operation, files, *sinks[0], running, *executor);
      return finish(r, files, place, running, sinks, seconds);
    }
  }
  Outs outs;
  for (std::size_t k = 0; k < sinks.size(); ++k) {
    const OutputFile& output = files.outputs[k];
    const std::span<std::byte> bytes = sinks[k]->bytes();
    if (!output.replaced.empty()) std::memcpy(bytes.data(), output.replaced.data(), output.replaced.size());
    outs.push_back(bytes.subspan(static_cast<std::size_t>(add(sinks[k]->data_offset(), output.begin))));
  }
  const double seconds = n_bytes > 0 ? move_several(r, sources(), outs, n_bytes, place, running, *executor) : 0;
  if (running.is_verified) {
    files.verify(outs, *executor);
    say_verified();
  }
  finish(r, files, place, running, sinks, seconds);
}

std::string enumerated(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " and ") + words[i];
  return text;
}

}  // namespace crinkle::tool
