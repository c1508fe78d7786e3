// Fills from the last to the first, then the data, each as the product of one choice per factor; gives up beyond the limit on boxes.
// SPDX-License-Identifier: BSD-3-Clause
#include "form/peel.hpp"

#include <functional>
#include <set>
#include <utility>

#include "base/checked.hpp"
#include "form/simplify.hpp"

namespace crinkle {
namespace {

using Pieces = std::vector<Piece>;

// The places in the destination of one axis's pieces, in as few pieces as possible.
Pieces cover_of(const Pieces& pieces) {
  Boxes boxes;
  for (const Piece& p : pieces) {
    Box box;
    box.axes.append(p.axes.begin(), p.axes.end());
    box.dst_offset = p.dst_offset;
    box.dst_slot = static_cast<std::int32_t>(p.dst_slot);
    box.is_fill = true;
    boxes.push_back(box);
  }
  simplify(boxes);
  Pieces cover;
  for (const Box& box : boxes) {
    Piece p;
    p.axes.append(box.axes.begin(), box.axes.end());
    p.dst_offset = box.dst_offset;
    p.dst_slot = box.dst_slot;
    cover.push_back(p);
  }
  return cover;
}

struct Products {
  std::size_t limit;
  Pieces all;

  bool add_product(const std::vector<const Pieces*>& lists, const Piece& start) {
    std::size_t n = 1;
    for (const Pieces* list : lists) n = list->empty() || n == 0 ? 0 : n > limit / list->size() ? limit + 1 : n * list->size();
    if (all.size() + n > limit) return false;
    if (n > 0) extend(lists, 0, start);
    return true;
  }

  void extend(const std::vector<const Pieces*>& lists, std::size_t k, const Piece& so_far) {
    if (k == lists.size()) return all.push_back(so_far);
    for (const Piece& p : *lists[k]) {
      Piece next = so_far;
      next.axes.append(p.axes.begin(), p.axes.end());
      next.src_offset = add(next.src_offset, p.src_offset);
      next.dst_offset = add(next.dst_offset, p.dst_offset);
      next.src_slot = add(next.src_slot, p.src_slot);
      next.dst_slot = add(next.dst_slot, p.dst_slot);
      extend(lists, k + 1, next);
    }
  }
};

}  // namespace

std::optional<Pieces> products_of(const std::vector<Factor>& factors, const Piece& start, std::int32_t fill, std::size_t limit) {
  std::set<std::int32_t, std::greater<>> fills;  // from the last on
  std::vector<Pieces> left, covers;              // per factor, what is not peeled off yet
  for (const Factor& f : factors) {
    left.push_back(f.pieces);
    covers.push_back({f.whole});
    for (const Piece& p : f.pieces) {
      if (p.fill > fill) fills.insert(p.fill);
    }
  }
  const auto lists_of = [](const std::vector<Pieces>& pieces) {
    std::vector<const Pieces*> lists;
    for (const Pieces& p : pieces) lists.push_back(&p);
    return lists;
  };
  Products products{limit, {}};
  Piece filled = start;
  for (const std::int32_t top : fills) {
    filled.fill = top;
    for (std::size_t k = 0; k < left.size(); ++k) {
      Pieces peeled, rest;
      for (const Piece& p : left[k]) (p.fill == top ? peeled : rest).push_back(p);
      if (peeled.empty()) continue;
      left[k] = std::move(rest);
      std::vector<const Pieces*> lists = lists_of(covers);
      lists[k] = &peeled;
      if (!products.add_product(lists, filled)) return {};
      covers[k] = cover_of(left[k]);
    }
  }
  filled.fill = fill;
  if (!products.add_product(lists_of(fill < 0 ? left : covers), filled)) return {};
  return std::move(products.all);
}

}  // namespace crinkle
