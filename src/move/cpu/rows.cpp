// Long rows, at up to four places in turn, half a KiB at each, so that reads and writes of several memory pages are under way at once.
// Others, short, swapped and reversed ones, are quicker at one place.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "move/cpu/row_place.hpp"

namespace crinkle {
namespace {

using simd::Habits;

constexpr std::int64_t together_bytes = 16 << 10;  // of one place, copied without looking up
constexpr std::int64_t least_place = 16 << 10;     // bytes worth a place of their own

using Places = detail::SmallVector<RowPlace, Habits::most_places>;  // an array of optionals is zeroed first

// Copies as much as all places that are still at work can copy as it is; false where one of them cannot.
bool copy_together(const Run& run, Places& places) {
  const std::byte* in[Habits::most_places];
  std::byte* out[Habits::most_places];
  RowPlace* at_work[Habits::most_places];
  std::int64_t n_rows = 0, bytes = together_bytes;
  for (RowPlace& place : places) {
    if (place.is_done()) continue;
    const RowPlace::Lines s = place.lines();
    if (s.bytes == 0) return false;
    bytes = std::min(bytes, s.bytes);
    in[n_rows] = s.in;
    out[n_rows] = s.out;
    at_work[n_rows++] = &place;
  }
  if (n_rows == 0) return false;
  run.kernels->stream_rows(in, out, n_rows, bytes, run.habits.ahead);
  for (std::int64_t r = 0; r < n_rows; ++r) at_work[r]->skip(bytes);
  return true;
}

}  // namespace

void run_rows(const Run& run, std::int64_t part, std::int64_t n_parts) {
  const RowForm form = row_form_of(*run.schedule);
  const std::int64_t n = n_indices(form.outer) * form.n_pieces;
  const std::int64_t first = begin_of(n, part, n_parts), last = begin_of(n, part + 1, n_parts);
  if (first == last) return;
  const int most_here = run.is_streaming && form.is_long ? run.habits.n_places() : 1;  // caches want no turns
  const std::int64_t n_here = std::clamp<std::int64_t>((last - first) * form.piece_bytes / least_place, 1, most_here);
  detail::SmallVector<simd::LineWriter, Habits::most_places> writers;
  Places places;
  for (std::int64_t k = 0; k < n_here; ++k) {
    writers.emplace_back(*run.kernels, run.is_streaming, run.habits.ahead);
    places.emplace_back(run, form, first + (last - first) * k / n_here, first + (last - first) * (k + 1) / n_here, row_turn(n_here),
                        writers[static_cast<std::size_t>(k)]);
  }
  for (bool is_busy = true; is_busy;) {
    while (copy_together(run, places)) {}
    is_busy = false;
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (!places[k].is_done()) {
        places[k].turn();
        is_busy = true;
      }
      writers[k == 0 ? writers.size() - 1 : k - 1].flush();
    }
  }
  for (simd::LineWriter& writer : writers) writer.finish();
}

}  // namespace crinkle
