// SPDX-License-Identifier: BSD-3-Clause
#include "files/record_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "base/caret.hpp"
#include "base/checked.hpp"
#include "files/arrays.hpp"
#include "files/file_names.hpp"
#include "formats/dataset.hpp"
#include "formats/file.hpp"

namespace crinkle::tool {
namespace {

constexpr std::string_view mark = "{}";

/// The layout of file k of n_files.
RecordLayout layout_in(const RecordLayout& layout, std::size_t k, std::size_t n_files, const RecordFields& fields) {
  return n_files == 1 && layout.n_groups() > 1 ? layout : RecordLayout(layout_fields(fields), {layout.groups()[k]});
}

bool is_one_field(const RecordLayout& layout) {
  return layout.places().size() == 1 && layout.groups()[0].block == 1 && layout.record_bytes() == layout.useful_bytes();
}

/// "f4" of "<f4"; "" of a structure.
std::string code_of(const ElementType& type) { return type.is_structured() ? "" : type.descr.substr(1); }

/// One type but for the order of its bytes, or bytes of any meaning (V).
bool are_alike(const ElementType& a, const ElementType& b) {
  return code_of(a) == code_of(b) || code_of(a).starts_with('V') || code_of(b).starts_with('V');
}

/// Puts what a file says of a field in the place of what was known. Throws bad_shape for a field of another type.
void learn(RecordFields& fields, const RecordField& said, const std::string& path) {
  RecordField* known = find(fields, said.field.name);
  if (known == nullptr) {
    fields.push_back(said);
    return;
  }
  if (known->field.bytes() != said.field.bytes() || !are_alike(known->element, said.element)) {
    throw Error(ErrorCode::bad_shape,
                fmt::format("{}: field '{}' is {} there, not {}", path, printable(said.field.name), said.field.type, known->field.type));
  }
  *known = said;
}

/// The number of axes of records, before those of a field that is an array; nothing if they are not of this field.
std::optional<std::size_t> rank_of_records(const ArrayFacts& facts, const RecordField& field) {
  std::size_t rank = facts.layout.extents.size();
  std::int64_t bytes = facts.type.bytes;
  while (bytes < field.field.bytes() && rank > 0 && facts.layout.extents[rank - 1] > 0)
    bytes = multiply(bytes, facts.layout.extents[--rank]);
  if (!are_alike(facts.type, field.element) || bytes != field.field.bytes()) return {};
  return rank;
}

/// Every field of the layout lies where the type of the file has it.
void check_type(const RecordLayout& layout, const RecordRequest& request, const ArrayFacts& facts, RecordFields& said) {
  const auto refuse = [&](const std::string& text) {
    throw Error(ErrorCode::bad_shape, facts.path + ": " + request.option + " " + layout.print() +
                                          " does not lie as the file's type says: " + text +
                                          (request.option == "--from" ? "; without --from it is as in the file" : ""));
  };
  if (layout.n_groups() > 1 || layout.groups()[0].block > 1)
    refuse("there the records lie one behind the other, all fields of each together");
  for (const RecordLayout::Place& place : layout.places()) {
    const RecordField* field = find(said, place.field.name);
    if (field == nullptr) refuse("it has no field '" + printable(place.field.name) + "'");
    std::int64_t at = 0;
    for (const RecordField* f = said.data(); f != field; ++f) at += f->field.bytes();
    if (at != place.offset)
      refuse(fmt::format("field '{}' begins at byte {} of a record there, not {}", place.field.name, at, place.offset));
  }
  if (layout.record_bytes() != facts.type.bytes)
    refuse(fmt::format("a record is {} bytes there, not {}", facts.type.bytes, layout.record_bytes()));
}

/// One file: how many records, and their shape. The fields are as the file says them then.
struct Opened {
  std::int64_t n = 0;
  Extents shape;
};

Opened count_raw(const RecordLayout& layout, const ArrayFacts& facts) {
  try {
    const std::int64_t n = layout.count(facts.layout.extents[0]);
    return {n, {n}};
  } catch (const Error& error) {
    const std::string behind = facts.layout.offset > 0 ? fmt::format(" behind --offset {}", facts.layout.offset) : "";
    throw Error(error.code(), facts.path + behind + ": " + error.what());
  }
}

Opened count_npy(const RecordLayout& layout, const RecordRequest& request, const ArrayFacts& facts, RecordFields& fields) {
  Layout from_data = facts.layout;
  from_data.offset = 0;
  if (!from_data.is_dense()) {
    throw Error(ErrorCode::unsupported,
                facts.path + ": is in Fortran order, and --put writes into C order, which crinkle move '... -> ...' brings it into");
  }
  const Extents& x = facts.layout.extents;
  if (is_one_field(layout)) {
    RecordField& field = *find(fields, layout.places()[0].field.name);
    if (const std::optional<std::size_t> rank = rank_of_records(facts, field)) {
      const Extents shape(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(*rank));
      if (facts.type.has_parts && facts.type.parts[0].order != '|' && field.field.item_bytes > 1)
        field = with_byte_order(field, facts.type.parts[0].order);
      return {Layout::dense(shape, 1).n_elements(), shape};
    }
    if (!facts.type.is_structured()) {
      throw Error(ErrorCode::bad_shape, fmt::format("{}: {} of {} is no array of field '{}', which is {}", facts.path, print_shape(x),
                                                    spelled(facts.type), field.field.name, field.field.type));
    }
  }
  if (!facts.type.is_structured()) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: holds {}, no records; with {{}} in its name a file has one field, and --offset {} reads its data as raw",
                            facts.path, spelled(facts.type), facts.layout.offset));
  }
  RecordFields said = record_fields(facts.type, request.taken);
  for (const RecordField& field : said) {
    if (!field.is_gap) learn(fields, field, facts.path);
  }
  check_type(layout, request, facts, said);
  return {facts.layout.n_elements(), x};
}

