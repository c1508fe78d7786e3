// The walk of move/reference.cpp with places instead of bytes: every byte of a destination learns its source buffer and offset, its fill,
// or that nothing writes it.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/draw/origin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/checked.hpp"
#include "base/loops.hpp"

namespace crinkle::planning {
namespace {

constexpr std::int64_t max_bytes = 4 << 20;  // 16 bytes of origin each: 64 MiB

struct Place {
  std::int64_t byte = 0;
  std::int64_t slot = 0;
  Place advanced(std::int64_t i, std::int64_t stride, Counts counts) const {
    return counts == Counts::bytes ? Place{byte + i * stride, slot} : Place{byte, slot + i * stride};
  }
};

using Read = std::function<Origin(Place)>;
using Write = std::function<void(Place, const Origin&)>;

void walk_axes(const Box& box, std::size_t a, Place from, Place to, const Read& read, const Write& write) {
  if (a == box.axes.size()) {
    for (std::int64_t b = 0; b < box.unit; ++b) {
      const auto value = std::to_integer<std::int64_t>(box.pattern[static_cast<std::size_t>(b)]);
      write({to.byte + b, to.slot}, box.is_fill ? Origin{Origin::Kind::fill, 0, value} : read({from.byte + b, from.slot}));
    }
    return;
  }
  const Axis& axis = box.axes[a];
  for (std::int64_t i = 0; i < axis.extent; ++i)
    walk_axes(box, a + 1, from.advanced(i, axis.src_stride, axis.src_counts), to.advanced(i, axis.dst_stride, axis.dst_counts), read,
              write);
}

void walk_entries(const Step& step, std::size_t g, Place from, Place to, std::int32_t fill, const Read& read, const Write& write) {
  if (g == step.gathers.size()) {
    for (const Box& box : fill < 0 ? step.boxes : step.fill_boxes[static_cast<std::size_t>(fill)])
      walk_axes(box, 0, {from.byte + box.src_offset, box.src_slot}, {to.byte + box.dst_offset, box.dst_slot}, read, write);
    return;
  }
  const GatherAxis& axis = step.gathers[g];
  for (std::size_t j = 0; j < axis.dst_offsets.size(); ++j) {
    const std::int32_t entry_fill = axis.fills.empty() ? -1 : axis.fills[j];
    walk_entries(step, g + 1, {from.byte + axis.src_offsets[j], 0}, {to.byte + axis.dst_offsets[j], 0}, std::max(fill, entry_fill), read,
                 write);
  }
}

/// Elements by where they lie.
struct Elements {
  std::vector<std::pair<std::int64_t, std::int64_t>> at;  // offset in bytes, element; ascending, one element per offset
  std::int64_t bytes = 1;

  explicit Elements(const Layout& layout) : bytes(layout.element_bytes) {
    for (const std::int64_t offset : offsets_of(layout)) at.emplace_back(offset, static_cast<std::int64_t>(at.size()));
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end(), [](const auto& a, const auto& b) { return a.first == b.first; }), at.end());
  }
  /// The element that holds a byte, or nullptr: {its offset, its number}.
  const std::pair<std::int64_t, std::int64_t>* holding(std::int64_t byte) const {
    const auto after = std::upper_bound(at.begin(), at.end(), byte, [](std::int64_t b, const auto& e) { return b < e.first; });
    return after == at.begin() || byte >= (after - 1)->first + bytes ? nullptr : &*(after - 1);
  }
};

void check_bytes(std::int64_t bytes, const char* what) {
  if (bytes > max_bytes) {
    throw Error(ErrorCode::too_large, std::string("cannot draw: ") + what + " has " + std::to_string(bytes) +
                                          " bytes, a picture follows at most " + std::to_string(max_bytes) +
                                          "; slice first, or draw smaller elements");
  }
}

}  // namespace

std::vector<std::int64_t> offsets_of(const Layout& layout) {
  std::vector<std::int64_t> offsets;
  if (layout.n_elements() == 0) return offsets;
  std::vector<std::int64_t> index(layout.extents.size(), 0);
  std::int64_t offset = layout.offset;
  do offsets.push_back(offset);
  while (step_index(
      index, index.size(), [&](std::size_t a) { return layout.extents[a]; },
      [&](std::size_t a, std::int64_t by) { offset += by * layout.strides[a]; }));
  return offsets;
}

std::vector<Origin> origins_of(const Rearrangement& r) {
  const Layout& destination = r.destination();
  const std::int64_t n_elements = destination.n_elements(), element = destination.element_bytes;
  check_bytes(multiply(multiply(n_elements, element), r.n_destinations()), "the destination");
  std::vector<Origin> origins(static_cast<std::size_t>(n_elements * element * r.n_destinations()));
  const Elements elements(destination);
  const Steps all = r.steps();
  check_bytes(all.workspace_bytes, "the workspace");
  std::vector<Origin> workspace(static_cast<std::size_t>(all.workspace_bytes));
  const Read read_source = [](Place p) { return Origin{Origin::Kind::source, static_cast<std::int32_t>(p.slot), p.byte}; };
  const Write write_destination = [&](Place p, const Origin& origin) {
    const auto* e = elements.holding(p.byte);
    if (e != nullptr) origins[static_cast<std::size_t>((p.slot * n_elements + e->second) * element + p.byte - e->first)] = origin;
  };
  for (std::size_t s = 0; s < all.steps.size(); ++s) {
    const bool is_last = s + 1 == all.steps.size();
    const Read read_workspace = [&](Place p) { return workspace.at(static_cast<std::size_t>(all.written_at(s - 1) + p.byte)); };
    const Write write_workspace = [&](Place p, const Origin& origin) {
      workspace.at(static_cast<std::size_t>(all.written_at(s) + p.byte)) = origin;
    };
    walk_entries(all.steps[s], 0, {}, {}, -1, s == 0 ? read_source : read_workspace, is_last ? write_destination : write_workspace);
  }
  return origins;
}

std::optional<std::vector<ElementOrigin>> elements_of(const std::vector<Origin>& origins, const Layout& source) {
  using Kind = Origin::Kind;
  const Elements elements(source);
  const auto bytes = static_cast<std::size_t>(source.element_bytes);
  std::vector<ElementOrigin> out;
  for (std::size_t at = 0; at < origins.size(); at += bytes) {
    const Origin& first = origins[at];
    const auto* e = first.kind == Kind::source ? elements.holding(first.byte) : nullptr;
    if (first.kind == Kind::source && e == nullptr) return std::nullopt;
    ElementOrigin one{first.kind, first.slot, e == nullptr ? 0 : e->second, true, ""};
    for (std::size_t b = 0; b < bytes; ++b) {
      const Origin& origin = origins[at + b];
      if (origin.kind != first.kind || origin.slot != first.slot) return std::nullopt;
      if (origin.kind == Kind::fill) one.fill += fmt::format("{:02x}", origin.byte);
      if (origin.kind != Kind::source) continue;
      if (elements.holding(origin.byte) != e) return std::nullopt;
      one.keeps_bytes = one.keeps_bytes && origin.byte == e->first + static_cast<std::int64_t>(b);
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace crinkle::planning
