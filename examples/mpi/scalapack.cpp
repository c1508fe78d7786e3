// A matrix in ScaLAPACK's layout, block-cyclic on a grid of ranks and in Fortran's order, from rows that lie in blocks: as a program would
// hand it to pdgesv, and take the answer back.
//     mpirun -n 4 example_mpi_scalapack
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <string>
#include <vector>

#include "crinkle/mpi.hpp"

using namespace crinkle;

int main(int n_arguments, char** arguments) {
  MPI_Init(&n_arguments, &arguments);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  const std::int64_t n = 500;
  const int p = size % 2 == 0 ? 2 : 1, q = size / p;
  const Distribution rows({n, n}, {"i", "j"}, "i:block(" + std::to_string(size) + ")");
  const Distribution blocks({n, n}, {"i", "j"}, "i:cyclic(" + std::to_string(p) + ",64) j:cyclic(" + std::to_string(q) + ",64)");

  const Layout columns = Layout::dense_fortran(blocks.local_extents(rank), 8);  // lld = columns.extents[0]
  std::vector<double> mine(static_cast<std::size_t>(rows.local(rank, 8).n_elements())), back(mine);
  std::vector<double> a(static_cast<std::size_t>(columns.n_elements()));
  const std::int64_t first = rows.held(rank, 0).empty() ? 0 : rows.held(rank, 0)[0].first;
  for (std::size_t k = 0; k < mine.size(); ++k) mine[k] = static_cast<double>(first * n) + static_cast<double>(k);  // a(i, j) = i n + j

  mpi::plan(MPI_COMM_WORLD, Redistribution(rows, blocks, 8), {.dst = columns}).run(mine, a);
  int is_right = 1;
  std::size_t at = 0;
  for (const Range& of_j : blocks.held(rank, 1))
    for (std::int64_t j = of_j.first; j < of_j.first + of_j.n; ++j)
      for (const Range& of_i : blocks.held(rank, 0))
        for (std::int64_t i = of_i.first; i < of_i.first + of_i.n; ++i) is_right &= a[at++] == static_cast<double>(i * n + j) ? 1 : 0;
  mpi::plan(MPI_COMM_WORLD, Redistribution(blocks, rows, 8), {.src = columns}).run(a, back);
  is_right &= back == mine ? 1 : 0;

  MPI_Allreduce(MPI_IN_PLACE, &is_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (rank == 0) {
    std::printf("%s", Redistribution(rows, blocks, 8).describe().c_str());
    std::printf("%s\n", is_right == 1 ? "every element is where ScaLAPACK looks for it" : "WRONG");
  }
  MPI_Finalize();
  return is_right == 1 ? 0 : 1;
}
