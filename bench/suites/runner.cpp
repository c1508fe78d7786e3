// SPDX-License-Identifier: BSD-3-Clause
#include "suites/runner.hpp"

#include <utility>

#include "suites/buffers.hpp"

namespace crinkle::bench {

void Runner::run(const Plan& plan, std::span<const ConstBuffer> from, std::span<const Buffer> to, Buffer workspace) const {
  if (executor_ != nullptr) plan.run(from, to, *executor_, workspace);
  else plan.run(from, to, stream_, workspace);
}

std::shared_ptr<std::byte> Runner::memory(std::int64_t n_bytes) const {
  if (n_bytes == 0) return nullptr;
  if (executor_ != nullptr) {
    const auto region = std::make_shared<Region>(n_bytes, *executor_);
    return {region, region->data()};
  }
  const auto owner = std::make_shared<DeviceMemory>(device_, n_bytes);
  return {owner, static_cast<std::byte*>(owner->data())};
}

RunMove run_of(Plan plan, const ArrayBytes& bytes, CaseBuffers begins, const Runner& runner) {
  const std::int64_t n_between = plan.workspace_bytes();
  return [plan = std::move(plan), bytes, begins = std::move(begins), n_between, between = runner.memory(n_between), runner](
             const std::byte* src, std::byte* dst) {
    detail::SmallVector<ConstBuffer, 4> from;
    detail::SmallVector<Buffer, 4> to;
    for (const std::int64_t at : begins.source) from.push_back({src + at, bytes.source - at});
    for (const std::int64_t at : begins.destination) to.push_back({dst + at, bytes.destination - at});
    runner.run(plan, {from.data(), from.size()}, {to.data(), to.size()}, {between.get(), n_between});
  };
}

}  // namespace crinkle::bench
