// Inverse and composition of whole rearrangements.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>
#include <optional>

#include "base/checked.hpp"
#include "crinkle/rearrangement.hpp"
#include "form/check.hpp"
#include "form/compose.hpp"
#include "form/map.hpp"
#include "form/simplify.hpp"

namespace crinkle {
namespace {

void swap_sides(Step& step) {
  for (Box& b : step.boxes) {
    std::swap(b.src_offset, b.dst_offset);
    std::swap(b.src_slot, b.dst_slot);
    for (Axis& a : b.axes) {
      std::swap(a.src_stride, a.dst_stride);
      std::swap(a.src_counts, a.dst_counts);
    }
  }
  for (GatherAxis& g : step.gathers) std::swap(g.src_offsets, g.dst_offsets);
}

// The reason why the named form is no bijection, or "".
std::string not_a_bijection(const Rearrangement& r) {
  for (const Output& output : r.outputs()) {
    for (const OutputTerm& t : output.terms) {
      if (t.group < 0 && t.repeat != 1) return "the data is repeated " + std::to_string(t.repeat) + " times";
    }
  }
  for (std::size_t g = 0; g < r.groups().size(); ++g) {
    const Group& group = r.groups()[g];
    const auto name = [&](const ElementaryAxis* d) {
      return "axis " + (d != nullptr && !d->name.empty() ? '"' + d->name + '"' : "@" + std::to_string(g));
    };
    if (group.ragged_phases > 0 || group.extent == 0) continue;
    if (group.digits.size() > 1 && !is_permutation(group.whole, group.extent))
      return name(nullptr) + " does not keep every index exactly once";
    for (const ElementaryAxis& d : group.digits) {
      if (!is_permutation(d.map, d.radix)) return name(&d) + " does not keep every index exactly once";
    }
  }
  return "";
}

// The bytes that a step without fill reads, its gathered axes as strided ones; nothing where they are not.
std::optional<Boxes> boxes_read(const Step& step) {
  Boxes boxes = step.boxes;
  for (const GatherAxis& g : step.gathers) {
    if (!g.fills.empty()) return {};
    std::vector<std::int64_t> sorted = g.src_offsets;
    std::sort(sorted.begin(), sorted.end());
    const std::int64_t stride = sorted.size() < 2 ? 0 : sorted[1] - sorted[0];
    for (std::size_t j = 1; j < sorted.size(); ++j) {
      if (stride == 0 || sorted[j] - sorted[j - 1] != stride) return {};
    }
    for (Box& b : boxes) {
      if (!sorted.empty()) b.src_offset = add(b.src_offset, sorted[0]);
      b.axes.push_back({static_cast<std::int64_t>(sorted.size()), stride, 0});
    }
  }
  return boxes;
}

// The same question for steps: no fill, no repeat, and as many bytes read from disjoint places as the source has.
std::string not_a_bijection(const Steps& steps, std::int64_t n_bytes, bool has_names) {
  for (const Step& step : steps.steps) {
    if (std::any_of(step.boxes.begin(), step.boxes.end(), [](const Box& b) { return b.is_fill; })) return "some elements are fill";
    const std::optional<Boxes> read = boxes_read(step);
    if (!read) return "an index array does not name every index exactly once";
    std::int64_t n = 0;
    for (const Box& b : *read) {
      n = add(n, n_bytes_of(b));
      for (const Axis& a : b.axes) {
        if (a.src_stride == 0 && a.extent > 1) return "an axis of extent " + std::to_string(a.extent) + " repeats its data";
      }
    }
    if (n != n_bytes) return std::to_string(n) + " bytes are read of " + std::to_string(n_bytes);
    if (!has_names && !reads_nothing_twice(*read)) return "some bytes are read twice";
  }
  return "";
}

// Room in a workspace for what the steps 0, 2, … and the steps 1, 3, … write, the last step aside.
struct Rooms {
  std::int64_t even = 0, odd = 0;

