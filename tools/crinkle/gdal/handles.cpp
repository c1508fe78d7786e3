// SPDX-License-Identifier: BSD-3-Clause
#include "gdal/handles.hpp"

#include <cpl_error.h>
#include <fmt/format.h>

#include <mutex>
#include <utility>

namespace crinkle::tool::geo {
namespace {

// GDAL's own threads complain, too.
std::mutex guard;
std::string first_failure;
std::vector<std::string> said_warnings;

std::string one_line(const char* text) {
  constexpr std::size_t most = 400;
  std::string line(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
  while (line.ends_with(' ') || line.ends_with('.')) line.pop_back();
  if (line.size() > most) line = line.substr(0, most) + " …";
  return line;
}

void CPL_STDCALL keep(CPLErr kind, CPLErrorNum, const char* text) {
  if (kind != CE_Warning && kind != CE_Failure && kind != CE_Fatal) return;  // debug messages
  const std::lock_guard lock(guard);
  // The first failure is the cause, those behind it what came of it.
  if (kind != CE_Warning && first_failure.empty()) first_failure = one_line(text);
  if (kind == CE_Warning && said_warnings.size() < 3) said_warnings.push_back(one_line(text));
}

}  // namespace

void begin() {
  static const bool is_begun = [] {
    CPLSetErrorHandler(keep);
    GDALAllRegister();
    complaint();  // of plug-ins whose libraries are not here: nobody asked for them
    return true;
  }();
  static_cast<void>(is_begun);
}

std::string complaint(std::vector<std::string>* warnings) {
  const std::lock_guard lock(guard);
  if (warnings != nullptr) warnings->insert(warnings->end(), said_warnings.begin(), said_warnings.end());
  said_warnings.clear();
  return std::exchange(first_failure, {});
}

void refuse(ErrorCode code, const std::string& what, const std::string& otherwise) {
  const std::string said = complaint();
  throw Error(code, fmt::format("{}: {}", what, said.empty() ? otherwise : "GDAL: " + said));
}

std::string as_file(const std::string& path) { return path.starts_with('/') ? path : "./" + path; }

Dataset open(const std::string& path, unsigned kind) {
  complaint();
  Dataset dataset(GDALOpenEx(as_file(path).c_str(), kind | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, nullptr, nullptr, nullptr));
  if (!dataset) refuse(ErrorCode::bad_file, path, "is nothing that GDAL can read");
  return dataset;
}

}  // namespace crinkle::tool::geo
