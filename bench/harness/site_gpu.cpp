// A GPU as a site. Hot runs go in trains that follow each other for a millisecond or more, whose gap before the first, some microseconds,
// is below 1 %; cold ones one by one, each behind a pass that reads a few times the second-level cache and between two events of its own,
// given to the stream while that pass goes on.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/checked.hpp"
#include "cuda/runtime.hpp"
#include "harness/buffers.hpp"
#include "harness/gpu_kernels.hpp"
#include "harness/site.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t guard_bytes = 4096;
constexpr double train_seconds = 1e-3;
constexpr std::int64_t times_the_cache = 4;  // two would do if what was used longest ago were always what goes
constexpr int cold_runs = 16;                // of which a sample is the mean, or of as few as take train_seconds together

class GpuSite : public Site {
 public:
  explicit GpuSite(Device device) : Site(device, Stream(device)), on_(device.index), lowest_(device, sizeof(unsigned long long)) {
    hot_clock_ = [timer = std::make_shared<gpu::Timer>(device.index), stream = stream()](const std::function<void()>& work) {
      timer->begin(stream.get());
      work();
      timer->end(stream.get());
      return timer->seconds();
    };
  }

  Executor& executor() override { return default_executor(); }
  Plan plan(const Rearrangement& map) override { return Plan(map, device()); }
  void run(const Plan& plan, std::span<const ConstBuffer> from, std::span<const Buffer> to, Buffer workspace) override {
    plan.run(from, to, stream(), workspace);
  }

  std::shared_ptr<std::byte> memory(std::int64_t n_bytes) override {
    if (n_bytes == 0) return nullptr;
    const auto owner = std::make_shared<DeviceMemory>(device(), n_bytes);
    return {owner, static_cast<std::byte*>(owner->data())};
  }
  void reserve(const ArrayBytes& bytes) override {
    from_ = to_ = {};
    from_ = DeviceMemory(device(), bytes.source + guard_bytes);
    to_ = DeviceMemory(device(), bytes.destination + guard_bytes);
    source_ = static_cast<std::byte*>(from_.data());
    destination_ = static_cast<std::byte*>(to_.data());
  }

  void fill(std::int64_t n_bytes, std::uint64_t seed) override { randomize_on_gpu(source_, n_bytes, seed, stream().get()); }
  void poison(std::int64_t n_bytes) override {
    memset_on_gpu(destination_, std::to_integer<int>(Region::poison_byte), n_bytes + guard_bytes, stream().get());
  }
  bool is_guard_whole(std::int64_t n_bytes) override {
    const std::vector<std::byte> guard = on_host(destination_ + n_bytes, guard_bytes);
    return std::all_of(guard.begin(), guard.end(), [](std::byte b) { return b == Region::poison_byte; });
  }
  std::int64_t first_wrong(const Boxes& boxes) override {
    unsigned long long lowest = ~0ull;
    copy_bytes({&lowest, sizeof lowest}, lowest_);
    for (const Box& box : boxes) check_on_gpu(box, source_, destination_, static_cast<unsigned long long*>(lowest_.data()), stream().get());
    wait();
    copy_bytes(lowest_, {&lowest, sizeof lowest});
    return lowest == ~0ull ? std::int64_t{-1} : static_cast<std::int64_t>(lowest);
  }

  /// The driver's, and a kernel's of as many whole vectors of 16 as they touch.
  std::vector<Contender> copies(std::int64_t n_bytes) override {
    const auto with = [dst = destination_, src = source_, s = stream().get()](const auto& copy) { return [=] { copy(src, dst, s); }; };
    return {{"driver", with([=](const std::byte* src, std::byte* dst, CUstream_st* s) { gpu::copy_on_device(src, dst, n_bytes, s); })},
            {"kernel", with([n = ceil_divide(n_bytes, 16) * 16](const std::byte* src, std::byte* dst, CUstream_st* s) {
               copy_on_gpu(src, dst, n, s);
             })}};
  }
  std::vector<Contender> fills(std::int64_t n_bytes) override {
    return {{"fill", [=, dst = destination_, s = stream().get()] { fill_on_gpu(dst, n_bytes, s); }},
            {"memset", [=, dst = destination_, s = stream().get()] { memset_on_gpu(dst, 1, n_bytes, s); }}};
  }

  void take_turns(std::vector<Contender>& contenders, const Effort& effort) override {
    for (Contender& c : contenders) {
      if (c.clock.target<double (*)(const std::function<void()>&)>() == nullptr) continue;  // it brings a clock of its own
      c.clock = hot_clock_;
      c.sample_seconds = train_seconds;
    }
    take_hot_and_cold(contenders, effort, effort.has_cold ? cold_clock() : Clock());
  }

  std::string note(const Effort& effort) const override {
    return fmt::format(
        "seconds of a launch in a train of {:.0f} ms or more on one stream, the host's part where it is the longer{}", 1e3 * train_seconds,
        effort.has_cold ? fmt::format("; cold: of one launch behind a pass that reads {} times the second-level cache", times_the_cache)
                        : "");
  }

 private:
  Clock cold_clock() {
    if (evictor_.bytes() == 0) {
      constexpr std::int64_t least = 64 << 20;
      evictor_ = DeviceMemory(device(), std::max(least, multiply(times_the_cache, facts_of(device()).cache_bytes) / 16 * 16));
      sink_ = DeviceMemory(device(), sizeof(unsigned));
      randomize_on_gpu(evictor_.data(), evictor_.bytes(), 1, stream().get());
    }
    return [this](const std::function<void()>& work) {
      double seconds = 0;
      int n = 0;
      for (; n < cold_runs && seconds < train_seconds; ++n) {
        read_on_gpu(evictor_.data(), evictor_.bytes(), sink_.data(), stream().get());
        seconds += hot_clock_(work);
      }
      return seconds / n;
    };
  }

  gpu::OnDevice on_;
  DeviceMemory from_, to_, lowest_, evictor_, sink_;
  Clock hot_clock_;
};

}  // namespace

std::unique_ptr<Site> gpu_site(Device device) { return std::make_unique<GpuSite>(device); }

}  // namespace crinkle::bench
