// SPDX-License-Identifier: BSD-3-Clause
#include "wish.hpp"

#include <nanobind/stl/string.h>

#include <cstring>
#include <functional>
#include <optional>
#include <utility>

#include "notation/build.hpp"

namespace crinkle::python {

std::int64_t integer(nb::handle object) {
  const nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) throw Error(ErrorCode::too_large, "the number " + text_of(index) + " does not fit 64 bits");
  return value;
}

namespace {

std::optional<std::int64_t> integer_or_none(nb::handle object) {
  if (object.is_none()) return {};
  return integer(object);
}

BoundVerb read_verb(Verb::Kind kind, const nb::tuple& option) {
  BoundVerb bound;
  Verb& v = bound.verb;
  const std::string axis = nb::cast<std::string>(option[1]);
  if (kind == Verb::Kind::flip || kind == Verb::Kind::bit_reverse) {
    v = parse_verb(kind, axis);
    return bound;
  }
  v = parse_verb(Verb::Kind::flip, axis);  // checks what an axis looks like
  v.kind = kind;
  switch (kind) {
    case Verb::Kind::roll:
    case Verb::Kind::at: v.distance = integer(option[2]); break;
    case Verb::Kind::dilate:
      v.distance = integer(option[2]);
      if (v.distance < 1) throw Error(ErrorCode::bad_shape, "dilate: a step of " + std::to_string(v.distance) + "; give 1 or more");
      break;
    case Verb::Kind::slice:
      v.start = integer_or_none(option[2]);
      v.stop = integer_or_none(option[3]);
      v.step = integer_or_none(option[4]);
      if (v.step == 0) throw Error(ErrorCode::bad_shape, "slice: a step of 0 on axis " + axis);
      break;
    case Verb::Kind::pad: {
      v.before = integer(option[2]);
      v.after = integer(option[3]);
      if (v.before < 0 || v.after < 0) {
        throw Error(ErrorCode::bad_shape, "pad: (" + std::to_string(v.before) + ", " + std::to_string(v.after) + ") on axis " + axis +
                                              "; give counts of 0 or more, or cut with slice");
      }
      v.mode = pad_mode_of(nb::cast<std::string>(option[4]));
      const nb::bytes value = nb::cast<nb::bytes>(option[5]);
      const auto* const bytes = reinterpret_cast<const std::byte*>(value.data());
      bound.value.assign(bytes, bytes + value.size());
      break;
    }
    case Verb::Kind::take: {
      const nb::bytes indices = nb::cast<nb::bytes>(option[2]);
      bound.indices.resize(indices.size() / sizeof(std::int64_t));
      if (!bound.indices.empty()) std::memcpy(bound.indices.data(), indices.data(), bound.indices.size() * sizeof(std::int64_t));
      break;
    }
    case Verb::Kind::flip:
    case Verb::Kind::bit_reverse: break;
  }
  return bound;
}

std::vector<ElementPart> read_parts(nb::handle option) {
  std::vector<ElementPart> parts;
  for (const nb::handle one : option) {
    const nb::tuple part = nb::borrow<nb::tuple>(one);
    parts.push_back({integer(part[0]), integer(part[1]), integer(part[2]), nb::cast<bool>(part[3])});
  }
  return parts;
}

const std::map<std::string, Verb::Kind>& verb_words() {
  static const std::map<std::string, Verb::Kind> words = [] {
    std::map<std::string, Verb::Kind> map;
    for (int k = 0; k <= static_cast<int>(Verb::Kind::bit_reverse); ++k)
      map[name_of(static_cast<Verb::Kind>(k))] = static_cast<Verb::Kind>(k);
    return map;
  }();
  return words;
}

}  // namespace

Rearrangement into(const Rearrangement& r, const Layout& destination) {
  const Extents result = r.destination().extents;
  if (destination.extents != result)
    throw Error(ErrorCode::bad_shape, "out has shape " + shape_text(destination.extents) + ", the result " + shape_text(result));
  return r.has_names() ? r.into(destination) : r.then(Rearrangement(r.destination()).into(destination));
}

Rearrangement read_wish(const std::string& spec, const std::vector<Layout>& sources, const nb::tuple& options, const Layout* destination) {
  ParseOptions parse;
  std::vector<BoundVerb> verbs;
  std::vector<ElementPart> parts;
  std::vector<std::function<Rearrangement(const Layout&)>> orders;
  for (const nb::handle one : options) {
    const nb::tuple option = nb::borrow<nb::tuple>(one);
    const std::string word = nb::cast<std::string>(option[0]);
    if (const auto verb = verb_words().find(word); verb != verb_words().end()) {
      verbs.push_back(read_verb(verb->second, option));
    } else if (word == "size") {
      parse.sizes[nb::cast<std::string>(option[1])] = integer(option[2]);
    } else if (word == "tail") {
      parse.tail = tail_of(nb::cast<std::string>(option[1]));
    } else if (word == "byte_swap") {
      parts = read_parts(option[1]);
    } else if (word == "order") {
      const std::string order = nb::cast<std::string>(option[1]);
      if (order == "morton") orders.emplace_back([](const Layout& l) { return morton(l); });
      if (order == "checkerboard") orders.emplace_back([](const Layout& l) { return checkerboard(l); });
    } else {
      throw Error(ErrorCode::bad_notation, "no option of a move: '" + word + "'");
    }
  }
  Layout source = sources.front();
  if (sources.size() > 1) {
    source.extents.insert(source.extents.begin(), static_cast<std::int64_t>(sources.size()));
    source = Layout::dense(source.extents, source.element_bytes);
    for (const Layout& l : sources) {
      if (l != sources.front()) {
        throw Error(ErrorCode::unsupported, "arrays of one list with unlike strides, " + shape_text(sources.front().strides) + " and " +
                                                shape_text(l.strides) + ": make them contiguous first");
      }
    }
  }
  Rearrangement r = build(spec, source, parse, verbs);
  if (!parts.empty()) r = r.byte_swap(parts);
  for (const auto& order : orders) r = r.then(order(r.destination()));
  if (destination != nullptr) r = into(r, *destination);
  if (sources.size() > 1) r = interlace(sources.front(), static_cast<std::int64_t>(sources.size()), 0).then(r);
  return r;
}

}  // namespace crinkle::python
