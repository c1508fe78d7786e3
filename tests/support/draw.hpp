// Random boxes and random chains of verbs for executors, drawn fast and by one generator, so that a seed names a case.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "crinkle/operations.hpp"
#include "crinkle/rearrangement.hpp"

namespace crinkle {

struct Draw {
  std::mt19937_64 random;
  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(int one_in) { return pick(1, one_in) == 1; }

  // A box whose destination nests and whose source may repeat, run backwards and have gaps.
  Box box() {
    Box box;
    box.unit = 1 << pick(0, 4);
    const std::int64_t rank = pick(0, 6);
    std::int64_t room = chance(6) ? 60000 : 6000;
    std::vector<std::int64_t> extents;
    for (std::int64_t a = 0; a < rank; ++a) {
      const std::int64_t most[] = {2, 3, 5, 16, 17, 33, 70, 300, 2100};
      std::int64_t n = chance(4) ? most[pick(0, 8)] : pick(1, most[pick(0, 6)]);
      n = std::max<std::int64_t>(1, std::min(n, room));
      room /= n;
      extents.push_back(n);
    }
    std::vector<std::size_t> by_dst(extents.size()), by_src(extents.size());
    for (std::size_t a = 0; a < extents.size(); ++a) by_dst[a] = by_src[a] = a;
    std::shuffle(by_dst.begin(), by_dst.end(), random);
    if (!chance(3)) by_src = by_dst;
    if (chance(2)) std::shuffle(by_src.begin(), by_src.end(), random);
    for (const std::int64_t n : extents) box.axes.push_back({n, 0, 0});
    std::int64_t stride = chance(12) ? box.unit * 2 : box.unit;
    for (const std::size_t a : by_dst) {
      box.axes[a].dst_stride = stride;
      stride = stride * extents[a] + (chance(5) ? pick(1, 40) * (chance(2) ? box.unit : 1) : 0);
    }
    stride = chance(8) ? box.unit * pick(2, 3) : box.unit;
    for (const std::size_t a : by_src) {
      box.axes[a].src_stride = chance(15) ? 0 : stride;
      stride = stride * extents[a] + (chance(5) ? pick(1, 40) * (chance(2) ? box.unit : 1) : 0);
      if (chance(5)) {
        box.src_offset += box.axes[a].src_stride * (extents[a] - 1);
        box.axes[a].src_stride *= -1;
      }
    }
    box.src_offset += chance(2) ? 0 : pick(0, 70);
    box.dst_offset += chance(2) ? 0 : pick(0, 70);
    return box;
  }

  // Rolls, pads, flips, slices and crinkles of a small array, its axes in any order.
  Rearrangement chain(std::string& text) {
    const std::int64_t element_bytes[] = {1, 2, 3, 4, 8, 12, 16, 24};
    const std::int64_t e = element_bytes[pick(0, 7)];
    std::vector<std::string> names = {"a", "b", "c", "d"};
    names.resize(static_cast<std::size_t>(pick(1, 4)));
    Extents extents;
    for (std::size_t a = 0; a < names.size(); ++a) extents.push_back(a + 1 == names.size() && chance(2) ? pick(1, 400) : pick(1, 9));
    Rearrangement r(Layout::dense(extents, e), names);
    for (std::int64_t k = pick(0, 5); k > 0; --k) {
      const std::string axis = names[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(names.size()) - 1))];
      const std::int64_t verb = pick(0, 4), n = pick(-5, 12);
      text += " " + std::to_string(verb) + axis + std::to_string(n);
      if (verb == 0) r = r.roll(axis, n);
      if (verb == 1) r = r.flip(axis);
      if (verb == 2) r = r.pad(axis, n & 3, n & 1, n > 6 ? PadMode::reflect : PadMode::constant);
      if (verb == 3) r = r.slice(axis, {}, {}, chance(3) ? -1 : 1 + (n & 1));
      if (verb == 4) r = r.pad(axis, 1, 1, PadMode::wrap);
    }
    if (chance(5)) r = r.byte_swap();
    std::vector<Output> outputs;
    std::vector<int> order;
    for (std::size_t a = 0; a < names.size(); ++a) order.push_back(static_cast<int>(a));
    if (chance(2)) std::shuffle(order.begin(), order.end(), random);
    std::vector<Rearrangement::Split> splits;
    for (const std::string& name : names) splits.push_back({{{name, r.extent(name)}}});
    for (const int a : order) outputs.push_back({{{a, 0, 1}}});
    return r.split_and_merge(splits, outputs);
  }
};

}  // namespace crinkle
