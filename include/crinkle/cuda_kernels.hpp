// Kernels of a GPU that are compiled at run time, for one plan: when that is allowed, where they are kept, what was noticed. They need
// NVRTC, which is looked for when the first one is wanted; without it the kernels of the library run. Results have the same bits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace crinkle {

/// Which kernels a plan may have.
enum class KernelEffort : std::uint8_t {
  library,   // those of the library alone
  kept,      // also those that were compiled before and kept
  paying,    // also new ones, where the expected runs are predicted to save more time than compiling takes
  compiled,  // new ones whatever they cost
  measured   // also several shapes of each (lines and threads of a block …), which are run when a plan is made; the quickest stays
};

/// Its word, the same in CRINKLE_KERNELS, in Python and in the command; and back: throws bad_notation, naming `of`, for another one.
std::string_view word_of(KernelEffort effort);
KernelEffort kernel_effort(std::string_view word, std::string_view of = "effort=");

struct KernelOptions {
  KernelEffort effort = KernelEffort::paying;
  std::int64_t runs = 100;  // that a plan is expected to have
  std::string folder;       // where kernels are kept; "": $XDG_CACHE_HOME/crinkle/kernels, or ~/.cache/crinkle/kernels
  std::int64_t most_bytes = std::int64_t{64} << 20;   // of that folder, the kernels used longest ago go first; 0: none are kept
  std::string nvrtc;                                  // NVRTC's library or its folder, to be looked at first
  std::function<void(const std::string& text)> note;  // if there: told once what kernel_notes() holds; from any thread that plans
};

/// The options of all plans that are made from now on. Until they are set they are the ones above, but with an effort that the environment
/// variable CRINKLE_KERNELS names (library, kept, paying, compiled, measured) and an NVRTC that CRINKLE_NVRTC names. Throws bad_notation
/// for another word there, bad_shape for fewer than 1 run and negative bytes. Thread-safe.
KernelOptions kernel_options();
void set_kernel_options(KernelOptions options);

/// The newest 16 problems that changed no result, each once: no NVRTC, a folder that cannot be written, a source that
/// does not compile, which is a bug of the library.
std::vector<std::string> kernel_notes();

}  // namespace crinkle
