// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

#include "api/turns.hpp"
#include "cuda/runtime.hpp"
#include "suites/gpu_kernels.hpp"
#include "suites/permute.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t guard_bytes = 4096;

struct Arrays {
  DeviceMemory source, destination, lowest;
  Stream stream;
  gpu::Timer timer;
  Arrays(std::int64_t capacity, Device device)
      : source(device, capacity + guard_bytes),
        destination(device, capacity + guard_bytes),
        lowest(device, sizeof(unsigned long long)),
        stream(device),
        timer(device.index) {}
};

Rearrangement map_of(const Case& c, const MakeSpecMap& make_map, std::int64_t& element_bytes) {
  element_bytes = c.element_bytes;
  if (c.kind == Case::Kind::permutation) return permute(Layout::dense(c.extents, c.element_bytes), c.order);
  SpecMap made = make_map(c);
  element_bytes = made.element_bytes;
  return std::move(made.map);
}

// Random data, a poisoned destination, one run, and then every byte of the result against its definition.
void check(const Fitted& f, const Plan& plan, const Boxes& boxes, Arrays& arrays, std::uint64_t seed, Buffer workspace) {
  CUstream_st* const stream = arrays.stream.get();
  randomize_on_gpu(arrays.source.data(), f.bytes.source, seed, stream);
  randomize_on_gpu(arrays.destination.data(), f.bytes.destination + guard_bytes, seed + 1, stream);
  std::vector<std::byte> before(guard_bytes), after(guard_bytes);
  std::byte* const end = static_cast<std::byte*>(arrays.destination.data()) + f.bytes.destination;
  arrays.stream.synchronize();
  copy_bytes({end, guard_bytes}, {before.data(), guard_bytes});
  const ConstBuffer from{arrays.source.data(), f.bytes.source};
  const Buffer to{arrays.destination.data(), f.bytes.destination};
  plan.run({&from, 1}, {&to, 1}, arrays.stream, workspace);
  unsigned long long lowest = ~0ull;
  copy_bytes({&lowest, sizeof lowest}, arrays.lowest);
  for (const Box& box : boxes) { check_on_gpu(box, from.data, to.data, static_cast<unsigned long long*>(arrays.lowest.data()), stream); }
  arrays.stream.synchronize();
  copy_bytes(arrays.lowest, {&lowest, sizeof lowest});
  copy_bytes({end, guard_bytes}, {after.data(), guard_bytes});
  const std::string which = f.c.place + ": " + f.c.name + ", seed " + std::to_string(seed) + ": ";
  if (lowest != ~0ull) throw std::runtime_error(which + "byte " + std::to_string(lowest) + " of the result is not as defined");
  if (before != after) throw std::runtime_error(which + "bytes behind the result were written");
}

Row measured(const Fitted& f, const Plan& plan, Arrays& arrays, const Effort& effort, Buffer workspace) {
  CUstream_st* const stream = arrays.stream.get();
  const ConstBuffer from{arrays.source.data(), f.bytes.source};
  const Buffer to{arrays.destination.data(), f.bytes.destination};
  const std::int64_t copied_bytes = std::min(f.larger(), plan.bytes_moved() / 2), vectors_bytes = copied_bytes / 16 * 16;
  const std::function<void()> run[] = {[&] { plan.run({&from, 1}, {&to, 1}, arrays.stream, workspace); },
                                       [&] { gpu::copy_on_device(from.data, to.data, copied_bytes, stream); },
                                       [&] { copy_on_gpu(from.data, to.data, vectors_bytes, stream); }};
  constexpr std::size_t n = std::size(run);
  std::vector<double> seconds[n];
  const int n_rounds = std::max(effort.n_samples, least_samples);
  for (int round = -1; round < n_rounds; ++round) {
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t at = (k + static_cast<std::size_t>(round + 1)) % n;
      arrays.timer.begin(stream);
      run[at]();
      arrays.timer.end(stream);
      const double t = arrays.timer.seconds();
      if (round >= 0) seconds[at].push_back(t);
    }
  }
  const auto scale = [&](std::int64_t copied) {
    return static_cast<double>(plan.bytes_moved()) / static_cast<double>(std::max<std::int64_t>(1, 2 * copied));
  };
  Row row;
  row.name = f.c.name;
  row.bytes = plan.bytes_moved();
  row.seconds = median(seconds[0]);
  row.iqr = interquartile_range(seconds[0]);
  row.copies.emplace_back("driver", scale(copied_bytes) * median(seconds[1]));
  row.kernel_copy_seconds = scale(vectors_bytes) * median(seconds[2]);
  row.scaled_by = f.c.scaled_by;
  row.samples = std::ssize(seconds[0]);
  row.checked = "definition";
  return row;
}

}  // namespace

void run_permute_on_gpu(const std::vector<Case>& cases, const MakeSpecMap& make_map, const Effort& effort, std::uint64_t seed,
                        Device device, Report& report) {
  const gpu::OnDevice on(device.index);
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
  Arrays arrays(capacity, device);
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
    check(f, plan, steps.steps[0].boxes, arrays, seed, workspace);
    Row row = measured(f, plan, arrays, effort, workspace);
    row.element_bytes = element_bytes;
    report.add(std::move(row));
    seed += 2;
  }
}

}  // namespace crinkle::bench
