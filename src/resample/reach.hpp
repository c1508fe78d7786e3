// Which elements of the source a part of the result reads: the coordinates that it has, the elements around them, and those that stand for
// what lies beyond the faces. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "crinkle/operation.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

/// The range along every resampled axis, of one element or more, that holds all that elements `p` of the result read, `p` a range of one or
/// more of every axis of p, from the form's beginning on. Requires a form with the extents of the whole source. If the array of
/// coordinates is not to be looked at, and along angles, it is a whole axis. Cost: O(coordinates given in the part; angles).
enum class Given : std::uint8_t { seen, unseen };
std::array<Range, slots> reach_of(const Form& form, const Ranges& p, Given coordinates);

}  // namespace crinkle::resampling
