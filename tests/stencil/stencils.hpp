// What the tests of stencils share: a sweep compared with its definition, byte for byte, between guard zones.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "base/number_lines.hpp"
#include "crinkle/sweeper.hpp"
#include "stencil/check.hpp"
#include "stencil/cpu/stencil_kernels.hpp"
#include "stencil/cpu/sweep.hpp"
#include "stencil/plan.hpp"
#include "stencil/reference.hpp"
#include "support/guard.hpp"

namespace crinkle {

inline constexpr NumberType f4{Number::float32}, f8{Number::float64};
inline const std::vector<Faces> all_faces = {Faces(Bound::periodic),
                                             Faces(Bound::edge),
                                             Faces(Bound::reflect),
                                             Faces(Bound::symmetric),
                                             Faces(Bound::constant, 2.5),
                                             Faces({Bound::edge}, {Bound::reflect}),
                                             Faces({Bound::constant, -1}, {Bound::symmetric}),
                                             Faces({Bound::constant, 3}, {Bound::constant, -7})};
inline const LinearStencil lopsided{"lopsided", 2, {{{0, 0, -2, 0, 1, 3, 0, 1}, {0.75, -0.5, 1.125, 2}}}};
inline const std::vector<Faces> two_faces = {Faces({Bound::reflect}, {Bound::constant, 1.5}), Faces(Bound::periodic)};

/// All kinds of strides of elements of 4 bytes: rows, columns, upside down, backwards, padded, spread, odd, unaligned.
inline std::vector<Layout> layouts_of_6_by_37() {
  return {Layout::dense({6, 37}, 4),  Layout::dense_fortran({6, 37}, 4), {{6, 37}, {-148, 4}, 5 * 148, 4}, {{6, 37}, {148, -4}, 144, 4},
          {{6, 37}, {200, 4}, 24, 4}, {{6, 37}, {37 * 12, 12}, 8, 4},    {{6, 37}, {37 * 5, 5}, 3, 4},     {{6, 37}, {149, 4}, 1, 4}};
}

/// Numbers between −100 and 100 with fractions, of the type; the bytes between them are noise.
inline Bytes numbers_for(const Layout& layout, NumberType type, std::uint64_t seed = 1) {
  Bytes bytes = noise_for(layout, seed);
  const std::int64_t first = span_of(layout).first;
  std::uint64_t x = seed * 0x9E3779B97F4A7C15u + 1;
  for (const std::int64_t place : places_of(layout)) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    const double value = static_cast<double>(x >> 40) / static_cast<double>(1 << 24) * 200 - 100;
    store_line(bytes.data() + (place - first), 0, &value, 1, 1, type);
  }
  return bytes;
}

inline Layout dense(Extents extents, NumberType type) { return Layout::dense(std::move(extents), bytes_of(type.number)); }

inline Sweep sweep_of(LinearStencil stencil, const Extents& extents, NumberType type, std::vector<int> axes, std::vector<Faces> boundary) {
  Sweep sweep;
  sweep.stencil = std::move(stencil);
  sweep.source = sweep.destination = dense(extents, type);
  sweep.source_type = sweep.destination_type = type;
  sweep.axes = std::move(axes);
  sweep.boundary = std::move(boundary);
  return sweep;
}

inline Bytes swept_by_reference(const Sweep& sweep, const Bytes& source) {
  Guarded src(span_of(sweep.source), source), dst(span_of(sweep.destination));
  sweep_reference(sweep, src.origin(), dst.origin());
  return dst.content();
}

inline Bytes swept(const Sweep& sweep, const Bytes& source, Executor& executor = default_executor()) {
  Guarded src(span_of(sweep.source), source), dst(span_of(sweep.destination));
  const ByteSpan from = span_of(sweep.source), to = span_of(sweep.destination);
  Sweeper(sweep).run({src.origin(), from.last}, {dst.origin(), to.last}, executor);
  EXPECT_TRUE(src.is_intact() && dst.is_intact() && src.content() == source);
  return dst.content();
}

inline std::string told(const Sweep& sweep) {
  std::string text =
      sweep.stencil.name + " of " + name_of(sweep.source_type.number) + " over " + print_shape(sweep.source.extents) + " along";
  for (std::size_t a = 0; a < sweep.axes.size(); ++a) text += " " + std::to_string(sweep.axes[a]);
  for (const Faces& f : sweep.boundary) text += " " + print(f.low) + "|" + print(f.high);
  return text + ", " + std::to_string(sweep.steps) + " steps, " + std::to_string(sweep.steps_at_once) + " at once";
}

/// The sweep equals its definition. Returns the result.
inline Bytes expect_as_defined(const Sweep& sweep, std::uint64_t seed = 1) {
  const Bytes source = numbers_for(sweep.source, sweep.source_type, seed);
  const Bytes want = swept_by_reference(sweep, source), got = swept(sweep, source);
  EXPECT_EQ(want.size(), got.size());
  const auto differs = std::mismatch(want.begin(), want.end(), got.begin()).first - want.begin();
  EXPECT_TRUE(want == got) << told(sweep) << ": byte " << differs << " of " << want.size() << "\n" << Sweeper(sweep).describe();
  return got;
}

}  // namespace crinkle
