// SPDX-License-Identifier: BSD-3-Clause
#include "kept_plans.hpp"

#include <algorithm>
#include <bit>
#include <list>
#include <mutex>
#include <utility>
#include <vector>

namespace crinkle::python {
namespace {

using Key = std::vector<std::int64_t>;

template <class Numbers>
void add(Key& key, const Numbers& numbers) {
  key.push_back(std::ssize(numbers));
  for (const auto& number : numbers) key.push_back(number);
}
void add(Key& key, const std::vector<double>& numbers) {
  key.push_back(std::ssize(numbers));
  for (const double number : numbers) key.push_back(std::bit_cast<std::int64_t>(number));
}
void add(Key& key, const Layout& layout) {
  add(key, layout.extents);
  add(key, layout.strides);
  key.insert(key.end(), {layout.offset, layout.element_bytes});
}

/// Values by keys, the last ones given first; few, so that they are looked through.
template <class T>
class Kept {
 public:
  /// The value, which is kept no longer, or an empty one.
  T take(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(values_.begin(), values_.end(), [&](const auto& kept) { return kept.first == key; });
    if (at == values_.end()) return {};
    T value = std::move(at->second);
    values_.erase(at);
    return value;
  }
  void give(Key key, T value) {
    const std::lock_guard lock(mutex_);
    values_.emplace_front(std::move(key), std::move(value));
    if (values_.size() > most) values_.pop_back();
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    values_.clear();
  }

 private:
  static constexpr std::size_t most = 16;
  std::mutex mutex_;
  std::list<std::pair<Key, T>> values_;
};

// Never destroyed: at the end of a program the driver goes first.
Kept<std::shared_ptr<const FftPlan>>& transforms() {
  static auto& kept = *new Kept<std::shared_ptr<const FftPlan>>;
  return kept;
}
Kept<std::shared_ptr<const ConvolvePlan>>& convolutions() {
  static auto& kept = *new Kept<std::shared_ptr<const ConvolvePlan>>;
  return kept;
}
Kept<std::unique_ptr<Sweeper>>& sweepers() {
  static auto& kept = *new Kept<std::unique_ptr<Sweeper>>;
  return kept;
}

template <class P, class Request>
std::shared_ptr<const P> kept_plan(Kept<std::shared_ptr<const P>>& kept, Key key, const Request& request, Device device) {
  std::shared_ptr<const P> plan = kept.take(key);
  if (!plan) plan = std::make_shared<const P>(request, device);
  kept.give(std::move(key), plan);
  return plan;
}

}  // namespace

std::shared_ptr<const FftPlan> fft_plan(const FftRequest& request, Device device) {
  Key key = {static_cast<std::int64_t>(request.kind), static_cast<std::int64_t>(request.direction), static_cast<std::int64_t>(request.norm),
             static_cast<std::int64_t>(request.real), static_cast<std::int64_t>(device.kind),       device.index};
  add(key, request.axes);
  add(key, request.sizes);
  add(key, request.in);
  add(key, request.out);
  return kept_plan(transforms(), std::move(key), request, device);
}

std::shared_ptr<const ConvolvePlan> convolve_plan(const ConvolveRequest& request, Device device) {
  Key key = {static_cast<std::int64_t>(request.mode), static_cast<std::int64_t>(request.real), request.is_correlation ? 1 : 0,
             static_cast<std::int64_t>(device.kind), device.index};
  add(key, request.axes);
  add(key, request.a);
  add(key, request.b);
  add(key, request.out);
  return kept_plan(convolutions(), std::move(key), request, device);
}

void run_kept_sweeper(const Sweep& sweep, const View& source, const View& destination) {
  Key key = {source.device,
             static_cast<std::int64_t>(source.stream),
             static_cast<std::int64_t>(sweep.source_type.number),
             static_cast<std::int64_t>(sweep.destination_type.number),
             sweep.steps,
             sweep.stencil.rank,
             std::ssize(sweep.stencil.passes)};
  add(key, sweep.source);
  add(key, sweep.destination);
  add(key, sweep.axes);
  for (const PointList& pass : sweep.stencil.passes) {
    add(key, pass.offsets);
    add(key, pass.coefficients);
  }
  for (const Faces& faces : sweep.boundary)
    for (const Face& face : {faces.low, faces.high})
      key.insert(key.end(), {static_cast<std::int64_t>(face.bound), std::bit_cast<std::int64_t>(face.value)});
  std::unique_ptr<Sweeper> sweeper = sweepers().take(key);
  if (!sweeper) sweeper = std::make_unique<Sweeper>(sweep, source.crinkle_device());
  sweeper->run(source.source(), destination.destination(), stream_of(source));
  sweepers().give(std::move(key), std::move(sweeper));
}

void clear_kept_plans() {
  transforms().clear();
  convolutions().clear();
  sweepers().clear();
}

}  // namespace crinkle::python
