// libhdf5 is loaded when a file needs it: linked, its forty libraries would make each start of the command slower.
//
//     const Library h5;                                      // holds the one lock
//     const Handle file = h5.checked(h5->H5Fopen(…), path, "opening it");
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <hdf5.h>
#include <hdf5_hl.h>

#include <string>
#include <utility>

#include "formats/child.hpp"
#include "formats/shared_library.hpp"

// Constants as H5F_ACC_RDONLY call these, which are not linked; load() opens the library.
#undef H5CHECK
#undef H5OPEN
#define H5CHECK
#define H5OPEN

namespace crinkle::tool::hdf5 {

// clang-format off
#define CRINKLE_HDF5_FUNCTIONS(X) \
  X(H5open) X(H5Eset_auto2) X(H5Eclear2) X(H5Ewalk2) X(H5Fopen) X(H5Fcreate) X(H5Fflush) X(H5Idec_ref) X(H5Iget_type) X(H5Iget_name) \
  X(H5Gopen2) X(H5Gcreate2) X(H5Oopen) X(H5Ovisit2) X(H5Oget_info2) X(H5Lexists) X(H5Ldelete) X(H5Rdereference2) X(H5free_memory) \
  X(H5Dopen2) X(H5Dcreate2) X(H5Dget_space) X(H5Dget_type) X(H5Dget_create_plist) X(H5Dget_offset) X(H5Dget_storage_size) X(H5Dread) \
  X(H5Dwrite) X(H5Dread_chunk) X(H5Dwrite_chunk) X(H5Dget_chunk_storage_size) X(H5Dget_chunk_info_by_coord) X(H5Dget_num_chunks) X(H5Dvlen_reclaim) \
  X(H5Screate) X(H5Screate_simple) X(H5Sget_simple_extent_type) X(H5Sget_simple_extent_ndims) X(H5Sget_simple_extent_dims) \
  X(H5Sget_simple_extent_npoints) X(H5Sselect_hyperslab) \
  X(H5Tcopy) X(H5Tcreate) X(H5Tinsert) X(H5Tget_class) X(H5Tget_size) X(H5Tset_size) X(H5Tget_order) X(H5Tset_order) X(H5Tget_sign) \
  X(H5Tset_precision) X(H5Tset_sign) X(H5Tget_precision) X(H5Tget_offset) X(H5Tget_fields) X(H5Tset_fields) X(H5Tget_ebias) \
  X(H5Tset_ebias) X(H5Tget_norm) X(H5Tget_super) X(H5Tget_nmembers) X(H5Tget_member_name) X(H5Tget_member_type) \
  X(H5Tget_member_offset) X(H5Tget_member_value) X(H5Tenum_create) X(H5Tenum_insert) X(H5Tis_variable_str) X(H5Tset_strpad) \
  X(H5Tget_strpad) X(H5Tset_cset) X(H5Tget_tag) X(H5Tset_tag) X(H5Tequal) \
  X(H5Pcreate) X(H5Fget_create_plist) X(H5Pget_userblock) X(H5Pget_layout) X(H5Pset_layout) X(H5Pget_chunk) X(H5Pset_chunk) X(H5Pget_nfilters) X(H5Pget_filter2) X(H5Pset_filter) \
  X(H5Pset_deflate) X(H5Pset_shuffle) X(H5Pset_fletcher32) X(H5Pget_external_count) X(H5Pfill_value_defined) X(H5Pget_fill_value) \
  X(H5Pset_fill_value) X(H5Pset_fill_time) X(H5Pset_alloc_time) X(H5Pset_obj_track_times) X(H5Pset_attr_creation_order) \
  X(H5Pset_link_creation_order) X(H5Pset_create_intermediate_group) X(H5Pset_file_locking) X(H5Zfilter_avail) X(H5Zregister) \
  X(H5Aopen) X(H5Aopen_by_idx) X(H5Acreate2) X(H5Aread) X(H5Awrite) X(H5Aexists) X(H5Aget_name) X(H5Aget_type) X(H5Aget_space) \
  X(H5Adelete)
#define CRINKLE_HDF5_LABELS(X) X(H5DSis_scale) X(H5DSset_scale) X(H5DSattach_scale) X(H5DSget_scale_name) X(H5DSset_label) X(H5DSget_label)
#define CRINKLE_HDF5_IDS(X) \
  X(H5T_STD_U8LE_g) X(H5T_STD_I32LE_g) X(H5T_IEEE_F32LE_g) X(H5T_IEEE_F32BE_g) X(H5T_IEEE_F64LE_g) X(H5T_C_S1_g) X(H5T_STD_REF_OBJ_g) \
  X(H5T_NATIVE_OPAQUE_g) \
  X(H5P_CLS_FILE_CREATE_ID_g) X(H5P_CLS_FILE_ACCESS_ID_g) X(H5P_CLS_DATASET_CREATE_ID_g) X(H5P_CLS_GROUP_CREATE_ID_g) \
  X(H5P_CLS_LINK_CREATE_ID_g)
// clang-format on

struct Functions {
#define CRINKLE_MEMBER(name) decltype(&::name) name = nullptr;
  CRINKLE_HDF5_FUNCTIONS(CRINKLE_MEMBER)
  CRINKLE_HDF5_LABELS(CRINKLE_MEMBER)
  CRINKLE_HDF5_IDS(CRINKLE_MEMBER)
#undef CRINKLE_MEMBER
};

/// Something that the library opened, closed with this.
class Handle {
 public:
  Handle() noexcept = default;
  explicit Handle(hid_t id) noexcept : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle();

  hid_t get() const noexcept { return id_; }
  explicit operator bool() const noexcept { return id_ >= 0; }

 private:
  hid_t id_ = -1;
};

/// The library, for one thread as long as this lives; that thread may make several.
class Library {
 public:
  Library();  // throws unsupported where it cannot be loaded
  const Functions* operator->() const noexcept { return functions_; }

  /// What a function returned, if it is no error. Throws bad_file with what the library says.
  template <class Status>
  Status checked(Status status, const std::string& path, const std::string& doing) const {
    if (status < 0) fail(path, doing);
    return status;
  }
  Handle opened(hid_t id, const std::string& path, const std::string& doing) const { return Handle(checked(id, path, doing)); }
  std::string says() const;  // of the last error
  [[noreturn]] void fail(const std::string& path, const std::string& doing) const;

  Handle properties(hid_t of_class) const { return Handle(functions_->H5Pcreate(of_class)); }

 private:
  const Functions* functions_;
  Held<Library> held_;
};

/// tool::try_in_child(), with the library loaded and held.
template <class Body>
void try_in_child(const std::string& path, const Body& body) {
  const Library held;
  tool::try_in_child(path, "HDF5's library", body);
}

}  // namespace crinkle::tool::hdf5
