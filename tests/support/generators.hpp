// Random layouts, box lists and chains of verbs for property tests; every draw goes through RapidCheck, so failures shrink.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rapidcheck.h>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "crinkle/rearrangement.hpp"
#include "support/arrays.hpp"
#include "support/guard.hpp"

namespace crinkle {

inline std::int64_t pick(std::int64_t low, std::int64_t high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(low, high + 1));
}
template <class T>
T one_of(const std::vector<T>& values) {
  return values[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(values.size()) - 1))];
}
inline bool chance(int one_in) { return pick(0, one_in - 1) == one_in - 1; }

/// rc::check with n cases instead of the usual 100.
template <class Property>
bool check_many(const std::string& text, int n, const Property& property) {
  rc::detail::TestMetadata metadata;
  metadata.id = text;
  metadata.description = text;
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = n;
  const rc::detail::TestResult result = rc::detail::checkTestable(property, metadata, params);
  rc::detail::printResultMessage(result, std::cerr);
  std::cerr << "\n";
  return result.template is<rc::detail::SuccessResult>();
}

inline std::int64_t any_element_bytes() { return one_of<std::int64_t>({1, 2, 4, 8, 16, 3, 6, 12, 24}); }

/// Extents of a small array: at most `most` elements, 1 and primes and, rarely, 0 among them.
inline Extents any_extents(std::int64_t rank, std::int64_t most = 600) {
  Extents extents;
  for (std::int64_t a = 0; a < rank; ++a) {
    std::int64_t n = chance(40) ? 0 : one_of<std::int64_t>({1, 2, 3, 4, 5, 7, 8, 11, 16});
    if (n > most) n = 1;
    most /= std::max<std::int64_t>(n, 1);
    extents.push_back(n);
  }
  return extents;
}

template <class T>
std::vector<T> shuffled(std::vector<T> values) {
  for (std::size_t k = values.size(); k > 1; --k)
    std::swap(values[k - 1], values[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(k) - 1))]);
  return values;
}

/// A layout of these extents in any axis order, with padding between rows and negative strides.
inline Layout any_layout(const Extents& extents, std::int64_t element_bytes) {
  Layout layout = Layout::dense(extents, element_bytes);
  if (chance(3)) return layout;
  std::vector<std::size_t> order;
  for (std::size_t a = 0; a < extents.size(); ++a) order.push_back(a);
  std::int64_t stride = element_bytes + (chance(3) ? pick(0, 5) : 0);
  for (const std::size_t a : shuffled(order)) {
    layout.strides[a] = stride;
    stride = stride * std::max<std::int64_t>(extents[a], 1) + (chance(3) ? pick(0, 9) : 0);
    if (chance(3)) layout.strides[a] *= -1;
  }
  layout.offset = pick(0, 20);
  return layout;
}

/// A rearrangement and what its result must be.
struct Chain {
  explicit Chain(const Layout& source) : r(source), expected(oracle::numbered(source.extents)) {}

  Rearrangement r;
  oracle::Array expected;
  std::vector<Bytes> fills;
  bool is_swapped = false;
  std::string text;

  /// The destination's bytes for a source's bytes.
  Bytes result(const Bytes& source) const {
    const std::vector<std::int64_t> from = places_of(r.source()), to = places_of(r.destination());
    const auto e = static_cast<std::size_t>(r.element_bytes());
    const ByteSpan span = span_of(r.destination());
    Bytes bytes(static_cast<std::size_t>(span.last - span.first), poison);
    RC_ASSERT(to.size() == expected.ids.size());
    for (std::size_t k = 0; k < to.size(); ++k) {
      const std::int64_t id = expected.ids[k];
      Bytes element;
      if (id < 0) {
        element = fills[static_cast<std::size_t>(-1 - id)];
      } else {
        const auto at = source.begin() + (from[static_cast<std::size_t>(id)] - span_of(r.source()).first);
        element.assign(at, at + r.element_bytes());
      }
      if (is_swapped) std::reverse(element.begin(), element.end());
      std::copy_n(element.begin(), e, bytes.begin() + (to[k] - span.first));
    }
    return bytes;
  }

