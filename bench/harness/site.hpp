// Contests run on a site: on the workers of a CPU, or on a stream of a GPU. It has two arrays, the copies and fills between them that all
// else is compared with, a check of what a run wrote, and a way to take turns; so a suite is written once, for either.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/timing.hpp"
#include "crinkle/crinkle.hpp"
#include "harness/effort.hpp"

namespace crinkle::bench {

/// How a map becomes a plan on a CPU: as the planner estimates, where nothing else is said.
using MakePlan = std::function<Plan(const Rearrangement&, Executor&)>;
inline Plan estimated_plan(const Rearrangement& r, Executor&) { return Plan(r); }

struct ArrayBytes {
  std::int64_t source = 0, destination = 0;
};

class Site {
 public:
  virtual ~Site() = default;
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  Device device() const noexcept { return device_; }
  bool is_gpu() const noexcept { return device_.kind == Device::Kind::cuda; }
  /// On a CPU its workers; beside a GPU those of the host, which check.
  virtual Executor& executor() = 0;
  int threads() { return is_gpu() ? 0 : executor().n_workers(); }
  const Stream& stream() const noexcept { return stream_; }
  Worker worker() { return is_gpu() ? Worker(stream_) : Worker(executor()); }

  /// Takes so many workers of a CPU from here on, 0 for as many as at first; nothing on a GPU.
  virtual void use_threads(int /*n*/) {}

  virtual Plan plan(const Rearrangement& map) = 0;
  /// Begun on a GPU, not waited for. Requires a plan for the device. Throws what Plan::run throws.
  virtual void run(const Plan& plan, std::span<const ConstBuffer> from, std::span<const Buffer> to, Buffer workspace = {}) = 0;
  void wait() const {
    if (is_gpu()) stream_.synchronize();
  }

  /// Memory of the device, on a CPU every page of it touched; nothing for 0 bytes. Throws out_of_memory.
  virtual std::shared_ptr<std::byte> memory(std::int64_t n_bytes) = 0;
  /// Makes the two arrays, as large as this at least; what they held is gone, and so are moves between them.
  virtual void reserve(const ArrayBytes& bytes) = 0;
  std::byte* source() const noexcept { return source_; }
  std::byte* destination() const noexcept { return destination_; }

  /// Random bytes in the source, the same for the same seed.
  virtual void fill(std::int64_t n_bytes, std::uint64_t seed) = 0;
  /// Region::poison_byte all over the destination and beside it.
  virtual void poison(std::int64_t n_bytes) = 0;
  virtual bool is_guard_whole(std::int64_t n_bytes) = 0;
  std::vector<std::byte> on_host(const void* data, std::int64_t n_bytes) const;
  /// From the host into the source.
  void put(const void* data, std::int64_t n_bytes);
  /// The first destination byte that is not as these boxes define, or −1.
  virtual std::int64_t first_wrong(const Boxes& boxes) = 0;

  /// The source filled, at random or by `fill_source`, and the destination poisoned, one run. Throws std::runtime_error, naming `what` and
  /// the seed, where first_wrong() is not −1, or bytes beside the destination were written.
  void check(const std::string& what, const ArrayBytes& bytes, std::uint64_t seed, const std::function<void()>& run,
             const std::function<std::int64_t()>& first_wrong, const std::function<void()>& fill_source = {});

  /// Plain copies of n bytes from the source to the destination, of every kind that this device has. Requires source bytes behind the n to
  /// a multiple of 16 on a GPU, which reserve() leaves.
  virtual std::vector<Contender> copies(std::int64_t n_bytes) = 0;
  /// Plain ways to fill n bytes of the destination; a rest below a cache line may be left.
  virtual std::vector<Contender> fills(std::int64_t n_bytes) = 0;

  virtual void take_turns(std::vector<Contender>& contenders, const Effort& effort) = 0;
  /// How a row of this device is timed, for a person; empty where that goes without saying.
  virtual std::string note(const Effort& /*effort*/) const { return {}; }

 protected:
  Site(Device device, Stream stream) : device_(device), stream_(std::move(stream)) {}
  std::byte *source_ = nullptr, *destination_ = nullptr;

 private:
  Device device_;
  Stream stream_;
};

/// Arrays begin `behind_bytes` behind a page.
std::unique_ptr<Site> cpu_site(std::shared_ptr<Executor> executor, MakePlan make_plan = estimated_plan, std::int64_t behind_bytes = 0);
/// Throws what cuda() and DeviceMemory throw; device in a build without CUDA.
std::unique_ptr<Site> gpu_site(Device device);

/// From the source to the destination, or to and from other memory of as many bytes.
using RunMove = std::function<void(const std::byte* src, std::byte* dst)>;

/// The places of a map's buffers in its arrays: the bytes at which each begins.
struct BufferBegins {
  std::vector<std::int64_t> source = {0}, destination = {0};
};
/// A plan's move between two arrays. Its workspace is made here. The site must outlive it.
RunMove move_of(Plan plan, const ArrayBytes& bytes, BufferBegins begins, Site& site);

}  // namespace crinkle::bench
