// Steps by a kernel that is compiled for them: what such a kernel is made of, which steps have one, and how it is run. Each kind of move
// has a file beside this one that finds its form: mapped axes, channels, taken rows.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crinkle/cuda.hpp"
#include "cuda/compile/kernel.hpp"
#include "move/planned.hpp"

namespace crinkle {

/// A kernel for one step from a few sources to one destination, as
///     kernel(std::uint32_t first block, tile::Sources sources, char* dst, const char* table),
/// or with const char* instead of the sources where there is one.
struct CompiledForm {
  /// The same by a kernel of the library, which takes what is known as its last parameter.
  struct Ahead {
    const void* kernel = nullptr;
    std::vector<std::byte> known;
    double fraction = 0;  // of a plain copy's rate, predicted; 0: there is none
  };
  gpu::KernelSource source;  // without text there is none
  std::int64_t n_blocks = 0;
  std::uint32_t threads = 0;
  std::int64_t shared_bytes = 0;
  std::vector<std::byte> table;  // lies in the device's memory
  double fraction = 0;           // of a plain copy's rate, predicted
  double fixed_fraction = 0;     // that of the library's tiles
  Ahead ahead;
  std::int64_t bytes = 0;  // read and written
};

struct CompiledStep {
  CompiledForm form;
  std::optional<gpu::Kernel> kernel;  // none: the form's, ahead
  DeviceMemory table;
  bool is_measured = false;  // it was tried beside the library's
};

template <class Known>
CompiledForm::Ahead ahead_of(const void* kernel, const Known& known, double fraction) {
  CompiledForm::Ahead ahead{kernel, std::vector<std::byte>(sizeof(Known)), fraction};
  std::memcpy(ahead.known.data(), &known, sizeof(Known));
  return ahead;
}

/// The form that suits a step of a GPU, whether it is worth compiling or not.
std::optional<CompiledForm> compiled_form(const PlannedStep& step, const Machine& machine);

/// The library's tiles for a pass, as a fraction of a plain copy's rate: what they ask, and what is known of instructions.
double library_fraction(const planning::Pass& pass, const Machine& machine);
/// The library's kernels for a step of a GPU.
double predicted_fraction(const PlannedStep& step, const Machine& machine);

/// What a step reads and writes, from its buffers' origins.
struct StepSpans {
  std::vector<ByteSpan> src;
  ByteSpan dst;
};

/// The form by a kernel of the library, where there is one.
std::optional<CompiledStep> ahead_step(CompiledForm form, Device device);

/// The step's kernel, where it is predicted to be faster than the library's and there is one (gpu::compiled), or where both were tried and
/// it was. Requires step.on_gpu.
std::shared_ptr<const CompiledStep> compiled_step(const PlannedStep& step, const StepSpans& spans, const Machine& machine, Device device);

/// A form with its kernel on a device; none where there is no kernel.
std::optional<CompiledStep> compiled_step(CompiledForm form, Device device, const gpu::Worth& worth,
                                          const KernelOptions& options = kernel_options());

/// Whether buffers lie where the kernel takes them from: at multiples of 16 bytes.
bool takes(const CompiledStep& step, std::span<const std::byte* const> src, const std::byte* dst);

/// The move, given to the stream. Requires takes(); otherwise as run_cuda (move/cuda/move.hpp).
void run_compiled(const CompiledStep& step, std::span<const std::byte* const> src, std::byte* dst, CUstream_st* stream, const char* what);

/// A line for a person.
std::string describe(const CompiledStep& step);

}  // namespace crinkle
