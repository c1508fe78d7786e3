// SPDX-License-Identifier: BSD-3-Clause
#include "formats/tiff/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "base/checked.hpp"
#include "crinkle/error.hpp"

namespace crinkle::tool::tiff {
namespace {

std::string description_of(TIFF* tiff) {
  const char* text = nullptr;
  return TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) == 1 && text != nullptr ? text : "";
}

std::optional<double> number_of(const std::string& word) {
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(number)) return {};
  return number;
}

std::int64_t product_of(const Extents& extents) {
  std::int64_t n = 1;
  for (const std::int64_t extent : extents) n = multiply(n, extent);
  return n;
}

// The axes of each picture.
void add_picture(Axes& axes, const Picture& p) {
  const bool has_c = std::find(axes.names.begin(), axes.names.end(), "c") != axes.names.end();
  const std::string samples = has_c ? "s" : "c";
  if (p.is_planar) axes.names.push_back(samples);
  axes.names.insert(axes.names.end(), {"y", "x"});
  if (p.samples > 1 && !p.is_planar) axes.names.push_back(samples);
  axes.steps.resize(axes.names.size());
}

void set_step(Axes& axes, const std::string& name, double step, const std::string& unit) {
  const auto found = std::find(axes.names.begin(), axes.names.end(), name);
  if (found != axes.names.end() && step > 0 && std::isfinite(step))
    axes.steps[static_cast<std::size_t>(found - axes.names.begin())] = {step, unit};
}

// Cells to a unit, along x and y.
std::array<double, 2> resolution_of(TIFF* tiff) {
  float x = 0, y = 0;
  if (TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x) != 1 || TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y) != 1) return {0, 0};
  return {x, y};
}

// A fraction whose decimals a float32 kept: 1 / 0.1625 and not 6.15384578….
double step_of(double per_unit) {
  if (!(per_unit > 0)) return 0;
  return *number_of(fmt::format("{:.7g}", 1 / per_unit));
}

void set_printed_size(Axes& axes, TIFF* tiff) {
  std::uint16_t unit = RESUNIT_INCH;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
  if (unit != RESUNIT_INCH && unit != RESUNIT_CENTIMETER) return;
  const auto [x, y] = resolution_of(tiff);
  const std::string name = unit == RESUNIT_INCH ? "inch" : "cm";
  set_step(axes, "x", step_of(x), name);
  set_step(axes, "y", step_of(y), name);
}

std::map<std::string, std::string> lines_of(const std::string& text) {
  std::map<std::string, std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size()), equals = text.find('=', at);
    if (equals < end) lines[text.substr(at, equals - at)] = text.substr(equals + 1, end - equals - 1);
    at = end + 1;
  }
  return lines;
}

Axes axes_of_imagej(const std::string& text, TIFF* tiff, const Picture& first, std::int64_t n_pages, std::uint64_t file_bytes) {
  const std::map<std::string, std::string> lines = lines_of(text);
  const auto count = [&](const char* key) -> std::int64_t {
    const auto found = lines.find(key);
    const double n = found == lines.end() ? 1 : number_of(found->second).value_or(0);
    if (n < 1 || n > INT32_MAX || n != std::floor(n)) throw Error(ErrorCode::bad_file, fmt::format("{}={}", key, found->second));
    return static_cast<std::int64_t>(n);
  };
  Axes axes;
  axes.program = "ImageJ";
  const Extents sizes = {count("frames"), count("slices"), count("channels")};
  constexpr const char* names[] = {"t", "z", "c"};
  for (std::size_t a = 0; a < 3; ++a) {
    if (sizes[a] == 1) continue;
    axes.extents.push_back(sizes[a]);
    axes.names.emplace_back(names[a]);
  }
  const std::int64_t n = count("images");
  if (axes.extents.empty() && n > 1) {
    axes.extents = {n};
    axes.names = {"z"};
  }
  const std::int64_t n_said = product_of(axes.extents);
  if (n_said != std::max(n, std::int64_t{1}) && lines.count("images") != 0)
    throw Error(ErrorCode::bad_file, fmt::format("{} images, and {} of frames, slices and channels", n, n_said));
  const std::int64_t picture_bytes = multiply(multiply(multiply(first.width, first.height), first.samples), first.bits / 8);
  // Files of more than 4 GiB have one directory and all pictures one behind the other.
  axes.has_one_directory = n_pages == 1 && n_said > 1 && first.is_plain() && !first.is_tiled && !first.is_planar &&
                           static_cast<std::uint64_t>(multiply(picture_bytes, n_said)) <= file_bytes;
  if (n_said != n_pages && !axes.has_one_directory) throw Error(ErrorCode::bad_file, fmt::format("{} pictures", n_said));
  add_picture(axes, first);
  const auto word = [&](const char* key) {
    const auto found = lines.find(key);
    return found == lines.end() ? std::string() : found->second;
  };
  const std::string unit = unit_of(word("unit"));
  if (!unit.empty()) {
    const auto [x, y] = resolution_of(tiff);
    set_step(axes, "x", step_of(x), unit);
    set_step(axes, "y", step_of(y), word("yunit").empty() ? unit : unit_of(word("yunit")));
    set_step(axes, "z", number_of(word("spacing")).value_or(0), word("zunit").empty() ? unit : unit_of(word("zunit")));
  }
  set_step(axes, "t", number_of(word("finterval")).value_or(0), "s");
  return axes;
}

