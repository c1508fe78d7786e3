// Finds NVRTC's library. SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "cuda/compile/nvrtc.hpp"

namespace crinkle::gpu {
namespace {

namespace fs = std::filesystem;
constexpr int oldest = 12;  // the first that knows C++20
constexpr std::string_view library = "libnvrtc.so.", builtins = "libnvrtc-builtins.so.";

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code code;
  for (auto e = fs::directory_iterator(folder, code); !code && e != fs::directory_iterator(); e.increment(code))
    entries.push_back(e->path());
  std::sort(entries.begin(), entries.end(), std::greater<>());
  return entries;
}

// "13.0.88" → {13, 0, 88}; {} for anything else.
std::vector<int> numbers_of(std::string_view text) {
  std::vector<int> numbers;
  for (const char* at = text.data(); at != text.data() + text.size() + 1;) {
    const auto [end, code] = std::from_chars(at, text.data() + text.size(), numbers.emplace_back());
    if (code != std::errc() || (end != text.data() + text.size() && *end != '.')) return {};
    at = end + 1;
  }
  return numbers;
}

// The newest of a folder whose other half is there, too.
NvrtcPlace newest_in(const fs::path& folder) {
  NvrtcPlace best;
  int best_major = 0;
  std::vector<int> best_version;
  const std::vector<fs::path> entries = entries_of(folder);
  const auto version_of = [](const fs::path& path, std::string_view name) {
    const std::string file = path.filename().string();
    return file.starts_with(name) ? file.substr(name.size()) : std::string();
  };
  for (const fs::path& path : entries) {
    const std::vector<int> major = numbers_of(version_of(path, library));
    if (major.size() != 1 || major[0] < std::max(oldest, best_major)) continue;
    for (const fs::path& other : entries) {
      const std::string version = version_of(other, builtins);
      const std::vector<int> numbers = numbers_of(version);
      if (numbers.empty() || numbers[0] != major[0] || (major[0] == best_major && numbers <= best_version)) continue;
      best = {path, version};
      best_major = major[0];
      best_version = numbers;
    }
  }
  return best;
}

// The file that this code is in: a library or a program.
fs::path own_file() {
  Dl_info info{};
  std::error_code code;
  if (::dladdr(reinterpret_cast<const void*>(&nvrtc_folders), &info) == 0 || info.dli_fname == nullptr) return {};
  const fs::path file = info.dli_fname;
  return fs::canonical(file.is_absolute() ? file : fs::path("/proc/self/exe"), code);
}

}  // namespace

std::vector<fs::path> nvrtc_folders(const fs::path& own) {
  std::vector<fs::path> folders;
  const auto add_installation = [&](const fs::path& root) {
    folders.push_back(root / "lib64");
    folders.push_back(root / "lib");
  };
  for (const char* const variable : {"CUDA_PATH", "CUDA_HOME"}) {
    const char* const value = std::getenv(variable);
    if (value != nullptr && *value != '\0') add_installation(value);
  }
  const char* const paths = std::getenv("LD_LIBRARY_PATH");
  for (std::string_view rest = paths == nullptr ? "" : paths; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(':'));
    if (!one.empty()) folders.emplace_back(one);
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
  // Wheels: …/site-packages/crinkle/_core.so beside …/site-packages/nvidia/cu13/lib.
  fs::path above = own.parent_path();
  for (int level = 0; level < 4 && above.has_relative_path(); ++level, above = above.parent_path())
    for (const fs::path& part : entries_of(above / "nvidia")) folders.push_back(part / "lib");
  const char* const conda = std::getenv("CONDA_PREFIX");
  if (conda != nullptr && *conda != '\0') add_installation(conda);
  add_installation("/usr/local/cuda");
  for (const fs::path& root : entries_of("/usr/local"))
    if (root.filename().string().starts_with("cuda-")) add_installation(root);
  add_installation("/opt/cuda");
  for (const char* const folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"})
    folders.emplace_back(folder);
  return folders;
}

NvrtcPlace nvrtc_in(const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    NvrtcPlace place = newest_in(folder);
    if (!place.file.empty()) return place;
  }
  std::string looked;
  for (const fs::path& folder : folders) looked += (looked.empty() ? "" : ", ") + folder.string();
  return {.file = {},
          .version = {},
          .why_not = fmt::format("NVRTC ({}{} or later, and {}…) is not in {}; install a CUDA toolkit or Python's nvidia-cuda-nvrtc",
                                 library, oldest, builtins, looked)};
}

std::string why_not_for(const NvrtcPlace& place, int driver) {
  const std::vector<int> version = numbers_of(place.version);
  if (driver == 0 || version.empty() || version[0] <= driver / 1000) return "";
  return fmt::format(
      "NVRTC {} ({}) makes kernels for drivers of CUDA {} and later, this one is of {}.{}; install an NVRTC of CUDA {} and name it",
      place.version, place.file.string(), version[0], driver / 1000, driver % 1000 / 10, driver / 1000);
}

NvrtcPlace find_nvrtc(const std::string& named) {
  if (named.empty()) return nvrtc_in(nvrtc_folders(own_file()));
  std::error_code code;
  const fs::path path = named;
  return nvrtc_in({fs::is_directory(path, code) ? path : path.parent_path()});
}

}  // namespace crinkle::gpu
