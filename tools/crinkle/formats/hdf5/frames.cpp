// Chunks as HDF5's filters frame them: LZ4 (32004) and Bitshuffle (32008) in blocks, each with its size before it, high bytes first;
// Fletcher's checksum of 16-bit words. Sizes that torn or hostile bytes announce are never believed.
// SPDX-License-Identifier: BSD-3-Clause
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "formats/file.hpp"
#include "formats/hdf5/filters.hpp"

namespace crinkle::tool::hdf5 {
namespace {

constexpr std::size_t header_bytes = 12;
constexpr std::size_t most_block = LZ4_MAX_INPUT_SIZE;

[[noreturn]] void refuse_torn(const std::string& where, const char* filter) { throw_bad_file(where, std::string("is torn: ") + filter); }

/// Reads numbers and pieces off bytes.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, const std::string& where, const char* filter) : left_(bytes), where_(where), filter_(filter) {}

  std::span<const std::byte> take(std::size_t n) {
    if (n > left_.size()) refuse_torn(where_, filter_);
    const auto piece = left_.first(n);
    left_ = left_.subspan(n);
    return piece;
  }
  std::uint64_t number(std::size_t n) {
    std::uint64_t value = 0;
    for (const std::byte b : take(n)) value = value << 8U | std::to_integer<std::uint64_t>(b);
    return value;
  }

 private:
  std::span<const std::byte> left_;
  const std::string& where_;
  const char* filter_;
};

void put_number(Bytes& out, std::uint64_t value, std::size_t n) {
  for (std::size_t k = n; k-- > 0;) out.push_back(static_cast<std::byte>(value >> (8 * k)));
}

bool lz4_block(std::span<const std::byte> from, std::byte* to, std::size_t n) {
  return n <= most_block && from.size() <= most_block &&
         LZ4_decompress_safe(reinterpret_cast<const char*>(from.data()), reinterpret_cast<char*>(to), static_cast<int>(from.size()),
                             static_cast<int>(n)) == static_cast<int>(n);
}

// Row k of n / 8 bytes holds bit k of all n elements, the first element in the lowest bit.
void unshuffle_bits(std::span<const std::byte> rows, std::byte* to, std::size_t element_bytes) {
  const std::size_t n = rows.size() / element_bytes, row = n / 8;
  for (std::size_t b = 0; b < element_bytes; ++b)
    for (std::size_t j = 0; j < row; ++j) {
      std::uint64_t bits = 0;  // byte k: bit k of byte b of elements 8 j … 8 j + 7
      for (std::size_t k = 0; k < 8; ++k) bits |= std::to_integer<std::uint64_t>(rows[(8 * b + k) * row + j]) << (8 * k);
      std::uint64_t swap = (bits ^ (bits >> 7U)) & 0x00AA00AA00AA00AAULL;  // an 8 x 8 transpose of bits
      bits ^= swap ^ (swap << 7U);
      swap = (bits ^ (bits >> 14U)) & 0x0000CCCC0000CCCCULL;
      bits ^= swap ^ (swap << 14U);
      swap = (bits ^ (bits >> 28U)) & 0x00000000F0F0F0F0ULL;
      bits ^= swap ^ (swap << 28U);
      for (std::size_t m = 0; m < 8; ++m) to[(8 * j + m) * element_bytes + b] = static_cast<std::byte>(bits >> (8 * m));
    }
}

}  // namespace

std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  constexpr std::size_t most_words = 360;  // before a sum goes beyond 32 bits
  std::uint32_t first = 0, second = 0;
  const auto fold = [&] {
    first = (first & 0xFFFFU) + (first >> 16U);
    second = (second & 0xFFFFU) + (second >> 16U);
  };
  const auto byte = [&](std::size_t i) { return std::to_integer<std::uint32_t>(bytes[i]); };
  std::size_t i = 0;
  for (std::size_t left = bytes.size() / 2; left > 0;) {
    const std::size_t n = std::min(left, most_words);
    left -= n;
    for (std::size_t k = 0; k < n; ++k, i += 2) {
      first += byte(i) << 8U | byte(i + 1);
      second += first;
    }
    fold();
  }
  if (bytes.size() % 2 != 0) {
    first += byte(i) << 8U;
    second += first;
    fold();
  }
  fold();
  return second << 16U | first;
}

