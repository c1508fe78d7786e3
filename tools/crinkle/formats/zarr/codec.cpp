// Packing and unpacking; see codec.hpp. Sizes that torn or hostile bytes announce are never believed: a chunk's size is known.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/zarr/codec.hpp"

#include <blosc.h>
#include <lz4.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>

#include "crinkle/error.hpp"
#include "formats/file.hpp"

namespace crinkle::tool::zarr {
namespace {

static_assert(std::endian::native == std::endian::little, "sizes and checksums are stored with their low byte first");

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

Bytes deflated(const Codec& codec, std::span<const std::byte> bytes, const std::string& where) {
  z_stream stream = {};
  if (deflateInit2(&stream, codec.level, Z_DEFLATED, window_of(codec.kind), 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error(ErrorCode::out_of_memory, where + ": not enough memory to pack it");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, deflateEnd);
  Bytes out(deflateBound(&stream, bytes.size()) + 32);
  auto* from = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
  std::size_t left = bytes.size(), made = 0;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    stream.next_in = from + (bytes.size() - left);
    const uInt in = stream.avail_in = step_of(left);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + made);
    const uInt room = stream.avail_out = step_of(out.size() - made);
    status = deflate(&stream, in == left ? Z_FINISH : Z_NO_FLUSH);
    left -= in - stream.avail_in;
    made += room - stream.avail_out;
  }
  out.resize(made);
  return out;
}

Bytes inflated(const Codec& codec, std::span<const std::byte> bytes, std::size_t most, const std::string& where) {
  z_stream stream = {};
  if (inflateInit2(&stream, window_of(codec.kind)) != Z_OK)
    throw Error(ErrorCode::out_of_memory, where + ": not enough memory to unpack it");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  Bytes out(most + 1);
  std::size_t read = 0, made = 0;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data() + read));
    const uInt in = stream.avail_in = step_of(bytes.size() - read);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + made);
    const uInt room = stream.avail_out = step_of(out.size() - made);
    status = inflate(&stream, Z_NO_FLUSH);
    read += in - stream.avail_in;
    made += room - stream.avail_out;
    if (made > most) refuse_longer(where, "deflate", most);
    if (status != Z_STREAM_END && (status != Z_OK || (in == stream.avail_in && room == stream.avail_out))) refuse_torn(where, "deflate");
  }
  out.resize(made);
  return out;
}

// --- zstd, lz4, blosc ----------------------------------------------------------------------------------------------------------

Bytes zstd_packed(const Codec& codec, std::span<const std::byte> bytes, const std::string& where) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  Bytes out(ZSTD_compressBound(bytes.size()));
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, codec.level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, codec.has_checksum ? 1 : 0);
  const std::size_t n = ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(n) != 0) throw Error(ErrorCode::out_of_memory, where + ": zstd: " + ZSTD_getErrorName(n));
  out.resize(n);
  return out;
}

Bytes zstd_unpacked(std::span<const std::byte> bytes, std::size_t most, const std::string& where) {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  Bytes out(most + 1);
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  ZSTD_outBuffer made{out.data(), out.size(), 0};
  for (;;) {
    const std::size_t before = in.pos, had = made.pos, status = ZSTD_decompressStream(stream.get(), &made, &in);
    if (ZSTD_isError(status) != 0) throw_bad_file(where, std::string("is torn: zstd: ") + ZSTD_getErrorName(status));
    if (made.pos > most) refuse_longer(where, "zstd", most);
    if (status == 0 && in.pos == in.size) break;
    if (in.pos == before && made.pos == had) refuse_torn(where, "zstd");
  }
  out.resize(made.pos);
  return out;
}

// numcodecs puts the size before an LZ4 block.
Bytes lz4_packed(const Codec& codec, std::span<const std::byte> bytes, const std::string& where) {
  check_size(bytes.size(), most_of_lz4, where, "lz4");
  const auto n = static_cast<std::int32_t>(bytes.size());
  Bytes out(sizeof n + static_cast<std::size_t>(LZ4_compressBound(n)));
  std::memcpy(out.data(), &n, sizeof n);
  const int made = LZ4_compress_fast(reinterpret_cast<const char*>(bytes.data()), reinterpret_cast<char*>(out.data()) + sizeof n, n,
                                     static_cast<int>(out.size() - sizeof n), codec.level);
  out.resize(sizeof n + static_cast<std::size_t>(made));
  return out;
}

Bytes lz4_unpacked(std::span<const std::byte> bytes, std::size_t most, const std::string& where) {
  std::int32_t n = -1;
  if (bytes.size() < sizeof n) refuse_torn(where, "lz4");
  std::memcpy(&n, bytes.data(), sizeof n);
  if (n < 0) refuse_torn(where, "lz4");
  if (static_cast<std::size_t>(n) > most) refuse_longer(where, "lz4", most);
  check_size(bytes.size(), most_of_lz4, where, "lz4");
  Bytes out(static_cast<std::size_t>(n));
  const int made = LZ4_decompress_safe(reinterpret_cast<const char*>(bytes.data()) + sizeof n, reinterpret_cast<char*>(out.data()),
                                       static_cast<int>(bytes.size() - sizeof n), n);
  if (made != n) refuse_torn(where, "lz4");
  return out;
}

