// SPDX-License-Identifier: BSD-3-Clause
#include "formats/hdf5/plan.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "formats/hdf5/array.hpp"
#include "formats/hdf5/begin.hpp"
#include "formats/hdf5/file.hpp"
#include "formats/hdf5/scales.hpp"
#include "formats/hdf5/types.hpp"
#include "formats/hdf5/write.hpp"
#include "formats/netcdf/conventions.hpp"
#include "formats/temporary.hpp"

namespace crinkle::tool::hdf5 {
namespace {

std::string name_inside(const DatasetName& name, const DatasetFacts& facts) {
  std::string inside = name.inside;
  if (inside.empty() || inside == "/") inside = "/" + (base_of(facts.inside).empty() ? "data" : base_of(facts.inside));
  for (std::size_t at = 0; at < inside.size();) {
    const std::size_t slash = std::min(inside.find('/', at + 1), inside.size());
    const std::string part = inside.substr(at + 1, slash - at - 1);
    if (part.empty() || part == "." || part == "..")
      throw Error(ErrorCode::bad_notation, fmt::format("{}:{}: '{}' is no name of an array", name.file, inside, part));
    at = slash;
  }
  return inside;
}

}  // namespace

Plan plan_for(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish) {
  constexpr std::int64_t usual_chunk = 1 << 20;  // what readers keep of a file in memory
  Plan plan{facts, {}, is_netcdf_name(name.file)};
  DatasetFacts& f = plan.facts;
  const std::size_t rank = f.extents.size();
  if (rank > 32) throw Error(ErrorCode::unsupported, fmt::format("{}: {} axes, and HDF5 has at most 32", path, rank));
  if (goes_into(name, wish))
    refuse_resuming(wish, path, "--into writes into a file in place, whose other arrays a run that is stopped may tear");
  if (!wish.shards.empty()) throw Error(ErrorCode::bad_notation, path + ": --shards are of .zarr; chunks of HDF5 lie in one file anyway");
  f.notes.clear();
  f.inside = name_inside(name, facts);
  f.axes.resize(rank);
  for (std::size_t a = 0; a < rank && a < f.coordinates.size(); ++a)
    if (f.coordinates[a] != nullptr && f.axes[a] == base_of(f.inside) && (rank == 1 || !plan.is_netcdf))
      throw Error(ErrorCode::bad_notation,
                  fmt::format("{}: an array cannot be called as its axis '{}', whose coordinates have that name; give it another one, "
                              "as in {}:{}/data",
                              path, f.axes[a], name.file, group_of(f.inside)));
  if (plan.is_netcdf) netcdf::fit_types(f, path);
  type_for(f.type, path);  // throws for types that HDF5 lacks
  f.format = plan.is_netcdf ? "netcdf 4" : "hdf5";
  const bool is_empty = Layout::dense(f.extents, f.type.bytes).n_bytes() == 0;
  Extents chunks = chunks_of_wish(wish, f, usual_chunk);
  const Extents asked = chunks;
  for (std::size_t a = 0; a < rank; ++a) chunks[a] = std::min(chunks[a], std::max<std::int64_t>(1, f.extents[a]));
  if (chunks != asked)
    f.notes.push_back(
        fmt::format("--chunks {}: HDF5 has none that are longer than the array; they are {}", wish.chunks, print_shape(chunks)));
  if (wish.is_into && !goes_into(name, wish)) f.notes.push_back(name.file + ": --into: it is not there, and is made");
  const std::int64_t chunk_bytes = Layout::dense(chunks, f.type.bytes).n_bytes();
  plan.filters =
      filters_of_words(wish.filter.empty() ? "gzip:1,shuffle" : wish.filter, f.type.bytes, std::min<std::int64_t>(chunk_bytes, INT32_MAX));
  f.is_chunked = !(rank == 0 || is_empty || (wish.filter == "none" && wish.chunks.empty() && wish.read_along.empty()));
  f.is_in_pieces = !f.is_chunked;
  if (!f.is_chunked) {
    plan.filters.clear();
    f.chunks = f.unit = rows_of(f.extents, f.type.bytes);
    f.packing = "contiguous";
    return plan;
  }
  if (chunk_bytes > INT32_MAX)
    throw Error(ErrorCode::too_large, fmt::format("{}: chunks {} take {} bytes each, and codecs at most {}; give smaller --chunks", path,
                                                  print_shape(chunks), chunk_bytes, INT32_MAX));
  f.chunks = f.unit = chunks;
  f.packing = described(plan.filters);
  if (const std::string plugin = plugin_needed(plan.filters); !plugin.empty())
    f.notes.push_back(
        fmt::format("chunks are packed by {}, which readers elsewhere know with a plugin alone (in Python: import hdf5plugin)", plugin));
  return plan;
}

bool goes_into(const DatasetName& name, const DatasetWish& wish) { return wish.is_into && ::access(name.file.c_str(), F_OK) == 0; }

/// Refuses what cannot be put into a file that is there.
static void check_into(const DatasetName& name, const Plan& plan, Overwrite overwrite, const FileIdentity& input) {
  if (!begins_like_hdf5(name.file))
    throw Error(ErrorCode::bad_file, name.file + ": is no HDF5 file, into which --into puts arrays; name another one");
  if (input.inode != 0 && identity_of(name.file) == input)
    throw Error(ErrorCode::exists, name.file + ": is the input itself; --into puts arrays into another file than that which is read");
  if (::access(name.file.c_str(), W_OK) != 0) throw_system(name.file, "opening it to write", errno);
  try_in_child(name.file, [&] {
    const Library h5;
    const Handle file = open_to_read(name.file);
    const std::string& inside = plan.facts.inside;
    for (std::size_t at = 1; at <= inside.size();) {
      const std::size_t slash = std::min(inside.find('/', at), inside.size());
      const std::string part = inside.substr(0, slash);
      at = slash + 1;
      if (h5->H5Lexists(file.get(), part.c_str(), H5P_DEFAULT) <= 0) return;
      const Handle object = h5.opened(h5->H5Oopen(file.get(), part.c_str(), H5P_DEFAULT), name.file, "opening " + part);
      const bool is_group = h5->H5Iget_type(object.get()) == H5I_GROUP;
      if (slash < inside.size() && !is_group) throw_bad_file(name.file + ":" + part, "is an array, which holds no others");
      if (slash == inside.size() && is_group) throw Error(ErrorCode::exists, name.file + ":" + part + ": is a group; name an array in it");
      if (slash == inside.size() && overwrite == Overwrite::refuse)
        throw Error(ErrorCode::exists, name.file + ":" + part + ": is there already; --force replaces it");
      if (slash == inside.size() && h5->H5DSis_scale(object.get()) > 0)
        throw Error(ErrorCode::exists, name.file + ":" + part + ": is an axis of other arrays, which is not replaced; name another array");
    }
  });
}

void check_place(const DatasetName& name, const Plan& plan, const DatasetWish& wish, Overwrite overwrite, const FileIdentity& input) {
  if (goes_into(name, wish)) return check_into(name, plan, overwrite, input);
  if (overwrite == Overwrite::refuse && input != identity_of(name.file) && ::access(name.file.c_str(), F_OK) == 0)
    throw Error(ErrorCode::exists,
                name.file + ": is there already; --into puts one more array into it, --force replaces it with all that is in it");
  check_file_name(name.file, overwrite, input);
}

void check(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
           const FileIdentity& input) {
  check_place(name, plan_for(path, name, facts, wish), wish, overwrite, input);
}

}  // namespace crinkle::tool::hdf5
