// A three-dimensional transform over ranks, from slabs in z to slabs in y, and back. Between the stages lines come together on one rank:
// crinkle chooses the slabs or pencils that send the least.
//     mpirun -n 4 example_mpi_transform
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include "crinkle/fft.hpp"
#include "crinkle/mpi.hpp"

using namespace crinkle;

int main(int n_arguments, char** arguments) {
  MPI_Init(&n_arguments, &arguments);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  const Extents extents{48, 40, 36};
  FftRequest request;
  request.in = request.out = Layout::dense(extents, 16);
  request.axes = {0, 1, 2};
  request.real = FftReal::float64;
  const Operation forward = plan(request), backward = forward.inverse();

  const std::string parts = "block(" + std::to_string(size) + ")";
  const Distribution in(extents, {"z", "y", "x"}, "z:" + parts), out(extents, {"z", "y", "x"}, "y:" + parts);
  std::vector<std::complex<double>> x(static_cast<std::size_t>(in.local(rank, 16).n_elements())), back(x);
  std::vector<std::complex<double>> spectrum(static_cast<std::size_t>(out.local(rank, 16).n_elements()));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = {std::sin(0.1 * static_cast<double>(k)), static_cast<double>(rank)};

  const DistributedOperation there(forward, {in}, out);
  mpi::plan(MPI_COMM_WORLD, [&] { return there; }).run(x, spectrum);
  mpi::plan(MPI_COMM_WORLD, [&] { return DistributedOperation(backward, {out}, in); }).run(spectrum, back);

  double worst = 0;
  for (std::size_t k = 0; k < x.size(); ++k) worst = std::max(worst, std::abs(back[k] - x[k]));
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("there and back on %d ranks: at most %.1e away, %lld bytes sent each way\n", size, worst,
                static_cast<long long>(there.sent_bytes()));
  MPI_Finalize();
  return worst < 1e-12 ? 0 : 1;
}
