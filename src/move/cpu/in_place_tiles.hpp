// In-place moves share this: counting through an exchange, and the exchange of tiles.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cpu/parts.hpp"
#include "plan/in_place.hpp"

namespace crinkle {

/// Counts through the outer indices of an exchange: its pairs above > below, for each of them its outer axes.
class ExchangeWalk {
 public:
  explicit ExchangeWalk(const planning::Exchange& x) : x_(&x), n_outer_(n_indices(x.outer)), counter_(x.outer) {}

  std::int64_t size() const { return n_outer_ * planning::n_pairs(x_->above.extent); }
  void seek(std::int64_t t) {
    at_ = t;
    const planning::Pair pair = planning::pair_at(t / n_outer_, x_->above.extent);
    Spot start{x_->src_offset, x_->dst_offset, x_->src_slot, x_->dst_slot};
    start.step(x_->above, pair.above);
    start.step(x_->below, pair.below);
    counter_.seek(t % n_outer_, start);
  }
  const Spot& spot() const { return counter_.spot(); }

  /// The fastest outer axis where it counts bytes, and how many indices are left of it; else a single one.
  Axis line() const { return has_line() ? x_->outer[0] : Axis{}; }
  std::int64_t n_in_line() const { return has_line() ? counter_.left() : 1; }
  /// `n` more; requires n ≤ n_in_line().
  void skip(std::int64_t n) {
    at_ += n;
    if (at_ % n_outer_ != 0) return counter_.skip(n);
    if (at_ < size()) seek(at_);
  }

 private:
  bool has_line() const { return !x_->outer.empty() && x_->outer[0].dst_counts == Counts::bytes; }

  const planning::Exchange* x_;
  std::int64_t n_outer_, at_ = 0;
  Counter counter_;
};

/// Part p of n of an exchange of tiles or squares.
void exchange_tiles(const planning::Exchange& x, Destinations buffers, const simd::Kernels& kernels, std::int64_t part,
                    std::int64_t n_parts);

}  // namespace crinkle
