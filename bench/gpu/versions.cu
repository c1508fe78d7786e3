// The operations of paper 0 (Hawick and Playne, section 9) in its three versions, on 8192² float32, all in turns with the driver's copy:
//     A             written for two dimensions, a thread an element of the result; A, 16 bytes: where rows stay whole, a thread 16 bytes
//     B             k-indices of power-of-two extents (sections 5 and 8), a thread an element of the source
//     C by element  k-indices of any extents, likewise, as the paper has them
//     C             any extents of any rank: this library's plan
// Every result is compared with its definition. A table on standard error, JSON on standard output.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "crinkle/kindex.hpp"
#include "gpu/programs.hpp"
#include "gpu/squares.cuh"
#include "suites/arrays_gpu.hpp"

namespace crinkle::bench {
namespace {

using Cell = std::uint32_t;

constexpr Cell side = 8192;
constexpr std::int64_t n_bytes = std::int64_t{side} * side * 4;
constexpr unsigned threads = 256;

// --- A: dst[z][y][x] = src[place(x, y, z)], z the phase of a crinkle and else 0 -------------------------------------------------------

template <class Place, class Word>
__global__ void in_two_dimensions(const Word* src, Word* dst, Place place) {
  const Cell x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  const Cell width = gridDim.x * blockDim.x;
  dst[(z * gridDim.y + y) * width + x] = place.turned(src[place(x, y, z)]);
}

struct Straight {
  __device__ static float turned(float v) { return v; }
  __device__ static float4 turned(float4 v) { return v; }
};
struct FlipY : Straight {
  Cell width, height;
  CRINKLE_HD Cell operator()(Cell x, Cell y, Cell) const { return (height - 1 - y) * width + x; }
};
struct Turned {
  __device__ static float turned(float v) { return v; }
  __device__ static float4 turned(float4 v) { return {v.w, v.z, v.y, v.x}; }
};
struct FlipX : Turned {
  Cell width;
  CRINKLE_HD Cell operator()(Cell x, Cell y, Cell) const { return y * width + width - 1 - x; }
};
struct FlipYX : Turned {
  Cell width, height;
  CRINKLE_HD Cell operator()(Cell x, Cell y, Cell) const { return (height - 1 - y) * width + width - 1 - x; }
};
struct Roll : Straight {
  Cell width, height, by_y, by_x;
  CRINKLE_HD Cell operator()(Cell x, Cell y, Cell) const {
    const Cell from_y = y < by_y ? y + height - by_y : y - by_y, from_x = x < by_x ? x + width - by_x : x - by_x;
    return from_y * width + from_x;
  }
};
struct CrinkleY : Straight {
  Cell width, step;
  CRINKLE_HD Cell operator()(Cell x, Cell y, Cell z) const { return (y * step + z) * width + x; }
};
struct CrinkleX : Straight {
  Cell width, step;  // width of the source
  CRINKLE_HD Cell operator()(Cell x, Cell y, Cell z) const { return y * width + x * step + z; }
};

// --- B and C by element: dst[map(k)] = src[k] ------------------------------------------------------------------------------------------

using Bits = PowerOfTwoIndex<2, Cell>;
using Any = AnyIndex<2, Cell>;

template <class Index, class Map>
__global__ void by_index(Index index, Map map, const float* src, float* dst) {
  const Cell k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < index.total()) dst[map(index, k)] = src[k];
}

struct Flipped {
  template <class Index>
  struct Map {
    typename Index::Flip by;
    CRINKLE_HD Cell operator()(const Index& index, Cell k) const { return index.flip(k, by); }
  };
  Axes<2> axes;  // the fast one first
  template <class Index>
  Map<Index> map(const Index& index) const {
    return {index.make_flip(axes)};
  }
};
struct Rolled {
  template <class Index>
  struct Map {
    typename Index::Shift by;
    CRINKLE_HD Cell operator()(const Index& index, Cell k) const { return index.shift(k, by); }
  };
  std::int64_t by_x, by_y;
  template <class Index>
  Map<Index> map(const Index& index) const {
    return {index.make_shift({by_x, by_y})};
  }
};
struct Crinkled {
  template <class Index>
  struct Map {
    typename Index::Crinkle by;
    CRINKLE_HD Cell operator()(const Index& index, Cell k) const { return index.crinkle(k, by); }
  };
  int axis;  // 0: the fast one
  std::uint64_t step;
  template <class Index>
  Map<Index> map(const Index& index) const {
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
            {suite.two_dimensional<float>("A", Roll{{}, side, side, 1, 0}, side, side),
             suite.two_dimensional<float4>("A, 16 bytes", Roll{{}, quads, side, 1, 0}, quads, side)},
            Rolled{0, 1}, same.roll("y", 1));
  suite.run("roll_x_1", {suite.two_dimensional<float>("A", Roll{{}, side, side, 0, 1}, side, side)}, Rolled{1, 0}, same.roll("x", 1));
  suite.run("roll_y_3001_x_1234", {suite.two_dimensional<float>("A", Roll{{}, side, side, 3001, 1234}, side, side)}, Rolled{1234, 3001},
            same.roll("y", 3001).roll("x", 1234));
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
