// Variables of a file that is there.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/caret.hpp"
#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "formats/attributes.hpp"
#include "formats/child.hpp"
#include "formats/file.hpp"
#include "formats/netcdf/begin.hpp"
#include "formats/netcdf/conventions.hpp"
#include "formats/netcdf/library.hpp"
#include "formats/netcdf/netcdf.hpp"
#include "formats/netcdf/write.hpp"
#include "formats/text.hpp"

namespace crinkle::tool::netcdf {
namespace {

using Json = nlohmann::ordered_json;
using Name = std::array<char, NC_MAX_NAME + 1>;

std::string text_of(const std::string& text) { return is_utf8(text) ? text : utf8_of_latin1(text); }

File open_file(const std::string& path) {
  const Library nc;
  int id = -1;
  nc.check(nc->nc_open(path.c_str(), NC_NOWRITE, &id), path, "opening it");
  return File(id);
}

void read_attributes(int file, int variable, int n, DatasetFacts& facts) {
  constexpr std::size_t most_bytes = 1 << 20;
  const Library nc;
  Json said = Json::object();
  for (int k = 0; k < n; ++k) {
    Name name{};
    nc_type type = NC_NAT;
    std::size_t length = 0;
    nc.check(nc->nc_inq_attname(file, variable, k, name.data()), facts.path, "asking for its attributes");
    nc.check(nc->nc_inq_att(file, variable, name.data(), &type, &length), facts.path, "asking for its attributes");
    AttributeValue value;
    value.type = type_of(type, facts.path);
    if (length > most_bytes || (length == 0 && type != NC_CHAR)) {
      facts.notes.push_back(fmt::format("attribute '{}' has {} values, and stays behind", printable(name.data()), length));
      continue;
    }
    value.numbers.resize(length * static_cast<std::size_t>(value.type.bytes));
    if (length > 0) nc.check(nc->nc_get_att(file, variable, name.data(), value.numbers.data()), facts.path, "reading its attributes");
    const std::string key = text_of(name.data());
    if (type == NC_CHAR) {
      std::string text(reinterpret_cast<const char*>(value.numbers.data()), length);
      value.texts.push_back(text_of(text.substr(0, text.find('\0'))));
      value.numbers.clear();
    } else {
      facts.attribute_types[key] = value.type.descr;
      if (length != 1) value.extents.push_back(static_cast<std::int64_t>(length));
    }
    said[key] = json_of(value);
  }
  facts.attributes = std::make_shared<const Json>(std::move(said));
}

std::vector<std::string> variables_of(int file, const std::string& path) {
  const Library nc;
  int n_dimensions = 0, n = 0, n_attributes = 0, unlimited = -1;
  nc.check(nc->nc_inq(file, &n_dimensions, &n, &n_attributes, &unlimited), path, "asking what is in it");
  std::vector<std::string> names;
  for (int k = 0; k < n; ++k) {
    Name name{};
    nc.check(nc->nc_inq_var(file, k, name.data(), nullptr, nullptr, nullptr, nullptr), path, "asking for its variables");
    names.emplace_back(name.data());
  }
  return names;
}

class Variable final : public Dataset {
 public:
  Variable(const std::string& path, const DatasetName& name) : file_(open_file(name.file)) {
    const Library nc;
    facts_.path = path;
    facts_.place = name.file;
    facts_.inside = "/" + found(path, name);
    facts_.format = "netcdf 3";
    int n_axes = 0, n_attributes = 0, n_dimensions = 0, n_variables = 0, n_global = 0, unlimited = -1;
    nc_type type = NC_NAT;
    nc.check(nc->nc_inq(file_.get(), &n_dimensions, &n_variables, &n_global, &unlimited), path, "asking what is in it");
    nc.check(nc->nc_inq_varid(file_.get(), facts_.inside.c_str() + 1, &number_), path, "looking for the variable");
    nc.check(nc->nc_inq_var(file_.get(), number_, nullptr, &type, &n_axes, nullptr, &n_attributes), path, "asking for its axes");
    std::vector<int> dimensions(static_cast<std::size_t>(n_axes));
    nc.check(nc->nc_inq_var(file_.get(), number_, nullptr, nullptr, nullptr, dimensions.data(), nullptr), path, "asking for its axes");
    facts_.type = type_of(type, path);
    bool has_records = false;
    for (const int dimension : dimensions) {
      Name axis{};
      std::size_t extent = 0;
      nc.check(nc->nc_inq_dim(file_.get(), dimension, axis.data(), &extent), path, "asking for its axes");
      if (extent > INT64_MAX)
        throw Error(ErrorCode::too_large, fmt::format("{}: axis {} has {} elements", path, printable(axis.data()), extent));
      facts_.extents.push_back(static_cast<std::int64_t>(extent));
      facts_.axes.push_back(text_of(axis.data()));
      has_records = has_records || dimension == unlimited;
    }
    const std::int64_t n_bytes = Layout::dense(facts_.extents, facts_.type.bytes).n_bytes();  // throws too_large
    struct stat entry = {};
    if (::stat(name.file.c_str(), &entry) == 0 && n_bytes > entry.st_size)
      throw_bad_file(path, fmt::format("its elements take {} bytes, and the file has {}", n_bytes, entry.st_size));
    facts_.packing = has_records ? "record by record" : "contiguous";
    facts_.is_chunked = false;
    facts_.is_in_pieces = true;
    facts_.chunks = facts_.unit = rows_of(facts_.extents, facts_.type.bytes);
    facts_.stored_bytes = n_bytes;
    read_attributes(file_.get(), number_, n_attributes, facts_);
    take_for_bool(facts_);
    DatasetFacts of_file;
    of_file.path = path;
    read_attributes(file_.get(), NC_GLOBAL, n_global, of_file);
    add_around(facts_.around, "", *of_file.attributes);
  }

