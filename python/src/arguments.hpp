// Where arguments have to lie, and how. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "crinkle/error.hpp"
#include "crinkle/real.hpp"
#include "view.hpp"

namespace crinkle::python {

// An input or an output of a function of the CPU.
inline View host_view(nb::handle array, const char* what) {
  View view = view_of(array);
  if (view.device >= 0)
    throw Error(ErrorCode::unsupported, std::string(what) + ": on CPUs only; crinkle does not copy a GPU's array there for you");
  return view;
}

inline View host_output(nb::handle array, const char* what) {
  host_view(array, what);
  return output_view(array);
}

// An output where the input is.
inline View output_of(const View& source, nb::handle array, const char* what) {
  View view = output_view(array);
  if (view.device != source.device)
    throw Error(ErrorCode::bad_shape, std::string(what) + ": the array and its output lie on different devices; bring them together first");
  return view;
}

// Dense: elements one behind the other.
inline View dense_view(const View& view, const char* what) {
  if (!view.layout().is_dense() && view.bytes > 0) throw Error(ErrorCode::bad_shape, std::string(what) + ": the array is not contiguous");
  return view;
}

inline Real real_of(bool is_float64) { return is_float64 ? Real::float64 : Real::float32; }

}  // namespace crinkle::python
