// How plans are made: as estimated, or by measurement, with the file that keeps what was measured. The same options serve move and bench.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "crinkle/crinkle.hpp"

namespace crinkle::tool {

struct Planning {
  std::string word = "estimate", cache_file;

  void add_to(Command& c);
  bool is_measured() const { return word == "measure"; }
  /// Throws bad_notation for a cache file without measuring.
  void check() const;
  /// Notes go to standard error. The folder of the usual cache file is made.
  Plan plan(const Rearrangement& r, Executor& executor) const;
};

/// The bytes that an option says: "65536", "64KiB", "2G", …; K, M and G are powers of 1024, with or without "iB". Throws bad_notation for
/// anything else, zero included, and too_large.
std::int64_t parse_bytes(const std::string& option, const std::string& text);

/// "auto" is none yet; "cpu"; "cuda", "cuda:N" and "cuda:N,M,…" are devices, which must be there. Throws bad_notation for anything else, a
/// GPU that is named twice among them, and what cuda() and Devices throw.
std::vector<Device> parse_devices(const std::string& text);
/// The same of work that runs on one device: throws unsupported for several.
std::optional<Device> parse_device(const std::string& text);

}  // namespace crinkle::tool
