// The one exception of the library: a code that a program can switch on and a text that a person can act on.
// The text carries the values involved and, where there is one, the way out.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace crinkle {

enum class ErrorCode { bad_notation, bad_shape, not_divisible, overlap, too_large, unsupported, bad_file, out_of_memory, device };

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
