// Messages cut into packed chunks, and boxes that pack and unpack them; fills of a rank's part.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstring>

#include "base/checked.hpp"
#include "base/loops.hpp"
#include "crinkle/operation.hpp"
#include "distribute/overlay.hpp"
#include "operations/axes.hpp"

namespace crinkle::distributed {
namespace {

constexpr std::size_t most_boxes = 512;  // of a chunk: so many are planned in a millisecond

// Cuts the slowest loop that has several times; nothing where there is none.
bool cut_in_two(const PieceBox& box, std::int64_t times_wanted, std::vector<PieceBox>& into) {
  for (std::size_t k = 0; k < box.size(); ++k) {
    const bool outer = box[k].times > 1;
    const std::int64_t extent = outer ? box[k].times : box[k].n;
    if (extent < 2) continue;
    const std::int64_t step = std::max<std::int64_t>(1, extent / times_wanted);
    for (std::int64_t first = 0; first < extent; first += step) {
      PieceBox& part = into.emplace_back(box);
      const std::int64_t n = std::min(step, extent - first);
      (outer ? part[k].times : part[k].n) = n;
      part[k].i += first * (outer ? box[k].i_jump : box[k].i_step);
      part[k].j += first * (outer ? box[k].j_jump : box[k].j_step);
    }
    return true;
  }
  return false;
}

void push_axis(Box& box, std::int64_t extent, std::int64_t src, std::int64_t dst) {
  if (extent > 1) box.axes.push_back({extent, src, dst});
}

std::int64_t stride_of(const Layout* layout, int axis) {
  return layout == nullptr || axis < 0 ? 0 : layout->strides[static_cast<std::size_t>(axis)];
}

}  // namespace

std::int64_t elements_of(const PieceBox& box) {
  std::int64_t n = 1;
  for (const LinkPiece& piece : box) n = multiply(n, multiply(piece.n, piece.times));
  return n;
}

std::vector<PieceBox> boxes_within(const std::vector<PieceBox>& boxes, std::size_t link, const Range& places) {
  std::vector<PieceBox> within;
  for (const PieceBox& box : boxes) {
    const LinkPiece& piece = box[link];
    const std::int64_t step = std::max<std::int64_t>(1, piece.i_step);  // 0: of one index
    std::vector<LinkPiece> runs;
    for (std::int64_t b = 0; b < piece.times; ++b) {
      const std::int64_t i = piece.i + b * piece.i_jump, below = places.first - i, up_to = below + places.n;
      const std::int64_t first = below > 0 ? ceil_divide(below, step) : 0,
                         end = up_to > 0 ? std::min(piece.n, ceil_divide(up_to, step)) : 0;
      if (first < end)
        runs.push_back({.n = end - first,
                        .i = i + first * piece.i_step,
                        .j = piece.j + b * piece.j_jump + first * piece.j_step,
                        .i_step = piece.i_step,
                        .j_step = piece.j_step});
    }
    for (const LinkPiece& run : repeated(runs)) within.emplace_back(box)[link] = run;
  }
  return within;
}

std::vector<std::vector<PieceBox>> chunks_of(std::vector<PieceBox> boxes, std::int64_t bytes, std::int64_t most) {
  std::vector<std::vector<PieceBox>> chunks;
  std::int64_t held = 0;
  std::reverse(boxes.begin(), boxes.end());  // a stack: the next one is the last
  while (!boxes.empty()) {
    const PieceBox box = std::move(boxes.back());
    boxes.pop_back();
    const std::int64_t n = multiply(elements_of(box), bytes);
    std::vector<PieceBox> parts;
    if (n > most && cut_in_two(box, ceil_divide(n, most), parts)) {
      boxes.insert(boxes.end(), parts.rbegin(), parts.rend());
      continue;
    }
    if (chunks.empty() || held + n > most || chunks.back().size() == most_boxes) {
      chunks.emplace_back();
      held = 0;
    }
    held += n;
    chunks.back().push_back(box);
  }
  return chunks;
}

Boxes moves_of(const std::vector<PieceBox>& chunk, const std::vector<Link>& links, const Layout* src, const Layout* dst,
               std::int64_t bytes) {
  Boxes boxes;
  std::int64_t packed = 0;
  for (const PieceBox& pieces : chunk) {
    Box box;
    box.src_offset = src == nullptr ? packed : src->offset;
    box.dst_offset = dst == nullptr ? packed : dst->offset;
    std::int64_t dense = multiply(elements_of(pieces), bytes);
    packed = add(packed, dense);
    for (std::size_t k = 0; k < links.size(); ++k) {
      const LinkPiece& p = pieces[k];
      const std::int64_t s = stride_of(src, links[k].src_axis), d = stride_of(dst, links[k].dst_axis);
      box.src_offset = add_product(box.src_offset, p.i, s);
      box.dst_offset = add_product(box.dst_offset, p.j, d);
      for (const bool outer : {true, false}) {
        const std::int64_t extent = outer ? p.times : p.n;
        dense /= extent;
        push_axis(box, extent, src == nullptr ? dense : multiply(outer ? p.i_jump : p.i_step, s),
                  dst == nullptr ? dense : multiply(outer ? p.j_jump : p.j_step, d));
      }
    }
    push_element(box, bytes);
    boxes.push_back(box);
  }
  return boxes;
}

namespace {

// The places of a rank's part that a kind of run of a link writes: data (−1) or a fill, and one index of the whole that is such.
struct Kind {
  std::int32_t fill = -1;
  std::int64_t index = 0;
  std::vector<LinkPiece> places;
};

std::vector<Kind> kinds_of(const Redistribution& r, const Link& link, std::int64_t rank) {
  std::vector<Kind> kinds;
  if (link.dst_axis < 0) {
    kinds.push_back({link.data.empty() ? 0 : -1, 0, {LinkPiece{}}});
    return kinds;
  }
  std::int64_t local = 0;
  for (const Range& range : r.to().held(rank, static_cast<std::size_t>(link.dst_axis))) {
    const std::int64_t end = range.first + range.n;
    for (const std::vector<MapRun>* runs : {&link.data, &link.fills}) {
      for (const MapRun& run : *runs) {
        std::int64_t m = run.first + run.inner > range.first ? 0 : floor_divide(range.first - run.first - run.inner, run.pitch) + 1;
        for (; m < run.count && run.first + m * run.pitch < end; ++m) {
          const std::int64_t at = run.first + m * run.pitch, from = std::max(at, range.first);
          std::int64_t n = std::min(at + run.inner, end) - from;
          if (run.inner == 1 && run.pitch == 1) n = std::min(run.first + run.count, end) - from;
          auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) { return k.fill == run.fill; });
          if (kind == kinds.end()) kind = kinds.insert(kind, {run.fill, from, {}});
          kind->places.push_back({.n = n, .j = local + from - range.first});
          if (run.inner == 1 && run.pitch == 1) break;
        }
      }
    }
    local += range.n;
  }
  for (Kind& kind : kinds) kind.places = repeated(kind.places);
  return kinds;
}

