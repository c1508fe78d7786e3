// crinkle records: records from one layout into another, from a file or several into one or several.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/caret.hpp"
#include "command_line/shared_options.hpp"
#include "files/file_names.hpp"
#include "files/picture.hpp"
#include "files/record_files.hpp"
#include "formats/dataset.hpp"
#include "formats/file.hpp"
#include "records/draw.hpp"
#include "running/several.hpp"
#include "verifying/verify_records.hpp"

namespace crinkle::tool::records_command {
namespace {

struct Options {
  std::string input, output, fields, from, to, byte_order;
  std::string picture;  // --draw
  std::int64_t offset = 0, count = 8;
  bool is_put = false;
  Running running;
};

void check_options(const Options& o) {
  o.running.check(o.output, "");                                       // what cannot be is refused before anything is opened
  check_names(o.input, InputIs::as_named, o.is_put ? "-" : o.output);  // what is put into keeps its form, whatever its name
  if (o.offset < 0) throw Error(ErrorCode::bad_notation, fmt::format("--offset {}: give 0 or more bytes", o.offset));
  if (o.is_put && o.output == "-") throw Error(ErrorCode::unsupported, "--put needs a file that is there, and - is standard output");
  if (!o.is_put && o.to.empty()) throw Error(ErrorCode::bad_notation, "--to is required: the layout of the output, as in --to 'x|y|z|p'");
}

// An order that --fields writes and a file contradicts.
void check_orders(const Fields& written, const RecordLayout& from) {
  for (const Field& field : written) {
    const RecordLayout::Place* place = from.find(field.name);
    const bool is_written = field.type.starts_with('<') || field.type.starts_with('>');
    if (place == nullptr || !is_written || place->field.item_bytes == 1 || place->field.is_big_endian == field.is_big_endian) continue;
    throw Error(ErrorCode::bad_shape, fmt::format("field '{}' is {} in the file, not {} as --fields says; --byte-order is for the output",
                                                  field.name, place->field.type, field.type));
  }
}

// The fields as the output has them: without gaps, in its byte order.
RecordFields output_fields(const RecordFields& fields, const std::string& byte_order, const RecordLayout* to) {
  RecordFields all;
  for (const RecordField& field : fields) {
    if (field.is_gap) continue;
    const bool is_written = to == nullptr || to->find(field.field.name) != nullptr;
    all.push_back(byte_order.empty() || !is_written ? field : with_byte_order(field, byte_order == "big" ? '>' : '<'));
  }
  return all;
}

RecordLayout output_layout(const Options& o, const RecordFields& fields, const RecordLayout& from) {
  RecordLayout to = RecordLayout::parse(o.to, layout_fields(fields));
  for (const RecordLayout::Place& place : to.places()) {
    if (from.find(place.field.name) != nullptr) continue;
    throw Error(ErrorCode::bad_shape, "field '" + place.field.name + "' of --to " + to.print() + " is not in " + from.print() +
                                          "; --put writes the others into records that are there");
  }
  return to;
}

// Through a structure of arrays of the fields that both have, where each has others, too.
Rearrangement conversion(const RecordLayout& from, const RecordLayout& to, std::int64_t n, const RecordOptions& storage) {
  const auto is_in = [](const RecordLayout& layout) {
    return [&layout](const RecordLayout::Place& place) { return layout.find(place.field.name) != nullptr; };
  };
  const auto& of_from = from.places();
  const auto& of_to = to.places();
  if (std::all_of(of_from.begin(), of_from.end(), is_in(to)) || std::all_of(of_to.begin(), of_to.end(), is_in(from)))
    return convert_records(from, to, n, storage);
  Fields fields;
  std::vector<FieldGroup> groups;
  for (const RecordLayout::Place& place : of_from) {
    if (!is_in(to)(place)) continue;
    fields.push_back(place.field);
    groups.push_back({{place.field.name}});
  }
  if (fields.empty())
    throw Error(ErrorCode::bad_shape, "no field of " + to.print() + " is in " + from.print() + "; there is nothing to put");
  const RecordLayout between(fields, groups);
  RecordOptions first = storage, second = storage;
  first.to = second.from = Storage::together;
  return convert_records(from, between, n, first).then(convert_records(between, to, n, second));
}

void verify(const RecordSpans& in, const RecordSpans* before, const RecordSpans& out, const std::vector<std::string>& paths,
            Executor& executor) {
  const std::optional<WrongField> wrong = first_wrong(in, before, out, executor);
  if (!wrong) return;
  throw Error(ErrorCode::bad_file,
              fmt::format("{}: field '{}' of record {} is not what the conversion should have written",
                          paths[out.storage == Storage::apart ? wrong->place.group : 0], wrong->place.field.name, wrong->record));
}

void check_put(const Options& o, const RecordFiles& in, const RecordFiles& out) {
  const Source& first = *out.sources[0];
  if (out.n != in.n) {
    throw Error(ErrorCode::bad_shape, fmt::format("{} holds {} records, and {} holds {}; --put needs as many", in.sources[0]->facts().path,
                                                  in.n, first.facts().path, out.n));
  }
  for (const auto& source : out.sources)
    if (!o.byte_order.empty() && source->facts().format == "npy")
      throw Error(ErrorCode::bad_notation, "--byte-order is for new and raw files; " + source->facts().path + " says its own");
}

void draw_layout(const Options& o) {
  if (o.from.empty() == o.to.empty()) throw Error(ErrorCode::bad_notation, "--draw shows one layout: give --from or --to, and --fields");
  if (o.fields.empty()) throw Error(ErrorCode::bad_notation, "--draw needs --fields, as in --fields 'x:f4 y:f4'");
  const RecordLayout layout = RecordLayout::parse(o.from.empty() ? o.to : o.from, parse_fields(o.fields));
  write_picture(o.picture, records::draw_records(layout, o.count), o.running.is_forced);
}

void run_records(const Options& o) {
  if (!o.picture.empty()) {
    if (!o.input.empty()) throw Error(ErrorCode::bad_notation, "--draw takes no files: it shows where a layout's bytes lie");
    return draw_layout(o);
  }
  if (o.input.empty() || o.output.empty()) throw Error(ErrorCode::bad_notation, "records needs INPUT and OUTPUT, or --draw PICTURE.svg");
  check_options(o);
  const Fields written = o.fields.empty() ? Fields() : parse_fields(o.fields);
  RecordFields fields = record_fields(written);
  const auto opening = make_executor(o.running.threads);
  const RecordFiles in = open_records({o.input, o.from, "--from", o.offset, {}, opening.get(), o.running.is_verified}, fields);
  check_orders(written, in.layout);

  // The destination of the fields: files that are there, or new ones.
  std::optional<RecordFiles> there;
  std::optional<RecordLayout> to;
  RecordFields of_output = output_fields(fields, "", nullptr);
  if (o.is_put) {
    of_output = output_fields(fields, o.byte_order, &in.layout);
    std::set<std::string> taken;
    for (const RecordField& field : fields) taken.insert(field.field.name);
    there.emplace(open_records({o.output, o.to, "--to", 0, taken}, of_output));
    check_put(o, in, *there);
    to = there->layout;
  } else {
    to = output_layout(o, of_output, in.layout);
    of_output = output_fields(of_output, o.byte_order, &*to);
    to = RecordLayout(layout_fields(of_output), to->groups());
  }
  const Storage storage = storage_of(o.output);
  const std::vector<std::string> paths = paths_of(o.output, *to);
  for (const std::string& path : paths)
    if (names_dataset(path)) refuse(path + ": records are not written into stores or pictures; name .npy or a raw file");

  SeveralFiles files;
  for (const auto& source : in.sources) files.inputs.push_back(source.get());
  if (there) {
    for (std::size_t k = 0; k < paths.size(); ++k) {
      const std::span<const std::byte> bytes = there->sources[k]->bytes();
      files.outputs.push_back({paths[k], {{std::ssize(bytes)}, element_type("|u1"), nullptr, nullptr, true}, there->begins[k], bytes});
    }
  } else {
    const std::vector<OutputFacts> facts = facts_of_records(paths, *to, of_output, in.n, in.shape);
    for (std::size_t k = 0; k < paths.size(); ++k) files.outputs.push_back({paths[k], facts[k]});
  }
  files.what = fmt::format("{}: {} records of {} bytes, {} -> {}: {} bytes, {}", enumerated(paths_of(o.input, in.layout)), in.n,
                           in.layout.record_bytes(), in.layout.print(), enumerated(paths), to->record_bytes(), to->print());
  const RecordSpans source = in.spans();
  std::optional<RecordSpans> before;
  if (there) before = there->spans();
  files.verify = [&](std::span<const std::span<std::byte>> outputs, Executor& executor) {
    verify(source, before ? &*before : nullptr, {*to, storage, in.n, {outputs.begin(), outputs.end()}}, paths, executor);
  };
  std::vector<ConstBuffer> buffers;
  for (const auto& span : source.spans) buffers.push_back({span.data(), std::ssize(span)});
  Running running = o.running;
  running.is_forced = running.is_forced || o.is_put;
  const Padding padding = there ? Padding::keep : Padding::zero;  // a new file has zeros there in any case
  run_several(conversion(in.layout, *to, in.n, {in.storage, storage, padding}), buffers, files, running);
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("records", "Bring records into another layout");
  c.argument("INPUT", o->input, "raw, or a structured .npy; {} in it: one file a group of fields, named by its first")
      .file()
      .manual("A *.npy* file in Fortran order is brought into C order first, in memory.");
  c.argument("OUTPUT", o->output, "raw, .npy by its name, or - for raw on standard output; {} as in INPUT").file();
  add_fields(c, o->fields);
  c.option("--from", "LAYOUT", o->from, "the layout of the input; a structured .npy has its own");
  c.option("--to", "LAYOUT", o->to, "the layout of the output: '(x y)@8|id', 'x|y|id', '(x y id)*8'; it may leave fields out");
  c.flag("--put", o->is_put, "write the fields into an output that exists, whose other fields stay")
      .manual("It has as many records, of the layout `--to`, and is replaced when the new one is complete.");
  add_byte_order(c, o->byte_order, "of the output: little or big");
  c.option("--offset", "BYTES", o->offset, "of a raw input: bytes before the records");
  c.option("--draw", "FILE", o->picture, "instead, a picture of where every byte of --from or --to lies")
      .file({".svg"})
      .manual("Padding is hatched.");
  c.option("--count", "N", o->count, "of --draw: how many records");
  o->running.add_to(c);
  c.notes =
      "A layout is groups of fields: (x y z) lie together in every record, | begins an array of its own, *8 makes blocks of 8\n"
      "records, @16 aligns. Padding is never copied. A name of other signs than letters, digits and _ stands in quotes: \"('a b' x)\".\n";
  c.examples = {"crinkle records --fields 'x:f4 y:f4 z:f4 p:f4' --from '(x y z p)' --to 'x|y|z|p' particles.raw planes.raw --verify",
                "crinkle records --fields 'x:f4 y:f4 z:f4 p:f4' --from '(x y z p)' --to '(x y z)|p' particles.raw 'particles_{}.npy'",
                "crinkle records --fields 'x:f4 y:f4 z:f4' --to '(x y)@16|z' --draw hybrid.svg",
                "crinkle records --to '(y x)*8' points.npy blocks.raw",
                "crinkle records --put --fields 'x:f4 y:f4 z:f4 p:f4' --from p --to '(x y z p)' pressure.raw particles.raw"};
  c.action = [o] { run_records(*o); };
  return c;
}

const Registered registered(20, declare);

}  // namespace
}  // namespace crinkle::tool::records_command
