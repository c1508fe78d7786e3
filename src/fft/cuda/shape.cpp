// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>

#include "base/checked.hpp"
#include "fft/at.hpp"

namespace crinkle::fft {
namespace {

// How lines lie in shared memory, for counting what a warp's accesses cost.
struct Cells {
  std::int64_t n = 1, lanes = 1, group_lanes = 1;
  bool are_columns = false;
  std::int64_t at_once = 16;  // numbers that all banks hold: a warp's accesses are served so many at a time

  // Accesses to places first(b) + k·step of butterflies b, of which a line has n_b: rounds that banks need over the fewest.
  template <class First>
  double rounds(const KnownPlaces& places, std::int64_t n_b, std::initializer_list<std::int64_t> offsets, const First& first) const {
    std::int64_t n_rounds = 0, n_least = 0;
    const std::int64_t n_warps = ceil_divide(group_lanes * n_b, 32);
    for (const std::int64_t warp : {std::int64_t{0}, n_warps / 3, n_warps / 2, n_warps - 1}) {
      if (warp >= n_warps) continue;
      for (const std::int64_t offset : offsets) {
        for (std::int64_t part = 0; part < 32; part += at_once) {
          std::array<std::int64_t, 32> addresses{};
          std::array<std::int64_t, 32> banks{};
          std::int64_t count = 0, most = 0;
          for (std::int64_t i = warp * 32 + part; i < std::min(warp * 32 + part + at_once, group_lanes * n_b); ++i) {
            const std::int64_t lane = are_columns ? i % group_lanes : i / n_b, b = are_columns ? i / group_lanes : i % n_b;
            const std::int64_t j = first(b) + offset;
            const std::int64_t address = lane * places.stride + j + (places.pad == 0 ? 0 : j / places.pad * places.by);
            if (std::find(addresses.begin(), addresses.begin() + count, address) != addresses.begin() + count) continue;
            addresses[at(count++)] = address;
            most = std::max(most, ++banks[at(address % at_once)]);
          }
          n_rounds += most;
          n_least += count > 0 ? 1 : 0;
        }
      }
    }
    return n_least == 0 ? 1 : static_cast<double>(n_rounds) / static_cast<double>(n_least);
  }
};

// Behind stage i, as its butterflies write and the next ones read: lines a few places apart, and a few left out after each s·R numbers,
// which stay as far apart as constants can say, or after as many as all banks hold.
KnownPlaces places_behind(const Cells& cells, const Radices& radices, std::size_t i) {
  std::int64_t s = 1;
  for (std::size_t j = 0; j < i; ++j) s *= radices[j];
  const std::int64_t n = cells.n, r = radices[i], n_b = n / r, next = radices[i + 1], n_next = n / next, row = cells.at_once;
  std::vector<KnownPlaces> tried{{}};
  for (std::int64_t by = 1; by < row; ++by) tried.push_back({static_cast<std::uint32_t>(s * r), static_cast<std::uint32_t>(by), 0});
  if ((s % row == 0 || (s == 1 && r % row == 0)) && n_next % row == 0) tried.push_back({static_cast<std::uint32_t>(row), 1, 0});
  KnownPlaces best;
  double least = 1e9;
  for (KnownPlaces places : tried) {
    const std::int64_t cells_of_line = n + (places.pad == 0 ? 0 : (n - 1) / places.pad * places.by);
    if (cells_of_line > n + n / 8 + 32) continue;
    for (std::int64_t more = 0; more < (cells.group_lanes > 1 ? row : 1); ++more) {
      places.stride = static_cast<std::uint32_t>(cells_of_line + more);
      const double rounds =
          cells.rounds(places, n_b, {0, r / 2 * s, (r - 1) * s}, [&](std::int64_t b) { return b % s + s * r * (b / s); }) +
          cells.rounds(places, n_next, {0, next / 2 * n_next, (next - 1) * n_next}, [](std::int64_t b) { return b; }) +
          0.05 * static_cast<double>(places.stride) / static_cast<double>(n);
      if (rounds < least - 1e-9) least = rounds, best = places;
      if (rounds < 2 + 0.05 * 1.01) return best;  // no access waits for another
    }
  }
  return best;
}
// Before the first stage and behind the last, whose butterflies reach numbers one behind the other.
KnownPlaces places_at_end(const Cells& cells, std::int64_t radix) {
  KnownPlaces best;
  double least = 1e9;
  for (std::int64_t more = 0; more < cells.at_once; ++more) {
    const KnownPlaces places{0, 0, static_cast<std::uint32_t>(cells.n + more)};
    const auto same = [](std::int64_t b) { return b; };
    const double rounds = cells.rounds(places, cells.n / radix, {0, cells.n / radix}, same) + cells.rounds(places, cells.n, {0}, same) +
                          1e-3 * static_cast<double>(more);
    if (rounds < least - 1e-9) least = rounds, best = places;
    if (rounds < 2 + 2e-2) break;
  }
  return best;
}

// Of a thread: the most numbers of a stage, and butterflies' places of all stages.
void count_numbers(const LinesWanted& wanted, LinesShape& shape) {
  std::int64_t most = 0, all = 0;
  for (const std::int64_t r : wanted.radices) {
    const std::int64_t of_stage = ceil_divide(shape.lanes * shape.group / shape.threads * (wanted.n / r), shape.group) * r;
    most = std::max(most, of_stage);
    all += of_stage;
  }
  shape.held = most;
  shape.use = static_cast<double>(shape.lanes * wanted.n * std::ssize(wanted.radices)) / static_cast<double>(shape.threads * all);
}

// Threads for so many lanes if each may hold `most` numbers.
std::int64_t threads_for(const LinesWanted& wanted, std::int64_t lanes, std::int64_t most) {
  std::int64_t threads = 1;
  for (const std::int64_t r : wanted.radices)
    threads = std::max(threads, ceil_divide(lanes * (wanted.n / r), std::max<std::int64_t>(1, most / r)));
  return ceil_divide(threads, 32) * 32;
}

std::int64_t least_shared(const LinesWanted& wanted, const LinesShape& shape) {
  const bool is_none = wanted.radices.size() == 1 && wanted.reads && wanted.writes;
  return is_none ? 0 : shape.lanes * wanted.n * (shape.are_apart ? wanted.number / 2 : wanted.number);
}

// Of a multiprocessor's four parts each has 16384 registers and a quarter of its warps; a thread has a multiple of eight.
std::int64_t registers_of(std::int64_t threads, std::int64_t n_blocks) {
  return std::min<std::int64_t>(255, 512 / ceil_divide(n_blocks * ceil_divide(threads, 32), 4) / 8 * 8);
}

}  // namespace

std::vector<LinesShape> shapes_to_try(const LinesWanted& wanted) {
  std::vector<LinesShape> shapes;
  const std::int64_t largest = *std::max_element(wanted.radices.begin(), wanted.radices.end());
  const bool is_through_cells = !wanted.reads || !wanted.writes || wanted.are_convolved;
  const auto add = [&](LinesShape shape) {
    count_numbers(wanted, shape);
    const std::int64_t shared = least_shared(wanted, shape);
    if (shared > wanted.shared_bytes || shape.threads > 1024) return;
    const std::int64_t most_blocks =
        std::min<std::int64_t>({2048 / shape.threads, 24, shared == 0 ? 24 : wanted.shared_bytes / (shared + shared / 16 + 1024)});
    std::int64_t before = 0;
    for (std::int64_t blocks = std::max<std::int64_t>(1, most_blocks); blocks > 0; --blocks) {
      const std::int64_t registers = registers_of(shape.threads, blocks);
      if (registers == before || registers < wanted.number / 4 * shape.held + 8) continue;
      before = registers;
      shape.n_blocks = blocks;
      shapes.push_back(shape);
      if (registers > wanted.number / 4 * shape.held + 6 * wanted.number) break;
    }
  };
  const auto try_holding = [&](std::int64_t most) {  // so many numbers a thread
    if (most < largest || most * wanted.number > 320 || most > 2 * largest) return;
    if (wanted.has_chirp && most > std::max(largest, most_held)) return;  // products with it take registers, too
    for (std::int64_t lanes = 1; lanes <= 256; ++lanes) {
      if (wanted.are_columns && lanes != 4 && lanes != 8 && lanes != 16 && lanes != 32) continue;
      if (lanes > (wanted.are_columns ? std::max<std::int64_t>(4, 2 * wanted.n_lines - 1) : wanted.n_lines)) break;
      LinesShape shape;
      shape.lanes = lanes;
      shape.threads = shape.group = std::max<std::int64_t>(threads_for(wanted, lanes, most), is_through_cells ? 64 : 32);
      if (shape.threads > (wanted.n < 1024 && !wanted.are_columns ? 256 : 1024)) break;
      if (shape.threads >= 64 || lanes >= 32) add(shape);
      // Two or more warps that do not wait for each other.
      if (wanted.are_columns || is_through_cells || shape.threads > 32 || threads_for(wanted, lanes + 1, most) <= 32) continue;
      for (const std::int64_t warps : {2, 4}) {
        if (warps * lanes > wanted.n_lines) break;
        shape.lanes = warps * lanes;
        shape.threads = warps * 32;
        shape.group = 32;
        add(shape);
      }
    }
  };
  for (const std::int64_t most : {largest, std::int64_t{12}, std::int64_t{16}, std::int64_t{20}, std::int64_t{24}, std::int64_t{32}})
    try_holding(most);
  if (shapes.empty()) try_holding(2 * largest);
  return shapes;
}

// Fitted to times of some 4500 shapes (docs/tuning.md): registers besides a thread's numbers, of four bytes each part, threads that run at
// once, lines beside each other where they are columns.
double expected(const LinesWanted& wanted, const LinesShape& shape) {
  const auto words = static_cast<double>(wanted.number) / 8, threads = static_cast<double>(shape.threads);
  const double left = static_cast<double>(registers_of(shape.threads, shape.n_blocks)) / words - 2.0 * static_cast<double>(shape.held);
  const double at_once = std::log(threads * static_cast<double>(shape.n_blocks));
  if (wanted.are_columns)
    return 0.4 * std::log(shape.use) + 0.44 * at_once - 0.012 * std::max(0.0, 39 - left) +
           0.2 * std::log2(static_cast<double>(shape.lanes));
  const bool is_float = wanted.number == 8;
  const double for_chirp = wanted.has_chirp ? 24 : 0;
  return 0.2 * std::log(shape.use) + (is_float ? 0.25 : 0.3) * std::min(at_once, std::log(is_float ? 1400.0 : 1540.0)) -
         0.07 * std::max(0.0, (is_float ? 24.8 : 16) + for_chirp - left) - (is_float ? 0.15 : 0.1) * std::log(threads);
}

namespace {

// Lines from so many bytes on come ahead, since few of them fit into a multiprocessor (docs/tuning.md); so do lines of one butterfly, which
// are a thread's each.
constexpr std::int64_t least_ahead_bytes = 36 << 10, least_apart_bytes = 72 << 10;

double expected_ahead(const LinesWanted& wanted, const LinesShape& shape) {
  const auto words = static_cast<double>(wanted.number) / 8, threads = static_cast<double>(shape.threads);
  const double left = static_cast<double>(registers_of(shape.threads, shape.n_blocks)) / words - 2.0 * static_cast<double>(shape.held);
  return 1.5 * std::log(shape.use) + 0.12 * std::log(std::min(1024.0, threads * static_cast<double>(shape.n_blocks))) -
         0.01 * std::max(0.0, 40 - left) - (shape.threads > 896 ? 0.1 : 0) - (wanted.radices.size() == 1 ? 0.02 * std::log(threads) : 0);
}

// Of no lanes where there is none.
LinesShape shape_ahead_of(LinesWanted wanted) {
  const bool is_short = wanted.radices.size() == 1;
  const std::int64_t line_bytes = wanted.n * wanted.number;
  LinesShape best;
  best.lanes = 0;
  if (!wanted.may_come_ahead || (!is_short && line_bytes < least_ahead_bytes)) return best;
  wanted.reads = wanted.writes = true;
  const bool are_apart = !is_short && line_bytes >= (wanted.number == 8 ? least_apart_bytes : least_ahead_bytes);
  const auto bytes_of = [&](const LinesShape& shape) {  // of landing, leaving, and what is exchanged, about
    const std::int64_t of_lines = shape.lanes * line_bytes;
    return of_lines + 1024 + (is_short ? of_lines : (are_apart ? of_lines / 2 : of_lines) * 17 / 16);
  };
  double most = -1e9;
  for (LinesShape shape : shapes_to_try(wanted)) {
    shape.n_blocks = std::min(shape.n_blocks, wanted.shared_bytes / bytes_of(shape));
    if (shape.n_blocks < 1 || shape.group != shape.threads || shape.lanes * line_bytes % 16 != 0) continue;
    const double of = expected_ahead(wanted, shape);
    if (of > most) most = of, best = shape;
  }
  if (best.lanes == 0) return best;
  best.are_apart = are_apart;
  best = placed(wanted, best);
  best.landing = ceil_divide(best.shared_bytes, 128) * 128;
  best.shared_bytes = best.landing + best.lanes * line_bytes + 16;
  if (is_short) {
    best.leaving = ceil_divide(best.shared_bytes, 128) * 128;
    best.shared_bytes = best.leaving + best.lanes * line_bytes;
  }
  if (best.shared_bytes > wanted.shared_bytes) best.lanes = 0;
  return best;
}

LinesShape found_shape(const LinesWanted& wanted) {
  LinesShape best = shape_ahead_of(wanted);
  if (best.lanes > 0) return best;
  double most = -1e9;
  for (const LinesShape& shape : shapes_to_try(wanted)) {
    const double of = expected(wanted, shape);
    if (of > most) most = of, best = shape;
  }
  if (best.lanes == 0) return best;
  best = placed(wanted, best);
  if (best.shared_bytes > wanted.shared_bytes) best.lanes = 0;
  return best;
}

}  // namespace

LinesShape shape_of(const LinesWanted& wanted) {
  static std::mutex mutex;
  static std::map<LinesWanted, LinesShape> kept;
  constexpr std::size_t most_kept = 256;
  {
    const std::scoped_lock lock(mutex);
    if (const auto found = kept.find(wanted); found != kept.end()) return found->second;
  }
  const LinesShape shape = found_shape(wanted);
  const std::scoped_lock lock(mutex);
  if (kept.size() >= most_kept) kept.clear();
  kept.emplace(wanted, shape);
  return shape;
}

LinesShape placed(const LinesWanted& wanted, LinesShape shape) {
  const std::size_t last = wanted.radices.size() - 1;
  const std::int64_t part = wanted.number / 2, unit = shape.are_apart ? part : wanted.number;
  Cells cells{wanted.n, shape.lanes, shape.lanes * shape.group / shape.threads, wanted.are_columns, 128 / unit};
  count_numbers(wanted, shape);
  shape.places.assign(last + 2, {});
  std::int64_t bytes = 0;
  const auto count = [&](std::size_t i, std::int64_t size) {
    bytes = std::max(bytes, shape.lanes * std::int64_t{shape.places[i].stride} * size);
  };
  for (std::size_t i = 0; i < last; ++i) {
    shape.places[i + 1] = places_behind(cells, wanted.radices, i);
    count(i + 1, unit);
  }
  cells.at_once = 128 / wanted.number;
  if (!wanted.reads) shape.places[0] = places_at_end(cells, wanted.radices.front()), count(0, wanted.number);
  if (!wanted.writes || wanted.are_convolved)
    shape.places[last + 1] = places_at_end(cells, wanted.radices.back()), count(last + 1, wanted.number);
  shape.firsts = ceil_divide(bytes, wanted.number) * wanted.number;
  shape.shared_bytes = wanted.are_ordered ? shape.firsts + shape.lanes * wanted.number : bytes;
  return shape;
}

}  // namespace crinkle::fft
