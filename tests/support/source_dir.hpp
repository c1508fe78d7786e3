// Where the sources lie: golden files, tables of cases.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace crinkle::testing {

/// The top folder of the project, then `path`, as in "/tests/golden".
std::string source_dir(const std::string& path);

}  // namespace crinkle::testing
