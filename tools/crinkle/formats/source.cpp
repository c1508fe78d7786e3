// Opening inputs; see source.hpp. Regular files are mapped, anything else is read into memory; the first bytes name the format.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "formats/gzip.hpp"
#include "formats/known_files.hpp"
#include "formats/nifti.hpp"
#include "formats/nifti_pair.hpp"
#include "formats/npy.hpp"
#include "formats/png.hpp"
#include "formats/temporary.hpp"

namespace crinkle::tool {
namespace {

/// A file's bytes, however they were obtained.
struct Content {
  Mapping bytes;
  FileIdentity identity;
  std::int64_t begin = 0;  // where the array's file begins in them
  bool is_stream = false;  // read to one byte behind what was asked for; what follows is not known
};

bool begins_like_a_format(std::span<const std::byte> file) {
  return begins_like_npy(file) || begins_like_png(file) || begins_like_gzip(file) || begins_like_nifti(file);
}

/// All of a pipe, at most `most` bytes of it, in as much memory. Where it should say itself what it holds, and does not, only its begin:
/// it may have no end.
Mapping read_stream(int descriptor, std::int64_t most, const std::string& path) {
  constexpr std::int64_t first_room = std::int64_t{1} << 16;
  Mapping all;
  std::int64_t have = 0;
  for (std::int64_t room = std::min(most, first_room);; room = have > most / 2 ? most : 2 * have) {
    all.resize(room, path);
    have += static_cast<std::int64_t>(read_fully(descriptor, all.writable().subspan(static_cast<std::size_t>(have)), path));
    if (have < room || room == most || (most == INT64_MAX && !begins_like_a_format(all.bytes()))) break;
  }
  all.resize(have, path);
  return all;
}

/// A descriptor's bytes from where it stands on, at most `most` where they do not lie in a file.
Content content_of(int descriptor, std::int64_t most, const std::string& path) {
  struct stat entry = {};
  if (::fstat(descriptor, &entry) != 0) throw_system(path, "asking for its size", errno);
  if (S_ISDIR(entry.st_mode)) throw_bad_file(path, "is a directory");
  // Files without a size, as in /proc, may have bytes all the same.
  if (!S_ISREG(entry.st_mode) || entry.st_size == 0) return {read_stream(descriptor, most, path), {}, 0, true};
  const std::int64_t begin = std::clamp<std::int64_t>(::lseek(descriptor, 0, SEEK_CUR), 0, entry.st_size);
  return {Mapping::of_file(descriptor, entry.st_size, Mapping::Access::read, path), {entry.st_dev, entry.st_ino}, begin, false};
}

Content content_of(const std::string& path, std::int64_t needed) {
  const std::int64_t most = needed == INT64_MAX ? needed : needed + 1;
  if (path == "-") {
    Content content = content_of(STDIN_FILENO, most, "standard input");
    // Whoever reads on, as in (crinkle …; cat), begins behind what was taken here.
    const std::int64_t there = std::ssize(content.bytes.bytes()) - content.begin;
    if (!content.is_stream) ::lseek(STDIN_FILENO, content.begin + std::min(needed, there), SEEK_SET);
    return content;
  }
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    const int error = errno;
    const std::size_t colon = path.rfind(':');
    if (colon != std::string::npos && is_dataset(path.substr(0, colon)))
      throw_bad_file(path,
                     "is no file; an array in " + path.substr(0, colon) + " is named with a slash, " + path.substr(0, colon) + ":/NAME");
    throw_system(path, "opening", error);
  }
  return content_of(file.get(), most, path);
}

ArrayFacts read_raw(const Content& content, const RawFacts& raw, const std::string& path) {
  ArrayFacts facts;
  facts.format = "raw";
  facts.type = raw.type;
  facts.layout = Layout::dense(raw.extents, raw.type.bytes);
  facts.layout.offset = add(content.begin, raw.offset);
  const std::int64_t needed = add(raw.offset, facts.layout.n_bytes());
  const std::int64_t there = std::ssize(content.bytes.bytes()) - content.begin;
  if (needed > there) {
    throw_bad_file(path, "shape " + print_shape(raw.extents) + " of " + spelled(raw.type) + " from byte " + std::to_string(raw.offset) +
                             " on needs " + std::to_string(needed) + " bytes, but there are " + std::to_string(there));
  }
  if (there > needed)
    facts.notes.push_back((content.is_stream ? "the" : std::to_string(there - needed)) + " bytes behind the data are ignored");
  return facts;
}

/// The first `needed` bytes of what is packed, if it can hold them. What is behind them is read, too: the checksum is the last of all.
Mapping unpack(std::span<const std::byte> packed, std::int64_t needed, const std::string& path, std::vector<std::string>& notes) {
  if (needed > most_inflated(static_cast<std::int64_t>(packed.size()))) {
    throw_bad_file(path, "its NIfTI header asks for " + std::to_string(needed) + " bytes, which cannot be in " +
                             std::to_string(packed.size()) + " packed bytes");
  }
  Mapping whole = Mapping::anonymous(needed, path);
  GzipReader reader(packed, path);
  const std::size_t there = reader.read(whole.writable());
  if (static_cast<std::int64_t>(there) < needed) {
    throw_bad_file(path, "its NIfTI header asks for " + std::to_string(needed) + " bytes, but " + std::to_string(there) + " are in it");
  }
  std::array<std::byte, 4096> behind;
  if (const std::size_t extra = reader.read(behind); extra > 0) {
    notes.push_back((extra == behind.size() ? "at least " : "") + std::to_string(extra) + " bytes behind the voxels are ignored");
  }
  return whole;
}

/// Unpacks a .nii.gz: first what the header needs, then everything up to the last voxel.
Mapping unpack_nifti(std::span<const std::byte> packed, const std::string& path, std::vector<std::string>& notes) {
  std::array<std::byte, nifti_header_bytes> begin;
  const std::size_t n = GzipReader(packed, path).read(begin);
  const auto head = std::span<const std::byte>(begin).first(n);
  if (!begins_like_nifti(head))
    throw Error(ErrorCode::unsupported, path + ": is packed by gzip, but holds no NIfTI volume; unpack it first");
  return unpack(packed, nifti_file_bytes(head, path), path, notes);
}

/// A header file, unpacked where it is packed: its extensions have no length of their own.
Mapping read_header_of_pair(const std::string& path) {
  constexpr std::int64_t most_header_bytes = std::int64_t{1} << 26;
  Content content = content_of(path, INT64_MAX);
  const std::span<const std::byte> file = content.bytes.bytes();
  if (!begins_like_gzip(file)) return std::move(content.bytes);
  Mapping whole = Mapping::anonymous(std::min(most_inflated(std::ssize(file)), most_header_bytes), path);
  const auto there = static_cast<std::int64_t>(GzipReader(file, path).read(whole.writable()));
  if (there == most_header_bytes) throw_bad_file(path, "unpacks to more than 64 MiB, which no header is");
  whole.resize(there, path);
  return whole;
}

/// Nothing where the header is not that of a pair: by either name the file is then what its own first bytes say.
std::optional<std::pair<ArrayFacts, Mapping>> open_pair(const NiftiPair& names) {
  const Mapping header = read_header_of_pair(names.header);
  if (!begins_like_nifti_pair(header.bytes())) return {};
  Content content = content_of(names.voxels, INT64_MAX);
  std::vector<std::string> notes;
  const bool is_packed = names.voxels.ends_with(".gz") || names.voxels.ends_with(".GZ");
  if (is_packed) content.bytes = unpack(content.bytes.bytes(), nifti_file_bytes(header.bytes(), names.header), names.voxels, notes);
  ArrayFacts facts = read_nifti_pair(header.bytes(), names.header, content.bytes.bytes(), names.voxels);
  facts.notes.insert(facts.notes.end(), notes.begin(), notes.end());
  facts.identity = content.identity;
  return std::pair(std::move(facts), std::move(content.bytes));
}

bool is_format_by_name(const std::string& path) {
  return path.ends_with(".npy") || path.ends_with(".png") || path.ends_with(".nii") || path.ends_with(".nii.gz");
}

[[noreturn]] void refuse_unknown(std::span<const std::byte> file, const std::string& path) {
  const std::string_view begin(reinterpret_cast<const char*>(file.data()), std::min<std::size_t>(file.size(), 8));
  const std::string what = file.empty() ? "is empty" : "begins with '" + printable(begin) + "'";
  if (is_format_by_name(path)) throw_bad_file(path, what + ", which is not how " + path.substr(path.rfind('/') + 1) + " should begin");
  if (names_pair(path) && !pair_of(path))
    throw Error(ErrorCode::unsupported, path + ": is one of the two files of a volume, .hdr and .img, and the other is not beside it");
  if (const std::optional<std::string> known = told_as_known(file, path)) throw Error(ErrorCode::unsupported, path + ": " + *known);
  throw Error(ErrorCode::unsupported, path + ": " + what +
                                          ", which is no .npy, PNG, NIfTI, TIFF, Zarr, HDF5 or NetCDF; with --shape and --dtype it is read "
                                          "as raw where a command has these");
}

}  // namespace

