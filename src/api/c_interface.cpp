// The C interface: every function catches what the C++ one throws, keeps its text for the thread and returns its code.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/per_process.hpp"
#include "cpu/copy.hpp"
#include "crinkle/crinkle.h"
#include "crinkle/error.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"
#include "crinkle/record_layout.hpp"
#include "crinkle/transfer.hpp"

struct crinkle_map {
  crinkle::Rearrangement map;
};

struct crinkle_plan {
  crinkle::Plan plan;
  crinkle::Device device;
  std::shared_ptr<crinkle::Executor> executor;  // of a CPU's
  std::size_t n_sources, n_destinations;
};

namespace crinkle {
namespace {

static_assert(static_cast<int>(ErrorCode::bad_notation) + 1 == crinkle_bad_notation);
static_assert(static_cast<int>(ErrorCode::exists) + 1 == crinkle_exists && crinkle_exists + 1 == crinkle_failed);

std::string& error_text() {
  static thread_local std::string text;
  return text;
}

crinkle_status failed(crinkle_status status, const char* text) noexcept {
  try {
    error_text() = text;
  } catch (...) { error_text().clear(); }
  return status;
}

template <class Body>
crinkle_status tried(const Body& body) noexcept {
  try {
    error_text().clear();
    body();
    return crinkle_done;
  } catch (const Error& e) {
    return failed(static_cast<crinkle_status>(static_cast<int>(e.code()) + 1), e.what());
  } catch (const std::bad_alloc&) { return failed(crinkle_out_of_memory, "no memory left"); } catch (const std::exception& e) {
    return failed(crinkle_failed, e.what());
  } catch (...) { return failed(crinkle_failed, "an exception of another program"); }
}

/// What the caller may not leave out.
template <class T>
const T& given(const T* pointer, const char* name) {
  if (pointer == nullptr) throw Error(ErrorCode::bad_shape, std::string(name) + " is NULL");
  return *pointer;
}
std::string text_of(const char* text, const char* name) { return &given(text, name); }

Layout layout_of(const crinkle_layout* given_layout, const char* name) {
  const crinkle_layout& l = given(given_layout, name);
  if (l.rank < 0) throw Error(ErrorCode::bad_shape, std::string(name) + ": a rank of " + std::to_string(l.rank));
  const auto list = [&](const std::int64_t* numbers, const char* what) {
    if (l.rank > 0 && numbers == nullptr) throw Error(ErrorCode::bad_shape, std::string(name) + ": " + what + " is NULL");
    return Extents(numbers, numbers + l.rank);
  };
  Layout layout = Layout::dense(list(l.extents, "extents"), l.element_bytes);
  if (l.strides != nullptr) layout.strides = list(l.strides, "strides");
  layout.offset = l.offset;
  return layout;
}

template <class Make>
crinkle_status made(crinkle_map** map, const Make& make) noexcept {
  return tried([&] {
    given(map, "map");
    *map = new crinkle_map{make()};
  });
}

template <class Change>
crinkle_status changed(crinkle_map* map, const Change& change) noexcept {
  return tried([&] {
    Rearrangement next = change(given(map, "map").map);
    map->map = std::move(next);
  });
}

struct KnownExecutors {
  std::mutex mutex;
  std::map<int, std::weak_ptr<Executor>> by_threads;
  std::deque<std::shared_ptr<Executor>> kept;  // the last used first
};

/// The process' own for 0, otherwise one for every number of threads, which lasts while a plan has it or it is among those used last.
std::shared_ptr<Executor> executor_of(int n_threads) {
  static constinit PerProcess<KnownExecutors> known;
  constexpr std::size_t most_kept = 4;
  if (n_threads == 0) return {std::shared_ptr<void>(), &default_executor()};
  std::shared_ptr<Executor> dropped;  // its threads end without the lock
  auto& [mutex, by_threads, kept] = known.get();
  const std::lock_guard lock(mutex);
  const auto found = by_threads.find(n_threads);
  std::shared_ptr<Executor> executor = found != by_threads.end() ? found->second.lock() : nullptr;
  if (executor == nullptr) by_threads[n_threads] = executor = make_executor(n_threads);
  const auto at = std::find(kept.begin(), kept.end(), executor);
  if (at != kept.end()) kept.erase(at);
  kept.push_front(executor);
  if (kept.size() > most_kept) {
    dropped = std::move(kept.back());
    kept.pop_back();
  }
  return executor;
}

struct RunBuffers {
  std::vector<ConstBuffer> src;
  std::vector<Buffer> dst;
};
RunBuffers buffers_of(const crinkle_plan& plan, const void* const* src, const std::int64_t* src_bytes, void* const* dst,
                      const std::int64_t* dst_bytes) {
  given(src, "src"), given(src_bytes, "src_bytes"), given(dst, "dst"), given(dst_bytes, "dst_bytes");
  RunBuffers all;
  for (std::size_t k = 0; k < plan.n_sources; ++k) all.src.push_back({src[k], src_bytes[k]});
  for (std::size_t k = 0; k < plan.n_destinations; ++k) all.dst.push_back({dst[k], dst_bytes[k]});
  return all;
}

}  // namespace
}  // namespace crinkle

