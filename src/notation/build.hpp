// From a specification and verbs to a rearrangement: bind the sizes, split the input axes, merge the output axes, apply the verbs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "crinkle/notation.hpp"
#include "notation/verb.hpp"

namespace crinkle {

/// A verb with what its text only names.
struct BoundVerb {
  Verb verb;
  std::vector<std::byte> value;       // pad constant: one element's bytes, empty for zeros
  std::vector<std::int64_t> indices;  // take
};

/// Verbs on a whole input axis that the specification splits (`@0`) act before the split (a pad that would have to cover another fill
/// written before it is refused); all others act in the order given, on
/// elementary axes. Throws what parse() and the verbs throw.
Rearrangement build(std::string_view spec, const Layout& source, const ParseOptions& options, const std::vector<BoundVerb>& verbs);

}  // namespace crinkle
