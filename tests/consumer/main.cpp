// A program of somebody else: it moves a small array and asks a k-index for a neighbour.
// SPDX-License-Identifier: BSD-3-Clause
#include <crinkle/crinkle.hpp>
#include <crinkle/kindex.hpp>

#include <array>
#include <cstdio>

int main() {
  const std::array<int, 6> rows = {0, 1, 2, 3, 4, 5};
  std::array<int, 6> columns{};
  const crinkle::Rearrangement r = crinkle::parse("y x -> x y", crinkle::Layout::dense({2, 3}, sizeof(int))).flip("y");
  crinkle::Plan(r).run({rows.data(), sizeof rows}, {columns.data(), sizeof columns});
  const std::array<int, 6> expected = {3, 0, 4, 1, 5, 2};

  const crinkle::AnyIndex<2> grid({3, 2});
  const bool is_right = columns == expected && grid.neighbour(0, 0, -1, crinkle::Boundary::periodic) == 2;
  std::puts(is_right ? "the installed crinkle works" : "the installed crinkle does not work");
  return is_right ? 0 : 1;
}
