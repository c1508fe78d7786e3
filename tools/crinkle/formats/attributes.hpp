// Attributes of files that know types of numbers, from and to JSON, which knows whole ones and others.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "formats/dataset.hpp"

namespace crinkle::tool {

/// Numbers, or texts, one behind the other.
struct AttributeValue {
  Extents extents;  // of lists in lists; empty: one alone
  ElementType type;
  std::vector<std::byte> numbers;  // of this type
  std::vector<std::string> texts;  // instead
};

/// What an attribute of facts is in a file. Numbers have the type that they had (attribute_types), that of the elements where they stand
/// for such (_FillValue, valid_range, …), else float64 and int64, or int32 `is_small` where they fit. Throws Error with the reason why it
/// cannot be one.
AttributeValue attribute_value(const std::string& name, const nlohmann::ordered_json& value, const DatasetFacts& facts, bool is_small);

/// The same back; NaN and infinities are texts, as JSON has none.
nlohmann::ordered_json json_of(const AttributeValue& value);

}  // namespace crinkle::tool