  void read(const Ranges& box, std::byte* into, const Extents& strides) const override {
    const Window window(box);
    const Layout dense = Layout::dense(window.extents, facts_.type.bytes);
    if (dense.n_bytes() == 0) return;
    std::vector<std::byte> bytes(static_cast<std::size_t>(dense.n_bytes()));
    {
      const Library nc;
      nc.check(nc->nc_get_vara(file_.get(), number_, window.first.data(), window.n.data(), bytes.data()), facts_.path, "reading it");
    }
    copy_box(window.extents, facts_.type.bytes, bytes.data(), dense.strides, into, strides);
  }

 private:
  std::string found(const std::string& path, const DatasetName& name) const {
    std::vector<std::string> names = variables_of(file_.get(), path);
    const std::string wished = name.inside.substr(
        name.inside.find_first_not_of('/') == std::string::npos ? name.inside.size() : name.inside.find_first_not_of('/'));
    if (std::find(names.begin(), names.end(), wished) != names.end()) return wished;
    if (wished.empty()) {  // the only one that is no axis
      std::vector<std::string> arrays;
      for (const std::string& variable : names)
        if (!is_axis(variable)) arrays.push_back(variable);
      if (arrays.size() == 1 || names.size() == 1) return arrays.empty() ? names[0] : arrays[0];
      if (names.empty()) throw_bad_file(path, "holds no arrays");
      const std::string& one = arrays.empty() ? names[0] : arrays[0];
      throw Error(ErrorCode::bad_notation,
                  fmt::format("{}: which of its arrays? it has {}: say so, as in {}:/{}", path, listed(names), name.file, printable(one)));
    }
    const std::string near = nearest_of(wished, names);
    throw Error(ErrorCode::bad_notation, fmt::format("{}: there is no array /{}; {}", name.file, printable(wished),
                                                     near.empty() ? "it has " + listed(names) : "did you mean /" + near + "?"));
  }

  static std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t k = 0; k < std::min<std::size_t>(names.size(), 30); ++k) text += (k == 0 ? "/" : " /") + names[k];
    return printable(names.empty() ? "none" : text, 2000);
  }

  // A variable of one axis with its name.
  bool is_axis(const std::string& variable) const {
    const Library nc;
    int number = -1, n_axes = 0;
    Name axis{};
    std::vector<int> dimensions(NC_MAX_VAR_DIMS);
    if (nc->nc_inq_varid(file_.get(), variable.c_str(), &number) != NC_NOERR ||
        nc->nc_inq_var(file_.get(), number, nullptr, nullptr, &n_axes, dimensions.data(), nullptr) != NC_NOERR || n_axes != 1)
      return false;
    return nc->nc_inq_dim(file_.get(), dimensions[0], axis.data(), nullptr) == NC_NOERR && variable == axis.data();
  }

  File file_;
  int number_ = -1;
};

void look_first(const std::string& path, const std::function<void()>& body) {
  const Library held;
  try_in_child(path, "NetCDF's library", body);
}

std::unique_ptr<Dataset> open(const std::string& path, const DatasetName& name) {
  look_first(path, [&] { Variable(path, name); });
  return std::make_unique<Variable>(path, name);
}

std::vector<DatasetNode> nodes_here(const DatasetName& name) {
  const Library nc;
  std::vector<DatasetNode> all;
  const File file = open_file(name.file);
  std::vector<std::string> names;
  if (name.inside.empty() || name.inside == "/") {
    DatasetNode root{"/", true, {}, {}};
    int n_dimensions = 0, n = 0, n_attributes = 0, unlimited = -1;
    nc.check(nc->nc_inq(file.get(), &n_dimensions, &n, &n_attributes, &unlimited), name.file, "asking what is in it");
    read_attributes(file.get(), NC_GLOBAL, n_attributes, root.facts);
    all.push_back(std::move(root));
    for (const std::string& variable : variables_of(file.get(), name.file)) names.push_back("/" + variable);
  } else {
    names.push_back(name.inside);
  }
  for (const std::string& inside : names) {
    DatasetNode node{inside, false, {}, {}};
    try {
      node.facts = Variable(name.file + ":" + inside, {name.file, inside}).facts();
    } catch (const Error& e) { node.why_not = e.what(); }
    all.push_back(std::move(node));
  }
  return all;
}

std::vector<DatasetNode> nodes(const DatasetName& name) {
  look_first(name.file, [&] { nodes_here(name); });
  return nodes_here(name);
}

}  // namespace

const DatasetFormat& format() {
  static constexpr DatasetFormat row = {"NetCDF-3",
                                        true,
                                        [] { return true; },
                                        [](const DatasetName& name) { return begins_like_netcdf3(name.file); },
                                        [](const std::string& file) { return is_netcdf3_name(file); },
                                        open,
                                        nodes,
                                        begin,
                                        check};
  return row;
}

}  // namespace crinkle::tool::netcdf