std::unique_ptr<Source> Source::of_dataset(const std::string& path) {
  auto dataset = open_dataset(path);
  ArrayFacts facts;
  const DatasetFacts& said = dataset->facts();
  facts.layout = Layout::dense(said.extents, said.type.bytes);
  facts.type = said.type;
  facts.format = said.format.substr(0, said.format.find(' '));
  facts.path = path;
  facts.notes = said.notes;
  facts.extras = std::make_shared<DatasetExtras>(said);
  facts.identity = identity_of(said.place);
  auto source = of(std::move(facts), {});
  source->dataset_ = std::move(dataset);
  return source;
}

std::unique_ptr<Source> Source::open_as_written(const std::string& path, const ElementType& type) {
  auto source = open(path);
  if (source->dataset_ && type.has_parts && type.descr != source->facts_.type.descr && type.name == source->facts_.type.name) {
    source->dataset_ = in_order(std::move(source->dataset_), type);
    source->facts_.type = type;
  }
  return source;
}

std::span<const std::byte> Source::bytes() const {
  if (dataset_ && bytes_.bytes().empty() && facts_.layout.n_bytes() > 0) {
    Mapping all = Mapping::anonymous(facts_.layout.n_bytes(), facts_.path);
    read_box(*dataset_, whole_of(facts_.layout.extents), all.writable().data(), facts_.layout.strides, default_executor());
    bytes_ = std::move(all);
  }
  return bytes_.bytes();
}

