// SPDX-License-Identifier: BSD-3-Clause
#include "formats/netcdf/library.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "crinkle/error.hpp"
#include "formats/file.hpp"

namespace crinkle::tool::netcdf {
namespace {

struct Loaded {
  Functions functions;
  std::string why;  // there is none
};

Loaded load() {
  Loaded loaded;
  SharedLibrary library(CRINKLE_NETCDF_LIBRARY);
#define CRINKLE_FIND(name) library.find(loaded.functions.name, #name);
  CRINKLE_NETCDF_FUNCTIONS(CRINKLE_FIND)
#undef CRINKLE_FIND
  loaded.why = library.why_not();
  return loaded;
}

const Functions* functions_of_library() {
  static const Loaded loaded = load();
  if (!loaded.why.empty())
    throw Error(ErrorCode::unsupported, fmt::format("NetCDF's library is not on this machine ({}): install libnetcdf19", loaded.why));
  return &loaded.functions;
}

constexpr std::array<std::pair<nc_type, std::string_view>, 11> types = {{{NC_BYTE, "i1"},
                                                                         {NC_CHAR, "S1"},
                                                                         {NC_SHORT, "i2"},
                                                                         {NC_INT, "i4"},
                                                                         {NC_FLOAT, "f4"},
                                                                         {NC_DOUBLE, "f8"},
                                                                         {NC_UBYTE, "u1"},
                                                                         {NC_USHORT, "u2"},
                                                                         {NC_UINT, "u4"},
                                                                         {NC_INT64, "i8"},
                                                                         {NC_UINT64, "u8"}}};

}  // namespace

Library::Library() : functions_(functions_of_library()) {}

void Library::check(int status, const std::string& path, const std::string& doing) const {
  if (status > 0) throw_system(path, doing, status);
  if (status != NC_NOERR) throw_bad_file(path, fmt::format("{}: NetCDF's library says: {}", doing, functions_->nc_strerror(status)));
}

File::~File() {
  if (id_ >= 0) Library()->nc_close(id_);
}

void File::close(const std::string& path) {
  const Library nc;
  nc.check(nc->nc_close(std::exchange(id_, -1)), path, "closing it");
}

ElementType type_of(nc_type type, const std::string& where) {
  for (const auto& [known, code] : types)
    if (known == type) return element_type(code);
  throw Error(ErrorCode::unsupported, fmt::format("{}: its elements are of NetCDF's type {}, which is not known", where, type));
}

nc_type type_for(const ElementType& type) {
  for (const auto& [known, code] : types)
    if (type.descr.substr(1) == code) return known;
  return NC_NAT;
}

}  // namespace crinkle::tool::netcdf
