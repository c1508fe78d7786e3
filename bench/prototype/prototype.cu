// Does the tile interface allow nine tenths of a copy? Times the throw-away kernels of kernels.cuh on one GPU against two copies of the
// same bytes (the driver's and a 16-byte kernel), interleaved, medians; every result is compared on the device with the box's definition
// over a poisoned destination. Built by hand, with the repository's root as the working directory:
//     nvcc -O3 -arch=sm_90 -std=c++20 -cudart static -Iinclude -Isrc bench/prototype/prototype.cu src/tile/*.cpp src/plan/machine.cpp
//          src/plan/tiling.cpp src/base/error.cpp -o build-tile/prototype
// Run: prototype [results.json]. The first variant of a case is the planner's own choice.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "kernels.cuh"
#include "plan/tiling.hpp"

namespace {

using namespace crinkle;

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

__global__ void copy16(const uint4* src, uint4* dst) { dst[blockIdx.x * 256ull + threadIdx.x] = src[blockIdx.x * 256ull + threadIdx.x]; }

__global__ void randomize(unsigned long long* words, std::int64_t n, unsigned long long seed) {
  for (std::int64_t i = blockIdx.x * 256ll + threadIdx.x; i < n; i += gridDim.x * 256ll) {
    unsigned long long z = seed + 0x9E3779B97F4A7C15ull * static_cast<unsigned long long>(i + 1);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    words[i] = z ^ z >> 31;
  }
}

struct Map {  // a row with segments, or a box, by its definition
  int rank = 0;
  std::int64_t extent[32], src[32], dst[32];
  std::int64_t src_offset = 0, dst_offset = 0;
  int unit = 1, n_segments = 0;
  tile::Segment segment[tile::max_segments];
};

__global__ void compare(Map map, const char* src, const char* dst, std::int64_t n, unsigned long long* n_wrong) {
  for (std::int64_t i = blockIdx.x * 256ll + threadIdx.x; i < n; i += gridDim.x * 256ll) {
    std::int64_t rest = i, s = map.src_offset, d = map.dst_offset;
    for (int a = map.rank - 1; a >= 0; --a) {
      const std::int64_t k = rest % map.extent[a];
      rest /= map.extent[a];
      d += k * map.dst[a];
      if (a + 1 < map.rank) {
        s += k * map.src[a];
        continue;
      }
      int g = 0;
      while (g + 1 < map.n_segments && map.segment[g + 1].first <= k) ++g;
      s += map.segment[g].src_offset + (k - map.segment[g].first) * map.segment[g].src_step;
    }
    for (int b = 0; b < map.unit; ++b)
      if (src[s + b] != dst[d + b]) {
        atomicAdd(n_wrong, 1ull);
        break;
      }
  }
}

struct Variant {
  std::string name;
  tile::Tile tile;
};
struct Case {
  std::string name;
  int element_bytes;
  tile::Rows rows;
  std::vector<Variant> variants;
};

/// extents fastest first; destination axis i is source axis order[i], fastest first.
Box permutation(int element_bytes, std::vector<std::int64_t> extents, std::vector<int> order) {
  Box box;
  box.unit = element_bytes;
  std::vector<std::int64_t> stride(extents.size());
  std::int64_t step = element_bytes;
  for (std::size_t a = 0; a < extents.size(); ++a) {
    stride[a] = step;
    step *= extents[a];
  }
  step = element_bytes;
  std::vector<Axis> axes;
  for (const int a : order) {
    const auto at = static_cast<std::size_t>(a);
    if (!axes.empty() && axes.back().src_stride * axes.back().extent == stride[at]) {
      axes.back().extent *= extents[at];
    } else {
      axes.push_back(Axis{extents[at], stride[at], step});
    }
    step *= extents[at];
  }
  while (box.unit < 16 && axes[0].src_stride == box.unit && axes[0].extent % 2 == 0 && axes.size() > 1) {
    bool can = true;
    for (std::size_t a = 1; a < axes.size(); ++a)
      can = can && axes[a].src_stride % (2 * box.unit) == 0 && axes[a].dst_stride % (2 * box.unit) == 0;
    if (!can) break;
    box.unit *= 2;
    axes[0].extent /= 2;
    axes[0].src_stride = axes[0].dst_stride = box.unit;
  }
  box.axes.append(axes.rbegin(), axes.rend());
  return box;
}

std::int64_t units_of(const Box& box) {
  std::int64_t n = 1;
  for (const Axis& axis : box.axes) n *= axis.extent;
  return n;
}

template <class Kernel, class Tile>
void launch(Kernel kernel, const Tile& tile, int shared, const char* src, char* dst) {
  if (shared > 47 * 1024) check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared), "shared memory");
  kernel<<<tile.frame.n_blocks, tile.threads, shared>>>(tile, src, dst);
}

