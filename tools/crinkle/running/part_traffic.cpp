// SPDX-License-Identifier: BSD-3-Clause
#include "running/part_traffic.hpp"

#include <algorithm>
#include <utility>

#include "base/checked.hpp"
#include "operation/model.hpp"

namespace crinkle::tool {
namespace {

// What a pass takes: of a disk, of one core that packs, and of every call and part. See docs/tuning.md.
constexpr double disk_s = 1e9, decode_s = 1e9, encode_s = 0.4e9, call_s = 5e-6, part_s = 100e-6;
constexpr double least_read = 4096;  // bytes: a page

// Chunks that a range of an axis touches, one that goes round its end in two pieces.
std::int64_t chunks_touched(const Range& range, std::int64_t extent, std::int64_t chunk) {
  const auto straight = [&](std::int64_t first, std::int64_t n) { return n == 0 ? 0 : (first + n - 1) / chunk - first / chunk + 1; };
  const std::int64_t before = std::min(range.n, extent - range.first);
  return straight(range.first, before) + straight(0, range.n - before);
}

}  // namespace

Traffic& Traffic::operator+=(const Traffic& other) {
  read += other.read;
  decoded += other.decoded;
  written += other.written;
  encoded += other.encoded;
  calls += other.calls;
  parts += other.parts;
  return *this;
}

double Traffic::seconds(int n_workers) const {
  return (read + written) / disk_s + (decoded / decode_s + encoded / encode_s + calls * call_s) / n_workers + parts * part_s;
}

Grid Grid::read_of(const DatasetFacts& facts) { return {facts.extents, facts.chunks, facts.type.bytes, facts.is_in_pieces}; }
Grid Grid::written_of(const DatasetFacts& facts) { return {facts.extents, facts.unit, facts.type.bytes, facts.is_in_pieces}; }

Traffic Grid::reading(const Ranges& box) const {
  double n_chunks = 1, bytes = static_cast<double>(element_bytes), of_chunk = bytes, run = bytes;
  bool is_run = true;
  for (std::size_t a = box.size(); a-- > 0;) {
    n_chunks *= static_cast<double>(chunks_touched(box[a], extents[a], chunks[a]));
    bytes *= static_cast<double>(box[a].n);
    of_chunk *= static_cast<double>(chunks[a]);
    if (is_run) run *= static_cast<double>(std::min(box[a].n, chunks[a]));
    is_run = is_run && box[a].n >= chunks[a];
  }
  if (bytes == 0) return {};
  if (!is_in_pieces) return {.read = n_chunks * of_chunk, .decoded = n_chunks * of_chunk, .calls = n_chunks};
  const double n_runs = std::max(n_chunks, bytes / run);
  return {.read = std::min(std::max(bytes, n_runs * least_read), n_chunks * of_chunk),
          .calls = std::min(n_runs, n_chunks * of_chunk / least_read + n_chunks)};
}

Parts::Parts(const Operation& operation, Extents sizes) : pieces(std::move(sizes)) {
  for (const Cut& cut : operation.cuts()) extents.push_back(cut.extent);
}

std::int64_t Parts::n() const {
  std::int64_t n = 1;
  for (std::size_t c = 0; c < pieces.size(); ++c) n = multiply(n, ceil_divide(extents[c], pieces[c]));
  return n;
}

Ranges Parts::at(std::int64_t number) const {
  Ranges part(pieces.size());
  for (std::size_t c = pieces.size(); c-- > 0;) {
    const std::int64_t n = ceil_divide(extents[c], pieces[c]), first = number % n * pieces[c];
    number /= n;
    part[c] = {first, std::min(pieces[c], extents[c] - first)};
  }
  return part;
}

Ranges Parts::middle() const {
  Ranges part(pieces.size());
  for (std::size_t c = 0; c < pieces.size(); ++c) {
    const std::int64_t first = (ceil_divide(extents[c], pieces[c]) - 1) / 2 * pieces[c];
    part[c] = {first, std::min(pieces[c], extents[c] - first)};
  }
  return part;
}

Traffic traffic_of(const Operation& operation, const Parts& parts, const Grid& from, const Grid& to) {
  constexpr std::int64_t all_at_most = 20, looked_at = 17;
  const std::int64_t n = parts.n(), step = n <= all_at_most ? 1 : n / looked_at;
  const double out = static_cast<double>(bytes_of(operation.outputs()));
  Traffic all;
  double share = 0;
  for (std::int64_t k = 0; k < n; k += step) {
    const Ranges part = parts.at(k);
    for (const Ranges& needs : operation.needs(part)) all += from.reading(needs);
    share += static_cast<double>(bytes_of(operation.outputs(), operation.gives(part)));
  }
  const double scale = share > 0 ? out / share : 1;
  all.read *= scale;
  all.decoded *= scale;
  all.calls *= scale;
  const double unit = static_cast<double>(Layout::dense(to.chunks, to.element_bytes).n_bytes());
  all.written = out;
  all.encoded = to.is_in_pieces ? 0 : out;
  all.calls += out / std::max(unit, to.is_in_pieces ? least_read : 1.0);
  all.parts = static_cast<double>(n);
  return all;
}

}  // namespace crinkle::tool
