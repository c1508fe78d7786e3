// The buffers of a run as its kernels see them: the first few of each side travel with the launch, the others lie in a table on the device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/detail/hd.hpp"

namespace crinkle {

inline constexpr int inline_slots = 32;

struct CudaSlots {
  Array<const char*, inline_slots> src = {};
  Array<char*, inline_slots> dst = {};
  const char* const* all_src = nullptr;  // if there: of all slots
  char* const* all_dst = nullptr;
  const char* tables = nullptr;  // of a step with index arrays: where they lie

  CRINKLE_HD const char* source(std::int32_t slot) const { return all_src != nullptr ? all_src[slot] : src[slot]; }
  CRINKLE_HD char* destination(std::int32_t slot) const { return all_dst != nullptr ? all_dst[slot] : dst[slot]; }
};

}  // namespace crinkle
