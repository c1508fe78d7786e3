// Run by mpirun on 1 to 9 ranks: every rank draws the same cases from one seed, and all must be right on all of them.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <functional>
#include <string>

#include "crinkle/notation.hpp"
#include "mpi/checks.hpp"

namespace crinkle {
namespace {

using namespace checks;

void expect_right(const Redistribution& r, const mpi::Options& options) {
  const std::int64_t bytes = r.element_bytes();
  const spread::Parts src = spread::parts_of(r.from(), size, bytes);
  spread::Parts right = spread::poisoned(r.to(), size, bytes);
  std::vector<std::byte> made = right[static_cast<std::size_t>(rank)];
  define_redistribute(r, std::vector<ConstBuffer>(src.begin(), src.end()), std::vector<Buffer>(right.begin(), right.end()));
  mpi::Plan plan = mpi::plan(MPI_COMM_WORLD, r, options);
  mpi::Options staged = options;
  staged.is_staged = true;
  mpi::Plan beside = mpi::plan(MPI_COMM_WORLD, r, staged);
  std::int64_t sent = 0;
  for (const Message& m : r.sends(rank)) sent += m.to == rank ? 0 : m.elements * bytes;
  expect(plan.sent_bytes() == sent, fmt::format("{} bytes instead of {} are sent: {}", plan.sent_bytes(), sent, r.text()));
  const std::int64_t piece = (std::max(options.piece_bytes, bytes) + 63) / 64 * 64;  // two each way in any case
  expect(plan.buffer_bytes() <= std::max(2 * options.buffer_bytes, 4 * piece), fmt::format("{} bytes of buffers", plan.buffer_bytes()));
  for (int time = 0; time < 2; ++time) {  // a plan runs again
    std::fill(made.begin(), made.end(), std::byte{0xA5});
    plan.run(src[static_cast<std::size_t>(rank)], made);
    expect(made == right[static_cast<std::size_t>(rank)], fmt::format("run {} of {}", time, r.text()));
    std::fill(made.begin(), made.end(), std::byte{0xA5});
    beside.run(src[static_cast<std::size_t>(rank)], made);
    expect(made == right[static_cast<std::size_t>(rank)], fmt::format("staged run {} of {}", time, r.text()));
  }
}

void all_pairs_of_kinds_and_transposes() {
  Draw draw{std::mt19937_64(11)};
  for (const spread::Kind from : spread::all_kinds)
    for (const spread::Kind to : spread::all_kinds)
      for (const char* move : {"y x -> y x", "y x -> x y"}) {
        const Extents extents{draw.pick(1, 30), draw.pick(1, 30)};
        const Rearrangement m = parse(move, Layout::dense(extents, 4));
        const std::int64_t piece = draw.chance(2) ? 64 : 1 << 20, buffers = draw.chance(2) ? 0 : 4096;
        expect_right(
            Redistribution(spread::layout_of(from, extents, size, draw), spread::layout_of(to, m.destination().extents, size, draw), m),
            {.piece_bytes = piece, .buffer_bytes = buffers});
      }
}

void drawn_moves() {
  Draw draw{std::mt19937_64(12)};
  for (int k = 0; k < 40; ++k) {
    Extents extents;
    for (std::int64_t a = draw.pick(0, 3); a > 0; --a) extents.push_back(draw.chance(9) ? 0 : draw.pick(1, 14));
    const std::int64_t bytes[] = {1, 2, 4, 8, 12, 16};
    const Rearrangement move = spread::move_of(extents, bytes[draw.pick(0, 5)], static_cast<int>(draw.pick(0, 4)), draw);
    const std::int64_t fewer = draw.chance(3) ? draw.pick(1, size) : size;  // ranks that hold nothing
    const Redistribution r(spread::layout_of(spread::all_kinds[draw.pick(0, 4)], extents, fewer, draw),
                           spread::layout_of(spread::all_kinds[draw.pick(0, 4)], move.destination().extents, size, draw), move);
    expect_right(r, {.piece_bytes = draw.chance(2) ? draw.pick(1, 100) : 1 << 16});
  }
}

// Many pieces each way, larger than what MPI sends at once.
void large_messages() {
  const Extents extents{600, 700};
  const std::string n = std::to_string(size);
  const Rearrangement m = parse("y x -> x y", Layout::dense(extents, 8));
  expect_right(Redistribution(Distribution(extents, {}, "@0:block(" + n + ")"), Distribution({700, 600}, {}, "@0:block(" + n + ")"), m),
               {.piece_bytes = 30000, .buffer_bytes = 100000});
  expect_right(Redistribution(Distribution(extents, {}, "@0:block(" + n + ")"), Distribution(extents, {}, "@0:cyclic(" + n + ",7)"), 8),
               {.piece_bytes = 1 << 20});
}

// ScaLAPACK's parts are in Fortran's order, with a leading dimension.
void parts_with_layouts() {
  const Distribution from({40, 30}, {}, "@0:cyclic(" + std::to_string(size) + ",3)"),
      to({40, 30}, {}, "@1:block(" + std::to_string(size) + ")");
  const Redistribution r(from, to, 8);
  const spread::Parts src = spread::parts_of(from, size, 8);
  spread::Parts right = spread::poisoned(to, size, 8);
  define_redistribute(r, std::vector<ConstBuffer>(src.begin(), src.end()), std::vector<Buffer>(right.begin(), right.end()));
  Layout columns = Layout::dense_fortran(to.local_extents(rank), 8);
  const std::int64_t n_columns = columns.extents[1], leading = 43;
  columns.strides = {8, 8 * leading};
  std::vector<std::int64_t> made(static_cast<std::size_t>(leading * n_columns), -1);
  mpi::plan(MPI_COMM_WORLD, r, {.dst = columns}).run(src[static_cast<std::size_t>(rank)], made);
  const auto* rows = reinterpret_cast<const std::int64_t*>(right[static_cast<std::size_t>(rank)].data());
  bool is_right = true;
  for (std::int64_t x = 0; x < n_columns; ++x)
    for (std::int64_t y = 0; y < leading; ++y)
      is_right = is_right && made[static_cast<std::size_t>(x * leading + y)] == (y < 40 ? rows[y * n_columns + x] : -1);
  expect(is_right, "a part in columns");
}

void wrong_requests() {
  const std::string n = std::to_string(size), more = std::to_string(size + 1);
  const Extents extents{24, 24};
  const Distribution d(extents, {}, "@0:block(" + n + ")");
  const auto made = [&](const std::string& text) { return Redistribution(d, Distribution(extents, {}, text), 4); };
  expect_error("the communicator has " + n + " ranks and the layouts " + n + " and " + more,
               [&] { mpi::plan(MPI_COMM_WORLD, made("@1:block(" + more + ")")); });
  expect_error("pieces of 0 bytes", [&] { mpi::plan(MPI_COMM_WORLD, made("@1:block(" + n + ")"), {.piece_bytes = 0}); });
  expect_error("rank 0: axes have no names here", [&] { mpi::plan(MPI_COMM_WORLD, [&] { return made("y:block(2)"); }); });
  mpi::Plan plan = mpi::plan(MPI_COMM_WORLD, made("@1:block(" + n + ")"));
  std::vector<float> src(static_cast<std::size_t>(24 * 24)), dst(src.size());
  expect_error("a destination of 4 bytes", [&] { plan.run(src, std::span<float>(dst).first(1)); });
  expect_error("overlap", [&] { plan.run(src, src); });
  if (size == 1) return;
  // One rank alone asks for something else, or fails: all hear of it.
  const int last = size - 1;
  expect_error("redistribution differs between ranks",
               [&] { mpi::plan(MPI_COMM_WORLD, made((rank == last ? "@1:block(" : "@1:cyclic(") + n + ")")); });
  expect_error("redistribution differs",
               [&] { mpi::plan(MPI_COMM_WORLD, made("@1:block(" + n + ")"), {.piece_bytes = rank == 0 ? 100 : 200}); });
  expect_error(fmt::format("rank {}: cuts end at 23", last),
               [&] { mpi::plan(MPI_COMM_WORLD, [&] { return made(rank == last ? "@1:cuts(0,23)" : "@1:block(" + n + ")"); }); });
  expect_error(fmt::format("rank {}: a source of 4 bytes", last),
               [&] { plan.run(rank == last ? std::span<float>(src).first(1) : std::span<float>(src), dst); });
  const auto padded = [&](int value) {
    const std::vector<std::byte> bytes(4, static_cast<std::byte>(value));
    return Redistribution(d, Distribution({24, 26}, {}, "@0:block(" + n + ")"),
                          Rearrangement(Layout::dense(extents, 4)).pad("@1", 1, 1, PadMode::constant, bytes));
  };
  mpi::plan(MPI_COMM_WORLD, padded(7));
  expect_error("redistribution differs", [&] { mpi::plan(MPI_COMM_WORLD, padded(rank == last ? 7 : 8)); });
  expect_error("no std::exception", [&] {
    mpi::plan(MPI_COMM_WORLD, [&] {
      if (rank == last) throw 5;
      return made("@1:block(" + n + ")");
    });
  });
  const std::optional<Layout> wrong = rank == last ? std::optional(Layout::dense({1, 1}, 4)) : std::nullopt;
  expect_error(fmt::format("rank {}: the destination of rank {}", last, last),
               [&] { mpi::plan(MPI_COMM_WORLD, made("@1:block(" + n + ")"), {.dst = wrong}); });
  plan.run(src, dst);  // and the plan still runs
}

// The last rank is killed in the middle; the others never get what they wait for.
void a_rank_dies() {
  const std::string parts = "block(" + std::to_string(size) + ")";
  const Redistribution r(Distribution({300, 300}, {}, "@0:" + parts), Distribution({300, 300}, {}, "@1:" + parts), 8);
  mpi::Plan plan = mpi::plan(MPI_COMM_WORLD, r);
  std::vector<double> src(90000), dst(src);
  for (int time = 0;; ++time) {
    if (time == 3 && rank == size - 1) std::raise(SIGKILL);
    plan.run(src, dst);
  }
}

}  // namespace
}  // namespace crinkle

int main(int n_arguments, char** arguments) {
  using namespace crinkle;
  using namespace crinkle::checks;
  MPI_Init(&n_arguments, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  try {
    if (n_arguments > 1) a_rank_dies();
    all_pairs_of_kinds_and_transposes();
    drawn_moves();
    large_messages();
    parts_with_layouts();
    wrong_requests();
    stencils();
    transforms();
    checks::interpolation();
    moves();
    others();
    distances();
    wrong_operations();
    halos_beside_computing();
    begun_and_ended();
    unlike_requests();
    parts_on_a_gpu();
  } catch (const std::exception& e) {
    fmt::print(stderr, "rank {}: {}\n", rank, e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  int all = 0;
  MPI_Allreduce(&n_faults, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) fmt::print("{} checks a rank on {} ranks, {} faults\n", n_checks, size, all);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
