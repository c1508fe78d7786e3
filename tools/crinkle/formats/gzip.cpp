// zlib as a stream over whole buffers; see gzip.hpp. zlib counts in 32 bits, so buffers are handed over in pieces.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "formats/file.hpp"
#include "formats/listener.hpp"

namespace crinkle::tool {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30;
constexpr int gzip_window = 15 + 16;  // the largest window, gzip shell

}  // namespace

bool begins_like_gzip(std::span<const std::byte> file) {
  return file.size() >= 2 && file[0] == std::byte{0x1f} && file[1] == std::byte{0x8b};
}

std::int64_t most_inflated(std::int64_t packed) {
  std::int64_t bytes = 0;
  return __builtin_mul_overflow(packed, std::int64_t{1032}, &bytes) ? INT64_MAX : bytes;
}

struct GzipReader::State {
  z_stream stream = {};
  std::span<const std::byte> packed;  // not handed over yet
  bool is_at_end = false;

  void refill() {
    if (stream.avail_in > 0 || packed.empty()) return;
    const std::size_t n = std::min(packed.size(), most_at_once);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
    stream.avail_in = static_cast<uInt>(n);
    packed = packed.subspan(n);
  }
};

GzipReader::GzipReader(std::span<const std::byte> packed, const std::string& path) : state_(std::make_unique<State>()), path_(path) {
  state_->packed = packed;
  if (inflateInit2(&state_->stream, gzip_window) != Z_OK) throw std::bad_alloc();
}

GzipReader::~GzipReader() { inflateEnd(&state_->stream); }

std::size_t GzipReader::read(std::span<std::byte> into) {
  z_stream& stream = state_->stream;
  std::size_t done = 0;
  while (done < into.size() && !state_->is_at_end) {
    state_->refill();
    const std::size_t room = std::min(into.size() - done, most_at_once);
    stream.next_out = reinterpret_cast<Bytef*>(into.data() + done);
    stream.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream, Z_NO_FLUSH);
    done += room - stream.avail_out;
    if (status == Z_STREAM_END) {
      state_->refill();
      const bool has_next_member = stream.avail_in >= 2 && stream.next_in[0] == 0x1f && stream.next_in[1] == 0x8b;
      state_->is_at_end = !has_next_member || inflateReset(&stream) != Z_OK;
    } else if (status == Z_BUF_ERROR) {
      throw_bad_file(path_, "the gzip stream ends too early");
    } else if (status != Z_OK) {
      throw_bad_file(path_, std::string("gzip: ") + (stream.msg != nullptr ? stream.msg : "damaged stream"));
    }
  }
  return done;
}

void write_gzip(int descriptor, std::span<const std::byte> bytes, const std::string& path) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ends(&stream, deflateEnd);
  std::array<std::byte, 65536> packed;
  Listener* const listener = Listener::present();
  const std::size_t at_once = listener != nullptr ? std::size_t{1} << 20 : most_at_once;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      const std::size_t n = std::min(bytes.size(), at_once);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(n);
      bytes = bytes.subspan(n);
      if (listener != nullptr && n > 0) listener->advance(static_cast<std::int64_t>(n));
    }
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    write_fully(descriptor, std::span(packed).first(packed.size() - stream.avail_out), path);
  }
}

}  // namespace crinkle::tool
