// crinkle move of elements of 1, 2 or 4 bits (crinkle/packed.hpp): --shape ends in their bits, "[128][128][128][4 bits]", and both files
// are raw.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "command_line/shared_options.hpp"
#include "running/placement.hpp"
#include "words/wish.hpp"

namespace crinkle::tool {

/// Whether the shape of a raw input says so.
bool is_packed(const RawInput& raw);

/// The whole move, on the CPU. Requires is_packed(raw). Throws unsupported for what packed elements have not, with the way out.
void run_packed_move(const Wish& wish, const RawInput& raw, const Running& running, const std::string& input, const std::string& output);

}  // namespace crinkle::tool
