// Record layouts and fields as text. A parser by recursive descent, one character at a time; every refusal points at its place.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <set>

#include "base/caret.hpp"
#include "base/checked.hpp"
#include "base/element_type.hpp"
#include "base/letters.hpp"
#include "crinkle/record_layout.hpp"
#include "records/does_not_fit.hpp"

namespace crinkle {
namespace {

constexpr char quote = '\'';

/// A text and a place in it.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  void skip_spaces() {
    while (!is_at_end() && is_space(text_[at_])) ++at_;
  }
  bool is_at_end() const { return at_ == text_.size(); }
  bool is_at(char c) const { return !is_at_end() && text_[at_] == c; }
  bool takes(char c) {
    if (!is_at(c)) return false;
    ++at_;
    return true;
  }
  bool is_at_digit() const { return !is_at_end() && is_digit(text_[at_]); }
  bool is_at_name() const { return starts_name(text_, at_) || is_at(quote); }
  /// A word of letters, digits and '_', or anything between quotes.
  std::string name() {
    if (is_at(quote)) return quoted_name();
    const std::size_t first = at_;
    at_ = end_of_name(text_, at_);
    return std::string(text_.substr(first, at_ - first));
  }
  /// Everything up to the next blank.
  std::string_view word() {
    const std::size_t first = at_;
    while (!is_at_end() && !is_space(text_[at_])) ++at_;
    return text_.substr(first, at_ - first);
  }
  void back_to(std::size_t at) { at_ = at; }
  /// "what of whose" for errors.
  std::int64_t number(const char* what, std::string_view whose) {
    const std::size_t first = at_;
    while (!is_at_end() && is_digit(text_[at_])) ++at_;
    std::int64_t value = 0;
    if (first == at_) throw error(at_, 1, std::string("expected ") + what + ", found " + found());
    const auto [end, status] = std::from_chars(text_.data() + first, text_.data() + at_, value);
    if (status == std::errc{}) return value;
    throw too_large(first,
                    std::string(what) + " of " + shown(whose) + ": " + shown(text_.substr(first, at_ - first)) + " does not fit 63 bits");
  }

  std::string found() const { return is_at_end() ? "the end" : "'" + shown(text_.substr(at_, 1)) + "'"; }
  Error error(std::size_t column, std::size_t length, const std::string& message) const {
    return notation_error(text_, column, length, message);
  }
  /// From there to here.
  Error too_large(std::size_t column, const std::string& message) const {
    return caret_error(ErrorCode::too_large, text_, column, at_ - column, message);
  }
  Error expected(const char* what) const { return error(at_, 1, std::string("expected ") + what + ", found " + found()); }

