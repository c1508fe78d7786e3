// Files that are torn or hostile crash libraries or keep them busy for ever: a child process looks first.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace crinkle::tool {

/// Runs `body` in a child process. What it throws is thrown here; its crash, or that it does not end, is bad_file, which names the path and
/// `library`, "HDF5's library". What it does to memory is lost. Whoever holds a lock that the body needs, holds it here.
void try_in_child(const std::string& path, const std::string& library, const std::function<void()>& body);

}  // namespace crinkle::tool
