// What the axes of an array stand for: arrays of one axis with their names, beside it or in a group above it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "formats/dataset.hpp"

namespace crinkle::tool {

/// Gives an output the coordinates of its source's axes, cut as these are, where its format keeps them. What stays behind is noted, and so
/// is what lies beside the output and says otherwise.
void take_coordinates(DatasetFacts& facts, const OutputFacts& output, const DatasetExtras& stored);

/// Notes where an axis of an output is not as the array of its name beside it says.
void compare_with_beside(DatasetFacts& facts);

/// That coordinates stay behind, in one line; "": there are none.
std::string coordinates_left_behind(const DatasetExtras& stored, const std::string& path);

/// Attributes of CF, of an output or its coordinates, that name arrays which do not go with it.
void note_dangling(DatasetFacts& facts, const DatasetFacts& source);

/// Whether an array of this name has the groups around it that the other one has.
bool are_in_one_group(const std::string& path, const DatasetFacts& source);

/// Of an axis of an array that was read; null: it has none.
std::shared_ptr<const Coordinates> coordinates_of(const DatasetExtras& stored, std::size_t axis);

}  // namespace crinkle::tool
