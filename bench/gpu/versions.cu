// The operations of paper 0 (Hawick and Playne, section 9) in its three versions, on 8192² float32, all in turns with the driver's copy:
//     A             written for two dimensions, a thread an element of the result; A, 16 bytes: where rows stay whole, a thread 16 bytes
//     B             k-indices of power-of-two extents (sections 5 and 8), a thread an element of the source
//     C by element  k-indices of any extents, likewise, as the paper has them
//     C             any extents of any rank: this library's plan
// Every result is compared with its definition. A table on standard error, JSON on standard output.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "gpu/programs.hpp"
#include "gpu/squares.cuh"
#include "suites/arrays_gpu.hpp"
#include "suites/hypercubic_kernels.cuh"

namespace crinkle::bench {
namespace {

constexpr Cell side = 8192;
constexpr std::int64_t n_bytes = std::int64_t{side} * side * 4;
constexpr unsigned threads = 256;

using Bits = BitsIndex;
using Any = DividedIndex;

// Versions B and C: what is known before the index is.

struct Flipped {
  Axes<2> axes;  // the fast one first
  template <class Index>
  FlipMap<Index> map(const Index& index) const {
    return {index.make_flip(axes)};
  }
};
struct Rolled {
  std::int64_t by_x, by_y;
  template <class Index>
  ShiftMap<Index> map(const Index& index) const {
    return {index.make_shift({by_x, by_y})};
  }
};
struct Crinkled {
  int axis;  // 0: the fast one
  std::uint64_t step;
  template <class Index>
  CrinkleMap<Index> map(const Index& index) const {
    return {index.make_crinkle(axis, step, Placement::global)};
  }
};
struct Transposed {
  template <class Index>
  struct Map {
    CRINKLE_HD Cell operator()(const Index& index, Cell k) const {
      const typename Index::Indices at = index.decompose(k);
      return index.compose({at[1], at[0]});  // of a square
    }
  };
  template <class Index>
  Map<Index> map(const Index&) const {
    return {};
  }
};

// --- the operations --------------------------------------------------------------------------------------------------------------------

class Suite {
 public:
  explicit Suite(Report& report) : report_(report), arrays_(n_bytes, cuda()) {}

  /// Version A by words of float or of float4; the phases of a crinkle along a fast axis are narrower.
  template <class Word, class Place>
  Contender two_dimensional(const char* version, const Place& place, Cell width, Cell height, Cell phases = 1) {
    const dim3 grid(width / threads, height, phases);
    return {version,
            [=, this] { in_two_dimensions<Place, Word><<<grid, threads, 0, stream()>>>(source<Word>(), destination<Word>(), place); }};
  }
  Contender by_hand_transposed() {
    const dim3 grid(side / side_of_square, side / side_of_square), block(side_of_square, 8);
    return {"A", [=, this] { transpose_squares<false><<<grid, block, 0, stream()>>>(source<float>(), destination<float>(), side, side); }};
  }

  /// All versions of an operation, of which A is given: checked, timed, reported.
  template <class Operation>
  void run(const std::string& name, std::vector<Contender> all, const Operation& operation, const Rearrangement& r) {
    all.push_back(by_index_of("B", Bits({side, side}), operation));
    all.push_back(by_index_of("C by element", Any({side, side}), operation));
    const Plan plan(r, cuda());
    const ConstBuffer from{arrays_.source(), n_bytes};
    const Buffer to{arrays_.destination(), n_bytes};
    all.push_back({"C", [&] { plan.run(from, to, arrays_.stream()); }});
    for (Contender& c : all) {
      c.name = name + " " + c.name;
      arrays_.check(c.name, {n_bytes, n_bytes}, r.boxes(), 1, c.run);
    }
    const std::vector<Row> rows = arrays_.timed(all, 2 * n_bytes, n_bytes, {});
    double by_hand = rows[0].seconds;
    for (const Row& row : rows) {
      if (row.name.starts_with(name + " A")) by_hand = std::min(by_hand, row.seconds);
      Row added = row;
      added.element_bytes = 4;
      report_.add(std::move(added));
    }
    char text[80];
    std::snprintf(text, sizeof text, "  C takes %.3f of the time of the faster A", rows.back().seconds / by_hand);
    report_.note(text);
  }

