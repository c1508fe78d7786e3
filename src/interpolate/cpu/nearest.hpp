// The nearest samples of a place, in each sector, nearest first; of equal distances the lower index first. One NearestSearch a thread.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "interpolate/kd_tree.hpp"
#include "interpolate/metric.hpp"

namespace crinkle::interpolation {

struct Neighbour {
  double square = 0;       // of the distance
  std::int64_t index = 0;  // of the sample
  std::int64_t slot = 0;   // of the sample in the tree: 8 l + i, the i-th of leaf l

  friend bool operator<(const Neighbour& a, const Neighbour& b) { return a.square != b.square ? a.square < b.square : a.index < b.index; }
};

/// The least `most` neighbours of those added; 0: all of them.
class NearestList {
 public:
  NearestList(std::int64_t most, double limit) : most_(most), limit_(limit), bound_(limit) {}

  void clear(double limit) {
    limit_ = bound_ = limit;
    list_.clear();
  }
  /// A neighbour beyond this squared distance need not be added.
  double bound() const noexcept { return bound_; }
  bool is_full() const noexcept { return most_ > 0 && std::ssize(list_) == most_; }
  void add(const Neighbour& neighbour);
  /// Puts the nearest first.
  void finish();
  std::span<const Neighbour> list() const noexcept { return list_; }

 private:
  static constexpr std::int64_t most_in_order = 48;  // longer lists are heaps while they grow
  std::int64_t most_;
  double limit_, bound_;
  std::vector<Neighbour> list_;
};

template <int n_dimensions>
class NearestSearch {
 public:
  using Tree = KdTree<n_dimensions>;
  /// `neighbours` of each sector, 0: all within the radius.
  NearestSearch(const Tree& tree, std::int64_t neighbours, const Reach& reach, int sectors);

  /// Finds the neighbours of q; sample `left_out` is none. Places of one call after the other are best near each other.
  void find(const std::array<double, 3>& q, std::int64_t left_out = -1);
  std::span<const Neighbour> found(int sector) const { return lists_[static_cast<std::size_t>(sector)].list(); }
  std::int64_t n_found() const;

 private:
  struct Waiting {
    std::int64_t node;
    double square;  // of its box's distance
  };
  double square_of_box(std::int64_t node) const;
  double bound_of_box(std::int64_t node) const;
  double limit_here(const std::array<double, 3>& q, std::int64_t left_out) const;
  void look_into(std::int64_t leaf, std::int64_t left_out);

  const Tree& tree_;
  int n_sectors_;
  Reach within_;
  std::vector<NearestList> lists_;
  std::vector<Waiting> stack_;
  double q_[3] = {};
  double reached_ = -1;  // how far the last place's farthest neighbour is, or below 0
};

}  // namespace crinkle::interpolation
