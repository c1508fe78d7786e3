// Packing and unpacking; see codec.hpp. Sizes that torn or hostile bytes announce are never believed: a chunk's size is known.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/zarr/codec.hpp"

#include <blosc.h>
#include <lz4.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>

#include "crinkle/error.hpp"
#include "formats/box_copy.hpp"
#include "formats/file.hpp"

namespace crinkle::tool::zarr {
namespace {

static_assert(std::endian::native == std::endian::little, "sizes and checksums are stored with their low byte first");

using RoomFor = const std::function<std::span<std::byte>(std::size_t most)>&;  // for what is packed, whose size is not known before

constexpr std::size_t most_of_lz4 = LZ4_MAX_INPUT_SIZE, most_of_blosc = BLOSC_MAX_BUFFERSIZE;

[[noreturn]] void refuse_torn(const std::string& where, const char* codec) { throw_bad_file(where, std::string("is torn: ") + codec); }

[[noreturn]] void refuse_longer(const std::string& where, const char* codec, std::size_t most) {
  throw_bad_file(where, std::string(codec) + " unpacks to more than the " + std::to_string(most) + " bytes that are expected");
}

void check_size(std::size_t n, std::size_t most, const std::string& where, const char* codec) {
  if (n > most)
    throw Error(ErrorCode::too_large, where + ": " + codec + " packs at most " + std::to_string(most) + " bytes at a time, not " +
                                          std::to_string(n) + "; smaller chunks are the way out");
}

// --- deflate: zlib's and gzip's frames -----------------------------------------------------------------------------------------

constexpr int window_of(Codec::Kind kind) { return kind == Codec::Kind::gzip ? MAX_WBITS + 16 : MAX_WBITS; }

// zlib counts in 32 bits: a step has at most so many bytes.
uInt step_of(std::size_t n) { return static_cast<uInt>(std::min<std::size_t>(n, std::size_t{1} << 30)); }

std::size_t deflate_to(const Codec& codec, ConstBytes bytes, RoomFor room, const std::string& where) {
  z_stream stream = {};
  if (deflateInit2(&stream, codec.level, Z_DEFLATED, window_of(codec.kind), 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error(ErrorCode::out_of_memory, where + ": not enough memory to pack it");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, deflateEnd);
  const std::span<std::byte> out = room(deflateBound(&stream, bytes.size()) + 32);
  auto* from = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
  std::size_t left = bytes.size(), made = 0;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    stream.next_in = from + (bytes.size() - left);
    const uInt in = stream.avail_in = step_of(left);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + made);
    const uInt n_free = stream.avail_out = step_of(out.size() - made);
    status = deflate(&stream, in == left ? Z_FINISH : Z_NO_FLUSH);
    left -= in - stream.avail_in;
    made += n_free - stream.avail_out;
  }
  return made;
}

std::size_t inflate_to(const Codec& codec, ConstBytes bytes, std::span<std::byte> out, const std::string& where) {
  z_stream stream = {};
  if (inflateInit2(&stream, window_of(codec.kind)) != Z_OK)
    throw Error(ErrorCode::out_of_memory, where + ": not enough memory to unpack it");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  std::size_t read = 0, made = 0;
  Bytef more = 0;  // where `out` is full, the stream has to end without another byte
  for (int status = Z_OK; status != Z_STREAM_END;) {
    const bool is_full = made == out.size();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data() + read));
    const uInt in = stream.avail_in = step_of(bytes.size() - read);
    stream.next_out = is_full ? &more : reinterpret_cast<Bytef*>(out.data() + made);
    const uInt n_free = stream.avail_out = is_full ? 1 : step_of(out.size() - made);
    status = inflate(&stream, Z_NO_FLUSH);
    read += in - stream.avail_in;
    if (is_full && stream.avail_out == 0) refuse_longer(where, "deflate", out.size());
    if (!is_full) made += n_free - stream.avail_out;
    if (status != Z_STREAM_END && (status != Z_OK || (in == stream.avail_in && n_free == stream.avail_out))) refuse_torn(where, "deflate");
  }
  return made;
}

// --- zstd, lz4, blosc ----------------------------------------------------------------------------------------------------------

std::size_t zstd_to(const Codec& codec, ConstBytes bytes, RoomFor room, const std::string& where) {
  static thread_local const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_reset(context.get(), ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, codec.level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, codec.has_checksum ? 1 : 0);
  const std::span<std::byte> out = room(ZSTD_compressBound(bytes.size()));
  const std::size_t n = ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(n) != 0) throw Error(ErrorCode::out_of_memory, where + ": zstd: " + ZSTD_getErrorName(n));
  return n;
}

std::size_t unzstd_to(ConstBytes bytes, std::span<std::byte> out, const std::string& where) {
  static thread_local const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  const std::size_t n = ZSTD_decompressDCtx(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_getErrorCode(n) == ZSTD_error_dstSize_tooSmall) refuse_longer(where, "zstd", out.size());
  if (ZSTD_isError(n) != 0) throw_bad_file(where, std::string("is torn: zstd: ") + ZSTD_getErrorName(n));
  return n;
}

