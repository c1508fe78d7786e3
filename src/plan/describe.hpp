// A planned pass in words and as JSON. Both come from the same values, so that what a person reads is what a program parses.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "plan/pass.hpp"

namespace crinkle::planning {

/// boxes, bytes, and per entry: axes, offsets, unit, segments and, where tiles of it are moved, the tile and the accesses that it makes.
nlohmann::ordered_json describe(const Pass& pass, const Machine& machine, bool has_tiles);

/// The JSON of describe() as indented lines.
std::string print(const nlohmann::ordered_json& pass);

/// "4 bytes", "12.5 KiB", "1.00 GiB": three digits, powers of 1024.
std::string print_bytes(double bytes);

/// The time a copy of so many bytes (read plus written) would take on the machine; 0 where no copy has been measured.
double predicted_seconds(std::int64_t bytes_moved, const Machine& machine);

}  // namespace crinkle::planning
