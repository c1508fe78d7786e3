// The suite `advice`: what the papers' advice of 2008 to 2012 is worth on one of today's GPUs, and what a launch costs.
//     launch       an empty kernel by bytes of its parameters; a small move of this library
//     texture      a copy that reads through a texture (paper 0, 7.3) beside plain loads
//     diagonal     a transpose by 32 × 32 tiles (paper 3) with its blocks along diagonals, against partition camping, and in order
//     tables       one element a thread, its place from extents and strides (paper 0, 7) in parameters, constant and global memory
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/gpu_kernels.hpp"
#include "papers/advice/squares.cuh"
#include "papers/suites.hpp"

namespace crinkle::bench {
namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

// --- launches --------------------------------------------------------------------------------------------------------------------------

template <int bytes>
struct Parameter {
  char byte[bytes];
};
template <int bytes>
__global__ void empty(const __grid_constant__ Parameter<bytes> parameter, int* out) {
  if (out != nullptr && parameter.byte[threadIdx.x % bytes] == 77) *out = 1;
}

/// Of one launch: given by the host, and replayed in a graph of many.
Contest launches(const std::string& name, const std::function<void()>& launch, Site& site, const std::function<void()>& check_one) {
  constexpr int n = 200;
  const auto many = [launch] {
    for (int k = 0; k < n; ++k) launch();
  };
  many();
  site.wait();
  Contest c;
  c.name = name;
  c.rows = Contest::Rows::all;
  c.between = ", ";
  c.ways = {{"from the host", many}, {"in a graph", graph_of(many, site.stream().get())}};
  c.ways[0].clock = [&site](const std::function<void()>& work) {
    const double seconds = host_seconds(work);
    site.wait();
    return seconds;
  };
  for (Way& way : c.ways) {
    way.n_each = n;
    way.has_cold = false;
  }
  c.check = check_one;
  c.checked = "launched";
  return c;
}

template <int bytes>
Entry parameter_entry() {
  const std::string name = "empty kernel, parameters of " + std::to_string(bytes) + " bytes";
  return {name, {}, [name](Site& site, std::uint64_t) {
            const auto launch = [s = site.stream().get()] { empty<bytes><<<1, 32, 0, s>>>(Parameter<bytes>{}, nullptr); };
            return launches(name, launch, site, [=, &site] {
              launch();
              check(cudaGetLastError());
              site.wait();
            });
          }};
}

Entry small_move_entry() {
  const std::string name = "transpose of 32 x 32 float32";
  const Rearrangement r = parse("y x -> x y", Layout::dense({32, 32}, 4));
  const ArrayBytes bytes{r.source().n_bytes(), r.source().n_bytes()};
  return {name, bytes, [=](Site& site, std::uint64_t seed) {
            const RunMove move = move_of(Plan(r, site.device()), bytes, {}, site);
            const auto launch = [move, &site] { move(site.source(), site.destination()); };
            return launches(name, launch, site,
                            [=, &site] { site.check(name, bytes, seed, launch, [&] { return site.first_wrong(r.boxes()); }); });
          }};
}

// --- copies and transposes ---------------------------------------------------------------------------------------------------------------

constexpr int side = 16384;
constexpr std::size_t n_units = std::size_t{side} * side;

__global__ void copy_texture(cudaTextureObject_t src, float4* dst) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  dst[i] = tex1Dfetch<float4>(src, static_cast<int>(i));
}

struct Table {
  unsigned extent[4];
  std::size_t stride[4];
};
__constant__ Table constant_table;

__device__ std::size_t place(const Table& table, std::size_t k) {
  std::size_t at = 0;
  for (int a = 0; a < 4; ++a) {
    at += k % table.extent[a] * table.stride[a];
    k /= table.extent[a];
  }
  return at;
}
__global__ void by_parameter(const __grid_constant__ Table table, const float* src, float* dst) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  dst[k] = src[place(table, k)];
}
__global__ void by_constant(const float* src, float* dst) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  dst[k] = src[place(constant_table, k)];
}
__global__ void by_global(const Table* __restrict__ table, const float* src, float* dst) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  dst[k] = src[place(*table, k)];
}