Bytes blosc_packed(const Codec& codec, std::span<const std::byte> bytes, const std::string& where) {
  check_size(bytes.size(), most_of_blosc, where, "blosc");
  Bytes out(bytes.size() + BLOSC_MAX_OVERHEAD);
  const int n = blosc_compress_ctx(codec.level, codec.shuffle, static_cast<std::size_t>(codec.element_bytes), bytes.size(), bytes.data(),
                                   out.data(), out.size(), codec.inner.c_str(), static_cast<std::size_t>(codec.block_bytes), 1);
  if (n <= 0) throw Error(ErrorCode::unsupported, where + ": this build's blosc cannot pack by " + codec.inner);
  out.resize(static_cast<std::size_t>(n));
  return out;
}

Bytes blosc_unpacked(std::span<const std::byte> bytes, std::size_t most, const std::string& where) {
  std::size_t n = 0;
  if (blosc_cbuffer_validate(bytes.data(), bytes.size(), &n) != 0) refuse_torn(where, "blosc");
  if (n > most) refuse_longer(where, "blosc", most);
  Bytes out(n);
  if (n > 0 && blosc_decompress_ctx(bytes.data(), out.data(), n, 1) != static_cast<int>(n)) {
    const char* const inner = blosc_cbuffer_complib(bytes.data());
    throw_bad_file(where, std::string("is torn, or blosc was built without ") + (inner != nullptr ? inner : "what packed it"));
  }
  return out;
}

// --- bytes of elements apart; checksums ----------------------------------------------------------------------------------------

// Byte b of element i goes to place b · n + i; what is left behind whole elements stays.
Bytes shuffled(std::span<const std::byte> bytes, std::int64_t element_bytes, bool is_back) {
  Bytes out(bytes.begin(), bytes.end());
  const auto e = static_cast<std::size_t>(element_bytes), n = bytes.size() / e;
  for (std::size_t b = 0; b < e; ++b)
    for (std::size_t i = 0; i < n; ++i) {
      if (is_back) out[i * e + b] = bytes[b * n + i];
      else out[b * n + i] = bytes[i * e + b];
    }
  return out;
}

// Castagnoli's polynomial, bits reversed.
std::uint32_t crc32c(std::span<const std::byte> bytes) {
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

Bytes with_checksum(std::span<const std::byte> bytes) {
  Bytes out(bytes.begin(), bytes.end());
  const std::uint32_t sum = crc32c(bytes);
  out.resize(bytes.size() + sizeof sum);
  std::memcpy(out.data() + bytes.size(), &sum, sizeof sum);
  return out;
}

Bytes without_checksum(std::span<const std::byte> bytes, const std::string& where) {
  std::uint32_t sum = 0;
  if (bytes.size() < sizeof sum) refuse_torn(where, "crc32c");
  const auto body = bytes.first(bytes.size() - sizeof sum);
  std::memcpy(&sum, bytes.data() + body.size(), sizeof sum);
  if (sum != crc32c(body)) throw_bad_file(where, "is torn: its checksum (crc32c) is not that of its bytes");
  return {body.begin(), body.end()};
}

}  // namespace

Bytes packed(const Codec& codec, std::span<const std::byte> bytes, const std::string& where) {
  switch (codec.kind) {
    case Codec::Kind::zlib:
    case Codec::Kind::gzip: return deflated(codec, bytes, where);
    case Codec::Kind::zstd: return zstd_packed(codec, bytes, where);
    case Codec::Kind::lz4: return lz4_packed(codec, bytes, where);
    case Codec::Kind::blosc: return blosc_packed(codec, bytes, where);
    case Codec::Kind::shuffle: return shuffled(bytes, codec.element_bytes, false);
    case Codec::Kind::crc32c: return with_checksum(bytes);
  }
  return {};
}

Bytes unpacked(const Codec& codec, std::span<const std::byte> bytes, std::size_t most, const std::string& where) {
  switch (codec.kind) {
    case Codec::Kind::zlib:
    case Codec::Kind::gzip: return inflated(codec, bytes, most, where);
    case Codec::Kind::zstd: return zstd_unpacked(bytes, most, where);
    case Codec::Kind::lz4: return lz4_unpacked(bytes, most, where);
    case Codec::Kind::blosc: return blosc_unpacked(bytes, most, where);
    case Codec::Kind::shuffle: return shuffled(bytes, codec.element_bytes, true);
    case Codec::Kind::crc32c: return without_checksum(bytes, where);
  }
  return {};
}

Bytes packed(const std::vector<Codec>& chain, std::span<const std::byte> bytes, const std::string& where) {
  Bytes made;
  for (const Codec& codec : chain) {
    made = packed(codec, bytes, where);
    bytes = made;
  }
  return chain.empty() ? Bytes(bytes.begin(), bytes.end()) : made;
}

Bytes unpacked(const std::vector<Codec>& chain, std::span<const std::byte> bytes, std::size_t n_bytes, const std::string& where) {
  const std::size_t most_between = n_bytes + n_bytes / 4 + 65536;  // what packing can add
  Bytes made;
  for (std::size_t k = chain.size(); k-- > 0;) {
    made = unpacked(chain[k], bytes, k == 0 ? n_bytes : most_between, where);
    bytes = made;
  }
  if (bytes.size() != n_bytes)
    throw_bad_file(where, "holds " + std::to_string(bytes.size()) + " bytes, and a chunk has " + std::to_string(n_bytes));
  return chain.empty() ? Bytes(bytes.begin(), bytes.end()) : made;
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
