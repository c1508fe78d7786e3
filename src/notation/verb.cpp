// One table holds every verb's word and, for errors, the form of what follows it. The parser cuts the text at '=' and ':' and keeps every
// part's place, so that a refusal points at the part that is wrong.
// SPDX-License-Identifier: BSD-3-Clause
#include "notation/verb.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "base/caret.hpp"
#include "base/letters.hpp"

namespace crinkle {
namespace {

using VerbKind = Verb::Kind;

/// Every verb's word and the form of what follows it, for errors.
struct Form {
  VerbKind kind;
  const char* word;
  const char* form;
};

constexpr std::array<Form, 8> verb_forms = {{{VerbKind::flip, "flip", "AXIS, as in `x`; flip again for another"},
                                             {VerbKind::roll, "roll", "AXIS=K, as in `x=-7`"},
                                             {VerbKind::slice, "slice", "AXIS=START:STOP[:STEP], as in `x=1:9:2` or `x=::-1`"},
                                             {VerbKind::pad, "pad", "AXIS=BEFORE:AFTER[:MODE[:VALUE]], as in `x=1:2:reflect`"},
                                             {VerbKind::dilate, "dilate", "AXIS=K, as in `x=2`"},
                                             {VerbKind::at, "at", "AXIS=INDEX, as in `x=0`"},
                                             {VerbKind::take, "take", "AXIS=FILE.npy, as in `x=index.npy`"},
                                             {VerbKind::bit_reverse, "bit_reverse", "AXIS, as in `x`"}}};

const Form& form_of(VerbKind kind) noexcept {
  for (const Form& form : verb_forms) {
    if (form.kind == kind) return form;
  }
  return verb_forms.front();
}

/// A part of the text with its place.
struct Part {
  std::string_view text;
  std::size_t column = 0;  // bytes
};

std::vector<Part> split_at_colons(const Part& whole, std::size_t most) {
  std::vector<Part> parts;
  std::size_t begin = 0;
  while (parts.size() + 1 < most && whole.text.find(':', begin) != std::string_view::npos) {
    const std::size_t end = whole.text.find(':', begin);
    parts.push_back({whole.text.substr(begin, end - begin), whole.column + begin});
    begin = end + 1;
  }
  parts.push_back({whole.text.substr(begin), whole.column + begin});
  return parts;
}

class VerbParser {
 public:
  VerbParser(VerbKind kind, std::string_view text) : text_(text), form_(form_of(kind)) { verb_.kind = kind; }

  Verb parse() {
    const std::size_t equals = std::min(text_.find('='), text_.size());
    read_axis({text_.substr(0, equals), 0});
    const bool has_value = equals < text_.size();
    const bool takes_value = verb_.kind != VerbKind::flip && verb_.kind != VerbKind::bit_reverse;
    if (has_value && !takes_value) throw error({text_.substr(equals), equals}, "expected the end: " + wanted());
    if (!has_value && takes_value) throw error({text_.substr(equals), equals}, "expected '=', found the end: " + wanted());
    if (has_value) read_value({text_.substr(equals + 1), equals + 1});
    return std::move(verb_);
  }

 private:
  Error error(const Part& part, const std::string& message, ErrorCode code = ErrorCode::bad_notation) const {
    return caret_error(code, text_, part.column, part.text.size(), message);
  }
  std::string wanted() const { return std::string(form_.word) + " takes " + form_.form; }

  void read_axis(const Part& part) {
    const std::string_view axis = part.text;
    const std::size_t number = axis.starts_with("@-") ? 2 : axis.starts_with("@") ? 1 : 0;
    const std::string_view digits = axis.substr(number);
    const bool is_number = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
    const bool has_name = number == 0 && is_name(axis);
    if (!has_name && !is_number)
      throw error(part, "expected an axis (a name, or `@0`, `@-1` for a whole input axis), found '" + shown(axis) + "': " + wanted());
    if (is_number && number == 0 && integer(part) < 2) {
      throw error(part, "expected an axis: an integer names one from 2 on; the first input axis as a whole is `@0`");
    }
    if (is_number) verb_.axis = std::string(axis.substr(0, number)) + std::to_string(integer({digits, part.column + number}));
    if (has_name) verb_.axis = axis;
  }

  void read_value(const Part& part) {
    switch (verb_.kind) {
      case VerbKind::roll:
      case VerbKind::at: verb_.distance = integer(part); break;
      case VerbKind::dilate:
        verb_.distance = integer(part);
        if (verb_.distance < 1) throw error(part, "expected a step of 1 or more: dilate puts step - 1 zeros between elements");
        break;
      case VerbKind::slice: read_slice(part); break;
      case VerbKind::pad: read_pad(part); break;
      case VerbKind::take:
        if (part.text.empty()) throw error(part, "expected a file's name, found the end: " + wanted());
        verb_.file = part.text;
        break;
      case VerbKind::flip:
      case VerbKind::bit_reverse: break;
    }
  }

