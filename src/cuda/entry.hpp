// Only a build with CUDA has its runtime (runtime.hpp) and what .cu files define. The code around them is the same in every build, so
// that it is compiled everywhere. It calls a function of a .cu file, say launch(…), as
//     gpu::entry<launch>(…)
// which in a build without CUDA throws unsupported, and needs no such function to be there.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "crinkle/device.hpp"
#include "crinkle/error.hpp"

namespace crinkle::gpu {

inline constexpr bool is_built = CRINKLE_HAS_CUDA != 0;

[[noreturn]] inline void refuse(int device = 0) {
  throw Error(ErrorCode::unsupported, "CUDA device " + std::to_string(device) +
                                          ": this build of crinkle has no CUDA executor; use the CPU, or plan for the machine h200");
}

/// Throws unsupported in a build without CUDA: before anything else is said of a call for a GPU.
inline void check_built(Device device) {
  if constexpr (!is_built) refuse(device.index);
}

template <class Function>
struct Absent;
template <class R, class... Arguments>
struct Absent<R (*)(Arguments...)> {
  [[noreturn]] static R call(Arguments...) { refuse(); }
};

/// A pointer to the function, or in a build without CUDA to one that refuses.
template <auto function>
inline constexpr decltype(function) entry = [] {
  if constexpr (is_built) return function;
  else return &Absent<decltype(function)>::call;
}();

}  // namespace crinkle::gpu
