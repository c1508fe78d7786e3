// SPDX-License-Identifier: BSD-3-Clause
#include "kept_plans.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

#include "base/per_process.hpp"
#include "base/request_key.hpp"
#include "operations.hpp"

namespace crinkle::python {
namespace {

/// Values by keys, the last ones given first; few, so that they are looked through.
template <class T>
class Kept {
 public:
  /// The value, which is kept no longer, or an empty one.
  T take(const RequestKey& key) {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(values_.begin(), values_.end(), [&](const auto& kept) { return kept.first == key; });
    if (at == values_.end()) return {};
    T value = std::move(at->second);
    values_.erase(at);
    return value;
  }
  void give(RequestKey key, T value) {
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
  std::list<std::pair<RequestKey, T>> values_;
};

// Never destroyed: at the end of a program the driver goes first.
constinit PerProcess<Kept<std::unique_ptr<Sweeper>>> sweepers;

}  // namespace

void run_kept_sweeper(const Sweep& sweep, const View& source, const View& destination) {
  RequestKey key = key_of(sweep, source.device, source.stream);
  std::unique_ptr<Sweeper> sweeper = sweepers.get().take(key);
  if (!sweeper) sweeper = std::make_unique<Sweeper>(sweep, source.crinkle_device());
  sweeper->run(source.source(), destination.destination(), stream_of(source));
  sweepers.get().give(std::move(key), std::move(sweeper));
}

void clear_kept_plans() {
  clear_kept_operations();
  sweepers.get().clear();
}

}  // namespace crinkle::python
