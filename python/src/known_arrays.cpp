// SPDX-License-Identifier: BSD-3-Clause
#include "known_arrays.hpp"

namespace crinkle::python {
namespace {

// An attribute's name, made once and never freed: it would be after the interpreter.
class Name {
 public:
  explicit Name(const char* text) : object_(PyUnicode_InternFromString(text)) {
    if (object_ == nullptr) throw nb::python_error();
  }
  nb::object of(PyObject* object) const { return found(PyObject_GetAttr(object, object_)); }
  nb::object called_on(PyObject* object) const { return found(PyObject_CallMethodNoArgs(object, object_)); }
  PyObject* text() const { return object_; }

 private:
  // What is not there, or refuses, is no error here: the array is then looked at by Python's functions.
  static nb::object found(PyObject* result) {
    if (result == nullptr) PyErr_Clear();
    return nb::steal(result);
  }
  PyObject* object_;
};

bool is_true(const nb::object& found) { return found.ptr() == Py_True; }
bool is_false(const nb::object& found) { return found.ptr() == Py_False; }

bool read(const nb::object& number, std::int64_t& value) {
  if (!number.is_valid() || !PyLong_Check(number.ptr())) return false;
  value = PyLong_AsLongLong(number.ptr());
  if (value != -1 || PyErr_Occurred() == nullptr) return true;
  PyErr_Clear();
  return false;
}
bool read(const nb::object& number, std::byte*& address) {
  if (!number.is_valid() || !PyLong_Check(number.ptr())) return false;
  address = static_cast<std::byte*>(PyLong_AsVoidPtr(number.ptr()));
  if (PyErr_Occurred() == nullptr) return true;
  PyErr_Clear();
  return false;
}
// Extents, and strides in units of so many bytes.
bool read_axes(View& view, const nb::object& extents, const nb::object& strides, std::int64_t unit) {
  if (!extents.is_valid() || !strides.is_valid() || !PyTuple_Check(extents.ptr()) || !PyTuple_Check(strides.ptr())) return false;
  const Py_ssize_t n = PyTuple_GET_SIZE(extents.ptr());
  if (n > max_rank || PyTuple_GET_SIZE(strides.ptr()) != n) return false;
  view.rank = static_cast<int>(n);
  for (Py_ssize_t a = 0; a < n; ++a) {
    std::int64_t& stride = view.strides[static_cast<std::size_t>(a)];
    if (!read(nb::borrow(PyTuple_GET_ITEM(extents.ptr(), a)), view.extents[static_cast<std::size_t>(a)]) ||
        !read(nb::borrow(PyTuple_GET_ITEM(strides.ptr(), a)), stride) || __builtin_mul_overflow(stride, unit, &stride))
      return false;
  }
  return true;
}

// A library's module and its type of array, once it has been imported by somebody; then kept.
class Known {
 public:
  Known(const char* module, const char* type) : module_name_(module), type_name_(type) {}
  bool is_type_of(PyObject* array) {
    if (type_ == nullptr && !look()) return false;
    return Py_TYPE(array) == reinterpret_cast<PyTypeObject*>(type_);
  }
  PyObject* module() const { return module_; }

 private:
  bool look() {
    PyObject* const module = PyImport_GetModule(module_name_.text());
    if (module == nullptr) {
      PyErr_Clear();
      return false;
    }
    nb::object type = type_name_.of(module);  // not yet, while it is being imported
    if (!type.is_valid() || !PyType_Check(type.ptr())) {
      Py_DECREF(module);
      return false;
    }
    module_ = module;
    type_ = type.release().ptr();
    return true;
  }
  Name module_name_, type_name_;
  PyObject *module_ = nullptr, *type_ = nullptr;
};

struct Torch : Known {
  Torch() : Known("torch", "Tensor") {}
  Name is_nested{"is_nested"}, layout{"layout"}, strided{"strided"}, is_quantized{"is_quantized"}, is_conj{"is_conj"}, is_neg{"is_neg"},
      requires_grad{"requires_grad"}, is_cuda{"is_cuda"}, is_cpu{"is_cpu"}, get_device{"get_device"}, data_ptr{"data_ptr"},
      element_size{"element_size"}, shape{"shape"}, stride{"stride"}, forward{"torch.autograd.forward_ad"}, level{"_current_level"},
      core{"_C"}, raw_stream{"_cuda_getCurrentRawStream"}, new_empty{"new_empty"};

