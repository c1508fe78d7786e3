// SPDX-License-Identifier: BSD-3-Clause
#include "c/shared.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

#include "base/per_process.hpp"

namespace crinkle::c {
namespace {

struct KnownExecutors {
  std::mutex mutex;
  std::map<int, std::weak_ptr<Executor>> by_threads;
  std::deque<std::shared_ptr<Executor>> kept;  // the last used first
};

}  // namespace

static_assert(static_cast<int>(ErrorCode::bad_notation) + 1 == crinkle_bad_notation);
static_assert(static_cast<int>(ErrorCode::exists) + 1 == crinkle_exists && crinkle_exists + 1 == crinkle_failed);

std::string& error_text() {
  static thread_local std::string text;
  return text;
}

crinkle_status failed(crinkle_status status, const char* text) noexcept {
  try {
    error_text() = text;
  } catch (...) { error_text().clear(); }
  return status;
}

Layout layout_of(const crinkle_layout* given_layout, const char* name) {
  const crinkle_layout& l = given(given_layout, name);
  if (l.rank < 0) throw Error(ErrorCode::bad_shape, std::string(name) + ": a rank of " + std::to_string(l.rank));
  const auto list = [&](const std::int64_t* numbers, const char* what) {
    if (l.rank > 0 && numbers == nullptr) throw Error(ErrorCode::bad_shape, std::string(name) + ": " + what + " is NULL");
    return Extents(numbers, numbers + l.rank);
  };
  Layout layout = Layout::dense(list(l.extents, "extents"), l.element_bytes);
  if (l.strides != nullptr) layout.strides = list(l.strides, "strides");
  layout.offset = l.offset;
  return layout;
}

Device device_of(int device) {
  if (device < crinkle_cpu) throw Error(ErrorCode::device, "there is no device " + std::to_string(device) + "; crinkle_cpu is -1");
  return device == crinkle_cpu ? cpu() : cuda(device);
}

std::shared_ptr<Executor> executor_of(int n_threads) {
  static constinit PerProcess<KnownExecutors> known;
  constexpr std::size_t most_kept = 4;
  if (n_threads == 0) return {std::shared_ptr<void>(), &default_executor()};
  std::shared_ptr<Executor> dropped;  // its threads end without the lock
  auto& [mutex, by_threads, kept] = known.get();
  const std::lock_guard lock(mutex);
  const auto found = by_threads.find(n_threads);
  std::shared_ptr<Executor> executor = found != by_threads.end() ? found->second.lock() : nullptr;
  if (executor == nullptr) by_threads[n_threads] = executor = make_executor(n_threads);
  const auto at = std::find(kept.begin(), kept.end(), executor);
  if (at != kept.end()) kept.erase(at);
  kept.push_front(executor);
  if (kept.size() > most_kept) {
    dropped = std::move(kept.back());
    kept.pop_back();
  }
  return executor;
}

}  // namespace crinkle::c
