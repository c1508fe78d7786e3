// SPDX-License-Identifier: BSD-3-Clause
#include "operation/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/values.hpp"
#include "crinkle/detail/small_vector.hpp"
#include "crinkle/error.hpp"

namespace crinkle {
namespace {

// "points", "radii"; not "source", "array of coordinates".
bool are_several(const std::string& name) {
  const std::string head = name.substr(0, name.find(" of "));
  return head.ends_with('s') || head.ends_with("ii");
}

bool is_touched(const ByteSpan& span) { return span.first != span.last; }

// The addresses that are touched, [first, last).
std::pair<std::uintptr_t, std::uintptr_t> touched(const void* data, const ByteSpan& span) {
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  return {at + static_cast<std::uintptr_t>(span.first), at + static_cast<std::uintptr_t>(span.last)};
}

std::int64_t n_shared(const void* a, const ByteSpan& span_a, const void* b, const ByteSpan& span_b) {
  if (!is_touched(span_a) || !is_touched(span_b)) return 0;
  const auto [a0, a1] = touched(a, span_a);
  const auto [b0, b1] = touched(b, span_b);
  return a0 < b1 && b0 < a1 ? static_cast<std::int64_t>(std::min(a1, b1) - std::max(a0, b0)) : 0;
}

bool are_in_place(std::span<const ByteSpan> in_spans, std::span<const ConstBuffer> in, std::span<const ByteSpan> out_spans,
                  std::span<const Buffer> out) {
  if (in.size() != out.size()) return false;
  bool has_bytes = false;
  for (std::size_t s = 0; s < in.size(); ++s) {
    if (is_touched(in_spans[s]) != is_touched(out_spans[s])) return false;
    if (!is_touched(in_spans[s])) continue;
    if (touched(in[s].data, in_spans[s]) != touched(out[s].data, out_spans[s])) return false;
    has_bytes = true;
  }
  return has_bytes;
}

// Whether no output shares a byte with anything, of many buffers in one sorting; false says nothing.
bool are_surely_apart(std::span<const ByteSpan> in_spans, std::span<const ConstBuffer> in, std::span<const ByteSpan> out_spans,
                      std::span<const Buffer> out) {
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> written;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (is_touched(out_spans[i])) written.push_back(touched(out[i].data, out_spans[i]));
  std::sort(written.begin(), written.end());
  for (std::size_t i = 1; i < written.size(); ++i)
    if (written[i].first < written[i - 1].second) return false;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (!is_touched(in_spans[i])) continue;
    const auto [first, last] = touched(in[i].data, in_spans[i]);
    const auto behind = std::lower_bound(written.begin(), written.end(), std::pair(last, std::uintptr_t{0}));
    if (behind != written.begin() && std::prev(behind)->second > first) return false;
  }
  return true;
}

}  // namespace

std::string name_of_buffer(const char* side, std::size_t i, std::size_t n) {
  return n == 1 ? side : std::string(side) + " " + std::to_string(i);
}

BuffersOf buffers_of_move(std::size_t n_sources, std::size_t n_destinations) {
  return {"plan", true, [=](std::size_t i) { return name_of_buffer("source", i, n_sources); },
          [=](std::size_t i) { return name_of_buffer("destination", i, n_destinations); }};
}

void check_held(const BuffersOf& of, bool are_inputs, std::span<const ByteSpan> spans, const ValueForms& forms,
                std::span<const ConstBuffer> buffers) {
  if (buffers.size() != spans.size()) {
    throw Error(ErrorCode::bad_shape, fmt::format("{} {} buffer{} for a {} of {}", buffers.size(), are_inputs ? "source" : "destination",
                                                  buffers.size() == 1 ? "" : "s", of.what, spans.size()));
  }
  const auto name = [&](std::size_t i) { return are_inputs ? of.input(i) : of.output(i); };
  for (std::size_t s = 0; s < spans.size(); ++s) {
    const ConstBuffer& buffer = buffers[s];
    if (buffer.value_bytes > 1 && !forms.empty())
      check_values(buffer, forms[forms.size() == 1 ? 0 : s], name(s), (std::string("the ") + of.what).c_str());
    if (!is_touched(spans[s]) || (buffer.data != nullptr && spans[s].first >= 0 && spans[s].last <= buffer.bytes)) continue;
    throw Error(ErrorCode::bad_shape,
                fmt::format("the {} {} {} bytes{}; the {} {} bytes {} to {}", name(s), are_several(name(s)) ? "have" : "has", buffer.bytes,
                            buffer.data == nullptr ? " at no address" : "", of.what, are_several(of.what) ? "touch" : "touches",
                            spans[s].first, spans[s].last));
  }
}

Aliasing check_buffers(const BuffersOf& of, std::span<const ByteSpan> in_spans, const ValueForms& in_forms, std::span<const ConstBuffer> in,
                       std::span<const ByteSpan> out_spans, const ValueForms& out_forms, std::span<const Buffer> out) {
  detail::SmallVector<ConstBuffer, 4> written;
  for (const Buffer& b : out) written.push_back(b);
  check_held(of, true, in_spans, in_forms, in);
  check_held(of, false, out_spans, out_forms, {written.data(), written.size()});
  constexpr std::size_t many = 64;  // pairs: from here on sorting takes less time than comparing all
  if (out.size() * (in.size() + out.size()) >= many && are_surely_apart(in_spans, in, out_spans, out)) return Aliasing::apart;
  const auto refuse = [](const std::string& a, const std::string& b, std::int64_t n, const std::string& why) {
    throw Error(ErrorCode::overlap, fmt::format("the {} and the {} share {} bytes; {}", a, b, n, why));
  };
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t j = i + 1; j < out.size(); ++j) {
      const std::int64_t n = n_shared(out[i].data, out_spans[i], out[j].data, out_spans[j]);
      if (n > 0) refuse(of.output(i), of.output(j), n, fmt::format("a {} needs what it writes apart from each other", of.what));
    }
  }
  if (of.may_be_in_place && are_in_place(in_spans, in, out_spans, out)) return Aliasing::in_place;
  for (std::size_t i = 0; i < in.size(); ++i) {
    for (std::size_t j = 0; j < out.size(); ++j) {
      const std::int64_t n = n_shared(in[i].data, in_spans[i], out[j].data, out_spans[j]);
      if (n == 0) continue;
      refuse(of.input(i), of.output(j), n,
             fmt::format("of {} read and {} written; {}", in_spans[i].last - in_spans[i].first, out_spans[j].last - out_spans[j].first,
                         of.may_be_in_place
                             ? fmt::format("a {} in place has both at exactly the same bytes, any other one needs them apart", of.what)
                             : fmt::format("this {} needs them apart", of.what)));
    }
  }
  return Aliasing::apart;
}

}  // namespace crinkle