  /// One random verb on the axis `name`, which is axis `a` of the expected array. Keeps the array below `most` elements.
  void verb(const std::string& name, std::size_t a, std::int64_t most) {
    const std::int64_t n = expected.extents[a];
    const std::int64_t room =
        most / std::max<std::int64_t>(1, static_cast<std::int64_t>(expected.ids.size()) / std::max<std::int64_t>(n, 1));
    const auto log = [&](const std::string& verb) { text += " " + verb + " " + name; };
    switch (pick(0, 5)) {
      case 0:
        log("flip");
        r = r.flip(name);
        expected = oracle::flipped(expected, a);
        break;
      case 1: {
        const std::int64_t d = pick(-20, 20);
        log("roll by " + std::to_string(d));
        r = r.roll(name, d);
        if (n > 0) expected = oracle::rolled(expected, a, d);
        break;
      }
      case 2: {
        const auto bound = [&]() -> std::optional<std::int64_t> { return chance(3) ? std::optional<std::int64_t>() : pick(-n - 3, n + 3); };
        const auto start = bound(), stop = bound();
        const std::int64_t step = one_of<std::int64_t>({1, -1, 2, -2, 3, -5, 100, INT64_MIN, INT64_MAX});
        log("slice by " + std::to_string(step));
        r = r.slice(name, start, stop, step);
        const std::int64_t small_step = std::clamp<std::int64_t>(step, -n - 1, n + 1);
        expected = oracle::sliced(expected, a, start, stop, small_step);
        break;
      }
      case 3: {
        PadMode mode = one_of<PadMode>({PadMode::constant, PadMode::edge, PadMode::reflect, PadMode::symmetric, PadMode::wrap});
        if (n == 0) mode = PadMode::constant;
        const std::int64_t most_width = std::clamp<std::int64_t>((room - n) / 2, 0, chance(4) ? 30 : 3);
        const std::int64_t before = pick(0, most_width), after = pick(0, most_width);
        log("pad " + std::to_string(before) + " " + std::to_string(after) + " " + name_of(mode));
        Bytes value = chance(3) ? Bytes() : noise(r.element_bytes(), 77 + fills.size());
        if (chance(3)) value.assign(static_cast<std::size_t>(r.element_bytes()), std::byte{7});
        r = r.pad(name, before, after, mode, value);
        expected = oracle::padded(expected, a, before, after, mode, static_cast<std::int64_t>(fills.size()));
        if (value.empty()) value.assign(static_cast<std::size_t>(r.element_bytes()), std::byte{0});
        fills.push_back(value);
        break;
      }
      case 4: {
        const std::int64_t step = pick(1, 4);
        if ((n - 1) * step + 1 > room) break;
        log("dilate by " + std::to_string(step));
        r = r.dilate(name, step);
        expected = oracle::dilated(expected, a, step, static_cast<std::int64_t>(fills.size()));
        fills.emplace_back(static_cast<std::size_t>(r.element_bytes()), std::byte{0});
        break;
      }
      default: {
        if (n == 0) break;
        oracle::Indices indices;
        for (std::int64_t k = pick(0, std::min<std::int64_t>(room, n + 3)); k > 0; --k) indices.push_back(pick(-n, n - 1));
        log("take " + std::to_string(indices.size()));
        r = r.take(name, indices);
        expected = oracle::taken(expected, a, indices);
      }
    }
  }
};

/// Any box that writes no byte twice: ranks 0 to 10, all units, any source strides, destination strides of either sign.
inline Box any_box() {
  Box box;
  box.unit = one_of<std::int32_t>({1, 2, 4, 8, 16});
  box.is_fill = chance(5);
  if (box.is_fill) box.pattern[0] = std::byte{9};
  box.src_offset = 1000;
  box.dst_offset = 1000;
  std::int64_t dst = box.unit, src = box.unit, n = 1;
  for (std::int64_t k = pick(0, 10); k > 0; --k) {
    Axis a{one_of<std::int64_t>({1, 2, 3, 5, 2, 4}), 0, dst};
    if (n * a.extent > 300) a.extent = 1;
    n *= a.extent;
    const std::int64_t kind = pick(0, 3);
    a.src_stride = kind == 0 ? 0 : kind == 1 ? pick(-40, 40) : src;
    if (a.src_stride == src) src *= a.extent;
    if (chance(4)) a.src_stride = -a.src_stride;
    if (chance(4)) a.dst_stride = -a.dst_stride;
    dst = dst * a.extent + (chance(4) ? pick(0, 3) : 0);
    box.axes.push_back(a);
  }
  for (std::size_t k = box.axes.size(); k > 1; --k)
    std::swap(box.axes[k - 1], box.axes[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(k) - 1))]);
  return box;
}

}  // namespace crinkle
