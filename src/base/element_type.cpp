// The table of long names and the rules of short codes: which kinds there are and which byte counts each may have.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/element_type.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

#include "crinkle/layout.hpp"

namespace crinkle {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 31> long_names = {{
    {"bool", "b1"},        {"bool_", "b1"},     {"?", "b1"},        {"int8", "i1"},        {"int16", "i2"},       {"int32", "i4"},
    {"int64", "i8"},       {"uint8", "u1"},     {"uint16", "u2"},   {"uint32", "u4"},      {"uint64", "u8"},      {"float16", "f2"},
    {"half", "f2"},        {"float32", "f4"},   {"single", "f4"},   {"float64", "f8"},     {"double", "f8"},      {"float128", "f16"},
    {"longdouble", "f16"}, {"complex64", "c8"}, {"csingle", "c8"},  {"complex128", "c16"}, {"cdouble", "c16"},    {"complex256", "c32"},
    {"byte", "i1"},        {"ubyte", "u1"},     {"bfloat16", "V2"}, {"float96", "f12"},    {"complex192", "c24"}, {"datetime64", "M8"},
    {"timedelta64", "m8"},
}};

/// The number that is the whole of `digits`, or −1. NumPy's element sizes fit 31 bits.
std::int64_t count_of(std::string_view digits) {
  std::int64_t count = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool is_whole = error == std::errc{} && end == digits.data() + digits.size();
  const bool is_count = is_whole && digits.front() != '-' && count <= std::numeric_limits<std::int32_t>::max();
  return is_count ? count : -1;
}

bool is_legal_count(char kind, std::int64_t count) {
  switch (kind) {
    case 'b': return count == 1;
    case 'i':
    case 'u': return count == 1 || count == 2 || count == 4 || count == 8;
    case 'f': return count == 2 || count == 4 || count == 8 || count == 12 || count == 16;
    case 'c': return count == 8 || count == 16 || count == 24 || count == 32;
    case 'M':
    case 'm': return count == 8;
    case 'S':
    case 'U':
    case 'V': return count >= 1;
    default: return false;
  }
}

constexpr std::array<std::string_view, 14> time_units = {"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "generic"};

/// The place of the '[' of "M8[25s]", at which a unit begins that ends where the name does; npos.
std::size_t unit_in(std::string_view name) {
  const std::size_t open = name.find('[');
  const bool is_unit = open != std::string_view::npos && name.ends_with(']') && is_time_unit(name.substr(open + 1, name.size() - open - 2));
  return is_unit ? open : std::string_view::npos;
}

}  // namespace

bool is_time_unit(std::string_view text) {
  const auto digits_at = [&](std::size_t at) { return std::min(text.find_first_not_of("0123456789", at), text.size()); };
  const std::size_t first = digits_at(0), slash = std::min(text.find('/'), text.size());
  if (slash < text.size() && (slash + 1 == text.size() || digits_at(slash + 1) != text.size())) return false;
  return first <= slash && std::find(time_units.begin(), time_units.end(), text.substr(first, slash - first)) != time_units.end();
}

std::string_view time_unit_of_type(std::string_view name) {
  const std::size_t open = unit_in(name);
  return open != std::string_view::npos ? name.substr(open + 1, name.size() - open - 2) : std::string_view();
}

std::string code_of_type(std::string_view name) {
  for (const std::string_view time : {"datetime64[", "timedelta64["}) {
    if (name.starts_with(time) && unit_in(name) == time.size() - 1) return time.front() == 'd' ? "M8" : "m8";
  }
  for (const auto& [long_name, code] : long_names) {
    if (name == long_name) return std::string(code);
  }
  if (name.ends_with("bits")) {
    std::string_view digits = name.substr(0, name.size() - 4);
    while (digits.ends_with(' ')) digits.remove_suffix(1);
    const std::int64_t bits = digits.empty() ? -1 : count_of(digits);
    return bits > 0 && bits % 8 == 0 ? "V" + std::to_string(bits / 8) : "";
  }
  if (!name.empty() && std::string_view("<>=|").find(name.front()) != std::string_view::npos) name.remove_prefix(1);
  if (name.size() < 2) return "";
  const char kind = name.front();
  if (kind == 'M' || kind == 'm') name = name.substr(0, unit_in(name));
  const std::int64_t count = name.size() < 2 ? -1 : count_of(name.substr(1));
  return is_legal_count(kind, count) ? kind + std::to_string(count) : "";
}

std::int64_t bytes_of_type(std::string_view name) {
  const std::string code = code_of_type(name);
  if (code.empty()) return 0;
  const std::int64_t count = count_of(std::string_view(code).substr(1));
  return code.front() == 'U' ? 4 * count : count;  // NumPy's U is UCS-4
}

std::vector<std::string> type_names() {
  std::vector<std::string> names;
  for (const auto& [long_name, code] : long_names) names.emplace_back(long_name);
  return names;
}

}  // namespace crinkle
