// Buffers between guard zones, and how a test runs a rearrangement: destination poisoned, workspace poisoned, zones and source looked at
// after.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "crinkle/rearrangement.hpp"
#include "form/simplify.hpp"
#include "move/reference.hpp"

namespace crinkle {

using Bytes = std::vector<std::byte>;
inline constexpr std::byte poison{0xA5};

/// The bytes that the elements of a layout lie in, relative to its origin.
inline ByteSpan span_of(const Layout& layout) {
  ByteSpan span{layout.offset, layout.offset + layout.element_bytes};
  for (std::size_t a = 0; a < layout.extents.size(); ++a) {
    if (layout.extents[a] == 0) return {};
    const std::int64_t far = (layout.extents[a] - 1) * layout.strides[a];
    (far < 0 ? span.first : span.last) += far;
  }
  return span;
}

/// The byte offset of every element, in C order.
inline std::vector<std::int64_t> places_of(const Layout& layout) {
  std::vector<std::int64_t> places = {layout.offset};
  for (std::size_t a = 0; a < layout.extents.size(); ++a) {
    std::vector<std::int64_t> more;
    for (const std::int64_t p : places)
      for (std::int64_t i = 0; i < layout.extents[a]; ++i) more.push_back(p + i * layout.strides[a]);
    places = more;
  }
  return places;
}

/// Bytes [span.first, span.last) with 64 known bytes on either side.
class Guarded {
 public:
  explicit Guarded(ByteSpan span) : span_(span), bytes_(static_cast<std::size_t>(span.last - span.first) + 2 * zone, poison) {}
  Guarded(ByteSpan span, const Bytes& content) : Guarded(span) { std::copy(content.begin(), content.end(), bytes_.begin() + zone); }

  std::byte* origin() { return bytes_.data() + (static_cast<std::ptrdiff_t>(zone) - span_.first); }
  Bytes content() const { return Bytes(bytes_.begin() + zone, bytes_.end() - zone); }
  bool is_intact() const {
    return std::all_of(bytes_.begin(), bytes_.begin() + zone, [](std::byte b) { return b == poison; }) &&
           std::all_of(bytes_.end() - zone, bytes_.end(), [](std::byte b) { return b == poison; });
  }

 private:
  static constexpr std::ptrdiff_t zone = 64;
  ByteSpan span_;
  std::vector<std::byte> bytes_;
};

enum class Simplified { no, yes };

/// Runs all steps with a workspace between them. Throws when a guard zone of the workspace was written.
inline void run(Steps steps, Simplified simplified, const std::vector<const std::byte*>& src, const std::vector<std::byte*>& dst) {
  if (simplified == Simplified::yes) {
    for (Step& step : steps.steps) {
      simplify(step.boxes);
      for (Boxes& boxes : step.fill_boxes) simplify(boxes);
    }
  }
  Guarded workspace({0, steps.workspace_bytes});
  run_reference(steps, src, dst, workspace.origin());
  if (!workspace.is_intact()) throw std::logic_error("written beside the workspace");
}

/// The bytes of r's destination span after r, from the bytes of its source's span. Throws when anything else was touched.
inline Bytes moved(const Rearrangement& r, const Bytes& source, Simplified simplified = Simplified::no) {
  Guarded src(span_of(r.source()), source), dst(span_of(r.destination()));
  run(r.steps(), simplified, {src.origin()}, {dst.origin()});
  if (!dst.is_intact()) throw std::logic_error("written beside the destination");
  if (!src.is_intact() || src.content() != source) throw std::logic_error("the source was written");
  return dst.content();
}

/// n bytes that look random: every value occurs, NaN payloads and all-ones among them.
inline Bytes noise(std::int64_t n, std::uint64_t seed = 1) {
  Bytes bytes;
  std::uint64_t x = seed * 0x9E3779B97F4A7C15u + 0x2545F4914F6CDD1Du;
  for (std::int64_t i = 0; i < n; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    bytes.push_back(static_cast<std::byte>(i % 64 < 8 ? 0xFF : x >> 32));
  }
  return bytes;
}
inline Bytes noise_for(const Layout& layout, std::uint64_t seed = 1) {
  const ByteSpan span = span_of(layout);
  return noise(span.last - span.first, seed);
}

}  // namespace crinkle
