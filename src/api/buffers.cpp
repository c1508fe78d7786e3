// Spans against buffers, every destination against every other buffer, and what may be in place.
// SPDX-License-Identifier: BSD-3-Clause
#include "api/buffers.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/values.hpp"
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

bool are_touched(const ByteSpan& span) { return span.first != span.last; }

std::int64_t n_shared(const void* a, const ByteSpan& span_a, const void* b, const ByteSpan& span_b) {
  if (!are_touched(span_a) || !are_touched(span_b)) return 0;
  const auto [a0, a1] = touched(a, span_a);
  const auto [b0, b1] = touched(b, span_b);
  return a0 < b1 && b0 < a1 ? static_cast<std::int64_t>(std::min(a1, b1) - std::max(a0, b0)) : 0;
}

[[noreturn]] void refuse(const std::string& a, const std::string& b, std::int64_t n, const std::string& why) {
  throw Error(ErrorCode::overlap, a + " and " + b + " share " + std::to_string(n) + " bytes; " + why);
}
std::string name(const char* side, std::size_t i) { return std::string(side) + " buffer " + std::to_string(i); }

bool are_in_place(const std::vector<ByteSpan>& source_spans, std::span<const ConstBuffer> src,
                  const std::vector<ByteSpan>& destination_spans, std::span<const Buffer> dst) {
  if (src.size() != dst.size()) return false;
  bool has_bytes = false;
  for (std::size_t s = 0; s < src.size(); ++s) {
    if (are_touched(source_spans[s]) != are_touched(destination_spans[s])) return false;
    if (!are_touched(source_spans[s])) continue;
    if (touched(src[s].data, source_spans[s]) != touched(dst[s].data, destination_spans[s])) return false;
    has_bytes = true;
  }
  return has_bytes;
}

// Whether no destination shares a byte with anything, of many buffers in one sorting; false says nothing.
bool are_surely_apart(const std::vector<ByteSpan>& source_spans, std::span<const ConstBuffer> src,
                      const std::vector<ByteSpan>& destination_spans, std::span<const Buffer> dst) {
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> written;
  for (std::size_t i = 0; i < dst.size(); ++i)
    if (are_touched(destination_spans[i])) written.push_back(touched(dst[i].data, destination_spans[i]));
  std::sort(written.begin(), written.end());
  for (std::size_t i = 1; i < written.size(); ++i)
    if (written[i].first < written[i - 1].second) return false;
  for (std::size_t i = 0; i < src.size(); ++i) {
    if (!are_touched(source_spans[i])) continue;
    const auto [first, last] = touched(src[i].data, source_spans[i]);
    const auto behind = std::lower_bound(written.begin(), written.end(), std::pair(last, std::uintptr_t{0}));
    if (behind != written.begin() && std::prev(behind)->second > first) return false;
  }
  return true;
}

}  // namespace

void check_values(const ValueForms& source_forms, std::span<const ConstBuffer> src, const ValueForms& destination_forms,
                  std::span<const Buffer> dst) {
  const auto check = [](const ValueForms& forms, std::size_t s, const ConstBuffer& buffer, const char* side, std::size_t n) {
    if (buffer.value_bytes <= 1 || forms.empty()) return;
    check_values(buffer, forms[forms.size() == 1 ? 0 : s], n == 1 ? side : name(side, s), "the plan");
  };
  for (std::size_t s = 0; s < src.size(); ++s) check(source_forms, s, src[s], "source", src.size());
  for (std::size_t s = 0; s < dst.size(); ++s) check(destination_forms, s, dst[s], "destination", dst.size());
}

Aliasing check_buffers(const std::vector<ByteSpan>& source_spans, std::span<const ConstBuffer> src,
                       const std::vector<ByteSpan>& destination_spans, std::span<const Buffer> dst) {
  detail::SmallVector<ConstBuffer, 4> written;
  for (const Buffer& b : dst) written.push_back({b.data, b.bytes});
  check_side("source", source_spans, src);
  check_side("destination", destination_spans, {written.data(), written.size()});
  constexpr std::size_t many = 64;  // pairs: from here on sorting takes less time than comparing all
  if (dst.size() * (src.size() + dst.size()) >= many && are_surely_apart(source_spans, src, destination_spans, dst)) return Aliasing::apart;
  for (std::size_t i = 0; i < dst.size(); ++i) {
    for (std::size_t j = i + 1; j < dst.size(); ++j) {
      const std::int64_t n = n_shared(dst[i].data, destination_spans[i], dst[j].data, destination_spans[j]);
      if (n > 0) refuse(name("destination", i), name("destination", j), n, "a move needs its destinations apart from each other");
    }
  }
  if (are_in_place(source_spans, src, destination_spans, dst)) return Aliasing::in_place;
  for (std::size_t i = 0; i < src.size(); ++i) {
    for (std::size_t j = 0; j < dst.size(); ++j) {
      const std::int64_t n = n_shared(src[i].data, source_spans[i], dst[j].data, destination_spans[j]);
      if (n == 0) continue;
      const std::int64_t n_source = source_spans[i].last - source_spans[i].first;
      const std::int64_t n_destination = destination_spans[j].last - destination_spans[j].first;
      refuse(name("source", i), name("destination", j), n,
             "of " + std::to_string(n_source) + " read and " + std::to_string(n_destination) +
                 " written; a move in place has every source exactly where its destination is, any other one needs them apart");
    }
  }
  return Aliasing::apart;
}

}  // namespace crinkle
