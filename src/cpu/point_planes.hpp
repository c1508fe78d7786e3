// Points transposed: a plane a feature, so that vectors are of points that follow each other:
//     planes[f·pitch + i] = x_f of point i.
// Planes are an odd number of cache lines apart: then the same places of many of them lie in different sets of a cache.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#include "base/checked.hpp"
#include "crinkle/points.hpp"

namespace crinkle::simd {

/// Behind the last point of every plane at least `plane_margin` more elements can be read.
inline constexpr std::int64_t plane_margin = 16;
template <class T>
struct Planes {
  const T* first = nullptr;
  std::int64_t pitch = 0;  // elements from plane to plane
  std::int64_t n_features = 0;
};

}  // namespace crinkle::simd

namespace crinkle {

/// The first line of 64 bytes in a workspace, which has `line_alignment` bytes more than the lines take.
inline constexpr std::int64_t line_alignment = 64;
inline std::byte* aligned_lines(std::byte* workspace) {
  return workspace + (line_alignment - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(workspace) % line_alignment));
}

/// n_rows · pitch elements, zeros, at a multiple of 64 bytes: there if that is given, else its own. Throws too_large, std::bad_alloc.
template <class C>
class PlaneMemory {
 public:
  PlaneMemory(std::int64_t n_rows, std::int64_t pitch, std::byte* there = nullptr) {
    const std::int64_t bytes = multiply(multiply(n_rows, pitch), static_cast<std::int64_t>(sizeof(C)));
    if (there == nullptr) own_.reset(there = static_cast<std::byte*>(::operator new(static_cast<std::size_t>(bytes), line)));
    data_ = reinterpret_cast<C*>(there);
    std::memset(static_cast<void*>(there), 0, static_cast<std::size_t>(bytes));
  }
  C* data() const { return data_; }

 private:
  static constexpr std::align_val_t line{64};
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, line); }
  };
  std::unique_ptr<std::byte, Free> own_;
  C* data_;
};

/// An odd number of lines that holds n elements and the planes' margin.
template <class C>
std::int64_t pitch_of(std::int64_t n) {
  constexpr std::int64_t in_line = 64 / static_cast<std::int64_t>(sizeof(C));
  return (ceil_divide(add(n, simd::plane_margin), in_line) | 1) * in_line;
}

/// The points of type T, multiplied by `scale`, as planes of C, and `n_more` planes of zeros behind them; in memory of bytes() at a
/// multiple of 64, if it is given.
template <class C>
class PointPlanes {
 public:
  static std::int64_t bytes(std::int64_t n, std::int64_t n_planes) {
    return multiply(multiply(n_planes, pitch_of<C>(n)), static_cast<std::int64_t>(sizeof(C)));
  }

  template <class T>
  static PointPlanes of(const Points& points, std::int64_t n_more, T, C scale = 1, std::byte* there = nullptr) {
    PointPlanes planes(points.n, points.n_features, n_more, there);
    const auto* from = static_cast<const std::byte*>(points.data.data);
    constexpr std::int64_t together = 64;  // points: a few lines of every plane at a time
    for (std::int64_t begin = 0; begin < points.n; begin += together) {
      const std::int64_t end = std::min(points.n, begin + together);
      for (std::int64_t f = 0; f < points.n_features; ++f) {
        C* plane = planes.plane(f);
        for (std::int64_t i = begin; i < end; ++i) {
          T value;
          std::memcpy(&value, from + (i * points.n_features + f) * static_cast<std::int64_t>(sizeof(T)), sizeof value);
          plane[i] = static_cast<C>(value) * scale;
        }
      }
    }
    return planes;
  }

  C* plane(std::int64_t f) { return memory_.data() + f * pitch_; }
  std::int64_t n() const { return n_; }
  std::int64_t n_planes() const { return n_features_ + n_more_; }
  simd::Planes<C> planes() const { return {memory_.data(), pitch_, n_features_}; }

  /// Copies the numbers that all planes have of point i.
  void copy_point(std::int64_t i, C* to) const {
    for (std::int64_t f = 0; f < n_planes(); ++f) to[f] = memory_.data()[f * pitch_ + i];
  }

 private:
  PointPlanes(std::int64_t n, std::int64_t n_features, std::int64_t n_more, std::byte* there)
      : n_(n), n_features_(n_features), n_more_(n_more), pitch_(pitch_of<C>(n)), memory_(add(n_features, n_more), pitch_, there) {}

  std::int64_t n_, n_features_, n_more_, pitch_;
  PlaneMemory<C> memory_;
};

}  // namespace crinkle