/// Kernels are compiled for three degrees of knowledge: nothing, evenly spaced rows and plain runs, and one run of whole pieces as well.
constexpr tile::Known plain = tile::even_rows | tile::contiguous, whole = plain | tile::aligned | tile::exact,
                      lean = plain | tile::one_run | tile::superset;

template <int Unit, int Bytes>
void launch_gathered(const tile::GatheredTile& g, const char* src, char* dst) {
  const int shared = g.shared_bytes() + 16 * (g.read.n_table() + g.write.n_table());
  const tile::Known k = g.known();
  if ((k & whole) == whole) return launch(prototype::move_gathered<Unit, Bytes, whole>, g, shared, src, dst);
  if constexpr (Bytes == 16)
    if ((k & lean) == lean && (k & tile::straight) != 0)
      return launch(prototype::move_gathered < Unit, Bytes, lean | tile::straight >, g, shared, src, dst);
  if constexpr (Bytes == 16)
    if ((k & lean) == lean) return launch(prototype::move_gathered<Unit, Bytes, lean>, g, shared, src, dst);
  launch(prototype::move_gathered<Unit, Bytes, 0>, g, shared, src, dst);
}

template <int Unit>
void launch_unit(const tile::Tile& any, const char* src, char* dst) {
  if (const auto* rows = std::get_if<tile::RowTile>(&any)) return launch(prototype::move_rows<Unit>, *rows, 0, src, dst);
  if (const auto* t = std::get_if<tile::TransposedTile>(&any)) {
    const int shared = t->shared_bytes() + 16 * (t->n_table() + t->write.n_table());
    constexpr tile::Known simple = tile::even_rows | tile::one_run;
    if ((t->known() & simple) == simple) return launch(prototype::move_transposed<Unit, simple>, *t, shared, src, dst);
    return launch(prototype::move_transposed<Unit, 0>, *t, shared, src, dst);
  }
  const auto& g = std::get<tile::GatheredTile>(any);
  if (g.load_bytes == 16) return launch_gathered<Unit, 16>(g, src, dst);
  std::fprintf(stderr, "no kernel for pieces of %d bytes\n", g.load_bytes);
  std::exit(1);
}

void launch_any(const tile::Tile& tile, const char* src, char* dst) {
  switch (tile::frame_of(tile).unit) {
    case 1: return launch_unit<1>(tile, src, dst);
    case 4: return launch_unit<4>(tile, src, dst);
    case 8: return launch_unit<8>(tile, src, dst);
    default: return launch_unit<16>(tile, src, dst);
  }
}

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<long>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

double time_once(const std::function<void()>& work) {
  static cudaEvent_t begin = nullptr, end = nullptr;
  if (begin == nullptr) {
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
  }
  check(cudaEventRecord(begin), "record");
  work();
  check(cudaEventRecord(end), "record");
  check(cudaEventSynchronize(end), "run");
  check(cudaGetLastError(), "launch");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin, end), "time");
  return ms * 1e-3;
}

Map map_of(const tile::Rows& rows) {
  Map map;
  map.rank = static_cast<int>(rows.box.axes.size());
  for (int a = 0; a < map.rank; ++a) {
    const Axis& axis = rows.box.axes[static_cast<std::size_t>(a)];
    map.extent[a] = axis.extent;
    map.src[a] = axis.src_stride;
    map.dst[a] = axis.dst_stride;
  }
  map.src_offset = rows.box.src_offset;
  map.dst_offset = rows.box.dst_offset;
  map.unit = rows.box.unit;
  map.n_segments = static_cast<int>(rows.segments.size());
  for (int s = 0; s < map.n_segments; ++s) map.segment[s] = rows.segments[static_cast<std::size_t>(s)];
  return map;
}

