// OME-XML: which picture is which plane, channel and time, and how far they are apart.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "formats/tiff/axes.hpp"
#include "formats/tiff/xml.hpp"

namespace crinkle::tool::tiff {
namespace {

[[noreturn]] void refuse_ome(const std::string& what) { throw Error(ErrorCode::bad_file, what); }

struct Image {
  std::string name;
  XmlElement pixels;
  std::vector<std::string> channels;  // their names
  std::int64_t samples = 1;           // of a channel
  struct Data {
    XmlElement element;
    std::string file;
  };
  std::vector<Data> data;
};

std::int64_t whole(const XmlElement& element, const char* key, std::int64_t otherwise) {
  const std::string word = element[key];
  if (word.empty()) return otherwise;
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (error != std::errc() || end != word.data() + word.size() || n < 0 || n > INT32_MAX)
    refuse_ome(fmt::format("{}={}", key, printable(word)));
  return n;
}

double real(const XmlElement& element, const char* key) {
  const std::string word = element[key];
  double n = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  return error == std::errc() && end == word.data() + word.size() && std::isfinite(n) && n > 0 ? n : 0;
}

std::vector<Image> images_of(const std::string& text) {
  std::vector<Image> images;
  XmlReader reader(text);
  XmlElement element;
  bool is_in_pixels = false;
  while (reader.next(element)) {
    if (element.name == "Pixels") is_in_pixels = !element.is_end && !element.is_empty;
    if (element.is_end) continue;
    if (element.name == "Image") images.push_back({.name = element["Name"], .pixels = {}, .channels = {}, .samples = 1, .data = {}});
    if (images.empty()) continue;
    Image& image = images.back();
    if (element.name == "Pixels") image.pixels = element;
    if (!is_in_pixels) continue;
    if (element.name == "Channel") {
      const std::int64_t samples = whole(element, "SamplesPerPixel", 1);
      if (!image.channels.empty() && samples != image.samples) refuse_ome("channels of unlike samples");
      image.samples = samples;
      image.channels.push_back(element["Name"]);
    }
    if (element.name == "TiffData") image.data.push_back({element, ""});
    if (element.name == "UUID" && !image.data.empty()) image.data.back().file = element["FileName"];
  }
  if (images.empty()) refuse_ome("no image");
  return images;
}

// Which picture of the file each plane is, planes counted in the order of the dimensions.
std::vector<std::int64_t> pages_of(const Image& image, const std::array<std::int64_t, 3>& sizes, const std::string& order,
                                   std::int64_t n_pages, const std::string& path) {
  const std::int64_t n = multiply(multiply(sizes[0], sizes[1]), sizes[2]);
  if (n > n_pages) refuse_ome(fmt::format("{} pictures", n));
  std::vector<std::int64_t> pages(static_cast<std::size_t>(n), -1);
  const std::string own = std::filesystem::path(path).filename();
  for (const Image::Data& data : image.data) {
    if (!data.file.empty() && std::filesystem::path(data.file).filename() != own)
      refuse_ome(fmt::format("that pictures are in {}, and files of several are not read together", printable(data.file)));
    const bool has_ifd = !data.element["IFD"].empty();
    std::int64_t plane = 0, step = 1;
    for (std::size_t d = 0; d < 3; ++d) {  // order[2 + d], the first one fastest
      const std::int64_t at = whole(data.element, (std::string("First") + order[2 + d]).c_str(), 0);
      if (at >= sizes[d]) refuse_ome(fmt::format("First{}={} of {}", order[2 + d], at, sizes[d]));
      plane += at * step;
      step *= sizes[d];
    }
    const std::int64_t page = whole(data.element, "IFD", 0), count = whole(data.element, "PlaneCount", has_ifd ? 1 : n - plane);
    if (count > n - plane || page + count > n_pages)
      refuse_ome(fmt::format("{} pictures from number {} on, as plane {} of {} and on", count, page, plane, n));
    for (std::int64_t k = 0; k < count; ++k) pages[static_cast<std::size_t>(plane + k)] = page + k;
  }
  if (image.data.empty())
    for (std::int64_t k = 0; k < n; ++k) pages[static_cast<std::size_t>(k)] = k;
  if (std::find(pages.begin(), pages.end(), -1) != pages.end()) refuse_ome("planes of which no picture is named");
  return pages;
}

}  // namespace

Axes axes_of_ome(const std::string& text, const std::vector<Picture>& pictures, std::int64_t number, const std::string& path) {
  const std::vector<Image> images = images_of(text);
  if (number == 0 && images.size() > 1) {
    std::string names;
    for (std::size_t i = 0; i < images.size() && i < 8; ++i)
      names += fmt::format("{}image{} ({} x {}{}{})", i == 0 ? "" : ", ", i + 1, images[i].pixels["SizeY"], images[i].pixels["SizeX"],
                           images[i].name.empty() ? "" : ", ", printable(images[i].name));
    throw Error(ErrorCode::bad_notation,
                fmt::format("{}: which of its {} images? {}: say so, as in {}:/image1", path, images.size(), names, path));
  }
  if (number > std::ssize(images))
    throw Error(ErrorCode::bad_notation, fmt::format("{}: it has {} images, and no image{}", path, images.size(), number));
  const Image& image = images[static_cast<std::size_t>(std::max<std::int64_t>(number, 1)) - 1];
  const XmlElement& pixels = image.pixels;
  const std::string order = pixels["DimensionOrder"];
  std::string sorted = order;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != "CTXYZ" || !order.starts_with("XY")) refuse_ome("the order of dimensions '" + printable(order) + "'");
  std::array<std::int64_t, 3> sizes{};
  for (std::size_t d = 0; d < 3; ++d) {
    sizes[d] = whole(pixels, (std::string("Size") + order[2 + d]).c_str(), 1);
    if (order[2 + d] == 'C') sizes[d] /= image.samples;
    if (sizes[d] < 1) refuse_ome(fmt::format("Size{}={}", order[2 + d], pixels[std::string("Size") + order[2 + d]]));
  }
  Axes axes;
  axes.program = "OME";
  axes.pages = pages_of(image, sizes, order, std::ssize(pictures), path);
  const Picture& first = pictures[static_cast<std::size_t>(axes.pages[0])];
  if (whole(pixels, "SizeX", 0) != first.width || whole(pixels, "SizeY", 0) != first.height)
    refuse_ome(fmt::format("pictures of {} x {}", whole(pixels, "SizeY", 0), whole(pixels, "SizeX", 0)));
  if (image.samples != first.samples) refuse_ome(fmt::format("{} samples", image.samples));
  for (std::size_t d = 3; d-- > 0;) {
    if (sizes[d] == 1) continue;
    axes.extents.push_back(sizes[d]);
    axes.names.emplace_back(1, static_cast<char>(order[2 + d] - 'A' + 'a'));
  }
  const bool has_c = std::find(axes.names.begin(), axes.names.end(), "c") != axes.names.end();
  const std::string samples = has_c ? "s" : "c";
  if (first.is_planar) axes.names.push_back(samples);
  axes.names.insert(axes.names.end(), {"y", "x"});
  if (first.samples > 1 && !first.is_planar) axes.names.push_back(samples);
  for (const std::string& name : axes.names) {
    const char upper = static_cast<char>(name[0] - 'a' + 'A');
    const bool is_time = name == "t";
    const std::string key = is_time ? "TimeIncrement" : std::string("PhysicalSize") + upper, unit = pixels[key + "Unit"];
    const double step = real(pixels, key.c_str());
    axes.steps.push_back(step == 0 ? AxisStep{} : AxisStep{step, unit.empty() ? (is_time ? "s" : "um") : unit_of(unit)});
  }
  if (std::any_of(image.channels.begin(), image.channels.end(), [](const std::string& name) { return !name.empty(); }))
    axes.attributes["channels"] = image.channels;
  return axes;
}

}  // namespace crinkle::tool::tiff
