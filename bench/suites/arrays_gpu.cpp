// SPDX-License-Identifier: BSD-3-Clause
#include "suites/arrays_gpu.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/checked.hpp"
#include "cuda/runtime.hpp"
#include "suites/gpu_kernels.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t guard_bytes = 4096;

std::int64_t evictor_bytes(Device device) {
  constexpr std::int64_t least = 64 << 20;
  return std::max(least, multiply(GpuTurns::times_the_cache, facts_of(device).cache_bytes) / 16 * 16);
}

}  // namespace

Clock clock_of(Device device, const Stream& stream) {
  return [timer = std::make_shared<gpu::Timer>(device.index), stream](const std::function<void()>& work) {
    timer->begin(stream.get());
    work();
    timer->end(stream.get());
    return timer->seconds();
  };
}

GpuTurns::GpuTurns(Device device, Stream stream) : device_(device), stream_(std::move(stream)), hot_clock_(clock_of(device_, stream_)) {}

void GpuTurns::take(std::vector<Contender>& contenders, const Effort& effort) {
  const gpu::OnDevice on(device_.index);
  for (Contender& c : contenders) {
    c.clock = hot_clock_;
    c.sample_seconds = train_seconds;
  }
  take_hot_and_cold(contenders, effort, effort.has_cold ? cold_clock() : Clock());
}

Clock GpuTurns::cold_clock() {
  if (!evictor_) {
    evictor_.emplace(DeviceMemory(device_, evictor_bytes(device_)), DeviceMemory(device_, sizeof(unsigned)));
    randomize_on_gpu(evictor_->array.data(), evictor_->array.bytes(), 1, stream_.get());
  }
  return [this](const std::function<void()>& work) {
    double seconds = 0;
    int n = 0;
    for (; n < cold_runs && seconds < train_seconds; ++n) {
      read_on_gpu(evictor_->array.data(), evictor_->array.bytes(), evictor_->sink.data(), stream_.get());
      seconds += hot_clock_(work);
    }
    return seconds / n;
  };
}

GpuArrays::GpuArrays(std::int64_t capacity_bytes, Device device)
    : device_(device),
      source_(device, capacity_bytes + guard_bytes),
      destination_(device, capacity_bytes + guard_bytes),
      lowest_(device, sizeof(unsigned long long)),
      stream_(device),
      turns_(device, stream_) {}

void GpuArrays::check_result(const std::string& what, const ArrayBytes& bytes, std::uint64_t seed, const std::function<void()>& move,
                             const std::function<std::int64_t()>& first_wrong) {
  const gpu::OnDevice on(device_.index);
  randomize_on_gpu(source_.data(), bytes.source, seed, stream_.get());
  randomize_on_gpu(destination_.data(), bytes.destination + guard_bytes, seed + 1, stream_.get());
  std::vector<std::byte> before(guard_bytes), after(guard_bytes);
  std::byte* const end = destination() + bytes.destination;
  stream_.synchronize();
  copy_bytes({end, guard_bytes}, {before.data(), guard_bytes});
  move();
  stream_.synchronize();
  copy_bytes({end, guard_bytes}, {after.data(), guard_bytes});
  const std::int64_t at = first_wrong();
  const std::string which = what + ", seed " + std::to_string(seed) + ": ";
  if (at >= 0) throw std::runtime_error(which + "byte " + std::to_string(at) + " of the result is not as defined");
  if (before != after) throw std::runtime_error(which + "bytes behind the result were written");
}

void GpuArrays::check(const std::string& what, const ArrayBytes& bytes, const Boxes& boxes, std::uint64_t seed,
                      const std::function<void()>& move) {
  check_result(what, bytes, seed, move, [&] {
    unsigned long long lowest = ~0ull;
    copy_bytes({&lowest, sizeof lowest}, lowest_);
    for (const Box& box : boxes)
      check_on_gpu(box, source(), destination(), static_cast<unsigned long long*>(lowest_.data()), stream_.get());
    stream_.synchronize();
    copy_bytes(lowest_, {&lowest, sizeof lowest});
    return lowest == ~0ull ? std::int64_t{-1} : static_cast<std::int64_t>(lowest);
  });
}

void GpuArrays::check(const std::string& what, const ArrayBytes& bytes, const Indexed& indexed, std::uint64_t seed,
                      const std::function<void()>& move) {
  check_result(what, bytes, seed, move, [&] {
    const auto on_host = [](const std::byte* data, std::int64_t n) {
      std::vector<std::byte> copy(static_cast<std::size_t>(n));
      copy_bytes({data, n}, {copy.data(), n});
      return copy;
    };
    const std::vector<std::byte> src = on_host(source(), bytes.source), dst = on_host(destination(), bytes.destination);
    randomize_on_gpu(destination_.data(), bytes.destination, seed + 1, stream_.get());  // as it was before the move
    stream_.synchronize();
    return indexed.first_wrong(src.data(), on_host(destination(), bytes.destination), dst.data(), default_executor());
  });
}

std::vector<Contender> GpuArrays::copies(std::int64_t n_bytes) const {
  const void* src = source_.data();
  void* dst = destination_.data();
  CUstream_st* const stream = stream_.get();
  return {{"driver", [=] { gpu::copy_on_device(src, dst, n_bytes, stream); }},
          {"kernel", [=] { copy_on_gpu(src, dst, ceil_divide(n_bytes, 16) * 16, stream); }}};
}

std::vector<Row> GpuArrays::timed(std::vector<Contender> moves, std::int64_t moved_bytes, std::int64_t larger_bytes, const Effort& effort) {
  const std::size_t n = moves.size();
  const std::int64_t copied_bytes = std::min(larger_bytes, moved_bytes / 2);  // read once and written once
  for (Contender& copy : copies(copied_bytes)) moves.push_back(std::move(copy));
  take_turns(moves, effort);
  const double scale = static_cast<double>(moved_bytes) / static_cast<double>(std::max<std::int64_t>(1, 2 * copied_bytes));
  const std::span<const Contender> taken = moves;
  std::vector<Row> rows;
  for (const Contender& move : taken.first(n)) {
    Row row;
    row.name = move.name;
    row.bytes = moved_bytes;
    row.set_times({&move, 1});
    row.set_copies(taken.subspan(n), scale);
    row.threads = 0;
    row.checked = "definition";
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace crinkle::bench
