// Expectations on errors that point into a text.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "crinkle/error.hpp"

namespace crinkle::testing {

/// The error that `act` throws, as {code, text}; fails and returns "" where it throws none.
template <class Act>
std::string error_of(ErrorCode code, const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_STREQ(name_of(error.code()), name_of(code)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "expected the error " << name_of(code);
  return "";
}

/// The carets' line without its indentation of two: "    ^^" for a place of two characters after four.
inline std::string caret_line(const std::string& text) {
  const std::size_t last = text.rfind('\n');
  return last == std::string::npos ? "" : text.substr(std::min(last + 3, text.size()));
}

}  // namespace crinkle::testing
