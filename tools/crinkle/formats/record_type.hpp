// Records as .npy files have them: a structured type as fields of a record layout, and the text of a type from fields. A gap of the type,
// which NumPy writes as a nameless field of raw bytes, becomes a field with a name that is no other's, so that it is not copied.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

#include "crinkle/record_layout.hpp"
#include "formats/element_type.hpp"

namespace crinkle::tool {

/// A field and how a .npy file spells it: an array of `extents` of `element`.
struct RecordField {
  Field field;       // its items; bytes where they are of several sizes or orders, as in a nested record
  std::string name;  // as written, with its quotes and title: "'x'", "('a title', 'x')"
  ElementType element;
  Extents extents;  // none: one element
  bool is_gap = false;
};
using RecordFields = std::vector<RecordField>;

/// The fields of a structured type, those without bytes left out: one behind the other they are an element. The names of gaps are none of
/// `taken`.
RecordFields record_fields(const ElementType& type, const std::set<std::string>& taken);
/// The fields that parse_fields() read.
RecordFields record_fields(const Fields& fields);

Fields layout_fields(const RecordFields& fields);
RecordField* find(RecordFields& fields, const std::string& name);  // nullptr: it is none of them

/// The field with its items in order '<' or '>'. Throws unsupported for one of several sizes of items.
RecordField with_byte_order(const RecordField& field, char order);

/// The structured type of a layout of one group and blocks of 1, gaps where it has padding. Requires all of its fields in `fields`.
std::string descr_of(const RecordLayout& layout, RecordFields& fields);

}  // namespace crinkle::tool
