// The module crinkle._core: what Python sees of the library, and which exceptions its errors are.
// SPDX-License-Identifier: BSD-3-Clause
#include <regex>
#include <string>

#include "computed.hpp"
#include "moves.hpp"
#include "operations.hpp"

namespace crinkle::python {
namespace {

PyObject* notation_error = nullptr;  // kept for ever

PyObject* type_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::bad_notation: return notation_error;
    case ErrorCode::bad_shape:
    case ErrorCode::not_divisible:
    case ErrorCode::overlap:
    case ErrorCode::too_large:
    case ErrorCode::bad_file: return PyExc_ValueError;
    case ErrorCode::exists: return PyExc_FileExistsError;
    case ErrorCode::out_of_memory: return PyExc_MemoryError;
    case ErrorCode::unsupported:
    case ErrorCode::device: return PyExc_RuntimeError;
  }
  return PyExc_RuntimeError;
}

// The library's texts advise words of the notation; this turns them into keywords.
std::string in_python(const std::string& text) {
  static const std::regex tail("`(ragged|pad|drop)`"), verb("`(at|roll|dilate) (\\w+)=(-?\\w+)`");
  return std::regex_replace(std::regex_replace(text, tail, "`tail='$1'`"), verb, "`$1={'$2': $3}`");
}

}  // namespace

NB_MODULE(_core, module) {  // NOLINT: nanobind's macro
  notation_error = PyErr_NewExceptionWithDoc("crinkle.NotationError", "A specification that cannot be read, with a caret under the place.",
                                             PyExc_ValueError, nullptr);
  if (notation_error == nullptr) throw nb::python_error();
  module.attr("NotationError") = nb::handle(notation_error);
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Planning::Planned&) { PyErr_SetString(PyExc_RuntimeError, "planned"); } catch (const Error& e) {
      PyErr_SetString(type_of(e.code()), in_python(e.what()).c_str());
    }
  });
  module.attr("has_cuda") = nb::bool_(has_cuda());
  look_for_numpy();
  bind_threads(module);
  bind_moves(module);
  bind_operations(module);
  bind_kernels(module);
  bind_computed(module);
  bind_spheres(module);
  bind_records(module);
  bind_packed(module);
  bind_resampling(module);
  bind_ranks(module);
  bind_joins(module);
  bind_devices(module);
}

}  // namespace crinkle::python