// {"shape": [2, 3, 64, 64], "axes": "TZYX"} of tifffile, with names, steps and units of crinkle.
Axes axes_of_json(const std::string& text, TIFF* tiff, const Picture& first, std::int64_t n_pages) {
  const nlohmann::ordered_json said = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!said.is_object() || !said.contains("shape") || !said["shape"].is_array()) throw Error(ErrorCode::bad_file, "a shape that is none");
  Axes axes;
  axes.program = "shape";
  Extents shape;
  for (const auto& n : said["shape"]) {
    if (!n.is_number_integer() || n < 1) throw Error(ErrorCode::bad_file, "the shape " + printable(said["shape"].dump()));
    shape.push_back(n.get<std::int64_t>());
  }
  Extents picture;
  if (first.is_planar) picture.push_back(first.samples);
  picture.insert(picture.end(), {first.height, first.width});
  if (first.samples > 1 && !first.is_planar) picture.push_back(first.samples);
  if (shape.size() < 2 && first.samples == 1 && n_pages == 1 && first.height == 1 && product_of(shape) == first.width) {
    axes.n_left_out = 2 - shape.size();
  } else {
    const bool fits = shape.size() >= picture.size() && std::equal(picture.rbegin(), picture.rend(), shape.rbegin());
    axes.extents.assign(shape.begin(), shape.end() - (fits ? static_cast<std::ptrdiff_t>(picture.size()) : 0));
    if (!fits || product_of(axes.extents) != n_pages) throw Error(ErrorCode::bad_file, fmt::format("the shape {}", print_shape(shape)));
  }
  if (axes.extents.size() == 1) axes.names = {"page"};
  else axes.names.resize(axes.extents.size());
  add_picture(axes, first);
  axes.names.erase(axes.names.begin(), axes.names.begin() + static_cast<std::ptrdiff_t>(axes.n_left_out));
  const auto listed = [&](const char* key) {
    return said.contains(key) && said[key].is_array() && said[key].size() == shape.size() ? said[key] : nlohmann::ordered_json::array();
  };
  if (const auto names = listed("names"); !names.empty()) {
    for (std::size_t a = 0; a < shape.size(); ++a) axes.names[a] = names[a].is_string() ? names[a].get<std::string>() : "";
  } else if (said.contains("axes") && said["axes"].is_string() && said["axes"].get<std::string>().size() == shape.size()) {
    const auto letters = said["axes"].get<std::string>();
    for (std::size_t a = 0; a < shape.size(); ++a)
      axes.names[a] = std::string(1, letters[a] >= 'A' && letters[a] <= 'Z' ? static_cast<char>(letters[a] - 'A' + 'a') : letters[a]);
  }
  axes.steps.resize(shape.size());
  const auto steps = listed("steps"), units = listed("units");
  for (std::size_t a = 0; a < steps.size(); ++a)
    if (steps[a].is_number() && steps[a] > 0)
      axes.steps[a] = {steps[a].get<double>(), units.size() == steps.size() && units[a].is_string() ? units[a].get<std::string>() : ""};
  if (steps.empty()) set_printed_size(axes, tiff);
  return axes;
}

Axes axes_of_pages(TIFF* tiff, const Picture& first, std::int64_t n_pages) {
  Axes axes;
  if (n_pages > 1) {
    axes.extents = {n_pages};
    axes.names = {"page"};
  }
  add_picture(axes, first);
  set_printed_size(axes, tiff);
  return axes;
}

}  // namespace

std::string unit_of(const std::string& word) {
  for (const char* const name : {"micron", "microns", "micrometer", "um", "\\u00B5m", "\\u00b5m", "\xC2\xB5m", "\xCE\xBCm", "\xB5m"})
    if (word == name) return "um";
  if (word == "pixel" || word == "pixels" || word == "null") return "";
  return printable(word, 30);
}

Axes axes_of_page(Handle& handle, const Picture& picture) {
  Axes axes = axes_of_pages(handle.get(), picture, 1);
  const std::string text = description_of(handle.get());
  const bool is_of_a_program = text.starts_with("ImageJ=") || text.starts_with("{") || text.find("<OME") != std::string::npos;
  if (!text.empty() && !is_of_a_program) axes.attributes["description"] = printable(text, 10000);
  return axes;
}

Axes axes_of(Handle& handle, const std::vector<Picture>& pictures, std::int64_t image, const std::string& path) {
  TIFF* const tiff = handle.get();
  const Picture& first = pictures[0];
  const std::int64_t n_pages = std::ssize(pictures);
  const std::string text = description_of(tiff);
  const bool is_ome = (text.starts_with("<?xml") || text.starts_with("<OME")) && text.find("<OME") != std::string::npos,
             is_imagej = text.starts_with("ImageJ="), is_json = text.starts_with("{") && text.find("\"shape\":") != std::string::npos;
  if (image > 0 && !is_ome) throw Error(ErrorCode::bad_notation, fmt::format("{}: is no OME-TIFF, whose images have numbers", path));
  std::string program = is_ome ? "OME-XML" : is_imagej ? "ImageJ" : "its description";
  try {
    if (is_ome) return axes_of_ome(text, pictures, image, path);
    if (is_imagej) return axes_of_imagej(text, tiff, first, n_pages, TIFFGetSizeProc(tiff)(TIFFClientdata(tiff)));
    if (is_json) return axes_of_json(text, tiff, first, n_pages);
  } catch (const Error& e) {
    if (e.code() == ErrorCode::bad_notation || image > 0) throw;
    Axes axes = axes_of_pages(tiff, first, n_pages);
    axes.notes.push_back(fmt::format("{} says {}, and {} has {} page{}{}: its pages are taken one after another", program, e.what(), path,
                                     n_pages, n_pages == 1 ? "" : "s",
                                     n_pages == 1 ? "" : " of " + print_shape({first.height, first.width})));
    return axes;
  }
  Axes axes = axes_of_pages(tiff, first, n_pages);
  if (!text.empty()) axes.attributes["description"] = printable(text, 10000);
  return axes;
}

}  // namespace crinkle::tool::tiff
