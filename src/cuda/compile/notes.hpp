// Notes of kernels compiled at run time. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "crinkle/cuda_kernels.hpp"

namespace crinkle::gpu {

/// Adds to kernel_notes() and tells options.note; a text that was told before is not told again.
void tell(const KernelOptions& options, const std::string& text);

}  // namespace crinkle::gpu
