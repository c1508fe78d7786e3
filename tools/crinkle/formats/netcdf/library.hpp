// libnetcdf, loaded when a file needs it, and held by one thread at a time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <netcdf.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "crinkle/layout.hpp"
#include "formats/element_type.hpp"
#include "formats/shared_library.hpp"

namespace crinkle::tool::netcdf {

// clang-format off
#define CRINKLE_NETCDF_FUNCTIONS(X) \
  X(nc_open) X(nc_create) X(nc_close) X(nc_strerror) X(nc_inq) X(nc_inq_varid) X(nc_inq_var) X(nc_inq_dim) X(nc_inq_attname) X(nc_inq_att) \
  X(nc_get_att) X(nc_put_att) X(nc_def_dim) X(nc_def_var) X(nc_set_fill) X(nc_enddef) X(nc_get_vara) X(nc_put_vara) X(nc_sync)
// clang-format on

struct Functions {
#define CRINKLE_MEMBER(name) decltype(&::name) name = nullptr;
  CRINKLE_NETCDF_FUNCTIONS(CRINKLE_MEMBER)
#undef CRINKLE_MEMBER
};

class Library {
 public:
  Library();  // throws unsupported where it cannot be loaded
  const Functions* operator->() const noexcept { return functions_; }
  /// Throws bad_file with what the library says.
  void check(int status, const std::string& path, const std::string& doing) const;

 private:
  const Functions* functions_;
  Held<Library> held_;
};

/// An open file, closed with this.
class File {
 public:
  File() noexcept = default;
  explicit File(int id) noexcept : id_(id) {}
  File(File&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~File();
  int get() const noexcept { return id_; }
  void close(const std::string& path);  // throws what a full disk makes of it

 private:
  int id_ = -1;
};

/// A box as the library takes it, and its elements one behind the other.
struct Window {
  std::vector<std::size_t> first, n;
  Extents extents;

  explicit Window(const Ranges& box) {
    for (const Range& range : box) {
      extents.push_back(range.n);
      first.push_back(static_cast<std::size_t>(range.first));
      n.push_back(static_cast<std::size_t>(range.n));
    }
  }
};

/// The element type of a NetCDF type, in the machine's order; throws unsupported. And back; NC_NAT where there is none.
ElementType type_of(nc_type type, const std::string& where);
nc_type type_for(const ElementType& type);

}  // namespace crinkle::tool::netcdf
