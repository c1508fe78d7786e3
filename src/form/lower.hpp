// What lowering shares with the named form: how long a term of an output axis is once its verbs have been applied.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// The current extent of one term of an output axis; of a ragged group the phase counts for both digits.
std::int64_t term_extent(const Rearrangement& r, const OutputTerm& term);

}  // namespace crinkle
