// The folder of kept kernels, a file each. Its name is a hash of the key (all that the machine code depends on), and it holds
//     "crinkle kernel 1", bytes of the key, bytes of the code, checksum of both, the key, the code
// so that a file that is torn, foreign or of another version, or whose key is another one, is as good as none and is replaced. Files are
// replaced by renaming, and any may vanish at any time: programs share the folder without locks.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace crinkle::gpu {

class KeptKernels {
 public:
  /// "" for nowhere. Touches nothing yet.
  explicit KeptKernels(std::filesystem::path folder, std::int64_t most_bytes);

  /// The code that was kept under this key. Marks it as used, once a day.
  std::optional<std::string> find(const std::string& key) const;

  /// Keeps code, then removes what was not used for `most_days` days, and what was used longest ago until `most_bytes` are left; temporary
  /// files of writers that died, too. Returns why code could not be kept, "" where it was, or where the folder is "" or too small for it.
  std::string keep(const std::string& key, const std::string& code) const;

  static constexpr int most_days = 90;

 private:
  std::filesystem::path file_of(const std::string& key) const;
  void tidy() const;

  std::filesystem::path folder_;
  std::int64_t most_bytes_;
};

}  // namespace crinkle::gpu
