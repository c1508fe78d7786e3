// The suite `hypercubic`: the paper's four figures (Hawick and Playne, section 9, figures 12 to 15) on this machine. Blur, flip, shift and
// crinkle of N × N float32, N = 256 … 8192, in the paper's versions and by this library's plans, in turns with a copy of as many bytes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "api/timing.hpp"
#include "suites/hypercubic_transform.hpp"
#include "suites/permute.hpp"
#include "suites/report.hpp"

namespace crinkle::bench {

inline constexpr std::int64_t hypercubic_extents[] = {256, 512, 1024, 2048, 4096, 8192};

/// What the paper printed of its own times, for the document.
nlohmann::ordered_json hypercubic_facts();

/// Two arrays of a device, and how a transform runs between them.
class TransformSite {
 public:
  virtual ~TransformSite() = default;

  virtual std::function<void()> run_of(const Transform& t, Version version) = 0;
  /// Runs it once. Throws std::runtime_error, naming `what`, unless the result is as defined.
  virtual void check(const Transform& t, const std::string& what, const std::function<void()>& run) = 0;
  virtual std::vector<Contender> copies(std::int64_t n_bytes) = 0;
  virtual void take_turns(std::vector<Contender>& contenders, const Effort& effort) = 0;
  virtual int threads() const = 0;  // of the CPU; 0: a GPU
};

/// The bytes of one array of the largest extent whose two arrays fit the memory of `effort`. Throws too_large where none do.
std::int64_t hypercubic_bytes(std::span<const std::int64_t> extents, const Effort& effort);

/// A table a figure goes to the report's table, a row for each transform, extent and version to its document. Extents whose two arrays are
/// larger than the memory of `effort` are left out, and said so. Throws what planning and checking throw.
void run_hypercubic(TransformSite& site, std::span<const std::int64_t> extents, const Effort& effort, std::uint64_t seed, Report& report);

void run_hypercubic(std::span<const std::int64_t> extents, const Effort& effort, std::uint64_t seed, Executor& executor, Report& report);
/// Unsupported in a build without CUDA.
void run_hypercubic_on_gpu(std::span<const std::int64_t> extents, const Effort& effort, std::uint64_t seed, Device device, Report& report);

}  // namespace crinkle::bench
