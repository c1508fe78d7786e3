// Makes a benchmark's case a rearrangement: its specification and options are read as those of a move are.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "suites/operation.hpp"

namespace crinkle::tool {

/// The map of a `spec` case. Throws bad_file with "FILE:LINE: what is wrong".
bench::SpecMap map_of(const bench::Case& c);

}  // namespace crinkle::tool