 private:
  std::string quoted_name() {
    const std::size_t first = at_++;
    std::string name;
    while (!is_at_end()) {
      if (takes(quote) && !is_at(quote)) {
        if (name.empty()) throw error(first, 2, "the name of a field has one character or more");
        return name;
      }
      name += text_[at_++];
    }
    throw error(first, 1, "this quote is not closed: expected the name of a field and another '");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

class LayoutParser {
 public:
  LayoutParser(std::string_view text, const Fields& fields) : text_(text), cursor_(text) {
    for (const Field& f : fields) names_.push_back(f.name);
    known_.insert(names_.begin(), names_.end());
  }

  std::vector<FieldGroup> groups() {
    std::vector<FieldGroup> groups;
    do groups.push_back(group());
    while (cursor_.takes('|'));
    if (cursor_.is_at_name()) throw cursor_.expected("'|' between groups; fields that lie together stand in parentheses, as in (x y)");
    if (!cursor_.is_at_end()) throw cursor_.expected("'|' and another group, '*' and a block length, '@' and an alignment, or the end");
    return groups;
  }
  std::vector<std::string> names() {
    std::vector<std::string> names;
    places_.emplace_back();
    for (cursor_.skip_spaces(); !cursor_.is_at_end(); cursor_.skip_spaces()) {
      if (!cursor_.is_at_name()) throw cursor_.expected("the name of a field, or the end");
      names.push_back(field());
    }
    return names;
  }

  /// The same error with a caret.
  Error at_its_place(const records::DoesNotFit& error) const {
    const GroupPlace& group = places_[error.group];
    const Range at = error.field ? group.fields[*error.field] : group.all;
    return caret_error(error.code(), text_, at.begin, at.length, error.what());
  }

 private:
  struct Range {
    std::size_t begin = 0, length = 0;  // of the text
  };
  struct GroupPlace {
    Range all;
    std::vector<Range> fields;
  };

  FieldGroup group() {
    FieldGroup group;
    cursor_.skip_spaces();
    const std::size_t begin = cursor_.at();
    places_.emplace_back();
    if (cursor_.takes('(')) {
      for (cursor_.skip_spaces(); !cursor_.takes(')'); cursor_.skip_spaces()) {
        if (cursor_.is_at_end()) throw cursor_.error(begin, 1, "this '(' is not closed: expected the name of a field or ')'");
        group.gaps.resize(group.fields.size() + 1);
        if (cursor_.is_at_digit()) group.gaps.back() = cursor_.number("bytes of no field", "a group");
        else group.fields.push_back(field());
      }
      group.gaps.resize(group.fields.size() + 1);
      if (group.fields.empty()) throw cursor_.error(begin, cursor_.at() - begin, "a group has one field or more");
    } else {
      group.fields.push_back(field());
    }
    const std::size_t names_end = cursor_.at();
    std::size_t end = names_end;
    for (cursor_.skip_spaces(); cursor_.is_at('*') || cursor_.is_at('@'); cursor_.skip_spaces()) {
      const std::size_t sign = cursor_.at();
      const bool is_block = cursor_.takes('*');
      if (!is_block) cursor_.takes('@');
      std::int64_t& value = is_block ? group.block : group.alignment;
      bool& is_given = is_block ? has_block_ : has_alignment_;
      if (is_given) throw cursor_.error(sign, 1, is_block ? "a group has one block length" : "a group has one alignment");
      is_given = true;
      cursor_.skip_spaces();
      const std::size_t first = cursor_.at();
      value = cursor_.number(is_block ? "the records of a block" : "an alignment in bytes", text_.substr(begin, names_end - begin));
      end = cursor_.at();
      if (is_block && value < 1) throw cursor_.error(first, cursor_.at() - first, "a block has 1 record or more");
      if (!is_block && !std::has_single_bit(static_cast<std::uint64_t>(value)))
        throw cursor_.error(first, cursor_.at() - first, "an alignment is a power of two" + nearest_power(value));
    }
    has_block_ = has_alignment_ = false;
    places_.back().all = {begin, end - begin};
    return group;
  }

  static std::string nearest_power(std::int64_t value) {
    if (value < 1) return "";
    const auto low = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(value)));
    const bool has_next = low <= std::numeric_limits<std::int64_t>::max() / 2;
    return ": " + std::to_string(low) + (has_next ? " or " + std::to_string(low * 2) : "");
  }

  std::string field() {
    const std::size_t begin = cursor_.at();
    if (!cursor_.is_at_name()) throw cursor_.expected("the name of a field or '('");
    std::string name = cursor_.name();
    const std::size_t length = cursor_.at() - begin;
    if (!known_.contains(name)) {
      const std::string nearest = nearest_of(name, names_);
      std::string all;
      for (const std::string& n : names_) all += (all.empty() ? "" : ", ") + print_field_name(n);
      throw cursor_.error(begin, length,
                          "there is no field '" + shown(name) + "'" +
                              (nearest.empty() ? "" : "; did you mean " + print_field_name(nearest) + "?") +
                              (nearest.empty() ? "; the fields are " : " The fields are ") + all);
    }
    if (!seen_.insert(name).second) throw cursor_.error(begin, length, "field '" + shown(name) + "' stands twice: a field has one place");
    places_.back().fields.push_back({begin, length});
    return name;
  }

  std::string_view text_;
  Cursor cursor_;
  std::vector<std::string> names_;  // of all fields
  std::set<std::string_view> known_;
  std::set<std::string> seen_;
  std::vector<GroupPlace> places_;
  bool has_block_ = false, has_alignment_ = false;
};

/// The longest beginning of a word that is a type and has a '[' behind it, if not all of it: "f4" of "f4[3]", "M8[ns]" of "M8[ns][3]".
/// Otherwise everything before the first '['.
std::string_view type_in(std::string_view word) {
  for (std::size_t length = word.size();; length = word.rfind('[', length - 1)) {
    if (length == std::string_view::npos || length == 0) return word.substr(0, word.find('['));
    if (bytes_of_type(word.substr(0, length)) != 0) return word.substr(0, length);
  }
}

/// A field of the numbers that NumPy's type is made of.
Field field_of_type(std::string_view type) {
  Field field;
  const std::string code = code_of_type(type);
  if (code.empty()) return field;
  const std::int64_t bytes = bytes_of_type(type);
  switch (code.front()) {
    case 'c': return {"", "", bytes / 2, 2};
    case 'S':
    case 'V': return {"", "", 1, bytes};
    case 'U': return {"", "", 4, bytes / 4};
    default: return {"", "", bytes, 1};
  }
}

