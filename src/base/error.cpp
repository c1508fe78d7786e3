// The words of the error codes.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/error.hpp"

namespace crinkle {

const char* name_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::bad_notation: return "bad_notation";
    case ErrorCode::bad_shape: return "bad_shape";
    case ErrorCode::not_divisible: return "not_divisible";
    case ErrorCode::overlap: return "overlap";
    case ErrorCode::too_large: return "too_large";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::bad_file: return "bad_file";
    case ErrorCode::exists: return "exists";
    case ErrorCode::out_of_memory: return "out_of_memory";
    case ErrorCode::device: return "device";
  }
  return "unknown";
}

}  // namespace crinkle
