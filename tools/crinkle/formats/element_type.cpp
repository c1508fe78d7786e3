// Reading element types; see element_type.hpp. A structured type is a list of fields (name, type[, shape]) whose offsets are
// the running sum of their bytes: NumPy writes every gap as a nameless field of raw bytes. A type inside a field may be a code, a list, or
// a (type, shape) pair.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/element_type.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "base/caret.hpp"
#include "base/checked.hpp"
#include "base/element_type.hpp"
#include "formats/file.hpp"
#include "formats/literal.hpp"

namespace crinkle::tool {
namespace {

constexpr std::size_t most_parts = 65536;
constexpr int deepest = 32;  // lists within lists

/// NumPy's name of every code that is not text, raw bytes or a time.
constexpr std::array<std::pair<std::string_view, std::string_view>, 18> names_of_codes = {{
    {"b1", "bool"},
    {"i1", "int8"},
    {"i2", "int16"},
    {"i4", "int32"},
    {"i8", "int64"},
    {"u1", "uint8"},
    {"u2", "uint16"},
    {"u4", "uint32"},
    {"u8", "uint64"},
    {"f2", "float16"},
    {"f4", "float32"},
    {"f8", "float64"},
    {"f12", "float96"},
    {"f16", "float128"},
    {"c8", "complex64"},
    {"c16", "complex128"},
    {"c24", "complex192"},
    {"c32", "complex256"},
}};

struct Scalar {
  std::int64_t item_bytes = 1;
  std::int64_t count = 1;
  bool has_order = false;
  std::string name;
};

/// A code without its order character: "f4", "S7", "M8[ns]". None: it is no type.
std::optional<Scalar> scalar_of(std::string_view code) {
  if (code.size() < 2) return std::nullopt;
  const char kind = code[0];
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(code.data() + 1, code.data() + code.size(), number);
  if (error != std::errc() || number < 0 || code[1] == '-') return std::nullopt;
  const std::string_view rest(end, static_cast<std::size_t>(code.data() + code.size() - end));
  if (kind == 'M' || kind == 'm') {
    const bool is_unit = rest.size() > 2 && rest.front() == '[' && rest.back() == ']' && is_time_unit(rest.substr(1, rest.size() - 2));
    if (number != 8 || !(rest.empty() || is_unit)) return std::nullopt;
    return Scalar{8, 1, true, (kind == 'M' ? "datetime64" : "timedelta64") + std::string(rest)};
  }
  if (!rest.empty()) return std::nullopt;
  switch (kind) {
    case 'S':
    case 'V': return Scalar{1, number, false, std::string(code)};
    case 'U': return Scalar{4, number, true, std::string(code)};
    default: break;
  }
  for (const auto& [known, name] : names_of_codes) {
    if (known != code) continue;
    return kind == 'c' ? Scalar{number / 2, 2, true, std::string(name)} : Scalar{number, 1, number > 1, std::string(name)};
  }
  return std::nullopt;
}

/// A type's text, read: its order ('=' where none is written), its code, and what the code means.
struct Spelling {
  char order = '=';
  bool is_order_written = false;
  std::string code;
  std::optional<Scalar> scalar;
};

Spelling spelling_of(std::string_view text) {
  Spelling spelling;
  spelling.is_order_written = !text.empty() && std::string_view("<>=|").find(text[0]) != std::string_view::npos;
  if (spelling.is_order_written) spelling.order = text[0];
  spelling.code = std::string(text.substr(spelling.is_order_written ? 1 : 0));
  spelling.scalar = scalar_of(spelling.code);
  if (!spelling.scalar && !spelling.is_order_written) {
    spelling.code = code_of_type(text);
    if (const std::size_t unit = text.find('['); unit != std::string_view::npos) spelling.code += text.substr(unit);  // datetime64[ns]
    spelling.scalar = scalar_of(spelling.code);
  }
  if (spelling.order != '<' && spelling.order != '>') spelling.order = native_order;
  if (spelling.scalar && !spelling.scalar->has_order) spelling.order = '|';
  return spelling;
}

/// A stretch of an element: its bytes, and its parts counted from its own begin.
struct Piece {
  std::int64_t bytes = 0;
  std::vector<ItemPart> parts;
  bool has_parts = true;

  /// Puts `next` behind this piece; parts that continue one another become one.
  void append(const Piece& next) {
    const std::int64_t all_bytes = add(bytes, next.bytes);
    has_parts = has_parts && next.has_parts && parts.size() + next.parts.size() <= most_parts;
    if (!has_parts) parts.clear();
    for (ItemPart part : has_parts ? next.parts : std::vector<ItemPart>()) {
      part.offset += bytes;
      const bool joins = !parts.empty() && parts.back().item_bytes == part.item_bytes && parts.back().order == part.order &&
                         parts.back().offset + parts.back().item_bytes * parts.back().count == part.offset;
      joins ? void(parts.back().count += part.count) : parts.push_back(part);
    }
    bytes = all_bytes;
  }

  Piece repeated(std::int64_t times) const {
    Piece all;
    if (times == 0 || bytes == 0) return all;
    const std::int64_t all_bytes = multiply(bytes, times);
    if (parts.size() == 1) {  // it covers the piece: every byte belongs to a part
      all = *this;
      all.parts[0].count = multiply(parts[0].count, times);
    } else if (has_parts && times <= static_cast<std::int64_t>(most_parts)) {
      for (std::int64_t i = 0; i < times && all.has_parts; ++i) all.append(*this);
    } else {
      all.has_parts = false;
    }
    all.bytes = all_bytes;
    return all;
  }
};

class TypeReader {
 public:
  TypeReader(std::string_view text, ErrorCode code) : cursor_(text, code), text_(text), code_(code) {}

