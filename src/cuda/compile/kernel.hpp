// A kernel compiled for a plan: source in, kernel out, or none, whereupon the caller runs a kernel of the library. Binaries are looked for
// among the process' kernels, then in the folder of kept ones, then made by NVRTC where that is allowed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crinkle/cuda_kernels.hpp"
#include "crinkle/device.hpp"

namespace crinkle::gpu {

/// A kernel and all that is known of it when it is compiled. `text` includes headers that the library holds (sources.hpp) by the names that
/// they have in our sources, and defines
///     extern "C" __global__ void FUNCTION(…)
struct KernelSource {
  std::string name;  // for a person, as describe() has it: "lines of 1000 complex64"
  std::string text;  // CUDA C++
  std::string function = "kernel";
  std::vector<std::string> options = {};  // of NVRTC, beside those of every kernel (compile_options)
};

/// What a compiled kernel saves, in seconds.
struct Worth {
  double fixed_seconds = 0;     // one run of the library's kernels, predicted
  double compiled_seconds = 0;  // one run of this one, predicted
  double compile_seconds = 0.5;
};
/// (fixed − compiled)·runs > compile.
bool pays(const Worth& worth, std::int64_t runs);

struct KernelFacts {
  int registers = 0;                               // of a thread
  std::int64_t shared_bytes = 0, local_bytes = 0;  // static, of a block; spilled, of a thread
};

/// Copies share it; the last one unloads it, which waits for what still runs of it.
class Kernel {
 public:
  struct Loaded;
  explicit Kernel(std::shared_ptr<const Loaded> loaded) : loaded_(std::move(loaded)) {}

  /// What launch() and allow_shared_bytes() take. One for all devices of its architecture.
  const void* get() const;
  const std::string& name() const;  // its source's
  KernelFacts facts() const;

 private:
  std::shared_ptr<const Loaded> loaded_;
};

/// The source's kernel, or none: where the options do not allow it, there is no NVRTC, or it does not compile (told in kernel_notes()).
/// Ensures: never throws for what lies outside the program. Thread-safe; threads that want the same one wait for one compilation.
std::optional<Kernel> compiled(const KernelSource& source, Device device, const Worth& worth,
                               const KernelOptions& options = kernel_options());

/// The same without a device: the machine code for an architecture, 10·major + minor.
using Binary = std::shared_ptr<const std::string>;
Binary compiled_binary(const KernelSource& source, int architecture, const Worth& worth, const KernelOptions& options = kernel_options());

/// What was found out of kernels by running them, under a key that says all it depends on but our headers: kept beside them. None where it
/// is not there. Ensures: neither throws for what lies outside the program.
std::optional<std::string> kept_finding(const std::string& key, const KernelOptions& options = kernel_options());
void keep_finding(const std::string& key, const std::string& finding, const KernelOptions& options = kernel_options());

}  // namespace crinkle::gpu
