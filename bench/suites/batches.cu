// The suite `batches`: many small arrays in one move, 1000 transposes of about 64 × 64 float32, beside copies of as many bytes.
//     uniform        one array of 1000, all of a size
//     pointers       1000 buffers on either side, in no order
//     ragged         1000 sizes from 48 to 80, one behind the other
//     ragged_256     each beginning at a multiple of 256 bytes
//     ragged_fours   likewise, all sizes multiples of 4
// Given to a stream by the host, and replayed in a graph. The arrays, 16 MB a side, lie in the second-level cache of today's GPUs, for the
// copies as for the moves.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>

#include "harness/gpu_kernels.hpp"
#include "harness/random.hpp"
#include "suites/suites.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t n_arrays = 1000, side = 64, element = 4;
constexpr std::uint64_t seed = 1;

/// One move of all arrays, with bare pointers for one buffer a side.
struct Batch {
  std::string name;
  Boxes planned;                         // as the plan is given them
  Boxes meant;                           // the same between one source and one destination
  std::vector<std::int64_t> first_byte;  // of every buffer; both sides lie alike
  std::int64_t buffer_bytes = 0;         // of each
  std::int64_t n_bytes = 0;              // of a side, gaps included
  std::int64_t moved_bytes = 0;          // read and written
};

// dst[x][y] = src[y][x] of an array at a byte of either side.
Box transposed(std::int64_t at, std::int64_t height, std::int64_t width) {
  Box box;
  box.unit = element;
  box.src_offset = box.dst_offset = at;
  box.axes.push_back({width, element, height * element});
  box.axes.push_back({height, width * element, element});
  return box;
}

Batch uniform() {
  Batch batch{"uniform", parse("b y x -> b x y", Layout::dense({n_arrays, side, side}, element)).boxes()};
  batch.meant = batch.planned;
  batch.first_byte = {0};
  batch.buffer_bytes = batch.n_bytes = n_arrays * side * side * element;
  batch.moved_bytes = 2 * batch.n_bytes;
  return batch;
}

Batch pointers() {
  Batch batch{"pointers"};
  Box box = transposed(0, side, side);
  box.axes.insert(box.axes.begin(), {n_arrays, 1, 1, Counts::buffers, Counts::buffers});
  batch.planned.push_back(box);
  batch.buffer_bytes = side * side * element;
  const std::int64_t apart = batch.buffer_bytes + 256;
  for (std::int64_t k = 0; k < n_arrays; ++k) batch.first_byte.push_back(k * apart);
  std::uint64_t state = seed;
  for (std::size_t left = batch.first_byte.size(); left > 1; --left)
    std::swap(batch.first_byte[left - 1], batch.first_byte[next_random(state) % left]);
  for (const std::int64_t at : batch.first_byte) batch.meant.push_back(transposed(at, side, side));
  batch.n_bytes = n_arrays * apart;
  batch.moved_bytes = 2 * n_arrays * batch.buffer_bytes;
  return batch;
}

Batch ragged(const char* name, std::int64_t multiple_bytes, std::int64_t multiple_elements) {
  Batch batch{name};
  std::uint64_t state = seed;
  const auto size = [&] { return (48 + static_cast<std::int64_t>(next_random(state) % 33)) / multiple_elements * multiple_elements; };
  for (std::int64_t k = 0; k < n_arrays; ++k) {
    const std::int64_t height = size(), width = size(), bytes = height * width * element;
    batch.planned.push_back(transposed(batch.n_bytes, height, width));
    batch.n_bytes += (bytes + multiple_bytes - 1) / multiple_bytes * multiple_bytes;
    batch.moved_bytes += 2 * bytes;
  }
  batch.meant = batch.planned;
  batch.first_byte = {0};
  batch.buffer_bytes = batch.n_bytes;
  return batch;
}

Contest contest_of(const Batch& batch, Site& site) {
  std::vector<ConstBuffer> from;
  std::vector<Buffer> to;
  for (const std::int64_t at : batch.first_byte) {
    from.push_back({site.source() + at, batch.buffer_bytes});
    to.push_back({site.destination() + at, batch.buffer_bytes});
  }
  const auto move = [plan = Plan(batch.planned, site.device()), from, to, &site] { site.run(plan, from, to); };
  move();  // what is prepared at the first run is no part of a graph
  site.wait();
  Contest c;
  c.element_bytes = element;
  c.bytes = batch.moved_bytes;
  c.rows = Contest::Rows::all;
  c.ways = {{batch.name, move}, {batch.name + "_graph", graph_of(move, site.stream().get())}};
  c.check = [batch, ways = c.ways, &site] {
    for (const Way& way : ways)
      site.check(way.name, {batch.n_bytes, batch.n_bytes}, seed, way.parts[0], [&] { return site.first_wrong(batch.meant); });
  };
  c.checked = "definition";
  const std::int64_t copied_bytes = std::min(batch.n_bytes, batch.moved_bytes / 2);
  c.ceilings = ceilings_of(site.copies(copied_bytes), static_cast<double>(batch.moved_bytes) / static_cast<double>(2 * copied_bytes));
  return c;
}

}  // namespace

std::vector<Entry> batches_entries(const Request&) {
  std::vector<Entry> entries;
  for (const Batch& batch :
       {uniform(), pointers(), ragged("ragged", element, 1), ragged("ragged_256", 256, 1), ragged("ragged_fours", 256, 4)})
    entries.push_back({batch.name, {batch.n_bytes, batch.n_bytes}, [batch](Site& site, std::uint64_t) { return contest_of(batch, site); }});
  return entries;
}

}  // namespace crinkle::bench
