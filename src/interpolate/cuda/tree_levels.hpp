// The steps that divide lists of samples into the nodes of a tree, a level after the other, and put the samples in its order
// (tree_steps.hpp). SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpolate/cuda/tree_steps.hpp"

namespace crinkle::interpolation::tree_steps {

/// The node of a level that has position p of n: halves of halves, the first of them the smaller one.
struct Node {
  std::int64_t begin, end, number;
  CRINKLE_HD Node(std::int64_t p, std::int64_t n, int level) : begin(0), end(n), number(0) {
    for (int k = 0; k < level; ++k) {
      const bool is_second = p >= middle();
      (is_second ? begin : end) = middle();
      number = 2 * number + (is_second ? 2 : 1);
    }
  }
  CRINKLE_HD std::int64_t middle() const { return begin + (end - begin) / 2; }
};

/// A list a dimension: [n_dimensions][n]. Where marks are: [samples].
struct Lists {
  const Position *samples, *marks;
  std::int64_t n;
};

/// 1 for what is marked: what a scan adds up to say where it goes.
struct Marked {
  const Position *samples, *marks;
  CRINKLE_HD Position operator()(std::int64_t at) const { return marks[samples[at]]; }
};

/// The marked of every list.
struct TakeMarked {
  Lists all;
  const Position* ranks;
  std::int64_t n_marked;
  Position* to;
  CRINKLE_HD void operator()(std::int64_t at) const {
    const Position sample = all.samples[at];
    if (all.marks[sample] == 0) return;
    const std::int64_t list = at / all.n;
    to[list * n_marked + static_cast<Position>(ranks[at] - ranks[list * all.n])] = sample;
  }
};

struct Planes {
  const double* numbers;  // [n_dimensions][n]
  std::int64_t n;
};

/// The box of every node of a level; of a node with halves, which samples are in the first.
template <int n_dimensions>
struct SplitNodes {
  Lists lists;
  Planes planes;
  int level;
  bool are_leaves;
  Position* marks;
  double* boxes;         // [nodes][2][n_dimensions]
  std::int64_t* bounds;  // [leaves + 1]
  CRINKLE_HD void operator()(std::int64_t p) const {
    const Node node(p, lists.n, level);
    double length = -1;
    int longest = 0;
    double* const box = boxes + node.number * (2 * n_dimensions);
    for (int a = 0; a < n_dimensions; ++a) {
      const double* const x = planes.numbers + a * planes.n;
      const Position* const list = lists.samples + a * lists.n;
      const double least = x[list[node.begin]], most = x[list[node.end - 1]];
      if (most - least > length) {
        length = most - least;
        longest = a;
      }
      if (p != node.begin) continue;
      box[a] = least;
      box[n_dimensions + a] = most;
    }
    if (!are_leaves) {
      marks[lists.samples[longest * lists.n + p]] = p < node.middle() ? 1 : 0;
    } else if (p == node.begin) {
      bounds[node.number - ((std::int64_t{1} << level) - 1)] = node.begin;
      if (node.end == lists.n) bounds[std::int64_t{1} << level] = lists.n;
    }
  }
};

/// Every list in two halves of each node, which keep their order.
struct Divide {
  Lists lists;
  const Position* ranks;
  int level;
  Position* to;
  CRINKLE_HD void operator()(std::int64_t at) const {
    const std::int64_t begin = at / lists.n * lists.n, p = at - begin;
    const Node node(p, lists.n, level);
    const Position sample = lists.samples[at];
    const std::int64_t rank = static_cast<Position>(ranks[at] - ranks[begin + node.begin]);
    to[begin + (lists.marks[sample] != 0 ? node.begin + rank : node.middle() + (p - node.begin - rank))] = sample;
  }
};

struct PutSamples {
  Given given;
  const Position* order;
  const double* planes;
  double *places, *weights;  // of the tree
  std::int64_t* indices;
  Position* position_of;
  CRINKLE_HD void operator()(std::int64_t p) const {
    const std::int64_t i = order[p];
    for (int a = 0; a < given.n_dimensions; ++a) places[p * given.n_dimensions + a] = planes[a * given.n + i];
    if (given.has_weights) weights[p] = given.weights[i];
    indices[p] = i;
    position_of[i] = static_cast<Position>(p);
  }
};
struct PutValues {
  Numbers from;
  const Position* order;
  std::int64_t column, n_columns;
  double* values;
  CRINKLE_HD void operator()(std::int64_t p) const { values[p * n_columns + column] = from[order[p]]; }
};
struct PutColumns {
  const std::uint64_t* extremes;
  CudaColumn* columns;
  CRINKLE_HD void operator()(std::int64_t c) const {
    columns[c] = {0, 1, from_ordered(extremes[2 * c]), from_ordered(extremes[2 * c + 1])};
  }
};

/// Samples on one place stand for all of them, rounded as SharedPlaces::merged rounds: the first of each place goes through the others.
struct MergePlaces {
  Given given;
  InOrder samples;
  Numbers from;
  std::int64_t column;
  const CudaColumn* columns;
  const Position *kept, *position_of;
  double *values, *weights;
  CRINKLE_HD void operator()(std::int64_t p) const {
    if (!samples.is_there(p) || (p > 0 && samples.is_same(p - 1, p)) || p + 1 == samples.n || !samples.is_same(p, p + 1)) return;
    const double zero = from[samples.order[p]];
    double all = 0, sum = 0;
    std::int64_t end = p;
    for (; end < samples.n && samples.is_same(p, end); ++end) {
      const std::int64_t i = samples.order[end];
      const double weight = given.has_weights ? given.weights[i] : 1;
      all += weight;
      sum += times(weight, from[i] - zero);
    }
    const double least = columns[column].least, most = columns[column].most, mean = zero + sum / all;
    for (std::int64_t q = p; q < end; ++q) {
      const std::int64_t i = samples.order[q];
      if (kept[i] == 0) continue;
      const std::int64_t to = position_of[i];
      values[to * given.n_columns + column] = mean < least ? least : mean > most ? most : mean;
      if (given.has_weights) weights[to] = all / static_cast<double>(end - p);
    }
  }
};

}  // namespace crinkle::interpolation::tree_steps
