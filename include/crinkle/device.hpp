// Where bytes lie and who moves them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <type_traits>
#include <utility>

#include "crinkle/error.hpp"

namespace crinkle {

struct Buffer;
struct ConstBuffer;

namespace detail {

template <class R>
concept Values = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> && std::ranges::borrowed_range<R> &&
                 std::is_trivially_copyable_v<std::ranges::range_value_t<R>> && !std::same_as<std::ranges::range_value_t<R>, Buffer> &&
                 !std::same_as<std::ranges::range_value_t<R>, ConstBuffer>;

/// The size of a range's values as a buffer counts them. Numbers are counted by their bytes, values of a class as records of so many bytes,
/// single bytes and addresses not at all.
template <class R>
constexpr std::int32_t value_bytes = sizeof(std::ranges::range_value_t<R>) > INT32_MAX
                                         ? 0
                                         : static_cast<std::int32_t>(sizeof(std::ranges::range_value_t<R>));
template <class R>
constexpr bool are_records = std::is_class_v<std::ranges::range_value_t<R>> || std::is_union_v<std::ranges::range_value_t<R>> ||
                             std::is_array_v<std::ranges::range_value_t<R>>;

template <std::integral N>
constexpr std::int64_t checked_bytes(N n, std::size_t each) {
  if (std::cmp_greater(n, INT64_MAX / static_cast<std::int64_t>(each)))
    throw Error(ErrorCode::too_large, "a buffer's bytes have no 64-bit number");
  return static_cast<std::int64_t>(n) * static_cast<std::int64_t>(each);
}

}  // namespace detail

struct Device {
  enum class Kind : std::uint8_t { cpu, cuda };
  Kind kind = Kind::cpu;
  int index = 0;

  friend bool operator==(const Device&, const Device&) = default;
};
Device cpu() noexcept;
/// The n-th CUDA device. Throws unsupported where the library was built without CUDA, and device where there is no driver, one too old for
/// this build, or no device of that number.
Device cuda(int n = 0);

/// The sizes, in bytes, of the values that a buffer may be given as: those of a class are whole records or elements, numbers are as large
/// as `number` or, where the type of elements is not known, as an element. All 0: any.
struct ValueForm {
  std::int64_t record = 0;  // or an element
  std::int64_t number = 0;  // of a record's or an element's numbers, where all are as large
  bool is_typed = false;    // numbers of another size are not these

  /// An element that is a number, or several.
  static constexpr ValueForm numbers(std::int64_t element, std::int64_t count = 1) { return {element, element / count, true}; }
};

/// A buffer's origin (byte 0 of the layout it was planned with) and how many bytes follow it. Vectors, arrays and spans of values that are
/// plain bytes become one by themselves; what runs on it refuses values of another size than its elements, unless they are single bytes.
/// Throws too_large where so many bytes have no 64-bit number.
struct Buffer {
  void* data = nullptr;
  std::int64_t bytes = 0;
  std::int32_t value_bytes = 1;  // of a value of the range it was made of; 1: of bytes, or of an address
  bool has_records = false;      // the values are of a class

  constexpr Buffer() = default;
  template <std::integral N>
  constexpr Buffer(void* its_data, N its_bytes) : data(its_data), bytes(detail::checked_bytes(its_bytes, 1)) {}
  template <detail::Values R>
    requires(!std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>)
  constexpr Buffer(R&& values)  // NOLINT: it is one
      : data(std::ranges::data(values)),
        bytes(detail::checked_bytes(std::ranges::size(values), sizeof(std::ranges::range_value_t<R>))),
        value_bytes(detail::value_bytes<R>),
        has_records(detail::are_records<R>) {}
};
struct ConstBuffer {
  const void* data = nullptr;
  std::int64_t bytes = 0;
  std::int32_t value_bytes = 1;
  bool has_records = false;

  constexpr ConstBuffer() = default;
  template <std::integral N>
  constexpr ConstBuffer(const void* its_data, N its_bytes) : data(its_data), bytes(detail::checked_bytes(its_bytes, 1)) {}
  constexpr ConstBuffer(const Buffer& b) noexcept  // NOLINT: it is one
      : data(b.data), bytes(b.bytes), value_bytes(b.value_bytes), has_records(b.has_records) {}
  template <detail::Values R>
  constexpr ConstBuffer(R&& values)  // NOLINT: it is one
      : data(std::ranges::data(values)),
        bytes(detail::checked_bytes(std::ranges::size(values), sizeof(std::ranges::range_value_t<R>))),
        value_bytes(detail::value_bytes<R>),
        has_records(detail::are_records<R>) {}
};

}  // namespace crinkle
