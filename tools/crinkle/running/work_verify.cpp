// --verify of an operation: drawn parts of one index of every cut, computed anew by the definition from what they need.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "base/checked.hpp"
#include "base/number_lines.hpp"
#include "crinkle/error.hpp"
#include "crinkle/plan.hpp"
#include "running/progress.hpp"
#include "running/work.hpp"

namespace crinkle::tool {
namespace {

/// A part of an array, dense: where it lies so, or a copy.
class DensePart {
 public:
  DensePart(const Layout& array, const Ranges& ranges, ConstBuffer from) {
    std::int64_t at = array.offset, stride = array.element_bytes;
    bool is_dense = true;
    for (std::size_t a = ranges.size(); a-- > 0 && is_dense;) {
      is_dense = ranges[a].first + ranges[a].n <= array.extents[a] && (ranges[a].n == 1 || array.strides[a] == stride);
      at = add_product(at, ranges[a].first, array.strides[a]);
      stride = multiply(stride, ranges[a].n);
    }
    data_ = {static_cast<const std::byte*>(from.data) + at, stride};
    if (is_dense || stride == 0) return;
    const Rearrangement r = window(array, ranges);
    own_.resize(static_cast<std::size_t>(r.destination().n_bytes()));
    if (!own_.empty()) Plan(r).run(from, own_);
    data_ = ConstBuffer(own_);
  }
  ConstBuffer data() const { return data_; }

 private:
  std::vector<std::byte> own_;
  ConstBuffer data_;
};

bool is_float(Number number) { return number == Number::float16 || number == Number::float32 || number == Number::float64; }

/// Whether numbers equal the definition's, or are as near to them as `near` says.
bool are_as_defined(const Port& port, ConstBuffer found, ConstBuffer defined, const std::vector<Near>& near) {
  const auto n_bytes = static_cast<std::size_t>(found.bytes);
  if (n_bytes == 0 || std::memcmp(found.data, defined.data, n_bytes) == 0) return true;
  if (!port.type || !is_float(port.type->number.number)) return false;
  const std::int64_t number = bytes_of(port.type->number.number), n = found.bytes / number;
  std::vector<double> a(static_cast<std::size_t>(n)), b(a.size());
  load_line(a.data(), 1, static_cast<const std::byte*>(found.data), number, n, port.type->number);
  load_line(b.data(), 1, static_cast<const std::byte*>(defined.data), number, n, port.type->number);
  const double most = number == 8 ? std::numeric_limits<double>::max() : number == 4 ? std::numeric_limits<float>::max() : 65504;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Near& its = near[k * near.size() / a.size()];
    if (std::isnan(a[k]) && std::isnan(b[k])) continue;
    if (its.absolute == 0 && its.relative == 0) {
      if (std::memcmp(&a[k], &b[k], sizeof a[k]) != 0) return false;
      continue;
    }
    const double x = std::clamp(a[k], -most, most), d = std::clamp(b[k], -most, most);
    if (!(std::abs(x - d) <= its.absolute + its.relative * std::abs(d))) return false;
  }
  return true;
}

Ranges part_of(const std::vector<Cut>& cuts, std::int64_t number) {
  Ranges part(cuts.size());
  for (std::size_t c = part.size(); c-- > 0;) {
    part[c] = {number % cuts[c].extent, 1};
    number /= cuts[c].extent;
  }
  return part;
}

/// How many elements of a part, or of the whole where nothing is cut, are as defined; −1 where some are not.
std::int64_t compare(const Operation& operation, const Ranges& part, std::span<const ConstBuffer> inputs,
                     std::span<const ConstBuffer> outputs, const std::vector<Near>& near) {
  const bool is_whole = operation.cuts().empty();
  const Operation here = is_whole ? operation : operation.part(part);
  std::vector<DensePart> in, found;
  std::vector<std::vector<std::byte>> defined;
  std::vector<ConstBuffer> from(inputs.begin(), inputs.end()), have(outputs.begin(), outputs.end());
  if (!is_whole) {
    const std::vector<Ranges> needs = operation.needs(part), gives = operation.gives(part);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = in.emplace_back(operation.inputs()[i].layout, needs[i], from[i]).data();
    for (std::size_t o = 0; o < have.size(); ++o) have[o] = found.emplace_back(operation.outputs()[o].layout, gives[o], have[o]).data();
  }
  std::vector<Buffer> to;
  for (std::size_t o = 0; o < have.size(); ++o) {
    const auto* bytes = static_cast<const std::byte*>(have[o].data);
    defined.emplace_back(bytes, bytes + have[o].bytes);
    if (const Port& port = here.outputs()[o]; !port.is_updated && port.layout.is_dense())
      for (std::byte& b : defined.back()) b = ~b;  // what is not written is not right
    to.emplace_back(defined.back());
  }
  here.define(from, to);
  std::int64_t n = 0;
  for (std::size_t o = 0; o < have.size(); ++o) {
    if (!are_as_defined(here.outputs()[o], have[o], to[o], near)) return -1;
    n = add(n, have[o].bytes / here.outputs()[o].layout.element_bytes);
  }
  return n;
}

}  // namespace

void Work::verify(std::span<const ConstBuffer> inputs, std::span<const ConstBuffer> outputs, const std::string& path,
                  const Agreement& agreement) const {
  constexpr std::int64_t most = 10'000;
  const Operation here = agreement.definition ? *agreement.definition : is_on_gpu() ? plan_(cpu()) : *operation_;
  std::int64_t n_parts = 1, n_all = 0;
  for (const Cut& cut : here.cuts()) n_parts = multiply(n_parts, cut.extent);
  if (n_parts == 0) return;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const Port& port = here.outputs()[o];
    n_all = add(n_all, port.is_counted ? outputs[o].bytes / port.layout.element_bytes : port.layout.n_elements());
  }
  std::mt19937_64 random(20261129);
  std::vector<std::int64_t> drawn;
  for (std::int64_t k = 0; k < std::min(n_parts, most); ++k)
    drawn.push_back(n_parts <= most ? k : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n_parts)));
  constexpr std::chrono::seconds longest(10);
  const auto start = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> n_compared{0}, n_done{0};
  std::vector<std::string> faults(drawn.size());
  ToldExecutor(executor_).parallel_for(std::ssize(drawn), [&](std::int64_t k) {
    if (n_done > 0 && std::chrono::steady_clock::now() - start > longest) return;
    const Ranges part = part_of(here.cuts(), drawn[static_cast<std::size_t>(k)]);
    const std::int64_t n = compare(here, part, inputs, outputs, agreement.near);
    ++n_done;
    if (n >= 0) {
      n_compared += n;
      return;
    }
    std::string at;
    for (const Range& range : part) at += (at.empty() ? " at [" : ", ") + std::to_string(range.first);
    faults[static_cast<std::size_t>(k)] =
        fmt::format("{}:{} is not what the definition of the {} gives", path, at.empty() ? " it" : at + "]", here.name());
  });
  for (const std::string& fault : faults)
    if (!fault.empty()) throw Error(ErrorCode::bad_file, fault);
  if (!agreement.is_told) return;
  if (n_done < std::ssize(drawn))
    fmt::print(stderr, "crinkle: note: --verify compared {} of {} elements, as many as the definition makes in {} s\n", n_compared.load(),
               n_all, longest.count());
  say_verified(n_compared >= n_all ? "" : fmt::format(": {} of {} elements, drawn", n_compared.load(), n_all));
}

}  // namespace crinkle::tool