  // Forward differentiation is going on, or nobody knows.
  bool has_tangents() const {
    const nb::object module = nb::steal(PyImport_GetModule(forward.text()));
    std::int64_t now = 0;
    return module.is_valid() && (!read(level.of(module.ptr()), now) || now >= 0);
  }
  bool view(PyObject* x, View& view) const {
    const bool is_plain = is_false(is_nested.of(x)) && layout.of(x).is(strided.of(module())) && is_false(is_quantized.of(x)) &&
                          is_false(is_conj.called_on(x)) && is_false(is_neg.called_on(x)) && is_false(requires_grad.of(x)) &&
                          !has_tangents();
    if (!is_plain) return false;
    std::int64_t device = -1;
    if (is_true(is_cuda.of(x)) ? !read(get_device.called_on(x), device) : !is_true(is_cpu.of(x))) return false;
    view.device = static_cast<int>(device);
    view.is_writable = true;
    return read(data_ptr.called_on(x), view.data) && view.data != nullptr && read(element_size.called_on(x), view.element_bytes) &&
           read_axes(view, shape.of(x), stride.called_on(x), view.element_bytes);
  }
  nb::object stream(int device) const {
    const nb::object number = nb::steal(PyLong_FromLong(device));
    return nb::steal(PyObject_CallMethodOneArg(core.of(module()).ptr(), raw_stream.text(), number.ptr()));
  }
};

struct CuPy : Known {
  CuPy() : Known("cupy", "ndarray") {}
  Name data{"data"}, ptr{"ptr"}, device_id{"device_id"}, itemsize{"itemsize"}, shape{"shape"}, strides{"strides"}, cuda{"cuda"},
      get_current_stream{"get_current_stream"};

  bool view(PyObject* x, View& view) const {
    const nb::object memory = data.of(x);
    std::int64_t device = -1;
    if (!memory.is_valid() || !read(device_id.of(memory.ptr()), device) || device < 0) return false;
    view.device = static_cast<int>(device);
    view.is_writable = true;
    return read(ptr.of(memory.ptr()), view.data) && read(itemsize.of(x), view.element_bytes) && view.element_bytes > 0 &&
           read_axes(view, shape.of(x), strides.of(x), 1);
  }
  nb::object stream(int device) const {  // each device has a current one
    const nb::object number = nb::steal(PyLong_FromLong(device));
    const nb::object current = nb::steal(PyObject_CallMethodOneArg(cuda.of(module()).ptr(), get_current_stream.text(), number.ptr()));
    return current.is_valid() ? ptr.of(current.ptr()) : current;
  }
};

// Never destroyed: at the end of the program, calls of other threads may go on.
Torch& torch() {
  static auto& known = *new Torch;  // NOLINT: see above
  return known;
}
CuPy& cupy() {
  static auto& known = *new CuPy;  // NOLINT: see above
  return known;
}

}  // namespace

bool read_known(nb::handle array, View& view) {
  PyObject* const x = array.ptr();
  view.library = torch().is_type_of(x) ? Library::torch : cupy().is_type_of(x) ? Library::cupy : Library::other;
  switch (view.library) {
    case Library::torch: return torch().view(x, view);
    case Library::cupy: return cupy().view(x, view);
    case Library::other: break;
  }
  return false;
}

std::uintptr_t current_stream(const View& view) {
  const nb::object number = view.library == Library::torch ? torch().stream(view.device) : cupy().stream(view.device);
  std::byte* address = nullptr;
  if (!number.is_valid() || !read(number, address))
    throw Error(ErrorCode::device, "the library of the array does not name its current stream");
  return reinterpret_cast<std::uintptr_t>(address);
}

nb::object new_known(nb::handle like, Library library, nb::handle shape) {
  if (library != Library::torch) return {};
  nb::object made = nb::steal(PyObject_CallMethodOneArg(like.ptr(), torch().new_empty.text(), shape.ptr()));
  if (!made.is_valid()) throw nb::python_error();
  return made;
}

nb::object type_object(nb::handle array) {
  static const auto& dtype = *new Name("dtype");  // NOLINT: never destroyed, as above
  return dtype.of(array.ptr());
}

bool have_one_type(nb::handle array, nb::handle other) {
  const nb::object of = type_object(array);
  return of.is_valid() && of.is(type_object(other));
}

}  // namespace crinkle::python
