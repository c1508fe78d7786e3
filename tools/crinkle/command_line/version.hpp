// Describes this build, for `crinkle --version` and for the results of benchmarks.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace crinkle::tool {

/// The commit it was built from, as `git describe` names it.
const char* commit();

/// "crinkle 0.1.0 (commit), compiled by g++ …, with CUDA".
std::string version_text(const std::string& program = "crinkle");

}  // namespace crinkle::tool
