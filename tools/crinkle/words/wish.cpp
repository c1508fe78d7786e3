// SPDX-License-Identifier: BSD-3-Clause
#include "words/wish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>

#include "base/caret.hpp"
#include "base/element_type.hpp"
#include "command_line/shared_options.hpp"
#include "formats/record_value.hpp"
#include "formats/source.hpp"
#include "notation/build.hpp"

namespace crinkle::tool {

namespace {

void add_verbs(Command& c, std::vector<Verb>& verbs) {
  const auto verb = [&](Verb::Kind kind, const char* name, const char* value, const char* help) -> Option& {
    Option& o = c.option(name, value, [&verbs, kind](const std::string& text) { verbs.push_back(parse_verb(kind, text)); }, help);
    return o.repeatable().axis_and_value().heading("Verbs (repeatable, in order)");
  };
  verb(Verb::Kind::flip, "--flip", "AXIS", "reverse an axis").axis();
  verb(Verb::Kind::roll, "--roll", "AXIS=K", "shift cyclically by K, any sign").manual("As numpy.roll does.");
  verb(Verb::Kind::slice, "--slice", "AXIS=START:STOP[:STEP]", "NumPy's slice")
      .manual("Bounds may be left out, negative, or beyond the end; the step may be negative.");
  verb(Verb::Kind::pad, "--pad", "AXIS=BEFORE:AFTER[:MODE[:VALUE]]", "constant (default, zeros), edge, reflect, symmetric or wrap")
      .manual(
          "As numpy.pad does. The last three modes continue periodically where the pad is wider than the axis; NumPy 1.24 differs there. "
          "*VALUE* is what the input's type holds: a number (`-3`, `0x1f`, `1.5e-3`, `nan`, `1.5-2j`), `true` or `false`, a date "
          "(`2020-01-31`, `2020-01-31T23:59:59.5`) of datetime64, a number of units of timedelta64, `NaT` of both, text of S and U, `0x` "
          "and two digits for each byte of V, a tuple (`(1.5, 7, 'a, b')`) of a record.");
  verb(Verb::Kind::dilate, "--dilate", "AXIS=K", "zeros between the elements").manual("K - 1 of them between neighbours.");
  verb(Verb::Kind::at, "--at", "AXIS=I", "one index of an axis, which goes").manual("Negative indices count from the end.");
  verb(Verb::Kind::take, "--take", "AXIS=FILE.npy", "the indices in a file")
      .manual("One axis of integers, negative from the end. All are checked first. Each takes some 60 bytes of memory.");
  verb(Verb::Kind::bit_reverse, "--bit-reverse", "AXIS", "the bits of the index reversed").axis().manual("The extent is a power of two.");
}

}  // namespace

void Wish::add_to(Command& c) {
  c.argument("SPEC", spec, "what goes where, slowest axis first: 'z y x -> x z y'").required();
  add_verbs(c, verbs);
  c.option("--size", "NAME=N", sizes, "a size: NAME=N (repeatable)").repeatable().axis_and_value();
  c.option("--tail", "TAIL", tail, "when a factor does not divide: error, ragged, pad or drop")
      .only({"error", "ragged", "pad", "drop"})
      .manual(
          "`error` names the nearest extents that would do; `pad` appends zeros; `drop` cuts the end; `ragged` gives the first phases one "
          "element more, where the factor and its axis stay in one axis: `y (x 2) -> y (2 x)`.");
  c.flag("--morton", is_morton, "the whole result in Morton order, flat").manual("Extents are powers of two.");
  c.flag("--checkerboard", is_checkerboard, "the whole result, even cells first, flat")
      .manual("Even are the elements whose indices have an even sum.");
  add_byte_order(c, byte_order, "little or big: swap bytes where they differ");
  c.flag("--shuffle", is_shuffled, "byte b of all elements together: bytes, [element bytes, …]")
      .manual("The result has one more axis, the slowest.");
  c.flag("--bit-planes", is_bit_planes, "bit b of all elements together: bytes, [bits, n / 8]")
      .manual("They are an operation beside the rearrangement: `explain` and `draw` refuse them.");
  add_type(c, "--unshuffle", unshuffled, "the input is shuffled bytes of this type; put them together first");
  add_type(c, "--from-bit-planes", from_bit_planes, "the input is bit planes of this type; put them together first")
      .manual("The elements are one axis.");
  c.option("--count", "N", count, "with --from-bit-planes: how many elements, where not a multiple of 8");
}

void Wish::check_count() const {
  if (!count) return;
  if (from_bit_planes.empty())
    throw Error(ErrorCode::bad_notation,
                "--count " + std::to_string(*count) + " counts the elements in bit planes: it needs --from-bit-planes TYPE");
  if (*count < 0) throw Error(ErrorCode::bad_shape, "--count " + std::to_string(*count) + ": give 0 or more elements");
}

void Wish::refuse_bit_planes(const std::string& what) const {
  check_count();
  if (!is_bit_planes && from_bit_planes.empty()) return;
  throw Error(ErrorCode::unsupported, "cannot " + what + " " + (is_bit_planes ? "--bit-planes" : "--from-bit-planes") +
                                          ": bit planes are an operation of their own beside the rearrangement; leave it out to " + what +
                                          " the rest");
}

namespace {

std::map<std::string, std::int64_t> parse_sizes(const std::vector<std::string>& texts) {
  std::map<std::string, std::int64_t> sizes;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    std::int64_t n = -1;
    if (equals != std::string::npos) {
      const auto [end, code] = std::from_chars(text.data() + equals + 1, text.data() + text.size(), n);
      if (code == std::errc::result_out_of_range)
        throw caret_error(ErrorCode::too_large, text, equals + 1, text.size() - equals - 1, "this size does not fit 64 bits");
      if (code != std::errc() || end != text.data() + text.size()) n = -1;
    }
    if (equals == 0 || n < 0) throw notation_error(text, 0, text.size(), "a size is NAME=N with N of 0 or more, as in --size h=16");
    const std::string name = text.substr(0, equals);
    const auto [entry, is_new] = sizes.emplace(name, n);
    if (!is_new && entry->second != n) {
      throw notation_error(
          text, 0, text.size(),
          "`" + name + "` is " + std::to_string(entry->second) + " in one --size and " + std::to_string(n) + " in another");
    }
  }
  return sizes;
}

std::vector<std::int64_t> indices_of(const Verb& verb) {
  const auto file = Source::open(verb.file);
  const ArrayFacts& facts = file->facts();
  const std::string what =
      "the index array " + verb.file + " of type " + spelled(facts.type) + " and shape " + print_shape(facts.layout.extents);
  const std::string& descr = facts.type.descr;
  if (facts.layout.extents.size() != 1 || descr.size() < 3 || (descr[1] != 'i' && descr[1] != 'u') || facts.type.bytes > 8) {
    throw Error(ErrorCode::bad_shape, what + ": indices are one axis of integers");
  }
  const std::int64_t n = facts.layout.n_elements(), e = facts.type.bytes;
  const bool is_big = facts.type.parts.front().order == '>';
  std::vector<std::int64_t> indices(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const std::byte* bytes = file->bytes().data() + facts.layout.offset + i * facts.layout.strides[0];
    std::uint64_t word = 0;
    for (std::int64_t k = 0; k < e; ++k) word = word << 8 | std::to_integer<std::uint64_t>(bytes[is_big ? k : e - 1 - k]);
    const int unused = static_cast<int>(64 - 8 * e);
    if (descr[1] == 'i') {
      indices[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(word << unused) >> unused;
    } else {
      if (word > static_cast<std::uint64_t>(INT64_MAX))
        throw Error(ErrorCode::bad_shape, what + ": entry " + std::to_string(i) + " is " + std::to_string(word));
      indices[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(word);
    }
  }
  return indices;
}

// The verbs where every pad fills with the same zeros, so that no fill can be in the way of another.
std::vector<BoundVerb> without_copies(std::vector<BoundVerb> verbs) {
  for (BoundVerb& v : verbs) {
    if (v.verb.kind != Verb::Kind::pad) continue;
    v.verb.mode = PadMode::constant;
    v.verb.value.clear();
    v.value.clear();
  }
  return verbs;
}

std::vector<ElementPart> parts_of(const ElementType& from, char order) {
  if (!from.has_parts) throw Error(ErrorCode::unsupported, "the type " + spelled(from) + " has too many fields to swap bytes in");
  std::vector<ElementPart> parts;
  for (const ItemPart& p : from.parts) parts.push_back({p.offset, p.item_bytes, p.count, p.order != '|' && p.order != order});
  return parts;
}

}  // namespace

Wanted resolve(const Wish& wish, const Layout& source, const ElementType& type) {
  Wanted wanted{Rearrangement(source), type, type, {}, {}, {}};
  Layout layout = source;
  const bool is_unshuffled = !wish.unshuffled.empty();
  if (is_unshuffled) {
    wanted.source_type = element_type(wish.unshuffled, ErrorCode::bad_notation);
    if (type.bytes != 1 || layout.extents.empty() || layout.extents[0] != wanted.source_type.bytes) {
      throw Error(ErrorCode::bad_shape, "cannot unshuffle " + print_shape(layout.extents) + " of " + spelled(type) + " as " +
                                            wish.unshuffled + ": it takes bytes whose slowest axis has extent " +
                                            std::to_string(wanted.source_type.bytes));
    }
    layout = Layout::dense({layout.extents.begin() + 1, layout.extents.end()}, wanted.source_type.bytes);
    wanted.type = wanted.source_type;
  }
  std::vector<BoundVerb> verbs;
  for (const Verb& v : wish.verbs) {
    verbs.push_back({v, v.value.empty() ? std::vector<std::byte>{} : value_of_type(v.value, wanted.type),
                     v.kind == Verb::Kind::take ? indices_of(v) : std::vector<std::int64_t>{}});
  }
  const ParseOptions options{parse_sizes(wish.sizes), tail_of(wish.tail)};
  Rearrangement r = build(wish.spec, layout, options, verbs);
  const auto is_roll = [](const BoundVerb& v) { return v.verb.kind == Verb::Kind::roll; };
  if (std::any_of(verbs.begin(), verbs.end(), [](const BoundVerb& v) { return v.verb.mode != PadMode::constant; }))
    wanted.with_fills = build(wish.spec, layout, options, without_copies(verbs));
  if (std::any_of(verbs.begin(), verbs.end(), is_roll)) {
    std::erase_if(verbs, is_roll);
    wanted.without_rolls = build(wish.spec, layout, options, without_copies(std::move(verbs)));
  }
  if (!wish.byte_order.empty()) {
    const char order = wish.byte_order == "little" ? '<' : '>';
    r = r.byte_swap(parts_of(wanted.type, order));
    wanted.type = with_byte_order(wanted.type, order);
  }
  if (is_unshuffled) r = Rearrangement(source).then(byte_shuffle(layout).inverse()).then(r);
  if (wish.is_morton) r = r.then(morton(r.destination()));
  if (wish.is_checkerboard) r = r.then(checkerboard(r.destination()));
  if (wish.is_shuffled) {
    r = r.then(byte_shuffle(r.destination()));
    wanted.type = element_type("|u1");
  }
  wanted.extents = r.destination().extents;
  wanted.map = std::move(r);
  return wanted;
}

std::pair<Layout, ElementType> array_of(const std::string& text, std::string dtype, const std::string& otherwise) {
  // Only between brackets may the element stand behind the extents: [64][64][32] has elements of 32 bits, 64,64,32 has three axes.
  const bool may_end_in_bits = dtype.empty() && otherwise.empty() && text.find('[') != std::string::npos;
  const Shape shape = parse_shape(text, may_end_in_bits ? LastNumber::is_element_bits : LastNumber::is_an_extent);
  if (!dtype.empty() && shape.element_bytes > 0) {
    throw Error(ErrorCode::bad_notation, "the element is given twice: " + shape.element + " in the shape and --dtype " + dtype);
  }
  if (dtype.empty() && shape.element_bytes == 0) dtype = otherwise;
  if (dtype.empty() && shape.element_bytes == 0)
    throw Error(ErrorCode::bad_notation, "the shape " + text + " needs an element: --dtype float32, or [64][64][float32]");
  const ElementType type = !dtype.empty() || bytes_of_type(shape.element) > 0
                               ? element_type(dtype.empty() ? code_of_type(shape.element) : dtype, ErrorCode::bad_notation)
                               : element_type("|V" + std::to_string(shape.element_bytes));
  if (may_end_in_bits && shape.element.ends_with("bits") && text.find("bits") == std::string::npos) {
    fmt::print(
        stderr,
        "crinkle: note: {} is read as {} with elements of {}; if its last number is an extent, too, add --dtype float32 or the like\n",
        text, print_shape(shape.extents), shape.element);
  }
  return {Layout::dense(shape.extents, type.bytes), type};
}

}  // namespace crinkle::tool
