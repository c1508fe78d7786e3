// Steps of a heat equation under mpirun, rows in blocks of ranks: crinkle::mpi, whose halos arrive while the inner rows are computed,
// beside what is written by hand, MPI_Sendrecv of the halos and then a loop.
//     mpirun -n 2 bench_halos [ROWS [ROUNDS]]
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "crinkle/mpi.hpp"
#include "crinkle/sweeper.hpp"
#include "turns.hpp"

using namespace crinkle;

namespace {

int rank = 0, size = 1;

// This rank's rows of n numbers each, and a row before and behind them.
struct ByHand {
  std::int64_t n, rows;
  std::vector<float> now, next;

  ByHand(std::int64_t width, std::int64_t height)
      : n(width), rows(height), now(static_cast<std::size_t>((height + 2) * width)), next(now) {}
  float* row(std::vector<float>& of, std::int64_t k) const { return of.data() + (k + 1) * n; }
  void step() {
    const int up = rank == 0 ? MPI_PROC_NULL : rank - 1, down = rank + 1 == size ? MPI_PROC_NULL : rank + 1, many = static_cast<int>(n);
    MPI_Sendrecv(row(now, 0), many, MPI_FLOAT, up, 0, row(now, rows), many, MPI_FLOAT, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(row(now, rows - 1), many, MPI_FLOAT, down, 0, row(now, -1), many, MPI_FLOAT, up, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::int64_t y = 0; y < rows; ++y) {
      const bool is_first = rank == 0 && y == 0, is_last = rank + 1 == size && y + 1 == rows;
      const float* const at = row(now, y);
      const float* const above = is_first ? at : row(now, y - 1);
      const float* const below = is_last ? at : row(now, y + 1);
      float* const to = row(next, y);
      to[0] = 0.6f * at[0] + 0.1f * (above[0] + below[0] + at[0] + at[1]);
      for (std::int64_t x = 1; x + 1 < n; ++x) to[x] = 0.6f * at[x] + 0.1f * (above[x] + below[x] + at[x - 1] + at[x + 1]);
      to[n - 1] = 0.6f * at[n - 1] + 0.1f * (above[n - 1] + below[n - 1] + at[n - 2] + at[n - 1]);
    }
    std::swap(now, next);
  }
};

void heat(std::int64_t n, int rounds) {
  constexpr int steps = 10;  // a round
  const Distribution rows({n, n}, {"y", "x"}, fmt::format("y:block({})", size));
  const std::int64_t own = rows.local_extents(rank)[0];
  Sweep sweep;
  sweep.stencil = from_array(std::vector<double>{0, 0.1, 0, 0.1, 0.6, 0.1, 0, 0.1, 0}, {3, 3});
  sweep.source = sweep.destination = Layout::dense({n, n}, 4);
  sweep.source_type = sweep.destination_type = {Number::float32};
  sweep.axes = {0, 1};
  sweep.boundary = {{Bound::edge}, {Bound::edge}};
  ByHand hand(n, own);
  for (std::int64_t k = 0; k < own * n; ++k) hand.row(hand.now, 0)[k] = static_cast<float>((k * 37 + rank) % 101);
  std::vector<float> now(hand.row(hand.now, 0), hand.row(hand.now, own)), next(now.size());
  mpi::OperationPlan plan = mpi::plan(MPI_COMM_WORLD, [&] { return DistributedOperation(crinkle::plan(sweep), {rows}, rows); });
  const auto ours = [&] {
    for (int k = 0; k < steps; ++k) {
      plan.run(now, next);
      std::swap(now, next);
    }
  };
  const auto theirs = [&] {
    for (int k = 0; k < steps; ++k) hand.step();
  };
  const auto is_near = [&] {
    double most = 0;
    for (std::int64_t k = 0; k < own * n; ++k)
      most = std::max(most, static_cast<double>(std::abs(now[static_cast<std::size_t>(k)] - hand.row(hand.now, 0)[k])));
    return most < 1e-3;
  };
  turns::contest(fmt::format("{} steps of heat, {}x{} float32", steps, n, n),
                 {{"crinkle", ours, is_near}, {"MPI_Sendrecv and a loop", theirs}}, rounds, 8 * n * n * steps, 4);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  MPI_Init(&n_arguments, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::int64_t n = n_arguments > 1 ? std::atoll(arguments[1]) : 4096;
  const int rounds = n_arguments > 2 ? std::atoi(arguments[2]) : 9;
  heat(n / 8, rounds);
  heat(n, rounds);
  MPI_Finalize();
}
