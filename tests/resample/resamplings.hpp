// What the tests of resampling share: one is compared with its definition, byte for byte, between guard zones.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/resample.hpp"
#include "resample/reference.hpp"
#include "stencil/stencils.hpp"

namespace crinkle {

inline constexpr ResampleBy all_local[] = {ResampleBy::nearest, ResampleBy::linear, ResampleBy::cubic};

/// An affine map of any kind: turned, stretched and moved off the array on all sides.
inline AffineMap skewed(int rank) {
  AffineMap map;
  map.rank = rank;
  map.matrix = {{{0.83, -0.41, 0.22}, {0.37, 1.21, -0.19}, {-0.28, 0.31, 0.71}}};
  map.offset = {-2.3, 1.6, -0.7};
  return map;
}

/// Resampled along all axes, dense on both sides.
inline Resampling resampling_of(CoordinateMap map, const Extents& source, const Extents& destination, NumberType type,
                                std::vector<Faces> boundary = {}) {
  Resampling r;
  r.map = map;
  r.source = dense(source, type);
  r.destination = dense(destination, type);
  r.source_type = r.destination_type = type;
  for (std::size_t a = 0; a < source.size(); ++a) r.axes.push_back(static_cast<int>(a));
  r.boundary = std::move(boundary);
  return r;
}

/// The bytes of the destination's span, poisoned beside its elements.
inline Bytes resampled(const Resampling& r, const Bytes& source, Executor& executor = default_executor()) {
  Guarded src(span_of(r.source), source), dst(span_of(r.destination));
  resample(r, {src.origin(), span_of(r.source).last}, {dst.origin(), span_of(r.destination).last}, executor);
  EXPECT_TRUE(src.is_intact() && dst.is_intact() && src.content() == source);
  return dst.content();
}

inline std::string told(const Resampling& r) {
  std::string text = std::string(name_of(r.source_type.number)) + " " + print_shape(r.source.extents) + " to " +
                     name_of(r.destination_type.number) + " " + print_shape(r.destination.extents) + ", by " +
                     std::to_string(static_cast<int>(r.by)) + ", map " + std::to_string(r.map.index());
  for (const Faces& f : r.boundary) text += " " + print(f.low) + "|" + print(f.high);
  return text;
}

inline Bytes expect_as_defined(const Resampling& r, std::uint64_t seed = 1) {
  const Bytes source = numbers_for(r.source, r.source_type, seed);
  Guarded src(span_of(r.source), source), dst(span_of(r.destination));
  resampling::resample_reference(r, src.origin(), dst.origin());
  const Bytes want = dst.content(), got = resampled(r, source);
  EXPECT_EQ(want.size(), got.size());
  const auto differs = std::mismatch(want.begin(), want.end(), got.begin()).first - want.begin();
  EXPECT_TRUE(want == got) << told(r) << ": byte " << differs << " of " << want.size();
  return got;
}

template <class T>
std::vector<T> values_of(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
template <class T>
Bytes bytes_of_values(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace crinkle
