// Redistribution of a matrix under mpirun: crinkle::mpi beside ScaLAPACK's pdgemr2d and MPI_Alltoallw of the same boxes as derived types,
// in turns, in one process a rank; the results are compared byte for byte.
//     mpirun -n 2 bench_redistribute [ROWS [ROUNDS]]
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "crinkle/mpi.hpp"
#include "crinkle/notation.hpp"
#include "distribute/overlay.hpp"
#include "turns.hpp"

extern "C" {
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridinfo(int context, int* rows, int* columns, int* row, int* column);
void Cpdgemr2d(int m, int n, double* a, int ia, int ja, int* of_a, double* b, int ib, int jb, int* of_b, int context);
}

namespace crinkle {
namespace {

int rank = 0, size = 1;

// One message's boxes as a derived type over this rank's part, its loops in the order of C or of columns on both sides.
MPI_Datatype type_of(const std::vector<distributed::PieceBox>& boxes, const std::vector<distributed::Link>& links, const Layout& part,
                     bool is_source, bool in_columns) {
  std::vector<MPI_Datatype> types;
  std::vector<MPI_Aint> places;
  for (const distributed::PieceBox& box : boxes) {
    MPI_Datatype type = MPI_DOUBLE;
    std::int64_t at = part.offset;
    for (std::size_t nth = 0; nth < links.size(); ++nth) {
      const std::size_t k = in_columns ? nth : links.size() - 1 - nth;
      const int axis = is_source ? links[k].src_axis : links[k].dst_axis;
      const std::int64_t stride = axis < 0 ? 0 : part.strides[static_cast<std::size_t>(axis)];
      const distributed::LinkPiece& p = box[k];
      at += (is_source ? p.i : p.j) * stride;
      for (const bool outer : {false, true}) {
        const std::int64_t n = outer ? p.times : p.n, step = outer ? (is_source ? p.i_jump : p.j_jump) : (is_source ? p.i_step : p.j_step);
        if (n == 1) continue;
        MPI_Datatype more = MPI_DATATYPE_NULL;
        MPI_Type_create_hvector(static_cast<int>(n), 1, static_cast<MPI_Aint>(step * stride), type, &more);
        type = more;
      }
    }
    types.push_back(type);
    places.push_back(static_cast<MPI_Aint>(at));
  }
  const std::vector<int> ones(types.size(), 1);
  MPI_Datatype all = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(static_cast<int>(types.size()), ones.data(), places.data(), types.data(), &all);
  MPI_Type_commit(&all);
  return all;
}

struct Alltoallw {
  std::vector<int> n_sent, n_received, nothing;
  std::vector<MPI_Datatype> sent, received;