  ElementType read() {
    ElementType type;
    type.descr = std::string(text_);
    Piece whole;
    if (cursor_.is_next('[')) {
      whole = fields(0);
      if (!cursor_.is_at_end()) cursor_.fail("nothing more");
    } else {
      whole = scalar(text_, 0, &type.name);
    }
    if (whole.bytes == 0) throw Error(ErrorCode::unsupported, "elements of type " + printable(text_) + " have no bytes");
    type.bytes = whole.bytes;
    type.parts = std::move(whole.parts);
    type.has_parts = whole.has_parts;
    return type;
  }

  /// The place at which the text tells an order, and whether a character stands there already.
  struct OrderMark {
    std::size_t place = 0;
    bool is_written = false;
  };
  const std::vector<OrderMark>& order_marks() const { return marks_; }

 private:
  [[noreturn]] void fail(std::string_view text, std::string_view why) {
    throw Error(code_, "'" + printable(text) + "' " + std::string(why));
  }

  /// One code, as it stands at `place` of the text.
  Piece scalar(std::string_view text, std::size_t place, std::string* name = nullptr) {
    if (text.starts_with('O') || text.starts_with("|O")) fail(text, "is an object type: its elements are not in the file");
    const Spelling spelling = spelling_of(text);
    if (!spelling.scalar) {
      const std::string nearest = code_ == ErrorCode::bad_notation ? nearest_of(text, type_names()) : "";
      fail(text, "is no type of fixed size, such as <f4, float32, S7 or [('x', '<f4')]" +
                     (nearest.empty() ? "" : "; did you mean " + nearest + "?"));
    }
    const Scalar& item = *spelling.scalar;
    if (item.has_order) marks_.push_back({place, spelling.is_order_written});
    if (name != nullptr) *name = item.name;
    Piece piece{multiply(item.item_bytes, item.count), {}, true};
    if (piece.bytes > 0) piece.parts.push_back({0, item.item_bytes, item.count, spelling.order});
    return piece;
  }

  /// "[(name, type), (name, type, shape), …]"
  Piece fields(int depth) {
    if (depth >= deepest) cursor_.fail("at most 32 levels of fields");
    std::set<std::string_view> names;
    Piece all;
    cursor_.expect('[');
    while (!cursor_.take(']')) {
      cursor_.expect('(');
      field_name(names);
      cursor_.expect(',');
      all.append(field_type(depth));
      cursor_.expect(')');
      if (!cursor_.is_next(']')) cursor_.expect(',');
    }
    return all;
  }

  /// A name, or (title, name). Only the gaps have no name.
  void field_name(std::set<std::string_view>& names) {
    const bool has_title = cursor_.take('(');
    for (int i = has_title ? 0 : 1; i < 2; ++i) {
      const std::string_view name = cursor_.string();
      if (!name.empty() && !names.insert(name).second) fail(name, "names two fields");
      if (has_title) cursor_.expect(i == 0 ? ',' : ')');
    }
  }

  /// A code, a list of fields, or (type, shape); behind a comma the shape it is repeated in.
  Piece field_type(int depth) {
    if (depth >= deepest) cursor_.fail("at most 32 levels of types");
    Piece piece;
    if (cursor_.is_next('[')) {
      piece = fields(depth + 1);
    } else if (cursor_.take('(')) {
      piece = field_type(depth + 1);
      cursor_.expect(')');
    } else {
      const std::string_view code = cursor_.string();
      piece = scalar(code, cursor_.string_place());
    }
    if (cursor_.take(',') && !cursor_.is_next(')')) piece = piece.repeated(repeats());
    parts_made_ += piece.parts.size();
    if (parts_made_ > 16 * most_parts) piece = {piece.bytes, {}, piece.bytes == 0};  // bounds the time a hostile header takes
    return piece;
  }

  /// "3" or "(2, 3)": how many elements that is.
  std::int64_t repeats() {
    if (!cursor_.take('(')) return extent();
    std::int64_t n = 1;
    while (!cursor_.take(')')) {
      n = multiply(n, extent());
      if (!cursor_.is_next(')')) cursor_.expect(',');
    }
    return n;
  }

  std::int64_t extent() {
    const std::int64_t n = cursor_.whole_number();
    if (n < 0) fail(std::to_string(n), "is negative, as the extent of a field");
    return n;
  }

  LiteralCursor cursor_;
  std::string_view text_;
  ErrorCode code_;
  std::vector<OrderMark> marks_;
  std::size_t parts_made_ = 0;
};

/// Sizes that overflow are one more way of being no type.
template <class Body>
auto with_sizes_checked(std::string_view text, ErrorCode code, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::too_large) throw;
    throw Error(code, "type '" + printable(text) + "': " + error.what());
  }
}

}  // namespace

ElementType element_type(std::string_view text, ErrorCode as) {
  ElementType type = with_sizes_checked(text, as, [&] { return TypeReader(text, as).read(); });
  if (!type.is_structured()) type.descr = type.parts[0].order + spelling_of(text).code;  // one spelling: with its order
  return type;
}

ElementType with_byte_order(const ElementType& type, char order) {
  if (!type.has_parts) throw Error(ErrorCode::unsupported, "a type of more than 65536 items has its bytes swapped only by what wrote it");
  TypeReader reader(type.descr, ErrorCode::bad_file);
  reader.read();
  std::string descr;
  std::size_t done = 0;
  for (const auto& [place, is_written] : reader.order_marks()) {
    descr.append(type.descr, done, place - done);
    descr += order;
    done = place + (is_written ? 1 : 0);
  }
  descr.append(type.descr, done);
  return element_type(descr);
}

std::string spelled(const ElementType& type) { return type.name.empty() ? printable(type.descr, 200) : type.name; }

}  // namespace crinkle::tool
