// Any text as a specification, against small extents: it is refused with an Error or means something. What parses is printed in its one
// canonical spelling, which parses to the same; what binds becomes a rearrangement whose boxes stay inside source and destination.
// Input: rank and extents, a tail, then the text; the text's own spelling is also tried as a shape, as every word of the modes is, and as a
// value of one type after another, which has the type's bytes.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <cstdlib>
#include <string>

#include "crinkle/error.hpp"
#include "crinkle/layout.hpp"
#include "crinkle/notation.hpp"
#include "fuzz/bytes.hpp"
#include "notation/spec.hpp"
#include "notation/value.hpp"

namespace {

using namespace crinkle;

void require(bool condition) {
  if (!condition) std::abort();
}

void print_and_parse_again(const std::string& text) {
  const Spec spec = parse_spec(text);
  const std::string printed = print(spec);
  require(parse_spec(printed) == spec);
  require(print(parse_spec(printed)) == printed);
  require(canonical(text) == printed);
}

void stay_inside(const Rearrangement& r, const Layout& source) {
  if (r.destination().n_bytes() > 1 << 20) return;
  for (const ByteSpan& span : r.source_spans()) require(span.first >= 0 && span.last <= source.n_bytes());
  for (const ByteSpan& span : r.destination_spans()) require(span.first >= 0 && span.last <= r.destination().n_bytes());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  Extents extents(static_cast<std::size_t>(bytes.number(0, 6)));
  for (std::int64_t& extent : extents) extent = bytes.number(0, 12);
  ParseOptions options;
  options.tail = static_cast<Tail>(bytes.number(0, 3));
  if (bytes.number(0, 3) == 3) options.sizes["a"] = bytes.number(0, 5);
  const std::string text = bytes.rest();

  try {
    print_and_parse_again(text);
  } catch (const Error&) {}
  try {
    const Layout source = Layout::dense(extents, 1 + static_cast<std::int64_t>(size % 4));
    stay_inside(parse(text, source, options), source);
  } catch (const Error&) {}
  try {
    const Shape shape = parse_shape(text);
    require(parse_shape(print_shape(shape.extents)).extents == shape.extents);
  } catch (const Error&) {}
  for (const char* type : {"b1", "i8", "u2", "f2", "f4", "f16", "c32", "M8[25s]", "M8[M]", "M8[as]", "m8", "S5", "U3", "V4"}) {
    try {
      require(static_cast<std::int64_t>(parse_value(text, type).size()) == bytes_of_type(type));
    } catch (const Error&) {}
  }
  return 0;
}
