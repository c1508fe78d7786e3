// The makers that are verbs on some or all axes of an array.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "base/checked.hpp"
#include "crinkle/operations.hpp"
#include "operations/axes.hpp"

namespace crinkle {
namespace {

std::vector<Rearrangement::Split> whole_axes(const Layout& source) {
  std::vector<Rearrangement::Split> splits;
  for (const std::int64_t n : source.extents) splits.push_back({{{"", n}}});
  return splits;
}

// A box counts buffers in 32 bits.
void check_slots(std::int64_t n) {
  if (n > INT32_MAX) throw Error(ErrorCode::too_large, std::to_string(n) + " buffers; at most " + std::to_string(INT32_MAX) + " fit");
}

}  // namespace

Rearrangement permute(const Layout& source, std::span<const std::int64_t> order) {
  check_one_per_axis(source, order.size(), "axes listed");
  std::vector<Output> outputs;
  std::vector<bool> is_listed(order.size(), false);
  for (const std::int64_t axis : order) {
    const std::int64_t a = checked_axis(source, axis);
    if (is_listed[static_cast<std::size_t>(a)])
      throw Error(ErrorCode::bad_shape, "axis " + std::to_string(a) + " is listed twice in the order; list every axis once");
    is_listed[static_cast<std::size_t>(a)] = true;
    outputs.push_back({{OutputTerm{static_cast<int>(a), 0, 1}}});
  }
  return Rearrangement(source).split_and_merge(whole_axes(source), std::move(outputs));
}

Rearrangement flip(const Layout& source, std::span<const std::int64_t> axes) {
  Rearrangement r(source);
  std::vector<std::int64_t> flipped;
  for (const std::int64_t axis : axes) flipped.push_back(checked_axis(source, axis));
  std::sort(flipped.begin(), flipped.end());
  if (const auto twice = std::adjacent_find(flipped.begin(), flipped.end()); twice != flipped.end()) {
    throw Error(ErrorCode::bad_shape, "axis " + std::to_string(*twice) + " is listed twice; list each axis to flip once");
  }
  for (const std::int64_t a : flipped) r = r.flip(axis_name(a));
  return r;
}

Rearrangement roll(const Layout& source, std::span<const std::int64_t> distances) {
  check_one_per_axis(source, distances.size(), "distances");
  Rearrangement r(source);
  for (std::size_t a = 0; a < distances.size(); ++a) r = r.roll(axis_name(static_cast<std::int64_t>(a)), distances[a]);
  return r;
}

Rearrangement slice(const Layout& source, std::span<const SliceRange> ranges) {
  check_one_per_axis(source, ranges.size(), "ranges");
  Rearrangement r(source);
  for (std::size_t a = 0; a < ranges.size(); ++a) {
    r = r.slice(axis_name(static_cast<std::int64_t>(a)), ranges[a].start, ranges[a].stop, ranges[a].step);
  }
  return r;
}

Rearrangement pad(const Layout& source, std::span<const PadWidth> widths, PadMode mode, std::span<const std::byte> value) {
  check_one_per_axis(source, widths.size(), "widths");
  Rearrangement r(source);
  for (std::size_t a = 0; a < widths.size(); ++a)
    r = r.pad(axis_name(static_cast<std::int64_t>(a)), widths[a].before, widths[a].after, mode, value);
  return r;
}

Rearrangement dilate(const Layout& source, std::span<const std::int64_t> steps) {
  check_one_per_axis(source, steps.size(), "steps");
  Rearrangement r(source);
  for (std::size_t a = 0; a < steps.size(); ++a) r = r.dilate(axis_name(static_cast<std::int64_t>(a)), steps[a]);
  return r;
}

Rearrangement repeat(const Layout& source, std::int64_t count) {
  if (count < 0) throw Error(ErrorCode::bad_shape, "cannot repeat " + std::to_string(count) + " times; the count is 0 or more");
  std::vector<Output> outputs{{{OutputTerm{-1, -1, count}}}};
  for (std::size_t a = 0; a < source.extents.size(); ++a) outputs.push_back({{OutputTerm{static_cast<int>(a), 0, 1}}});
  return Rearrangement(source).split_and_merge(whole_axes(source), std::move(outputs));
}

Rearrangement reorder(const Layout& source, std::span<const std::int64_t> order, std::span<const std::int64_t> base,
                      std::span<const std::int64_t> range) {
  check_one_per_axis(source, base.size(), "base indices");
  check_one_per_axis(source, range.size(), "ranges");
  std::vector<bool> is_listed(base.size(), false);
  std::vector<Output> outputs;
  for (const std::int64_t axis : order) {
    const std::int64_t a = checked_axis(source, axis);
    if (is_listed[static_cast<std::size_t>(a)])
      throw Error(ErrorCode::bad_shape, "axis " + std::to_string(a) + " is listed twice in the order");
    is_listed[static_cast<std::size_t>(a)] = true;
    outputs.push_back({{OutputTerm{static_cast<int>(a), 0, 1}}});
  }
  for (std::size_t a = 0; a < base.size(); ++a) {
    if (base[a] < 0 || range[a] < 0 || base[a] > source.extents[a] || range[a] > source.extents[a] - base[a]) {
      throw Error(ErrorCode::bad_shape, "axis " + std::to_string(a) + ": [" + std::to_string(base[a]) + ", +" + std::to_string(range[a]) +
                                            ") lies outside its extent of " + std::to_string(source.extents[a]));
    }
    if (!is_listed[a] && range[a] != 1) {
      throw Error(ErrorCode::bad_shape, "axis " + std::to_string(a) + " is not in the order but has range " + std::to_string(range[a]) +
                                            "; an axis left out has range 1");
    }
  }
  Rearrangement r = Rearrangement(source).split_and_merge(whole_axes(source), std::move(outputs));
  for (std::size_t a = 0; a < base.size(); ++a) r = r.slice(axis_name(static_cast<std::int64_t>(a)), base[a], base[a] + range[a]);
  return r;
}

Rearrangement bit_reverse(const Layout& source, std::int64_t axis) {
  return Rearrangement(source).bit_reverse(axis_name(checked_axis(source, axis)));
}

Rearrangement byte_swap(const Layout& source) { return Rearrangement(source).byte_swap(); }

Rearrangement gather(const Layout& source, std::int64_t axis, std::span<const std::int64_t> indices) {
  return Rearrangement(source).take(axis_name(checked_axis(source, axis)), indices);
}

Rearrangement byte_shuffle(const Layout& source) {
  source.check();
  Layout bytes = source;
  bytes.element_bytes = 1;
  bytes.extents.push_back(source.element_bytes);
  bytes.strides.push_back(1);
  std::vector<std::int64_t> order{static_cast<std::int64_t>(source.extents.size())};
  for (std::size_t a = 0; a < source.extents.size(); ++a) order.push_back(static_cast<std::int64_t>(a));
  ValueForms elements, any;
  elements.push_back({source.element_bytes, source.element_bytes % 2 == 0 ? source.element_bytes / 2 : 0});
  any.push_back({});
  return permute(bytes, order).with_values(std::move(elements), std::move(any));
}

Rearrangement interlace(const Layout& each, std::int64_t n, std::int64_t axis) {
  if (n < 1) throw Error(ErrorCode::bad_shape, "cannot interlace " + std::to_string(n) + " arrays; give one or more");
  check_slots(n);
  const auto rank = static_cast<std::int64_t>(each.extents.size());
  const std::int64_t place = checked_axis(rank + 1, axis, "a result");
  std::vector<Group> groups = Rearrangement(each).groups();
  const Segment all{n, 0, n == 1 ? 0 : 1, 1, 0, -1};
  groups.push_back({n, 1, Counts::buffers, {}, {ElementaryAxis{"", n, {all}}}});
  std::vector<Output> outputs;
  for (int a = 0; a < rank; ++a) outputs.push_back({{OutputTerm{a, 0, 1}}});
  outputs.insert(outputs.begin() + place, Output{{OutputTerm{static_cast<int>(rank), 0, 1}}});
  return Rearrangement(each.element_bytes, each.offset, std::move(groups), std::move(outputs));
}

Rearrangement deinterlace(const Layout& source, std::int64_t axis) {
  const std::int64_t slot = checked_axis(source, axis);
  check_slots(source.extents[static_cast<std::size_t>(slot)]);
  std::vector<Output> outputs;
  for (std::size_t a = 0; a < source.extents.size(); ++a) {
    outputs.push_back({{OutputTerm{static_cast<int>(a), 0, 1}}, static_cast<std::int64_t>(a) == slot ? Counts::buffers : Counts::bytes});
  }
  return Rearrangement(source).split_and_merge(whole_axes(source), std::move(outputs));
}

}  // namespace crinkle
