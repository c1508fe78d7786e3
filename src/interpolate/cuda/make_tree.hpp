// The steps that make a tree (tree_steps.hpp), in their order. Work has each(n, step), step(i) for every i of n; sort(keys, sorted keys,
// positions, sorted positions, n), equal keys in their order; and scan(flag, ranks, n): ranks[i] = Σ flag(j) over j < i.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "interpolate/cuda/tree_levels.hpp"

namespace crinkle::interpolation {

/// Arrays one behind the other, each from a multiple of 256 bytes on; with no memory only the bytes are counted.
class Carving {
 public:
  explicit Carving(void* memory = nullptr) : memory_(static_cast<std::byte*>(memory)) {}

  template <class T>
  void take(T*& array, std::int64_t n) {
    array = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + bytes_);
    bytes_ = add(bytes_, multiply(ceil_divide(multiply(n, std::int64_t{sizeof(T)}), unit), unit));
  }
  std::int64_t bytes() const noexcept { return bytes_; }

 private:
  static constexpr std::int64_t unit = 256;
  std::byte* memory_;
  std::int64_t bytes_ = 0;
};

/// What is needed while a tree is made.
struct TreeScratch {
  tree_steps::Facts* facts = nullptr;
  std::uint64_t* extremes = nullptr;  // [n_columns + more_extremes][2]
  double* planes = nullptr;           // [n_dimensions][n]
  std::uint64_t *keys = nullptr, *sorted = nullptr;
  tree_steps::Position *own = nullptr, *kept = nullptr;                      // [n]; of a sample its place in the tree; whether it is in it
  tree_steps::Position *orders = nullptr, *lists[2] = {}, *ranks = nullptr;  // [n_dimensions][n]
  std::byte* temporary = nullptr;                                            // of sorts and scans

  TreeScratch(const tree_steps::Given& given, std::int64_t temporary_bytes, void* memory = nullptr) {
    Carving carving(memory);
    const std::int64_t n = given.n, all = multiply(n, std::int64_t{given.n_dimensions});
    carving.take(facts, 1);
    carving.take(extremes, 2 * (given.n_columns + tree_steps::more_extremes));
    carving.take(planes, all);
    carving.take(keys, n);
    carving.take(sorted, n);
    carving.take(own, n);
    carving.take(kept, n);
    for (tree_steps::Position** array : {&orders, &lists[0], &lists[1], &ranks}) carving.take(*array, all);
    carving.take(temporary, temporary_bytes);
    bytes = carving.bytes();
  }
  std::int64_t bytes = 0;
};

/// What kernels read of a tree (near_form.hpp).
struct TreeArrays {
  double *places = nullptr, *boxes = nullptr, *values = nullptr, *weights = nullptr;
  std::int64_t *bounds = nullptr, *indices = nullptr;
  CudaColumn* columns = nullptr;
  std::int64_t n = 0, n_leaves = 1, bytes = 0;
  int n_levels = 0;  // of nodes that are split

  TreeArrays(const tree_steps::Given& given, std::int64_t n_kept, std::int64_t leaf_samples, void* memory = nullptr) : n(n_kept) {
    for (; n_leaves * leaf_samples < n; n_leaves *= 2) ++n_levels;
    Carving carving(memory);
    carving.take(places, multiply(n, std::int64_t{given.n_dimensions}));
    carving.take(boxes, multiply(2 * n_leaves - 1, std::int64_t{2 * given.n_dimensions}));
    carving.take(values, multiply(n, given.n_columns));
    if (given.has_weights) carving.take(weights, n);
    carving.take(bounds, n_leaves + 1);
    carving.take(indices, n);
    carving.take(columns, given.n_columns);
    bytes = carving.bytes();
  }
};

namespace tree_steps {

/// Checks samples, and puts the coordinates of those that count into the frame. What it says is in the facts and the extremes.
template <class Work>
void check_samples(Work& work, const Given& given, const Numbers* values, const TreeScratch& scratch) {
  const std::int64_t n = given.n;
  std::uint64_t* const of_axes = scratch.extremes + 2 * given.n_columns;
  work.each(given.n_columns + more_extremes, BeginFacts{scratch.facts, scratch.extremes});
  work.each(n_threads(n), CheckPlaces{given, scratch.facts, of_axes + 6});
  for (std::int64_t c = 0; c < given.n_columns; ++c)
    work.each(n_threads(n), CheckValues{given, values[c], c, scratch.facts, scratch.extremes + 2 * c});
  work.each(n_threads(n), PutPlanes{given, scratch.facts, of_axes, scratch.planes});
}

/// Then: their orders along the axes, and which of them a tree has.
template <class Work>
void order_samples(Work& work, const Given& given, const TreeScratch& scratch) {
  const std::int64_t n = given.n;
  const Position* order = nullptr;
  for (int a = given.n_dimensions - 1; a >= 0; --a) {
    work.each(n, PutKeys{scratch.planes + a * n, order, scratch.own, scratch.keys});
    Position* const sorted = scratch.orders + a * n;
    work.sort(scratch.keys, scratch.sorted, order == nullptr ? scratch.own : order, sorted, n);
    order = sorted;
  }
  const InOrder samples{scratch.planes, scratch.orders, n, given.n_dimensions};
  work.each(n_threads(n), FindKept{samples, given.most_of_place, scratch.kept, scratch.facts});
}

/// Requires what both left in the scratch; `facts` are its.
template <int n_dimensions, class Work>
void build(Work& work, const Given& given, const Numbers* values, const Facts& facts, const TreeScratch& scratch, const TreeArrays& tree) {
  const std::int64_t n = tree.n;
  Position *lists = scratch.lists[0], *next = scratch.lists[1];
  work.scan(Marked{scratch.orders, scratch.kept}, scratch.ranks, n_dimensions * given.n);
  work.each(n_dimensions * given.n, TakeMarked{{scratch.orders, scratch.kept, given.n}, scratch.ranks, n, lists});
  Position* const marks = scratch.own;
  for (int level = 0; level <= tree.n_levels; ++level) {
    const Lists all{lists, marks, n};
    work.each(n, SplitNodes<n_dimensions>{all, {scratch.planes, given.n}, level, level == tree.n_levels, marks, tree.boxes, tree.bounds});
    if (level == tree.n_levels) break;
    work.scan(Marked{lists, marks}, scratch.ranks, n_dimensions * n);
    work.each(n_dimensions * n, Divide{all, scratch.ranks, level, next});
    std::swap(lists, next);
  }
  work.each(given.n_columns, PutColumns{scratch.extremes, tree.columns});
  work.each(n, PutSamples{given, lists, scratch.planes, tree.places, tree.weights, tree.indices, scratch.own});
  const InOrder samples{scratch.planes, scratch.orders, given.n, n_dimensions};
  for (std::int64_t c = 0; c < given.n_columns; ++c) {
    work.each(n, PutValues{values[c], lists, c, given.n_columns, tree.values});
    if (facts.has_shared != 0)
      work.each(given.n, MergePlaces{given, samples, values[c], c, tree.columns, scratch.kept, scratch.own, tree.values, tree.weights});
  }
}

}  // namespace tree_steps
}  // namespace crinkle::interpolation
