// Our headers as texts, for kernels that are compiled at run time; cmake/kernel_headers.cmake lists them and makes the source behind this.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

namespace crinkle::gpu {

struct EmbeddedHeader {
  const char* name;  // as it is included: "crinkle/half.hpp", "fft/cuda/lines.cuh", "cstdint"
  const char* text;
};
std::span<const EmbeddedHeader> embedded_headers();

/// SHA-256 of all names and texts.
const char* embedded_headers_hash();

}  // namespace crinkle::gpu
