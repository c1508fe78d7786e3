// A parser by recursive descent, one character at a time; every refusal points at its place in the text.
// SPDX-License-Identifier: BSD-3-Clause
#include "notation/spec.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/letters.hpp"

namespace crinkle {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Spec parse() {
    Spec spec;
    spec.text = text_;
    spec.left = items("left");
    check_side(spec.left, "left");
    if (!at_arrow()) {
      throw error(at_, 1, "expected '->' between the source's axes and the destination's, found the end; a plain copy is `... -> ...`");
    }
    at_ += 2;
    spec.right = items("right");
    if (at_arrow()) throw error(at_, 2, "expected the end, found a second '->': a spec has one; do two steps as two moves");
    check_side(spec.right, "right");
    check_ellipsis(spec);
    return spec;
  }

 private:
  Error error(std::size_t column, std::size_t length, const std::string& message) const {
    return notation_error(text_, column, length, message);
  }
  Error error(const Item& item, const std::string& message) const { return error(item.column, item.length, message); }

  bool at_end() const { return at_ == text_.size(); }
  bool at_arrow() const { return text_.substr(at_).starts_with("->"); }
  bool takes(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  /// Items up to the end, an arrow or, inside parentheses, their end; all three are left unread.
  std::vector<Item> items(std::string_view side) {
    std::vector<Item> list;
    for (;;) {
      while (!at_end() && is_space(text_[at_])) ++at_;
      if (at_end() || at_arrow()) return list;
      if (text_[at_] == ')') {
        if (depth_ > 0) return list;
        throw error(at_, 1, "this ')' closes nothing: remove it or open a '(' before it");
      }
      list.push_back(item(side));
    }
  }

  Item item(std::string_view side) {
    Item result;
    result.column = at_;
    if (text_[at_] == '(') {
      read_group(result, side);
    } else if (text_[at_] == '.') {
      read_ellipsis(result, side);
    } else if (is_digit(text_[at_])) {
      read_integer(result);
    } else if (starts_name(text_, at_)) {
      read_name(result);
    } else {
      throw unknown_character();
    }
    result.length = at_ - result.column;
    return result;
  }

  void read_group(Item& result, std::string_view side) {
    result.kind = Item::Kind::group;
    if (depth_ == max_nesting)
      throw error(at_, 1, "parentheses nest deeper than " + std::to_string(max_nesting) + " levels; they mean the same without");
    ++at_;
    ++depth_;
    result.items = items(side);
    --depth_;
    if (takes(")")) return;
    throw error(result.column, 1, "this '(' is not closed: expected ')' before " + std::string(at_end() ? "the end" : "'->'"));
  }

  void read_ellipsis(Item& result, std::string_view side) {
    result.kind = Item::Kind::ellipsis;
    const std::size_t end = std::min(text_.find_first_not_of('.', at_), text_.size());
    if (end - at_ != 3)
      throw error(at_, end - at_, "expected three dots, '...', for the axes not named, found " + std::to_string(end - at_));
    if (depth_ > 0 && side == "left") {
      throw error(
          at_, 3,
          "'...' may stand in parentheses only on the right side, where it merges the axes not named: here name the axes, as in `(a b:2)`");
    }
    at_ = end;
  }

  std::int64_t size(std::size_t begin) {
    while (!at_end() && is_digit(text_[at_])) ++at_;
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(text_.data() + begin, text_.data() + at_, value);
    if (status == std::errc{}) return value;
    throw caret_error(ErrorCode::too_large, text_, begin, at_ - begin, shown(text_.substr(begin, at_ - begin)) + " does not fit 63 bits");
  }

  void read_integer(Item& result) {
    result.kind = Item::Kind::integer;
    result.extent = size(at_);
    const std::string digits(text_.substr(result.column, at_ - result.column));
    if (!at_end() && text_[at_] == ':')
      throw error(result.column, at_ + 1 - result.column,
                  "an integer is its own size and takes no other: write `" + digits + "`, or name the axis, `a:" + digits + "`");
    if (starts_name(text_, at_)) {
      const std::size_t end = end_of_name(text_, at_);
      const std::string rest(text_.substr(at_, end - at_));
      throw error(result.column, end - result.column,
                  "a name does not begin with a digit: for two axes write `" + shown(digits + " " + rest) + "`, for one `" +
                      shown(rest + digits) + "`");
    }
    if (result.extent == 0)
      throw error(result.column, digits.size(), "an axis of extent 0 needs a name, `a:0`; `1` and `()` stand for an axis of extent 1");
  }

  void read_name(Item& result) {
    result.kind = Item::Kind::name;
    at_ = end_of_name(text_, at_);
    result.name = text_.substr(result.column, at_ - result.column);
    if (!takes(":")) return;
    const std::string name = shown(result.name);
    if (at_end() || !is_digit(text_[at_])) {
      throw error(at_, 1, "expected a size of 0 or more right after `" + name + ":`, as in `" + name + ":16`, found " + found());
    }
    result.extent = size(at_);
    if (starts_name(text_, at_))
      throw error(at_, 1, "expected a space after `" + name + ":" + std::to_string(result.extent) + "`, found " + found());
  }

  std::string found() const {
    if (at_end()) return "the end";
    std::size_t end = at_ + 1;  // one character of UTF-8
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80) ++end;
    return "'" + shown(text_.substr(at_, end - at_)) + "'";
  }

