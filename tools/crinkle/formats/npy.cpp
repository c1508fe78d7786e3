// Reading and writing .npy headers; see npy.hpp. Lengths are checked before anything is parsed, numbers before they are multiplied.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/npy.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/checked.hpp"
#include "formats/file.hpp"
#include "formats/literal.hpp"
#include "formats/text.hpp"

namespace crinkle::tool {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t most_header_bytes = std::size_t{1} << 24;  // 16 MiB; NumPy itself asks for trust beyond 10000 bytes
constexpr std::size_t most_axes = 64;                            // NumPy 2

struct Header {
  std::optional<ElementType> type;
  std::optional<bool> is_fortran;
  std::optional<Extents> extents;
};

std::string_view characters(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

Extents shape(LiteralCursor& cursor) {
  Extents extents;
  cursor.expect('(');
  while (!cursor.take(')')) {
    const std::int64_t extent = cursor.whole_number();
    if (extent < 0) throw Error(ErrorCode::bad_file, "shape has the negative extent " + std::to_string(extent));
    if (extents.size() == most_axes) throw Error(ErrorCode::bad_file, "shape has more than 64 axes");
    extents.push_back(extent);
    if (cursor.is_next(')') && extents.size() > 1) continue;
    cursor.expect(',');
  }
  return extents;
}

template <class Value>
void set_once(std::optional<Value>& slot, Value value, std::string_view key) {
  if (slot) throw Error(ErrorCode::bad_file, "key '" + std::string(key) + "' stands there twice");
  slot = std::move(value);
}

Header dictionary(std::string_view text) {
  LiteralCursor cursor(text);
  Header header;
  cursor.expect('{');
  while (!cursor.take('}')) {
    const std::string_view key = cursor.string();
    cursor.expect(':');
    if (key == "descr") {
      set_once(header.type, element_type(cursor.is_next('[') ? cursor.list() : cursor.string()), key);
    } else if (key == "fortran_order") {
      set_once(header.is_fortran, cursor.truth(), key);
    } else if (key == "shape") {
      set_once(header.extents, shape(cursor), key);
    } else {
      throw Error(ErrorCode::bad_file, "key '" + printable(key) + "' is none of descr, fortran_order, shape");
    }
    if (!cursor.is_next('}')) cursor.expect(',');
  }
  if (!cursor.is_at_end()) cursor.fail("nothing more");
  for (const auto& [is_there, key] :
       {std::pair(header.type.has_value(), "descr"), std::pair(header.is_fortran.has_value(), "fortran_order"),
        std::pair(header.extents.has_value(), "shape")}) {
    if (!is_there) throw Error(ErrorCode::bad_file, std::string("key '") + key + "' is missing");
  }
  return header;
}

/// The place of the header's text in the file, from the version and the length field.
struct Frame {
  unsigned version = 0;
  std::size_t first = 0;
  std::size_t bytes = 0;
};

Frame frame_of(std::span<const std::byte> file) {
  const auto number = [&](std::size_t at) { return std::to_integer<std::size_t>(file[at]); };
  if (file.size() < 10) throw Error(ErrorCode::bad_file, "ends after " + std::to_string(file.size()) + " bytes, inside the .npy header");
  Frame frame{static_cast<unsigned>(number(6)), 10, number(8) | number(9) << 8};
  if (frame.version < 1 || frame.version > 3)
    throw Error(ErrorCode::bad_file, ".npy version " + std::to_string(frame.version) + " is not 1, 2 or 3");
  if (frame.version > 1) {
    if (file.size() < 12) throw Error(ErrorCode::bad_file, "ends after " + std::to_string(file.size()) + " bytes, inside the .npy header");
    frame.first = 12;
    frame.bytes |= number(10) << 16 | number(11) << 24;
  }
  const std::size_t left = file.size() - frame.first;
  if (frame.bytes > left) {
    throw Error(ErrorCode::bad_file,
                "the header is said to be " + std::to_string(frame.bytes) + " bytes long, but " + std::to_string(left) + " bytes follow");
  }
  if (frame.bytes > most_header_bytes)
    throw Error(ErrorCode::bad_file, "a header of " + std::to_string(frame.bytes) + " bytes is beyond 16 MiB");
  return frame;
}

ArrayFacts facts_of(std::span<const std::byte> file) {
  const Frame frame = frame_of(file);
  const std::string_view written = characters(file.subspan(frame.first, frame.bytes));
  if (frame.version == 3 && !is_utf8(written)) throw Error(ErrorCode::bad_file, "the header is not UTF-8, as version 3 has it");
  Header header = dictionary(frame.version == 3 ? std::string(written) : utf8_of_latin1(written));

  ArrayFacts facts;
  facts.format = "npy";
  facts.type = std::move(*header.type);
  facts.layout = *header.is_fortran ? Layout::dense_fortran(std::move(*header.extents), facts.type.bytes)
                                    : Layout::dense(std::move(*header.extents), facts.type.bytes);
  facts.layout.offset = static_cast<std::int64_t>(frame.first + frame.bytes);
  const std::int64_t needed = facts.layout.n_bytes();
  const std::int64_t left = static_cast<std::int64_t>(file.size()) - facts.layout.offset;
  if (needed > left) {
    throw Error(ErrorCode::bad_file, "shape " + print_shape(facts.layout.extents) + " of " + spelled(facts.type) + " needs " +
                                         std::to_string(needed) + " bytes of data, but " + std::to_string(left) + " follow the header");
  }
  if (left > needed) facts.notes.push_back(std::to_string(left - needed) + " bytes behind the data are ignored");
  return facts;
}

}  // namespace

bool begins_like_npy(std::span<const std::byte> file) {
  return file.size() >= magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0;
}

ArrayFacts read_npy(std::span<const std::byte> file, const std::string& path) {
  try {
    ArrayFacts facts = facts_of(file);
    facts.path = path;
    return facts;
  } catch (const Error& error) {
    throw Error(error.code() == ErrorCode::unsupported ? ErrorCode::unsupported : ErrorCode::bad_file, path + ": " + error.what());
  }
}

std::string npy_header(const Extents& extents, const std::string& descr) {
  const bool is_list = descr.starts_with('[');
  std::string text = "{'descr': " + (is_list ? descr : "'" + descr + "'") + ", 'fortran_order': False, 'shape': (";
  for (std::size_t a = 0; a < extents.size(); ++a)
    text += (a > 0 ? " " : "") + std::to_string(extents[a]) + (a + 1 < extents.size() || a == 0 ? "," : "");
  text += "), }";
  // Room for the first extent to grow to 21 digits, so that a program may append without moving the data.
  if (!extents.empty()) text.append(21 - std::to_string(extents[0]).size(), ' ');

  const std::optional<std::string> latin1 = latin1_of_utf8(text);
  const std::string& encoded = latin1 ? *latin1 : text;
  const auto padded = [&](std::size_t prefix) { return (prefix + encoded.size() + 1) / 64 * 64 + 64 - prefix; };
  const bool is_short = latin1 && padded(10) <= 0xffff;
  const std::size_t prefix = is_short ? 10 : 12;
  const std::size_t bytes = padded(prefix);

  std::string header(magic);
  header += is_short ? '\1' : latin1 ? '\2' : '\3';
  header += '\0';
  for (std::size_t i = 8; i < prefix; ++i) header += static_cast<char>(bytes >> 8 * (i - 8) & 0xff);
  header += encoded;
  header.append(prefix + bytes - header.size() - 1, ' ');
  header += '\n';
  return header;
}

}  // namespace crinkle::tool