// numcodecs puts the size before an LZ4 block.
std::size_t lz4_to(const Codec& codec, ConstBytes bytes, RoomFor room, const std::string& where) {
  check_size(bytes.size(), most_of_lz4, where, "lz4");
  const auto n = static_cast<std::int32_t>(bytes.size());
  const std::span<std::byte> out = room(sizeof n + static_cast<std::size_t>(LZ4_compressBound(n)));
  std::memcpy(out.data(), &n, sizeof n);
  const int made = LZ4_compress_fast(reinterpret_cast<const char*>(bytes.data()), reinterpret_cast<char*>(out.data()) + sizeof n, n,
                                     static_cast<int>(out.size() - sizeof n), codec.level);
  return sizeof n + static_cast<std::size_t>(made);
}

std::size_t unlz4_to(ConstBytes bytes, std::span<std::byte> out, const std::string& where) {
  std::int32_t n = -1;
  if (bytes.size() < sizeof n) refuse_torn(where, "lz4");
  std::memcpy(&n, bytes.data(), sizeof n);
  if (n < 0) refuse_torn(where, "lz4");
  if (static_cast<std::size_t>(n) > out.size()) refuse_longer(where, "lz4", out.size());
  check_size(bytes.size(), most_of_lz4, where, "lz4");
  const int made = LZ4_decompress_safe(reinterpret_cast<const char*>(bytes.data()) + sizeof n, reinterpret_cast<char*>(out.data()),
                                       static_cast<int>(bytes.size() - sizeof n), n);
  if (made != n) refuse_torn(where, "lz4");
  return static_cast<std::size_t>(n);
}

std::size_t blosc_to(const Codec& codec, ConstBytes bytes, RoomFor room, const std::string& where) {
  check_size(bytes.size(), most_of_blosc, where, "blosc");
  const std::span<std::byte> out = room(bytes.size() + BLOSC_MAX_OVERHEAD);
  const int n = blosc_compress_ctx(codec.level, codec.shuffle, static_cast<std::size_t>(codec.element_bytes), bytes.size(), bytes.data(),
                                   out.data(), out.size(), codec.inner.c_str(), static_cast<std::size_t>(codec.block_bytes), 1);
  if (n <= 0) throw Error(ErrorCode::unsupported, where + ": this build's blosc cannot pack by " + codec.inner);
  return static_cast<std::size_t>(n);
}

std::size_t unblosc_to(ConstBytes bytes, std::span<std::byte> out, const std::string& where) {
  std::size_t n = 0;
  if (blosc_cbuffer_validate(bytes.data(), bytes.size(), &n) != 0) refuse_torn(where, "blosc");
  if (n > out.size()) refuse_longer(where, "blosc", out.size());
  if (n > 0 && blosc_decompress_ctx(bytes.data(), out.data(), n, 1) != static_cast<int>(n)) {
    const char* const inner = blosc_cbuffer_complib(bytes.data());
    throw_bad_file(where, std::string("is torn, or blosc was built without ") + (inner != nullptr ? inner : "what packed it"));
  }
  return n;
}

// --- bytes of elements apart; checksums ----------------------------------------------------------------------------------------

// Byte b of element i goes to place b · n + i; what is left behind whole elements stays.
std::size_t shuffle_to(ConstBytes bytes, std::int64_t element_bytes, bool is_back, std::span<std::byte> out) {
  const std::int64_t n = std::ssize(bytes) / element_bytes;
  const Extents apart{1, n}, together{element_bytes, 1};
  copy_box({n, element_bytes}, 1, bytes.data(), is_back ? apart : together, out.data(), is_back ? together : apart);
  const auto whole = static_cast<std::size_t>(n * element_bytes);
  std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(whole), bytes.end(), out.begin() + static_cast<std::ptrdiff_t>(whole));
  return bytes.size();
}

// Castagnoli's polynomial, bits reversed.
std::uint32_t crc32c(ConstBytes bytes) {
  static const auto tables = [] {
    std::array<std::array<std::uint32_t, 256>, 8> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = (c & 1U) != 0 ? (c >> 1U) ^ 0x82F63B78U : c >> 1U;
      t[0][i] = c;
    }
    for (std::uint32_t i = 0; i < 256; ++i)
      for (std::size_t k = 1; k < 8; ++k) t[k][i] = (t[k - 1][i] >> 8U) ^ t[0][t[k - 1][i] & 255U];
    return t;
  }();
  std::uint32_t c = ~0U;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    word ^= c;
    c = 0;
    for (std::size_t k = 0; k < 8; ++k) c ^= tables[7 - k][(word >> (8 * k)) & 255U];
  }
  for (; i < bytes.size(); ++i) c = (c >> 8U) ^ tables[0][(c ^ static_cast<std::uint32_t>(bytes[i])) & 255U];
  return ~c;
}