  /// The error for a character that people write for something that the notation spells otherwise.
  Error unknown_character() const {
    static const std::map<std::string_view, std::string_view> meant = {{"→", "write the arrow as '->'"},
                                                                       {"⟶", "write the arrow as '->'"},
                                                                       {"⇒", "write the arrow as '->'"},
                                                                       {"↦", "write the arrow as '->'"},
                                                                       {"=>", "write the arrow as '->'"},
                                                                       {"-", "the arrow is '->'"},
                                                                       {">", "the arrow is '->'"},
                                                                       {"–>", "write the arrow as '->'"},
                                                                       {"—>", "write the arrow as '->'"},
                                                                       {"−>", "write the arrow as '->'"},
                                                                       {"<-", "the arrow points right: source -> destination"},
                                                                       {"…", "write three dots, '...'"},
                                                                       {",", "names stand apart by spaces alone"},
                                                                       {"[", "axes are merged in round parentheses, `(a b)`"},
                                                                       {"]", "axes are merged in round parentheses, `(a b)`"},
                                                                       {"{", "axes are merged in round parentheses, `(a b)`"},
                                                                       {"}", "axes are merged in round parentheses, `(a b)`"},
                                                                       {"*", "axes are merged in parentheses, `(a b)`"},
                                                                       {"=", "a size follows its name as in `h:16`"},
                                                                       {":", "a size follows its name without a space, as in `h:16`"},
                                                                       {"@", "`@0` is for verbs; here an axis has a name"}};
    const std::string_view rest = text_.substr(at_);
    std::string message = "expected a name, an integer, '(', '...' or '->', found " + found();
    std::size_t length = 1;
    for (const auto& [token, advice] : meant) {
      if (rest.starts_with(token) && token.size() >= length) {
        length = token.size();
        message = "expected a name, an integer, '(', '...' or '->', found '" + std::string(token) + "': " + std::string(advice);
      }
    }
    return error(at_, length, message);
  }

  /// Every name, every integer above 1 and '...' stand once on a side.
  void check_side(const std::vector<Item>& side, const std::string& name) const {
    std::map<std::string, int> seen;
    check_once(side, name, seen);
  }

  void check_once(const std::vector<Item>& list, const std::string& side, std::map<std::string, int>& seen) const {
    for (const Item& item : list) {
      check_once(item.items, side, seen);
      const bool may_repeat = item.kind == Item::Kind::group || (item.kind == Item::Kind::integer && item.extent == 1);
      const std::string word = item.kind == Item::Kind::name ? item.name : print(item);
      if (may_repeat || ++seen[word] == 1) continue;
      const std::string twice = "`" + shown(word) + "` stands twice on the " + side + " side: ";
      if (item.kind == Item::Kind::ellipsis) throw error(item, twice + "name the axes around one '...'");
      if (item.kind == Item::Kind::integer) throw error(item, twice + "tell the axes apart by names, `a:" + word + " b:" + word + "`");
      throw error(item, twice + "every axis has a name of its own");
    }
  }

  static const Item* ellipsis_of(const std::vector<Item>& list) {
    for (const Item& item : list) {
      if (item.kind == Item::Kind::ellipsis) return &item;
      if (const Item* inner = ellipsis_of(item.items)) return inner;
    }
    return nullptr;
  }

  void check_ellipsis(const Spec& spec) const {
    const Item* left = ellipsis_of(spec.left);
    const Item* right = ellipsis_of(spec.right);
    if (left && !right) throw error(*left, "'...' stands only on the left side, and crinkle never reduces: write it on the right side too");
    if (right && !left)
      throw error(*right, "'...' stands only on the right side: write it on the left side too, where it names the source's other axes");
  }

  std::string_view text_;
  std::size_t at_ = 0;  // bytes
  int depth_ = 0;       // open parentheses
};

std::string print(const std::vector<Item>& items) {
  std::string text;
  for (const Item& item : items) text += (text.empty() ? "" : " ") + crinkle::print(item);
  return text;
}

}  // namespace

Spec parse_spec(std::string_view text) { return Parser(text).parse(); }

std::string print(const Item& item) {
  switch (item.kind) {
    case Item::Kind::name: return item.extent < 0 ? item.name : item.name + ":" + std::to_string(item.extent);
    case Item::Kind::integer: return std::to_string(item.extent);
    case Item::Kind::ellipsis: return "...";
    case Item::Kind::group: return "(" + print(item.items) + ")";
  }
  return "";
}

std::string print(const Spec& spec) {
  const std::string left = print(spec.left);
  const std::string right = print(spec.right);
  return left + (left.empty() ? "->" : " ->") + (right.empty() ? "" : " ") + right;
}

}  // namespace crinkle
