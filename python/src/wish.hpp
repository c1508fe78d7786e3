// Makes the request of ck.move() and ck.plan() a rearrangement.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "view.hpp"

namespace crinkle::python {

/// `options` is a tuple of tuples, in the order in which verbs act:
///     ("flip", axis) ("bit_reverse", axis) ("roll", axis, n) ("at", axis, i) ("dilate", axis, n) ("slice", axis, start, stop, step)
///     ("pad", axis, before, after, mode, value's bytes) ("take", axis, bytes of int64) ("size", name, n) ("tail", word)
///     ("byte_swap", ((offset, item bytes, count, is swapped), …)) ("order", name): what is done to the whole result at last
/// Several sources are one array with one more axis, the slowest. `destination` may be null.
Rearrangement read_wish(const std::string& spec, const std::vector<Layout>& sources, const nb::tuple& options, const Layout* destination);

/// An object that Python takes for an index, as a number. Throws TypeError, too_large.
std::int64_t integer(nb::handle object);

/// Rearrangement::into, also after what has no names.
Rearrangement into(const Rearrangement& r, const Layout& destination);

}  // namespace crinkle::python