  void read_slice(const Part& part) {
    const std::vector<Part> parts = split_at_colons(part, 4);
    if (parts.size() == 1 && !part.text.empty()) {
      throw error(part, "expected START:STOP, found one number: " + wanted() + "; one index is taken with at, `" + shown(text_) + "`");
    }
    if (parts.size() == 1) throw error(part, "expected START:STOP, found the end: " + wanted());
    if (parts.size() > 3) throw error(parts[3], "expected at most START:STOP:STEP: " + wanted());
    if (!parts[0].text.empty()) verb_.start = integer(parts[0]);
    if (!parts[1].text.empty()) verb_.stop = integer(parts[1]);
    if (parts.size() < 3 || parts[2].text.empty()) return;
    verb_.step = integer(parts[2]);
    if (verb_.step == 0) throw error(parts[2], "expected a step other than 0: 1 takes every element, -1 every element from the end");
  }

  void read_pad(const Part& part) {
    const std::vector<Part> parts = split_at_colons(part, 4);
    if (parts.size() == 1 && !part.text.empty()) {
      const std::string both = std::string(part.text) + ":" + std::string(part.text);
      throw error(part, "expected BEFORE:AFTER, found one number: for both ends write `" + shown(verb_.axis + "=" + both) + "`");
    }
    if (parts.size() == 1) throw error(part, "expected BEFORE:AFTER, found the end: " + wanted());
    verb_.before = count(parts[0]);
    verb_.after = count(parts[1]);
    if (parts.size() > 2) verb_.mode = mode(parts[2]);
    if (parts.size() < 4) return;
    if (verb_.mode != PadMode::constant)
      throw error(parts[3], "expected the end: only the mode constant takes a value, as in `constant:3.5`");
    if (parts[3].text.empty())
      throw error(parts[3], "expected a value after `constant:`, found the end; `constant` alone pads with zero bytes");
    verb_.value = parts[3].text;
  }

  PadMode mode(const Part& part) const {
    try {
      return pad_mode_of(part.text);
    } catch (const Error& e) { throw error(part, e.what()); }
  }

  std::int64_t count(const Part& part) const {
    const std::int64_t value = integer(part);
    if (value < 0) throw error(part, "expected a count of 0 or more; slice, as in `" + verb_.axis + "=1:-1`, cuts an axis");
    return value;
  }

  std::int64_t integer(const Part& part) const {
    std::int64_t value = 0;
    const char* begin = part.text.data();
    const char* end = begin + part.text.size();
    if (part.text.size() > 1 && part.text[0] == '+' && is_digit(part.text[1])) ++begin;
    const auto [stop, status] = std::from_chars(begin, end, value);
    if (status == std::errc::result_out_of_range) throw error(part, shown(part.text) + " does not fit 64 bits", ErrorCode::too_large);
    const std::string found = part.text.empty() ? "nothing" : "'" + shown(part.text) + "'";
    if (status != std::errc{} || stop != end) throw error(part, "expected an integer, found " + found + ": " + wanted());
    return value;
  }

  std::string_view text_;
  const Form& form_;
  Verb verb_;
};

std::string number_or_nothing(const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : ""; }

std::string value_text(const Verb& verb) {
  switch (verb.kind) {
    case VerbKind::roll:
    case VerbKind::at:
    case VerbKind::dilate: return "=" + std::to_string(verb.distance);
    case VerbKind::take: return "=" + verb.file;
    case VerbKind::slice:
      return "=" + number_or_nothing(verb.start) + ":" + number_or_nothing(verb.stop) + (verb.step ? ":" + std::to_string(*verb.step) : "");
    case VerbKind::pad: {
      const bool is_plain = verb.mode == PadMode::constant && verb.value.empty();
      return "=" + std::to_string(verb.before) + ":" + std::to_string(verb.after) +
             (is_plain ? "" : std::string(":") + name_of(verb.mode)) + (verb.value.empty() ? "" : ":" + verb.value);
    }
    case VerbKind::flip:
    case VerbKind::bit_reverse: break;
  }
  return "";
}

}  // namespace

const char* name_of(Verb::Kind kind) noexcept { return form_of(kind).word; }

Verb parse_verb(Verb::Kind kind, std::string_view text) { return VerbParser(kind, text).parse(); }

std::string print(const Verb& verb) { return std::string(name_of(verb.kind)) + " " + verb.axis + value_text(verb); }

std::optional<std::int64_t> whole_axis(std::string_view axis) {
  if (!axis.starts_with('@')) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(axis.data() + 1, axis.data() + axis.size(), number);
  const bool is_whole = status == std::errc{} && end == axis.data() + axis.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

}  // namespace crinkle
