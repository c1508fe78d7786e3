// Woven items against their equation, by every instruction set, between walls.
// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/weave.hpp"

#include <gtest/gtest.h>

#include <random>

#include "cpu/walls.hpp"
#include "support/drawn.hpp"

namespace crinkle::simd::weave_test {
namespace {

using Origin = Weave::Origin;

struct Case {
  Weave::Item item;
  std::int64_t extent = 1;
  std::int64_t n_bases = 1, base_apart = 0;  // bytes
  std::string text;
};

std::int64_t step_of(const Case& c, const Origin& o) { return c.item.src_steps[static_cast<std::size_t>(o.base)]; }

// What every unit of n items is, as the head of weave.hpp says it. Base b is at `in` + b · base_apart.
void weave_plainly(const Case& c, std::int64_t first, std::int64_t n, const std::byte* in, std::byte* out) {
  for (std::int64_t i = first; i < first + n; ++i) {
    for (const Origin& o : c.item.units) {
      for (std::int64_t b = 0; b < c.item.unit; ++b, ++out) {
        *out = o.base < 0 ? static_cast<std::byte>(c.item.constants[static_cast<std::size_t>(o.offset + b)])
                          : in[o.base * c.base_apart + o.offset + i * step_of(c, o) + b];
      }
    }
  }
}

class Cases {
 public:
  // A row of pieces: runs forwards, backwards and with a step, and fills.
  Case row() {
    Case c;
    c.item.unit = 1 << pick(0, 4);
    const std::int64_t n = pick(1, 40);
    for (std::int64_t left = pick(2, n + 1); left > 0;) {
      const std::int64_t length = std::min(left, pick(1, 12)), step = pick(-2, 3);
      left -= length;
      if (step == 0) {
        const Origin fill{-1, std::ssize(c.item.constants)};
        const std::int64_t most = pick(0, 1) * 255;  // often zeros: they need no vector of their own
        for (std::int64_t b = 0; b < c.item.unit; ++b) c.item.constants.push_back(static_cast<std::uint8_t>(pick(0, most)));
        c.item.units.insert(c.item.units.end(), static_cast<std::size_t>(length), fill);
        continue;
      }
      const std::int64_t begin = pick(0, n) + (step < 0 ? -step * length : 0);
      for (std::int64_t k = 0; k < length; ++k) c.item.units.push_back({0, (begin + k * step) * c.item.unit});
    }
    c.item.src_steps = {n * c.item.unit};
    c.extent = pick(1, 40);
    c.text = "row of " + std::to_string(c.item.units.size());
    return c;
  }
  Case steps() {
    Case c;
    c.item.unit = 1 << pick(0, 3);
    c.item.units = {{0, 0}};
    c.item.src_steps = {c.item.unit * pick(1, 8)};
    c.extent = pick(1, 700);
    c.text = "every " + std::to_string(c.item.src_steps[0] / c.item.unit);
    return c;
  }
  Case record() {
    Case c;
    c.item.unit = pick(1, 13);
    c.n_bases = pick(2, 16);
    for (std::int64_t f = 0; f < c.n_bases; ++f) c.item.units.push_back({static_cast<std::int32_t>(f), 0});
    c.item.src_steps.assign(c.item.units.size(), c.item.unit);
    c.extent = pick(1, 300);
    c.base_apart = c.extent * c.item.unit + pick(0, 100);
    c.text = "record of " + std::to_string(c.n_bases);
    return c;
  }
  // Fields of several sizes from arrays whose records are as long as they like, and zeros between them.
  Case mixed() {
    Case c;
    c.n_bases = pick(1, 8);
    c.item.most_pieces = 32;
    c.item.constants = {0};
    std::int64_t longest = 1;
    for (std::int64_t f = 0; f < c.n_bases; ++f) {
      const std::int64_t bytes = std::int64_t{1} << pick(0, 3), step = bytes * pick(1, 3);
      for (std::int64_t b = 0; b < bytes; ++b) c.item.units.push_back({static_cast<std::int32_t>(f), b});
      for (std::int64_t b = pick(-6, 3); b > 0; --b) c.item.units.push_back({-1, 0});
      c.item.src_steps.push_back(step);
      longest = std::max(longest, step);
    }
    c.extent = pick(1, 300);
    c.base_apart = c.extent * longest + pick(0, 100);
    c.text = "mixed record of " + std::to_string(c.n_bases);
    return c;
  }
  // One field of longer records.
  Case field() {
    Case c;
    const std::int64_t bytes = std::int64_t{1} << pick(0, 3), step = pick(bytes, 40);
    c.item.most_pieces = 32;
    for (std::int64_t b = 0; b < bytes; ++b) c.item.units.push_back({0, b});
    c.item.src_steps = {step};
    c.extent = pick(1, 700);
    c.text = "field of " + std::to_string(bytes) + " of " + std::to_string(step);
    return c;
  }
  std::int64_t pick(std::int64_t low, std::int64_t high) { return std::uniform_int_distribution<std::int64_t>(low, high)(random_); }

