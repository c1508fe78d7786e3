// Lists of points as kernels are told them: their offsets and, of long ones, their points lie in the device's memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/checked.hpp"
#include "crinkle/cuda.hpp"
#include "stencil/cuda/form.hpp"
#include "stencil/shape.hpp"

namespace crinkle {

/// Tiles are of the last three axes: at least as many, the first ones of one cell.
inline void fill_up(ShapedSweep& shaped) {
  while (shaped.shape.axes.size() < 3) {
    const std::size_t n = shaped.shape.axes.size();
    SweepAxis axis;
    axis.array_axis = -1;
    shaped.shape.axes.insert(shaped.shape.axes.begin(), axis);
    for (AxisNumbers* numbers : {&shaped.source.strides, &shaped.destination.strides, &shaped.made.low, &shaped.made.high})
      std::rotate(numbers->begin(), numbers->end() - 1, numbers->end());
    shaped.made.high[0] = 1;
    for (Stage& stage : shaped.stages) {
      for (std::int64_t k = 0; k < stage.n_points(); ++k)
        stage.offsets.insert(stage.offsets.begin() + k * static_cast<std::ptrdiff_t>(n + 1), 0);
      for (AxisNumbers* numbers : {&stage.below, &stage.above}) std::rotate(numbers->begin(), numbers->end() - 1, numbers->end());
    }
  }
}

/// A list but for where its points and offsets lie: what it reads lies in `source`, what it writes in `destination`.
template <class T>
CudaStage<T> stage_of(const SweepShape& shape, const Stage& of, const SweepPlaces& source, const SweepPlaces& destination) {
  constexpr std::int64_t size = sizeof(T);
  const std::size_t n = shape.axes.size();
  CudaStage<T> s;
  s.n_axes = static_cast<std::int32_t>(n);
  s.width = static_cast<std::int32_t>(shape.width);
  s.in_element = source.element_stride;
  s.out_element = destination.element_stride;
  for (std::size_t a = 0; a < n; ++a) {
    const SweepAxis& axis = shape.axes[a];
    s.axes[a] = {axis.extent,
                 source.strides[a],
                 destination.strides[a],
                 static_cast<std::int32_t>(of.below[a]),
                 static_cast<std::int32_t>(of.above[a]),
                 axis.array_axis,
                 axis.faces.low.bound,
                 axis.faces.high.bound,
                 static_cast<T>(axis.faces.low.value * of.beyond),
                 static_cast<T>(axis.faces.high.value * of.beyond)};
  }
  const auto is_multiple = [](std::int64_t bytes) { return bytes % size == 0; };
  s.is_aligned = is_multiple(s.in_element) && is_multiple(s.out_element);
  for (std::size_t a = 0; a < n; ++a)
    s.is_aligned = s.is_aligned && (s.axes[a].extent == 1 || (is_multiple(s.axes[a].in) && is_multiple(s.axes[a].out)));
  s.is_direct = is_plain_line<T>(shape, source) && is_plain_line<T>(shape, destination);
  s.n_points = static_cast<std::int32_t>(of.n_points());
  return s;
}

/// The stages of a sweep. Its first pass reads the source's places, its last one writes the destination's; dense arrays lie between them.
template <class T>
class CudaStages {
 public:
  CudaStages(const ShapedSweep& shaped, Device device) : shaped_(shaped), device_(device) {
    dense_ = dense_places(shaped.shape, {size == 4 ? Number::float32 : Number::float64});
    upload_points();
  }

  CudaStage<T> stage(std::size_t k, bool is_first, bool is_last) const {
    const Stage& of = shaped_.stages[k];
    const SweepPlaces source = read(is_first);
    CudaStage<T> s = stage_of<T>(shaped_.shape, of, source, written(is_last));
    s.offsets = static_cast<const std::int32_t*>(offsets_.data()) + offsets_begin_[k];
    if (of.n_points() > most_cuda_points) {
      const std::size_t list = is_first ? shaped_.stages.size() + k : k;
      s.far_points = static_cast<const CudaPoint<T>*>(far_points_.data()) + far_begin_[list];
    } else {
      for (std::int64_t p = 0; p < of.n_points(); ++p) s.points[p] = point(of, p, source);
    }
    return s;
  }

 private:
  static constexpr std::int64_t size = sizeof(T);
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  const SweepPlaces& read(bool is_first) const { return is_first ? shaped_.source : dense_; }
  const SweepPlaces& written(bool is_last) const { return is_last ? shaped_.destination : dense_; }

  // Offsets of all lists; and the points of lists that are too long for a launch, as they lie in a buffer and in the source.
  void upload_points() {
    std::vector<std::int32_t> offsets;
    std::vector<CudaPoint<T>> points;
    for (const bool is_first : {false, true}) {
      for (const Stage& stage : shaped_.stages) {
        if (!is_first) {
          offsets_begin_.push_back(std::ssize(offsets));
          for (const std::int64_t o : stage.offsets) offsets.push_back(static_cast<std::int32_t>(o));
        }
        far_begin_.push_back(std::ssize(points));
        if (stage.n_points() <= most_cuda_points) continue;
        const SweepPlaces source = read(is_first);
        for (std::int64_t p = 0; p < stage.n_points(); ++p) points.push_back(point(stage, p, source));
      }
    }
    offsets_ = uploaded(offsets);
    far_points_ = uploaded(points);
  }
  template <class E>
  DeviceMemory uploaded(const std::vector<E>& values) const {
    const std::int64_t bytes = multiply(std::ssize(values), static_cast<std::int64_t>(sizeof(E)));
    DeviceMemory memory(device_, bytes);
    if (bytes > 0) copy_bytes({values.data(), bytes}, memory);
    return memory;
  }

  CudaPoint<T> point(const Stage& stage, std::int64_t p, const SweepPlaces& source) const {
    const std::size_t n = shaped_.shape.axes.size();
    CudaPoint<T> result{0, static_cast<T>(stage.coefficients[at(p)])};
    // An axis shorter than an offset has no cell whose points are all inside: what this would be is not asked for.
    for (std::size_t a = 0; a < n; ++a) {
      const std::int64_t o = stage.offsets[at(p) * n + a];
      if (std::abs(o) < shaped_.shape.axes[a].extent) result.delta += o * source.strides[a];
    }
    return result;
  }

  ShapedSweep shaped_;
  Device device_;
  SweepPlaces dense_;
  std::vector<std::int64_t> offsets_begin_, far_begin_;  // [list]; [reads the source][list]
  DeviceMemory offsets_, far_points_;
};

}  // namespace crinkle
