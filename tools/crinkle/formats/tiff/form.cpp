// SPDX-License-Identifier: BSD-3-Clause
#include "formats/tiff/form.hpp"

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/checked.hpp"
#include "crinkle/error.hpp"

namespace crinkle::tool::tiff {
namespace {

constexpr std::string_view counting_names = "tzc";  // in ImageJ's order

[[noreturn]] void refuse_form(const std::string& path, const std::string& what) { throw Error(ErrorCode::unsupported, path + ": " + what); }

void set_type(Form& form, const std::string& path, const ElementType& type) {
  const std::string& name = type.name;
  const bool is_number = name.starts_with("uint") || name.starts_with("int") || name.starts_with("float") || name.starts_with("complex");
  if (type.is_structured() || (!is_number && name != "bool") || type.bytes > 16 || (name.starts_with("float") && type.bytes > 8))
    refuse_form(path, fmt::format("a TIFF of {} is not written; write .npy or .zarr", spelled(type)));
  form.type = type.bytes == 1 || type.descr[0] == native_order ? type : with_byte_order(type, native_order);
  form.bits = name == "bool" ? 1 : static_cast<int>(8 * type.bytes);
  form.format = name.starts_with("uint") || name == "bool" ? SAMPLEFORMAT_UINT
                : name.starts_with("int")                  ? SAMPLEFORMAT_INT
                : name.starts_with("float")                ? SAMPLEFORMAT_IEEEFP
                                                           : SAMPLEFORMAT_COMPLEXIEEEFP;
}

void set_axes(Form& form, const std::string& path, const DatasetFacts& facts) {
  const std::size_t rank = facts.extents.size();
  const std::vector<std::string>& names = facts.axes;
  form.has_samples = rank >= 3 && (names[rank - 1] == "c" || names[rank - 1] == "s") && names[rank - 2] == "x" && names[rank - 3] == "y" &&
                     facts.extents[rank - 1] <= UINT16_MAX;
  const std::size_t n_of_picture = std::min<std::size_t>(rank, form.has_samples ? 3 : 2);
  form.n_left_out = rank < 2 ? 2 - rank : 0;
  form.counting.assign(facts.extents.begin(), facts.extents.end() - static_cast<std::ptrdiff_t>(n_of_picture));
  const auto from_end = [&](std::size_t k) { return facts.extents[rank - k]; };
  if (form.has_samples) form.samples = from_end(1);
  const std::size_t shift = form.has_samples ? 1 : 0;
  if (rank > shift) form.columns = from_end(1 + shift);
  if (rank > 1 + shift) form.rows = from_end(2 + shift);
  constexpr std::int64_t most_pictures = 1 << 20;
  if (Layout::dense(facts.extents, 1).n_bytes() == 0) refuse_form(path, "pictures of no elements are not written; write .npy or .zarr");
  if (form.n_pictures() > most_pictures)
    refuse_form(path, fmt::format("{} pictures of {} x {}, and readers take {}: other axes last make fewer, or write .zarr",
                                  form.n_pictures(), form.rows, form.columns, most_pictures));
  if (form.rows > INT32_MAX || form.columns > INT32_MAX)
    refuse_form(path, fmt::format("pictures of {} x {}, which readers do not take; write .npy or .zarr", form.rows, form.columns));
  const bool is_colour =
      form.has_samples && (form.samples == 3 || form.samples == 4) && (form.type.name == "uint8" || form.type.name == "uint16");
  form.photometric = is_colour ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
}

void set_pieces(Form& form, const std::string& path, const DatasetFacts& facts, const DatasetWish& wish) {
  constexpr std::int64_t usual = 1 << 20;  // bytes of a strip
  const std::int64_t row_bytes = multiply(multiply(form.columns, form.samples), form.type.bytes);
  form.piece_columns = form.columns;
  form.piece_rows = std::clamp<std::int64_t>(usual / row_bytes, 1, form.rows);
  if (!wish.chunks.empty() && form.n_left_out > 0)
    throw Error(ErrorCode::bad_shape,
                fmt::format("--chunks {}: an array of {} axes has no rows and columns", wish.chunks, facts.extents.size()));
  const std::array<std::int64_t, 2> piece = piece_of_words(wish, facts, form.counting.size());
  if (piece[0] > 0) {
    form.is_tiled = piece[1] < form.columns;
    form.piece_rows = form.is_tiled ? piece[0] : std::min(piece[0], form.rows);
    form.piece_columns = form.is_tiled ? piece[1] : form.columns;
  }
  const std::int64_t piece_bytes = multiply(multiply(multiply(form.piece_rows, form.piece_columns), form.samples), form.type.bytes);
  if (piece_bytes > INT32_MAX)
    refuse_form(path, fmt::format("pieces of {} bytes, and readers take {}; give smaller --chunks", piece_bytes, INT32_MAX));
}

void set_packing(Form& form, const std::string& path, const std::string& words) {
  form.packing = packing_of_words(words);
  const bool is_there = form.packing.name != "zstd" || TIFFIsCODECConfigured(COMPRESSION_ZSTD) != 0;
  if (!is_there) refuse_form(path, "this libtiff has no zstd; --filter deflate:6 is always there");
  if (form.packing.has_predictor && (form.bits == 1 || form.format == SAMPLEFORMAT_COMPLEXIEEEFP))
    refuse_form(path, fmt::format("--filter {}: a TIFF has no predictor of {}", words, form.type.name));
}

const AxisStep* step_of(const DatasetFacts& facts, const std::string& name) {
  for (std::size_t a = 0; a < facts.steps.size(); ++a)
    if (facts.axes[a] == name && facts.steps[a].size > 0) return &facts.steps[a];
  return nullptr;
}

// The one unit of steps in space, and "" where there are none; nothing where they differ, or steps in time are not in seconds.
std::optional<std::string> unit_of_imagej(const DatasetFacts& facts) {
  std::string unit;
  for (const char* const name : {"x", "y", "z"}) {
    const AxisStep* const step = step_of(facts, name);
    if (step == nullptr) continue;
    if (!unit.empty() && step->unit != unit) return {};
    unit = step->unit;
  }
  const AxisStep* const time = step_of(facts, "t");
  const bool is_ascii = std::all_of(unit.begin(), unit.end(), [](char c) { return c > ' ' && c < 127; });
  if ((time != nullptr && time->unit != "s") || !is_ascii) return {};
  return unit;
}

bool is_of_imagej(const Form& form, const DatasetFacts& facts) {
  const std::string& type = form.type.name;
  const std::size_t n = form.counting.size();
  if (form.n_left_out > 0 || facts.axes[n] != "y" || facts.axes[n + 1] != "x" || (type != "uint8" && type != "uint16" && type != "float32"))
    return false;
  if (form.has_samples && (form.samples != 3 || type != "uint8")) return false;
  std::size_t at = 0;
  for (std::size_t a = 0; a < n; ++a) {
    const std::size_t found = facts.axes[a].size() == 1 ? counting_names.find(facts.axes[a][0], at) : std::string_view::npos;
    if (found == std::string_view::npos || form.counting[a] == 1) return false;  // readers leave out what is one
    at = found + 1;
  }
  return unit_of_imagej(facts).has_value();
}

void set_resolution(Form& form, const DatasetFacts& facts, double to_unit) {
  const AxisStep *const x = step_of(facts, "x"), *const y = step_of(facts, "y");
  if (x == nullptr || y == nullptr) return;
  form.x_resolution = 1 / (x->size * to_unit);
  form.y_resolution = 1 / (y->size * to_unit);
}

void describe_for_imagej(Form& form, const DatasetFacts& facts) {
  const std::string unit = *unit_of_imagej(facts);
  if (form.counting.empty() && unit.empty()) return;
  std::string& text = form.description;
  text = "ImageJ=1.53t\n";
  constexpr const char* words[] = {"frames", "slices", "channels"};
  std::int64_t n[3] = {1, 1, 1};
  for (std::size_t a = 0; a < form.counting.size(); ++a) n[counting_names.find(facts.axes[a][0])] = form.counting[a];
  if (form.n_pictures() > 1) text += fmt::format("images={}\n", form.n_pictures());
  for (const int i : {2, 1, 0})
    if (n[i] > 1) text += fmt::format("{}={}\n", words[i], n[i]);
  if (form.n_pictures() > 1) text += "hyperstack=true\nmode=grayscale\n";
  if (!unit.empty()) text += fmt::format("unit={}\n", unit == "um" ? "micron" : unit);
  if (const AxisStep* const z = step_of(facts, "z")) text += fmt::format("spacing={}\n", z->size);
  if (const AxisStep* const t = step_of(facts, "t")) text += fmt::format("finterval={}\n", t->size);
  text += "loop=false\n";
  set_resolution(form, facts, 1);
}

// tifffile's shape and letters, and what it has no words for.
void describe_by_shape(Form& form, const DatasetFacts& facts, const std::string& kept) {
  const std::size_t rank = facts.extents.size(), n = form.counting.size();
  const auto is_named = [](const std::string& name) { return !name.empty(); };
  const bool are_named = std::any_of(facts.axes.begin(), facts.axes.end(), is_named);
  bool has_steps = false, is_printed = true;  // steps of rows and columns alone, in inches or centimetres
  for (std::size_t a = 0; a < facts.steps.size(); ++a) {
    if (facts.steps[a].size == 0) continue;
    has_steps = true;
    is_printed =
        is_printed && (facts.axes[a] == "x" || facts.axes[a] == "y") && (facts.steps[a].unit == "inch" || facts.steps[a].unit == "cm");
  }
  if (has_steps && is_printed && step_of(facts, "x") != nullptr && step_of(facts, "y") != nullptr) {
    form.resolution_unit = step_of(facts, "x")->unit == "inch" ? RESUNIT_INCH : RESUNIT_CENTIMETER;
    set_resolution(form, facts, 1);
  }
  std::vector<std::string> usual = {"y", "x"};
  if (form.has_samples) usual.emplace_back("c");
  if (n == 1) usual.insert(usual.begin(), "page");
  const bool is_plain =
      (n == 0 || (n == 1 && form.counting[0] > 1)) && form.n_left_out == 0 && (facts.axes == usual || (!are_named && rank == 2));

  if (is_plain && (!has_steps || is_printed)) {
    form.description = kept;
    return;
  }
  nlohmann::ordered_json said{{"shape", facts.extents}};
  const bool are_letters = std::all_of(facts.axes.begin(), facts.axes.end(),
                                       [](const std::string& name) { return name.size() == 1 && name[0] >= 'a' && name[0] <= 'z'; });
  if (are_letters && rank > 0) {
    std::string letters;
    for (const std::string& name : facts.axes) letters += static_cast<char>(name[0] - 'a' + 'A');
    said["axes"] = letters;
  } else if (are_named) {
    said["names"] = facts.axes;
  }
  for (std::size_t a = 0; has_steps && a < rank; ++a) {
    said["steps"].push_back(facts.steps[a].size);
    said["units"].push_back(facts.steps[a].unit);
  }
  if (!kept.empty()) said["description"] = kept;
  // As Python writes it, which readers know it by.
  std::string text = said.dump(-1, ' ', true);
  form.description = "{\"shape\": " + text.substr(std::string_view("{\"shape\":").size());
}

}  // namespace

std::int64_t Form::n_pictures() const {
  std::int64_t n = 1;
  for (const std::int64_t extent : counting) n = multiply(n, extent);
  return n;
}

Extents Form::unit() const {
  Extents unit(counting.size(), 1);
  if (n_left_out == 0) unit.push_back(piece_rows);
  if (n_left_out < 2) unit.push_back(piece_columns);
  if (has_samples) unit.push_back(samples);
  return unit;
}

Form form_of(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish) {
  Form form;
  set_type(form, path, facts.type);
  set_axes(form, path, facts);
  set_pieces(form, path, facts, wish);
  set_packing(form, path, wish.filter);
  std::string kept;
  if (facts.attributes && facts.attributes->contains("description") && (*facts.attributes)["description"].is_string())
    kept = (*facts.attributes)["description"].get<std::string>();
  const bool is_imagej = is_of_imagej(form, facts);
  if (is_imagej) describe_for_imagej(form, facts);
  if (form.description.empty()) describe_by_shape(form, facts, kept);
  const std::size_t n_kept = kept.empty() || (is_imagej && form.description.starts_with("ImageJ=")) ? 0 : 1;
  if (facts.attributes && facts.attributes->size() > n_kept) {
    std::vector<std::string> names;
    for (const auto& [key, value] : facts.attributes->items())
      if (key != "description" || n_kept == 0) names.push_back(key);
    form.notes.push_back(fmt::format("attributes stay behind, as {} has no place for them: {}", path, fmt::join(names, ", ")));
  }
  return form;
}

}  // namespace crinkle::tool::tiff
