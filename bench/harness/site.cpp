// SPDX-License-Identifier: BSD-3-Clause
#include "harness/site.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "cpu/copy.hpp"
#include "harness/buffers.hpp"
#include "harness/walk.hpp"

namespace crinkle::bench {
namespace {

class CpuSite : public Site {
 public:
  CpuSite(std::shared_ptr<Executor> executor, MakePlan make_plan, std::int64_t behind_bytes)
      : Site(cpu(), {}), first_(executor), executor_(std::move(executor)), make_plan_(std::move(make_plan)), behind_(behind_bytes) {}

  Executor& executor() override { return *executor_; }
  void use_threads(int n) override {
    if (n == 0) n = first_->n_workers();
    if (n == executor_->n_workers()) return;
    executor_ = n == first_->n_workers() ? first_ : std::shared_ptr<Executor>(make_executor(n));
    evictor_.reset();
  }

  Plan plan(const Rearrangement& map) override { return make_plan_(map, *executor_); }
  void run(const Plan& plan, std::span<const ConstBuffer> from, std::span<const Buffer> to, Buffer workspace) override {
    plan.run(from, to, *executor_, workspace);
  }

  std::shared_ptr<std::byte> memory(std::int64_t n_bytes) override {
    if (n_bytes == 0) return nullptr;
    const auto region = std::make_shared<Region>(n_bytes, *executor_);
    return {region, region->data()};
  }
  void reserve(const ArrayBytes& bytes) override {
    from_.reset();
    to_.reset();
    source_ = from_.emplace(bytes.source, *executor_, behind_).data();
    destination_ = to_.emplace(bytes.destination, *executor_, behind_).data();
  }

  void fill(std::int64_t n_bytes, std::uint64_t seed) override { from_->fill_random(n_bytes, seed, *executor_); }
  void poison(std::int64_t n_bytes) override { to_->poison(n_bytes, *executor_); }
  bool is_guard_whole(std::int64_t n_bytes) override { return to_->is_guard_whole(n_bytes); }
  std::int64_t first_wrong(const Boxes& boxes) override { return first_wrong_byte(boxes, source_, destination_, *executor_); }

  /// Copies of every kind on all workers; and where there are several, memcpy on one thread, which is the fastest below some 64 KiB.
  std::vector<Contender> copies(std::int64_t n_bytes) override {
    std::vector<Contender> all;
    for (const CopyKind kind : copy_kinds)
      all.push_back({name_of(kind), [=, this, dst = destination_, src = source_] { copy_plain(kind, dst, src, n_bytes, *executor_); }});
    if (executor_->n_workers() > 1)
      all.push_back({"memcpy_1_thread", [=, dst = destination_, src = source_] { copy_plain(CopyKind::memcpy, dst, src, n_bytes); }});
    return all;
  }

  std::vector<Contender> fills(std::int64_t n_bytes) override {
    const auto in_lines = [=, this](const auto& write) {
      return [=, this, dst = destination_] {
        constexpr std::int64_t line = 64;
        const std::int64_t n_lines = n_bytes / line, n_parts = executor_->n_workers() == 1 ? 1 : std::int64_t{8} * executor_->n_workers();
        executor_->parallel_for(n_parts, [&](std::int64_t p) {
          const std::int64_t first = n_lines * p / n_parts, last = n_lines * (p + 1) / n_parts;
          write(dst + line * first, line * (last - first));
        });
      };
    };
    const auto stream = [](std::byte* to, std::int64_t n) {
      constexpr std::int64_t most = 64 << 10;  // stays in the second cache
      alignas(64) static const std::byte from[most] = {};
      for (std::int64_t at = 0; at < n; at += most) copy_plain(CopyKind::streamed, to + at, from, std::min(most, n - at));
    };
    return {{"streamed", in_lines(stream)},
            {"fill", in_lines([](std::byte* to, std::int64_t n) { std::fill_n(reinterpret_cast<float*>(to), n / 4, 1.5F); })},
            {"memset", in_lines([](std::byte* to, std::int64_t n) { std::memset(to, 1, static_cast<std::size_t>(n)); })}};
  }

  void take_turns(std::vector<Contender>& contenders, const Effort& effort) override {
    if (!evictor_) evictor_.emplace(*executor_);
    take_hot_and_cold(contenders, effort, evictor_->clock());
  }

 private:
  std::shared_ptr<Executor> first_, executor_;
  MakePlan make_plan_;
  std::int64_t behind_;
  std::optional<Region> from_, to_;
  std::optional<Evictor> evictor_;
};

}  // namespace

std::unique_ptr<Site> cpu_site(std::shared_ptr<Executor> executor, MakePlan make_plan, std::int64_t behind_bytes) {
  return std::make_unique<CpuSite>(std::move(executor), std::move(make_plan), behind_bytes);
}

void Site::put(const void* data, std::int64_t n_bytes) {
  if (is_gpu()) copy_bytes({data, n_bytes}, {source_, n_bytes});
  else std::memcpy(source_, data, static_cast<std::size_t>(n_bytes));
}

std::vector<std::byte> Site::on_host(const void* data, std::int64_t n_bytes) const {
  std::vector<std::byte> copy(static_cast<std::size_t>(n_bytes));
  if (is_gpu()) copy_bytes({data, n_bytes}, {copy.data(), n_bytes});
  else std::memcpy(copy.data(), data, copy.size());
  return copy;
}

void Site::check(const std::string& what, const ArrayBytes& bytes, std::uint64_t seed, const std::function<void()>& run,
                 const std::function<std::int64_t()>& first_wrong, const std::function<void()>& fill_source) {
  if (fill_source) fill_source();
  else fill(bytes.source, seed);
  poison(bytes.destination);
  wait();
  run();
  wait();
  const std::int64_t at = first_wrong();
  const std::string which = what + ", seed " + std::to_string(seed) + ": ";
  if (at >= 0) throw std::runtime_error(which + "byte " + std::to_string(at) + " of the result is not as defined");
  if (!is_guard_whole(bytes.destination)) throw std::runtime_error(which + "bytes beside the result were written");
}

RunMove move_of(Plan plan, const ArrayBytes& bytes, BufferBegins begins, Site& site) {
  const std::int64_t n_between = plan.workspace_bytes();
  return [plan = std::move(plan), bytes, begins = std::move(begins), n_between, between = site.memory(n_between), &site](
             const std::byte* src, std::byte* dst) {
    detail::SmallVector<ConstBuffer, 4> from;
    detail::SmallVector<Buffer, 4> to;
    for (const std::int64_t at : begins.source) from.push_back({src + at, bytes.source - at});
    for (const std::int64_t at : begins.destination) to.push_back({dst + at, bytes.destination - at});
    site.run(plan, {from.data(), from.size()}, {to.data(), to.size()}, {between.get(), n_between});
  };
}

}  // namespace crinkle::bench
