// One pass of an operation between two ends that are read and written in boxes. Several parts are under way at once, each on a thread of
// its own that shares the executor's: while one is read, another one is computed and a third one written.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "formats/sink.hpp"
#include "formats/source.hpp"
#include "running/stored_plan.hpp"
#include "running/tile_store.hpp"

namespace crinkle::tool {

/// Boxes that are read, from any thread. A range of an axis ends where the axis does.
class BoxReader {
 public:
  virtual ~BoxReader() = default;
  virtual void read(const Ranges& box, std::byte* into, const Extents& strides) const = 0;

  Extents extents, shared;  // of the array; of what one thread reads at a time
  std::int64_t element_bytes = 1;
};

/// Boxes that are written, from any thread: each begins where one of `shared` does.
class BoxWriter {
 public:
  virtual ~BoxWriter() = default;
  virtual void write(const Ranges& box, const std::byte* from, const Extents& strides) = 0;
  virtual bool has(const Ranges&) const { return false; }  // from a run before
  virtual void finish(const Ranges&) {}

  Extents shared;
};

std::unique_ptr<BoxReader> reader_of(const Source& source);
std::unique_ptr<BoxReader> reader_of(const TileStore& store, const Layout& array, const Extents& tiles);
std::unique_ptr<BoxWriter> writer_of(Sink& sink, const Layout& array);
std::unique_ptr<BoxWriter> writer_of(TileStore& store, const Extents& tiles);

/// A range of every axis, round its ends where these go there, as a dense array.
void read_ranges(const BoxReader& from, const Ranges& ranges, std::byte* into, Executor& executor);

struct PartCalls {
  std::function<void(std::span<std::byte> in)> read;   // sees what each part reads; may be empty, and so may those below
  std::function<void(std::span<std::byte> out)> look;  // what each part made
  std::function<void(std::int64_t n_bytes)> written;   // one at a time
};

/// One an input of an operation.
using BoxReaders = std::vector<std::unique_ptr<BoxReader>>;

/// Runs all parts of a pass that the writer has not, and returns how many it has. What one of them throws ends the run.
std::int64_t run_pass(const Pass& pass, const BoxReaders& from, BoxWriter& to, int n_lanes, Executor& executor, const PartCalls& calls);

}  // namespace crinkle::tool
