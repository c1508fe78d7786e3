// Plans that move() made, by specification, options and layouts: the longest unused go first, bounded in bytes. Only under Python's lock.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "moves.hpp"

namespace crinkle::python {

class PlanCache {
 public:
  /// The plan of arrays like these; made where it is not there. `options` is the tuple that read_wish() reads, `into` may be null.
  std::shared_ptr<const MovePlan> find(std::span<const View> sources, nb::handle spec, nb::handle options, const View* into);
  void clear();
  std::size_t size() const noexcept { return entries_.size(); }

 private:
  struct Entry {
    std::size_t hash = 0;
    nb::object spec, options;
    std::vector<std::int64_t> numbers;
    std::shared_ptr<const MovePlan> plan;
    std::int64_t bytes = 0;
  };
  void drop_oldest();

  std::list<Entry> entries_;  // the last used first
  std::unordered_multimap<std::size_t, std::list<Entry>::iterator> by_hash_;
  std::int64_t bytes_ = 0;
  std::vector<std::int64_t> key_;  // of the call at hand
};

/// The process' own; never destroyed, since it holds Python's objects.
PlanCache& plan_cache();

}  // namespace crinkle::python