using namespace crinkle;

extern "C" {

const char* crinkle_version(void) { return CRINKLE_VERSION; }
const char* crinkle_error_text(void) { return error_text().c_str(); }

crinkle_status crinkle_parse(const char* spec, const crinkle_layout* source, const crinkle_layout* destination, crinkle_map** map) {
  return made(map, [&] {
    const Layout from = layout_of(source, "source");
    return destination == nullptr ? parse(text_of(spec, "spec"), from)
                                  : parse(text_of(spec, "spec"), from, layout_of(destination, "destination"));
  });
}

crinkle_status crinkle_interlace(const crinkle_layout* each, int64_t n, int64_t axis, crinkle_map** map) {
  return made(map, [&] { return interlace(layout_of(each, "each"), n, axis); });
}

crinkle_status crinkle_deinterlace(const crinkle_layout* source, int64_t axis, crinkle_map** map) {
  return made(map, [&] { return deinterlace(layout_of(source, "source"), axis); });
}

crinkle_status crinkle_records(const char* fields, const char* from, const char* to, int64_t n, int is_apart, crinkle_map** map) {
  return made(map, [&] {
    const Fields all = parse_fields(text_of(fields, "fields"));
    const Storage storage = is_apart != 0 ? Storage::apart : Storage::together;
    return convert_records(RecordLayout::parse(text_of(from, "from"), all), RecordLayout::parse(text_of(to, "to"), all), n,
                           {storage, storage});
  });
}

crinkle_status crinkle_flip(crinkle_map* map, const char* axis) {
  return changed(map, [&](const Rearrangement& r) { return r.flip(text_of(axis, "axis")); });
}

crinkle_status crinkle_roll(crinkle_map* map, const char* axis, int64_t distance) {
  return changed(map, [&](const Rearrangement& r) { return r.roll(text_of(axis, "axis"), distance); });
}

crinkle_status crinkle_slice(crinkle_map* map, const char* axis, int64_t start, int64_t stop, int64_t step) {
  const auto bound = [](int64_t b) { return b == CRINKLE_OMITTED ? std::nullopt : std::optional<std::int64_t>(b); };
  return changed(map, [&](const Rearrangement& r) { return r.slice(text_of(axis, "axis"), bound(start), bound(stop), bound(step)); });
}

crinkle_status crinkle_pad(crinkle_map* map, const char* axis, int64_t before, int64_t after, const char* mode, const void* value) {
  return changed(map, [&](const Rearrangement& r) {
    std::span<const std::byte> bytes;
    if (value != nullptr) bytes = {static_cast<const std::byte*>(value), static_cast<std::size_t>(r.element_bytes())};
    return r.pad(text_of(axis, "axis"), before, after, pad_mode_of(text_of(mode, "mode")), bytes);
  });
}

crinkle_status crinkle_dilate(crinkle_map* map, const char* axis, int64_t step) {
  return changed(map, [&](const Rearrangement& r) { return r.dilate(text_of(axis, "axis"), step); });
}

crinkle_status crinkle_at(crinkle_map* map, const char* axis, int64_t index) {
  return changed(map, [&](const Rearrangement& r) { return r.at(text_of(axis, "axis"), index); });
}

crinkle_status crinkle_take(crinkle_map* map, const char* axis, int64_t n, const int64_t* indices) {
  return changed(map, [&](const Rearrangement& r) {
    if (n < 0) throw Error(ErrorCode::bad_shape, std::to_string(n) + " indices");
    if (n > 0) given(indices, "indices");
    return r.take(text_of(axis, "axis"), {indices, static_cast<std::size_t>(n)});
  });
}

crinkle_status crinkle_bit_reverse(crinkle_map* map, const char* axis) {
  return changed(map, [&](const Rearrangement& r) { return r.bit_reverse(text_of(axis, "axis")); });
}

crinkle_status crinkle_byte_swap(crinkle_map* map) {
  return changed(map, [](const Rearrangement& r) { return r.byte_swap(); });
}

crinkle_status crinkle_invert(crinkle_map* map) {
  return changed(map, [](const Rearrangement& r) { return r.inverse(); });
}

int crinkle_extents(const crinkle_map* map, int most, int64_t* extents) {
  if (map == nullptr) return 0;
  const Extents& all = map->map.destination().extents;
  for (std::size_t a = 0; extents != nullptr && a < all.size() && static_cast<int>(a) < most; ++a) extents[a] = all[a];
  return static_cast<int>(all.size());
}

int crinkle_n_sources(const crinkle_map* map) { return map == nullptr ? 0 : static_cast<int>(map->map.n_sources()); }
int crinkle_n_destinations(const crinkle_map* map) { return map == nullptr ? 0 : static_cast<int>(map->map.n_destinations()); }
void crinkle_free_map(crinkle_map* map) { delete map; }

crinkle_status crinkle_make_plan(const crinkle_map* map, int device, int n_threads, crinkle_plan** plan) {
  return tried([&] {
    given(plan, "plan");
    const Rearrangement& r = given(map, "map").map;
    if (device < crinkle_cpu) throw Error(ErrorCode::device, "there is no device " + std::to_string(device) + "; crinkle_cpu is -1");
    const Device on = device == crinkle_cpu ? cpu() : cuda(device);
    *plan = new crinkle_plan{Plan(r, on), on, device == crinkle_cpu ? executor_of(n_threads) : nullptr,
                             static_cast<std::size_t>(r.n_sources()), static_cast<std::size_t>(r.n_destinations())};
  });
}

crinkle_status crinkle_run(const crinkle_plan* plan, const void* const* src, const int64_t* src_bytes, void* const* dst,
                           const int64_t* dst_bytes) {
  return tried([&] {
    const RunBuffers all = buffers_of(given(plan, "plan"), src, src_bytes, dst, dst_bytes);
    if (plan->executor != nullptr) {
      plan->plan.run(all.src, all.dst, *plan->executor);
      return;
    }
    const DeviceMemory workspace(plan->device, plan->plan.workspace_bytes());
    const Stream stream(plan->device);
    plan->plan.run(all.src, all.dst, stream, workspace);
    stream.synchronize();
  });
}

crinkle_status crinkle_run_on_stream(const crinkle_plan* plan, const void* const* src, const int64_t* src_bytes, void* const* dst,
                                     const int64_t* dst_bytes, void* stream) {
  return tried([&] {
    const RunBuffers all = buffers_of(given(plan, "plan"), src, src_bytes, dst, dst_bytes);
    if (plan->executor != nullptr) throw Error(ErrorCode::unsupported, "a stream, but the plan is for a CPU; crinkle_run runs it");
    plan->plan.run(all.src, all.dst, Stream(static_cast<CUstream_st*>(stream)));
  });
}

int64_t crinkle_bytes_moved(const crinkle_plan* plan) { return plan == nullptr ? 0 : plan->plan.bytes_moved(); }

int64_t crinkle_describe(const crinkle_plan* plan, char* text, int64_t size) {
  int64_t all = 0;
  tried([&] {
    const std::string told = given(plan, "plan").plan.describe();
    all = std::ssize(told) + 1;
    if (text == nullptr || size <= 0) return;
    const auto n = static_cast<std::size_t>(std::min(size, all) - 1);
    std::memcpy(text, told.data(), n);
    text[n] = '\0';
  });
  return all;
}

void crinkle_free_plan(crinkle_plan* plan) { delete plan; }

crinkle_status crinkle_bit_planes(void* dst, const void* src, int64_t n, int64_t element_bytes, int is_back, int n_threads) {
  return tried([&] {
    if (n < 0 || element_bytes < 1)
      throw Error(ErrorCode::bad_shape, std::to_string(n) + " elements of " + std::to_string(element_bytes) + " bytes");
    const std::int64_t of_planes = bit_planes_bytes(n, element_bytes), of_elements = Layout::dense({n}, element_bytes).n_bytes();
    if (n > 0) given(static_cast<const char*>(src), "src"), given(static_cast<char*>(dst), "dst");
    const auto size = [](std::int64_t bytes) { return static_cast<std::size_t>(bytes); };
    const std::span<const std::byte> from(static_cast<const std::byte*>(src), size(is_back != 0 ? of_planes : of_elements));
    const std::span<std::byte> to(static_cast<std::byte*>(dst), size(is_back != 0 ? of_elements : of_planes));
    const std::shared_ptr<Executor> executor = executor_of(n_threads);
    if (is_back != 0) from_bit_planes(from, to, n, element_bytes, *executor);
    else bit_planes(from, to, n, element_bytes, *executor);
  });
}

crinkle_status crinkle_copy(void* dst, const void* src, int64_t bytes, const char* kind, int n_threads) {
  return tried([&] {
    const std::string word = text_of(kind, "kind");
    const auto found = std::find_if(copy_kinds.begin(), copy_kinds.end(), [&](CopyKind k) { return word == name_of(k); });
    if (found == copy_kinds.end())
      throw Error(ErrorCode::bad_notation, "a copy of kind '" + word + "'; the kinds are memcpy, streamed and interleaved");
    if (bytes < 0) throw Error(ErrorCode::bad_shape, "a copy of " + std::to_string(bytes) + " bytes");
    if (bytes > 0) given(static_cast<const char*>(src), "src"), given(static_cast<char*>(dst), "dst");
    copy_plain(*found, static_cast<std::byte*>(dst), static_cast<const std::byte*>(src), bytes, *executor_of(n_threads));
  });
}

}  // extern "C"
