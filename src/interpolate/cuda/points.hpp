// Samples that lie in a GPU's memory: made a tree there, or what sums over all of them read. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "crinkle/cuda.hpp"
#include "interpolate/cuda/make_sums.hpp"
#include "interpolate/cuda/make_tree.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

/// Given to the stream. The temporary memory is for the sorts and scans of so many samples.
std::int64_t tree_temporary_bytes(std::int64_t n, int n_dimensions);
void check_points(const tree_steps::Given& given, const std::vector<tree_steps::Numbers>& values, const TreeScratch& scratch,
                  CUstream_st* stream);
void order_points(const tree_steps::Given& given, const TreeScratch& scratch, std::int64_t temporary_bytes, CUstream_st* stream);
void build_tree(const tree_steps::Given& given, const std::vector<tree_steps::Numbers>& values, const tree_steps::Facts& facts,
                const TreeScratch& scratch, std::int64_t temporary_bytes, const TreeArrays& tree, CUstream_st* stream);
void build_sums(const tree_steps::Given& given, const std::vector<tree_steps::Numbers>& values, const SampleBox& box,
                const Scale (&scales)[2], const TreeScratch& scratch, std::int64_t temporary_bytes, const SumArrays& to,
                CUstream_st* stream);
void put_numbers(const tree_steps::Numbers& from, double* to, CUstream_st* stream);

/// n numbers as the steps read them. Throws bad_shape for blocks of no records, and numbers without an address. `what` names them.
tree_steps::Numbers numbers_of(const RecordNumbers& numbers, std::int64_t n, const char* what);

class CudaPoints {
 public:
  /// Looks at the samples, and waits for what it sees. Throws what Interpolator says of samples in a GPU's memory.
  CudaPoints(const DeviceSamples& samples, const Interpolation& how, Device device, const Stream& stream);

  /// How many there are of them but for places, values and weights; scale, size, least and most as SamplePlanes has them.
  const SamplePlanes& planes() const noexcept { return planes_; }
  const Frame& frame() const noexcept { return frame_; }
  std::int64_t n_counted() const noexcept { return static_cast<std::int64_t>(facts_.n_counted); }
  double most() const noexcept { return tree_steps::number_of(facts_.most); }
  bool has_weights() const noexcept { return given_.has_weights; }
  const SampleBox& box() const noexcept { return box_; }
  /// Whether what was asked for takes some of the samples: those that a tree finds.
  bool are_for_a_tree() const noexcept { return are_for_a_tree_; }
  int n_dimensions() const noexcept { return given_.n_dimensions; }
  /// In memory that is the caller's.
  TreeArrays arrays(void* memory = nullptr) const;
  SumArrays sum_arrays(void* memory = nullptr) const { return {given_, planes_.n, memory}; }
  /// Given to the stream, and waited for.
  void make(const TreeArrays& tree) const;
  void make(const SumArrays& sums, const Scale (&scales)[2]) const;

  /// The samples' places along an axis, in the frame, as long as this lives; where the values of a column shall lie, given to a stream.
  const double* plane(int axis) const;
  void put_column(std::int64_t column, double* to, CUstream_st* stream) const;

 private:
  tree_steps::Numbers checked(const RecordNumbers& numbers, const char* what) const;
  double number_there(const tree_steps::Numbers& numbers, std::int64_t i) const;
  void refuse_bad() const;
  TreeScratch scratch() const { return {given_, temporary_bytes_, scratch_.data()}; }

  Device device_;
  Stream stream_;
  tree_steps::Given given_;
  std::vector<tree_steps::Numbers> values_;
  tree_steps::Facts facts_{};
  SamplePlanes planes_;
  Frame frame_;
  SampleBox box_;
  bool are_for_a_tree_ = false;
  std::int64_t temporary_bytes_ = 0;
  DeviceMemory scratch_;
};

}  // namespace crinkle::interpolation
