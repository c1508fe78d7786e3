// Tensors of PyTorch and arrays of CuPy, read attribute by attribute without a function of Python between: a planned move of a few bytes
// takes as long as its arrays are looked at. Only what is plain is read here; crinkle/_kinds.py looks at all others, and says what is wrong
// with them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "view.hpp"

namespace crinkle::python {

/// Fills `view` but for its span; false, with nothing to be relied on in it, where the array is none of these, or not plain.
bool read_known(nb::handle array, View& view);

/// The current stream of the library of an array that read_known() has read, on its GPU.
std::uintptr_t current_stream(const View& view);

/// A new array like one that read_known() has read; nothing where its library has no one call for that.
nb::object new_known(nb::handle like, Library library, nb::handle shape);

/// The object that is the type of its elements; invalid where it has none.
nb::object type_object(nb::handle array);

/// Whether both have the very same object as their type of element: what is alike otherwise is for same_type() of _arrays.py.
bool have_one_type(nb::handle array, nb::handle other);

}  // namespace crinkle::python
