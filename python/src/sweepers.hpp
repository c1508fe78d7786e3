// Calls of stencil() on a GPU keep sweepers for the next ones, which launch many steps as one graph.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/held_bytes.hpp"
#include "crinkle/sweeper.hpp"

namespace crinkle::python {

/// The sweepers of one sweep on a stream: a call takes one that no other has, or makes it.
class Sweepers {
 public:
  Sweepers(Sweep sweep, Device device) : sweep_(std::move(sweep)), device_(device) { give(std::make_unique<Sweeper>(sweep_, device_)); }
  void run(ConstBuffer source, Buffer destination, const Stream& stream) const {
    std::unique_ptr<Sweeper> sweeper = take();
    if (!sweeper) sweeper = std::make_unique<Sweeper>(sweep_, device_);
    sweeper->run(source, destination, stream);
    give(std::move(sweeper));
  }
  // With the arrays on the device, and what one sweeper has beside them, about.
  std::int64_t held_bytes() const {
    constexpr std::int64_t beside = 16 << 10;
    const std::lock_guard lock(mutex_);
    return held_by(sweep_) + beside + (idle_.empty() ? 0 : idle_.front()->workspace_bytes());
  }

 private:
  std::unique_ptr<Sweeper> take() const {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Sweeper> one;
    if (!idle_.empty()) one = std::move(idle_.back()), idle_.pop_back();
    return one;
  }
  void give(std::unique_ptr<Sweeper> one) const {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) idle_.push_back(std::move(one));
  }

  Sweep sweep_;
  Device device_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Sweeper>> idle_;
};

}  // namespace crinkle::python
