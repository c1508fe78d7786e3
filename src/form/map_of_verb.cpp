// The map of each verb over n current indices.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "base/checked.hpp"
#include "form/map.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t max_periods = std::int64_t{1} << 20;  // a segment each, about 50 MiB

// The map from i = 0 … n−1 (going on periodically, mirrored or not) shifted so that index 0 reads index `first`.
void append_periodic(Map& map, std::int64_t n, std::int64_t first, std::int64_t count, PadMode mode) {
  if (count / n > max_periods) {
    throw Error(ErrorCode::too_large, "padding " + std::to_string(n) + " elements to " + std::to_string(count) +
                                          " repeats them more than " + std::to_string(max_periods) + " times; move twice, with a repeat");
  }
  const std::int64_t period = mode == PadMode::wrap ? n : mode == PadMode::symmetric ? multiply(2, n) : multiply(2, n) - 2;
  std::int64_t at = modulo(first, period);
  while (count > 0) {
    std::int64_t here = 0;
    if (at < n) {
      here = std::min(count, n - at);
      append(map, data(here, at, 1));
    } else {  // the mirrored half: symmetric repeats the last element, reflect does not
      here = std::min(count, period - at);
      append(map, data(here, mode == PadMode::symmetric ? period - 1 - at : period - at, -1));
    }
    at = (at + here) % period;
    count -= here;
  }
}

}  // namespace

Map identity_map(std::int64_t n) { return n == 0 ? Map{} : Map{data(n, 0, 1)}; }
Map flip_map(std::int64_t n) { return n == 0 ? Map{} : Map{data(n, n - 1, -1)}; }

Map roll_map(std::int64_t n, std::int64_t distance) {
  Map map;
  if (n == 0) return map;
  const std::int64_t k = modulo(distance, n);
  append(map, data(k, n - k, 1));
  append(map, data(n - k, 0, 1));
  return map;
}

Map slice_map(std::int64_t n, std::optional<std::int64_t> start, std::optional<std::int64_t> stop, std::optional<std::int64_t> step) {
  const std::int64_t by = step.value_or(1);
  if (by == 0) throw Error(ErrorCode::bad_shape, "a slice step of 0 never ends; use a step of 1 or more, or −1 or less to go backwards");
  const std::int64_t lowest = by > 0 ? 0 : -1, highest = by > 0 ? n : n - 1;
  const auto clamp = [&](std::int64_t i) { return i < 0 ? (i < lowest - n ? lowest : std::max(i + n, lowest)) : std::min(i, highest); };
  const std::int64_t first = start ? clamp(*start) : by > 0 ? 0 : n - 1;
  const std::int64_t last = stop ? clamp(*stop) : by > 0 ? n : -1;
  std::int64_t count = 0;
  if (by > 0 && last > first) count = (last - first - 1) / by + 1;
  if (by < 0 && first > last)
    count = static_cast<std::int64_t>(static_cast<std::uint64_t>(first - last - 1) / (0 - static_cast<std::uint64_t>(by))) + 1;
  return count == 0 ? Map{} : Map{data(count, first, by)};
}

Map pad_map(std::int64_t n, std::int64_t before, std::int64_t after, PadMode mode, std::int32_t fill) {
  const std::string widths = std::to_string(before) + " before and " + std::to_string(after) + " after";
  if (before < 0 || after < 0) throw Error(ErrorCode::bad_shape, widths + ": widths are 0 or more; a slice makes an axis shorter");
  if (n == 0 && mode != PadMode::constant && (before > 0 || after > 0)) {
    throw Error(ErrorCode::bad_shape,
                "extent 0 has nothing to repeat " + widths + " in mode " + std::string(name_of(mode)) + "; use constant");
  }
  add(add(n, before), after);
  Map map;
  if (mode == PadMode::constant) {
    append(map, filling(before, fill));
    append(map, data(n, 0, 1));
    append(map, filling(after, fill));
  } else if (mode == PadMode::edge || n == 1) {
    append(map, data(before, 0, 0));
    append(map, data(n, 0, 1));
    append(map, data(after, n - 1, 0));
  } else if (n > 0) {
    append_periodic(map, n, -before, n + before + after, mode);
  }
  return map;
}

Map dilate_map(std::int64_t n, std::int64_t step, std::int32_t fill) {
  if (step < 1) throw Error(ErrorCode::bad_shape, "a step of " + std::to_string(step) + "; it is 1 or more");
  if (n < 2 || step == 1) return identity_map(n);
  return {Segment{add(multiply(n - 1, step), 1), 0, 1, step, 0, fill}};
}

namespace {
std::int64_t checked_index(std::int64_t n, std::int64_t index, const std::string& what) {
  if (index < -n || index >= n) {
    throw Error(ErrorCode::bad_shape, what + " " + std::to_string(index) + " is outside an axis of extent " + std::to_string(n) +
                                          (n == 0 ? std::string(", which has no elements")
                                                  : "; legal are " + std::to_string(-n) + " to " + std::to_string(n - 1)));
  }
  return index < 0 ? index + n : index;
}
}  // namespace

Map at_map(std::int64_t n, std::int64_t index) { return {data(1, checked_index(n, index, "index"), 0)}; }

Map take_map(std::int64_t n, std::span<const std::int64_t> indices) {
  Map map;
  for (std::size_t j = 0; j < indices.size(); ++j) {
    append(map, data(1, checked_index(n, indices[j], "entry " + std::to_string(j) + " of the index array,"), 0));
  }
  return map;
}

}  // namespace crinkle
