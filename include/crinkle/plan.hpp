// A plan: a rearrangement made ready for a device. Everything is validated and decided here; run() only moves bytes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "crinkle/cuda.hpp"
#include "crinkle/detail/request_key.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/operation.hpp"
#include "crinkle/rearrangement.hpp"

namespace crinkle {

struct MeasureOptions;

class Plan {
 public:
  /// Plans for a device. Throws what steps() throws, and unsupported for a device that this build has no executor for.
  explicit Plan(const Rearrangement& r, Device device = cpu());
  /// Plans for a machine by name ("this", "h200"), whether or not it is here; such a plan describes, and runs only if the machine is here.
  Plan(const Rearrangement& r, std::string_view machine);
  /// Plans a bare list of boxes.
  explicit Plan(const Boxes& boxes, Device device = cpu());

  /// dst = the rearrangement of src. One buffer per slot. Throws bad_shape for the wrong number of buffers or one that is too small,
  /// overlap where a source and a destination share bytes, all before anything is written. Aliasing: none, or all: every source exactly
  /// where the destination of its number is, if can_run_in_place(). Cost: one pass (several with a workspace); allocates what every
  /// thread keeps from its first run on; then only for boxes of over 9 axes. `workspace` needs workspace_bytes(); where it is left out but
  /// needed, it is allocated here. Where that is too much memory, run_in_slabs() does with less.
  void run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, Executor& executor, Buffer workspace = {}) const;
  /// The same of one buffer a side: p.run(a, b, executor).
  template <std::convertible_to<ConstBuffer> Source, std::convertible_to<Buffer> Destination>
  void run(Source&& src, Destination&& dst, Executor& executor, Buffer workspace = {}) const {
    const ConstBuffer from(src);
    const Buffer to(dst);
    run(std::span(&from, 1), std::span(&to, 1), executor, workspace);
  }
  void run(ConstBuffer src, Buffer dst) const;  // on the plan's device; of a GPU on its default stream
  /// The same with a buffer for each slot: plan.run({records}, {x, y, z}).
  void run(std::initializer_list<ConstBuffer> src, std::initializer_list<Buffer> dst) const;

  /// The same on a CUDA device, for a plan made for it: given to the stream, not waited for. Throws, before anything is written, also
  /// device for memory that the device cannot reach and a stream of another one. Neither allocates memory of the device nor waits, so it
  /// can be captured into a graph; pointers and streams are asked where they lie when they are new, never while capturing. Aliasing: as
  /// above. `workspace` is needed where workspace_bytes() is not 0. Moves between more than 8 buffers a side must not run on two streams at
  /// once.
  void run(std::span<const ConstBuffer> src, std::span<const Buffer> dst, const Stream& stream, Buffer workspace = {}) const;
  void run(const ConstBuffer& src, const Buffer& dst, const Stream& stream) const;

  /// Whether run() takes a source that is its destination: it does where the map, done twice, changes nothing, as square transposes, flips,
  /// rolls by half an even extent, byte swaps, bit reversals, and combinations of them.
  bool can_run_in_place() const noexcept;

  std::int64_t workspace_bytes() const noexcept;  // zero where the plan has one step
  std::int64_t bytes_moved() const noexcept;      // read and written
  std::int64_t held_bytes() const noexcept;       // memory that the plan has, about: its steps, and tables beside them
  /// How fast it is predicted to be: the rate at which it reads and writes its bytes, by that of a plain copy of as many on its machine.
  /// Cost: as describe(), none of it memory that stays.
  double predicted_fraction() const;
  std::string describe() const;       // boxes, rows, units, tiles, bytes, predicted accesses: for a person
  std::string describe_json() const;  // the same for a program

