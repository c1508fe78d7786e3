// SPDX-License-Identifier: BSD-3-Clause
#include "formats/netcdf/conventions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "crinkle/error.hpp"
#include "formats/file.hpp"

namespace crinkle::tool::netcdf {

void take_for_bool(DatasetFacts& facts) {
  const auto said = facts.attributes->find("dtype");
  if (facts.type.bytes != 1 || said == facts.attributes->end() || *said != "bool") return;
  nlohmann::ordered_json rest = *facts.attributes;
  rest.erase("dtype");
  facts.attributes = std::make_shared<const nlohmann::ordered_json>(std::move(rest));
  facts.type = element_type("|b1");
}

void fit_types(DatasetFacts& facts, const std::string& path) {
  const char kind = facts.type.is_structured() || facts.type.descr.size() < 2 ? '[' : facts.type.descr[1];
  const bool is_number = kind == 'i' || kind == 'u' || (kind == 'f' && (facts.type.bytes == 4 || facts.type.bytes == 8));
  if (kind == 'b') {
    nlohmann::ordered_json said = facts.attributes ? *facts.attributes : nlohmann::ordered_json::object();
    said["dtype"] = "bool";
    facts.attributes = std::make_shared<const nlohmann::ordered_json>(std::move(said));
    facts.type = element_type("|i1");
  } else if (!is_number && !(kind == 'S' && facts.type.bytes == 1)) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: NetCDF has no type for elements {}; name the output .h5 or .zarr", path, spelled(facts.type)));
  }
}

std::vector<std::string> names_of_dimensions(const DatasetFacts& facts, std::vector<std::string>& notes) {
  std::vector<std::string> names;
  const std::size_t rank = facts.extents.size();
  for (std::size_t a = 0; a < rank; ++a) {
    const std::string& wished = facts.axes[a];
    const auto before = std::find(names.begin(), names.end(), wished);
    const bool is_other = before != names.end() && facts.extents[static_cast<std::size_t>(before - names.begin())] != facts.extents[a];
    const bool is_own = rank > 1 && wished == facts.inside.substr(facts.inside.rfind('/') + 1);
    std::string name = wished;
    if (wished.empty() || wished.find('/') != std::string::npos || is_other || is_own) name = fmt::format("dim_{}", a);
    if (!wished.empty() && name != wished)
      notes.push_back(fmt::format("axis '{}' is called {}: NetCDF needs the name otherwise{}", printable(wished), name,
                                  a < facts.coordinates.size() && facts.coordinates[a] != nullptr ? "; its coordinates stay behind" : ""));
    names.push_back(name);
  }
  return names;
}

}  // namespace crinkle::tool::netcdf
