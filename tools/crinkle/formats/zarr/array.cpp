// SPDX-License-Identifier: BSD-3-Clause
#include "formats/zarr/array.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/checked.hpp"
#include "formats/box_copy.hpp"
#include "formats/file.hpp"

namespace crinkle::tool::zarr {
namespace {

constexpr std::uint64_t not_there = ~std::uint64_t{0};

Bytes read_at(int descriptor, std::uint64_t first, std::size_t n, const std::string& file) {
  Bytes bytes(n);
  for (std::size_t done = 0; done < n;) {
    const ssize_t got = ::pread(descriptor, bytes.data() + done, n - done, static_cast<off_t>(first + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_system(file, "reading", errno);
    if (got == 0) throw_bad_file(file, fmt::format("ends before byte {}", first + n));
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

// −1: there is no such file.
Descriptor open_if_there(const std::string& file) {
  Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (opened.get() < 0 && errno != ENOENT) throw_system(file, "opening", errno);
  return opened;
}

std::uint64_t size_of(int descriptor, const std::string& file) {
  struct stat entry = {};
  if (::fstat(descriptor, &entry) != 0) throw_system(file, "asking for its size", errno);
  if (!S_ISREG(entry.st_mode)) throw_bad_file(file, "is no regular file");
  return static_cast<std::uint64_t>(entry.st_size);
}

}  // namespace

DatasetFacts facts_of(const Metadata& m, const std::string& path) {
  DatasetFacts facts;
  facts.extents = m.extents;
  facts.type = m.type;
  facts.axes = m.axes;
  facts.fill = m.fill;
  facts.chunks = m.chunks;
  facts.unit = m.files();
  facts.packing = described(m.chain);
  facts.is_in_pieces = m.chain.empty();
  if (!m.shards.empty()) facts.packing += fmt::format(", shards {}", print_shape(m.shards));
  facts.format = fmt::format("zarr {}", m.version);
  facts.path = path;
  facts.attributes = m.attributes;
  return facts;
}

Array::Array(Metadata metadata, std::string folder, const std::string& path, const std::string& store, std::vector<std::string> around)
    : metadata_(std::move(metadata)), folder_(std::move(folder)), most_stored_(metadata_.chunk_bytes()) {
  most_stored_ += most_stored_ / 4 + 65536;
  facts_ = facts_of(metadata_, path);
  facts_.place = folder_;
  facts_.inside = folder_.substr(std::min(store.size(), folder_.size()));
  facts_.around = std::move(around);
}

std::shared_ptr<const Array::Index> Array::index_of(const Extents& shard, int descriptor, const std::string& file) const {
  constexpr std::size_t most_kept = 64;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = indices_.find(shard); found != indices_.end()) return found->second;
  }
  std::int64_t n = 1;
  for (std::size_t a = 0; a < shard.size(); ++a) n = multiply(n, metadata_.shards[a] / metadata_.chunks[a]);
  const std::size_t plain = static_cast<std::size_t>(multiply(n, sizeof(Piece))), stored = fixed_size(metadata_.index_chain, plain, file);
  const std::uint64_t size = size_of(descriptor, file);
  if (size < stored) throw_bad_file(file, fmt::format("has {} bytes, fewer than the {} of its index", size, stored));
  const Bytes bytes = unpacked(metadata_.index_chain, read_at(descriptor, metadata_.is_index_first ? 0 : size - stored, stored, file),
                               plain, file + " (its index)");
  auto index = std::make_shared<Index>(static_cast<std::size_t>(n));
  std::memcpy(index->data(), bytes.data(), plain);
  const std::lock_guard lock(mutex_);
  if (indices_.size() >= most_kept) indices_.clear();
  return indices_[shard] = std::move(index);
}

Array::Stored Array::stored_in_shard(const Extents& cell) const {
  Extents shard;
  std::int64_t place = 0;
  for (std::size_t a = 0; a < cell.size(); ++a) {
    const std::int64_t n = metadata_.shards[a] / metadata_.chunks[a];
    shard.push_back(cell[a] / n);
    place = place * n + cell[a] % n;
  }
  Stored chunk{.path = folder_ + "/" + metadata_.key(shard)};
  chunk.file = open_if_there(chunk.path);
  if (chunk.file.get() < 0) return {};
  const Piece piece = (*index_of(shard, chunk.file.get(), chunk.path))[static_cast<std::size_t>(place)];
  if (piece.first == not_there && piece.n == not_there) return {};
  chunk.where = fmt::format("{} (chunk {})", chunk.path, print_shape(cell));
  const std::uint64_t size = size_of(chunk.file.get(), chunk.path);
  if (piece.n > most_stored_ || piece.first > size || piece.n > size - piece.first)
    throw_bad_file(chunk.where,
                   fmt::format("its index says bytes {} to {} + {}, and the file has {}", piece.first, piece.first, piece.n, size));
  chunk.first = piece.first;
  chunk.n = piece.n;
  return chunk;
}

Array::Stored Array::stored(const Extents& cell) const {
  if (!metadata_.shards.empty()) return stored_in_shard(cell);
  Stored chunk{.path = folder_ + "/" + metadata_.key(cell)};
  chunk.file = open_if_there(chunk.path);
  if (chunk.file.get() < 0) return {};
  chunk.where = chunk.path;
  const std::uint64_t size = size_of(chunk.file.get(), chunk.path);
  if (size > most_stored_)
    throw_bad_file(chunk.path, fmt::format("has {} bytes, and a chunk of {} is never packed into more than {}", size,
                                           metadata_.chunk_bytes(), most_stored_));
  chunk.n = size;
  return chunk;
}

void Array::read(const Ranges& box, std::byte* into, const Extents& strides) const {
  static thread_local struct {
    ReusedMemory stored, plain;
    PackingRooms packing;
  } rooms;
  const Extents chunk_strides = metadata_.chunk_strides(), nowhere(box.size(), 0);
  const std::int64_t e = metadata_.type.bytes;
  const std::size_t chunk_bytes = metadata_.chunk_bytes();
  for (const Ranges& part : boxes_of_grid(box, metadata_.chunks)) {
    Extents cell, extents;
    std::int64_t from = 0, to = 0;
    for (std::size_t a = 0; a < part.size(); ++a) {
      cell.push_back(part[a].first / metadata_.chunks[a]);
      extents.push_back(part[a].n);
      from += part[a].first % metadata_.chunks[a] * chunk_strides[a];
      to += (part[a].first - box[a].first) * strides[a];
    }
    const Stored chunk = stored(cell);
    if (chunk.file.get() < 0) {
      copy_box(extents, e, metadata_.fill.data(), nowhere, into + to, strides);
      continue;
    }
    const auto at = static_cast<std::int64_t>(chunk.first);
    if (metadata_.chain.empty()) {
      if (chunk.n != chunk_bytes) throw_bad_file(chunk.where, fmt::format("holds {} bytes, and a chunk has {}", chunk.n, chunk_bytes));
      read_file_box({chunk.file.get(), at + from, chunk.path}, extents, e, chunk_strides, into + to, strides, rooms.stored);
      continue;
    }
    const auto n = static_cast<std::int64_t>(chunk.n);
    std::byte* const bytes = rooms.stored.of(n);
    read_file_box({chunk.file.get(), at, chunk.path}, {n}, 1, {1}, bytes, {1}, rooms.plain);
    // A whole chunk that lies in memory as it does in itself is unpacked there.
    const bool is_whole = extents == metadata_.chunks && BoxRuns(extents, e, chunk_strides, strides).extents.empty();
    std::byte* const plain = is_whole ? into + to : rooms.plain.of(static_cast<std::int64_t>(chunk_bytes));
    unpack(metadata_.chain, {bytes, chunk.n}, {plain, chunk_bytes}, rooms.packing, chunk.where);
    if (!is_whole) copy_box(extents, e, plain + from, chunk_strides, into + to, strides);
  }
}

}  // namespace crinkle::tool::zarr
