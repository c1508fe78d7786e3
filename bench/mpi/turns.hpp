// Contests of ranks: all ways take turns, round by round, and a round takes as long as its slowest rank. One line of JSON a way goes to
// standard output: bench/rivals/drive.py --suite mpi gathers them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace crinkle::turns {

struct Way {
  std::string name;
  std::function<void()> run;
  std::function<bool()> is_right = {};  // on this rank, behind the last round; none: it is what others are compared with
  std::vector<double> seconds = {};
};

/// `bytes`: read and written by all ranks together.
inline void contest(const std::string& name, std::vector<Way> ways, int rounds, std::int64_t bytes, int element_bytes) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = -1; k < rounds; ++k)
    for (std::size_t w = 0; w < ways.size(); ++w) {
      Way& way = ways[(w + static_cast<std::size_t>(k + 1)) % ways.size()];  // each round begins with another one
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      way.run();
      double s = MPI_Wtime() - begin;
      MPI_Allreduce(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      if (k >= 0) way.seconds.push_back(s);  // the first round touches memory
    }
  for (const Way& way : ways) {
    int is_right = !way.is_right || way.is_right() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &is_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank > 0) continue;
    fmt::print(R"({{"contest": "{}", "way": "{}", "ranks": {}, "bytes": {}, "element_bytes": {}, "right": {}, "seconds": [{:.6f}]}})", name,
               way.name, size, bytes, element_bytes, is_right == 1, fmt::join(way.seconds, ", "));
    fmt::print("\n");
  }
}

}  // namespace crinkle::turns
