// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cpu/nearest.hpp"

#include <algorithm>
#include <cmath>

namespace crinkle::interpolation {

void NearestList::add(const Neighbour& neighbour) {
  if (most_ == 0) {
    list_.push_back(neighbour);
    return;
  }
  const bool is_in_order = most_ <= most_in_order;
  if (is_full()) {
    if (!(neighbour < (is_in_order ? list_.back() : list_.front()))) return;
    if (!is_in_order) std::pop_heap(list_.begin(), list_.end());
    list_.pop_back();
  }
  list_.push_back(neighbour);
  if (is_in_order) {
    std::size_t at = list_.size() - 1;
    for (; at > 0 && neighbour < list_[at - 1]; --at) list_[at] = list_[at - 1];
    list_[at] = neighbour;
  } else {
    std::push_heap(list_.begin(), list_.end());
  }
  if (is_full()) bound_ = std::min(limit_, is_in_order ? list_.back().square : list_.front().square);
}

void NearestList::finish() {
  if (most_ == 0) std::sort(list_.begin(), list_.end());
  else if (most_ > most_in_order) std::sort_heap(list_.begin(), list_.end());
}

template <int n_dimensions>
NearestSearch<n_dimensions>::NearestSearch(const Tree& tree, std::int64_t neighbours, const Reach& reach, int sectors)
    : tree_(tree), n_sectors_(sectors), within_(reach), lists_(static_cast<std::size_t>(sectors), {neighbours, reach.outer}) {}

template <int n_dimensions>
std::int64_t NearestSearch<n_dimensions>::n_found() const {
  std::int64_t n = 0;
  for (const NearestList& list : lists_) n += std::ssize(list.list());
  return n;
}

// Differences, products and sums are monotonic in float64, so this is at most the square that is computed for any sample in the box.
template <int n_dimensions>
double NearestSearch<n_dimensions>::square_of_box(std::int64_t node) const {
  const auto& box = tree_.box(node);
  double away[3] = {};
  for (int a = 0; a < n_dimensions; ++a) away[a] = std::max({box.least[a] - q_[a], q_[a] - box.most[a], 0.0});
  return square_of<n_dimensions>(away);
}

// The farthest that a sample of the box can be to matter to one of the sectors that the box meets.
template <int n_dimensions>
double NearestSearch<n_dimensions>::bound_of_box(std::int64_t node) const {
  if (n_sectors_ == 1) return lists_[0].bound();
  const auto& box = tree_.box(node);
  double low[3] = {}, high[3] = {};  // of sample − target
  for (int a = 0; a < n_dimensions; ++a) {
    low[a] = box.least[a] - q_[a];
    high[a] = box.most[a] - q_[a];
  }
  const double slack = within_.slack(std::max(largest_of<n_dimensions>(box.least, q_), largest_of<n_dimensions>(box.most, q_)));
  double bound = -1;
  for (int sector = 0; sector < n_sectors_; ++sector)
    if (meets_sector<n_dimensions>(low, high, sector, n_sectors_, slack))
      bound = std::max(bound, lists_[static_cast<std::size_t>(sector)].bound());
  return bound;
}

// The last place's neighbours lie within its radius plus the step from it: only samples that near are searched.
template <int n_dimensions>
double NearestSearch<n_dimensions>::limit_here(const std::array<double, 3>& q, std::int64_t left_out) const {
  if (reached_ < 0 || left_out >= 0) return within_.outer;
  constexpr double rounding = 1 + 1e-9, least = 1e-290;
  const double away[3] = {q[0] - q_[0], q[1] - q_[1], q[2] - q_[2]};
  const double reach = (reached_ + std::sqrt(square_of<3>(away))) * rounding;
  return std::min(within_.outer, reach * reach + least);
}

template <int n_dimensions>
void NearestSearch<n_dimensions>::look_into(std::int64_t leaf, std::int64_t left_out) {
  const auto [begin, end] = tree_.leaf(leaf);
  const std::int64_t first_slot = (leaf - tree_.first_leaf()) * Tree::leaf_samples;
  for (std::int64_t p = begin; p < end; ++p) {
    const auto& place = tree_.place(p);
    double away[3] = {};
    for (int a = 0; a < n_dimensions; ++a) away[a] = place.x[a] - q_[a];
    const double square = square_of<n_dimensions>(away);
    const double slack = n_sectors_ == 1 ? 0 : within_.slack(largest_of<n_dimensions>(place.x, q_));
    NearestList& list = lists_[static_cast<std::size_t>(sector_of<n_dimensions>(away, n_sectors_, slack))];
    if (square <= list.bound() && place.index != left_out && within_.has<n_dimensions>(square, place.x, q_))
      list.add({square, place.index, first_slot + p - begin});
  }
}

template <int n_dimensions>
void NearestSearch<n_dimensions>::find(const std::array<double, 3>& q, std::int64_t left_out) {
  const double limit = limit_here(q, left_out);
  for (NearestList& list : lists_) list.clear(limit);
  for (int a = 0; a < 3; ++a) q_[a] = a < n_dimensions ? q[static_cast<std::size_t>(a)] : 0;
  stack_.clear();
  stack_.push_back({0, square_of_box(0)});
  while (!stack_.empty()) {
    auto [node, square] = stack_.back();
    stack_.pop_back();
    bool is_near = square <= bound_of_box(node);
    while (is_near && node < tree_.first_leaf()) {
      Waiting near{2 * node + 1, square_of_box(2 * node + 1)}, far{2 * node + 2, square_of_box(2 * node + 2)};
      if (far.square < near.square) std::swap(near, far);
      if (far.square <= bound_of_box(far.node)) stack_.push_back(far);
      node = near.node;
      is_near = near.square <= bound_of_box(node);
    }
    if (is_near) look_into(node, left_out);
  }
  for (NearestList& list : lists_) list.finish();
  const bool has_reached = n_sectors_ == 1 && left_out < 0 && lists_[0].is_full();
  reached_ = has_reached ? std::sqrt(lists_[0].list().back().square) : -1;
}

template class NearestSearch<2>;
template class NearestSearch<3>;

}  // namespace crinkle::interpolation
