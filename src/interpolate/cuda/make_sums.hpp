// Samples in a GPU's memory as sums over all of them read them (scaled.hpp): along a curve, so that runs of them lie together, in float64
// and scaled to both types. Steps as those of a tree (make_tree.hpp), which a CPU takes in tests; they have the bits of samples of the
// host.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpolate/cuda/make_tree.hpp"
#include "interpolate/order.hpp"
#include "interpolate/scaled.hpp"

namespace crinkle::interpolation {

template <class T>
struct ScaledArrays {
  ScaledPlaces<T> places{};
  T *values = nullptr, *weights = nullptr;  // [n_columns][n]; [n], 1 where samples have none

  void take(Carving& carving, const tree_steps::Given& given, std::int64_t n) {
    [[maybe_unused]] const std::int64_t n_runs = ceil_divide(n, run_samples);  // of float32
    for (int a = 0; a < given.n_dimensions; ++a) {
      carving.take(places.high[a], n);
      if constexpr (sizeof(T) == 4) {
        carving.take(places.low[a], n);
        carving.take(places.origin[a], n_runs);
        carving.take(places.origin_low[a], n_runs);
      }
    }
    if constexpr (sizeof(T) == 4) carving.take(places.square_radius, n_runs);
    carving.take(values, multiply(n, given.n_columns));
    if (given.has_weights || given.n_columns > 1) carving.take(weights, n);
  }
};

/// What kernels of sums read (form.hpp).
struct SumArrays {
  double *places[3] = {}, *values = nullptr, *weights = nullptr;  // [n], [n_columns][n], [n]
  ScaledArrays<float> float32{};
  ScaledArrays<double> float64{};
  std::int64_t n = 0, bytes = 0;

  SumArrays(const tree_steps::Given& given, std::int64_t n_counted, void* memory = nullptr) : n(n_counted) {
    Carving carving(memory);
    for (int a = 0; a < given.n_dimensions; ++a) carving.take(places[a], n);
    carving.take(values, multiply(n, given.n_columns));
    if (given.has_weights) carving.take(weights, n);
    float32.take(carving, given, n);
    float64.take(carving, given, n);
    bytes = carving.bytes();
  }
};

/// Where the samples that count lie, and the greatest of their weights.
struct SampleBox {
  Scale::Box box{};
  double most_weight = 1;
};

namespace tree_steps {

/// Samples that do not count come last.
struct PutCurveCodes {
  const double* planes;  // [n_dimensions][n]
  std::int64_t n;
  int n_dimensions;
  double least[3], most[3];
  Position* own;
  std::uint64_t* keys;
  CRINKLE_HD void operator()(std::int64_t i) const {
    double q[3] = {};
    for (int a = 0; a < n_dimensions; ++a) q[a] = planes[a * n + i];
    own[i] = static_cast<Position>(i);
    keys[i] = q[0] < infinity ? code_on_curve(q, least, most) : none;
  }
};
struct PutAlongCurve {
  const double* plane;
  const Position* order;
  double* to;
  CRINKLE_HD void operator()(std::int64_t p) const { to[p] = plane[order[p]]; }
};
struct PutNumbers {
  Numbers from;
  const Position* order;  // null: their own
  double* to;
  CRINKLE_HD void operator()(std::int64_t p) const { to[p] = from[order == nullptr ? p : static_cast<std::int64_t>(order[p])]; }
};

template <class T, class Work>
void scale_samples(Work& work, const Given& given, const Scale& scale, double most_weight, const SumArrays& from,
                   const ScaledArrays<T>& to) {
  ScaleRun<T> places{.n = from.n, .n_dimensions = given.n_dimensions, .factor = scale.factor, .to = to.places};
  for (int a = 0; a < given.n_dimensions; ++a) {
    places.places[a] = from.places[a];
    places.origin[a] = scale.origin[a];
  }
  work.each(ceil_divide(from.n, run_samples), places);
  ScaleValues<T> values{.weights = from.weights, .most_weight = most_weight};
  for (std::int64_t c = 0; c < given.n_columns; ++c) {
    values.values = from.values + c * from.n;
    values.zero = scale.columns[static_cast<std::size_t>(c)].zero;
    values.factor = scale.columns[static_cast<std::size_t>(c)].factor;
    values.to = to.values + c * from.n;
    work.each(from.n, values);
  }
  values.to = to.weights;
  if (to.weights != nullptr) work.each(from.n, ScaleWeights<T>{values});
}

/// Requires what check_samples left in the scratch; `box` is what it told, scales those of float32 and float64.
template <class Work>
void build_sums(Work& work, const Given& given, const Numbers* values, const SampleBox& box, const Scale (&scales)[2],
                const TreeScratch& scratch, const SumArrays& to) {
  PutCurveCodes codes{scratch.planes, given.n, given.n_dimensions, {}, {}, scratch.own, scratch.keys};
  for (int a = 0; a < given.n_dimensions; ++a) {
    codes.least[a] = box.box[0][static_cast<std::size_t>(a)];
    codes.most[a] = box.box[1][static_cast<std::size_t>(a)];
  }
  work.each(given.n, codes);
  const Position* const order = scratch.orders;
  work.sort(scratch.keys, scratch.sorted, scratch.own, scratch.orders, given.n);
  for (int a = 0; a < given.n_dimensions; ++a) work.each(to.n, PutAlongCurve{scratch.planes + a * given.n, order, to.places[a]});
  if (given.has_weights) work.each(to.n, PutNumbers{given.weights, order, to.weights});
  for (std::int64_t c = 0; c < given.n_columns; ++c) work.each(to.n, PutNumbers{values[c], order, to.values + c * to.n});
  scale_samples<float>(work, given, scales[0], box.most_weight, to, to.float32);
  scale_samples<double>(work, given, scales[1], box.most_weight, to, to.float64);
}

}  // namespace tree_steps
}  // namespace crinkle::interpolation
