// SPDX-License-Identifier: BSD-3-Clause
#include "formats/netcdf/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "formats/attributes.hpp"
#include "formats/file.hpp"
#include "formats/netcdf/conventions.hpp"
#include "formats/netcdf/library.hpp"
#include "formats/temporary.hpp"

namespace crinkle::tool::netcdf {
namespace {

std::string base_of(const std::string& inside) { return inside.substr(inside.rfind('/') + 1); }

DatasetFacts planned(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish) {
  DatasetFacts f = facts;
  f.notes.clear();
  if (wish.is_into)
    throw Error(ErrorCode::unsupported, path + ": a NetCDF-3 file has no room for one more array; --into is of .nc (NetCDF-4) and HDF5");
  if (!wish.chunks.empty() || !wish.read_along.empty() || !wish.shards.empty() || (!wish.filter.empty() && wish.filter != "none"))
    throw Error(ErrorCode::bad_notation,
                path + ": NetCDF-3 is stored in one piece, not packed; --chunks and --filter are of .nc (NetCDF-4), HDF5 and .zarr");
  std::string inside = name.inside == "/" ? "" : name.inside;
  if (inside.empty()) inside = "/" + (base_of(facts.inside).empty() ? "data" : base_of(facts.inside));
  if (inside.find('/', 1) != std::string::npos || inside.size() < 2 || inside.size() > NC_MAX_NAME)
    throw Error(ErrorCode::bad_notation, fmt::format("{}: '{}' is no name of a variable; NetCDF-3 has no groups", path, inside));
  f.inside = inside;
  f.axes.resize(f.extents.size());
  fit_types(f, path);
  if (f.type.descr.front() == '>')
    throw Error(ErrorCode::unsupported, path +
                                            ": its elements have the high byte first, and those of NetCDF-3 are read in the machine's "
                                            "order; --byte-order little swaps them");
  f.format = "netcdf 3";
  f.packing = "contiguous";
  f.is_chunked = false;
  f.is_in_pieces = true;
  f.chunks = f.unit = rows_of(f.extents, f.type.bytes);
  f.fill.clear();
  return f;
}

void check_place(const DatasetName& name, Overwrite overwrite, const FileIdentity& input) { check_file_name(name.file, overwrite, input); }

bool is_of_the_fifth(const ElementType& type) {
  const nc_type known = type_for(type);
  return known != NC_NAT && known > NC_DOUBLE;
}

/// Files with numbers of 64 bits or unsigned ones, or large ones, are of the fifth version; others of the second, which all readers know.
bool needs_the_fifth(const DatasetFacts& facts) {
  bool is_new = is_of_the_fifth(facts.type) || Layout::dense(facts.extents, facts.type.bytes).n_bytes() >= (std::int64_t{1} << 32) - 4;
  for (const auto& coordinates : facts.coordinates) is_new = is_new || (coordinates != nullptr && is_of_the_fifth(coordinates->facts.type));
  return is_new;
}

/// The attribute, its whole numbers in 32 bits where the file has no others.
AttributeValue value_for(const std::string& name, const nlohmann::ordered_json& said, DatasetFacts facts, bool is_fifth) {
  AttributeValue value = attribute_value(name, said, facts, true);
  if (is_fifth || value.numbers.empty() || !is_of_the_fifth(value.type)) return value;
  facts.attribute_types.erase(name);
  value = attribute_value(name, said, facts, true);
  if (is_of_the_fifth(value.type)) throw Error(ErrorCode::unsupported, "classic NetCDF has no numbers of type " + value.type.name);
  return value;
}

class NewVariable final : public NewDataset {
 public:
  NewVariable(DatasetFacts facts, const DatasetName& name, const DatasetWish& wish, Overwrite overwrite, const FileIdentity& input)
      : made_file_(name.file, 0, overwrite, input, Replaced::all, GoingOn{wish.is_resumed, wish.request}) {
    facts_ = std::move(facts);
    is_fifth_ = needs_the_fifth(facts_);
    if (made_file_.goes_on(facts_.extents, {})) open_file();
    else make_file();
    made_file_.begin_parts(facts_.extents, {});
  }

  bool has(const Ranges& box) const override { return made_file_.has(box); }
  void finish(const Ranges& box) override {
    const Library nc;
    nc.check(nc->nc_sync(file_.get()), facts_.path, "writing");  // what the library still has
    made_file_.finish(box);
  }

  void write(const Ranges& box, const std::byte* from, const Extents& strides) override {
    const Window window(box);
    const Layout dense = Layout::dense(window.extents, facts_.type.bytes);
    if (dense.n_bytes() == 0) return;
    std::vector<std::byte> plain(static_cast<std::size_t>(dense.n_bytes()));
    copy_box(window.extents, facts_.type.bytes, from, strides, plain.data(), dense.strides);
    const Library nc;
    nc.check(nc->nc_put_vara(file_.get(), number_, window.first.data(), window.n.data(), plain.data()), facts_.path, "writing");
  }

  void commit() override {
    file_.close(facts_.path);
    made_file_.rename_to_output();
  }
  void withdraw() noexcept override { made_file_.withdraw(); }

 private:
  /// The header of a run before is whole.
  void open_file() {
    const Library nc;
    int id = -1, before = 0;
    nc.check(nc->nc_open(made_file_.path().c_str(), NC_WRITE, &id), facts_.path, "opening what was left");
    file_ = File(id);
    nc.check(nc->nc_set_fill(id, NC_NOFILL, &before), facts_.path, "opening what was left");
    nc.check(nc->nc_inq_varid(id, base_of(facts_.inside).c_str(), &number_), facts_.path, "opening what was left");
  }

