// A three-dimensional complex transform under mpirun, slabs in and slabs out (transposed out, too): crinkle::mpi beside FFTW's MPI ones,
// in turns.
//     mpirun -n 2 bench_transform [N [ROUNDS]]
// SPDX-License-Identifier: BSD-3-Clause
#include <fftw3-mpi.h>
#include <fmt/format.h>

#include <complex>
#include <cstdlib>
#include <vector>

#include "crinkle/fft.hpp"
#include "crinkle/mpi.hpp"
#include "turns.hpp"

using namespace crinkle;
using Complex = std::complex<double>;

namespace {

int rank = 0, size = 1;

// The k-th place of a rank's part in FFTW's transposed order, [y][z][x], is that of [z][y][x]: checked over sums, which both orders share.
double sum_apart(const std::vector<Complex>& a, const Complex* b, std::size_t n) {
  double sums[4] = {0, 0, 0, 0};
  for (std::size_t k = 0; k < a.size(); ++k) sums[0] += std::norm(a[k]);
  for (std::size_t k = 0; k < n; ++k) sums[1] += std::norm(b[k]);
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return std::abs(sums[0] / sums[1] - 1);
}

void transform(std::int64_t n, int rounds, bool is_transposed) {
  const Extents extents{n, n, n};
  FftRequest request;
  request.in = request.out = Layout::dense(extents, 16);
  request.axes = {0, 1, 2};
  request.real = FftReal::float64;
  const std::string parts = fmt::format("block({})", size);
  const Distribution in(extents, {"z", "y", "x"}, "z:" + parts), out(extents, {"z", "y", "x"}, (is_transposed ? "y:" : "z:") + parts);
  std::vector<Complex> x(static_cast<std::size_t>(in.local(rank, 16).n_elements())),
      y(static_cast<std::size_t>(out.local(rank, 16).n_elements()));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = {static_cast<double>(k * 37 % 101), static_cast<double>(k * 11 % 97)};
  mpi::OperationPlan ours = mpi::plan(MPI_COMM_WORLD, [&] { return DistributedOperation(plan(request), {in}, out); });

  ptrdiff_t planes = 0, first = 0;
  const ptrdiff_t room = fftw_mpi_local_size_3d(n, n, n, MPI_COMM_WORLD, &planes, &first);
  fftw_complex* theirs = fftw_alloc_complex(static_cast<std::size_t>(room));
  fftw_complex* made = fftw_alloc_complex(static_cast<std::size_t>(room));
  fftw_plan measured = fftw_mpi_plan_dft_3d(n, n, n, theirs, made, MPI_COMM_WORLD, FFTW_FORWARD,
                                            FFTW_MEASURE | (is_transposed ? FFTW_MPI_TRANSPOSED_OUT : 0u));
  const auto fill = [&] { std::copy(x.begin(), x.end(), reinterpret_cast<Complex*>(theirs)); };
  fill();
  turns::contest(
      fmt::format("{0}x{0}x{0} complex128, slabs to {1} slabs", n, is_transposed ? "other" : "the same"),
      {{"crinkle", [&] { ours.run(x, y); }, [&] { return sum_apart(y, reinterpret_cast<const Complex*>(made), y.size()) < 1e-12; }},
       {"FFTW MPI, FFTW_MEASURE", [&] { fftw_execute(measured); }}},
      rounds, 32 * n * n * n, 16);
  fftw_destroy_plan(measured);
  fftw_free(theirs);
  fftw_free(made);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  MPI_Init(&n_arguments, &arguments);
  fftw_mpi_init();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::int64_t n = n_arguments > 1 ? std::atoll(arguments[1]) : 128;
  const int rounds = n_arguments > 2 ? std::atoi(arguments[2]) : 9;
  transform(n, rounds, false);
  transform(n, rounds, true);
  MPI_Finalize();
}
