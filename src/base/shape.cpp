// Shapes as people write them: a list of entries between commas or brackets, the last of which may be the element
// (Hawick and Playne, equations 3 to 6):  64,512,512   [64][512][512]   [64][512][512][float32]   [64, 512, 512, int32]   [64][512][32
// bits]
// A product is its factors side by side (equation 8): [64, 512, 512] · [32].
// SPDX-License-Identifier: BSD-3-Clause
#include <charconv>

#include "base/caret.hpp"
#include "base/checked.hpp"
#include "base/element_type.hpp"
#include "crinkle/bit_shape.hpp"
#include "crinkle/layout.hpp"

namespace crinkle {
namespace {

constexpr std::string_view forms = "a shape is written 64,512,512 or [64][512][512] or [64][512][512][float32]";

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Entry {
  std::string_view text;   // without the spaces around it
  std::size_t column = 0;  // bytes

  bool is_number() const { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }
};

class ShapeParser {
 public:
  enum class Least : std::uint8_t { byte, bit };  // of an element
  ShapeParser(std::string_view text, LastNumber last, Least least = Least::byte) : text_(text), last_(last), least_(least) {}

  std::int64_t element_bits() const { return element_bits_; }  // once parsed

  Shape parse() {
    const std::vector<Entry> entries = split();
    Shape shape;
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const bool is_last = k + 1 == entries.size();
      const bool is_extent = entries[k].is_number() && !(is_last && last_ == LastNumber::is_element_bits);
      if (is_extent) {
        shape.extents.push_back(number(entries[k]));
      } else {
        read_element(entries[k], shape);
        if (!is_last) throw error(entries[k], "the element part comes last: " + std::string(forms));
      }
    }
    return shape;
  }

