// The notation: what goes where, written as one line.
//     side := item*      item := name | name ':' size | integer | '(' item* ')' | '...'      name := [A-Za-z_][A-Za-z0-9_]*
//     spec := side '->' side
// Axes are listed slowest first, as in NumPy and einops, whose grammar is a part of this one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "crinkle/rearrangement.hpp"

namespace crinkle {

struct ParseOptions {
  std::map<std::string, std::int64_t> sizes{};  // sizes given beside the text
  Tail tail = Tail::error;                      // when a factor does not divide its axis
};

/// dst[right side] = src[left side], the destination dense. A name on the left only is fixed by `at` later: see Rearrangement::at;
/// here it is an error. Throws bad_notation (with a caret), bad_shape, not_divisible, too_large.
Rearrangement parse(std::string_view spec, const Layout& source, const ParseOptions& options = {});

/// The same into a given destination, whose extents must be the result's.
Rearrangement parse(std::string_view spec, const Layout& source, const Layout& destination, const ParseOptions& options = {});

/// The specification in its one canonical spelling: single spaces, no redundant ones. parse(canonical(s)) means what s means.
std::string canonical(std::string_view spec);

}  // namespace crinkle
