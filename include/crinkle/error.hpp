// The one exception of the library: a code that a program can switch on and a text that a person can act on.
// The text carries the values involved and, where there is one, the way out.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace crinkle {

enum class ErrorCode {
  bad_notation,   // a text that cannot be read
  bad_shape,      // an extent, axis or number that does not fit the rest
  not_divisible,  // an extent that a factor does not divide
  overlap,        // source and destination share memory
  too_large,      // beyond what 64 bits count or a limit allows
  unsupported,    // a right request that this operation, format or build does not serve
  bad_file,       // a file that cannot be read or written
  out_of_memory,  // of the host or of a device
  device,         // a GPU that is not there or that failed
  exists          // the name of an output is taken: by a file, the input or another output
};

/// The word for a code, as the command prints it: "bad_notation", "bad_shape", …
const char* name_of(ErrorCode code) noexcept;

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& text) : std::runtime_error(text), code_(code) {}
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace crinkle
