// The type's text and the tuple are walked side by side; see record_value.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/record_value.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "base/caret.hpp"
#include "base/checked.hpp"
#include "formats/file.hpp"
#include "formats/literal.hpp"
#include "notation/value.hpp"

namespace crinkle::tool {
namespace {

class RecordReader {
 public:
  RecordReader(std::string_view text, const ElementType& type) : text_(text), type_(type.descr) {}

  std::vector<std::byte> read() {
    std::vector<std::byte> bytes = fields();
    skip_spaces();
    if (at_ < text_.size()) throw error(text_.size() - at_, "expected the end behind the last ')'");
    return bytes;
  }

 private:
  Error error(std::size_t length, const std::string& message) const { return notation_error(text_, at_, length, message); }

  void skip_spaces() { at_ = std::min(text_.find_first_not_of(' ', at_), text_.size()); }

  bool take(char symbol) {
    skip_spaces();
    const bool is_next = at_ < text_.size() && text_[at_] == symbol;
    at_ += is_next ? 1 : 0;
    return is_next;
  }

  /// "[(name, type), (name, type, shape), …]" and "(value, value, …)"
  std::vector<std::byte> fields() {
    const bool is_outer_gap = is_gap_;
    if (!is_gap_ && !take('(')) throw error(1, "expected '(' and a value for each field of the record, as in (1.5, 7, abc)");
    std::vector<std::byte> all;
    bool is_first = true;
    type_.expect('[');
    while (!type_.take(']')) {
      type_.expect('(');
      const std::string_view name = field_name();
      type_.expect(',');
      is_gap_ = is_outer_gap || name.empty();
      if (!is_gap_ && !is_first && !take(',')) throw error(1, "expected ',' and a value for the field '" + printable(name) + "'");
      if (!is_gap_) is_first = false;
      const std::vector<std::byte> field = field_type();
      all.insert(all.end(), field.begin(), field.end());
      is_gap_ = is_outer_gap;
      type_.expect(')');
      type_.take(',');
    }
    if (is_gap_) return all;
    take(',');
    if (!take(')')) throw error(1, "expected ')': the record has no more fields");
    return all;
  }

  std::string_view field_name() {
    if (!type_.take('(')) return type_.string();
    type_.string();  // a title
    type_.expect(',');
    const std::string_view name = type_.string();
    type_.expect(')');
    return name;
  }

  std::vector<std::byte> field_type() {
    std::vector<std::byte> item;
    if (type_.is_next('[')) {
      item = fields();
    } else if (type_.take('(')) {
      item = field_type();
      type_.expect(')');
    } else {
      const std::string_view code = type_.string();
      item = is_gap_ ? std::vector<std::byte>(static_cast<std::size_t>(element_type(code).bytes)) : parse_value(entry(), code);
    }
    if (!type_.take(',') || type_.is_next(')')) return item;
    std::vector<std::byte> all;
    for (std::int64_t n = repeats(); n > 0 && !item.empty(); --n) all.insert(all.end(), item.begin(), item.end());
    return all;
  }

  /// "3" or "(2, 3)": how many items that is.
  std::int64_t repeats() {
    if (!type_.take('(')) return type_.whole_number();
    std::int64_t n = 1;
    while (!type_.take(')')) {
      n = multiply(n, type_.whole_number());
      type_.take(',');
    }
    return n;
  }

  /// Reads the text between quotes, or up to the next comma or parenthesis without the spaces around it.
  std::string_view entry() {
    skip_spaces();
    const char quote = at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"') ? text_[at_] : '\0';
    const std::size_t begin = at_ + (quote != '\0' ? 1 : 0);
    std::size_t end = quote != '\0' ? text_.find(quote, begin) : text_.find_first_of(",()", begin);
    if (quote != '\0' && end == std::string_view::npos) throw error(1, "this quote is not closed");
    end = std::min(end, text_.size());
    at_ = end + (quote != '\0' ? 1 : 0);
    while (quote == '\0' && end > begin && text_[end - 1] == ' ') --end;
    return text_.substr(begin, end - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  LiteralCursor type_;
  bool is_gap_ = false;
};

}  // namespace

std::vector<std::byte> value_of_type(std::string_view text, const ElementType& type) {
  if (!type.has_parts)
    throw Error(ErrorCode::unsupported, "a record of more than 65536 items is padded with zeros only; leave the value out");
  std::vector<std::byte> bytes = type.is_structured() ? RecordReader(text, type).read() : parse_value(text, type.name);
  for (const ItemPart& part : type.parts) {
    const bool is_native = part.order == '|' || (part.order == '<') == (std::endian::native == std::endian::little);
    for (std::int64_t i = 0; i < part.count && !is_native; ++i) {
      const auto first = bytes.begin() + part.offset + i * part.item_bytes;
      std::reverse(first, first + part.item_bytes);
    }
  }
  return bytes;
}

}  // namespace crinkle::tool
