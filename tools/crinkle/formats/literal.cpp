// The reader of Python literals; see literal.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/literal.hpp"

#include <charconv>

#include "formats/file.hpp"

namespace crinkle::tool {

void LiteralCursor::skip_space() noexcept {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
}

void LiteralCursor::fail(std::string_view expected) {
  const std::string found = at_ < text_.size() ? "'" + printable(text_.substr(at_), 24) + "'" : "the end";
  throw Error(code_, "expected " + std::string(expected) + " at character " + std::to_string(at_) + ", found " + found);
}

bool LiteralCursor::is_at_end() {
  skip_space();
  return at_ == text_.size();
}

bool LiteralCursor::is_next(char symbol) { return !is_at_end() && text_[at_] == symbol; }

bool LiteralCursor::take(char symbol) {
  const bool is_there = is_next(symbol);
  at_ += is_there ? 1 : 0;
  return is_there;
}

void LiteralCursor::expect(char symbol) {
  if (!take(symbol)) fail(std::string("'") + symbol + "'");
}

std::string_view LiteralCursor::string() {
  if (!is_next('\'') && !is_next('"')) fail("a string");
  const char quote = text_[at_];
  std::size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2U : 1U;
  if (end >= text_.size() || text_[end] != quote) fail("a string that ends");
  string_place_ = at_ + 1;
  at_ = end + 1;
  return text_.substr(string_place_, end - string_place_);
}

std::string_view LiteralCursor::list() {
  if (!is_next('[')) fail("'['");
  const std::size_t first = at_;
  int depth = 0;
  do {
    if (is_next('\'') || is_next('"')) {
      string();
    } else if (take('[')) {
      ++depth;
    } else if (take(']')) {
      --depth;
    } else if (!take('(') && !take(')') && !take(',')) {
      whole_number();
    }
  } while (depth > 0);
  return text_.substr(first, at_ - first);
}

std::int64_t LiteralCursor::whole_number() {
  skip_space();
  std::int64_t value = 0;
  const char* const first = text_.data() + at_;
  const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
  if (error == std::errc::result_out_of_range) fail("a number that fits 64 bits");
  if (error != std::errc()) fail("a whole number");
  at_ += static_cast<std::size_t>(end - first);
  if (at_ < text_.size() && text_[at_] == 'L') ++at_;
  return value;
}

bool LiteralCursor::truth() {
  skip_space();
  for (const std::string_view word : {"True", "False"}) {
    if (text_.substr(at_).starts_with(word)) {
      at_ += word.size();
      return word == "True";
    }
  }
  fail("True or False");
}

}  // namespace crinkle::tool
