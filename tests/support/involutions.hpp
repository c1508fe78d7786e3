// Random rearrangements of an array on itself that are their own inverse: axes that change places in pairs, each axis by itself or each
// pair flipped, rolled, bit-reversed so that the second time undoes the first; in layouts with gaps and negative strides.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numeric>
#include <string>

#include "crinkle/operations.hpp"
#include "support/generators.hpp"

namespace crinkle::testing {

inline bool is_power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

/// Axis a becomes axis partner[a] and back.
inline std::vector<std::size_t> any_pairs(std::size_t rank) {
  std::vector<std::size_t> partner(rank), order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  partner = order;
  order = shuffled(order);
  for (std::size_t k = 0; k + 1 < rank; k += 2) {
    if (chance(3)) continue;
    partner[order[k]] = order[k + 1];
    partner[order[k + 1]] = order[k];
  }
  return partner;
}

inline Rearrangement any_involution(std::string& text, std::int64_t most_elements) {
  const auto rank = static_cast<std::size_t>(pick(1, 5));
  const std::int64_t e = any_element_bytes();
  const std::vector<std::size_t> partner = any_pairs(rank);
  Extents extents(rank, 1);
  for (std::size_t a = 0; a < rank; ++a) {
    if (partner[a] < a) continue;
    std::int64_t n = one_of<std::int64_t>({1, 2, 3, 4, 5, 7, 8, 16, 17, 32, 33, 64, 100, 131});
    while (n * (partner[a] == a ? 1 : n) > most_elements) n = (n + 1) / 2;
    most_elements /= partner[a] == a ? n : n * n;
    extents[a] = extents[partner[a]] = n;
  }
  const bool is_dense = chance(3);
  const Layout layout = is_dense ? Layout::dense(extents, e) : any_layout(extents, e);
  std::vector<std::string> names;
  for (std::size_t a = 0; a < rank; ++a) names.push_back(std::string(1, static_cast<char>('a' + a)));
  Rearrangement r(layout, names);
  text = "elements of " + std::to_string(e);
  const auto both = [&](std::size_t a, const auto& verb) {
    r = verb(r, names[a]);
    if (partner[a] != a) r = verb(r, names[partner[a]]);
  };
  std::vector<bool> stays(rank, false);  // in its place, at most flipped
  for (std::size_t a = 0; a < rank; ++a) {
    text += " " + names[a] + "=" + std::to_string(extents[a]) + "->" + names[partner[a]];
    if (partner[a] < a) continue;
    const std::int64_t n = extents[a], kind = pick(0, 5), distance = pick(0, n);
    stays[a] = partner[a] == a && kind != 2 && kind != 3;
    if (kind <= 1 || kind == 2) {
      text += " flip";
      both(a, [](const Rearrangement& s, const std::string& name) { return s.flip(name); });
    }
    if (kind == 2 && partner[a] == a) {  // i -> c − i
      text += " roll " + std::to_string(distance);
      r = r.roll(names[a], distance);
    }
    if (kind == 3 && n % 2 == 0) {
      text += " half";
      both(a, [n](const Rearrangement& s, const std::string& name) { return s.roll(name, n / 2); });
    }
    if (kind == 4 && partner[a] != a) {
      text += " forth and back " + std::to_string(distance);
      r = r.roll(names[a], distance).roll(names[partner[a]], -distance);
    }
  }
  if (chance(4)) {
    text += " swap";
    r = r.byte_swap();
  }
  std::vector<Output> outputs;
  std::vector<Rearrangement::Split> splits;
  for (std::size_t a = 0; a < rank; ++a) {
    splits.push_back({{{names[a], extents[a]}}});
    outputs.push_back({{{static_cast<int>(partner[a]), 0, 1}}});
  }
  r = r.split_and_merge(splits, outputs).into(layout);
  if (!is_dense) return r;
  // With m before and its inverse after, whatever bijection m is, it stays an involution.
  const auto within = [&](const Rearrangement& m) { r = m.then(r).then(m.inverse()); };
  for (std::size_t a = 0; a < rank; ++a) {
    if (!is_power_of_two(extents[a]) || !chance(3)) continue;
    const Rearrangement bits = bit_reverse(layout, static_cast<std::int64_t>(a));
    text += " bits of " + names[a];
    stays[a] ? void(r = bits.then(r)) : within(bits);
  }
  if (chance(3)) {
    const std::int64_t distance = pick(0, 30);
    text += " within a roll by " + std::to_string(distance);
    within(Rearrangement(Layout::dense({layout.n_elements()}, e)).roll("@0", distance));
  }
  if (chance(3)) {
    text += " within a roll of an axis by 1";
    within(Rearrangement(layout).roll("@" + std::to_string(pick(0, static_cast<std::int64_t>(rank) - 1)), 1));
  }
  return r;
}

}  // namespace crinkle::testing
