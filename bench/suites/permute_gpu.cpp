// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "suites/arrays_gpu.hpp"
#include "suites/permute.hpp"

namespace crinkle::bench {
namespace {

Rearrangement map_of(const Case& c, const MakeSpecMap& make_map, std::int64_t& element_bytes) {
  element_bytes = c.element_bytes;
  if (c.kind == Case::Kind::permutation) return permute(Layout::dense(c.extents, c.element_bytes), c.order);
  SpecMap made = make_map(c);
  element_bytes = made.element_bytes;
  return std::move(made.map);
}

}  // namespace

void run_permute_on_gpu(const std::vector<Case>& cases, const MakeSpecMap& make_map, const Effort& effort, std::uint64_t seed,
                        Device device, Report& report) {
  std::vector<Fitted> list;
  std::int64_t capacity = 0;
  for (const Case& c : cases) {
    if (c.kind != Case::Kind::permutation && c.kind != Case::Kind::spec) {
      report.note(c.name + ": not on a GPU, left out");
      continue;
    }
    list.push_back(fitted(c, make_map, effort.memory_bytes));
    capacity = std::max(capacity, list.back().larger());
  }
  if (list.empty()) throw Error(ErrorCode::unsupported, "none of these cases is moved on a GPU");
  GpuArrays arrays(capacity, device);
  for (const Fitted& f : list) {
    std::int64_t element_bytes = 1;
    const Rearrangement map = map_of(f.c, make_map, element_bytes);
    const Steps steps = map.steps();
    if (steps.steps.size() != 1 || !steps.steps[0].gathers.empty()) {
      report.note(f.c.name + ": takes " + std::to_string(steps.steps.size()) + " steps, left out");
      continue;
    }
    const Plan plan(map, device);
    const DeviceMemory workspace(device, plan.workspace_bytes());
    const ConstBuffer from{arrays.source(), f.bytes.source};
    const Buffer to{arrays.destination(), f.bytes.destination};
    const Contender move{f.c.name, [&] { plan.run({&from, 1}, {&to, 1}, arrays.stream(), workspace); }};
    arrays.check(f.c.place + ": " + f.c.name, f.bytes, steps.steps[0].boxes, seed, move.run);
    Row row = arrays.timed({move}, plan.bytes_moved(), f.larger(), effort).at(0);
    row.scaled_by = f.c.scaled_by;
    row.element_bytes = element_bytes;
    report.add(std::move(row));
    seed += 2;
  }
}

}  // namespace crinkle::bench
