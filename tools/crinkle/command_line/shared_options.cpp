// SPDX-License-Identifier: BSD-3-Clause
#include "command_line/shared_options.hpp"

#include <cctype>
#include <filesystem>
#include <utility>

#include "words/wish.hpp"

namespace crinkle::tool {

Option& add_device(Command& c, std::string& device, const std::string& help) {
  return c.option("--device", "DEVICE", device, help).such_as({"auto", "cpu", "cuda"});
}

void add_window(Command& c, std::string& window, const std::string& of) {
  c.option("--window", "LOW:HIGH", window, of + ": which numbers are black and white, or auto (1st to 99th percentile)")
      .such_as({"auto"})
      .manual(
          "What lies between has the levels between, what lies beyond those of the nearer end. Numbers of a NIfTI volume are the values "
          "that "
          "they mean, slope times number plus intercept.");
}

void add_threads(Command& c, int& threads) { c.option("--threads", "N", threads, "CPU threads; 0 for all"); }

void add_verify(Command& c, bool& is_verified, const std::string& help) { c.flag("--verify", is_verified, help); }

void add_stored(Command& c, DatasetWish& stored) {
  c.option("--chunks", "SIZES", stored.chunks,
           "of a .zarr, HDF5, NetCDF-4 or .tif output: elements packed together, y=512,x=512 or 1,512,512, or auto")
      .manual(
          "Axes that are not named are not cut. With `auto`, or without it, the longest axes are halved until a chunk has at most 4 MiB, "
          "of "
          "HDF5 and NetCDF-4 1 MiB.");
  c.option("--read-along", "AXIS", stored.read_along, "of such an output: choose chunks that are long along this axis, by name or number")
      .manual("For reading whole series, say: as much of the axis as such a chunk holds, and the others alike.");
  c.option("--shards", "SIZES", stored.shards, "of a .zarr output: elements in a file, a multiple of the chunks")
      .manual("Each file then holds many chunks and where they begin, which spares a file system millions of small ones.");
  c.option("--filter", "CODECS", stored.filter,
           "of such an output: none, gzip:5, zstd:3, lz4, blosc:lz4:5; with shuffle, crc32c or fletcher32; of .tif none, lzw, deflate:6, "
           "zstd:3; with predictor")
      .such_as({"none", "gzip:5", "zstd:3", "zstd:3,shuffle", "lz4:5,shuffle", "zstd:3,crc32c"})
      .manual(
          "Without it `lz4:5,shuffle`: the bytes of numbers apart, then LZ4, both by Blosc, which is fast; of HDF5 and NetCDF-4 "
          "`gzip:1,shuffle`, which every reader knows, where `none` without --chunks lays all elements down in one piece. Chunks of zeros "
          "are left out.");
  c.flag("--into", stored.is_into, "put the array into the HDF5 or NetCDF-4 file that is there, in place")
      .manual("A run that is killed may leave that file torn. With --force an array of its name is replaced.");
  c.flag("--resume", stored.is_resumed, "go on where a run of this command was stopped, with the parts that it has not finished")
      .manual(
          "Of outputs that are made part by part: stores (not with --into), and others of an input that is a store, or where it is given "
          "from "
          "the start. Parts that it finished are not made again; the bytes are those of a run that was not stopped. The command, but for "
          "--memory and --threads, and the inputs have to be the same. With it, a run that is stopped by Ctrl-C or a full disk leaves what "
          "it has "
          "finished, "
          "too; what a killed one left stays until the next run for that output, which removes it without --resume.");
}

void add_force(Command& c, bool& is_forced, const std::string& help) { c.flag("--force", is_forced, help); }

void add_dry_run(Command& c, bool& is_dry) {
  c.flag("--dry-run", is_dry, "say what would be done").manual("Everything is checked, and nothing is written.");
}

void add_explain(Command& c, bool& is_explained) {
  c.flag("--explain", is_explained, "describe the plan on standard error").manual("Bit planes are named in a line beside it.");
}

Option& add_json(Command& c, bool& is_json, const std::string& help) { return c.flag("--json", is_json, help); }

void add_json_file(Command& c, std::string& path) {
  c.option("--json", "FILE", path, "write all numbers to this file; - for standard output").file({".json"});
}

void add_byte_order(Command& c, std::string& byte_order, const std::string& help) {
  c.option("--byte-order", "ORDER", byte_order, help).only({"little", "big"});
}

void add_fields(Command& c, std::string& fields) {
  c.option("--fields", "FIELDS", fields, "names and types: 'x:f4 y:f4 id:>u8 v:f4[3]'")
      .manual("A structured *.npy* file has its own and needs this only for fields that it lacks.");
}

Option& add_type(Command& c, const std::string& name, std::string& type, const std::string& help) {
  return c.option(name, "TYPE", type, help)
      .such_as({"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64", "complex64",
                "complex128"});
}

Option& add_shape(Command& c, std::string& shape, const std::string& of) {
  return c.option("--shape", "SHAPE", shape, "of " + of + ": 64,512,512 or [64][512][512][float32]")
      .manual(
          "The extents, slowest first. The element may stand behind them, as a type or in bits: `[64][512][512][float32]`, "
          "`[64][512][512][32]`. A last number between brackets is taken for bits, with a note, unless `--dtype` stands beside it. "
          "One extent of a raw file may be -1: what its size leaves.");
}

void add_dtype(Command& c, std::string& dtype, const std::string& of) {
  add_type(c, "--dtype", dtype, "of " + of + ": float32, '<f4', …")
      .manual(
          "Others are `>i2`, `complex64`, `S7`, `[('x', '<f4'), ('n', '<i8')]`. Python objects have no fixed size: `--dtype O` is a wrong "
          "request (status 2), a *.npy* file of objects a file that fails (status 1).");
}

void RawInput::add_to(Command& c) {
  add_shape(c, shape, "a raw input");
  add_dtype(c, dtype, "a raw input");
  c.option("--offset", "BYTES", offset, "of a raw input: bytes before the data");
}

void RawInput::add_beside_result_to(Command& c) {
  add_shape(c, shape, "a raw input");
  c.option("--offset", "BYTES", offset, "of a raw input: bytes before the data");
}

RawInput RawInput::completed(std::string& result_type) const {
  RawInput raw = *this;
  if (!shape.empty() && shape.find('[') == std::string::npos) raw.dtype = std::exchange(result_type, "");
  return raw;
}

namespace {

/// The place of a -1 that is an extent of its own, or npos.
std::size_t unknown_extent(const std::string& shape, std::size_t from) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = shape.find("-1", from); at != std::string::npos; at = shape.find("-1", at + 1)) {
    if ((at == 0 || !is_part(shape[at - 1])) && (at + 2 == shape.size() || !is_part(shape[at + 2]))) return at;
  }
  return std::string::npos;
}

