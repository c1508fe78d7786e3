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

std::int64_t copied_bytes_beside(std::int64_t moved_bytes, std::int64_t larger_bytes) {
  return std::min(larger_bytes, moved_bytes / 2);  // read once and written once
}

// What a copy's seconds are multiplied by to be those of a copy of as many bytes as the move's.
double copy_scale(std::int64_t moved_bytes, std::int64_t copied_bytes) {
  return static_cast<double>(moved_bytes) / static_cast<double>(std::max<std::int64_t>(1, 2 * copied_bytes));
}

std::int64_t evictor_bytes(Device device) {
  constexpr std::int64_t least = 64 << 20;
  return std::max(least, multiply(GpuEvictor::times_the_cache, facts_of(device).cache_bytes) / 16 * 16);
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

GpuEvictor::GpuEvictor(Device device, const Stream& stream)
    : stream_(stream), array_(device, evictor_bytes(device)), sink_(device, sizeof(unsigned)) {
  randomize_on_gpu(array_.data(), array_.bytes(), 1, stream_.get());
}

void GpuEvictor::run() const { read_on_gpu(array_.data(), array_.bytes(), sink_.data(), stream_.get()); }

GpuArrays::GpuArrays(std::int64_t capacity_bytes, Device device)
    : device_(device),
      source_(device, capacity_bytes + guard_bytes),
      destination_(device, capacity_bytes + guard_bytes),
      lowest_(device, sizeof(unsigned long long)),
      stream_(device),
      clock_(clock_of(device, stream_)) {}

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

void GpuArrays::take_turns(std::vector<Contender>& contenders, const Effort& effort) const {
  const gpu::OnDevice on(device_.index);
  for (Contender& c : contenders) {
    c.clock = clock_;
    c.sample_seconds = effort.sample_seconds;
  }
  crinkle::take_turns(contenders, std::max(effort.n_samples, least_samples), effort.limit_seconds);
}

std::vector<Row> GpuArrays::timed(std::vector<Contender> moves, std::int64_t moved_bytes, std::int64_t larger_bytes,
                                  const Effort& effort) const {
  const std::size_t n = moves.size();
  const std::int64_t copied_bytes = copied_bytes_beside(moved_bytes, larger_bytes);
  for (Contender& copy : copies(copied_bytes)) moves.push_back(std::move(copy));
  take_turns(moves, effort);
  std::vector<Row> rows;
  for (std::size_t k = 0; k < n; ++k) {
    Row row;
    row.name = moves[k].name;
    row.bytes = moved_bytes;
    row.seconds = median(moves[k].seconds);
    row.iqr = interquartile_range(moves[k].seconds);
    row.set_copies(std::span(moves).subspan(n), copy_scale(moved_bytes, copied_bytes));
    row.threads = 0;
    row.samples = std::ssize(moves[k].seconds);
    row.repeats = moves[k].repeats;
    row.checked = "definition";
    rows.push_back(std::move(row));
  }
  return rows;
}

void GpuArrays::time_cold(const Contender& move, std::int64_t moved_bytes, std::int64_t larger_bytes, const Effort& effort, Row& row) {
  const gpu::OnDevice on(device_.index);
  if (evictor_ == nullptr) evictor_ = std::make_unique<GpuEvictor>(device_, stream_);
  gpu::Timer timer(device_.index);
  const Clock cold = [&](const std::function<void()>& work) {
    double seconds = 0;
    for (int k = 0; k < cold_runs; ++k) {
      evictor_->run();
      timer.begin(stream_.get());
      work();
      timer.end(stream_.get());
      seconds += timer.seconds();
    }
    return seconds / cold_runs;
  };
  const std::int64_t copied_bytes = copied_bytes_beside(moved_bytes, larger_bytes);
  std::vector<Contender> contenders = copies(copied_bytes);
  contenders.insert(contenders.begin(), move);
  measure_cold(std::move(contenders), cold, copy_scale(moved_bytes, copied_bytes), effort, row);
}

}  // namespace crinkle::bench