bool is_structured_npy(const Source& source) { return source.facts().format == "npy" && source.facts().type.is_structured(); }

/// The layout of one file that says itself what is in it: its fields, gaps included, one behind the other.
RecordLayout layout_of_type(const Source& source, const RecordRequest& request, RecordFields& fields) {
  FieldGroup group;
  for (const RecordField& field : record_fields(source.facts().type, request.taken)) {
    learn(fields, field, source.facts().path);
    group.fields.push_back(field.field.name);
  }
  return {layout_fields(fields), {group}};
}

}  // namespace

Storage storage_of(const std::string& name) { return name.find(mark) == std::string::npos ? Storage::together : Storage::apart; }

std::vector<std::string> paths_of(const std::string& name, const RecordLayout& layout) {
  if (storage_of(name) == Storage::together) return {name};
  std::vector<std::string> paths;
  for (const FieldGroup& group : layout.groups()) {
    check_field_in_path(group.fields[0]);
    std::string path = name;
    for (std::size_t at = path.find(mark); at != std::string::npos; at = path.find(mark, at + group.fields[0].size()))
      path.replace(at, mark.size(), group.fields[0]);
    paths.push_back(std::move(path));
  }
  return paths;
}

RecordSpans RecordFiles::spans() const {
  RecordSpans all{layout, storage, n, {}};
  for (std::size_t k = 0; k < sources.size(); ++k) all.spans.push_back(sources[k]->bytes().subspan(static_cast<std::size_t>(begins[k])));
  return all;
}

