// Finding the module: beside the program, or where it is installed (the program's run path).
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "crinkle/error.hpp"
#include "gdal/gdal.hpp"

namespace crinkle::tool {
namespace {

struct Loaded {
  const Gdal* gdal = nullptr;
  std::string why;  // there is none
};

Loaded load() {
#if CRINKLE_HAS_GDAL
  // Its symbols stay its own: GDAL brings libraries that the program may have in another version.
  void* const module = ::dlopen("libcrinkle_gdal.so", RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) return {nullptr, ::dlerror()};
  using Entry = const Gdal*();
  auto* const entry = reinterpret_cast<Entry*>(::dlsym(module, "crinkle_gdal"));
  if (entry == nullptr) return {nullptr, ::dlerror()};
  return {entry(), {}};
#else
  return {nullptr, "it was built without"};
#endif
}

}  // namespace

bool has_gdal() { return CRINKLE_HAS_GDAL != 0; }

const Gdal& gdal(const std::string& what, const std::string& instead) {
  static const Loaded loaded = load();
  if (loaded.gdal != nullptr) return *loaded.gdal;
  throw Error(ErrorCode::unsupported, fmt::format("{}: this build has no GDAL ({}); {}, or install libgdal-dev and build crinkle again",
                                                  what, loaded.why, instead));
}

void writing_as(const std::string& path, const std::string& name_for_now, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    std::string text = error.what();
    for (std::size_t at = text.find(name_for_now); at != std::string::npos; at = text.find(name_for_now, at + path.size()))
      text.replace(at, name_for_now.size(), path);
    throw Error(error.code(), text);
  }
}

bool begins_like_layers(std::span<const std::byte> file) {
  const std::string_view begin(reinterpret_cast<const char*>(file.data()), std::min<std::size_t>(file.size(), 64));
  constexpr std::string_view shapefile("\0\0\x27\x0a", 4), flatgeobuf("fgb\x03", 4), database("SQLite format 3\0", 16),
      zip("PK\x03\x04", 4);
  for (const std::string_view word : {shapefile, flatgeobuf, database, zip})
    if (begin.starts_with(word)) return true;
  const std::size_t at = begin.find_first_not_of(" \t\r\n", begin.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  if (at == std::string_view::npos) return false;
  if (begin[at] == '<') return true;
  const std::size_t next = begin[at] == '{' ? begin.find_first_not_of(" \t\r\n", at + 1) : std::string_view::npos;
  return next != std::string_view::npos && (begin[next] == '"' || begin[next] == '}');
}

bool begins_like_tiff(std::span<const std::byte> file) {
  const std::string_view begin(reinterpret_cast<const char*>(file.data()), std::min<std::size_t>(file.size(), 4));
  for (const std::string_view word :
       {std::string_view("II*\0", 4), std::string_view("MM\0*", 4), std::string_view("II+\0", 4), std::string_view("MM\0+", 4)})
    if (begin == word) return true;
  return false;
}

bool is_tiff(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::array<char, 4> begin{};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  return begins_like_tiff(std::as_bytes(std::span(begin)));
}

}  // namespace crinkle::tool
