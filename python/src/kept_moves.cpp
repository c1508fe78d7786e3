// Plans that move() makes, in the process-wide cache by specification, options and layouts: keys are the very words, so that reading them
// is left out the next time.
// SPDX-License-Identifier: BSD-3-Clause
#include <nanobind/stl/string.h>

#include <cstring>
#include <string_view>

#include "api/cache.hpp"
#include "crinkle/detail/request_key.hpp"
#include "moves.hpp"
#include "wish.hpp"

namespace crinkle::python {
namespace {

using Key = crinkle::detail::RequestKey;

void append(Key& key, const View& v) {
  const auto n = static_cast<std::size_t>(v.rank);
  key.push_back(v.rank);
  key.push_back(v.element_bytes);
  key.insert(key.end(), v.extents.begin(), v.extents.begin() + n);
  key.insert(key.end(), v.strides.begin(), v.strides.begin() + n);
}

enum class Item : std::int64_t { text, bytes, number, none, tuple, n_items };
void append(Key& key, Item item, std::size_t size) {
  key.push_back(static_cast<std::int64_t>(size) * static_cast<std::int64_t>(Item::n_items) + static_cast<std::int64_t>(item));
}
void append(Key& key, Item item, std::string_view characters) {
  append(key, item, characters.size());
  const std::size_t at = key.size();
  key.resize(at + (characters.size() + 7) / 8);
  if (!characters.empty()) std::memcpy(key.data() + at, characters.data(), characters.size());
}

// Words, and tuples of numbers, words, bytes and tuples.
void append(Key& key, nb::handle object) {
  PyObject* const o = object.ptr();
  if (PyUnicode_Check(o)) {
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(o, &size);
    if (text == nullptr) throw nb::python_error();
    append(key, Item::text, {text, static_cast<std::size_t>(size)});
  } else if (PyTuple_Check(o)) {
    append(key, Item::tuple, static_cast<std::size_t>(PyTuple_GET_SIZE(o)));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(o); ++i) append(key, nb::handle(PyTuple_GET_ITEM(o, i)));
  } else if (object.is_none()) {
    append(key, Item::none, std::size_t{0});
  } else if (PyBytes_Check(o)) {
    append(key, Item::bytes, {PyBytes_AS_STRING(o), static_cast<std::size_t>(PyBytes_GET_SIZE(o))});
  } else {
    append(key, Item::number, std::size_t{0});
    key.push_back(integer(object));
  }
}

std::string title_of(const std::string& spec, const nb::tuple& options) {
  std::string title = spec;
  for (const nb::handle option : options) {
    const nb::tuple parts = nb::borrow<nb::tuple>(option);
    title += ", " + text_of(parts[0]);
    for (std::size_t k = 1; k < parts.size(); ++k) {
      const nb::object part = parts[k];
      if (PyUnicode_Check(part.ptr()) || PyLong_Check(part.ptr())) title += " " + text_of(part);
    }
  }
  return title;
}

}  // namespace

std::shared_ptr<const MovePlan> kept_move(std::span<const View> sources, nb::handle spec, nb::handle options, const View* into) {
  static auto& key = *new Key;  // NOLINT: of the call at hand, under Python's lock; at the end of the program calls of threads may go on
  key.clear();
  key.push_back(crinkle::detail::kind_of_key<MovePlan>());
  key.push_back(sources.front().device);
  key.push_back(std::ssize(sources) * 2 + (into != nullptr ? 1 : 0));  // which of the layouts below are sources
  for (const View& v : sources) append(key, v);
  if (into != nullptr) append(key, *into);
  append(key, spec);
  append(key, options);
  if (auto found = find_kept(key)) return std::static_pointer_cast<const MovePlan>(std::move(found));

  const Key own = key;
  std::vector<Layout> layouts;
  for (const View& v : sources) layouts.push_back(v.layout());
  const std::string text = nb::cast<std::string>(spec);
  const nb::tuple wishes = nb::borrow<nb::tuple>(options);
  const Layout destination = into != nullptr ? into->layout() : Layout{};
  std::function<Rearrangement()> of_dense;
  if (!layouts.front().is_dense())
    of_dense = [text, wishes, layouts] {
      return read_wish(text, {Layout::dense(layouts.front().extents, layouts.front().element_bytes)}, wishes, nullptr);
    };
  const auto plan = std::make_shared<const MovePlan>(read_wish(text, layouts, wishes, into != nullptr ? &destination : nullptr), layouts,
                                                     into != nullptr, sources.front().crinkle_device(), title_of(text, wishes), of_dense);
  const std::int64_t of_words = of_dense ? 8 * std::ssize(own) + 1024 : 0;
  return std::static_pointer_cast<const MovePlan>(keep(own, plan, plan->held_bytes() + of_words));
}

}  // namespace crinkle::python
