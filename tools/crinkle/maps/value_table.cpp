// SPDX-License-Identifier: BSD-3-Clause
#include "maps/value_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace crinkle::tool {
namespace {

// A name as RFC 4180 has it.
std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

}  // namespace

template <class T>
std::string table_of(const SampleFile& targets, const std::vector<std::string>& names, const std::vector<T>& values) {
  std::string text = targets.n_dimensions == 3 ? "x,y,z" : "x,y";
  for (const std::string& name : names) text += "," + quoted(name);
  text += "\n";
  const auto n_dimensions = static_cast<std::size_t>(targets.n_dimensions), n = static_cast<std::size_t>(targets.n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t d = 0; d < n_dimensions; ++d)
      fmt::format_to(std::back_inserter(text), "{}{}", d == 0 ? "" : ",", targets.places[i * n_dimensions + d]);
    for (std::size_t c = 0; c < names.size(); ++c) {
      const T value = values[c * n + i];
      if (std::isnan(value)) text += ",";
      else fmt::format_to(std::back_inserter(text), ",{}", value);
    }
    text += "\n";
  }
  return text;
}
template std::string table_of(const SampleFile&, const std::vector<std::string>&, const std::vector<float>&);
template std::string table_of(const SampleFile&, const std::vector<std::string>&, const std::vector<double>&);

}  // namespace crinkle::tool
