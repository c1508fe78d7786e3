// The oracle: arrays of element numbers, and NumPy's verbs on them written as plain loops over indices. An entry is the number of a source
// element or, below 0, fill number −1−entry. Nothing here knows of strides, segments or boxes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "crinkle/layout.hpp"
#include "crinkle/modes.hpp"

namespace crinkle::oracle {

using Indices = std::vector<std::int64_t>;

struct Array {
  Extents extents;
  Indices ids;  // C order
};

inline std::int64_t product(const Extents& extents, std::size_t from, std::size_t to) {
  std::int64_t n = 1;
  for (std::size_t a = from; a < to; ++a) n *= extents[a];
  return n;
}

/// 0, 1, 2, … in C order.
inline Array numbered(const Extents& extents) {
  Array a{extents, {}};
  for (std::int64_t k = 0; k < product(extents, 0, extents.size()); ++k) a.ids.push_back(k);
  return a;
}

/// Index i of the axis is index from[i] of `a`, or fill where from[i] < 0.
inline Array along(const Array& a, std::size_t axis, const Indices& from) {
  Array b{a.extents, {}};
  b.extents[axis] = static_cast<std::int64_t>(from.size());
  const std::int64_t n = a.extents[axis], inner = product(a.extents, axis + 1, a.extents.size());
  for (std::int64_t outer = 0; outer < product(a.extents, 0, axis); ++outer)
    for (const std::int64_t f : from)
      for (std::int64_t k = 0; k < inner; ++k) b.ids.push_back(f < 0 ? f : a.ids[static_cast<std::size_t>((outer * n + f) * inner + k)]);
  return b;
}

inline Array flipped(const Array& a, std::size_t axis) {
  Indices from;
  for (std::int64_t i = a.extents[axis]; i-- > 0;) from.push_back(i);
  return along(a, axis, from);
}

inline Array rolled(const Array& a, std::size_t axis, std::int64_t distance) {
  const std::int64_t n = a.extents[axis];
  Indices from(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) from[static_cast<std::size_t>(((i + distance) % n + n) % n)] = i;
  return along(a, axis, from);
}

/// Python's a[start:stop:step]: the indices it visits, walked one by one.
inline Array sliced(const Array& a, std::size_t axis, std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
                    std::int64_t step) {
  const std::int64_t n = a.extents[axis];
  std::int64_t i = start.value_or(step > 0 ? 0 : n - 1);
  if (start && i < 0) i += n;
  if (i < 0) i = step > 0 ? 0 : -1;
  if (i >= n) i = step > 0 ? n : n - 1;
  std::int64_t end = stop.value_or(step > 0 ? n : -1);
  if (stop && end < 0) end = end + n < 0 ? -1 : end + n;
  Indices from;
  for (; i >= 0 && i < n && (step > 0 ? i < end : i > end); i += step) from.push_back(i);
  return along(a, axis, from);
}

/// numpy.pad by a walker who goes out from the ends one index at a time.
inline Array padded(const Array& a, std::size_t axis, std::int64_t before, std::int64_t after, PadMode mode, std::int64_t fill) {
  const std::int64_t n = a.extents[axis];
  const auto walk = [&](std::int64_t i, int way, std::int64_t steps) {
    for (; steps > 0; --steps) {
      i += way;
      if (i >= 0 && i < n) continue;
      if (mode == PadMode::wrap) i = i < 0 ? n - 1 : 0;
      if (mode == PadMode::edge || mode == PadMode::symmetric) i -= way;
      if (mode == PadMode::reflect) i = n == 1 ? 0 : i - 2 * way;
      if (mode == PadMode::symmetric || mode == PadMode::reflect) way = -way;
    }
    return i;
  };
  Indices from;
  for (std::int64_t w = before; w > 0; --w) from.push_back(mode == PadMode::constant ? -1 - fill : walk(0, -1, w));
  for (std::int64_t i = 0; i < n; ++i) from.push_back(i);
  for (std::int64_t w = 1; w <= after; ++w) from.push_back(mode == PadMode::constant ? -1 - fill : walk(n - 1, 1, w));
  return along(a, axis, from);
}

inline Array dilated(const Array& a, std::size_t axis, std::int64_t step, std::int64_t fill) {
  Indices from;
  for (std::int64_t i = 0; i < a.extents[axis]; ++i) {
    if (i > 0) from.insert(from.end(), static_cast<std::size_t>(step - 1), -1 - fill);
    from.push_back(i);
  }
  return along(a, axis, from);
}

inline Array taken(const Array& a, std::size_t axis, Indices indices) {
  for (std::int64_t& i : indices) i += i < 0 ? a.extents[axis] : 0;
  return along(a, axis, indices);
}

inline Array bit_reversed(const Array& a, std::size_t axis) {
  Indices from;
  for (std::int64_t i = 0; i < a.extents[axis]; ++i) {
    std::int64_t reversed = 0, rest = i;
    for (std::int64_t n = a.extents[axis]; n > 1; n /= 2, rest /= 2) reversed = 2 * reversed + rest % 2;
    from.push_back(reversed);
  }
  return along(a, axis, from);
}

inline Array reshaped(Array a, const Extents& extents) {
  a.extents = extents;
  return a;
}

/// Output axis k is axis order[k] of `a`.
inline Array transposed(const Array& a, const std::vector<std::size_t>& order) {
  Array b;
  for (const std::size_t o : order) b.extents.push_back(a.extents[o]);
  Indices at(order.size(), 0);
  for (std::size_t k = 0; k < a.ids.size(); ++k) {
    Indices index(order.size());
    for (std::size_t o = 0; o < order.size(); ++o) index[order[o]] = at[o];
    std::int64_t place = 0;
    for (std::size_t o = 0; o < order.size(); ++o) place = place * a.extents[o] + index[o];
    b.ids.push_back(a.ids[static_cast<std::size_t>(place)]);
    for (std::size_t o = order.size(); o-- > 0;) {
      if (++at[o] < b.extents[o]) break;
      at[o] = 0;
    }
  }
  return b;
}

/// A new axis of `n` equal indices in front of `axis`.
inline Array repeated(const Array& a, std::size_t axis, std::int64_t n) {
  Extents with_one = a.extents;
  with_one.insert(with_one.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  return along(reshaped(a, with_one), axis, Indices(static_cast<std::size_t>(n), 0));
}

}  // namespace crinkle::oracle