  void hold(std::size_t step, std::int64_t n_bytes) {
    std::int64_t& room = step % 2 == 0 ? even : odd;
    room = std::max(room, n_bytes);
  }
};
Rooms rooms_of(const Steps& all) {
  const bool has_odd = all.steps.size() > 2;
  return {has_odd && all.odd_at > 0 ? all.odd_at : all.workspace_bytes, has_odd ? all.workspace_bytes - all.odd_at : 0};
}
void set_rooms(Steps& all, const Rooms& rooms) {
  constexpr std::int64_t line = 64;
  all.odd_at = all.steps.size() > 2 ? multiply(ceil_divide(rooms.even, line), line) : 0;
  all.workspace_bytes = all.steps.size() > 2 ? add(all.odd_at, rooms.odd) : all.steps.size() == 2 ? rooms.even : 0;
}

// The steps of `a`, then those of `b`; the last of `a` and the first of `b` as one where their boxes compose. `between` is the number of
// bytes that the former writes for the latter.
Steps joined(Steps a, Steps b, std::int64_t between) {
  const Rooms rooms_a = rooms_of(a), rooms_b = rooms_of(b);
  std::string why = "an axis is gathered by an index array";
  std::optional<Boxes> fused;
  if (a.steps.back().gathers.empty() && b.steps.front().gathers.empty()) {
    Boxes firsts = a.steps.back().boxes, seconds = b.steps.front().boxes;
    simplify(firsts);
    simplify(seconds);
    fused = compose_boxes(firsts, seconds, why);
  }
  Steps all{std::move(a.steps), 0, std::move(a.why)};
  if (fused) all.steps.pop_back();
  const std::size_t n_before = all.steps.size();
  if (fused) b.steps.front() = {std::move(*fused), {}, {}};
  std::move(b.steps.begin(), b.steps.end(), std::back_inserter(all.steps));
  for (const std::string& reason : {fused ? std::string() : why, b.why}) {
    if (all.why.find(reason) == std::string::npos) all.why += (all.why.empty() ? "" : "; ") + reason;
  }
  Rooms rooms = rooms_a;
  if (!fused) rooms.hold(n_before - 1, between);
  rooms.hold(n_before, rooms_b.even);
  rooms.hold(n_before + 1, rooms_b.odd);
  set_rooms(all, rooms);
  return all;
}

}  // namespace

Rearrangement Rearrangement::inverse() const {
  const std::string named = has_names_ ? not_a_bijection(*this) : "";
  if (!named.empty()) throw Error(ErrorCode::unsupported, "there is no inverse: " + named);
  try {
    check_no_overlap(source_);
  } catch (const Error& e) { throw Error(ErrorCode::unsupported, std::string("there is no inverse: backwards, ") + e.what()); }
  Steps all = steps();
  std::int64_t n_bytes = multiply(destination_.n_bytes(), n_destinations_);
  const std::string why = not_a_bijection(all, n_bytes, has_names_ || n_sources_ > 1);
  if (!why.empty()) throw Error(ErrorCode::unsupported, "there is no inverse: " + why);
  if (multiply(source_.n_bytes(), n_sources_) != n_bytes) {
    throw Error(ErrorCode::unsupported, "there is no inverse: the source " + print_shape(source_.extents) + " and the result " +
                                            print_shape(destination_.extents) + " do not have the same number of elements");
  }
  Rooms rooms = rooms_of(all);
  if (all.steps.size() % 2 == 1) std::swap(rooms.even, rooms.odd);  // what step k wrote is now written by step n − 2 − k
  std::reverse(all.steps.begin(), all.steps.end());
  set_rooms(all, rooms);
  for (Step& step : all.steps) {
    swap_sides(step);
    simplify(step.boxes);
  }
  Rearrangement backwards(destination_, source_, std::move(all));
  backwards.n_sources_ = n_destinations_;
  backwards.n_destinations_ = n_sources_;
  backwards.source_values_ = destination_values_;
  backwards.destination_values_ = source_values_;
  return backwards;
}

Rearrangement Rearrangement::then(const Rearrangement& next) const {
  if (n_destinations_ != 1 || next.n_sources_ != 1) {
    throw Error(ErrorCode::unsupported, "only one array may lie between two rearrangements, not " +
                                            std::to_string(std::max(n_destinations_, next.n_sources_)) + " buffers");
  }
  if (destination_.n_bytes() != next.source_.n_bytes() || !destination_.is_dense()) {
    throw Error(ErrorCode::bad_shape, "the first result " + print_shape(destination_.extents, element_bytes_) +
                                          " is not the second source " + print_shape(next.source_.extents, next.element_bytes_) +
                                          ": they must be dense and have the same bytes (the last number is bits)");
  }
  const ByteSpan read = next.source_spans().front();
  if (read.first < 0 || read.last > destination_.n_bytes()) {
    throw Error(ErrorCode::bad_shape, "the second reads bytes " + std::to_string(read.first) + " to " + std::to_string(read.last) +
                                          " of the first result's " + std::to_string(destination_.n_bytes()));
  }
  Steps first = steps(), second = next.steps();
  if (first.steps.empty()) first.steps.emplace_back();
  if (second.steps.empty()) second.steps.emplace_back();
  Rearrangement both(source_, next.destination_, joined(std::move(first), std::move(second), destination_.n_bytes()));
  both.n_sources_ = n_sources_;
  both.n_destinations_ = next.n_destinations_;
  both.source_values_ = source_values_;
  both.destination_values_ = next.destination_values_;
  return both;
}

}  // namespace crinkle
