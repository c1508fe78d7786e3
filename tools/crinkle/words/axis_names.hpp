// What a file calls its axes: t, z, y and x of a volume, y, x and c of a picture, band, y and x of a GeoTIFF, slowest first. Options take
// these names, and a specification that has them all in other places is refused: who wrote it thinks of another order.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/facts.hpp"
#include "notation/verb.hpp"

namespace crinkle::tool {

/// One an axis, "" for those before the last that have a name. Arrays whose files name nothing have those of a volume.
std::vector<std::string> names_of_axes(const ArrayFacts& facts);

/// "2 (c)".
std::string told_axis(std::size_t axis, const std::vector<std::string>& names);

/// The axis that a word names or numbers, from the end where it is below 0. Throws bad_notation that names them all, in the words of the
/// option.
int axis_of(const std::string& word, const ArrayFacts& facts, const std::string& option = "--axes");
int axis_of(const std::string& word, const std::vector<std::string>& names, const std::string& option);

/// The place of a new axis among those of arrays like `facts`: a number, or the name that the whole has and the arrays lack. `extents` are
/// the arrays'. Throws bad_notation.
std::int64_t new_axis_of(const std::string& word, const ArrayFacts& facts, const Extents& extents, const std::string& option);

/// "lat lon time" of a file that names its axes time lat lon: "time lat lon -> lat lon time". Other specifications as they are.
std::string completed(const std::string& spec, const ArrayFacts& facts);

/// The names on the right of a specification, "" for what is put together; none where there is an ellipsis.
std::vector<std::string> names_of_result(const std::string& spec);

/// Throws bad_notation, with both orders, the line that was meant and a way to go by place, where all names on the left of a specification
/// are the file's own, but not at their places. Files that name nothing are taken as they come.
void check_axis_names(const std::string& spec, const std::vector<Verb>& verbs, const ArrayFacts& facts);

}  // namespace crinkle::tool