std::size_t checksum_to(ConstBytes bytes, RoomFor room) {
  const std::uint32_t sum = crc32c(bytes);
  const std::span<std::byte> out = room(bytes.size() + sizeof sum);
  std::copy(bytes.begin(), bytes.end(), out.begin());
  std::memcpy(out.data() + bytes.size(), &sum, sizeof sum);
  return out.size();
}

std::size_t unchecksum_to(ConstBytes bytes, std::span<std::byte> out, const std::string& where) {
  std::uint32_t sum = 0;
  if (bytes.size() < sizeof sum) refuse_torn(where, "crc32c");
  const ConstBytes body = bytes.first(bytes.size() - sizeof sum);
  std::memcpy(&sum, bytes.data() + body.size(), sizeof sum);
  if (sum != crc32c(body)) throw_bad_file(where, "is torn: its checksum (crc32c) is not that of its bytes");
  if (body.size() > out.size()) refuse_longer(where, "crc32c", out.size());
  std::copy(body.begin(), body.end(), out.begin());
  return body.size();
}

std::size_t pack_to(const Codec& codec, ConstBytes bytes, RoomFor room, const std::string& where) {
  switch (codec.kind) {
    case Codec::Kind::zlib:
    case Codec::Kind::gzip: return deflate_to(codec, bytes, room, where);
    case Codec::Kind::zstd: return zstd_to(codec, bytes, room, where);
    case Codec::Kind::lz4: return lz4_to(codec, bytes, room, where);
    case Codec::Kind::blosc: return blosc_to(codec, bytes, room, where);
    case Codec::Kind::shuffle: return shuffle_to(bytes, codec.element_bytes, false, room(bytes.size()));
    case Codec::Kind::crc32c: return checksum_to(bytes, room);
  }
  return 0;
}

std::size_t unpack_to(const Codec& codec, ConstBytes bytes, std::span<std::byte> out, const std::string& where) {
  switch (codec.kind) {
    case Codec::Kind::zlib:
    case Codec::Kind::gzip: return inflate_to(codec, bytes, out, where);
    case Codec::Kind::zstd: return unzstd_to(bytes, out, where);
    case Codec::Kind::lz4: return unlz4_to(bytes, out, where);
    case Codec::Kind::blosc: return unblosc_to(bytes, out, where);
    case Codec::Kind::shuffle:
      if (bytes.size() > out.size()) refuse_longer(where, "shuffle", out.size());
      return shuffle_to(bytes, codec.element_bytes, true, out);
    case Codec::Kind::crc32c: return unchecksum_to(bytes, out, where);
  }
  return 0;
}

}  // namespace

ConstBytes packed(const std::vector<Codec>& chain, ConstBytes bytes, PackingRooms& rooms, const std::string& where) {
  for (std::size_t k = 0; k < chain.size(); ++k) {
    ReusedMemory& room = k % 2 == 0 ? rooms.first : rooms.second;
    std::byte* begin = nullptr;
    const std::size_t n = pack_to(
        chain[k], bytes, [&](std::size_t most) { return std::span(begin = room.of(static_cast<std::int64_t>(most)), most); }, where);
    bytes = {begin, n};
  }
  return bytes;
}

void unpack(const std::vector<Codec>& chain, ConstBytes bytes, std::span<std::byte> into, PackingRooms& rooms, const std::string& where) {
  const std::size_t most_between = into.size() + into.size() / 4 + 65536;  // what packing can add
  for (std::size_t k = chain.size(); k-- > 0;) {
    ReusedMemory& room = k % 2 == 0 ? rooms.first : rooms.second;
    const std::span<std::byte> out = k == 0 ? into : std::span(room.of(static_cast<std::int64_t>(most_between)), most_between);
    bytes = out.first(unpack_to(chain[k], bytes, out, where));
  }
  if (bytes.size() != into.size())
    throw_bad_file(where, "holds " + std::to_string(bytes.size()) + " bytes, and a chunk has " + std::to_string(into.size()));
  if (chain.empty()) std::copy(bytes.begin(), bytes.end(), into.begin());
}

Bytes packed(const std::vector<Codec>& chain, ConstBytes bytes, const std::string& where) {
  PackingRooms rooms;
  const ConstBytes made = packed(chain, bytes, rooms, where);
  return {made.begin(), made.end()};
}

Bytes unpacked(const std::vector<Codec>& chain, ConstBytes bytes, std::size_t n_bytes, const std::string& where) {
  PackingRooms rooms;
  Bytes made(n_bytes);
  unpack(chain, bytes, made, rooms, where);
  return made;
}

std::size_t fixed_size(const std::vector<Codec>& chain, std::size_t n, const std::string& where) {
  for (const Codec& codec : chain) {
    if (codec.kind == Codec::Kind::crc32c) n += sizeof(std::uint32_t);
    else if (codec.kind != Codec::Kind::shuffle)
      throw Error(ErrorCode::unsupported,
                  where + ": the index of its shards is packed (" + described({codec}) + "), which has no fixed size");
  }
  return n;
}

}  // namespace crinkle::tool::zarr
