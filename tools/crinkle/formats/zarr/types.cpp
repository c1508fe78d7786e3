// SPDX-License-Identifier: BSD-3-Clause
#include "formats/zarr/types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "crinkle/half.hpp"
#include "formats/file.hpp"

namespace crinkle::tool::zarr {
namespace {

using Json = nlohmann::ordered_json;

struct Named {
  std::string_view v3, code;
};
constexpr std::array<Named, 14> names = {{{"bool", "b1"},
                                          {"int8", "i1"},
                                          {"int16", "i2"},
                                          {"int32", "i4"},
                                          {"int64", "i8"},
                                          {"uint8", "u1"},
                                          {"uint16", "u2"},
                                          {"uint32", "u4"},
                                          {"uint64", "u8"},
                                          {"float16", "f2"},
                                          {"float32", "f4"},
                                          {"float64", "f8"},
                                          {"complex64", "c8"},
                                          {"complex128", "c16"}}};

std::string code_of(const ElementType& type) { return type.descr.size() > 1 ? type.descr.substr(1) : ""; }

[[noreturn]] void refuse_fill(const Json& said, const ElementType& type, const std::string& where) {
  throw_bad_file(where, fmt::format("its fill value {} is no {}", printable(said.dump()), spelled(type)));
}

template <class T>
void put(Bytes& element, std::size_t at, T value) {
  std::memcpy(element.data() + at, &value, sizeof value);
}

// "0x…" are the bits, with the highest first.
bool put_bits(const std::string& text, Bytes& element, std::size_t at, std::size_t n) {
  if (!text.starts_with("0x") || text.size() != 2 + 2 * n) return false;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint8_t byte = 0;
    const char* const first = text.data() + 2 + 2 * i;
    const auto [end, error] = std::from_chars(first, first + 2, byte, 16);
    if (error != std::errc() || end != first + 2) return false;
    element[at + n - 1 - i] = std::byte{byte};
  }
  return true;
}

void put_real(const Json& said, const ElementType& type, Bytes& element, std::size_t at, std::size_t n, const std::string& where) {
  double value = 0;
  if (said.is_number()) {
    value = said.get<double>();
  } else if (said.is_string()) {
    const auto& text = said.get_ref<const std::string&>();
    if (put_bits(text, element, at, n)) return;
    if (text == "NaN") value = std::numeric_limits<double>::quiet_NaN();
    else if (text == "Infinity") value = std::numeric_limits<double>::infinity();
    else if (text == "-Infinity") value = -std::numeric_limits<double>::infinity();
    else refuse_fill(said, type, where);
  } else {
    refuse_fill(said, type, where);
  }
  if (n == 2) put(element, at, Half(static_cast<float>(value)));
  else if (n == 4) put(element, at, static_cast<float>(value));
  else put(element, at, value);
}

void put_integer(const Json& said, const ElementType& type, bool is_signed, Bytes& element, const std::string& where) {
  const auto n = element.size();
  const int bits = static_cast<int>(8 * n);
  std::uint64_t value = 0;
  if (said.is_number_unsigned()) {
    value = said.get<std::uint64_t>();
    if (static_cast<int>(std::bit_width(value)) > bits - (is_signed ? 1 : 0)) refuse_fill(said, type, where);
  } else if (said.is_number_integer() && is_signed) {
    const auto s = said.get<std::int64_t>();
    if (s < -(std::int64_t{1} << (bits - 2)) * 2) refuse_fill(said, type, where);
    value = static_cast<std::uint64_t>(s);
  } else if (const double d = said.is_number_float() ? said.get<double>() : 0.5; d == std::floor(d) && std::abs(d) < 9e15) {
    return put_integer(Json(static_cast<std::int64_t>(d)), type, is_signed, element, where);
  } else if (said == "NaT") {
    value = std::uint64_t{1} << 63U;
  } else {
    refuse_fill(said, type, where);
  }
  std::memcpy(element.data(), &value, n);
}

// Between the machine's order and that of the type: the same way back.
Bytes in_native_order(Bytes element, const ElementType& type) {
  if (type.descr.front() != '>' || !type.has_parts) return element;
  for (const ItemPart& part : type.parts)
    for (std::int64_t k = 0; k < part.count && part.item_bytes > 1; ++k) {
      const auto first = element.begin() + part.offset + k * part.item_bytes;
      std::reverse(first, first + part.item_bytes);
    }
  return element;
}

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Bytes of_base64(const std::string& text) {
  Bytes out;
  std::uint32_t bits = 0;
  int n = 0;
  for (const char c : text) {
    const std::size_t digit = base64_digits.find(c);
    if (digit == std::string_view::npos) break;
    bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
    n += 6;
    if (n < 8) continue;
    n -= 8;
    out.push_back(static_cast<std::byte>(bits >> static_cast<unsigned>(n)));
  }
  return out;
}

}  // namespace

