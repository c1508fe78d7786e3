// The contract of operations (crinkle/operation.hpp), on random partitions: parts, from buffers that hold just what they need, and stages
// one after another have the bits of the whole.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "crinkle/half.hpp"
#include "crinkle/operation.hpp"
#include "crinkle/plan.hpp"

namespace crinkle::testing {

using Bytes = std::vector<std::byte>;

inline std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Bytes of a port's array, of which an operation may touch some alone.
inline Bytes buffer_of(const Port& port, std::byte value = std::byte{0xa5}) {
  std::int64_t last = port.layout.offset + port.layout.element_bytes;
  for (std::size_t a = 0; a < port.layout.extents.size(); ++a)
    last += std::max<std::int64_t>(0, port.layout.strides[a] * (port.layout.extents[a] - 1));
  return Bytes(size_of(std::max(last, port.touched.last)), value);
}

/// A number of a port at `to`.
inline void put_number(std::byte* to, NumberType type, double value) {
  const auto put = [&](auto number) {
    std::memcpy(to, &number, sizeof number);
    if (type.is_swapped) std::reverse(to, to + sizeof number);
  };
  switch (type.number) {
    case Number::float16: return put(Half(static_cast<float>(value)));
    case Number::float32: return put(static_cast<float>(value));
    case Number::float64: return put(value);
    case Number::int8: return put(static_cast<std::int8_t>(value));
    case Number::int16: return put(static_cast<std::int16_t>(value));
    case Number::int32: return put(static_cast<std::int32_t>(value));
    case Number::int64: return put(static_cast<std::int64_t>(value));
    case Number::uint8: return put(static_cast<std::uint8_t>(std::abs(value)));
    case Number::uint16: return put(static_cast<std::uint16_t>(std::abs(value)));
    case Number::uint32: return put(static_cast<std::uint32_t>(std::abs(value)));
    case Number::uint64: return put(static_cast<std::uint64_t>(std::abs(value)));
  }
}

/// Random numbers of a port's type at every place of its layout, random bytes elsewhere and of a port without one.
inline Bytes random_input(const Port& port, std::mt19937_64& random) {
  Bytes bytes = buffer_of(port);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  if (!port.type) return bytes;
  const Layout& layout = port.layout;
  const std::int64_t n = layout.n_elements();
  std::normal_distribution<double> normal(0, 30);
  Extents index(layout.extents.size(), 0);
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t at = layout.offset;
    for (std::size_t a = 0; a < index.size(); ++a) at += index[a] * layout.strides[a];
    put_number(bytes.data() + at, port.type->number, normal(random));
    if (port.type->is_complex) put_number(bytes.data() + at + layout.element_bytes / 2, port.type->number, normal(random));
    for (std::size_t a = index.size(); a > 0 && ++index[a - 1] == layout.extents[a - 1]; --a) index[a - 1] = 0;
  }
  return bytes;
}

/// What a part of an array is, dense.
inline Bytes taken(const Layout& array, const Bytes& from, const Ranges& ranges) {
  const Rearrangement r = window(array, ranges);
  Bytes dense(size_of(r.destination().n_bytes()));
  Plan(r).run(ConstBuffer(from), Buffer(dense));
  return dense;
}
inline void put_back(const Layout& array, Bytes& to, const Ranges& ranges, const Bytes& dense) {
  Plan(unwindow(array, ranges)).run(ConstBuffer(dense), Buffer(to));
}
inline Ranges all_of(const Layout& layout) {
  Ranges ranges;
  for (const std::int64_t extent : layout.extents) ranges.push_back({0, extent});
  return ranges;
}

/// How many elements differ, and the first that does; payloads of NaNs do not count.
struct Difference {
  std::int64_t n = 0, first = 0;
};
inline Difference difference(const Port& port, const Bytes& a, const Bytes& b) {
  const Bytes x = taken(port.layout, a, all_of(port.layout)), y = taken(port.layout, b, all_of(port.layout));
  const std::int64_t element = port.layout.element_bytes, number = port.type && port.type->is_complex ? element / 2 : element;
  const auto is_nan = [&](const std::byte* at) {
    if (!port.type || port.type->number.is_swapped) return false;
    if (port.type->number.number == Number::float32) {
      float f;
      std::memcpy(&f, at, sizeof f);
      return std::isnan(f);
    }
    if (port.type->number.number == Number::float64) {
      double d;
      std::memcpy(&d, at, sizeof d);
      return std::isnan(d);
    }
    return false;
  };
  Difference found;
  for (std::int64_t at = 0; number > 0 && at + number <= std::ssize(x); at += number) {
    const std::byte *p = x.data() + at, *q = y.data() + at;
    if (std::memcmp(p, q, size_of(number)) == 0 || (is_nan(p) && is_nan(q))) continue;
    if (found.n++ == 0) found.first = at / element;
  }
  return found;
}

using Buffers = std::vector<Bytes>;

inline void run_on(const Operation& operation, const Buffers& in, Buffers& out) {
  std::vector<ConstBuffer> from;
  std::vector<Buffer> to;
  for (const Bytes& bytes : in) from.emplace_back(bytes);
  for (Bytes& bytes : out) to.emplace_back(bytes);
  operation.run(from, to);
}

/// The operation's outputs; what it leaves as it was is `before`.
inline Buffers run_whole(const Operation& operation, const Buffers& in, const Buffers& before) {
  Buffers out = before;
  run_on(operation, in, out);
  return out;
}