  void make_file() {
    const Library nc;
    const std::string& path = facts_.path;
    int id = -1, before = 0;
    nc.check(nc->nc_create(made_file_.path().c_str(), NC_CLOBBER | (is_fifth_ ? NC_64BIT_DATA : NC_64BIT_OFFSET), &id), path, "making it");
    file_ = File(id);
    nc.check(nc->nc_set_fill(id, NC_NOFILL, &before), path, "making it");
    std::vector<int> dimensions = define_axes();
    nc.check(nc->nc_def_var(id, base_of(facts_.inside).c_str(), type_for(facts_.type), static_cast<int>(dimensions.size()),
                            dimensions.data(), &number_),
             path, "making the variable");
    write_attributes(number_, facts_);
    nc.check(nc->nc_enddef(id), path, "writing its header");
    for (const auto& [variable, coordinates] : of_axes_) {
      const std::vector<std::byte> elements = in_machine_order(coordinates->elements, coordinates->facts.type);
      const std::size_t first = 0, n = static_cast<std::size_t>(coordinates->facts.extents.at(0));
      if (n > 0) nc.check(nc->nc_put_vara(id, variable, &first, &n, elements.data()), path, "writing coordinates");
    }
    nc.check(nc->nc_sync(id), path, "writing its header");
  }

  std::vector<int> define_axes() {
    const Library nc;
    const std::vector<std::string> names = names_of_dimensions(facts_, facts_.notes);
    std::vector<int> dimensions;
    for (std::size_t a = 0; a < names.size(); ++a) {
      const auto before = std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(a), names[a]) - names.begin();
      if (before < static_cast<std::ptrdiff_t>(a)) {
        dimensions.push_back(dimensions[static_cast<std::size_t>(before)]);
        continue;
      }
      if (facts_.extents[a] == 0) throw Error(ErrorCode::unsupported, facts_.path + ": NetCDF-3 has no axis without elements");
      int dimension = -1;
      nc.check(nc->nc_def_dim(file_.get(), names[a].c_str(), static_cast<std::size_t>(facts_.extents[a]), &dimension), facts_.path,
               "making the axis " + names[a]);
      dimensions.push_back(dimension);
      const Coordinates* const coordinates =
          a < facts_.coordinates.size() && names[a] == facts_.axes[a] ? facts_.coordinates[a].get() : nullptr;
      if (coordinates == nullptr || names[a] == base_of(facts_.inside)) continue;
      const nc_type type = type_for(coordinates->facts.type);
      if (type == NC_NAT) {
        facts_.notes.push_back(fmt::format("the coordinates of axis '{}' stay behind: NetCDF-3 has no type for them", names[a]));
        continue;
      }
      int variable = -1;
      nc.check(nc->nc_def_var(file_.get(), names[a].c_str(), type, 1, &dimension, &variable), facts_.path, "making the axis " + names[a]);
      write_attributes(variable, coordinates->facts);
      of_axes_.emplace_back(variable, coordinates);
    }
    return dimensions;
  }

  void write_attributes(int variable, const DatasetFacts& facts) {
    const Library nc;
    if (facts.attributes == nullptr) return;
    for (const auto& [name, said] : facts.attributes->items()) {
      try {
        const AttributeValue value = value_for(name, said, facts, is_fifth_);
        if (!value.texts.empty()) {
          if (!value.extents.empty()) throw Error(ErrorCode::unsupported, "NetCDF-3 has no lists of texts");
          nc.check(nc->nc_put_att(file_.get(), variable, name.c_str(), NC_CHAR, value.texts[0].size(), value.texts[0].data()), name,
                   "writing it");
          continue;
        }
        if (value.extents.size() > 1) throw Error(ErrorCode::unsupported, "NetCDF-3 has no lists of lists");
        const nc_type type = value.type.descr == "|b1" ? NC_BYTE : type_for(value.type);
        if (type == NC_NAT) throw Error(ErrorCode::unsupported, "NetCDF-3 has no type for it");
        const std::vector<std::byte> numbers = in_machine_order(value.numbers, value.type);
        nc.check(nc->nc_put_att(file_.get(), variable, name.c_str(), type, numbers.size() / static_cast<std::size_t>(value.type.bytes),
                                numbers.data()),
                 name, "writing it");
      } catch (const Error& e) { facts_.notes.push_back(fmt::format("attribute '{}' stays behind: {}", printable(name), e.what())); }
    }
  }

  static std::vector<std::byte> in_machine_order(std::vector<std::byte> bytes, const ElementType& type) {
    if (type.descr.front() != '>') return bytes;
    for (auto at = bytes.begin(); at != bytes.end(); at += type.bytes) std::reverse(at, at + type.bytes);
    return bytes;
  }

  Temporary made_file_;
  File file_;
  int number_ = -1;
  bool is_fifth_ = false;
  std::vector<std::pair<int, const Coordinates*>> of_axes_;  // variables of coordinates
};

}  // namespace

void check(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
           const FileIdentity& input) {
  planned(path, name, facts, wish);
  check_place(name, overwrite, input);
}

std::unique_ptr<NewDataset> begin(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish,
                                  Overwrite overwrite, const FileIdentity& input) {
  return std::make_unique<NewVariable>(planned(path, name, facts, wish), name, wish, overwrite, input);
}

}  // namespace crinkle::tool::netcdf