  Alltoallw(const Redistribution& r, const Layout& src, const Layout& dst, bool in_columns)
      : n_sent(static_cast<std::size_t>(size), 0), n_received(n_sent), nothing(n_sent), sent(n_sent.size(), MPI_DOUBLE), received(sent) {
    const distributed::RankOverlay overlay(r, rank);
    for (const Message& m : overlay.sends()) {
      n_sent[static_cast<std::size_t>(m.to)] = 1;
      sent[static_cast<std::size_t>(m.to)] = type_of(overlay.boxes(m), overlay.links(), src, true, in_columns);
    }
    for (const Message& m : overlay.receives()) {
      n_received[static_cast<std::size_t>(m.from)] = 1;
      received[static_cast<std::size_t>(m.from)] = type_of(overlay.boxes(m), overlay.links(), dst, false, in_columns);
    }
  }
  void run(const double* src, double* dst) const {
    MPI_Alltoallw(src, n_sent.data(), nothing.data(), sent.data(), dst, n_received.data(), nothing.data(), received.data(), MPI_COMM_WORLD);
  }
};

// A matrix in columns, block-cyclic on p × q ranks and then on q × p ones, with other blocks.
void scalapack(std::int64_t n, int rounds, int p, int q, std::int64_t block, std::int64_t other) {
  const std::string a = fmt::format("@0:cyclic({},{}) @1:cyclic({},{})", p, block, q, block),
                    b = fmt::format("@0:cyclic({},{}) @1:cyclic({},{})", q, other, p, other);
  const Redistribution r(Distribution({n, n}, {}, a), Distribution({n, n}, {}, b), 8);
  const Layout src = Layout::dense_fortran(r.from().local_extents(rank), 8), dst = Layout::dense_fortran(r.to().local_extents(rank), 8);
  std::vector<double> from(static_cast<std::size_t>(src.n_elements())), one(static_cast<std::size_t>(dst.n_elements())), two(one),
      three(one);
  for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<double>(k * 31 + static_cast<std::size_t>(rank));
  mpi::Plan plan = mpi::plan(MPI_COMM_WORLD, r, {.src = src, .dst = dst});
  const Alltoallw all(r, src, dst, true);
  int system = 0, of_a = 0, of_b = 0;
  Cblacs_get(-1, 0, &system);
  of_a = of_b = system;
  Cblacs_gridinit(&of_a, "R", p, q);
  Cblacs_gridinit(&of_b, "R", q, p);
  const int m = static_cast<int>(n);
  int desc_a[9] = {1, of_a, m, m, static_cast<int>(block), static_cast<int>(block), 0, 0, std::max(1, static_cast<int>(src.extents[0]))};
  int desc_b[9] = {1, of_b, m, m, static_cast<int>(other), static_cast<int>(other), 0, 0, std::max(1, static_cast<int>(dst.extents[0]))};
  const std::string name = fmt::format("{0}x{0} doubles, {1}x{2} blocks of {3} to {2}x{1} of {4}", n, p, q, block, other);
  turns::contest(
      name,
      {{"crinkle", [&] { plan.run(from, one); }},
       {"MPI_Alltoallw", [&] { all.run(from.data(), two.data()); }, [&] { return one == two; }},
       {"pdgemr2d", [&] { Cpdgemr2d(m, m, from.data(), 1, 1, desc_a, three.data(), 1, 1, desc_b, of_a); }, [&] { return one == three; }}},
      rounds, 16 * n * n, 8);
}

// Rows on ranks become columns on ranks, in the other order: the middle of a distributed transform.
void transpose(std::int64_t n, int rounds) {
  const std::string parts = fmt::format("@0:block({})", size);
  const Redistribution r(Distribution({n, n}, {}, parts), Distribution({n, n}, {}, parts), parse("y x -> x y", Layout::dense({n, n}, 8)));
  const Layout src = r.from().local(rank, 8), dst = r.to().local(rank, 8);
  std::vector<double> from(static_cast<std::size_t>(src.n_elements())), one(static_cast<std::size_t>(dst.n_elements())), two(one);
  for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<double>(k * 31 + static_cast<std::size_t>(rank));
  mpi::Plan plan = mpi::plan(MPI_COMM_WORLD, r);
  const Alltoallw all(r, src, dst, false);
  turns::contest(
      fmt::format("{0}x{0} doubles, rows transposed", n),
      {{"crinkle", [&] { plan.run(from, one); }}, {"MPI_Alltoallw", [&] { all.run(from.data(), two.data()); }, [&] { return one == two; }}},
      rounds, 16 * n * n, 8);
}

}  // namespace
}  // namespace crinkle

int main(int n_arguments, char** arguments) {
  using namespace crinkle;
  MPI_Init(&n_arguments, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::int64_t n = n_arguments > 1 ? std::atoll(arguments[1]) : 4096;
  const int rounds = n_arguments > 2 ? std::atoi(arguments[2]) : 7;
  scalapack(n, rounds, size, 1, 64, 64);
  scalapack(n, rounds, size, 1, 64, 48);
  scalapack(n, rounds, 1, size, 8, 8);
  transpose(n, rounds);
  MPI_Finalize();
}