/// A random partition: cut by cut the places where pieces begin.
inline std::vector<Ranges> random_parts(const Operation& operation, std::mt19937_64& random) {
  std::vector<Ranges> parts{Ranges{}};
  for (const Cut& cut : operation.cuts()) {
    std::vector<std::int64_t> begins{0, cut.extent};
    const auto n = static_cast<int>(random() % 4);
    for (int i = 0; i < n && cut.extent > 0; ++i)
      begins.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(cut.extent)));
    std::sort(begins.begin(), begins.end());
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    if (begins.size() == 1) begins.push_back(cut.extent);
    std::vector<Ranges> more;
    for (const Ranges& part : parts) {
      for (std::size_t b = 0; b + 1 < begins.size(); ++b) {
        more.push_back(part);
        more.back().push_back({begins[b], begins[b + 1] - begins[b]});
      }
    }
    parts = std::move(more);
  }
  return parts;
}

inline Buffers random_inputs(const Operation& operation, std::mt19937_64& random) {
  Buffers in;
  for (const Port& port : operation.inputs()) in.push_back(random_input(port, random));
  return in;
}
inline Buffers untouched_outputs(const Operation& operation) {
  Buffers out;
  for (const Port& port : operation.outputs()) out.push_back(buffer_of(port));
  return out;
}

/// Every part of one random partition, and all of them together.
inline void expect_parts(const Operation& operation, const Buffers& in, std::mt19937_64& random, const std::string& what) {
  if (operation.cuts().empty()) return;
  const Buffers before = untouched_outputs(operation), whole = run_whole(operation, in, before);
  Buffers made = before;
  for (const Ranges& ranges : random_parts(operation, random)) {
    const std::vector<Ranges> needs = operation.needs(ranges), gives = operation.gives(ranges);
    const Operation part = operation.part(ranges);
    Buffers from, to;
    ASSERT_EQ(part.inputs().size(), in.size()) << what;
    for (std::size_t i = 0; i < in.size(); ++i) {
      from.push_back(taken(operation.inputs()[i].layout, in[i], needs[i]));
      ASSERT_LE(part.inputs()[i].touched.last, std::ssize(from.back())) << what << ": " << part.inputs()[i].name;
    }
    for (std::size_t o = 0; o < made.size(); ++o) {
      to.push_back(taken(operation.outputs()[o].layout, made[o], gives[o]));
      ASSERT_LE(part.outputs()[o].touched.last, std::ssize(to.back())) << what << ": " << part.outputs()[o].name;
    }
    run_on(part, from, to);
    for (std::size_t o = 0; o < made.size(); ++o) put_back(operation.outputs()[o].layout, made[o], gives[o], to[o]);
  }
  for (std::size_t o = 0; o < made.size(); ++o) {
    const Difference found = difference(operation.outputs()[o], whole[o], made[o]);
    EXPECT_EQ(found.n, 0) << what << ": parts, output " << o << ", first at element " << found.first << '\n' << operation.describe();
  }
}

/// A part by its definition, where it has one.
inline void expect_definition(const Operation& operation, const Buffers& in, const std::string& what) {
  const Buffers before = untouched_outputs(operation), whole = run_whole(operation, in, before);
  Buffers defined = before;
  std::vector<ConstBuffer> from(in.begin(), in.end());
  std::vector<Buffer> to;
  for (Bytes& bytes : defined) to.emplace_back(bytes);
  operation.define(from, to);
  for (std::size_t o = 0; o < whole.size(); ++o)
    EXPECT_EQ(difference(operation.outputs()[o], whole[o], defined[o]).n, 0) << what << ": by definition, output " << o;
}

/// Parts of the whole, stages one after another, and parts of every stage.
inline void expect_contract(const Operation& operation, const Buffers& in, std::mt19937_64& random, const std::string& what) {
  expect_parts(operation, in, random, what);
  const std::vector<Operation> stages = operation.stages();
  if (stages.size() < 2) return;
  const Buffers before = untouched_outputs(operation), whole = run_whole(operation, in, before);
  Buffers now = in;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    expect_parts(stages[s], now, random, what + ", stage " + std::to_string(s));
    now = run_whole(stages[s], now, s + 1 == stages.size() ? before : untouched_outputs(stages[s]));
  }
  for (std::size_t o = 0; o < whole.size(); ++o) {
    const Difference found = difference(operation.outputs()[o], whole[o], now[o]);
    EXPECT_EQ(found.n, 0) << what << ": stages, output " << o << ", first at element " << found.first << '\n' << operation.describe();
  }
}
inline void expect_contract(const Operation& operation, std::mt19937_64& random, const std::string& what) {
  expect_contract(operation, random_inputs(operation, random), random, what);
}

/// A layout of these extents with axes in any order of memory, gaps, and, where it is only read, backwards.
inline Layout random_layout(const Extents& extents, std::int64_t element_bytes, std::mt19937_64& random, bool may_go_back = true) {
  std::vector<std::size_t> order(extents.size());
  for (std::size_t a = 0; a < order.size(); ++a) order[a] = a;
  if (random() % 2 == 0) std::shuffle(order.begin(), order.end(), random);
  Layout layout{extents, Extents(extents.size(), 0), 0, element_bytes};
  std::int64_t stride = element_bytes;
  for (const std::size_t a : order) {
    layout.strides[a] = stride;
    stride *= std::max<std::int64_t>(1, extents[a]) + static_cast<std::int64_t>(random() % 3 == 0);
    if (!may_go_back || random() % 5 != 0 || extents[a] == 0) continue;
    layout.offset += layout.strides[a] * (extents[a] - 1);
    layout.strides[a] = -layout.strides[a];
  }
  layout.offset += element_bytes * static_cast<std::int64_t>(random() % 3);
  return layout;
}
inline Extents random_extents(std::size_t rank, std::int64_t most, std::mt19937_64& random) {
  Extents extents;
  for (std::size_t a = 0; a < rank; ++a) extents.push_back(1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most)));
  return extents;
}

}  // namespace crinkle::testing
