// The C interface: errors, maps, bit planes, copies. Every function catches what the C++ one throws, keeps its text for the thread and
// returns its code.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "c/shared.hpp"
#include "cpu/copy.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/record_layout.hpp"

namespace crinkle::c {
namespace {

template <class Make>
crinkle_status made(crinkle_map** map, const Make& make) noexcept {
  return tried([&] {
    given(map, "map");
    *map = new crinkle_map{make()};
  });
}

template <class Change>
crinkle_status changed(crinkle_map* map, const Change& change) noexcept {
  return tried([&] {
    Rearrangement next = change(given(map, "map").map);
    map->map = std::move(next);
  });
}

}  // namespace
}  // namespace crinkle::c

using namespace crinkle;
using namespace crinkle::c;

extern "C" {

const char* crinkle_version(void) { return CRINKLE_VERSION; }
const char* crinkle_error_text(void) { return error_text().c_str(); }

crinkle_status crinkle_parse(const char* spec, const crinkle_layout* source, const crinkle_layout* destination, crinkle_map** map) {
  return made(map, [&] {
    const Layout from = layout_of(source, "source");
    return destination == nullptr ? parse(text_of(spec, "spec"), from)
                                  : parse(text_of(spec, "spec"), from, layout_of(destination, "destination"));
  });
}

crinkle_status crinkle_interlace(const crinkle_layout* each, int64_t n, int64_t axis, crinkle_map** map) {
  return made(map, [&] { return interlace(layout_of(each, "each"), n, axis); });
}

crinkle_status crinkle_deinterlace(const crinkle_layout* source, int64_t axis, crinkle_map** map) {
  return made(map, [&] { return deinterlace(layout_of(source, "source"), axis); });
}

crinkle_status crinkle_records(const char* fields, const char* from, const char* to, int64_t n, int is_apart, crinkle_map** map) {
  return made(map, [&] {
    const Fields all = parse_fields(text_of(fields, "fields"));
    const Storage storage = is_apart != 0 ? Storage::apart : Storage::together;
    return convert_records(RecordLayout::parse(text_of(from, "from"), all), RecordLayout::parse(text_of(to, "to"), all), n,
                           {storage, storage});
  });
}

crinkle_status crinkle_flip(crinkle_map* map, const char* axis) {
  return changed(map, [&](const Rearrangement& r) { return r.flip(text_of(axis, "axis")); });
}

crinkle_status crinkle_roll(crinkle_map* map, const char* axis, int64_t distance) {
  return changed(map, [&](const Rearrangement& r) { return r.roll(text_of(axis, "axis"), distance); });
}

crinkle_status crinkle_slice(crinkle_map* map, const char* axis, int64_t start, int64_t stop, int64_t step) {
  const auto bound = [](int64_t b) { return b == CRINKLE_OMITTED ? std::nullopt : std::optional<std::int64_t>(b); };
  return changed(map, [&](const Rearrangement& r) { return r.slice(text_of(axis, "axis"), bound(start), bound(stop), bound(step)); });
}

crinkle_status crinkle_pad(crinkle_map* map, const char* axis, int64_t before, int64_t after, const char* mode, const void* value) {
  return changed(map, [&](const Rearrangement& r) {
    std::span<const std::byte> bytes;
    if (value != nullptr) bytes = {static_cast<const std::byte*>(value), static_cast<std::size_t>(r.element_bytes())};
    return r.pad(text_of(axis, "axis"), before, after, pad_mode_of(text_of(mode, "mode")), bytes);
  });
}

crinkle_status crinkle_dilate(crinkle_map* map, const char* axis, int64_t step) {
  return changed(map, [&](const Rearrangement& r) { return r.dilate(text_of(axis, "axis"), step); });
}

crinkle_status crinkle_at(crinkle_map* map, const char* axis, int64_t index) {
  return changed(map, [&](const Rearrangement& r) { return r.at(text_of(axis, "axis"), index); });
}

crinkle_status crinkle_take(crinkle_map* map, const char* axis, int64_t n, const int64_t* indices) {
  return changed(map, [&](const Rearrangement& r) {
    if (n < 0) throw Error(ErrorCode::bad_shape, std::to_string(n) + " indices");
    if (n > 0) given(indices, "indices");
    return r.take(text_of(axis, "axis"), {indices, static_cast<std::size_t>(n)});
  });
}

crinkle_status crinkle_bit_reverse(crinkle_map* map, const char* axis) {
  return changed(map, [&](const Rearrangement& r) { return r.bit_reverse(text_of(axis, "axis")); });
}

crinkle_status crinkle_byte_swap(crinkle_map* map) {
  return changed(map, [](const Rearrangement& r) { return r.byte_swap(); });
}

crinkle_status crinkle_invert(crinkle_map* map) {
  return changed(map, [](const Rearrangement& r) { return r.inverse(); });
}

int crinkle_extents(const crinkle_map* map, int most, int64_t* extents) {
  if (map == nullptr) return 0;
  const Extents& all = map->map.destination().extents;
  for (std::size_t a = 0; extents != nullptr && a < all.size() && static_cast<int>(a) < most; ++a) extents[a] = all[a];
  return static_cast<int>(all.size());
}

int crinkle_n_sources(const crinkle_map* map) { return map == nullptr ? 0 : static_cast<int>(map->map.n_sources()); }
int crinkle_n_destinations(const crinkle_map* map) { return map == nullptr ? 0 : static_cast<int>(map->map.n_destinations()); }
void crinkle_free_map(crinkle_map* map) { delete map; }

crinkle_status crinkle_bit_planes(void* dst, const void* src, int64_t n, int64_t element_bytes, int is_back, int n_threads) {
  return tried([&] {
    if (n < 0 || element_bytes < 1)
      throw Error(ErrorCode::bad_shape, std::to_string(n) + " elements of " + std::to_string(element_bytes) + " bytes");
    const std::int64_t of_planes = bit_planes_bytes(n, element_bytes), of_elements = Layout::dense({n}, element_bytes).n_bytes();
    if (n > 0) given(static_cast<const char*>(src), "src"), given(static_cast<char*>(dst), "dst");
    const auto size = [](std::int64_t bytes) { return static_cast<std::size_t>(bytes); };
    const std::span<const std::byte> from(static_cast<const std::byte*>(src), size(is_back != 0 ? of_planes : of_elements));
    const std::span<std::byte> to(static_cast<std::byte*>(dst), size(is_back != 0 ? of_elements : of_planes));
    const std::shared_ptr<Executor> executor = executor_of(n_threads);
    if (is_back != 0) from_bit_planes(from, to, n, element_bytes, *executor);
    else bit_planes(from, to, n, element_bytes, *executor);
  });
}

crinkle_status crinkle_copy(void* dst, const void* src, int64_t bytes, const char* kind, int n_threads) {
  return tried([&] {
    const std::string word = text_of(kind, "kind");
    const auto found = std::find_if(copy_kinds.begin(), copy_kinds.end(), [&](CopyKind k) { return word == name_of(k); });
    if (found == copy_kinds.end())
      throw Error(ErrorCode::bad_notation, "a copy of kind '" + word + "'; the kinds are memcpy, streamed and interleaved");
    if (bytes < 0) throw Error(ErrorCode::bad_shape, "a copy of " + std::to_string(bytes) + " bytes");
    if (bytes > 0) given(static_cast<const char*>(src), "src"), given(static_cast<char*>(dst), "dst");
    copy_plain(*found, static_cast<std::byte*>(dst), static_cast<const std::byte*>(src), bytes, *executor_of(n_threads));
  });
}

}  // extern "C"
