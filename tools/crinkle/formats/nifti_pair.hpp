// The names of a volume in two files: a header (.hdr) and its voxels (.img), either of them packed (.gz). Letters may be large.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace crinkle::tool {

struct NiftiPair {
  std::string header, voxels;
};

/// Whether a name is that of a pair's header or of its voxels.
bool names_pair(const std::string& path);

/// Both files where `path` names one of them and the other is there, too.
std::optional<NiftiPair> pair_of(const std::string& path);

}  // namespace crinkle::tool
