// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "suites/arrays_gpu.hpp"
#include "suites/gpu_kernels.hpp"
#include "suites/permute.hpp"

namespace crinkle::bench {
namespace {

bool is_indexed(const Case& c) { return c.kind == Case::Kind::gather || c.kind == Case::Kind::scatter; }
bool is_moved_on_a_gpu(const Case& c) { return c.kind != Case::Kind::planes && c.kind != Case::Kind::from_planes; }

/// A case made ready on a GPU.
struct OnGpu {
  std::int64_t element_bytes = 1, moved_bytes = 0;
  std::vector<std::pair<std::string, RunMove>> ways;  // the move, and for gather and scatter the loop
  Boxes boxes;                                        // what results are compared with, or
  std::shared_ptr<const Indexed> indexed;
};

RunMove loop_of(const Case& c, const Indexed& indexed, const Runner& runner) {
  const std::int64_t n_bytes = multiply(std::ssize(indexed.indices), std::int64_t{sizeof(std::int64_t)}), e = c.element_bytes;
  const std::shared_ptr<std::byte> indices = runner.memory(n_bytes);
  copy_bytes({indexed.indices.data(), n_bytes}, {indices.get(), n_bytes});
  IndexLoop loop;
  loop.indices = reinterpret_cast<const std::int64_t*>(indices.get());
  loop.is_gather = indexed.is_gather;
  loop.n_outer = indexed.n_outer;
  loop.n_entries = std::ssize(indexed.indices);
  loop.word_bytes = e == 2 || e == 4 || e == 8 || e == 16 ? e : 1;
  loop.n_inner = indexed.inner_bytes / loop.word_bytes;
  loop.src_extent = indexed.src_extent;
  loop.dst_extent = indexed.dst_extent;
  return [loop, indices, runner](const std::byte* src, std::byte* dst) { index_on_gpu(loop, src, dst, runner.stream().get()); };
}

OnGpu by_indices(const Fitted& f, std::uint64_t seed, const Runner& runner) {
  OnGpu made;
  made.indexed = std::make_shared<const Indexed>(f.c, seed);
  Plan plan(indexed_map(f.c, *made.indexed), runner.device());
  made.element_bytes = f.c.element_bytes;
  made.moved_bytes = moved_bytes_of(f.c, f.bytes, plan);
  made.ways = {{f.c.name, run_of(std::move(plan), f.bytes, {{0}, {0}}, runner)}, {"loop", loop_of(f.c, *made.indexed, runner)}};
  return made;
}

/// Nothing for a case of several steps, or with an index array among its options: their definition is not one list of boxes.
std::optional<OnGpu> by_boxes(const Fitted& f, const MakeSpecMap& make_map, const Runner& runner, Report& report) {
  const SpecMap spec = map_of_case(f.c, make_map);
  const Steps steps = spec.map.steps();
  if (steps.steps.size() != 1 || !steps.steps[0].gathers.empty()) {
    report.note(f.c.name + ": takes " + std::to_string(steps.steps.size()) + " steps, left out");
    return {};
  }
  Case together = f.c;
  if (together.is_of_records()) together.kind = Case::Kind::records;
  Plan plan(spec.map, runner.device());
  OnGpu made;
  made.element_bytes = spec.element_bytes;
  made.moved_bytes = moved_bytes_of(f.c, f.bytes, plan);
  made.boxes = map_of_case(together, make_map).map.steps().steps.at(0).boxes;
  made.ways = {{f.c.name, run_of(std::move(plan), f.bytes, buffers_of_case(f.c, spec.map), runner)}};
  return made;
}

Row measured(const Fitted& f, const OnGpu& made, GpuArrays& arrays, const Effort& effort, std::uint64_t seed, bool are_rivals_timed_cold) {
  std::vector<Contender> contenders;
  for (const auto& [name, run] : made.ways) {
    const std::string what = f.c.place + ": " + f.c.name + (contenders.empty() ? "" : ", " + name);
    contenders.push_back({.name = name,
                          .run = [&way = run, &arrays] { way(arrays.source(), arrays.destination()); },
                          .has_cold = contenders.empty() || are_rivals_timed_cold});
    if (made.indexed) arrays.check(what, f.bytes, *made.indexed, seed, contenders.back().run);
    else arrays.check(what, f.bytes, made.boxes, seed, contenders.back().run);
  }
  std::vector<Row> rows = arrays.timed(contenders, made.moved_bytes, f.larger(), effort);
  Row row = std::move(rows.at(0));
  for (const Row& other : std::span(rows).subspan(1)) {
    if (made.indexed && other.name == "loop") row.loop_seconds = other.seconds;
    else row.rivals.push_back({other.name, {other.seconds, other.iqr}, other.cold});
  }
  if (made.indexed) row.checked = "loop";
  row.scaled_by = f.c.scaled_by;
  row.element_bytes = made.element_bytes;
  return row;
}

}  // namespace

void run_permute_on_gpu(const std::vector<Case>& cases, const MakeSpecMap& make_map, const Effort& effort, std::uint64_t seed,
                        Device device, Report& report, const Beside& beside) {
  std::vector<Fitted> list;
  std::int64_t capacity = 0;
  for (const Case& c : cases) {
    if (!is_moved_on_a_gpu(c)) {
      report.note(c.name + ": not on a GPU, left out");
      continue;
    }
    list.push_back(fitted(c, make_map, effort.memory_bytes));
    if (report.wants(c.name)) capacity = std::max(capacity, list.back().larger());
  }
  if (list.empty()) throw Error(ErrorCode::unsupported, "none of these cases is moved on a GPU; use --device cpu");
  GpuArrays arrays(capacity, device);
  const Runner runner(device, arrays.stream());
  report.note(fmt::format("seconds of a launch in a train of {:.0f} ms or more on one stream, the host's part where it is the longer{}",
                          1e3 * GpuTurns::train_seconds,
                          effort.has_cold ? fmt::format("; cold: of one launch behind a pass that reads {} times the second-level cache",
                                                        GpuTurns::times_the_cache)
                                          : ""));
  for (const Fitted& f : list) {
    const std::uint64_t seed_of_case = std::exchange(seed, seed + 2);
    if (!report.wants(f.c.name)) continue;
    std::optional<OnGpu> made = is_indexed(f.c) ? by_indices(f, seed_of_case, runner) : by_boxes(f, make_map, runner, report);
    if (!made) continue;
    if (beside.rivals) {
      for (auto& rival : beside.rivals(f, runner)) made->ways.push_back(std::move(rival));
    }
    Row row = measured(f, *made, arrays, effort, seed_of_case, beside.are_rivals_timed_cold);
    if (beside.finish) beside.finish(f, row);
    report.add(std::move(row));
  }
}

}  // namespace crinkle::bench