std::unique_ptr<Source> Source::open_npy_or_bytes(const std::string& path, std::int64_t offset) {
  constexpr std::int64_t everything = INT64_MAX - 2;  // a pipe's too, whatever it begins with
  const std::string name = path == "-" ? "standard input" : path;
  try {
    Content content = content_of(path, everything);
    const std::span<const std::byte> file = content.bytes.bytes().subspan(static_cast<std::size_t>(content.begin));
    ArrayFacts facts;
    if (offset == 0 && content.begin == 0 && begins_like_npy(file)) {
      facts = read_npy(file, path);
    } else if (offset == 0 && is_format_by_name(path)) {
      if (begins_like_a_format(file)) throw Error(ErrorCode::unsupported, name + ": is a picture or a volume, not .npy or raw");
      refuse_unknown(file, path);
    } else {
      const std::int64_t there = std::ssize(file);
      if (offset > there) throw_bad_file(name, "has " + std::to_string(there) + " bytes, none behind byte " + std::to_string(offset));
      facts.format = "raw";
      facts.path = path;
      facts.type = element_type("|u1");
      facts.layout = Layout::dense({there - offset}, 1);
      facts.layout.offset = add(content.begin, offset);
    }
    facts.identity = content.identity;
    return of(std::move(facts), std::move(content.bytes));
  } catch (const std::bad_alloc&) { throw Error(ErrorCode::out_of_memory, name + ": not enough memory to open it"); }
}

std::unique_ptr<Source> Source::open(const std::string& path, const RawFacts* raw) {
  const std::string name = path == "-" ? "standard input" : path;
  try {
    if (raw != nullptr) {
      if (raw->offset < 0) throw Error(ErrorCode::bad_shape, name + ": offset " + std::to_string(raw->offset) + " is negative");
      const std::int64_t needed = add(raw->offset, Layout::dense(raw->extents, raw->type.bytes).n_bytes());
      Content content = content_of(path, needed);
      ArrayFacts facts = read_raw(content, *raw, name);
      facts.path = path;
      facts.identity = content.identity;
      return of(std::move(facts), std::move(content.bytes));
    }
    if (is_dataset(path)) return of_dataset(path);
    if (const std::optional<NiftiPair> names = pair_of(path)) {
      if (auto pair = open_pair(*names)) {
        pair->first.path = path;
        return of(std::move(pair->first), std::move(pair->second));
      }
    }
    Content content = content_of(path, INT64_MAX);
    const std::span<const std::byte> file = content.bytes.bytes().subspan(static_cast<std::size_t>(content.begin));
    ArrayFacts facts;
    if (begins_like_npy(file)) {
      facts = read_npy(file, path);
      facts.layout.offset = add(facts.layout.offset, content.begin);
    } else if (path == "-") {
      throw Error(ErrorCode::unsupported,
                  "standard input is raw or .npy, and this is no .npy: say --shape and --dtype, where a command has these; else give a "
                  "file by its name");
    } else if (begins_like_png(file)) {
      Picture picture = read_png(file, path);
      facts = std::move(picture.facts);
      content.bytes = std::move(picture.pixels);
    } else if (begins_like_gzip(file)) {
      std::vector<std::string> notes;
      Mapping whole = unpack_nifti(file, path, notes);
      facts = read_nifti(whole.bytes(), path);
      facts.notes.insert(facts.notes.end(), notes.begin(), notes.end());
      content.bytes = std::move(whole);
    } else if (begins_like_nifti(file)) {
      facts = read_nifti(file, path);
    } else {
      refuse_unknown(file, path);
    }
    facts.identity = content.identity;
    return of(std::move(facts), std::move(content.bytes));
  } catch (const std::bad_alloc&) { throw Error(ErrorCode::out_of_memory, name + ": not enough memory to open it"); }
}

}  // namespace crinkle::tool