/// "V99999999999", ">U4294967296": a kind of any length, and more than a type may have.
bool is_too_long(std::string_view type) {
  if (!type.empty() && std::string_view("<>=|").find(type.front()) != std::string_view::npos) type.remove_prefix(1);
  return type.size() > 1 && std::string_view("SUV").find(type.front()) != std::string_view::npos &&
         std::all_of(type.begin() + 1, type.end(), is_digit) && type.find_first_not_of('0', 1) != std::string_view::npos;
}

/// The type of the field at the cursor, arrays included.
Field field_at(Cursor& cursor, const std::string& name) {
  const std::size_t begin = cursor.at();
  const std::string_view type = type_in(cursor.word());
  cursor.back_to(begin + type.size());
  Field field = field_of_type(type);
  if (bytes_of_type(type) == 0 && is_too_long(type)) {
    throw cursor.too_large(begin, "field '" + shown(name) + "': the length of " + shown(type) + " does not fit 31 bits, as NumPy's do; " +
                                      std::string(type.substr(0, type.find_first_of("SUV") + 1)) + "1[N] is an array of N");
  }
  if (bytes_of_type(type) == 0) {
    const std::string nearest = nearest_of(type, type_names());
    throw cursor.error(begin, std::max<std::size_t>(1, type.size()),
                       "'" + shown(type) + "' is no type of a fixed size" +
                           (nearest.empty() ? "; types are NumPy's: f4, u1, >i2, float32, S7" : "; did you mean " + nearest + "?"));
  }
  while (cursor.takes('[')) {
    do {
      const std::size_t first = cursor.at();
      const std::int64_t extent = cursor.number("an extent", "field '" + name + "'");
      if (extent < 1) throw cursor.error(first, cursor.at() - first, "an array in a record has 1 item or more");
      const Int128 bytes = static_cast<Int128>(field.bytes()) * extent;
      if (bytes > std::numeric_limits<std::int64_t>::max()) {
        throw cursor.too_large(first, "field '" + shown(name) + "': " + std::to_string(extent) + " times " + std::to_string(field.bytes()) +
                                          " bytes do not fit 64 bits");
      }
      field.n_items *= extent;
    } while (cursor.takes(','));
    if (!cursor.takes(']')) throw cursor.expected("']'");
  }
  field.is_big_endian = type.starts_with('>');
  return field;
}

}  // namespace

RecordLayout RecordLayout::parse(std::string_view text, const Fields& fields) {
  LayoutParser parser(text, fields);
  try {
    return {fields, parser.groups()};
  } catch (const records::DoesNotFit& error) { throw parser.at_its_place(error); }
}

Fields parse_fields(std::string_view text) {
  Cursor cursor(text);
  Fields fields;
  std::set<std::string> seen;
  for (cursor.skip_spaces(); !cursor.is_at_end(); cursor.skip_spaces()) {
    const std::size_t begin = cursor.at();
    if (!cursor.is_at_name()) throw cursor.expected("the name of a field");
    const std::string name = cursor.name();
    if (!seen.insert(name).second) throw cursor.error(begin, cursor.at() - begin, "field '" + shown(name) + "' stands twice");
    if (!cursor.takes(':'))
      throw cursor.error(cursor.at(), 1,
                         "expected ':' and the type of '" + shown(name) + "', as in " + print_field_name(shown(name)) + ":f4");
    const std::size_t type_begin = cursor.at();
    Field field = field_at(cursor, name);
    field.name = name;
    field.type = std::string(text.substr(type_begin, cursor.at() - type_begin));
    fields.push_back(std::move(field));
  }
  if (fields.empty()) throw cursor.expected("the name of a field and its type, as in x:f4");
  return fields;
}

std::vector<std::string> parse_field_names(std::string_view text, const Fields& fields) { return LayoutParser(text, fields).names(); }

std::string print_field_name(std::string_view name) {
  if (is_name(name)) return std::string(name);
  std::string text(1, quote);
  for (const char c : name) text += c == quote ? std::string(2, quote) : std::string(1, c);
  return text + quote;
}

std::string print_fields(const Fields& fields) {
  std::string text;
  for (const Field& f : fields) text += (text.empty() ? "" : " ") + print_field_name(f.name) + ':' + f.type;
  return text;
}

}  // namespace crinkle
