// Candidates are measured on a site: a device and two memories of it. `home` has the records as they lie now, `array` one candidate after
// the other, so that all are measured in the same pages.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "advise/pass.hpp"
#include "base/timing.hpp"
#include "move/planned.hpp"

namespace crinkle {

struct SiteBytes {
  std::int64_t home = 0, array = 0, workspace = 0;
};

class Site {
 public:
  virtual ~Site() = default;

  virtual std::byte* home() const = 0;   // begins at a multiple of 256
  virtual std::byte* array() const = 0;  // likewise

  /// Has host memory of home's bytes written, and brings it there.
  virtual void fill_home(const std::function<void(std::byte* home)>& write) = 0;
  /// Memory of the host with what the array holds, until the next call.
  virtual const std::byte* read_array(std::int64_t bytes) = 0;

  // These return functions; a call of one does the work, and read_array() waits for it.
  virtual std::function<void()> pass(const advising::Pass& pass) = 0;  // over the array
  virtual std::function<void()> move(std::shared_ptr<const PlannedMove> plan, std::vector<ConstBuffer> from, std::vector<Buffer> to) = 0;
  virtual std::vector<Contender> copies(std::int64_t bytes) = 0;  // from home to the array, each of another kind

  virtual Clock clock() = 0;
};

/// Throws out_of_memory where the device has not as much.
std::unique_ptr<Site> make_cpu_site(const SiteBytes& bytes, Executor& executor);
/// Throws unsupported in a build without CUDA.
std::unique_ptr<Site> make_cuda_site(const SiteBytes& bytes, Device device);

}  // namespace crinkle
