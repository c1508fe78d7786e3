// One sum, made ready for its samples on one device: over all of them, the nearest, those within a radius. What asks for values knows no
// more of it than this.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "crinkle/operation.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

/// Targets are known when a sum is planned (all of a raster or a list), or are those of a run alone.
enum class TargetsAre : std::uint8_t { known, of_a_run };

class Sum {
 public:
  virtual ~Sum() = default;

  /// out[c · n_targets + t]. Requires targets, and on a GPU memory, of its device, which is the thread's own there; a workspace, or none.
  virtual void run(const Targets& targets, std::span<float> out, std::byte* workspace, const Worker& worker) const = 0;
  virtual void run(const Targets& targets, std::span<double> out, std::byte* workspace, const Worker& worker) const = 0;
  /// Whether the values of some of the targets have the same bits when they are computed without the others.
  virtual bool can_be_cut(TargetsAre are, Real values) const noexcept = 0;
  /// Samples that count for a target, or less.
  virtual double n_pairs() const noexcept = 0;
  virtual const char* name() const noexcept = 0;  // "the nearest samples"
  /// For which targets that come in any order are put in one that is faster; 0: they stay as they are.
  virtual std::int64_t workspace_bytes(std::int64_t) const { return 0; }
};

/// Samples, and how they are summed.
struct Ready {
  /// Throws what Interpolator says.
  Ready(const Samples& given, const Interpolation& how, Device device, Executor& executor);
  /// The same of samples in the memory of a GPU.
  Ready(const DeviceSamples& given, const Interpolation& how, Device device, const Stream& stream);
  Ready(const Ready&) = delete;
  Ready& operator=(const Ready&) = delete;

  Interpolation how;
  Device device;
  SamplePlanes samples;        // in the frame; for sums over all of them along a curve, so that runs of them are small
  bool are_on_device = false;  // then the planes are empty: only a tree has the samples
  Frame frame;
  std::unique_ptr<const Sum> sum;
};

}  // namespace crinkle::interpolation
