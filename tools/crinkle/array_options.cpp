// SPDX-License-Identifier: BSD-3-Clause
#include "array_options.hpp"

#include <fmt/format.h>

#include "names.hpp"
#include "wish.hpp"

namespace crinkle::tool {

void ArrayOptions::add_to(CLI::App& command) {
  command.add_option("--axis", axis, "the axis that counts the arrays; -1 is the fastest")->type_name("AXIS")->capture_default_str();
  command.add_option("--shape", shape, "of a raw input: 64,512,512 or [64][512][512][float32]")->type_name("SHAPE");
  command.add_option("--dtype", dtype, "of a raw input: float32, '<f4', …")->type_name("TYPE");
  command.add_option("--offset", offset, "of a raw input: bytes before the data")->type_name("BYTES");
  running.add_to(command);
}

std::unique_ptr<Source> ArrayOptions::open(const std::string& path) const {
  if (shape.empty()) return Source::open(path);
  auto [layout, type] = array_of(shape, dtype);
  const RawFacts raw{layout.extents, type, offset};
  return Source::open(path, &raw);
}

void check_arrays(const ArrayOptions& o, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  o.running.placement.asked("");
  if (o.shape.empty() && (!o.dtype.empty() || o.offset != 0))
    throw Error(ErrorCode::bad_notation, "--dtype and --offset describe raw inputs and need --shape");
  if (o.offset < 0) throw Error(ErrorCode::bad_notation, fmt::format("--offset {}: give 0 or more bytes", o.offset));
  const InputIs is = o.shape.empty() ? InputIs::as_named : o.offset == 0 ? InputIs::raw : InputIs::raw_behind_a_header;
  for (const std::string& input : inputs) check_names(input, is, outputs.front());
  for (const std::string& output : outputs) check_names(inputs.front(), is, output);
}

std::string described(const std::string& path, const Extents& extents, const ElementType& type) {
  return fmt::format("{} {} {}", path, print_shape(extents), spelled(type));
}

void for_each_element(const Layout& layout, const std::function<void(std::int64_t i, std::int64_t at)>& body) {
  const std::int64_t n = layout.n_elements();
  Extents index(layout.extents.size());
  std::int64_t at = layout.offset;
  for (std::int64_t i = 0; i < n; ++i) {
    body(i, at);
    for (std::size_t a = index.size(); a-- > 0;) {
      at += layout.strides[a];
      if (++index[a] < layout.extents[a]) break;
      at -= index[a] * layout.strides[a];
      index[a] = 0;
    }
  }
}

}  // namespace crinkle::tool
