// Conversions of triangles of 30 000 rows, beside copies of as many bytes (suites/triangles.hpp). Every pair of the result is compared with
// its definition on the device, and what lies behind it is as it was. A table on standard error, JSON on standard output.
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/programs.hpp"
#include "simplex/parts.hpp"
#include "suites/arrays_gpu.hpp"
#include "suites/gpu_kernels.hpp"
#include "suites/triangles.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t n_rows = 30000;
constexpr std::uint64_t seed = 1;

/// How many pairs of a piece are not where they belong, by comparing bytes.
__global__ void count_wrong(TrianglePiece piece, std::int64_t element, const char* src, const char* dst, unsigned long long* wrong) {
  const std::int64_t j = piece.part.j_begin + blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  for (std::int64_t i = piece.part.i_begin + blockIdx.y; i < piece.part.i_end; i += gridDim.y) {
    if (!piece.part.has(i, j)) continue;
    const char *from = src + piece.from.place(i, j) * element, *to = dst + piece.to.place(i, j) * element;
    for (std::int64_t k = 0; k < element; ++k)
      if (from[k] != to[k]) atomicAdd(wrong, 1ull);
  }
}

__global__ void count_not_zero(DiagonalLines diagonal, std::int64_t element, const char* dst, unsigned long long* wrong) {
  for (std::int64_t i = diagonal.begin + threadIdx.x; i < diagonal.end; i += blockDim.x)
    for (std::int64_t k = 0; k < element; ++k)
      if (dst[diagonal.lines.place(i, i) * element + k] != 0) atomicAdd(wrong, 1ull);
}

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

void expect_as_defined(const TriangleCase& c, const GpuArrays& arrays) {
  const auto* const src = reinterpret_cast<const char*>(arrays.source());
  const auto* const dst = reinterpret_cast<const char*>(arrays.destination());
  const DeviceMemory count(cuda(), sizeof(unsigned long long));
  auto* const wrong = static_cast<unsigned long long*>(count.data());
  unsigned long long n_wrong = 0;
  copy_bytes({&n_wrong, sizeof n_wrong}, count);
  for (const TrianglePiece& piece : pieces_of(c.from, c.to)) {
    const auto width = static_cast<unsigned>((piece.part.j_end - piece.part.j_begin + 255) / 256);
    count_wrong<<<dim3(width, 1024), 256, 0, arrays.stream().get()>>>(piece, c.to.element_bytes, src, dst, wrong);
  }
  for (const DiagonalLines& diagonal : zeros_of(c.from, c.to))
    count_not_zero<<<1, 256, 0, arrays.stream().get()>>>(diagonal, c.to.element_bytes, dst, wrong);
  check(cudaGetLastError());
  arrays.stream().synchronize();
  copy_bytes(count, {&n_wrong, sizeof n_wrong});
  if (n_wrong > 0) throw std::runtime_error(c.name + ": " + std::to_string(n_wrong) + " bytes are not as defined");
}

void run(const TriangleCase& c, Report& report) {
  GpuArrays arrays(std::max({c.from.bytes(), c.to.bytes(), c.moved_bytes() / 2}), cuda());
  const auto convert = [&] {
    convert_triangle(c.from, c.to, {arrays.source(), c.from.bytes()}, {arrays.destination(), c.to.bytes()}, cuda(), arrays.stream());
  };
  randomize_on_gpu(arrays.filled(), c.from.bytes(), seed, arrays.stream().get());
  randomize_on_gpu(arrays.destination(), c.to.bytes(), seed + 1, arrays.stream().get());
  convert();
  expect_as_defined(c, arrays);
  for (Row& row : arrays.timed({{c.name, convert}}, c.moved_bytes(), c.moved_bytes() / 2, {15})) {
    row.element_bytes = c.to.element_bytes;
    report.add(std::move(row));
  }
}

}  // namespace

void run_triangles() {
  Report report(on_gpu({"triangle", 0, seed, CRINKLE_COMMIT}, cuda()), stderr);
  for (const TriangleCase& c : triangle_cases(n_rows)) run(c, report);
  report.print_summary();
  std::fputs(report.json().c_str(), stdout);
}

}  // namespace crinkle::bench
