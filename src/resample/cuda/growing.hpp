// Kernels that grow with the scale, on a GPU: a pass an axis, or one for the commonest value (growing.cuh). Weights are computed on the
// host, as a CPU does, and lie in the device's memory as long as the plan. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/held_bytes.hpp"
#include "crinkle/cuda.hpp"
#include "crinkle/resample.hpp"
#include "resample/cuda/growing_pass.hpp"
#include "resample/growing.hpp"

namespace crinkle::resampling {

/// What counts along an axis, on the host: as CountedAxis has it. `low` to `high`: all elements that count for any, of a periodic axis
/// round whose end a window goes all there are.
struct CountedTable {
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> count;
  std::vector<double> weights;  // [most][n], rounded to the numbers that sums are made in, or shares
  std::int64_t low = 0, high = 0;
};
/// Throws too_large beyond 2^27 weights.
CountedTable counted_table(const GrowingAxis& axis, std::int64_t n, bool is_float32, bool is_mode);

struct CudaGrowing {
  /// Where a pass reads and writes: the source's and the result's arrays, or one of the workspace.
  struct Step {
    GrowingPass pass;
    Number in{};
    std::int64_t from = 0, to = 0;  // bytes from the array's, or the workspace's, beginning
    bool is_first = true;
  };
  bool is_mode = false;
  std::vector<Step> steps;
  std::int64_t workspace_bytes = 0;
  std::vector<std::byte> tables;  // until they are on the device
  DeviceMemory on_device;

  std::int64_t held_bytes() const { return held_by(steps, tables) + on_device.bytes(); }
};

/// The passes, their tables' addresses being offsets into `tables`. Requires check_growing(), and the form of the source.
CudaGrowing growing_steps_of(const Resampling& resampling, const Form& form);
/// Makes the offsets addresses, the tables lying at `tables`.
void set_tables(CudaGrowing& growing, const std::byte* tables);
/// The same on a device: allocates there and waits.
CudaGrowing cuda_growing_of(const Resampling& resampling, const Form& form, Device device);

/// Given to the stream. `in` and `out` are where elements [0, 0, …] of the form lie; `workspace` at a multiple of 64 bytes.
void launch(const CudaGrowing& growing, const std::byte* in, std::byte* out, std::byte* workspace, CUstream_st* stream);

/// A line of describe().
std::string described(const CudaGrowing& growing);

}  // namespace crinkle::resampling