 private:
  Error error(const Entry& entry, std::string_view message, ErrorCode code = ErrorCode::bad_shape) const {
    return caret_error(code, text_, entry.column, entry.text.size(), message);
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  /// Reads "[]", rank 0.
  bool takes_empty_brackets() {
    std::size_t closing = at_ + 1;
    while (closing < text_.size() && is_space(text_[closing])) ++closing;
    const bool is_empty = closing < text_.size() && text_[closing] == ']';
    if (is_empty) at_ = closing + 1;
    return is_empty;
  }

  bool takes_product_sign() {
    for (const std::string_view sign : {"·", "*"}) {
      if (!text_.substr(at_).starts_with(sign)) continue;
      at_ += sign.size();
      skip_spaces();
      return true;
    }
    return false;
  }

  std::vector<Entry> split() {
    std::vector<Entry> entries;
    skip_spaces();
    if (at_ == text_.size()) return entries;
    if (text_[at_] != '[') {
      split_list(entries, "");
    } else if (!takes_empty_brackets()) {
      while (at_ < text_.size() && text_[at_] == '[') {
        const Entry opening{text_.substr(at_, 1), at_};
        ++at_;
        split_list(entries, "]");
        if (at_ == text_.size()) throw error(opening, "this '[' is not closed: " + std::string(forms));
        ++at_;
        skip_spaces();
        if (!takes_product_sign()) continue;
        if (at_ == text_.size() || text_[at_] != '[')
          throw error({text_.substr(at_, 1), at_}, "expected the next factor, as in [64, 512] · [32], found " + found());
      }
    }
    skip_spaces();
    if (at_ < text_.size())
      throw error({text_.substr(at_, 1), at_}, "expected the end, found '" + shown(text_.substr(at_)) + "': " + std::string(forms));
    return entries;
  }

  /// Entries between commas, up to the end or, unread, one of `closers`.
  void split_list(std::vector<Entry>& entries, std::string_view closers) {
    for (;;) {
      skip_spaces();
      const std::size_t begin = at_;
      while (at_ < text_.size() && std::string_view("[],").find(text_[at_]) == std::string_view::npos) ++at_;
      std::size_t end = at_;
      while (end > begin && is_space(text_[end - 1])) --end;
      if (end == begin) throw error({text_.substr(begin, 1), begin}, "expected an extent, found " + found() + ": " + std::string(forms));
      entries.push_back({text_.substr(begin, end - begin), begin});
      if (at_ == text_.size() || closers.find(text_[at_]) != std::string_view::npos) return;
      if (text_[at_] != ',')
        throw error({text_.substr(at_, 1), at_}, "expected ',' or the end, found " + found() + ": " + std::string(forms));
      ++at_;
    }
  }

  std::string found() const { return at_ == text_.size() ? "the end" : "'" + shown(text_.substr(at_, 1)) + "'"; }

  std::int64_t number(const Entry& entry) const {
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(entry.text.data(), entry.text.data() + entry.text.size(), value);
    if (status != std::errc{}) throw error(entry, shown(entry.text) + " does not fit 63 bits", ErrorCode::too_large);
    return value;
  }

  void read_element(const Entry& entry, Shape& shape) {
    const bool is_bits = entry.is_number() || (is_digit(entry.text.front()) && entry.text.ends_with("bits"));
    if (is_bits) {
      const Entry digits{entry.text.substr(0, entry.text.find_first_not_of("0123456789")), entry.column};
      const std::int64_t bits = number(digits);
      const std::string otherwise = entry.is_number() ? "; where it is an extent, give the element's type, too" : "";
      const bool is_down_to_bits = least_ == Least::bit;
      const bool is_packed = is_down_to_bits && (bits == 1 || bits == 2 || bits == 4);
      if ((bits == 0 || bits % 8 != 0) && !is_packed)
        throw error(entry, std::string("an element has ") + (is_down_to_bits ? "1, 2 or 4 bits or " : "") +
                               "whole bytes, 8 bits or a multiple, not " + std::to_string(bits) + " bits" + otherwise);
      shape.element = std::to_string(bits) + " bits";
      element_bits_ = bits;
      if (is_packed) return;
    } else {
      shape.element = entry.text;
    }
    shape.element_bytes = bytes_of_type(shape.element);
    if (shape.element_bytes == 0) throw error(entry, not_an_entry(entry));
    element_bits_ = multiply(8, shape.element_bytes);
  }

  static std::string not_an_entry(const Entry& entry) {
    const std::string found = "'" + shown(entry.text) + "'";
    const bool is_negative = entry.text.size() > 1 && entry.text[0] == '-' && is_digit(entry.text[1]);
    if (is_negative) return "an extent is 0 or more, not " + shown(entry.text);
    const std::string nearest = nearest_of(entry.text, type_names());
    if (!nearest.empty()) return "expected an extent or an element type, found " + found + "; did you mean " + nearest + "?";
    if (entry.text == "int" || entry.text == "float")
      return found + " has no fixed size: write " + std::string(entry.text) + "32 or " + std::string(entry.text) + "64";
    return "expected an extent or an element type, found " + found + ": " + std::string(forms);
  }

  std::string_view text_;
  LastNumber last_;
  Least least_;
  std::size_t at_ = 0;  // bytes
  std::int64_t element_bits_ = 0;
};

}  // namespace

Shape parse_shape(std::string_view text, LastNumber last) { return ShapeParser(text, last).parse(); }

std::string print_shape(const Extents& extents, std::int64_t element_bytes) {
  std::string text;
  for (const std::int64_t extent : extents) text += "[" + std::to_string(extent) + "]";
  if (element_bytes > 0) text += "[" + std::to_string(multiply(element_bytes, 8)) + "]";
  return text.empty() ? "[]" : text;
}

BitShape parse_bit_shape(std::string_view text) {
  ShapeParser parser(text, LastNumber::is_element_bits, ShapeParser::Least::bit);
  const Shape shape = parser.parse();
  if (parser.element_bits() == 0)
    throw caret_error(ErrorCode::bad_shape, text, text.size(), 0,
                      "a shape down to the bit ends in the bits of an element, as in [128, 128, 4]");
  return {shape.extents, parser.element_bits()};
}

std::string print_bit_shape(const BitShape& shape, Written how) {
  const std::string within = shape.extents.empty() && how == Written::as_one ? "" : print_shape(shape.extents);
  return within + (how == Written::as_product ? " · [" : "[") + std::to_string(shape.element_bits) + "]";
}

std::int64_t BitShape::n_elements() const { return Layout::dense(extents, 1).n_elements(); }
std::int64_t BitShape::n_bits() const { return multiply(n_elements(), element_bits); }

}  // namespace crinkle