void push_fill(Boxes& boxes, const PieceBox& pieces, const std::vector<Link>& links, const Layout& dst,
               const std::vector<std::byte>& pattern) {
  std::int64_t unit = 1;
  const std::int64_t bytes = std::ssize(pattern);
  while (unit < 16 && bytes % (2 * unit) == 0) unit *= 2;
  Box box;
  box.is_fill = true;
  box.unit = static_cast<std::int32_t>(unit);
  box.dst_offset = dst.offset;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const std::int64_t d = stride_of(&dst, links[k].dst_axis);
    box.dst_offset = add_product(box.dst_offset, pieces[k].j, d);
    push_axis(box, pieces[k].times, 0, multiply(pieces[k].j_jump, d));
    push_axis(box, pieces[k].n, 0, multiply(pieces[k].j_step, d));
  }
  const std::int64_t origin = box.dst_offset;
  for (std::int64_t at = 0; at < bytes; at += unit) {
    box.dst_offset = origin + at;
    std::memcpy(box.pattern.data(), pattern.data() + at, static_cast<std::size_t>(unit));
    boxes.push_back(box);
  }
}

}  // namespace

Boxes fills_of(const Redistribution& r, const std::vector<Link>& links, std::int64_t rank, const Layout& dst) {
  Boxes boxes;
  const bool has_fills = std::any_of(links.begin(), links.end(), [](const Link& l) { return !l.fills.empty(); });
  if (!has_fills || rank >= r.to().n_ranks()) return boxes;
  std::vector<std::vector<Kind>> kinds;
  Extents n_kinds;
  for (const Link& link : links) {
    kinds.push_back(kinds_of(r, link, rank));
    n_kinds.push_back(std::ssize(kinds.back()));
  }
  const Operation whole = plan(r.move());
  for_each_index(n_kinds, [&](const Extents& chosen) {
    Ranges one(r.to().extents().size());
    Extents n_places;
    bool is_fill = false;
    for (std::size_t k = 0; k < links.size(); ++k) {
      const Kind& kind = kinds[k][static_cast<std::size_t>(chosen[k])];
      is_fill = is_fill || kind.fill >= 0;
      if (links[k].dst_axis >= 0) one[static_cast<std::size_t>(links[k].dst_axis)] = {kind.index, 1};
      n_places.push_back(std::ssize(kind.places));
    }
    if (!is_fill) return;
    // One element of the move says what the fill is, whichever verb it is of.
    const std::vector<std::byte> pattern = element_at(whole, one);
    for_each_index(n_places, [&](const Extents& place) {
      PieceBox box;
      for (std::size_t k = 0; k < links.size(); ++k)
        box.push_back(kinds[k][static_cast<std::size_t>(chosen[k])].places[static_cast<std::size_t>(place[k])]);
      push_fill(boxes, box, links, dst, pattern);
    });
  });
  return boxes;
}

}  // namespace crinkle::distributed
