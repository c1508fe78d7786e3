// Files that are read nowhere, or by few commands, by what they are called and how they become something that is.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace crinkle::tool {

/// "is a Parquet file, which is not read here; pandas.read_parquet('a.parquet').to_csv('a.csv') makes a table of it"; nothing for what is
/// not known by its first bytes.
std::optional<std::string> told_as_known(std::span<const std::byte> file, const std::string& path);

}  // namespace crinkle::tool
