// crinkle papers: crinkle-papers, a program of its own, found beside this one or on the PATH.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace crinkle::tool {

/// Becomes crinkle-papers with these words. Returns, 2, only where there is none, and says what to install.
int run_papers(const std::vector<std::string>& words);

}  // namespace crinkle::tool
