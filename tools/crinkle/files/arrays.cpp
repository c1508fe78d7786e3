// SPDX-License-Identifier: BSD-3-Clause
#include "files/arrays.hpp"

#include <utility>

#include "base/caret.hpp"
#include "crinkle/crinkle.hpp"
#include "running/run.hpp"

namespace crinkle::tool {

std::string described(const std::string& path, const Extents& extents, const ElementType& type) {
  return path + " " + print_shape(extents) + " " + spelled(type);
}

NumberType number_written(const ElementType& type, const std::string& path) {
  if (type.is_structured())
    throw Error(ErrorCode::unsupported, path + ": has records, " + shown(type.descr) + "; take a field out of them with `crinkle records`");
  if (type.name == "bool")
    throw Error(ErrorCode::unsupported,
                path + ": numbers are not written as bool, which is only read, as 0 and 1: give --dtype float32, say");
  try {
    return {parse_number(type.name), type.descr.starts_with('>')};
  } catch (const Error& e) { throw Error(e.code(), path + ": " + e.what()); }
}

NumberType number_read(const ElementType& type, const std::string& path) {
  return type.name == "bool" ? NumberType{Number::uint8} : number_written(type, path);
}

void for_each_element(const Layout& layout, const std::function<void(std::int64_t i, std::int64_t at)>& body) {
  const std::int64_t n = layout.n_elements();
  Extents index(layout.extents.size());
  std::int64_t at = layout.offset;
  for (std::int64_t i = 0; i < n; ++i) {
    body(i, at);
    for (std::size_t a = index.size(); a-- > 0;) {
      at += layout.strides[a];
      if (++index[a] < layout.extents[a]) break;
      at -= index[a] * layout.strides[a];
      index[a] = 0;
    }
  }
}

std::unique_ptr<Source> in_c_order(std::unique_ptr<Source> source, Executor& executor, bool is_verified) {
  ArrayFacts facts = source->facts();
  Layout from_data = facts.layout;
  from_data.offset = 0;
  if (from_data.is_dense()) return source;
  Mapping made = Mapping::anonymous(facts.layout.n_bytes(), facts.path);
  const std::span<const std::byte> bytes = source->bytes();
  const ConstBuffer from{bytes.data(), std::ssize(bytes)};
  const Buffer to{made.writable().data(), std::ssize(made.bytes())};
  const Rearrangement map(facts.layout);
  Plan(map).run({&from, 1}, {&to, 1}, executor);
  if (is_verified && first_difference(map, bytes, Form::elements, made.bytes(), Form::elements) >= 0)
    throw Error(ErrorCode::bad_file, facts.path + ": its copy in C order is not what the definition says");
  facts.layout = Layout::dense(facts.layout.extents, facts.layout.element_bytes);
  return Source::of(std::move(facts), std::move(made));
}

}  // namespace crinkle::tool
