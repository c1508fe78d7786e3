// The heat equation on a plate that is spread over ranks: 4 steps at a time, so that halos 4 cells wide are exchanged every fourth step.
// The result has the bits of one rank alone.
//     mpirun -n 4 example_mpi_heat
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <vector>

#include "crinkle/mpi.hpp"
#include "crinkle/sweeper.hpp"

using namespace crinkle;

int main(int n_arguments, char** arguments) {
  MPI_Init(&n_arguments, &arguments);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  const Extents extents{240, 320};
  Sweep sweep;  // u + (Δt/Δx²) Σ (neighbour − u)
  sweep.stencil = {"heat", 2, {{{0, 0, -1, 0, 1, 0, 0, -1, 0, 1}, {0.2, 0.2, 0.2, 0.2, 0.2}}}};
  sweep.source = sweep.destination = Layout::dense(extents, 8);
  sweep.source_type = sweep.destination_type = {Number::float64};
  sweep.axes = {0, 1};
  sweep.boundary = {{Bound::edge}, {Bound::periodic}};
  sweep.steps = 4;
  const Operation steps = plan(sweep);

  const Distribution plate(extents, {"y", "x"}, "y:block(" + std::to_string(size) + ")"), on_rank_0(extents, {"y", "x"}, "");
  std::vector<double> all(240 * 320, 0), again(all);
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k % 997 == 0 ? 100 : 0;

  // Scatter, 100 steps, gather.
  const std::int64_t n = plate.local(rank, 8).n_elements();
  std::vector<double> mine(static_cast<std::size_t>(n)), next(mine);
  mpi::plan(MPI_COMM_WORLD, Redistribution(on_rank_0, plate, 8)).run(all, mine);
  mpi::OperationPlan heat = mpi::plan(MPI_COMM_WORLD, [&] { return DistributedOperation(steps, {plate}, plate); });
  for (int k = 0; k < 25; ++k) {
    heat.run(mine, next);
    mine.swap(next);
  }
  std::vector<double> gathered(all.size());
  mpi::plan(MPI_COMM_WORLD, Redistribution(plate, on_rank_0, 8)).run(mine, gathered);

  int is_right = 1;
  if (rank == 0) {
    for (int k = 0; k < 25; ++k) {
      steps.run({all}, {again});
      all.swap(again);
    }
    is_right = gathered == all ? 1 : 0;
    std::printf("100 steps on %d ranks: %s\n", size, is_right == 1 ? "the bits of one rank" : "WRONG");
  }
  MPI_Bcast(&is_right, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return is_right == 1 ? 0 : 1;
}