RecordFiles open_records(const RecordRequest& asked, RecordFields& fields) {
  RecordRequest request = asked;
  for (const RecordField& field : fields) request.taken.insert(field.field.name);
  std::vector<std::unique_ptr<Source>> sources;
  const Storage storage = storage_of(request.name);
  const auto open = [&](const std::string& path) {
    if (request.offset == 0 && is_dataset(path))
      throw Error(ErrorCode::unsupported, path +
                                              ": is a file of arrays, and records are .npy or raw; crinkle move brings an array of it into "
                                              ".npy: crinkle move '... -> ...' " +
                                              path + " OUT.npy");
    auto source = Source::open_npy_or_bytes(path, request.offset);
    return request.executor == nullptr ? std::move(source) : in_c_order(std::move(source), *request.executor, request.is_verified);
  };
  if (storage == Storage::together) sources.push_back(open(request.name));
  const bool is_typed = storage == Storage::together && is_structured_npy(*sources[0]);
  if (!is_typed && (fields.empty() || request.layout.empty())) {
    const std::string what = storage == Storage::apart ? ": one file a group needs "
                             : request.offset > 0      ? ": --offset reads the file as raw, which needs "
                                                       : ": is no structured .npy and needs ";
    throw Error(ErrorCode::bad_notation, request.name + what + (fields.empty() ? "--fields 'x:f4 y:f4 …' and " : "") + request.option);
  }
  const RecordLayout of_type =
      is_typed ? layout_of_type(*sources[0], request, fields) : RecordLayout::parse(request.layout, layout_fields(fields));
  const RecordLayout layout = request.layout.empty() ? of_type : RecordLayout::parse(request.layout, layout_fields(fields));
  const std::vector<std::string> paths = paths_of(request.name, layout);
  for (std::size_t k = sources.size(); k < paths.size(); ++k) sources.push_back(open(paths[k]));

  RecordFiles files{layout, storage, 0, {}, {}, {}};
  for (std::size_t k = 0; k < paths.size(); ++k) {
    const ArrayFacts& facts = sources[k]->facts();
    const RecordLayout part = layout_in(layout, k, paths.size(), fields);
    const Opened opened = facts.format == "npy" ? count_npy(part, request, facts, fields) : count_raw(part, facts);
    if (k > 0 && opened.n != files.n) {
      throw Error(ErrorCode::bad_shape, fmt::format("{} holds {} records, and {} holds {}; they belong to the same records", paths[0],
                                                    files.n, paths[k], opened.n));
    }
    files.n = opened.n;
    if (k == 0) files.shape = opened.shape;
    else if (opened.shape != files.shape && facts.format == "npy" && sources[0]->facts().format == "npy") {
      throw Error(ErrorCode::bad_shape, fmt::format("{} holds {} of records, and {} holds {}; they belong to the same records", paths[0],
                                                    print_shape(files.shape), paths[k], print_shape(opened.shape)));
    } else if (opened.shape != files.shape) files.shape = {opened.n};
    files.begins.push_back(facts.layout.offset);
  }
  files.sources = std::move(sources);
  files.layout = RecordLayout(layout_fields(fields), layout.groups());  // with the byte orders that the files say
  return files;
}

std::vector<OutputFacts> facts_of_records(const std::vector<std::string>& paths, const RecordLayout& layout, RecordFields& fields,
                                          std::int64_t n, const Extents& shape) {
  std::vector<OutputFacts> all;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    const std::string& path = paths[k];
    const RecordLayout part = layout_in(layout, k, paths.size(), fields);
    if (path.ends_with(".png") || path.ends_with(".nii") || path.ends_with(".nii.gz"))
      throw Error(ErrorCode::unsupported, path + ": records are written as .npy, or raw as .raw, .bin, .dat or -");
    if (!path.ends_with(".npy")) {
      all.push_back({{part.bytes(n)}, element_type("|u1")});
      continue;
    }
    if (part.n_groups() > 1) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: .npy cannot hold the {} groups of {} one behind the other; put {{}} in the name for a "
                              "file a group, or write raw, as .raw",
                              path, part.n_groups(), part.print()));
    }
    if (part.groups()[0].block > 1) {
      throw Error(ErrorCode::unsupported, path + ": .npy cannot hold the blocks of " + part.print() + "; write raw, as .raw");
    }
    if (part.record_bytes() > std::numeric_limits<std::int32_t>::max()) {
      throw Error(ErrorCode::too_large, fmt::format("{}: .npy cannot hold records of {} bytes, {}: a type has at most {}; write raw under "
                                                    "another name, such as .raw",
                                                    path, part.record_bytes(), part.print(), std::numeric_limits<std::int32_t>::max()));
    }
    if (!is_one_field(part)) {
      all.push_back({shape, element_type(descr_of(part, fields))});
      continue;
    }
    const RecordField& field = *find(fields, part.places()[0].field.name);
    Extents extents = shape;
    extents.insert(extents.end(), field.extents.begin(), field.extents.end());
    all.push_back({extents, field.element});
  }
  return all;
}

}  // namespace crinkle::tool