 private:
  CUstream_st* stream() const { return arrays_.stream().get(); }
  template <class Word>
  const Word* source() const {
    return reinterpret_cast<const Word*>(arrays_.source());
  }
  template <class Word>
  Word* destination() const {
    return reinterpret_cast<Word*>(arrays_.destination());
  }
  template <class Index, class Operation>
  Contender by_index_of(const char* version, const Index& index, const Operation& operation) {
    const auto map = operation.map(index);
    return {version,
            [=, this] { by_index<<<index.total() / threads, threads, 0, stream()>>>(index, map, source<float>(), destination<float>()); }};
  }

  Report& report_;
  GpuArrays arrays_;
};

void run_all(Report& report) {
  Suite suite(report);
  const Layout square = Layout::dense({side, side}, 4);
  const Rearrangement same = parse("y x -> y x", square);
  const Cell quads = side / 4;
  suite.run("flip_y",
            {suite.two_dimensional<float>("A", FlipY{{}, side, side}, side, side),
             suite.two_dimensional<float4>("A, 16 bytes", FlipY{{}, quads, side}, quads, side)},
            Flipped{{false, true}}, same.flip("y"));
  suite.run("flip_x",
            {suite.two_dimensional<float>("A", FlipX{{}, side}, side, side),
             suite.two_dimensional<float4>("A, 16 bytes", FlipX{{}, quads}, quads, side)},
            Flipped{{true, false}}, same.flip("x"));
  suite.run("flip_yx",
            {suite.two_dimensional<float>("A", FlipYX{{}, side, side}, side, side),
             suite.two_dimensional<float4>("A, 16 bytes", FlipYX{{}, quads, side}, quads, side)},
            Flipped{{true, true}}, same.flip("y").flip("x"));
  suite.run("roll_y_1",
            {suite.two_dimensional<float>("A", ShiftBoth{{}, side, side, 1, 0}, side, side),
             suite.two_dimensional<float4>("A, 16 bytes", ShiftBoth{{}, quads, side, 1, 0}, quads, side)},
            Rolled{0, 1}, same.roll("y", 1));
  suite.run("roll_x_1", {suite.two_dimensional<float>("A", ShiftBoth{{}, side, side, 0, 1}, side, side)}, Rolled{1, 0}, same.roll("x", 1));
  suite.run("roll_y_3001_x_1234", {suite.two_dimensional<float>("A", ShiftBoth{{}, side, side, 3001, 1234}, side, side)},
            Rolled{1234, 3001}, same.roll("y", 3001).roll("x", 1234));
  for (const Cell step : {2, 4, 8}) {
    const Crinkle slow[] = {{0, step}}, fast[] = {{1, step}};
    const std::string by = std::to_string(step);
    suite.run("crinkle_y_" + by,
              {suite.two_dimensional<float>("A", CrinkleY{{}, side, step}, side, side / step, step),
               suite.two_dimensional<float4>("A, 16 bytes", CrinkleY{{}, quads, step}, quads, side / step, step)},
              Crinkled{1, step}, crinkle::crinkle(square, slow));
    suite.run("crinkle_x_" + by, {suite.two_dimensional<float>("A", CrinkleX{{}, side, step}, side / step, side, step)}, Crinkled{0, step},
              crinkle::crinkle(square, fast));
  }
  suite.run("transpose", {suite.by_hand_transposed()}, Transposed{}, parse("y x -> x y", square));
}

}  // namespace

void run_versions() {
  Report report(on_gpu({"versions", 0, 1, CRINKLE_COMMIT}, cuda()), stderr);
  run_all(report);
  std::fputs(report.json().c_str(), stdout);
}

}  // namespace crinkle::bench
