// The text of a structured type is read once more, field by field; that it is one was checked by element_type().
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/record_type.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "formats/file.hpp"
#include "formats/literal.hpp"

namespace crinkle::tool {
namespace {

std::int64_t product(const Extents& extents) {
  std::int64_t n = 1;
  for (const std::int64_t extent : extents) n = multiply(n, extent);
  return n;
}

/// Its items as the element says them; the name is set by the caller.
Field field_of(const ElementType& element, const Extents& extents) {
  Field field;
  const auto is_like_first = [&](const ItemPart& part) {
    return part.item_bytes == element.parts[0].item_bytes && part.order == element.parts[0].order;
  };
  const bool is_even = element.has_parts && std::all_of(element.parts.begin(), element.parts.end(), is_like_first);
  field.type = element.descr;
  field.item_bytes = is_even ? element.parts[0].item_bytes : 1;
  field.n_items = multiply(element.bytes / field.item_bytes, product(extents));
  field.is_big_endian = is_even && element.parts[0].order == '>';
  return field;
}

/// "(name, type)" and "(name, type, shape)" of the list of a structured type.
class FieldReader {
 public:
  explicit FieldReader(const std::string& text) : text_(text), cursor_(text) { cursor_.expect('['); }

  bool is_at_end() { return cursor_.take(']'); }

  RecordField next() {
    RecordField field;
    cursor_.expect('(');
    name(field);
    cursor_.expect(',');
    type(field);
    cursor_.expect(')');
    cursor_.take(',');
    return field;
  }

 private:
  void name(RecordField& field) {
    cursor_.is_next('\'');  // nothing but blanks is taken
    const std::size_t first = cursor_.position();
    const bool has_title = cursor_.take('(');
    if (has_title) {
      cursor_.string();
      cursor_.expect(',');
    }
    field.field.name = std::string(cursor_.string());
    if (has_title) cursor_.expect(')');
    field.name = text_.substr(first, cursor_.position() - first);
    field.is_gap = field.field.name.empty();
  }

  void type(RecordField& field) {
    if (cursor_.take('(')) {
      type(field);
      cursor_.expect(')');
    } else {
      const std::string_view code = cursor_.is_next('[') ? cursor_.list() : cursor_.string();
      try {
        field.element = element_type(code);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::unsupported) throw;
        field.extents = {0};  // the element has no bytes
      }
    }
    if (!cursor_.take(',') || cursor_.is_next(')')) return;
    Extents extents;
    if (!cursor_.take('(')) {
      extents.push_back(cursor_.whole_number());
    } else {
      for (; !cursor_.take(')'); cursor_.take(',')) extents.push_back(cursor_.whole_number());
    }
    field.extents.insert(field.extents.begin(), extents.begin(), extents.end());
  }

  const std::string& text_;
  LiteralCursor cursor_;
};

/// "f4[3,2]": the extents are taken from the text.
Extents take_extents(std::string& type) {
  Extents extents;
  const auto is_extents = [](const std::string& text) { return text.find_first_not_of("0123456789,") == std::string::npos; };
  while (type.ends_with(']')) {
    const std::size_t first = type.rfind('[');
    const std::string inside = type.substr(first + 1, type.size() - first - 2);
    if (!is_extents(inside)) break;
    Extents some;
    for (std::size_t at = 0; at <= inside.size(); at = inside.find(',', at) + 1) {
      some.push_back(std::stoll(inside.substr(at)));
      if (inside.find(',', at) == std::string::npos) break;
    }
    extents.insert(extents.begin(), some.begin(), some.end());
    type.resize(first);
  }
  return extents;
}

std::string entry_text(const std::string& name, const std::string& descr, const Extents& extents) {
  std::string text = "(" + name + ", " + (descr.starts_with('[') ? descr : "'" + descr + "'");
  if (extents.empty()) return text + ")";
  text += ", (";
  for (const std::int64_t extent : extents) text += std::to_string(extent) + ", ";
  text.resize(text.size() - (extents.size() > 1 ? 2 : 1));
  return text + "))";
}

}  // namespace

RecordFields record_fields(const ElementType& type, const std::set<std::string>& taken) {
  RecordFields fields;
  std::set<std::string> names = taken;
  for (FieldReader reader(type.descr); !reader.is_at_end();) {
    RecordField field = reader.next();
    if (product(field.extents) == 0) continue;
    names.insert(field.field.name);
    std::string name = std::move(field.field.name);
    field.field = field_of(field.element, field.extents);
    field.field.name = std::move(name);
    fields.push_back(std::move(field));
  }
  int n = 0;
  for (RecordField& field : fields) {
    if (!field.is_gap) continue;
    do field.field.name = "gap" + std::to_string(n++);
    while (!names.insert(field.field.name).second);
  }
  return fields;
}

RecordFields record_fields(const Fields& fields) {
  RecordFields all;
  for (const Field& field : fields) {
    std::string type = field.type;
    const Extents extents = take_extents(type);
    all.push_back({field, "'" + field.name + "'", element_type(type, ErrorCode::bad_notation), extents, false});
  }
  return all;
}

Fields layout_fields(const RecordFields& fields) {
  Fields all;
  for (const RecordField& field : fields) all.push_back(field.field);
  return all;
}

RecordField* find(RecordFields& fields, const std::string& name) {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const RecordField& f) { return f.field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

RecordField with_byte_order(const RecordField& field, char order) {
  const bool has_parts = field.element.has_parts;
  RecordField changed = field;
  if (has_parts) changed.element = with_byte_order(field.element, order);
  if (has_parts && changed.element.parts == field.element.parts) return field;
  if (!has_parts || field.field.item_bytes == 1) {
    throw Error(ErrorCode::unsupported, "field '" + printable(field.field.name) + "' holds " + spelled(field.element) +
                                            ", whose items are of several sizes or orders; its bytes are swapped by crinkle move "
                                            "--byte-order, or where its fields are named one by one");
  }
  changed.field.is_big_endian = order == '>';
  changed.field.type = changed.element.descr;
  return changed;
}

std::string descr_of(const RecordLayout& layout, RecordFields& fields) {
  std::string text;
  std::int64_t at = 0;
  const auto put_entry = [&](const std::string& entry) { text += (text.empty() ? "[" : ", ") + entry; };
  const auto put_gap = [&](std::int64_t to) {
    if (to > at) put_entry("('', '|V" + std::to_string(to - at) + "')");
  };
  for (const RecordLayout::Place& place : layout.places()) {
    const RecordField& field = *find(fields, place.field.name);
    put_gap(place.offset);
    put_entry(entry_text(field.name, field.element.descr, field.extents));
    at = add(place.offset, place.field.bytes());
  }
  put_gap(layout.record_bytes());
  return text + "]";
}

}  // namespace crinkle::tool
