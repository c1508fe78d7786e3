// The suite `versions`: the operations of paper 0 (Hawick and Playne, section 9) in its three versions, on 8192² float32:
//     A             written for two dimensions, a thread an element of the result; A, 16 bytes: where rows stay whole, a thread 16 bytes
//     B             k-indices of power-of-two extents (sections 5 and 8), a thread an element of the source
//     C by element  k-indices of any extents, likewise, as the paper has them
//     C             any extents of any rank: this library's plan
// SPDX-License-Identifier: BSD-3-Clause
#include <functional>

#include "papers/advice/squares.cuh"
#include "papers/hypercubic/kernels.cuh"
#include "papers/suites.hpp"

namespace crinkle::bench {
namespace {

constexpr Cell side = 8192;
constexpr std::int64_t n_bytes = std::int64_t{side} * side * 4;
constexpr unsigned threads = 256;

using Bits = BitsIndex;
using Any = DividedIndex;

// Versions B and C: what is known before the index is.

struct Flipped {
  Axes<2> axes;  // the fast one first
  template <class Index>
  FlipMap<Index> map(const Index& index) const {
    return {index.make_flip(axes)};
  }
};
struct Rolled {
  std::int64_t by_x, by_y;
  template <class Index>
  ShiftMap<Index> map(const Index& index) const {
    return {index.make_shift({by_x, by_y})};
  }
};
struct Crinkled {
  int axis;  // 0: the fast one
  std::uint64_t step;
  template <class Index>
  CrinkleMap<Index> map(const Index& index) const {
    return {index.make_crinkle(axis, step, Placement::global)};
  }
};
struct Transposed {
  template <class Index>
  struct Map {
    CRINKLE_HD Cell operator()(const Index& index, Cell k) const {
      const typename Index::Indices at = index.decompose(k);
      return index.compose({at[1], at[0]});  // of a square
    }
  };
  template <class Index>
  Map<Index> map(const Index&) const {
    return {};
  }
};

// --- the operations --------------------------------------------------------------------------------------------------------------------

/// Makes version A, written by hand, between the arrays of a site.
struct ByHand {
  std::string name;
  std::function<std::function<void()>(Site&)> run_at;
};

template <class Word>
const Word* source(const Site& site) {
  return reinterpret_cast<const Word*>(site.source());
}
template <class Word>
Word* destination(const Site& site) {
  return reinterpret_cast<Word*>(site.destination());
}

/// By words of float or of float4; the phases of a crinkle along a fast axis are narrower.
template <class Word, class Place>
ByHand two_dimensional(const char* version, const Place& place, Cell width, Cell height, Cell phases = 1) {
  const dim3 grid(width / threads, height, phases);
  return {version, [=](Site& site) -> std::function<void()> {
            return [=, src = source<Word>(site), dst = destination<Word>(site), s = site.stream().get()] {
              in_two_dimensions<Place, Word><<<grid, threads, 0, s>>>(src, dst, place);
            };
          }};
}
ByHand by_hand_transposed() {
  const dim3 grid(side / side_of_square, side / side_of_square), block(side_of_square, 8);
  return {"A", [=](Site& site) -> std::function<void()> {
            return [=, src = source<float>(site), dst = destination<float>(site), s = site.stream().get()] {
              transpose_squares<false><<<grid, block, 0, s>>>(src, dst, side, side);
            };
          }};
}

template <class Index, class Operation>
std::function<void()> by_index_of(const Index& index, const Operation& operation, Site& site) {
  const auto map = operation.map(index);
  return [=, src = source<float>(site), dst = destination<float>(site), s = site.stream().get()] {
    by_index<<<index.total() / threads, threads, 0, s>>>(index, map, src, dst);
  };
}

/// All versions of an operation, of which A is given.
template <class Operation>
Entry entry_of(const std::string& name, const std::vector<ByHand>& by_hand, const Operation& operation, const Rearrangement& r) {
  return {name, {n_bytes, n_bytes}, [=](Site& site, std::uint64_t seed) {
            Contest c;
            c.name = name;
            c.element_bytes = 4;
            c.bytes = 2 * n_bytes;
            c.rows = Contest::Rows::all;
            c.between = " ";
            for (const ByHand& one : by_hand) c.ways.emplace_back(one.name, one.run_at(site));
            c.ways.emplace_back("B", by_index_of(Bits({side, side}), operation, site));
            c.ways.emplace_back("C by element", by_index_of(Any({side, side}), operation, site));
            const RunMove move = move_of(Plan(r, site.device()), {n_bytes, n_bytes}, {}, site);
            c.ways.emplace_back("C", [move, &site] { move(site.source(), site.destination()); });
            c.check = [=, &site, ways = c.ways, boxes = r.boxes()] {
              for (const Way& way : ways)
                site.check(name + " " + way.name, {n_bytes, n_bytes}, seed, way.parts[0], [&] { return site.first_wrong(boxes); });
            };
            c.checked = "definition";
            c.ceilings = ceilings_of(site.copies(n_bytes));
            return c;
          }};
}

}  // namespace

std::vector<Entry> versions_entries(const Request&) {
  std::vector<Entry> all;
  const auto add = [&](const std::string& name, const std::vector<ByHand>& by_hand, const auto& operation, const Rearrangement& r) {
    all.push_back(entry_of(name, by_hand, operation, r));
  };
  const Layout square = Layout::dense({side, side}, 4);
  const Rearrangement same = parse("y x -> y x", square);
  const Cell quads = side / 4;
  add("flip_y",
      {two_dimensional<float>("A", FlipY{{}, side, side}, side, side),
       two_dimensional<float4>("A, 16 bytes", FlipY{{}, quads, side}, quads, side)},
      Flipped{{false, true}}, same.flip("y"));
  add("flip_x",
      {two_dimensional<float>("A", FlipX{{}, side}, side, side), two_dimensional<float4>("A, 16 bytes", FlipX{{}, quads}, quads, side)},
      Flipped{{true, false}}, same.flip("x"));
  add("flip_yx",
      {two_dimensional<float>("A", FlipYX{{}, side, side}, side, side),
       two_dimensional<float4>("A, 16 bytes", FlipYX{{}, quads, side}, quads, side)},
      Flipped{{true, true}}, same.flip("y").flip("x"));
  add("roll_y_1",
      {two_dimensional<float>("A", ShiftBoth{{}, side, side, 1, 0}, side, side),
       two_dimensional<float4>("A, 16 bytes", ShiftBoth{{}, quads, side, 1, 0}, quads, side)},
      Rolled{0, 1}, same.roll("y", 1));
  add("roll_x_1", {two_dimensional<float>("A", ShiftBoth{{}, side, side, 0, 1}, side, side)}, Rolled{1, 0}, same.roll("x", 1));
  add("roll_y_3001_x_1234", {two_dimensional<float>("A", ShiftBoth{{}, side, side, 3001, 1234}, side, side)}, Rolled{1234, 3001},
      same.roll("y", 3001).roll("x", 1234));
  for (const Cell step : {2, 4, 8}) {
    const Crinkle slow[] = {{0, step}}, fast[] = {{1, step}};
    const std::string by = std::to_string(step);
    add("crinkle_y_" + by,
        {two_dimensional<float>("A", CrinkleY{{}, side, step}, side, side / step, step),
         two_dimensional<float4>("A, 16 bytes", CrinkleY{{}, quads, step}, quads, side / step, step)},
        Crinkled{1, step}, crinkle::crinkle(square, slow));
    add("crinkle_x_" + by, {two_dimensional<float>("A", CrinkleX{{}, side, step}, side / step, side, step)}, Crinkled{0, step},
        crinkle::crinkle(square, fast));
  }
  add("transpose", {by_hand_transposed()}, Transposed{}, parse("y x -> x y", square));
  return all;
}

}  // namespace crinkle::bench
