// Random chains of passes for property tests: each map reads the result of the one before as it lies, under extents of its own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "crinkle/operations.hpp"
#include "support/generators.hpp"

namespace crinkle {

struct PassChain {
  std::vector<Rearrangement> passes;

  Rearrangement together() const {
    Rearrangement all = passes.front();
    for (std::size_t k = 1; k < passes.size(); ++k) all = all.then(passes[k]);
    return all;
  }
  /// From the last pair on: a.then(b.then(c)).
  Rearrangement together_from_the_end() const {
    Rearrangement all = passes.back();
    for (std::size_t k = passes.size() - 1; k-- > 0;) all = passes[k].then(all);
    return all;
  }
  Bytes one_by_one(Bytes bytes) const {
    for (const Rearrangement& pass : passes) bytes = moved(pass, bytes);
    return bytes;
  }
};

/// A map of `source` of one of the kinds that chains are made of: permuted, rolled and padded, gathered along an axis, gathered along a
/// bit-reversed axis (two steps), shuffled by bytes, sorted by colour.
inline Rearrangement any_pass(const Layout& source) {
  Rearrangement r(source);
  const auto rank = static_cast<std::int64_t>(source.extents.size());
  const auto a = static_cast<std::size_t>(pick(0, rank - 1));
  const std::string axis = "@" + std::to_string(a);
  const std::int64_t n = source.extents[a];
  oracle::Indices indices;
  std::uint64_t x = static_cast<std::uint64_t>(pick(1, 1'000'000));
  const auto draw = [&](std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      indices.push_back(static_cast<std::int64_t>((x >> 33) % static_cast<std::uint64_t>(n)));
    }
  };
  const bool may_grow = source.n_bytes() < 3000;
  switch (pick(0, 6)) {
    case 0: {
      std::vector<std::int64_t> order;
      for (std::int64_t k = 0; k < rank; ++k) order.push_back(k);
      return permute(source, shuffled(order));
    }
    case 1: return r.roll(axis, pick(-5, 5)).flip("@0");
    case 2: return may_grow ? r.pad(axis, pick(0, 3), 1, PadMode::constant, noise(source.element_bytes, 3)).roll(axis, 1) : r.flip(axis);
    case 3:
      if (source.element_bytes > 1) return byte_shuffle(source);
      return checkerboard(source);
    case 4:
      if (!may_grow) return r.slice(axis, {}, {}, 2);
      draw(std::max<std::int64_t>(n, 130));
      return r.take(axis, indices).pad("@0", 0, 1, PadMode::constant, noise(source.element_bytes, 4));
    case 5:
      if (!may_grow) return r.slice(axis, 1, {});
      draw(256);
      return r.take(axis, indices).bit_reverse(axis);
    default: return checkerboard(source);
  }
}

/// As many passes. A result that has become empty is not read further.
inline PassChain any_chain(std::int64_t n_passes) {
  PassChain chain;
  Layout source = Layout::dense({pick(1, 7), pick(1, 12), pick(1, 5)}, any_element_bytes());
  for (std::int64_t k = 0; k < n_passes; ++k) {
    chain.passes.push_back(any_pass(source));
    source = chain.passes.back().destination();
    const std::int64_t n = source.n_elements();
    if (n == 0) break;
    if (chance(3)) {  // the same bytes under other extents
      const std::int64_t factor = one_of<std::int64_t>({2, 3, 4, 7, 8});
      source = Layout::dense(n % factor == 0 ? Extents{n / factor, factor} : Extents{n}, source.element_bytes);
    }
  }
  return chain;
}

}  // namespace crinkle
