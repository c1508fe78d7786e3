// SPDX-License-Identifier: BSD-3-Clause
#include "running/part_run.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/reused_memory.hpp"
#include "formats/box_copy.hpp"
#include "formats/interrupt.hpp"
#include "operation/model.hpp"

namespace crinkle::tool {
namespace {

std::int64_t place_of(const Layout& layout, const Ranges& box) {
  std::int64_t at = layout.offset;
  for (std::size_t a = 0; a < box.size(); ++a) at += box[a].first * layout.strides[a];
  return at;
}

Extents extents_of(const Ranges& box) {
  Extents extents;
  for (const Range& range : box) extents.push_back(range.n);
  return extents;
}

// Of a dataset or a store of tiles.
template <class Store>
class FromStore final : public BoxReader {
 public:
  explicit FromStore(const Store& store) : store_(store) {}
  void read(const Ranges& box, std::byte* into, const Extents& strides) const override { store_.read(box, into, strides); }

 private:
  const Store& store_;
};

class FromBytes final : public BoxReader {
 public:
  explicit FromBytes(const Source& source) : source_(source) {}
  void read(const Ranges& box, std::byte* into, const Extents& strides) const override {
    const Layout& layout = source_.facts().layout;
    copy_box(extents_of(box), layout.element_bytes, source_.bytes().data() + place_of(layout, box), layout.strides, into, strides);
  }

 private:
  const Source& source_;
};

class ToDataset final : public BoxWriter {
 public:
  explicit ToDataset(NewDataset& dataset) : dataset_(dataset) {}
  void write(const Ranges& box, const std::byte* from, const Extents& strides) override { dataset_.write(box, from, strides); }
  bool has(const Ranges& box) const override { return dataset_.has(box); }
  void finish(const Ranges& box) override { dataset_.finish(box); }

 private:
  NewDataset& dataset_;
};

class ToBytes final : public BoxWriter {
 public:
  ToBytes(Sink& sink, Layout layout) : sink_(sink), data_((sink.expect_parts(), sink.data().data())), layout_(std::move(layout)) {}
  void write(const Ranges& box, const std::byte* from, const Extents& strides) override {
    copy_box(extents_of(box), layout_.element_bytes, from, strides, data_ + place_of(layout_, box), layout_.strides);
  }
  bool has(const Ranges& box) const override { return sink_.has(box); }
  void finish(const Ranges& box) override { sink_.finish(box); }

 private:
  Sink& sink_;
  std::byte* data_;
  Layout layout_;
};

class ToTiles final : public BoxWriter {
 public:
  explicit ToTiles(TileStore& store) : store_(store) {}
  void write(const Ranges& box, const std::byte* from, const Extents& strides) override { store_.write(box, from, strides); }

 private:
  TileStore& store_;
};

template <class Task>
void share(const Ranges& box, const Extents& unit, const Extents& strides, Executor& executor, Task&& task) {
  const std::vector<Ranges> boxes = boxes_of_grid(box, unit);
  executor.parallel_for(std::ssize(boxes), [&](std::int64_t k) {
    end_if_asked();
    const Ranges& part = boxes[static_cast<std::size_t>(k)];
    std::int64_t at = 0;
    for (std::size_t a = 0; a < box.size(); ++a) at += (part[a].first - box[a].first) * strides[a];
    task(part, at);
  });
}

/// Parts one after another, by as many threads as there are lanes.
class Lanes {
 public:
  Lanes(const Pass& pass, const BoxReaders& from, BoxWriter& to, Executor& executor, const PartCalls& calls)
      : pass_(pass), from_(from), to_(to), executor_(executor), calls_(calls), n_(pass.parts.n()) {}

  std::int64_t run(int n_lanes) {
    std::vector<std::jthread> others;  // they end here, whatever happens
    for (std::int64_t k = 1; k < std::min<std::int64_t>(n_lanes, n_); ++k) others.emplace_back([this] { lane(); });
    lane();
    others.clear();
    if (failure_) std::rethrow_exception(failure_);
    return n_there_;
  }

 private:
  /// Memory of a lane.
  struct Rooms {
    std::vector<ReusedMemory> in;
    ReusedMemory out, workspace;
  };

  void lane() {
    Rooms rooms{std::vector<ReusedMemory>(from_.size()), {}, {}};
    try {
      for (std::int64_t k = next_++; k < n_ && !has_failed_; k = next_++) part(pass_.parts.at(k), rooms);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      has_failed_ = true;
    }
  }

