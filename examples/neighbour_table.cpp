// A neighbour table, filled once and read at every step: heat spreads in a 7 × 5 box whose walls at both ends of x reflect and
// whose y is periodic. A second table, of the four diagonals under open boundaries, counts the cells that lack one.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>
#include <vector>

#include "crinkle/kindex.hpp"

int main() {
  using namespace crinkle;
  using Index = AnyIndex<2, std::uint32_t>;
  const Index index({7, 5});  // x, the fastest, first
  const Grid<2> grid = {{-0.3, 0.0}, {0.1, 0.2}};

  // table[k][slot]: left, right, down, up. `symmetric` mirrors beside the wall, so that no heat passes it.
  std::vector<std::uint32_t> table(4 * index.total());
  const Array<Boundary, 2> walls = {Boundary::symmetric, Boundary::periodic};
  fill_neighbours(index, nearest_distances<2>(), walls, TableOrder::by_cell, table.data());

  std::vector<double> heat(index.total()), next(index.total());
  const std::uint32_t hot = grid.nearest(index, {0.04, 0.37});  // the cell at (0, 0.4)
  heat[hot] = 35.0;
  for (int step = 0; step < 400; ++step) {
    for (std::size_t k = 0; k < index.total(); ++k) {
      next[k] = heat[k];
      for (std::size_t slot = 0; slot < 4; ++slot) next[k] += 0.2 * (heat[table[4 * k + slot]] - heat[k]);
    }
    heat.swap(next);
  }
  double total = 0, farthest = 0;
  for (const double value : heat) {
    total += value;
    farthest = std::fmax(farthest, std::fabs(value - 1.0));
  }

  const Array<Index::Distances, 4> diagonals = {{{{-1, -1}}, {{1, -1}}, {{-1, 1}}, {{1, 1}}}};
  std::vector<std::uint32_t> corners(4 * index.total());
  fill_neighbours(index, diagonals, Boundary::open, TableOrder::by_slot, corners.data());
  int n_at_the_rim = 0;
  for (std::size_t k = 0; k < index.total(); ++k) {
    bool is_at_the_rim = false;
    for (std::size_t slot = 0; slot < 4; ++slot) is_at_the_rim |= corners[slot * index.total() + k] == Index::outside;
    n_at_the_rim += is_at_the_rim;
  }

  std::printf("cell %u was hot; heat now %.12f in all, %.1e from even; %d cells lie at the rim\n", hot, total, farthest, n_at_the_rim);
  return hot == 17 && std::fabs(total - 35.0) < 1e-9 && farthest < 1e-6 && n_at_the_rim == 35 - 5 * 3 ? 0 : 1;
}
