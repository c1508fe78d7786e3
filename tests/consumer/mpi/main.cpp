// The first example of docs/distributed.md, on 4 ranks: rows in blocks become ScaLAPACK's blocks of the transposed array.
// SPDX-License-Identifier: BSD-3-Clause
#include <crinkle/mpi.hpp>
#include <crinkle/notation.hpp>
#include <cstdio>
#include <vector>

using namespace crinkle;

int main(int n_arguments, char** arguments) {
  MPI_Init(&n_arguments, &arguments);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Distribution rows({512, 1000}, {"y", "x"}, "y:block(4)");
  const Distribution blocks({1000, 512}, {"x", "y"}, "x:cyclic(2,64) y:cyclic(2,64)");
  const Redistribution turn(rows, blocks, parse("y x -> x y", Layout::dense({512, 1000}, 8)));
  if (rank == 0) std::puts(turn.describe().c_str());

  std::vector<double> mine(128 * 1000), made(static_cast<std::size_t>(blocks.local(rank, 8).n_elements()));
  for (std::size_t k = 0; k < mine.size(); ++k) mine[k] = static_cast<double>(rank) * 128000 + static_cast<double>(k);  // y · 1000 + x
  mpi::Plan plan = mpi::plan(MPI_COMM_WORLD, turn);
  plan.run(mine, made);
  std::size_t at = 0;
  for (const Range& of_x : blocks.held(rank, 0))
    for (std::int64_t x = of_x.first; x < of_x.first + of_x.n; ++x)
      for (const Range& of_y : blocks.held(rank, 1))
        for (std::int64_t y = of_y.first; y < of_y.first + of_y.n; ++y)
          if (made[at++] != static_cast<double>(y * 1000 + x)) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return 0;
}
