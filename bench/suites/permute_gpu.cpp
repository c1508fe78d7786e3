// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <vector>

#include "base/checked.hpp"
#include "suites/arrays_gpu.hpp"
#include "suites/permute.hpp"

namespace crinkle::bench {
namespace {

bool is_moved_on_a_gpu(const Case& c) {
  return c.kind == Case::Kind::permutation || c.kind == Case::Kind::spec || c.is_of_records() || c.is_range();
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
    capacity = std::max(capacity, list.back().larger());
  }
  if (list.empty()) throw Error(ErrorCode::unsupported, "none of these cases is moved on a GPU");
  GpuArrays arrays(capacity, device);
  for (const Fitted& f : list) {
    const SpecMap made = map_of_case(f.c, make_map);
    const Rearrangement& map = made.map;
    const Steps steps = map.steps();
    if (steps.steps.size() != 1 || !steps.steps[0].gathers.empty()) {
      report.note(f.c.name + ": takes " + std::to_string(steps.steps.size()) + " steps, left out");
      continue;
    }
    const Plan plan(map, device);
    const DeviceMemory workspace(device, plan.workspace_bytes());
    const CaseBuffers begins = buffers_of_case(f.c, map);
    std::vector<ConstBuffer> from;
    std::vector<Buffer> to;
    for (const std::int64_t at : begins.source) from.push_back({static_cast<const std::byte*>(arrays.source()) + at, f.bytes.source - at});
    for (const std::int64_t at : begins.destination)
      to.push_back({static_cast<std::byte*>(arrays.destination()) + at, f.bytes.destination - at});
    const Contender move{f.c.name, [&] { plan.run(from, to, arrays.stream(), workspace); }};
    Case together = f.c;
    if (together.is_of_records()) together.kind = Case::Kind::records;
    const Boxes boxes = map_of_case(together, make_map).map.steps().steps.at(0).boxes;
    arrays.check(f.c.place + ": " + f.c.name, f.bytes, boxes, seed, move.run);
    const std::int64_t moved_bytes = f.c.is_of_records() ? add(f.bytes.source, f.bytes.destination) : plan.bytes_moved();
    Row row = arrays.timed({move}, moved_bytes, f.larger(), effort).at(0);
    row.scaled_by = f.c.scaled_by;
    row.element_bytes = made.element_bytes;
    if (beside.finish) beside.finish(f, row);
    report.add(std::move(row));
    seed += 2;
  }
}

}  // namespace crinkle::bench