/// What the kernels read beside the source.
struct Prepared {
  cudaTextureObject_t texture = 0;
  std::shared_ptr<std::byte> table;

  Prepared(const Table& of, Site& site) : table(site.memory(sizeof(Table))) {
    check(cudaMemcpyToSymbol(constant_table, &of, sizeof of));
    check(cudaMemcpy(table.get(), &of, sizeof of, cudaMemcpyDefault));
    // A texture of single vectors holds 2^27 of them; this array is half of that.
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = site.source();
    resource.res.linear.desc = cudaCreateChannelDesc<float4>();
    resource.res.linear.sizeInBytes = n_units * 4;
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeElementType;
    check(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  }
  ~Prepared() { cudaDestroyTextureObject(texture); }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
};

constexpr std::int64_t n_bytes = std::int64_t{4} * n_units;

Contest moves(Site& site, std::uint64_t seed) {
  // A crinkle by 4 of the slow axis: source and destination rows are whole, so that index arithmetic is what differs.
  const Table table = {{side, side / 4, 4, 1}, {1, std::size_t{4} * side, side, 0}};
  const auto with = std::make_shared<const Prepared>(table, site);
  const auto* src = reinterpret_cast<const float*>(site.source());
  auto* dst = reinterpret_cast<float*>(site.destination());
  CUstream_st* const s = site.stream().get();
  constexpr unsigned vectors = n_units / 4 / 256, units = n_units / 256;
  const dim3 squares(side / side_of_square, side / side_of_square), threads(side_of_square, 8);
  const Layout square = Layout::dense({side, side}, 4);
  const Boxes copied = parse("y x -> y x", square).boxes(), transposed = parse("y x -> x y", square).boxes(),
              crinkled = parse("(y 4) x -> (4 y) x", square).boxes();
  Contest c;
  c.element_bytes = 4;
  c.bytes = 2 * n_bytes;
  c.rows = Contest::Rows::all;
  c.ceilings = ceilings_of(site.copies(n_bytes));
  std::vector<Boxes> meant;
  const auto add = [&](const char* name, const Boxes& boxes, const std::function<void()>& run) {
    c.ways.emplace_back(name, run);
    meant.push_back(boxes);
  };
  add("driver's copy", copied, c.ceilings[0].run);
  add("copy, plain loads", copied, c.ceilings[1].run);
  add("copy, through a texture", copied, [=] { copy_texture<<<vectors, 256, 0, s>>>(with->texture, reinterpret_cast<float4*>(dst)); });
  add("transpose by 32 x 32 tiles, blocks in order", transposed,
      [=] { transpose_squares<false><<<squares, threads, 0, s>>>(src, dst, side, side); });
  add("transpose by 32 x 32 tiles, blocks along diagonals", transposed,
      [=] { transpose_squares<true><<<squares, threads, 0, s>>>(src, dst, side, side); });
  add("one element a thread, table in parameters", crinkled, [=] { by_parameter<<<units, 256, 0, s>>>(table, src, dst); });
  add("one element a thread, table in constant memory", crinkled, [=] { by_constant<<<units, 256, 0, s>>>(src, dst); });
  add("one element a thread, table in global memory", crinkled,
      [=] { by_global<<<units, 256, 0, s>>>(reinterpret_cast<const Table*>(with->table.get()), src, dst); });
  c.check = [=, &site, ways = c.ways] {
    for (std::size_t k = 0; k < ways.size(); ++k)
      site.check(ways[k].name, {n_bytes, n_bytes}, seed, ways[k].parts[0], [&] { return site.first_wrong(meant[k]); });
  };
  c.checked = "definition";
  return c;
}

}  // namespace

std::vector<Entry> advice_entries(const Request&) {
  return {parameter_entry<64>(),    parameter_entry<1024>(),
          parameter_entry<4000>(),  parameter_entry<8192>(),
          parameter_entry<16384>(), parameter_entry<32000>(),
          small_move_entry(),       {"copies, transposes and tables", {n_bytes, n_bytes}, moves}};
}

}  // namespace crinkle::bench
