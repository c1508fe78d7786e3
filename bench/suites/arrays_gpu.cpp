// SPDX-License-Identifier: BSD-3-Clause
#include "suites/arrays_gpu.hpp"

#include <algorithm>
#include <stdexcept>

#include "cuda/runtime.hpp"
#include "suites/gpu_kernels.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t guard_bytes = 4096;

}  // namespace

Clock clock_of(Device device, const Stream& stream) {
  return [timer = std::make_shared<gpu::Timer>(device.index), stream](const std::function<void()>& work) {
    timer->begin(stream.get());
    work();
    timer->end(stream.get());
    return timer->seconds();
  };
}

GpuArrays::GpuArrays(std::int64_t capacity_bytes, Device device)
    : device_(device),
      source_(device, capacity_bytes + guard_bytes),
      destination_(device, capacity_bytes + guard_bytes),
      lowest_(device, sizeof(unsigned long long)),
      stream_(device),
      clock_(clock_of(device, stream_)) {}

void GpuArrays::check(const std::string& what, const ArrayBytes& bytes, const Boxes& boxes, std::uint64_t seed,
                      const std::function<void()>& move) {
  const gpu::OnDevice on(device_.index);
  CUstream_st* const stream = stream_.get();
  randomize_on_gpu(source_.data(), bytes.source, seed, stream);
  randomize_on_gpu(destination_.data(), bytes.destination + guard_bytes, seed + 1, stream);
  unsigned long long lowest = ~0ull;
  copy_bytes({&lowest, sizeof lowest}, lowest_);
  std::vector<std::byte> before(guard_bytes), after(guard_bytes);
  std::byte* const end = destination() + bytes.destination;
  stream_.synchronize();
  copy_bytes({end, guard_bytes}, {before.data(), guard_bytes});
  move();
  for (const Box& box : boxes) check_on_gpu(box, source(), destination(), static_cast<unsigned long long*>(lowest_.data()), stream);
  stream_.synchronize();
  copy_bytes(lowest_, {&lowest, sizeof lowest});
  copy_bytes({end, guard_bytes}, {after.data(), guard_bytes});
  const std::string which = what + ", seed " + std::to_string(seed) + ": ";
  if (lowest != ~0ull) throw std::runtime_error(which + "byte " + std::to_string(lowest) + " of the result is not as defined");
  if (before != after) throw std::runtime_error(which + "bytes behind the result were written");
}

std::vector<Contender> GpuArrays::copies(std::int64_t n_bytes) const {
  const void* src = source_.data();
  void* dst = destination_.data();
  CUstream_st* const stream = stream_.get();
  return {{"driver", [=] { gpu::copy_on_device(src, dst, n_bytes, stream); }},
          {"kernel", [=] { copy_on_gpu(src, dst, n_bytes / 16 * 16, stream); }}};
}

void GpuArrays::take_turns(std::vector<Contender>& contenders, const Effort& effort) const {
  const gpu::OnDevice on(device_.index);
  for (Contender& c : contenders) c.clock = clock_;
  crinkle::take_turns(contenders, std::max(effort.n_samples, least_samples), effort.limit_seconds);
}

std::vector<Row> GpuArrays::timed(std::vector<Contender> moves, std::int64_t moved_bytes, std::int64_t larger_bytes,
                                  const Effort& effort) const {
  const std::size_t n = moves.size();
  const std::int64_t copied_bytes = std::min(larger_bytes, moved_bytes / 2);  // read once and written once
  for (Contender& copy : copies(copied_bytes)) moves.push_back(std::move(copy));
  take_turns(moves, effort);
  const auto scaled = [&](const Contender& copy, std::int64_t copied) {
    return static_cast<double>(moved_bytes) / static_cast<double>(std::max<std::int64_t>(1, 2 * copied)) * median(copy.seconds);
  };
  std::vector<Row> rows;
  for (std::size_t k = 0; k < n; ++k) {
    Row row;
    row.name = moves[k].name;
    row.bytes = moved_bytes;
    row.seconds = median(moves[k].seconds);
    row.iqr = interquartile_range(moves[k].seconds);
    row.copies.emplace_back(moves[n].name, scaled(moves[n], copied_bytes));
    row.kernel_copy_seconds = scaled(moves[n + 1], copied_bytes / 16 * 16);
    row.threads = 0;
    row.samples = std::ssize(moves[k].seconds);
    row.repeats = moves[k].repeats;
    row.checked = "definition";
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace crinkle::bench