ElementType type_of_v3(const Json& said, char order, const std::string& where) {
  const std::string name = said.is_string() ? said.get<std::string>() : said.is_object() ? said.value("name", "") : "";
  const Json of = said.is_object() && said.contains("configuration") ? said["configuration"] : Json::object();
  for (const Named& n : names)
    if (n.v3 == name)
      return element_type((n.code.back() == '1' && n.code != "c1" && n.code.size() == 2 ? '|' : order) + std::string(n.code));
  const auto number = [&](const char* key) {
    const auto found = of.find(key);
    if (found == of.end() || !found->is_number_integer() || *found < 1)
      throw_bad_file(where, fmt::format("{} has no {}", said.dump(), key));
    return found->get<std::int64_t>();
  };
  if (name.size() > 1 && name.front() == 'r' && name.find_first_not_of("0123456789", 1) == std::string::npos && name.size() < 8)
    if (const int bits = std::stoi(name.substr(1)); bits > 0 && bits % 8 == 0) return element_type(fmt::format("|V{}", bits / 8));
  if (name == "raw_bytes") return element_type(fmt::format("|V{}", number("length_bytes")));
  if (name == "null_terminated_bytes") return element_type(fmt::format("|S{}", number("length_bytes")));
  if (name == "fixed_length_utf32") return element_type(fmt::format("{}U{}", order, number("length_bytes") / 4));
  if (name == "numpy.datetime64" || name == "numpy.timedelta64") {
    const std::int64_t scale = number("scale_factor");
    const std::string unit = of.value("unit", ""), code = name == "numpy.datetime64" ? "M8" : "m8";
    if (unit == "generic") return element_type(order + code);
    return element_type(fmt::format("{}{}[{}{}]", order, code, scale == 1 ? "" : std::to_string(scale), unit));
  }
  throw Error(ErrorCode::unsupported,
              fmt::format("{}: its elements are {}, which crinkle does not know; it knows bool, integers, float16 to "
                          "float64, complex64 and complex128, times and texts of fixed length",
                          where, printable(said.dump(), 200)));
}

Json v3_type(const ElementType& type, const std::string& where) {
  const std::string code = code_of(type);
  for (const Named& n : names)
    if (n.code == code) return std::string(n.v3);
  if (!type.is_structured() && !code.empty()) {
    if (code.front() == 'V') return fmt::format("r{}", 8 * type.bytes);
    if (code.front() == 'S') return {{"name", "null_terminated_bytes"}, {"configuration", {{"length_bytes", type.bytes}}}};
    if (code.front() == 'U') return {{"name", "fixed_length_utf32"}, {"configuration", {{"length_bytes", type.bytes}}}};
    if (code.starts_with("M8") || code.starts_with("m8")) {
      std::string unit = code.size() > 4 ? code.substr(3, code.size() - 4) : "generic";
      const std::size_t letters = unit.find_first_not_of("0123456789");
      const int scale = letters == 0 || letters == std::string::npos ? 1 : std::stoi(unit.substr(0, letters));
      return {{"name", code.front() == 'M' ? "numpy.datetime64" : "numpy.timedelta64"},
              {"configuration", {{"unit", unit.substr(letters == std::string::npos ? 0 : letters)}, {"scale_factor", scale}}}};
    }
  }
  throw Error(
      ErrorCode::unsupported,
      fmt::format("{}: Zarr has no type for elements {}; write .npy, or their fields one by one (crinkle records)", where, spelled(type)));
}

