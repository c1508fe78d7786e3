// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/compile/kept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/whole_file.hpp"

namespace crinkle::gpu {
namespace {

namespace fs = std::filesystem;
using Clock = fs::file_time_type::clock;

constexpr std::string_view ending = ".kernel";
constexpr char magic[] = "crinkle kernel 1";

struct Head {
  char magic[16];
  std::uint64_t key_bytes, code_bytes, checksum;
};

// FNV-1a.
std::uint64_t hash_of(std::string_view text, std::uint64_t h = 0xCBF29CE484222325u) {
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return h;
}

Head head_of(std::string_view key, std::string_view code) {
  Head head{{}, key.size(), code.size(), hash_of(code, hash_of(key))};
  std::memcpy(head.magic, magic, sizeof head.magic);
  return head;
}

struct File {
  fs::path path;
  fs::file_time_type used;
  std::int64_t bytes;
};

}  // namespace

KeptKernels::KeptKernels(fs::path folder, std::int64_t most_bytes) : folder_(std::move(folder)), most_bytes_(most_bytes) {}

fs::path KeptKernels::file_of(const std::string& key) const { return folder_ / fmt::format("{:016x}{}", hash_of(key), ending); }

std::optional<std::string> KeptKernels::find(const std::string& key) const {
  if (folder_.empty() || most_bytes_ <= 0) return {};
  const fs::path path = file_of(key);
  std::error_code code;
  const std::uintmax_t n = fs::is_regular_file(path, code) ? fs::file_size(path, code) : 0;
  if (code || n < sizeof(Head) + key.size() || std::cmp_greater(n, most_bytes_)) return {};
  std::string all(n, '\0');
  std::ifstream in(path, std::ios::binary);
  if (!in.read(all.data(), static_cast<std::streamsize>(n))) return {};
  const std::string_view found_key = std::string_view(all).substr(sizeof(Head), key.size());
  std::string found = all.substr(sizeof(Head) + key.size());
  const Head head = head_of(key, found);
  if (found_key != key || std::memcmp(&head, all.data(), sizeof head) != 0) return {};
  const auto now = Clock::now();
  if (const auto used = fs::last_write_time(path, code); !code && now - used > std::chrono::hours(24)) fs::last_write_time(path, now, code);
  return found;
}

std::string KeptKernels::keep(const std::string& key, const std::string& code) const {
  const Head head = head_of(key, code);
  std::string all(reinterpret_cast<const char*>(&head), sizeof head);
  all += key;
  all += code;
  if (folder_.empty() || std::cmp_greater(all.size(), most_bytes_)) return "";
  std::error_code why;
  fs::create_directories(folder_, why);
  if (why) return why.message();
  std::string why_not = write_whole(file_of(key).string(), all);
  tidy();
  return why_not;
}

void KeptKernels::tidy() const {
  std::vector<File> files;
  std::error_code code;
  const auto now = Clock::now();
  for (auto entry = fs::directory_iterator(folder_, code); !code && entry != fs::directory_iterator(); entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    const bool is_ours = name.find(ending) == 16 && name.find_first_not_of("0123456789abcdef") == 16;
    std::error_code gone;  // by another program: no fault
    if (!is_ours || !entry->is_regular_file(gone)) continue;
    const File file{entry->path(), entry->last_write_time(gone), static_cast<std::int64_t>(entry->file_size(gone))};
    if (gone) continue;
    const bool is_temporary = !name.ends_with(ending);
    if (now - file.used > (is_temporary ? std::chrono::hours(1) : std::chrono::hours(24 * most_days))) fs::remove(file.path, gone);
    else if (!is_temporary) files.push_back(file);
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used > b.used; });
  std::int64_t bytes = 0;
  for (const File& file : files) {
    bytes += file.bytes;
    if (bytes > most_bytes_) fs::remove(file.path, code);
  }
}

}  // namespace crinkle::gpu
