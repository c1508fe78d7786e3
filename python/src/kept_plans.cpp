// SPDX-License-Identifier: BSD-3-Clause
#include "kept_plans.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <list>
#include <mutex>
#include <utility>
#include <vector>

namespace crinkle::python {

std::shared_ptr<const FftPlan> fft_plan(const FftRequest& request, Device device) {
  static std::mutex mutex;
  static auto& plans =
      *new std::list<std::pair<std::vector<std::int64_t>, std::shared_ptr<const FftPlan>>>;  // leaked: the driver goes before it
  constexpr std::size_t most = 32;
  constexpr std::int64_t end = std::numeric_limits<std::int64_t>::min();
  std::vector<std::int64_t> key = {static_cast<std::int64_t>(request.kind), static_cast<std::int64_t>(request.direction),
                                   static_cast<std::int64_t>(request.norm), static_cast<std::int64_t>(request.real),
                                   static_cast<std::int64_t>(device.kind),  device.index};
  for (const auto* numbers : {&request.axes, &request.sizes}) {
    key.insert(key.end(), numbers->begin(), numbers->end());
    key.push_back(end);
  }
  for (const Layout* layout : {&request.in, &request.out}) {
    key.insert(key.end(), layout->extents.begin(), layout->extents.end());
    key.insert(key.end(), layout->strides.begin(), layout->strides.end());
    key.insert(key.end(), {layout->offset, layout->element_bytes, end});
  }
  const auto find = [&]() -> std::shared_ptr<const FftPlan> {
    const std::lock_guard lock(mutex);
    const auto at = std::find_if(plans.begin(), plans.end(), [&](const auto& plan) { return plan.first == key; });
    if (at == plans.end()) return nullptr;
    plans.splice(plans.begin(), plans, at);
    return plans.front().second;
  };
  if (auto plan = find()) return plan;
  auto plan = std::make_shared<const FftPlan>(request, device);
  const std::lock_guard lock(mutex);
  plans.emplace_front(std::move(key), plan);
  if (plans.size() > most) plans.pop_back();
  return plan;
}

namespace {

// Sweepers of a GPU that are not in use: making one asks the driver for memory, which takes longer than a sweep.
class Sweepers {
 public:
  using Key = std::vector<std::int64_t>;
  static Key key_of(const Sweep& sweep, const View& view) {
    Key key = {view.device, static_cast<std::int64_t>(view.stream), static_cast<std::int64_t>(sweep.source_type.number), sweep.steps,
               sweep.stencil.rank};
    for (const Layout* layout : {&sweep.source, &sweep.destination}) {
      key.push_back(std::ssize(layout->extents));
      key.insert(key.end(), layout->extents.begin(), layout->extents.end());
      key.insert(key.end(), layout->strides.begin(), layout->strides.end());
      key.insert(key.end(), {layout->offset, layout->element_bytes});
    }
    for (const PointList& pass : sweep.stencil.passes) {
      key.push_back(pass.n_points());
      key.insert(key.end(), pass.offsets.begin(), pass.offsets.end());
      for (const double c : pass.coefficients) key.push_back(std::bit_cast<std::int64_t>(c));
    }
    key.insert(key.end(), {std::ssize(sweep.stencil.passes), std::ssize(sweep.axes), std::ssize(sweep.boundary)});
    key.insert(key.end(), sweep.axes.begin(), sweep.axes.end());
    for (const Faces& faces : sweep.boundary)
      for (const Face& face : {faces.low, faces.high})
        key.insert(key.end(), {static_cast<std::int64_t>(face.bound), std::bit_cast<std::int64_t>(face.value)});
    return key;
  }
  std::unique_ptr<Sweeper> take(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(kept_.begin(), kept_.end(), [&](const auto& kept) { return kept.first == key; });
    if (at == kept_.end()) return nullptr;
    std::unique_ptr<Sweeper> sweeper = std::move(at->second);
    kept_.erase(at);
    return sweeper;
  }
  void give(Key key, std::unique_ptr<Sweeper> sweeper) {
    const std::lock_guard lock(mutex_);
    kept_.emplace_front(std::move(key), std::move(sweeper));
    if (kept_.size() > most) kept_.pop_back();
  }

 private:
  static constexpr std::size_t most = 8;
  std::mutex mutex_;
  std::list<std::pair<Key, std::unique_ptr<Sweeper>>> kept_;
};

}  // namespace

void run_kept_sweeper(const Sweep& sweep, const View& source, const View& destination) {
  static auto& sweepers = *new Sweepers;  // leaked on purpose: the driver goes before it
  Sweepers::Key key = Sweepers::key_of(sweep, source);
  std::unique_ptr<Sweeper> sweeper = sweepers.take(key);
  if (!sweeper) sweeper = std::make_unique<Sweeper>(sweep, source.crinkle_device());
  sweeper->run(source.source(), destination.destination(), stream_of(source));
  sweepers.give(std::move(key), std::move(sweeper));
}

}  // namespace crinkle::python
