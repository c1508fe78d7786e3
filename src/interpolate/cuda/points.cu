// The steps of a tree, and of sums, on a GPU: a thread each, sorts and scans by CUB. SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cuda/points.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "interpolate/cuda/each.cuh"

namespace crinkle::interpolation {
namespace {

using tree_steps::Position;

struct OnGpu {
  void* temporary = nullptr;  // null: only bytes are counted
  std::size_t bytes = 0;
  CUstream_st* stream = nullptr;

  template <class Step>
  void each(std::int64_t n, const Step& step) const {
    kernel::each(n, step, stream, "making a tree of samples");
  }
  void sort(const std::uint64_t* keys, std::uint64_t* sorted, const Position* from, Position* to, std::int64_t n) {
    gpu::check_status(cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, sorted, from, to, n, 0, 64, stream), "sorting samples");
  }
  template <class Flag>
  void scan(const Flag& flag, Position* ranks, std::int64_t n) {
    const auto flags = thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), flag);
    gpu::check_status(cub::DeviceScan::ExclusiveSum(temporary, bytes, flags, ranks, n, stream), "dividing samples");
  }
};

}  // namespace

std::int64_t tree_temporary_bytes(std::int64_t n, int n_dimensions) {
  OnGpu sorts, scans;
  sorts.sort(nullptr, nullptr, nullptr, nullptr, n);
  scans.scan(tree_steps::Marked{}, nullptr, n * n_dimensions);
  return static_cast<std::int64_t>(std::max(sorts.bytes, scans.bytes));
}

void check_points(const tree_steps::Given& given, const std::vector<tree_steps::Numbers>& values, const TreeScratch& scratch,
                  CUstream_st* stream) {
  OnGpu work{nullptr, 0, stream};
  tree_steps::check_samples(work, given, values.data(), scratch);
}

void order_points(const tree_steps::Given& given, const TreeScratch& scratch, std::int64_t temporary_bytes, CUstream_st* stream) {
  OnGpu work{scratch.temporary, static_cast<std::size_t>(temporary_bytes), stream};
  tree_steps::order_samples(work, given, scratch);
}

void build_sums(const tree_steps::Given& given, const std::vector<tree_steps::Numbers>& values, const SampleBox& box,
                const Scale (&scales)[2], const TreeScratch& scratch, std::int64_t temporary_bytes, const SumArrays& to,
                CUstream_st* stream) {
  OnGpu work{scratch.temporary, static_cast<std::size_t>(temporary_bytes), stream};
  tree_steps::build_sums(work, given, values.data(), box, scales, scratch, to);
}

void put_numbers(const tree_steps::Numbers& from, double* to, CUstream_st* stream) {
  kernel::each(from.n, tree_steps::PutNumbers{from, nullptr, to}, stream, "samples in a row");
}

void build_tree(const tree_steps::Given& given, const std::vector<tree_steps::Numbers>& values, const tree_steps::Facts& facts,
                const TreeScratch& scratch, std::int64_t temporary_bytes, const TreeArrays& tree, CUstream_st* stream) {
  OnGpu work{scratch.temporary, static_cast<std::size_t>(temporary_bytes), stream};
  if (given.n_dimensions == 2) tree_steps::build<2>(work, given, values.data(), facts, scratch, tree);
  else tree_steps::build<3>(work, given, values.data(), facts, scratch, tree);
}

}  // namespace crinkle::interpolation