 private:
  struct Data;
  explicit Plan(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  friend Plan measured_plan(const Rearrangement& r, Executor& executor, const MeasureOptions& options);
  std::shared_ptr<const Data> data_;
};

/// How measured_plan() goes about it.
struct MeasureOptions {
  std::string cache_file{};                             // where choices are kept and found again; "": nowhere
  std::int64_t most_bytes = std::int64_t{1} << 30;      // of the buffers that it makes to try moves in
  double most_seconds = 10;                             // of trying one step: after so many no more rounds than needed
  std::function<void(const std::string& text)> note{};  // if there: told when the cache file could not be written
};

/// The plan of r on the CPU, run in the way that is fastest here with this executor's workers: how many threads, stores past the caches or
/// through them, how many places in turn, how far ahead it fetches. Every step is measured by itself. Never slower than Plan(r), but for
/// noise: that way stays unless another is over 3 % faster in more than two of three rounds. What was chosen is kept in the cache file for
/// this processor, version, number of workers and step; the newest 4096 choices stay, and programs may share the file. A plan whose buffers
/// together are larger than most_bytes is Plan(r). describe() says what was chosen and why. Throws what Plan throws, and bad_file for a
/// cache file that is damaged or something else, which is left as it is. Cost: some 50 runs of every step that is not in the file, and as
/// much memory as the plan's buffers, freed again.
Plan measured_plan(const Rearrangement& r, Executor& executor, const MeasureOptions& options = {});

/// How run_in_slabs() goes about it, and where its ends are.
struct SlabOptions {
  std::int64_t workspace_bytes = 64 << 20;  // at most so many, where what lies between the steps can be cut (strides nested, one buffer)
  /// If there: called for slab after slab of the source's bytes, which need not be in memory, to write bytes first … into `slab`. A slab
  /// may be asked for again.
  std::function<void(std::int64_t first, std::span<std::byte> slab)> read{};
  std::int64_t read_multiple = 1;  // bytes: of which all `first` are multiples
  /// If there: called once for every slab of the result's bytes, ascending, which need not be in memory.
  std::function<void(std::int64_t first, std::span<const std::byte> slab)> take{};
  std::int64_t take_multiple = 1;
  std::function<void(std::int64_t n_bytes)> moved{};  // if there: told the bytes of every part of the destination that was written
};

/// dst = r(src) on the CPU with a bounded workspace: of what lies between the steps of r only a slab at a time is made and used, and
/// planned as its turn comes. Where options read or take, `src` or `dst` is empty, and that side of r has one dense array. Throws what Plan
/// and its run() throw. Aliasing: none. Cost: the work of Plan::run for up to two steps; with more, slabs of early steps may be made
/// several times.
void run_in_slabs(const Rearrangement& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, Executor& executor,
                  const SlabOptions& options = {});

/// The plan of one list of boxes from the process-wide cache, made when it is not there. The cache holds plans of boxes: parsing a
/// notation and lowering a Rearrangement to its boxes are not, and are done anew each time. Thread-safe; bounded in bytes
/// (set_plan_cache_limit), the plans used longest ago go first; one that is larger by itself is kept until the next such one. Of a plan for
/// a GPU with more than 8 buffers a side what Plan::run says of two streams holds for all who got it. Cost: 200 ns for a plan that is
/// there.
std::shared_ptr<const Plan> cached_plan(const Boxes& boxes, Device device = cpu());

namespace detail {
Operation cached_operation(std::span<const std::int64_t> key, const std::function<Operation()>& make);
}

/// The operation of a request from the same cache. The request consists of values: an FftRequest, ConvolveRequest, Sweep, TriangleRequest,
/// DistanceRequest, CrossDistanceRequest, CollisionRequest, TripletRequest; what looks at the caller's data does not compile.
template <class Request>
  requires std::is_aggregate_v<Request>
Operation cached_plan(const Request& request, Device device = cpu()) {
  return detail::cached_operation(detail::key_of(detail::kind_of_key<Request>(), device, request), [&] { return plan(request, device); });
}

/// n_bytes: of all that is kept but the one plan that is larger than the limit, keys and tables included, about.
struct CacheFacts {
  std::int64_t n_plans = 0, n_bytes = 0, n_hits = 0, n_misses = 0, limit_bytes = 0;
};
CacheFacts plan_cache_facts();
void set_plan_cache_limit(std::int64_t bytes);  // 0 empties the cache and keeps it empty

}  // namespace crinkle
