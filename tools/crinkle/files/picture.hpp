// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace crinkle::tool {

/// Writes a picture under a name that ends in .svg. Throws unsupported for another name, and as Sink::create does.
void write_picture(const std::string& path, const std::string& picture, bool is_forced);

}  // namespace crinkle::tool
