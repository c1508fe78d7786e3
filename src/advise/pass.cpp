// SPDX-License-Identifier: BSD-3-Clause
#include "advise/pass.hpp"

#include <algorithm>
#include <cstring>

#include "base/caret.hpp"
#include "base/checked.hpp"
#include "crinkle/error.hpp"

namespace crinkle::advising {
namespace {

std::string names_of(const Fields& fields) {
  std::string text;
  for (const Field& f : fields) text += (text.empty() ? "" : ", ") + print_field_name(f.name);
  return text;
}

const Field& field_of(const Fields& fields, const std::string& name) {
  return *std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
}

}  // namespace

void check_pattern(const Fields& fields, const AccessPattern& pattern) {
  const auto refuse = [](const std::string& text) { throw Error(ErrorCode::bad_notation, text); };
  if (pattern.reads.empty() && pattern.writes.empty())
    refuse("a pass that reads and writes nothing takes no time: name fields that it reads or writes; they are " + names_of(fields));
  for (const auto& [names, what] : {std::pair(&pattern.reads, "read"), std::pair(&pattern.writes, "written")}) {
    for (auto name = names->begin(); name != names->end(); ++name) {
      if (std::none_of(fields.begin(), fields.end(), [&](const Field& f) { return f.name == *name; }))
        refuse("there is no field '" + shown(*name) + "' to be " + what + "; the fields are " + names_of(fields));
      if (std::find(names->begin(), name, *name) != name) refuse("field '" + shown(*name) + "' stands twice among those " + what);
    }
  }
  if (pattern.order.step < 1)
    throw Error(ErrorCode::bad_shape, "records visited in steps of " + std::to_string(pattern.order.step) + "; give 1 or more");
}

Visit visit_of(const AccessOrder& order, std::int64_t n, std::uint64_t seed) {
  switch (order.kind) {
    case AccessOrder::Kind::random: return Visit::random(n, seed);
    case AccessOrder::Kind::strided: return Visit::strided(n, order.step);
    default: return Visit::sequential(n);
  }
}

Arrays arrays_of(const RecordLayout& layout, std::int64_t n) {
  constexpr std::int64_t page = 4096, apart = 256, n_places = page / apart;
  Arrays arrays;
  for (std::size_t g = 0; g < layout.n_groups(); ++g) {
    const std::int64_t place = static_cast<std::int64_t>(g) % n_places * apart;
    arrays.begin.push_back(add_product(place, ceil_divide(arrays.end, page), page));
    arrays.bytes.push_back(layout.group_bytes(g, n));
    arrays.end = add(arrays.begin.back(), arrays.bytes.back());
  }
  return arrays;
}

std::int64_t Pass::address(const RecordLayout::Place& place, std::int64_t i) const {
  return add(arrays.begin[place.group], layout.address(place, i, n()));
}

void visit_as_defined(const RecordLayout& layout, const AccessPattern& pattern, std::int64_t i, const FieldAt& at) {
  std::byte sum_bytes[4] = {};
  for (const std::string& name : pattern.reads) {
    const RecordLayout::Place& place = *layout.find(name);
    const std::byte* field = at(place);
    for (std::int64_t b = 0; b < place.field.bytes(); ++b) sum_bytes[b % 4] ^= field[b];
  }
  std::uint32_t sum = 0;
  std::memcpy(&sum, sum_bytes, 4);
  sum ^= static_cast<std::uint32_t>(i);
  for (std::size_t j = 0; j < pattern.writes.size(); ++j) {
    const RecordLayout::Place& place = *layout.find(pattern.writes[j]);
    const std::uint32_t value = sum + add_of(j);
    std::byte value_bytes[4];
    std::memcpy(value_bytes, &value, 4);
    std::byte* field = at(place);
    for (std::int64_t b = 0; b < place.field.bytes(); ++b) field[b] = value_bytes[b % 4];
  }
}

std::int64_t useful_bytes(const Fields& fields, const AccessPattern& pattern) {
  std::int64_t bytes = 0;
  for (const auto* names : {&pattern.reads, &pattern.writes})
    for (const std::string& name : *names) bytes = add(bytes, field_of(fields, name).bytes());
  return bytes;
}

void write_contents(std::uint64_t seed, std::size_t f, std::int64_t i, std::span<std::byte> field) {
  const std::uint64_t state = (seed + static_cast<std::uint64_t>(i)) * 0x9E3779B97F4A7C15u + f * 0x632BE59BD9B4E019u;
  for (std::size_t at = 0; at < field.size(); at += 8) {
    std::uint64_t x = state + at * 0xA0761D6478BD642Fu;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x ^= x >> 27;
    std::memcpy(&field[at], &x, std::min<std::size_t>(8, field.size() - at));
  }
}

}  // namespace crinkle::advising
