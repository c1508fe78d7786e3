// SPDX-License-Identifier: BSD-3-Clause
#include "support/source_dir.hpp"

namespace crinkle::testing {

std::string source_dir(const std::string& path) { return CRINKLE_SOURCE_DIR + path; }

}  // namespace crinkle::testing
