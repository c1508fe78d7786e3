// Spans against buffers, and every destination against every other buffer.
// SPDX-License-Identifier: BSD-3-Clause
#include "api/buffers.hpp"

#include <string>
#include <utility>

#include "crinkle/detail/small_vector.hpp"
#include "crinkle/error.hpp"

namespace crinkle {
namespace {

void check_side(const char* side, const std::vector<ByteSpan>& spans, std::span<const ConstBuffer> buffers) {
  if (buffers.size() != spans.size()) {
    throw Error(ErrorCode::bad_shape,
                std::to_string(buffers.size()) + " " + side + " buffers for a plan of " + std::to_string(spans.size()));
  }
  for (std::size_t s = 0; s < spans.size(); ++s) {
    if (spans[s].first == spans[s].last) continue;
    if (buffers[s].data == nullptr || spans[s].first < 0 || spans[s].last > buffers[s].bytes) {
      throw Error(ErrorCode::bad_shape, std::string(side) + " buffer " + std::to_string(s) + " has " +
                                            std::to_string(buffers[s].data == nullptr ? 0 : buffers[s].bytes) +
                                            " bytes; the plan touches bytes " + std::to_string(spans[s].first) + " to " +
                                            std::to_string(spans[s].last));
    }
  }
}

// The addresses that are touched, [first, last).
std::pair<std::uintptr_t, std::uintptr_t> touched(const void* data, const ByteSpan& span) {
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  return {at + static_cast<std::uintptr_t>(span.first), at + static_cast<std::uintptr_t>(span.last)};
}

void check_apart(std::span<const ConstBuffer> a, const std::vector<ByteSpan>& spans_a, std::span<const Buffer> b,
                 const std::vector<ByteSpan>& spans_b, bool is_same_list) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = is_same_list ? i + 1 : 0; j < b.size(); ++j) {
      if (spans_a[i].first == spans_a[i].last || spans_b[j].first == spans_b[j].last) continue;
      const auto [a0, a1] = touched(a[i].data, spans_a[i]);
      const auto [b0, b1] = touched(b[j].data, spans_b[j]);
      if (a0 < b1 && b0 < a1) {
        throw Error(ErrorCode::overlap, std::string(is_same_list ? "destination" : "source") + " buffer " + std::to_string(i) +
                                            " and destination buffer " + std::to_string(j) +
                                            " share bytes; a move needs its destination apart from everything else");
      }
    }
  }
}

}  // namespace

void check_buffers(const std::vector<ByteSpan>& source_spans, std::span<const ConstBuffer> src,
                   const std::vector<ByteSpan>& destination_spans, std::span<const Buffer> dst) {
  detail::SmallVector<ConstBuffer, 4> written;
  for (const Buffer& b : dst) written.push_back({b.data, b.bytes});
  const std::span<const ConstBuffer> destinations(written.data(), written.size());
  check_side("source", source_spans, src);
  check_side("destination", destination_spans, destinations);
  check_apart(src, source_spans, dst, destination_spans, false);
  check_apart(destinations, destination_spans, dst, destination_spans, true);
}

}  // namespace crinkle
