// The only file that includes NumPy's headers; NumPy itself need not be there when crinkle runs.
// SPDX-License-Identifier: BSD-3-Clause
#include "view.hpp"

#include "known_arrays.hpp"

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_1_25_API_VERSION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <numpy/arrayobject.h>
#pragma GCC diagnostic pop

#include <cxxabi.h>
#include <unistd.h>

namespace crinkle::python {
namespace {

bool has_numpy = false;

// Leaked on purpose: it would be freed after the interpreter.
nb::handle glue(const char* function) {
  static PyObject* module = PyImport_ImportModule("crinkle._arrays");
  if (module == nullptr) throw nb::python_error();
  static PyObject* const dict = PyModule_GetDict(module);
  PyObject* const found = PyDict_GetItemString(dict, function);
  if (found == nullptr) throw nb::attribute_error(function);
  return found;
}

void set_span(View& view) {
  std::int64_t below = 0, above = view.element_bytes;
  bool overflows = false;
  for (int a = 0; a < view.rank; ++a) {
    const auto k = static_cast<std::size_t>(a);
    if (view.extents[k] == 0) {
      view.below = view.bytes = 0;
      return;
    }
    std::int64_t reach = 0;
    overflows |= __builtin_mul_overflow(view.extents[k] - 1, view.strides[k], &reach);
    if (reach < 0) overflows |= __builtin_sub_overflow(below, reach, &below);
    if (reach > 0) overflows |= __builtin_add_overflow(above, reach, &above);
  }
  view.below = below;
  overflows |= __builtin_add_overflow(below, above, &view.bytes);
  if (overflows) throw Error(ErrorCode::too_large, "an array of shape " + view.shape() + " whose strides reach beyond 63 bits");
}

View numpy_view(PyArrayObject* array) {
  PyArray_Descr* const descr = PyArray_DESCR(array);
  if (PyDataType_REFCHK(descr))
    throw nb::type_error(
        "crinkle moves bytes, not Python objects: this array has dtype object, or a field of it; give it a type such as float64");
  if (!PyArray_CheckExact(array)) glue("unmasked")(nb::handle(reinterpret_cast<PyObject*>(array)));
  View view;
  view.rank = PyArray_NDIM(array);
  for (int a = 0; a < view.rank; ++a) {
    view.extents[static_cast<std::size_t>(a)] = PyArray_DIM(array, a);
    view.strides[static_cast<std::size_t>(a)] = PyArray_STRIDE(array, a);
  }
  view.element_bytes = PyDataType_ELSIZE(descr);
  if (view.element_bytes < 1) throw Error(ErrorCode::bad_shape, "the array's elements have no bytes (dtype 'V0' or 'S0')");
  view.data = static_cast<std::byte*>(PyArray_DATA(array));
  view.is_writable = PyArray_ISWRITEABLE(array);
  set_span(view);
  return view;
}

View foreign_view(nb::handle array) {
  View known;
  if (read_known(array, known)) {
    set_span(known);
    return known;
  }
  const nb::tuple facts =
      nb::borrow<nb::tuple>(glue("view")(array));  // (address, extents, strides, element bytes, writable, device, stream[, owner])
  View view;
  view.data = reinterpret_cast<std::byte*>(nb::cast<std::uintptr_t>(facts[0]));  // NOLINT: an address
  const nb::object extents = facts[1], strides = facts[2];
  const std::size_t rank = nb::len(extents);
  if (rank > max_rank || nb::len(strides) != rank)
    throw Error(ErrorCode::too_large, "an array of " + std::to_string(rank) + " axes; at most " + std::to_string(max_rank) + " are known");
  view.rank = static_cast<int>(rank);
  for (std::size_t a = 0; a < rank; ++a) {
    view.extents[a] = nb::cast<std::int64_t>(extents[a]);
    view.strides[a] = nb::cast<std::int64_t>(strides[a]);
  }
  view.element_bytes = nb::cast<std::int64_t>(facts[3]);
  view.is_writable = nb::cast<bool>(facts[4]);
  view.device = nb::cast<int>(facts[5]);
  view.stream = nb::cast<std::uintptr_t>(facts[6]);
  if (nb::len(facts) > 7) view.owner = facts[7];
  set_span(view);
  return view;
}

bool is_numpy(nb::handle array) { return has_numpy && PyArray_Check(array.ptr()); }

std::string device_text(const View& view) { return view.device < 0 ? "the CPU" : "CUDA device " + std::to_string(view.device); }

std::string type_text(nb::handle array) { return text_of(nb::object(glue("dtype_of")(array))); }

}  // namespace

Unlocked::~Unlocked() {
  try {
    PyEval_RestoreThread(state_);
  } catch (abi::__forced_unwind&) {  // pthread_exit()
    while (true) pause();
  }
}

Locked::Locked() {
  try {
    state_ = PyGILState_Ensure();
  } catch (abi::__forced_unwind&) {  // pthread_exit()
    while (true) pause();
  }
}

void look_for_numpy() {
  has_numpy = _import_array() == 0;
  if (!has_numpy) PyErr_Clear();
}

std::string text_of(nb::handle object) {
  const nb::object text = nb::steal(PyObject_Str(object.ptr()));
  Py_ssize_t n = 0;
  const char* const utf8 = text.is_valid() ? PyUnicode_AsUTF8AndSize(text.ptr(), &n) : nullptr;
  if (utf8 == nullptr) throw nb::python_error();
  return {utf8, static_cast<std::size_t>(n)};
}

Stream stream_of(const View& view) {
  const bool is_asked = view.device >= 0 && view.library != Library::other;
  return Stream(reinterpret_cast<CUstream_st*>(is_asked ? current_stream(view) : view.stream));  // NOLINT: as its library gives it
}

std::string element_name(nb::handle array) { return text_of(nb::object(glue("element_name")(array))); }

Layout View::layout() const {
  const auto n = static_cast<std::size_t>(rank);
  return {{extents.begin(), extents.begin() + n}, {strides.begin(), strides.begin() + n}, below, element_bytes};
}

std::string View::shape() const { return shape_text({extents.data(), static_cast<std::size_t>(rank)}); }

std::string shape_text(std::span<const std::int64_t> extents) {
  std::string text = "(";
  for (std::size_t a = 0; a < extents.size(); ++a) text += (a > 0 ? ", " : "") + std::to_string(extents[a]);
  return text + (extents.size() == 1 ? ",)" : ")");
}

View view_of(nb::handle array) { return is_numpy(array) ? numpy_view(reinterpret_cast<PyArrayObject*>(array.ptr())) : foreign_view(array); }

std::int64_t read_plain(nb::handle array, View& view) {
  const auto number_of = [](const PyArray_Descr* d) -> std::int64_t {
    return PyTypeNum_ISNUMBER(d->type_num) && PyArray_ISNBO(d->byteorder) ? d->type_num + 1 : 0;
  };
  if (has_numpy && PyArray_CheckExact(array.ptr())) {
    auto* const numpy = reinterpret_cast<PyArrayObject*>(array.ptr());
    const std::int64_t number = number_of(PyArray_DESCR(numpy));
    if (number != 0) view = numpy_view(numpy);
    return number;
  }
  if (!read_known(array, view)) return 0;
  set_span(view);
  const nb::object type = type_object(array);
  if (view.library == Library::torch) return reinterpret_cast<std::intptr_t>(type.ptr());  // one for ever
  return has_numpy && type.is_valid() && PyArray_DescrCheck(type.ptr()) ? number_of(reinterpret_cast<PyArray_Descr*>(type.ptr())) : 0;
}

View output_view(nb::handle array) {
  View view = view_of(array);
  if (!view.is_writable) throw Error(ErrorCode::bad_shape, "out is read-only");
  if (view.owner.is_valid() && view_of(array).data != view.data) {
    throw Error(ErrorCode::bad_shape,
                "out lends copies of its memory, in which the result would be lost: take the result that is returned");
  }
  return view;
}

nb::object new_like(nb::handle like, std::span<const std::int64_t> extents, Library library) {
  if (!is_numpy(like)) {
    nb::list shape;
    for (const std::int64_t n : extents) shape.append(n);
    nb::object made = new_known(like, library, nb::tuple(shape));
    return made.is_valid() ? made : nb::object(glue("new")(like, nb::tuple(shape)));
  }
  if (extents.size() > max_rank)
    throw Error(ErrorCode::too_large, "a result of " + std::to_string(extents.size()) + " axes; NumPy has at most 64");
  std::array<npy_intp, max_rank> dims;  // NOLINT: as many as are read are set
  for (std::size_t a = 0; a < extents.size(); ++a) dims[a] = extents[a];
  PyArray_Descr* const descr = PyArray_DESCR(reinterpret_cast<PyArrayObject*>(like.ptr()));
  Py_INCREF(descr);
  PyObject* const made =
      PyArray_NewFromDescr(&PyArray_Type, descr, static_cast<int>(extents.size()), dims.data(), nullptr, nullptr, 0, nullptr);
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

bool is_plain(nb::handle array, nb::handle other) {
  const auto descr_of = [](nb::handle h) { return PyArray_DESCR(reinterpret_cast<PyArrayObject*>(h.ptr())); };
  return has_numpy && PyArray_CheckExact(array.ptr()) && PyArray_CheckExact(other.ptr()) &&
         PyArray_EquivTypes(descr_of(array), descr_of(other)) != 0;
}

nb::object listed(nb::handle list) { return glue("listed")(list); }

nb::object scratch(nb::handle like, std::int64_t bytes) { return glue("new")(like, nb::make_tuple(bytes), "uint8"); }

nb::object finished(nb::handle like, nb::object result) {
  return has_numpy && PyArray_CheckExact(like.ptr()) ? result : glue("finished")(like, result);
}

void check_alike(nb::handle array, const View& view, nb::handle other, const View& other_view, const char* name) {
  if (view.device != other_view.device) {
    throw Error(ErrorCode::bad_shape, "the array is on " + device_text(view) + " and " + name + " on " + device_text(other_view) +
                                          ": crinkle moves within one memory; bring them together with their library first");
  }
  const auto descr_of = [](nb::handle h) { return PyArray_DESCR(reinterpret_cast<PyArrayObject*>(h.ptr())); };
  const bool are_equal = is_numpy(array) && is_numpy(other)
                             ? PyArray_EquivTypes(descr_of(array), descr_of(other)) != 0
                             : view.element_bytes == other_view.element_bytes &&
                                   (have_one_type(array, other) || nb::cast<bool>(glue("same_type")(array, other)));
  if (!are_equal)
    throw Error(ErrorCode::bad_shape,
                std::string(name) + " has type " + type_text(other) + ", the array " + type_text(array) + ": a move never converts");
}

}  // namespace crinkle::python
