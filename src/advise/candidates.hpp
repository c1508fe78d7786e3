// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/advise.hpp"

namespace crinkle::advising {

/// Whether every byte of n records lies at the same place of its array in both, whatever n: (x y z p) of floats and (x y z p)@16 are alike,
/// and so are x|y and y|x.
bool are_alike(const RecordLayout& a, const RecordLayout& b);

}  // namespace crinkle::advising
