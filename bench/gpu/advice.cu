// What the papers' advice of 2008 to 2012 is worth on one of today's GPUs, and what a launch costs: rows of JSON on standard output.
//     launch       an empty kernel by bytes of its parameters; a small move of this library
//     texture      a copy that reads through a texture (paper 0, 7.3) beside plain loads
//     diagonal     a transpose by 32 × 32 tiles (paper 3) with its blocks along diagonals, against partition camping, and in order
//     tables       one element a thread, its place from extents and strides (paper 0, 7) in parameters, constant and global memory
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/programs.hpp"
#include "gpu/squares.cuh"
#include "suites/arrays_gpu.hpp"
#include "suites/gpu_kernels.hpp"
#include "suites/report.hpp"

namespace crinkle::bench {
namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

const char* comma = "";
void print(const std::string& name, const std::vector<double>& samples, double bytes = 0, double copy_seconds = 0) {
  const double seconds = median(samples);
  std::printf("%s\n    {\"name\": \"%s\", \"seconds\": %.9f, \"iqr\": %.9f", comma, name.c_str(), seconds, interquartile_range(samples));
  if (bytes > 0)
    std::printf(", \"bytes\": %.0f, \"gb_per_s\": %.1f, \"fraction_of_copy\": %.4f", bytes, bytes / seconds * 1e-9, copy_seconds / seconds);
  std::printf("}");
  comma = ",";
}

cudaStream_t stream;
Clock device_seconds;  // of what is given to that stream

// --- launches --------------------------------------------------------------------------------------------------------------------------

template <int bytes>
struct Parameter {
  char byte[bytes];
};
template <int bytes>
__global__ void empty(const __grid_constant__ Parameter<bytes> parameter, int* out) {
  if (out != nullptr && parameter.byte[threadIdx.x % bytes] == 77) *out = 1;
}

// Of one launch: given by the host, and replayed in a graph of many.
void time_launches(const std::string& name, const std::function<void()>& launch) {
  constexpr int n = 200;
  for (int k = 0; k < n; ++k) launch();
  check(cudaStreamSynchronize(stream));
  std::vector<double> host, replayed;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int k = 0; k < n; ++k) launch();
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 0; round < 11; ++round) {
    const auto all = [&] {
      for (int k = 0; k < n; ++k) launch();
    };
    host.push_back(host_seconds(all) / n);
    check(cudaStreamSynchronize(stream));
    replayed.push_back(device_seconds([&] { check(cudaGraphLaunch(exec, stream)); }) / n);
  }
  print(name + ", from the host", host);
  print(name + ", in a graph", replayed);
}

template <int bytes>
void time_parameter() {
  const Parameter<bytes> parameter = {};
  time_launches("empty kernel, parameters of " + std::to_string(bytes) + " bytes",
                [&] { empty<bytes><<<1, 32, 0, stream>>>(parameter, nullptr); });
}

void time_small_move() {
  const Rearrangement r = parse("y x -> x y", Layout::dense({32, 32}, 4));
  const Plan plan(r, cuda());
  const DeviceMemory src(cuda(), r.source().n_bytes()), dst(cuda(), r.source().n_bytes());
  check(cudaMemset(src.data(), 1, 4096));
  const Stream given(stream);
  time_launches("transpose of 32 x 32 float32", [&] { plan.run(src, dst, given); });
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

void time_moves() {
  GpuArrays arrays(n_units * 4, cuda());
  const auto* src = reinterpret_cast<const float*>(arrays.source());
  auto* dst = reinterpret_cast<float*>(arrays.destination());
  stream = arrays.stream().get();
  randomize_on_gpu(const_cast<float*>(src), n_units * 4, 1, stream);
  Table* in_memory = nullptr;
  check(cudaMalloc(&in_memory, sizeof(Table)));
  // A crinkle by 4 of the slow axis: source and destination rows are whole, so that index arithmetic is what differs.
  const Table table = {{side, side / 4, 4, 1}, {1, std::size_t{4} * side, side, 0}};
  check(cudaMemcpyToSymbol(constant_table, &table, sizeof table));
  check(cudaMemcpy(in_memory, &table, sizeof table, cudaMemcpyDefault));
  // A texture of single vectors holds 2^27 of them; this array is half of that.
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(src);
  resource.res.linear.desc = cudaCreateChannelDesc<float4>();
  resource.res.linear.sizeInBytes = n_units * 4;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  check(cudaCreateTextureObject(&texture, &resource, &how, nullptr));

  constexpr unsigned vectors = n_units / 4 / 256, units = n_units / 256;
  const dim3 squares(side / side_of_square, side / side_of_square), threads(side_of_square, 8);
  std::vector<Contender> all = arrays.copies(n_units * 4);
  all[0].name = "driver's copy";
  all[1].name = "copy, plain loads";
  all.push_back({"copy, through a texture", [&] { copy_texture<<<vectors, 256, 0, stream>>>(texture, reinterpret_cast<float4*>(dst)); }});
  all.push_back({"transpose by 32 x 32 tiles, blocks in order",
                 [&] { transpose_squares<false><<<squares, threads, 0, stream>>>(src, dst, side, side); }});
  all.push_back({"transpose by 32 x 32 tiles, blocks along diagonals",
                 [&] { transpose_squares<true><<<squares, threads, 0, stream>>>(src, dst, side, side); }});
  all.push_back({"one element a thread, table in parameters", [&] { by_parameter<<<units, 256, 0, stream>>>(table, src, dst); }});
  all.push_back({"one element a thread, table in constant memory", [&] { by_constant<<<units, 256, 0, stream>>>(src, dst); }});
  all.push_back({"one element a thread, table in global memory", [&] { by_global<<<units, 256, 0, stream>>>(in_memory, src, dst); }});
  arrays.take_turns(all, {.n_samples = 11, .has_cold = false});
  check(cudaGetLastError());
  const double copy_seconds = std::min(median(all[0].seconds), median(all[1].seconds));
  for (const Contender& c : all) print(c.name, c.seconds, 8.0 * n_units, copy_seconds);
}

}  // namespace

void run_advice() {
  const Stream launches(cuda());
  stream = launches.get();
  device_seconds = clock_of(cuda(), launches);
  nlohmann::ordered_json head = head_of(on_gpu({"advice", 0, 1, CRINKLE_COMMIT}, cuda()));
  head["compiler"] = "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__);
  std::string text = head.dump(2);
  text.resize(text.rfind('}') - 1);  // rows follow while they are timed
  std::printf("%s,\n  \"rows\": [", text.c_str());
  time_parameter<64>();
  time_parameter<1024>();
  time_parameter<4000>();
  time_parameter<8192>();
  time_parameter<16384>();
  time_parameter<32000>();
  time_small_move();
  time_moves();
  std::printf("\n  ]\n}\n");
}

}  // namespace crinkle::bench
