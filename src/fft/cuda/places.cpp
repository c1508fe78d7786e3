// Where a line's numbers lie in shared memory between stages, so that few accesses of a warp wait for others.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/cuda/plane_shape.hpp"
#include "fft/cuda/shape.hpp"

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

// Behind stage i, as its butterflies write and the next ones read: rounds over the fewest of both.
double rounds_behind(const Cells& cells, const Radices& radices, std::size_t i, const KnownPlaces& places) {
  std::int64_t s = 1;
  for (std::size_t j = 0; j < i; ++j) s *= radices[j];
  const std::int64_t r = radices[i], next = radices[i + 1], n_next = cells.n / next;
  return cells.rounds(places, cells.n / r, {0, r / 2 * s, (r - 1) * s}, [&](std::int64_t b) { return b % s + s * r * (b / s); }) +
         cells.rounds(places, n_next, {0, next / 2 * n_next, (next - 1) * n_next}, [](std::int64_t b) { return b; });
}
// What is tried there: a few left out after each s·R numbers, which stay as far apart as constants can say, or after as many as all banks
// hold.
std::vector<KnownPlaces> tried_behind(const Cells& cells, const Radices& radices, std::size_t i) {
  std::int64_t s = 1;
  for (std::size_t j = 0; j < i; ++j) s *= radices[j];
  const std::int64_t r = radices[i], n_next = cells.n / radices[i + 1], row = cells.at_once;
  std::vector<KnownPlaces> tried{{}};
  for (std::int64_t by = 1; by < row; ++by) tried.push_back({static_cast<std::uint32_t>(s * r), static_cast<std::uint32_t>(by), 0});
  if ((s % row == 0 || (s == 1 && r % row == 0)) && n_next % row == 0) tried.push_back({static_cast<std::uint32_t>(row), 1, 0});
  return tried;
}
std::int64_t cells_of(const KnownPlaces& places, std::int64_t n) { return n + (places.pad == 0 ? 0 : (n - 1) / places.pad * places.by); }

// And lines a few places apart.
KnownPlaces places_behind(const Cells& cells, const Radices& radices, std::size_t i) {
  const std::int64_t n = cells.n;
  KnownPlaces best;
  double least = 1e9;
  for (KnownPlaces places : tried_behind(cells, radices, i)) {
    const std::int64_t cells_of_line = cells_of(places, n);
    if (cells_of_line > n + n / 8 + 32) continue;
    for (std::int64_t more = 0; more < (cells.group_lanes > 1 ? cells.at_once : 1); ++more) {
      places.stride = static_cast<std::uint32_t>(cells_of_line + more);
      const double rounds = rounds_behind(cells, radices, i, places) + 0.05 * static_cast<double>(places.stride) / static_cast<double>(n);
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

}  // namespace

std::int64_t place_rows(const LinesWanted& wanted, LinesShape& shape, std::int64_t least, std::int64_t most) {
  const Radices& radices = wanted.radices;
  const Cells cells{wanted.n, shape.lanes, shape.lanes * shape.group / shape.threads, false, 128 / wanted.number};
  double fewest = 1e9;
  std::int64_t best = least;
  for (std::int64_t pitch = least; pitch <= std::min(most, least + cells.at_once - 1); ++pitch) {
    const KnownPlaces plain{0, 0, static_cast<std::uint32_t>(pitch)};
    std::vector<KnownPlaces> places(radices.size() + 1, plain);
    // The ends, as the first butterflies read and the last ones write them.
    const auto same = [](std::int64_t b) { return b; };
    double all = cells.rounds(plain, wanted.n / radices.front(), {0}, same) + cells.rounds(plain, wanted.n / radices.back(), {0}, same);
    for (std::size_t i = 0; i + 1 < radices.size(); ++i) {
      double least_rounds = 1e9;
      for (KnownPlaces tried : tried_behind(cells, radices, i)) {
        if (cells_of(tried, wanted.n) > pitch || least_rounds < 2 + 1e-9) continue;
        tried.stride = plain.stride;
        const double rounds = rounds_behind(cells, radices, i, tried);
        if (rounds < least_rounds - 1e-9) least_rounds = rounds, places[i + 1] = tried;
      }
      all += least_rounds;
    }
    if (all >= fewest - 1e-9) continue;
    fewest = all;
    best = pitch;
    shape.places = std::move(places);
  }
  return best;
}

LinesShape placed(const LinesWanted& wanted, LinesShape shape) {
  const std::size_t last = wanted.radices.size() - 1;
  const std::int64_t part = wanted.number / 2, unit = shape.are_apart ? part : wanted.number;
  Cells cells{wanted.n, shape.lanes, shape.lanes * shape.group / shape.threads, wanted.are_columns, 128 / unit};
  shape.places.assign(last + 2, {});
  std::int64_t bytes = 0;
  const auto count = [&](const KnownPlaces& places, std::int64_t size) {
    bytes = std::max(bytes, shape.lanes * std::int64_t{places.stride} * size);
  };
  for (std::size_t i = 0; i < last; ++i) {
    shape.places[i + 1] = places_behind(cells, wanted.radices, i);
    count(shape.places[i + 1], unit);
  }
  cells.at_once = 128 / wanted.number;
  if (!wanted.reads) shape.places[0] = places_at_end(cells, wanted.radices.front()), count(shape.places[0], wanted.number);
  if (!wanted.writes) shape.places[last + 1] = places_at_end(cells, wanted.radices.back()), count(shape.places[last + 1], wanted.number);
  if (const Radices back = radices_back(wanted.radices); wanted.are_convolved && !wanted.is_part && !has_sums(wanted.radices.back())) {
    shape.places_back.assign(last + 2, {});
    shape.places_back[last + 1] = places_at_end(cells, back.back());
    count(shape.places_back[last + 1], wanted.number);
    cells.at_once = 128 / unit;
    for (std::size_t i = 0; i < last; ++i) {
      shape.places_back[i + 1] = places_behind(cells, back, i);
      count(shape.places_back[i + 1], unit);
    }
  }
  if (wanted.folds_out) bytes = std::max(bytes, 2 * wanted.n * wanted.number);  // lines that are their own mirrors
  shape.firsts = ceil_divide(bytes, wanted.number) * wanted.number;
  shape.shared_bytes = wanted.are_ordered ? shape.firsts + shape.lanes * wanted.number : bytes;
  return shape;
}

}  // namespace crinkle::fft
