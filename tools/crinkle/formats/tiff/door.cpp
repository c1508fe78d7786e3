// Which of the two reads and writes a TIFF. The tags are looked at here, byte by byte, so that a build without one of them knows what it
// lacks.
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <vector>

#include "crinkle/error.hpp"
#include "formats/file.hpp"
#include "formats/geotiff/geotiff.hpp"
#include "formats/temporary.hpp"
#include "formats/tiff/tiff.hpp"

namespace crinkle::tool::tiff {
namespace {

/// The numbers of a file in its byte order; 0 beyond its end.
class Numbers {
 public:
  explicit Numbers(const std::string& file) {
    std::array<char, 4> begin{};
    struct stat entry = {};
    if (::stat(file.c_str(), &entry) != 0 || !S_ISREG(entry.st_mode)) return;  // a pipe is not to be opened twice
    file_ = Descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (file_.get() < 0 || ::pread(file_.get(), begin.data(), 4, 0) != 4) return;
    is_big_endian_ = begin[0] == 'M';
    const std::uint64_t version = at(2, 2);
    is_tiff_ = begin[0] == begin[1] && (begin[0] == 'I' || begin[0] == 'M') && (version == 42 || version == 43);
    is_big_ = version == 43;
  }

  bool is_tiff() const { return is_tiff_; }
  bool is_big() const { return is_big_; }
  std::uint64_t at(std::uint64_t place, int n) const {
    std::array<unsigned char, 8> bytes{};
    if (place > INT64_MAX || ::pread(file_.get(), bytes.data(), static_cast<std::size_t>(n), static_cast<off_t>(place)) != n) return 0;
    std::uint64_t number = 0;
    for (int i = 0; i < n; ++i) number = number << 8U | bytes[static_cast<std::size_t>(is_big_endian_ ? i : n - 1 - i)];
    return number;
  }

 private:
  Descriptor file_;
  bool is_tiff_ = false, is_big_ = false, is_big_endian_ = false;
};

// Pixel scale, tie points, transformation, keys; RPC; GDAL's metadata and number for no data.
constexpr std::array<std::uint64_t, 7> geographic_tags = {33550, 33922, 34264, 34735, 50844, 42112, 42113};

}  // namespace

bool is_geographic(const std::string& file) {
  const Numbers numbers(file);
  if (!numbers.is_tiff()) return false;
  const bool is_big = numbers.is_big();
  const std::uint64_t first = is_big ? numbers.at(8, 8) : numbers.at(4, 4);
  const std::uint64_t n = std::min<std::uint64_t>(is_big ? numbers.at(first, 8) : numbers.at(first, 2), 65535);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t tag = numbers.at(first + (is_big ? 8 + 20 * i : 2 + 12 * i), 2);
    if (std::find(geographic_tags.begin(), geographic_tags.end(), tag) != geographic_tags.end()) return true;
  }
  return false;
}

bool is_there(const DatasetName& name) { return Numbers(name.file).is_tiff(); }

bool is_named(const std::string& file) {
  const std::size_t dot = file.find_last_of("./");
  if (dot == std::string::npos || file[dot] == '/') return false;
  std::string ending = file.substr(dot);
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ending == ".tif" || ending == ".tiff";
}

Part part_of(const std::string& path, const DatasetName& name) {
  Part part;
  if (name.inside.empty() || name.inside == "/") return part;
  const auto number = [&](const std::string& word) {
    std::int64_t n = 0;
    const char* const end = name.inside.data() + name.inside.size();
    if (!name.inside.starts_with(word) || std::from_chars(name.inside.data() + word.size(), end, n).ptr != end) return std::int64_t{0};
    return n;
  };
  part.page = number("/page");
  part.image = number("/image");
  if (part.page > 0 || part.image > 0) return part;
  throw Error(ErrorCode::bad_notation, path + ": in a TIFF, :/page1 is its first picture, and :/image1 the first image of an OME-TIFF");
}

std::unique_ptr<Dataset> open(const std::string& path, const DatasetName& name) {
  const Part part = part_of(path, name);
  if (!is_geographic(name.file)) return open_stack(path, name);
  if (part.image > 0) throw Error(ErrorCode::bad_notation, path + ": a GeoTIFF has no images of OME; :/page1 is its first picture");
  return geotiff::open(path, name.file, static_cast<int>(std::min<std::int64_t>(part.page, INT32_MAX)));
}

std::vector<DatasetNode> nodes(const DatasetName& name) {
  const std::string path = name.inside.empty() ? name.file : name.file + ":" + name.inside;
  return {{name.inside.empty() ? "/" : name.inside, false, open(path, name)->facts(), ""}};
}

static void check_target(const std::string& path, const DatasetName& name) {
  if (!name.inside.empty() && name.inside != "/")
    throw Error(ErrorCode::unsupported, path + ": pictures are not put into a TIFF that is there; name the file alone");
}

void check(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
           const FileIdentity& input) {
  check_target(path, name);
  check_file_name(name.file, overwrite, input);
  if (geotiff::holds(facts)) return geotiff::check(name.file, facts, wish);
  check_stack(name.file, facts, wish);
}

std::unique_ptr<NewDataset> begin(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish,
                                  Overwrite overwrite, const FileIdentity& input) {
  check_target(path, name);
  if (geotiff::holds(facts)) return geotiff::begin(name.file, facts, wish, overwrite, input);
  return begin_stack(name.file, facts, wish, overwrite, input);
}

}  // namespace crinkle::tool::tiff
