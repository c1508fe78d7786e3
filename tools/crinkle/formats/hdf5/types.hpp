// Element types, as HDF5 has them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "formats/element_type.hpp"
#include "formats/hdf5/library.hpp"

namespace crinkle::tool::hdf5 {

/// What there is to say of it goes to `notes`. Throws unsupported, naming it, for what has no equivalent.
ElementType type_of(hid_t type, const std::string& where, std::vector<std::string>& notes);

/// The same back: bool and complex as h5py writes them, times as its opaque types. Throws unsupported for what HDF5 lacks.
Handle type_for(const ElementType& type, const std::string& where);

/// Texts that are variable: a fixed length in bytes, or 0 for any length.
Handle text_type(std::size_t bytes);

}  // namespace crinkle::tool::hdf5
