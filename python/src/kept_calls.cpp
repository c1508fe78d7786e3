// SPDX-License-Identifier: BSD-3-Clause
#include "kept_calls.hpp"

#include <cstring>
#include <utility>

#include "api/cache.hpp"
#include "base/held_bytes.hpp"

namespace crinkle::python {
namespace {

using CallKey = crinkle::detail::RequestKey;

struct KeptCall {
  Operation operation;
  double note = 0;

  std::int64_t held_bytes() const { return allocated_bytes(sizeof *this) + operation.held_bytes(); }
};

// Of each type another number, since True, 1 and 1.0 are not one word. False where a word is of another type.
enum class Word : std::int64_t { none, flag, integer, real, text, list, tuple };
bool add_word(CallKey& key, PyObject* o, int depth = 0) {
  constexpr int most_depth = 4;
  const auto add = [&](Word word, std::int64_t value) {
    key.push_back(static_cast<std::int64_t>(word));
    key.push_back(value);
    return true;
  };
  if (o == Py_None) return add(Word::none, 0);
  if (PyBool_Check(o)) return add(Word::flag, o == Py_True ? 1 : 0);
  if (PyFloat_CheckExact(o)) return add(Word::real, std::bit_cast<std::int64_t>(PyFloat_AS_DOUBLE(o)));
  if (PyLong_CheckExact(o)) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(o, &overflow);
    return overflow == 0 && add(Word::integer, value);
  }
  if (PyUnicode_CheckExact(o)) {
    Py_ssize_t n = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(o, &n);
    if (text == nullptr) {
      PyErr_Clear();
      return false;
    }
    add(Word::text, n);
    const std::size_t at = key.size(), size = static_cast<std::size_t>(n);
    key.resize(at + (size + 7) / 8);
    if (size > 0) std::memcpy(key.data() + at, text, size);
    return true;
  }
  const bool is_list = PyList_CheckExact(o);
  if (depth == most_depth || (!is_list && !PyTuple_Check(o))) return false;
  const Py_ssize_t n = is_list ? PyList_GET_SIZE(o) : PyTuple_GET_SIZE(o);
  add(is_list ? Word::list : Word::tuple, n);
  for (Py_ssize_t i = 0; i < n; ++i)
    if (!add_word(key, is_list ? PyList_GET_ITEM(o, i) : PyTuple_GET_ITEM(o, i), depth + 1)) return false;
  return true;
}

bool add_array(CallKey& key, nb::handle array, View& view) {
  const std::int64_t type = read_plain(array, view);
  if (type == 0) return false;
  const auto n = static_cast<std::size_t>(view.rank);
  key.insert(key.end(), {type, view.device, view.rank});
  key.insert(key.end(), view.extents.begin(), view.extents.begin() + n);
  key.insert(key.end(), view.strides.begin(), view.strides.begin() + n);
  return true;
}

}  // namespace

Call::Call(std::int64_t kind, nb::handle x, nb::handle out, nb::handle words) : x_(x), out_(out) {
  if (words.is_none() || Planning::now() != nullptr) return;
  CallKey key;
  key.reserve(128);
  key.insert(key.end(), {crinkle::detail::kind_of_key<KeptCall>(), kind, out.is_none() ? 0 : 1});
  if (add_array(key, x, view_) && (out.is_none() || add_array(key, out, out_view_)) && add_word(key, words.ptr())) key_ = std::move(key);
}

nb::object Call::again() const {
  if (!key_) return nb::none();
  const auto found = std::static_pointer_cast<const KeptCall>(find_kept(*key_));
  if (!found) return nb::none();
  const bool is_new = out_.is_none();
  const nb::object result = is_new ? new_like(x_, found->operation.outputs()[0].layout.extents, view_.library) : nb::borrow(out_);
  const View made = output_view(result);
  const ConstBuffer from = view_.source();
  const Buffer to = made.destination();
  run(found->operation, x_, view_, {&from, 1}, {&to, 1});
  return nb::make_tuple(is_new ? finished(x_, result) : result, found->note);
}

void Call::keep(const Operation& operation, double note) const {
  if (!key_) return;
  auto made = std::make_shared<const KeptCall>(KeptCall{operation, note});
  const std::int64_t bytes = made->held_bytes();
  crinkle::keep(*key_, std::move(made), bytes);
}

}  // namespace crinkle::python
