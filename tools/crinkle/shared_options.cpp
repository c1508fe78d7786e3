// SPDX-License-Identifier: BSD-3-Clause
#include "shared_options.hpp"

#include "wish.hpp"

namespace crinkle::tool {

Option& add_device(Command& c, std::string& device, const std::string& help) {
  return c.option("--device", "DEVICE", device, help).such_as({"auto", "cpu", "cuda"});
}

void add_threads(Command& c, int& threads) { c.option("--threads", "N", threads, "CPU threads; 0 for all"); }

void add_verify(Command& c, bool& is_verified, const std::string& help) { c.flag("--verify", is_verified, help); }

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
          "`[64][512][512][32]`. A last number between brackets is taken for bits, with a note, unless `--dtype` stands beside it.");
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

std::optional<RawFacts> RawInput::facts() const {
  if (shape.empty()) {
    if (!dtype.empty() || offset != 0) throw Error(ErrorCode::bad_notation, "--dtype and --offset describe a raw input and need --shape");
    return {};
  }
  auto [layout, type] = array_of(shape, dtype);
  if (offset < 0) throw Error(ErrorCode::bad_notation, "--offset " + std::to_string(offset) + ": give 0 or more bytes");
  return RawFacts{layout.extents, type, offset};
}

}  // namespace crinkle::tool