/// The one extent that is -1, of the bytes of the file behind the offset.
std::int64_t extent_left(const std::string& shape, const RawFacts& with_1, const std::string& path) {
  if (path == "-")
    throw Error(ErrorCode::bad_notation, "--shape " + shape + ": -1 is worked out of a file's size, and standard input has none");
  std::error_code code;
  const auto size = std::filesystem::is_regular_file(path, code) ? std::filesystem::file_size(path, code) : std::uintmax_t{0};
  if (code) throw Error(ErrorCode::bad_file, path + ": asking for its size: " + code.message());
  const std::int64_t bytes = static_cast<std::int64_t>(size) - with_1.offset,
                     each = Layout::dense(with_1.extents, with_1.type.bytes).n_bytes();
  if (each <= 0 || bytes < 0 || bytes % each != 0) {
    throw Error(ErrorCode::bad_shape, path + ": --shape " + shape + " has no whole number for -1: " + std::to_string(bytes) +
                                          " bytes behind byte " + std::to_string(with_1.offset) + ", and " + std::to_string(each) +
                                          " for each index");
  }
  return bytes / each;
}

}  // namespace

std::optional<RawFacts> RawInput::facts(const std::string& path) const {
  if (shape.empty()) {
    if (!dtype.empty() || offset != 0) throw Error(ErrorCode::bad_notation, "--dtype and --offset describe a raw input and need --shape");
    return {};
  }
  if (offset < 0) throw Error(ErrorCode::bad_notation, "--offset " + std::to_string(offset) + ": give 0 or more bytes");
  const std::size_t unknown = unknown_extent(shape, 0);
  std::string known = shape;
  if (unknown != std::string::npos) known.replace(unknown, 2, "1");
  if (unknown != std::string::npos && unknown_extent(shape, unknown + 1) != std::string::npos)
    throw Error(ErrorCode::bad_notation, "--shape " + shape + ": one extent may be -1, which is worked out of the file's size");
  auto [layout, type] = array_of(known, dtype);
  RawFacts facts{layout.extents, type, offset};
  if (unknown == std::string::npos) return facts;
  std::size_t axis = 0;  // extents before it, each of which begins with a digit behind none
  for (std::size_t i = 0; i < unknown; ++i)
    axis +=
        std::isdigit(static_cast<unsigned char>(shape[i])) != 0 && (i == 0 || std::isdigit(static_cast<unsigned char>(shape[i - 1])) == 0)
            ? 1U
            : 0U;
  if (axis >= facts.extents.size()) throw Error(ErrorCode::bad_notation, "--shape " + shape + ": the element cannot be -1");
  facts.extents[axis] = extent_left(shape, facts, path);
  return facts;
}

std::unique_ptr<Source> RawInput::open(const std::string& path) const {
  const std::optional<RawFacts> raw = facts(path);
  return Source::open(path, raw ? &*raw : nullptr);
}

}  // namespace crinkle::tool
