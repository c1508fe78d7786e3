// A copy of every host buffer on the device, one plan between them, and what was written back: copies go by the packets of
// cuda_transfer.cpp, so that they are pinned and pipelined like any other.
// SPDX-License-Identifier: BSD-3-Clause
#include "api/cuda_whole.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "crinkle/plan.hpp"
#include "cuda/runtime.hpp"
#include "form/check.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t aligned_to = 16;  // bytes: what decides how a plan runs

std::int64_t length_of(const ByteSpan& span) { return span.last - span.first; }

std::int64_t total_of(const std::vector<ByteSpan>& spans) {
  std::int64_t n = 0;
  for (const ByteSpan& s : spans) n = add(n, length_of(s));
  return n;
}

/// A buffer's span on the device, at the same place modulo a vector.
class Copy {
 public:
  Copy(const ByteSpan& span, Device device) : span_(span) {
    if (length_of(span) > 0) memory_ = DeviceMemory(device, add(length_of(span), phase()));
  }
  /// The buffer as if all of it were there.
  Buffer whole() const {
    if (memory_.data() == nullptr) return {};
    const auto at = reinterpret_cast<std::uintptr_t>(memory_.data()) + static_cast<std::uintptr_t>(phase() - span_.first);
    return {reinterpret_cast<void*>(at), span_.last};
  }
  Buffer part() const { return {static_cast<std::byte*>(memory_.data()) + phase(), length_of(span_)}; }

 private:
  std::int64_t phase() const { return span_.first % aligned_to; }

  ByteSpan span_;
  DeviceMemory memory_;
};

/// The bytes that the last step writes, where no entry is a fill; otherwise nothing is known.
std::int64_t bytes_written(const Rearrangement& r) {
  const Steps steps = r.steps();
  if (steps.steps.empty() || !steps.steps.back().fill_boxes.empty()) return 0;
  std::int64_t n = 0;
  for (const Box& box : steps.steps.back().boxes) n = add(n, n_bytes_of(box));
  for (const GatherAxis& g : steps.steps.back().gathers) n = multiply(n, std::ssize(g.dst_offsets));
  return n;
}

Rearrangement bytes_of(const ByteSpan& span) { return Rearrangement(Layout::dense({length_of(span)}, 1)); }

void to_device(const std::vector<ByteSpan>& spans, std::span<const ConstBuffer> from, const std::vector<Copy>& to, Device device,
               const TransferOptions& options) {
  for (std::size_t s = 0; s < spans.size(); ++s) {
    if (length_of(spans[s]) == 0) continue;
    const auto* const first = static_cast<const std::byte*>(from[s].data) + spans[s].first;
    upload(bytes_of(spans[s]), ConstBuffer{first, length_of(spans[s])}, to[s].part(), device, options);
  }
}

void to_host(const std::vector<ByteSpan>& spans, const std::vector<Copy>& from, std::span<const Buffer> to, Device device,
             const TransferOptions& options) {
  for (std::size_t s = 0; s < spans.size(); ++s) {
    if (length_of(spans[s]) == 0) continue;
    auto* const first = static_cast<std::byte*>(to[s].data) + spans[s].first;
    download(bytes_of(spans[s]), from[s].part(), Buffer{first, length_of(spans[s])}, device, options);
  }
}

}  // namespace

void transfer_whole(const Rearrangement& r, std::span<const ConstBuffer> src, bool is_src_on_host, std::span<const Buffer> dst,
                    bool is_dst_on_host, Device device, const TransferOptions& options) {
  const Plan plan(r, device);
  const std::vector<ByteSpan> src_spans = r.source_spans(), dst_spans = r.destination_spans();
  const std::int64_t needed =
      add(plan.workspace_bytes(), add(is_src_on_host ? total_of(src_spans) : 0, is_dst_on_host ? total_of(dst_spans) : 0));
  const DeviceFacts facts = facts_of(device);
  std::int64_t memory = facts.free_bytes;
  if (options.device_memory > 0) memory = std::min(memory, options.device_memory);
  // Staging buffers take more memory; the copies check that it is there.
  if (needed >= memory) {
    throw Error(ErrorCode::out_of_memory, std::to_string(memory) + " bytes of " + facts.name + " for arrays of " + std::to_string(needed) +
                                              " bytes: a move by an index array needs them whole there; use the CPU");
  }
  TransferOptions copies = options;
  copies.device_memory = memory - needed;
  copies.moved = {};

  std::vector<Copy> on_device_src, on_device_dst;
  std::vector<ConstBuffer> from(src.begin(), src.end());
  std::vector<Buffer> to(dst.begin(), dst.end());
  if (is_src_on_host) {
    for (std::size_t s = 0; s < src.size(); ++s) from[s] = on_device_src.emplace_back(src_spans[s], device).whole();
    to_device(src_spans, src, on_device_src, device, copies);
  }
  if (is_dst_on_host) {
    for (std::size_t s = 0; s < dst.size(); ++s) to[s] = on_device_dst.emplace_back(dst_spans[s], device).whole();
    // Bytes between the elements that are written come back as they were.
    const bool has_gaps = total_of(dst_spans) != bytes_written(r);
    const std::vector<ConstBuffer> before(dst.begin(), dst.end());
    if (has_gaps) to_device(dst_spans, before, on_device_dst, device, copies);
  }
  const DeviceMemory workspace = plan.workspace_bytes() > 0 ? DeviceMemory(device, plan.workspace_bytes()) : DeviceMemory();
  const Stream stream(device);
  plan.run(from, to, stream, workspace);
  stream.synchronize();
  copies.moved = options.moved;
  if (is_dst_on_host) to_host(dst_spans, on_device_dst, dst, device, copies);
  else if (options.moved && total_of(dst_spans) > 0) options.moved(total_of(dst_spans));
}

}  // namespace crinkle