Bytes fill_of(const Json& said, const ElementType& type, const std::string& where) {
  Bytes element(static_cast<std::size_t>(type.bytes));
  if (said.is_null()) return element;
  const std::string code = code_of(type);
  const char kind = code.empty() ? 'V' : code.front();
  const auto half = element.size() / 2;
  if (kind == 'b' && (said.is_boolean() || said == 0 || said == 1)) element[0] = std::byte{said == true || said == 1};
  else if (kind == 'f') put_real(said, type, element, 0, element.size(), where);
  else if (kind == 'c' && said.is_array() && said.size() == 2) {
    put_real(said[0], type, element, 0, half, where);
    put_real(said[1], type, element, half, half, where);
  } else if (kind == 'c' && said.is_number()) put_real(said, type, element, 0, half, where);
  else if (kind == 'i' || kind == 'u' || kind == 'M' || kind == 'm') put_integer(said, type, kind != 'u', element, where);
  else if (said.is_array()) {  // raw bytes
    for (std::size_t i = 0; i < std::min(element.size(), said.size()); ++i) element[i] = static_cast<std::byte>(said[i].get<int>());
  } else if (said.is_string()) {
    const auto& text = said.get_ref<const std::string&>();
    if (text.empty() || kind == 'U') {
      if (!text.empty()) throw Error(ErrorCode::unsupported, where + ": its fill value is the text " + printable(said.dump()));
    } else {
      const Bytes bytes = of_base64(text);
      std::copy_n(bytes.begin(), std::min(bytes.size(), element.size()), element.begin());
    }
  } else if (said != 0) refuse_fill(said, type, where);
  return in_native_order(std::move(element), type);
}

Json json_of_fill(const Bytes& given, const ElementType& type) {
  const std::string code = code_of(type);
  const char kind = code.empty() ? 'V' : code.front();
  const Bytes element = in_native_order(given, type);
  const auto number = [&](std::size_t at, std::size_t n) {
    double value = 0;
    if (n == 2) {
      Half half;
      std::memcpy(&half, element.data() + at, n);
      value = half;
    } else if (n == 4) {
      float single = 0;
      std::memcpy(&single, element.data() + at, n);
      value = single;
    } else {
      std::memcpy(&value, element.data() + at, n);
    }
    if (std::isnan(value)) {  // its bits, as NaNs differ
      std::string bits = "0x";
      for (std::size_t i = n; i-- > 0;) bits += fmt::format("{:02x}", std::to_integer<unsigned>(element[at + i]));
      return Json(bits);
    }
    return std::isinf(value) ? Json(value > 0 ? "Infinity" : "-Infinity") : Json(value);
  };
  const auto whole = [&]() -> Json {
    std::uint64_t value = 0;
    std::memcpy(&value, element.data(), element.size());
    if (kind == 'u') return value;
    const unsigned unused = 64 - 8 * static_cast<unsigned>(element.size());
    return static_cast<std::int64_t>(value << unused) >> unused;
  };
  switch (kind) {
    case 'b': return element[0] != std::byte{0};
    case 'f': return number(0, element.size());
    case 'c': return Json::array({number(0, element.size() / 2), number(element.size() / 2, element.size() / 2)});
    case 'S':
    case 'U': return "";
    case 'V': return Json(std::vector<int>(element.size(), 0));
    default: return whole();
  }
}

Json attribute_of_fill(const Bytes& element, const ElementType& type) {
  const std::string code = code_of(type);
  const char kind = code.empty() ? 'V' : code.front();
  if (kind == 'i' || kind == 'u') return json_of_fill(element, type);
  if (kind != 'f') return nullptr;
  const Json said = json_of_fill(element, type);
  const double infinity = std::numeric_limits<double>::infinity();
  const double value = said.is_number()      ? said.get<double>()
                       : said == "Infinity"  ? infinity
                       : said == "-Infinity" ? -infinity
                                             : std::numeric_limits<double>::quiet_NaN();
  std::array<std::uint8_t, 9> bytes{};  // one more, so that groups of three end
  std::memcpy(bytes.data(), &value, sizeof value);
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const unsigned bits = bytes[k] * 65536U + bytes[k + 1] * 256U + bytes[k + 2];
    for (const unsigned shift : {18U, 12U, 6U, 0U}) text += base64_digits[bits >> shift & 63U];
  }
  text.back() = '=';
  return text;
}

}  // namespace crinkle::tool::zarr