  void part(const Ranges& ranges, Rooms& rooms) {
    const Ranges gives = pass_.operation.gives(ranges)[0];
    const std::int64_t n_out = bytes_of(pass_.operation.outputs()[0].layout, gives);
    if (to_.has(gives)) {
      ++n_there_;
    } else {
      const std::vector<Ranges> needs = pass_.operation.needs(ranges);
      std::vector<ConstBuffer> sources;
      std::byte* made = nullptr;
      for (std::size_t i = 0; i < from_.size(); ++i) {
        const std::int64_t n_in = bytes_of(pass_.operation.inputs()[i].layout, needs[i]);
        made = rooms.in[i].of(n_in);
        read_ranges(*from_[i], needs[i], made, executor_);
        if (calls_.read) tell([&] { calls_.read({made, static_cast<std::size_t>(n_in)}); });
        sources.push_back({made, n_in});
      }
      if (!pass_.is_copy) {
        const Operation part = pass_.operation.part(ranges);
        const std::int64_t extra = part.workspace_bytes();
        const Buffer result{made = rooms.out.of(n_out), n_out};
        part.run(sources, {&result, 1}, executor_, extra == 0 ? Buffer{} : Buffer{rooms.workspace.of(extra), extra});
      }
      if (calls_.look) tell([&] { calls_.look({made, static_cast<std::size_t>(n_out)}); });
      const Extents strides = Layout::dense(extents_of(gives), pass_.operation.outputs()[0].layout.element_bytes).strides;
      share(gives, to_.shared, strides, executor_, [&](const Ranges& box, std::int64_t at) { to_.write(box, made + at, strides); });
      to_.finish(gives);
    }
    if (calls_.written) tell([&] { calls_.written(n_out); });
  }

  template <class Call>
  void tell(Call&& call) {
    const std::lock_guard lock(mutex_);
    call();
  }

  const Pass& pass_;
  const BoxReaders& from_;
  BoxWriter& to_;
  Executor& executor_;
  const PartCalls& calls_;
  std::int64_t n_;
  std::atomic<std::int64_t> next_{0}, n_there_{0};
  std::atomic<bool> has_failed_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

std::unique_ptr<BoxReader> reader_of(const Source& source) {
  std::unique_ptr<BoxReader> reader;
  const Layout& layout = source.facts().layout;
  if (source.dataset() != nullptr) reader = std::make_unique<FromStore<Dataset>>(*source.dataset());
  else reader = std::make_unique<FromBytes>(source);
  reader->extents = layout.extents;
  reader->element_bytes = layout.element_bytes;
  reader->shared = source.dataset() != nullptr ? source.dataset()->facts().chunks : rows_of(layout.extents, layout.element_bytes);
  return reader;
}

std::unique_ptr<BoxReader> reader_of(const TileStore& store, const Layout& array, const Extents& tiles) {
  auto reader = std::make_unique<FromStore<TileStore>>(store);
  reader->extents = array.extents;
  reader->element_bytes = array.element_bytes;
  reader->shared = tiles;
  return reader;
}

std::unique_ptr<BoxWriter> writer_of(Sink& sink, const Layout& array) {
  std::unique_ptr<BoxWriter> writer;
  if (sink.dataset() != nullptr) {
    writer = std::make_unique<ToDataset>(*sink.dataset());
    writer->shared = sink.dataset()->facts().unit;
  } else {
    writer = std::make_unique<ToBytes>(sink, array);
    writer->shared = rows_of(array.extents, array.element_bytes);
  }
  return writer;
}

std::unique_ptr<BoxWriter> writer_of(TileStore& store, const Extents& tiles) {
  auto writer = std::make_unique<ToTiles>(store);
  writer->shared = tiles;
  return writer;
}

void read_ranges(const BoxReader& from, const Ranges& ranges, std::byte* into, Executor& executor) {
  const Extents strides = Layout::dense(extents_of(ranges), from.element_bytes).strides;
  const std::size_t rank = ranges.size();
  std::size_t n_round = 0;
  for (std::size_t a = 0; a < rank; ++a) n_round |= ranges[a].first + ranges[a].n > from.extents[a] ? std::size_t{1} << a : 0;
  // A range that goes round the end of its axis is read in two pieces.
  for (std::size_t which = 0; which <= n_round; ++which) {
    if ((which & n_round) != which) continue;
    Ranges box = ranges;
    std::int64_t at = 0;
    bool is_there = true;
    for (std::size_t a = 0; a < rank; ++a) {
      const std::int64_t before = std::min(ranges[a].n, from.extents[a] - ranges[a].first);
      if ((which >> a & 1U) == 0) {
        box[a].n = before;
      } else {
        box[a] = {0, ranges[a].n - before};
        at += before * strides[a];
      }
      is_there = is_there && box[a].n > 0;
    }
    if (!is_there) continue;
    share(box, from.shared, strides, executor,
          [&](const Ranges& part, std::int64_t inside) { from.read(part, into + at + inside, strides); });
  }
}

std::int64_t run_pass(const Pass& pass, const BoxReaders& from, BoxWriter& to, int n_lanes, Executor& executor, const PartCalls& calls) {
  return Lanes(pass, from, to, executor, calls).run(n_lanes);
}

}  // namespace crinkle::tool
