// Samples that lie in a GPU's memory, made a tree there. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "crinkle/cuda.hpp"
#include "interpolate/cuda/make_tree.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

/// Given to the stream. The temporary memory is for the sorts and scans of so many samples.
std::int64_t tree_temporary_bytes(std::int64_t n, int n_dimensions);
void look_at_points(const tree_steps::Given& given, const std::vector<tree_steps::Numbers>& values, const TreeScratch& scratch,
                    std::int64_t temporary_bytes, CUstream_st* stream);
void build_tree(const tree_steps::Given& given, const std::vector<tree_steps::Numbers>& values, const tree_steps::Facts& facts,
                const TreeScratch& scratch, std::int64_t temporary_bytes, const TreeArrays& tree, CUstream_st* stream);

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
  int n_dimensions() const noexcept { return given_.n_dimensions; }
  /// In memory that is the caller's.
  TreeArrays arrays(void* memory = nullptr) const;
  /// Given to the stream, and waited for.
  void make(const TreeArrays& tree) const;

 private:
  tree_steps::Numbers checked(const RecordNumbers& numbers, const char* what) const;
  double number_there(const tree_steps::Numbers& numbers, std::int64_t i) const;
  void refuse_bad() const;

  Device device_;
  Stream stream_;
  tree_steps::Given given_;
  std::vector<tree_steps::Numbers> values_;
  tree_steps::Facts facts_{};
  SamplePlanes planes_;
  Frame frame_;
  std::int64_t temporary_bytes_ = 0;
  DeviceMemory scratch_;
};

}  // namespace crinkle::interpolation
