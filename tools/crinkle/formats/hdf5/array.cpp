// SPDX-License-Identifier: BSD-3-Clause
#include "formats/hdf5/array.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "formats/hdf5/attributes.hpp"
#include "formats/hdf5/file.hpp"
#include "formats/hdf5/types.hpp"
#include "formats/netcdf/conventions.hpp"

namespace crinkle::tool::hdf5 {
namespace {

Extents counts_of(const Ranges& box) {
  Extents counts;
  for (const Range& range : box) counts.push_back(range.n);
  return counts;
}

std::int64_t place_of(const Ranges& box, const Extents& strides) {
  std::int64_t at = 0;
  for (std::size_t a = 0; a < box.size(); ++a) at += box[a].first * strides[a];
  return at;
}

// NetCDF keeps an axis without coordinates as an array that nobody reads.
bool is_bare_axis(hid_t dataset) {
  const Library h5;
  std::array<char, 64> name{};
  return h5->H5DSis_scale(dataset) > 0 && h5->H5DSget_scale_name(dataset, name.data(), name.size()) > 0 &&
         std::string_view(name.data()).starts_with("This is a netCDF dimension but not");
}

}  // namespace

Array::Array(const std::string& path, const DatasetName& name) {
  const Library h5;
  facts_.path = path;
  facts_.place = name.file;
  file_ = open_to_read(name.file);
  opened_ = Descriptor(::open(name.file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat entry = {};
  if (opened_.get() < 0 || ::fstat(opened_.get(), &entry) != 0) throw_system(name.file, "opening", errno);
  file_bytes_ = entry.st_size;
  facts_.inside = found(file_.get(), path, name);
  dataset_ = h5.opened(h5->H5Dopen2(file_.get(), facts_.inside.c_str(), H5P_DEFAULT), path, "opening the array");
  if (is_bare_axis(dataset_.get()))
    throw Error(ErrorCode::unsupported, path + ": is an axis without coordinates, which NetCDF keeps its length by");
  type_ = h5.opened(h5->H5Dget_type(dataset_.get()), path, "asking for its type");
  facts_.type = type_of(type_.get(), path, facts_.notes);
  const Handle space = h5.opened(h5->H5Dget_space(dataset_.get()), path, "asking for its shape");
  if (h5->H5Sget_simple_extent_type(space.get()) == H5S_NULL)
    throw Error(ErrorCode::unsupported, path + ": is an empty array without a shape");
  const int rank = h5.checked(h5->H5Sget_simple_extent_ndims(space.get()), path, "asking for its axes");
  std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
  h5->H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
  for (const hsize_t n : extents) {
    if (n > INT64_MAX) throw Error(ErrorCode::too_large, fmt::format("{}: an axis has {} elements", path, n));
    facts_.extents.push_back(static_cast<std::int64_t>(n));
  }
  static_cast<void>(Layout::dense(facts_.extents, facts_.type.bytes).n_bytes());  // throws too_large
  const bool is_of_netcdf = is_netcdf(file_.get(), name.file);
  facts_.format = is_of_netcdf ? "netcdf 4" : "hdf5";
  facts_.axes = axis_names(dataset_.get(), facts_.extents.size());
  read_attributes(dataset_.get(), is_of_netcdf, facts_);
  if (is_of_netcdf) netcdf::take_for_bool(facts_);
  for (std::size_t end = 0; end != std::string::npos; end = facts_.inside.find('/', end + 1)) {
    const std::string name_of_group = facts_.inside.substr(0, end);
    DatasetFacts said;
    said.path = path;
    const Handle group = h5.opened(h5->H5Gopen2(file_.get(), end == 0 ? "/" : name_of_group.c_str(), H5P_DEFAULT), path, "opening a group");
    read_attributes(group.get(), is_of_netcdf, said);
    add_around(facts_.around, name_of_group, *said.attributes);
  }
  facts_.stored_bytes = static_cast<std::int64_t>(h5->H5Dget_storage_size(dataset_.get()));
  const Handle properties = h5.opened(h5->H5Dget_create_plist(dataset_.get()), path, "asking how it is stored");
  H5D_fill_value_t is_filled = H5D_FILL_VALUE_UNDEFINED;
  h5->H5Pfill_value_defined(properties.get(), &is_filled);
  if (is_filled == H5D_FILL_VALUE_USER_DEFINED) {
    facts_.fill.resize(static_cast<std::size_t>(facts_.type.bytes));
    if (h5->H5Pget_fill_value(properties.get(), type_.get(), facts_.fill.data()) < 0) facts_.fill.clear();
  }
  find_way(properties.get());
  facts_.unit = facts_.chunks;
}

void Array::find_way(hid_t properties) {
  const Library h5;
  const H5D_layout_t layout = h5->H5Pget_layout(properties);
  const std::int64_t all_bytes = Layout::dense(facts_.extents, facts_.type.bytes).n_bytes();
  facts_.chunks = rows_of(facts_.extents, facts_.type.bytes);
  facts_.is_chunked = layout == H5D_CHUNKED;
  facts_.is_in_pieces = !facts_.is_chunked;
  if (layout == H5D_CONTIGUOUS && h5->H5Pget_external_count(properties) == 0) {
    const haddr_t first = h5->H5Dget_offset(dataset_.get());
    facts_.packing = "contiguous";
    way_ = first == HADDR_UNDEF ? Way::nothing : Way::bytes;
    if (way_ == Way::nothing) return;
    first_byte_ = static_cast<std::int64_t>(first);
    dense_ = Layout::dense(facts_.extents, facts_.type.bytes).strides;
    if (first > static_cast<haddr_t>(file_bytes_) || all_bytes > file_bytes_ - first_byte_)
      throw_bad_file(where(), fmt::format("its elements are bytes {} to {}, and the file has {}", first,
                                          first + static_cast<haddr_t>(all_bytes), file_bytes_));
    return;
  }
  facts_.packing = layout == H5D_COMPACT ? "compact" : layout == H5D_VIRTUAL ? "virtual, in other files" : "contiguous, in other files";
  if (layout != H5D_CHUNKED) return;
  std::vector<hsize_t> chunks(facts_.extents.size());
  if (h5->H5Pget_chunk(properties, static_cast<int>(chunks.size()), chunks.data()) != static_cast<int>(chunks.size()))
    h5.fail(where(), "asking for its chunks");
  for (std::size_t a = 0; a < chunks.size(); ++a) {
    if (chunks[a] == 0 || chunks[a] > UINT32_MAX)
      throw_bad_file(where(), fmt::format("its chunks have {} elements along axis {}", chunks[a], a));
    facts_.chunks[a] = static_cast<std::int64_t>(chunks[a]);
  }
  const Layout chunk = Layout::dense(facts_.chunks, facts_.type.bytes);
  const std::int64_t memory = ::sysconf(_SC_PHYS_PAGES) * ::sysconf(_SC_PAGESIZE);
  if (memory > 0 && chunk.n_bytes() > memory)
    throw Error(ErrorCode::out_of_memory,
                fmt::format("{}: its chunks {} take {} bytes each, and this machine has {}; h5repack -l CHUNK={} there "
                            "where it fits makes smaller ones",
                            where(), print_shape(facts_.chunks), chunk.n_bytes(), memory, "…"));
  dense_ = chunk.strides;
  most_stored_ = static_cast<std::size_t>(chunk.n_bytes()) + static_cast<std::size_t>(chunk.n_bytes()) / 4 + 65536;
  filters_ = filters_of(properties, facts_.type.bytes, where());
  facts_.packing = described(filters_);
  if (are_ours(filters_)) way_ = Way::chunks;
  else check_known(filters_, where());
  const Handle of_file = h5.opened(h5->H5Fget_create_plist(file_.get()), where(), "asking how the file is laid out");
  hsize_t user_block = 0;
  h5.checked(h5->H5Pget_userblock(of_file.get(), &user_block), where(), "asking how the file is laid out");
  facts_.is_in_pieces = filters_.empty() && user_block == 0;  // behind one, versions of the library count addresses unlike
}

void Array::look() const {
  const Library h5;
  if (!facts_.is_chunked) return;
  const Handle space(h5->H5Dget_space(dataset_.get()));
  hsize_t n = 0;
  h5.checked(h5->H5Dget_num_chunks(dataset_.get(), space.get(), &n), where(), "counting its chunks");
}

void Array::read(const Ranges& box, std::byte* into, const Extents& strides) const {
  if (std::any_of(box.begin(), box.end(), [](const Range& range) { return range.n == 0; })) return;
  switch (way_) {
    case Way::chunks: return read_chunks(box, into, strides);
    case Way::bytes: return read_bytes(box, 0, first_byte_ + place_of(box, dense_), into, strides);
    case Way::library: return read_by_library(box, into, strides);
    case Way::nothing: {
      const Bytes fill = facts_.fill.empty() ? Bytes(static_cast<std::size_t>(facts_.type.bytes)) : facts_.fill;
      return copy_box(counts_of(box), facts_.type.bytes, fill.data(), Extents(box.size(), 0), into, strides);
    }
  }
}

// In one read, from its first element to its last, where little else lies between; else index by index of the slowest axis.
void Array::read_bytes(const Ranges& box, std::size_t axis, std::int64_t at, std::byte* into, const Extents& strides) const {
  constexpr std::int64_t cheap = 1 << 16;
  std::int64_t span = facts_.type.bytes, needed = facts_.type.bytes;
  for (std::size_t a = axis; a < box.size(); ++a) {
    span += (box[a].n - 1) * dense_[a];
    needed *= box[a].n;
  }
  if (span > cheap && span > 2 * needed) {
    for (std::int64_t i = 0; i < box[axis].n; ++i) read_bytes(box, axis + 1, at + i * dense_[axis], into + i * strides[axis], strides);
    return;
  }
  Bytes bytes(static_cast<std::size_t>(span));
  for (std::int64_t done = 0; done < span;) {
    const ssize_t got = ::pread(opened_.get(), bytes.data() + done, static_cast<std::size_t>(span - done), at + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_system(where(), "reading", errno);
    if (got == 0) throw_bad_file(where(), fmt::format("ends before byte {}", at + span));
    done += got;
  }
  const auto rest = [&](const Extents& all) { return Extents(all.begin() + static_cast<std::ptrdiff_t>(axis), all.end()); };
  copy_box(rest(counts_of(box)), facts_.type.bytes, bytes.data(), rest(dense_), into, rest(strides));
}

std::vector<hsize_t> Array::first_of(const Extents& cell) const {
  std::vector<hsize_t> first;
  for (std::size_t a = 0; a < cell.size(); ++a) first.push_back(static_cast<hsize_t>(cell[a] * facts_.chunks[a]));
  return first;
}

std::int64_t Array::address(const Extents& cell) const {
  const Library h5;
  const std::vector<hsize_t> first = first_of(cell);
  const std::string place = fmt::format("{} (chunk {})", where(), print_shape(cell));
  unsigned skipped = 0;
  haddr_t at = HADDR_UNDEF;
  hsize_t n = 0;
  h5.checked(h5->H5Dget_chunk_info_by_coord(dataset_.get(), first.data(), &skipped, &at, &n), place, "looking for it");
  if (n == 0 || at == HADDR_UNDEF) return -1;
  const auto needed = static_cast<hsize_t>(Layout::dense(facts_.chunks, facts_.type.bytes).n_bytes());
  const auto all = static_cast<hsize_t>(file_bytes_);
  if (n != needed || n > all || at > all - n)
    throw_bad_file(place, fmt::format("its index says {} bytes from {}, and a chunk has {} and the file {}", n, at, needed, all));
  return static_cast<std::int64_t>(at);
}

Bytes Array::chunk(const Extents& cell) const {
  const std::vector<hsize_t> first = first_of(cell);
  const std::string place = fmt::format("{} (chunk {})", where(), print_shape(cell));
  Bytes bytes;
  std::uint32_t skipped = 0;
  {
    const Library h5;
    hsize_t n = 0;
    if (h5->H5Dget_chunk_storage_size(dataset_.get(), first.data(), &n) < 0 && h5.says().find("not allocated") == std::string::npos)
      h5.fail(place, "looking for it");
    if (n == 0) return {};
    if (n > most_stored_ || n > static_cast<hsize_t>(file_bytes_))
      throw_bad_file(place,
                     fmt::format("its index says {} bytes, and a chunk has at most {} and the file {}", n, most_stored_, file_bytes_));
    bytes.resize(n);
    h5.checked(h5->H5Dread_chunk(dataset_.get(), H5P_DEFAULT, first.data(), &skipped, bytes.data()), place, "reading it");
  }
  return unpacked(filters_, skipped, std::move(bytes), static_cast<std::size_t>(Layout::dense(facts_.chunks, facts_.type.bytes).n_bytes()),
                  place);
}

void Array::read_chunks(const Ranges& box, std::byte* into, const Extents& strides) const {
  const Bytes fill = facts_.fill.empty() ? Bytes(static_cast<std::size_t>(facts_.type.bytes)) : facts_.fill;
  for (const Ranges& part : boxes_of_grid(box, facts_.chunks)) {
    Extents cell;
    std::int64_t from = 0, to = 0;
    for (std::size_t a = 0; a < part.size(); ++a) {
      cell.push_back(part[a].first / facts_.chunks[a]);
      from += part[a].first % facts_.chunks[a] * dense_[a];
      to += (part[a].first - box[a].first) * strides[a];
    }
    const std::int64_t at = facts_.is_in_pieces ? address(cell) : -1;
    if (at >= 0) {
      read_bytes(part, 0, at + from, into + to, strides);
      continue;
    }
    const Bytes bytes = facts_.is_in_pieces ? Bytes() : chunk(cell);
    if (bytes.empty()) copy_box(counts_of(part), facts_.type.bytes, fill.data(), Extents(part.size(), 0), into + to, strides);
    else copy_box(counts_of(part), facts_.type.bytes, bytes.data() + from, dense_, into + to, strides);
  }
}

void Array::read_by_library(const Ranges& box, std::byte* into, const Extents& strides) const {
  const Extents counts = counts_of(box);
  const Layout dense = Layout::dense(counts, facts_.type.bytes);
  Bytes bytes(static_cast<std::size_t>(dense.n_bytes()));
  {
    const Library h5;
    std::vector<hsize_t> first, n;
    for (const Range& range : box) {
      first.push_back(static_cast<hsize_t>(range.first));
      n.push_back(static_cast<hsize_t>(range.n));
    }
    const Handle in_file(h5->H5Dget_space(dataset_.get()));
    const Handle in_memory(box.empty() ? h5->H5Screate(H5S_SCALAR) : h5->H5Screate_simple(static_cast<int>(n.size()), n.data(), nullptr));
    if (!box.empty())
      h5.checked(h5->H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, first.data(), nullptr, n.data(), nullptr), where(),
                 "choosing a box");
    h5.checked(h5->H5Dread(dataset_.get(), type_.get(), in_memory.get(), in_file.get(), H5P_DEFAULT, bytes.data()), where(), "reading it");
  }
  copy_box(counts, facts_.type.bytes, bytes.data(), dense.strides, into, strides);
}

}  // namespace crinkle::tool::hdf5