 private:
  std::mt19937_64 random_{20261122};
};

// Bytes of the source that a case names: from its first to its last.
std::pair<std::int64_t, std::int64_t> span_of(const Case& c) {
  std::int64_t first = INT64_MAX, last = INT64_MIN;
  for (const Origin& o : c.item.units) {
    if (o.base < 0) continue;
    for (const std::int64_t i : {std::int64_t{0}, c.extent - 1}) {
      const std::int64_t at = o.base * c.base_apart + o.offset + i * step_of(c, o);
      first = std::min(first, at);
      last = std::max(last, at + c.item.unit);
    }
  }
  return {first, last};
}

// The byte of a line that a streamed run begins at: the first, or any.
std::int64_t phase_of(std::int64_t n, std::int64_t first) { return first % 3 == 0 ? 0 : (7 * n + first) % 64; }

TEST(Weave, woven_items_are_as_defined_on_every_instruction_set) {
  Cases cases;
  Comparison comparison;
  int n_woven = 0, n_streamed = 0;
  for (int k = 0; k < testing::drawn(2000) && !::testing::Test::HasFailure(); ++k) {
    const Case c = k % 5 == 0   ? cases.row()
                   : k % 5 == 1 ? cases.steps()
                   : k % 5 == 2 ? cases.record()
                   : k % 5 == 3 ? cases.mixed()
                                : cases.field();
    const Weave wide(c.item, c.extent, 64), narrow(c.item, c.extent, 16);
    const auto [low, high] = span_of(c);
    const std::int64_t first = cases.pick(0, c.extent - 1), n = cases.pick(1, c.extent - first);
    const std::int64_t whole = wide.items() > 0 && wide.can_stream(*all_kernels().back(), 0) ? n / wide.items() * wide.items() : 0;
    for (const bool is_streaming : {false, true}) {
      const std::int64_t count = is_streaming ? whole : n;
      if (count == 0 || low > high) continue;
      const auto plain = [&](const std::byte* in, std::byte* out) { weave_plainly(c, first, count, in - low, out); };
      const auto call = [&](const Kernels& kernels, const std::byte* in, std::byte* out) {
        const std::int64_t phase = phase_of(count, first);
        const Weave& weave = kernels.weave_width == 64 ? wide : narrow;
        if (!weave.is_for(kernels) || (is_streaming && !weave.can_stream(kernels, phase)))
          return weave_plainly(c, first, count, in - low, out);
        const std::byte* bases[Weave::most_bases];
        for (std::int64_t b = 0; b < c.n_bases; ++b) bases[b] = in - low + b * c.base_apart;
        ++(is_streaming ? n_streamed : n_woven);
        if (is_streaming) {  // from some byte of a line on, what waits before and after given by hand
          alignas(64) std::byte waiting[3 * 64];
          std::byte* const line = out - phase;
          std::memcpy(waiting + 64, line, static_cast<std::size_t>(phase));
          weave.lines(kernels, bases, first, count, line, waiting + 64, phase);
          kernels.fence();
          std::memcpy(line + count * weave.item_bytes(), waiting + 64, static_cast<std::size_t>(phase));
          return;
        }
        weave.run(kernels, bases, first, count, c.extent, out);
      };
      for (const Place in : both_places) {
        const Place out = is_streaming            ? Place{Place::Wall::before, 64 + phase_of(count, first)}
                          : cases.pick(0, 1) == 0 ? at_end
                                                  : Place{Place::Wall::before, cases.pick(0, 63)};
        EXPECT_TRUE(comparison.agrees(high - low, count * wide.item_bytes(), in, out, plain, call))
            << c.text << ", unit " << c.item.unit << ", items " << first << " … " << first + count << " of " << c.extent;
      }
    }
  }
  EXPECT_GT(n_woven, testing::drawn(1000));
  EXPECT_GT(n_streamed, testing::drawn(200));
}

TEST(Weave, a_run_shorter_than_a_window_is_not_woven) {
  Weave::Item item;
  item.unit = 4;
  item.units = {{0, 4}, {0, 0}};
  item.src_steps = {8};
  const Kernels& best = *all_kernels().front();
  EXPECT_TRUE(!Weave(item, 3, best.weave_width).is_for(best) || best.weave_width == 16);
  EXPECT_TRUE(Weave(item, 8, best.weave_width).is_for(best));
}

TEST(Kernels, join_puts_rows_together_to_records_of_a_power_of_two_bytes) {
  Comparison comparison;
  std::mt19937_64 random(7);
  for (const std::int64_t unit : {1, 2, 4, 8, 16}) {
    for (const std::int64_t record : {2, 4, 8, 16, 32}) {
      if (!joins(record / unit, unit)) continue;
      for (const std::int64_t n : {1, 15, 64, 65, 200, 1000}) {
        const std::int64_t n_rows = record / unit, apart = n * unit + static_cast<std::int64_t>(random() % 50);
        for (const bool is_streaming : {false, true}) {
          std::int64_t most = 0;  // of what any instruction set makes
          std::vector<const std::byte*> rows(static_cast<std::size_t>(n_rows));
          const auto plain = [&](const std::byte* in, std::byte* out) {
            for (std::int64_t i = 0; i < n; ++i)
              for (std::int64_t r = 0; r < n_rows; ++r)
                std::memcpy(out + (i * n_rows + r) * unit, in + r * apart + i * unit, static_cast<std::size_t>(unit));
          };
          const auto call = [&](const Kernels& k, const std::byte* in, std::byte* out) {
            for (std::int64_t r = 0; r < n_rows; ++r) rows[static_cast<std::size_t>(r)] = in + r * apart;
            const auto u = unit_index(unit);
            const std::int64_t done = (is_streaming ? k.join_stream : k.join)[u](rows.data(), n_rows, n, out);
            EXPECT_LT(n - done, 128);
            most = std::max(most, done);
            for (std::int64_t i = done; i < n; ++i)
              for (std::int64_t r = 0; r < n_rows; ++r)
                std::memcpy(out + (i * n_rows + r) * unit, in + r * apart + i * unit, static_cast<std::size_t>(unit));
          };
          const std::int64_t in_bytes = (n_rows - 1) * apart + n * unit;
          for (const Place in : both_places)
            EXPECT_TRUE(comparison.agrees(in_bytes, n * record, in, is_streaming ? at_start : at_end, plain, call))
                << n << " records of " << n_rows << " units of " << unit;
          EXPECT_TRUE(n < 128 || most > 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace crinkle::simd::weave_test
