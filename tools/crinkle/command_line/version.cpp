// The only file that is compiled anew after every commit.
// SPDX-License-Identifier: BSD-3-Clause
#include "command_line/version.hpp"

#include "crinkle/cuda.hpp"
#include "formats/dataset.hpp"

namespace crinkle::tool {

const char* commit() { return CRINKLE_COMMIT; }

std::string version_text(const std::string& program) {
#ifdef __clang__
  const std::string compiler = "clang " __clang_version__;
#else
  const std::string compiler = "g++ " __VERSION__;
#endif
  return program + " " CRINKLE_VERSION " (" CRINKLE_COMMIT "), compiled by " + compiler + (has_cuda() ? ", with" : ", without") + " CUDA" +
         (dataset_formats().empty() ? ", without Zarr" : ", with " + dataset_formats());
}

}  // namespace crinkle::tool
