// Options that several subcommands have, each declared here and nowhere else.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "files/file_names.hpp"
#include "formats/dataset.hpp"
#include "formats/source.hpp"

namespace crinkle::tool {

Option& add_device(Command& c, std::string& device, const std::string& help = "auto (the faster, as predicted), cpu or cuda[:N]");
void add_window(Command& c, std::string& window, const std::string& of = "of a .png");
void add_threads(Command& c, int& threads);
void add_verify(Command& c, bool& is_verified, const std::string& help = "compare everything with the definition before an output appears");
void add_stored(Command& c, DatasetWish& stored);
void add_force(Command& c, bool& is_forced, const std::string& help = "replace an output that exists");
void add_dry_run(Command& c, bool& is_dry);
void add_explain(Command& c, bool& is_explained);
Option& add_json(Command& c, bool& is_json, const std::string& help = "print JSON");
void add_json_file(Command& c, std::string& path);
void add_byte_order(Command& c, std::string& byte_order, const std::string& help);
void add_fields(Command& c, std::string& fields);
Option& add_type(Command& c, const std::string& name, std::string& type, const std::string& help);

/// What INPUT and OUTPUT of commands on arrays may be.
inline constexpr const char* arrays_read = ".npy, .zarr, .h5, .nc, .tif, .png, .nii, .nii.gz, .hdr with .img, raw with --shape";
inline constexpr const char* arrays_written =
    ".npy, .zarr, .h5, .nc, .tif, .png, .nii, .nii.gz or raw, by its name; - for raw on standard output";

/// --shape and --dtype of an array that is only described.
Option& add_shape(Command& c, std::string& shape, const std::string& of);
void add_dtype(Command& c, std::string& dtype, const std::string& of);

/// --shape, --dtype and --offset describe a raw input.
struct RawInput {
  std::string shape, dtype;
  std::int64_t offset = 0;

  void add_to(Command& c);
  /// --shape and --offset, of a command whose --dtype is of the result.
  void add_beside_result_to(Command& c);
  /// Takes the type of the input from that of the result where --shape has none: both are of it then.
  RawInput completed(std::string& result_type) const;
  InputIs is() const { return shape.empty() ? InputIs::as_named : offset == 0 ? InputIs::raw : InputIs::raw_behind_a_header; }
  /// Nothing of an input that says itself what it holds. An extent of -1 is what the file's size leaves. Throws bad_notation for options
  /// that do not go together, bad_shape where no whole extent is left.
  std::optional<RawFacts> facts(const std::string& path) const;
  /// Source::open with facts().
  std::unique_ptr<Source> open(const std::string& path) const;
};

}  // namespace crinkle::tool
