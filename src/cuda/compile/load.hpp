// Machine code given to the CUDA runtime, as libraries of one kernel. Called by gpu::entry. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "cuda/compile/kernel.hpp"

namespace crinkle::gpu {

struct LoadedCode {
  void* handle = nullptr;
  const void* kernel = nullptr;
  KernelFacts facts;
};
/// Requires the device that it is for to be the thread's own. Throws device.
LoadedCode load_code(const std::string& code, const char* function);
void unload_code(void* handle);

}  // namespace crinkle::gpu
