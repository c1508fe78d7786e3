// Element types and fill values, as Zarr names them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "formats/element_type.hpp"
#include "formats/zarr/codec.hpp"

namespace crinkle::tool::zarr {

/// Version 3's data_type. Throws unsupported, naming it.
ElementType type_of_v3(const nlohmann::ordered_json& said, char order, const std::string& where);
/// The same back. Throws unsupported for types that version 3 lacks.
nlohmann::ordered_json v3_type(const ElementType& type, const std::string& where);

/// An element of this value: a number, "NaN", "-Infinity", "0x7fc00000", a pair of a complex number, base64 of version 2's texts; null is
/// zeros. Throws bad_file.
Bytes fill_of(const nlohmann::ordered_json& said, const ElementType& type, const std::string& where);
/// The same back, in version 3's words. Zeros where these have none for it: of texts and raw bytes.
nlohmann::ordered_json json_of_fill(const Bytes& element, const ElementType& type);

/// A fill value as xarray keeps it in an attribute: whole numbers as they are, others as base64 of a double. Null for other types.
nlohmann::ordered_json attribute_of_fill(const Bytes& element, const ElementType& type);

}  // namespace crinkle::tool::zarr