#include "cases.inc"

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t most = 1536ll << 20;
  char *src = nullptr, *dst = nullptr;
  unsigned long long* n_wrong = nullptr;
  check(cudaMalloc(&src, most), "cudaMalloc");
  check(cudaMalloc(&dst, most), "cudaMalloc");
  check(cudaMalloc(&n_wrong, 8), "cudaMalloc");
  randomize<<<4096, 256>>>(reinterpret_cast<unsigned long long*>(src), most / 8, std::random_device{}());
  std::FILE* json = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (json != nullptr) std::fprintf(json, "{\"rows\": [");
  const char* comma = "\n";
  std::printf("%-22s %-26s %9s %8s %8s %8s %6s %6s\n", "case", "variant", "us", "GB/s", "driver", "own", "/drv", "/own");
  for (Case& c : cases()) {
    const std::int64_t n = units_of(c.rows.box), bytes = n * c.rows.box.unit, copied = (bytes + 4095) / 4096 * 4096;
    std::vector<double> driver, own;
    std::vector<std::vector<double>> times(c.variants.size());
    for (int repeat = -2; repeat < 13; ++repeat) {
      const double d =
          time_once([&] { check(cudaMemcpyAsync(dst, src, static_cast<std::size_t>(copied), cudaMemcpyDeviceToDevice), "copy"); });
      const double o = time_once([&] {
        copy16<<<static_cast<unsigned>(copied / 4096), 256>>>(reinterpret_cast<const uint4*>(src), reinterpret_cast<uint4*>(dst));
      });
      if (repeat >= 0) {
        driver.push_back(d * static_cast<double>(bytes) / static_cast<double>(copied));
        own.push_back(o * static_cast<double>(bytes) / static_cast<double>(copied));
      }
      for (std::size_t v = 0; v < c.variants.size(); ++v) {
        if (repeat == -2) check(cudaMemset(dst, 0xA5, static_cast<std::size_t>(bytes)), "poison");
        const double t = time_once([&] { launch_any(c.variants[v].tile, src, dst); });
        if (repeat >= 0) times[v].push_back(t);
        if (repeat != -2) continue;
        unsigned long long wrong = 0;
        check(cudaMemset(n_wrong, 0, 8), "zero");
        compare<<<8192, 256>>>(map_of(c.rows), src, dst, n, n_wrong);
        check(cudaMemcpy(&wrong, n_wrong, 8, cudaMemcpyDeviceToHost), "compare");
        if (wrong != 0) std::printf("%-22s %-26s WRONG in %llu units\n", c.name.c_str(), c.variants[v].name.c_str(), wrong);
      }
    }
    for (std::size_t v = 0; v < c.variants.size(); ++v) {
      const double t = median(times[v]), gb = 2e-9 * static_cast<double>(bytes);
      const double rate = gb / t, by_driver = gb / median(driver), by_own = gb / median(own);
      std::printf("%-22s %-26s %9.1f %8.0f %8.0f %8.0f %6.3f %6.3f\n", c.name.c_str(), c.variants[v].name.c_str(), t * 1e6, rate, by_driver,
                  by_own, rate / by_driver, rate / by_own);
      if (json == nullptr) continue;
      std::fprintf(
          json,
          "%s  {\"name\": \"%s\", \"variant\": \"%s\", \"element_bytes\": %d, \"bytes\": %lld, \"seconds\": %.9f, \"gb_per_s\": %.1f, ",
          comma, c.name.c_str(), c.variants[v].name.c_str(), c.element_bytes, 2ll * bytes, t, rate);
      std::fprintf(json, "\"copy_gb_per_s\": %.1f, \"own_copy_gb_per_s\": %.1f, \"fraction_of_copy\": %.4f}", by_driver, by_own,
                   rate / std::max(by_driver, by_own));
      comma = ",\n";
    }
    std::fflush(stdout);
  }
  if (json != nullptr) {
    std::fprintf(json, "\n]}\n");
    std::fclose(json);
  }
  return 0;
}
