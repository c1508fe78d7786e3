// A cursor over the few Python literals a .npy header may hold: strings, whole numbers, True and False, and the brackets
// around them. It never evaluates; whatever else stands there is bad_file with the column and what was expected.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "crinkle/error.hpp"

namespace crinkle::tool {

class LiteralCursor {
 public:
  explicit LiteralCursor(std::string_view text, ErrorCode code = ErrorCode::bad_file) : text_(text), code_(code) {}

  std::size_t position() const noexcept { return at_; }
  bool is_at_end();                                                    // after white space
  bool is_next(char symbol);                                           // after white space; takes nothing
  bool take(char symbol);                                              // takes it if it is next
  void expect(char symbol);                                            // throws if it is not
  std::string_view list();                                             // a list with its brackets, as written
  std::string_view string();                                           // what stands between the quotes, escapes as written
  std::size_t string_place() const noexcept { return string_place_; }  // where the last string's text began
  std::int64_t whole_number();                                         // with its sign; a trailing L of Python 2 is skipped
  bool truth();                                                        // True or False
  [[noreturn]] void fail(std::string_view expected);

 private:
  void skip_space() noexcept;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t string_place_ = 0;
  ErrorCode code_;
};

}  // namespace crinkle::tool