Bytes lz4_packed(std::span<const std::byte> bytes, const std::string& where) {
  constexpr std::size_t block = std::size_t{1} << 30U;
  const std::size_t n_block = std::max<std::size_t>(1, std::min(bytes.size(), block));
  Bytes out;
  put_number(out, bytes.size(), 8);
  put_number(out, n_block, 4);
  for (std::size_t at = 0; at < bytes.size(); at += n_block) {
    const auto piece = bytes.subspan(at, std::min(n_block, bytes.size() - at));
    const int room = LZ4_compressBound(static_cast<int>(piece.size()));
    Bytes made(static_cast<std::size_t>(room));
    const int n = LZ4_compress_default(reinterpret_cast<const char*>(piece.data()), reinterpret_cast<char*>(made.data()),
                                       static_cast<int>(piece.size()), room);
    if (n <= 0) throw_bad_file(where, "lz4 does not pack it");
    const bool is_plain = static_cast<std::size_t>(n) >= piece.size();
    const auto stored = is_plain ? piece : std::span<const std::byte>(made).first(static_cast<std::size_t>(n));
    put_number(out, stored.size(), 4);
    out.insert(out.end(), stored.begin(), stored.end());
  }
  return out;
}

Bytes lz4_unpacked(std::span<const std::byte> bytes, std::size_t most, const std::string& where) {
  Cursor cursor(bytes, where, "lz4");
  const std::uint64_t n = cursor.number(8), block = cursor.number(4);
  if (n > most || (block == 0 && n > 0)) refuse_torn(where, "lz4");
  Bytes out(n);
  for (std::size_t at = 0; at < n; at += block) {
    const std::size_t here = std::min<std::size_t>(block, n - at);
    const auto piece = cursor.take(cursor.number(4));
    if (piece.size() == here) std::copy(piece.begin(), piece.end(), out.begin() + static_cast<std::ptrdiff_t>(at));
    else if (!lz4_block(piece, out.data() + at, here)) refuse_torn(where, "lz4");
  }
  return out;
}

Bytes bits_unshuffled(const std::vector<unsigned>& values, std::span<const std::byte> bytes, std::size_t most, const std::string& where) {
  constexpr unsigned none = 0, lz4 = 2, zstd = 3;
  const std::size_t element = values.size() > 2 ? values[2] : 0;
  const unsigned packer = values.size() > 4 ? values[4] : none;
  if (element == 0 || (packer != none && packer != lz4 && packer != zstd)) refuse_torn(where, "bitshuffle");
  Cursor cursor(bytes, where, "bitshuffle");
  const std::size_t n = packer == none ? bytes.size() : cursor.number(8);
  std::size_t block = packer == none ? (values.size() > 3 ? values[3] : 0) * element : cursor.number(4);
  if (block == 0) block = std::max<std::size_t>(8192 / element / 8 * 8, 128) * element;
  if (n > most || block % (8 * element) != 0) refuse_torn(where, "bitshuffle");
  Bytes out(n), rows;
  std::size_t at = 0;
  while (n - at >= 8 * element) {
    const std::size_t here = std::min(block, (n - at) / (8 * element) * (8 * element));
    rows.resize(here);
    if (packer == none) {
      const auto piece = cursor.take(here);
      std::copy(piece.begin(), piece.end(), rows.begin());
    } else {
      const auto piece = cursor.take(cursor.number(4));
      const bool is_whole =
          packer == lz4 ? lz4_block(piece, rows.data(), here) : ZSTD_decompress(rows.data(), here, piece.data(), piece.size()) == here;
      if (!is_whole) refuse_torn(where, "bitshuffle");
    }
    unshuffle_bits(rows, out.data() + at, element);
    at += here;
  }
  const auto rest = cursor.take(n - at);  // fewer than 8 elements are as they are
  std::copy(rest.begin(), rest.end(), out.begin() + static_cast<std::ptrdiff_t>(at));
  return out;
}

}  // namespace crinkle::tool::hdf5
