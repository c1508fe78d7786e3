// Bytes that follow each other in the destination, written as whole 64-byte lines. What does not yet fill a line waits in a buffer whose
// lines lie as the destination's do, so rows of any length and alignment that follow each other leave no line written twice:
//     buffer[k]  is for  line_[k],   line_ a multiple of 64,   first_ ≤ k < last_ not yet written.
// Whole lines leave by non-temporal stores, the two ends of all by ordinary ones. Without streaming everything goes straight through.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu/kernels.hpp"
#include "cpu/weave.hpp"

namespace crinkle::simd {

class LineWriter {
 public:
  static constexpr std::int64_t line = 64;
  static constexpr std::int64_t capacity = 4096;   // bytes that room() has after flush()
  static constexpr std::int64_t most_apart = 64;   // fields
  static constexpr std::int64_t least_apart = 12;  // bytes of a record
  static constexpr std::int64_t least_rows = 5, least_together = 9;

  /// Runs are fetched `ahead` bytes before they are read; 0 for none: nor is then where records are put together.
  LineWriter(const Kernels& kernels, bool is_streaming, std::int64_t ahead)
      : kernels_(&kernels), is_streaming_(is_streaming), ahead_(ahead) {}

  /// The next byte goes to `out`; carries on where that is where the last one went.
  void go_to(std::byte* out) {
    if (out == line_ + last_ && last_ > 0) return;
    finish();
    const auto late = is_streaming_ ? static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) & (line - 1)) : 0;
    line_ = out - late;
    first_ = last_ = late;
  }

  /// The memory for the next bytes, at most `capacity` of them before flush(); then wrote().
  std::byte* room() { return (is_streaming_ ? buffer() : line_) + last_; }
  void wrote(std::int64_t bytes) { last_ += bytes; }

  void flush() {
    if (!is_streaming_) {
      line_ += last_;
      first_ = last_ = 0;
      return;
    }
    const std::int64_t whole = last_ / line * line;
    if (whole == 0) return;
    kernels_->stream(buffer() + first_, line_ + first_, whole - first_);
    if (last_ > whole) std::memcpy(buffer(), buffer() + whole, line);
    line_ += whole;
    last_ -= whole;
    first_ = 0;
  }

  /// Appends a run from memory without a stop in the buffer.
  void copy(const std::byte* in, std::int64_t bytes) {
    flush();
    if (!is_streaming_) {
      kernels_->copy(in, line_, bytes);
      line_ += bytes;
      return;
    }
    if (last_ > 0) {
      const std::int64_t head = bytes < line - last_ ? bytes : line - last_;
      kernels_->copy(in, buffer() + last_, head);
      last_ += head;
      flush();
      in += head;
      bytes -= head;
    }
    const std::int64_t whole = bytes / line * line;
    if (whole > 0) {
      kernels_->stream_from(in, line_, whole, ahead_);
      line_ += whole;
    }
    if (bytes > whole) {
      kernels_->copy(in + whole, buffer(), bytes - whole);
      last_ = bytes - whole;
    }
  }

  /// The next line, where the next byte begins one; null otherwise, and where nothing is streamed.
  std::byte* next_line() const { return is_streaming_ && last_ == 0 ? line_ : nullptr; }
  void wrote_lines(std::int64_t bytes) { line_ += bytes; }

  /// Appends n units backwards, the last at in + (n − 1) · unit first.
  void reversed(const std::byte* in, std::int64_t n, std::int64_t unit, std::size_t log2) {
    flush();
    if (!is_streaming_) {
      kernels_->reverse[log2](in, n, line_);
      line_ += n * unit;
      return;
    }
    if (last_ > 0) {
      const std::int64_t head = (line - last_ + unit - 1) / unit;
      const std::int64_t some = head < n ? head : n;
      kernels_->reverse[log2](in + (n - some) * unit, some, buffer() + last_);
      last_ += some * unit;
      flush();
      n -= some;
    }
    const std::int64_t whole = last_ > 0 ? 0 : n * unit / line * line / unit;
    if (whole > 0) {
      kernels_->stream_reversed[log2](in + (n - whole) * unit, whole, line_, ahead_);
      line_ += whole * unit;
      n -= whole;
    }
    for (const std::int64_t most = capacity / unit; n > 0; flush()) {  // many where a line ends within a unit
      const std::int64_t some = n < most ? n : most;
      kernels_->reverse[log2](in + (n - some) * unit, some, buffer() + last_);
      last_ += some * unit;
      n -= some;
    }
  }

  /// Bytes to the next line, where this one's first bytes are not the writer's; else 0.
  std::int64_t bytes_to_line() const { return first_ > 0 ? line - last_ : 0; }

  bool is_at_multiple_of(std::int64_t bytes) const {
    return reinterpret_cast<std::uintptr_t>(line_ + last_) % static_cast<std::uintptr_t>(bytes) == 0;
  }

  /// How many of n items of so many bytes there are before one that begins a line, where everything goes straight through. 0 where the next
  /// one does, where none of the next ones does, and where they are few. Stores of 64 bytes that cross lines take twice as long, loads that
  /// do cost nothing.
  std::int64_t items_to_line(std::int64_t n, std::int64_t item_bytes) const {
    const auto into_line = [&](std::int64_t m) {
      return (reinterpret_cast<std::uintptr_t>(line_ + last_) + static_cast<std::uintptr_t>(m * item_bytes)) % line;
    };
    if (is_streaming_ || n * item_bytes < least_aligned || into_line(0) == 0) return 0;
    for (std::int64_t m = 1; m < line; ++m)
      if (into_line(m) == 0) return m < n ? m : 0;
    return 0;
  }

  /// Appends n items from `first` on of a run of `extent` (cpu/weave.hpp).
  void woven(const Weave& weave, const std::byte* const* bases, std::int64_t first, std::int64_t n, std::int64_t extent) {
    flush();
    if (!is_streaming_) {
      const std::int64_t bytes = weave.item_bytes(), m = items_to_line(n, bytes);
      weave.run(*kernels_, bases, first, m, extent, line_);
      weave.run(*kernels_, bases, first + m, n - m, extent, line_ + m * bytes);
      line_ += n * bytes;
      return;
    }
    const std::int64_t items = weave.items(), most = capacity / weave.item_bytes() / items * items;
    std::int64_t done = 0;
    while (done < n) {
      const std::int64_t whole = first_ == 0 && weave.can_stream(*kernels_, last_) ? (n - done) / items * items : 0;
      if (whole > 0) {  // what waits stays as long as it is, a period is whole lines
        weave.lines(*kernels_, bases, first + done, whole, line_, buffer(), last_);
        line_ += whole * weave.item_bytes();
        done += whole;
        continue;
      }
      const std::int64_t most_now = first_ > 0 && items < n - done ? items : most, some = n - done < most_now ? n - done : most_now;
      weave.run(*kernels_, bases, first + done, some, extent, room());
      wrote(some * weave.item_bytes());
      flush();
      done += some;
    }
  }

  /// Appends records of a unit of every row: returns how many of n, 0 where kernels have no quicker way than a weave. Many rows are put
  /// together in the caches only, and narrow records not: 16 bytes are written of each, and most of those again by the next. Where 16
  /// bytes are woven at a time, they are put together in a buffer.
  std::int64_t put_together(const std::byte* const* rows, std::int64_t n_rows, std::int64_t unit, std::int64_t n) {
    flush();
    if (kernels_->few_fields != nullptr && FewFields::has(n_rows, unit)) return put_few_together(rows, n_rows, unit, n);
    const auto together = is_unit(unit) ? kernels_->together[unit_index(unit)] : nullptr;
    if (together == nullptr) return 0;
    if (is_streaming_) return kernels_->weave_width < line ? put_together_in_buffer(together, rows, n_rows, unit, n) : 0;
    if (n_rows < least_rows || n_rows * unit < least_together) return 0;
    const std::int64_t done = together(rows, n_rows, n, line_);
    line_ += done * n_rows * unit;
    return done;
  }

  /// Whether kernels can take so many fields apart straight from memory, and well: they are few, or most of a block of 16 bytes. Pairs of 4
  /// bytes in longer records are better woven, but for where 16 bytes are woven at a time.
  static bool takes_apart(const Kernels& kernels, std::int64_t unit, std::int64_t n_fields, std::int64_t in_stride) {
    if (are_few(kernels, unit, n_fields, in_stride)) return true;
    const bool is_better_woven = kernels.weave_width == line && n_fields * unit < least_apart;
    return is_unit(unit) && kernels.apart_stream[unit_index(unit)] != nullptr && n_fields <= most_apart && !is_better_woven;
  }
  /// Records taken apart, field f to writers[f], straight from memory (RecordKernels::apart and apart_stream): returns how many of n, 0
  /// where these writers or kernels have no way. 16 bytes may be read of every record.
  static std::int64_t take_apart(LineWriter* writers, std::int64_t n_fields, const std::byte* in, std::int64_t in_stride, std::int64_t unit,
                                 std::int64_t n) {
    FieldLines fields[most_apart];
    const Kernels& kernels = *writers[0].kernels_;
    const bool is_streaming = writers[0].is_streaming_;
    const std::int64_t in_line = line / unit, whole = std::max<std::int64_t>(0, n) / in_line * in_line;
    if (whole == 0 || !takes_apart(kernels, unit, n_fields, in_stride)) return 0;
    const bool is_few = are_few(kernels, unit, n_fields, in_stride);
    for (std::int64_t f = 0; f < n_fields; ++f) {
      LineWriter& w = writers[f];
      w.flush();
      if (is_streaming && (w.first_ > 0 || (!is_few && unit >= 4 && w.last_ % 4 != 0))) return 0;
      fields[f] = {w.line_, w.buffer(), w.last_};
    }
    if (is_streaming) {
      (is_few ? kernels.few_fields->apart_stream : kernels.apart_stream)[unit_index(unit)](in, in_stride, whole, fields, n_fields,
                                                                                           apart_ahead);
      n = whole;
    } else {
      take_apart_in_caches((is_few ? kernels.few_fields->apart : kernels.apart)[unit_index(unit)], fields, n_fields, in, in_stride, unit, n,
                           writers[0].items_to_line(n, unit));
    }
    for (std::int64_t f = 0; f < n_fields; ++f) writers[f].line_ += n * unit;
    return n;
  }

  /// Writes what is left, a part of a line.
  void finish() {
    flush();
    if (last_ > first_) std::memcpy(line_ + first_, buffer() + first_, static_cast<std::size_t>(last_ - first_));
    line_ += last_;
    first_ = last_ = 0;
  }

 private:
  static constexpr std::int64_t apart_ahead = 3072;  // bytes
  static constexpr std::int64_t ahead_of_stores = 256, ahead_of_record_stores = 512;
  static constexpr std::int64_t least_aligned = 1024;  // bytes: of fewer, where lines begin is not worth a call

  static bool are_few(const Kernels& kernels, std::int64_t unit, std::int64_t n_fields, std::int64_t in_stride) {
    return kernels.few_fields != nullptr && FewFields::has(n_fields, unit) && in_stride == n_fields * unit;
  }

  // Whole vectors of every row; in the caches the last one again as far as needed, so that all of n are done.
  std::int64_t put_few_together(const std::byte* const* rows, std::int64_t n_rows, std::int64_t unit, std::int64_t n) {
    const std::int64_t record = n_rows * unit, in_line = line / unit;
    if (n < in_line) return 0;
    const FewFields& few = *kernels_->few_fields;
    const std::byte* there[FewFields::most];
    const auto put = [&](std::int64_t first, std::int64_t count, std::byte* out) {
      const auto phase = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) % std::uintptr_t{line});
      for (std::int64_t r = 0; r < n_rows; ++r) there[r] = rows[r] + first * unit;
      return few.together[unit_index(unit)](there, n_rows, count, {out - phase, nullptr, phase}, ahead_ == 0 ? 0 : ahead_of_record_stores);
    };
    if (!is_streaming_) {
      if (put(0, n, line_) < n) put(n - in_line, in_line, line_ + (n - in_line) * record);
      line_ += n * record;
      return n;
    }
    if (first_ > 0) {  // up to the next line
      put(0, in_line, room());
      wrote(in_line * record);
      return in_line;
    }
    const std::int64_t done = few.together_stream[unit_index(unit)](rows, n_rows, n, {line_, buffer(), last_}, 0);
    line_ += done * record;
    return done;
  }

  // As many as there is room for, a line of every row or more; the last line again as far as needed. Up to 15 bytes are written behind.
  std::int64_t put_together_in_buffer(Kernels::Join together, const std::byte* const* rows, std::int64_t n_rows, std::int64_t unit,
                                      std::int64_t n) {
    const std::int64_t record = n_rows * unit, in_line = line / unit, past = (16 - 1) / record;
    n = std::min(n, capacity / record);
    if (n < in_line) return 0;  // so are more rows than capacity / line
    const std::byte* there[capacity / line];
    for (std::int64_t r = 0; r < n_rows; ++r) there[r] = rows[r] + (n - in_line) * unit;
    if (together(rows, n_rows, n + past, room()) < n) together(there, n_rows, in_line + past, room() + (n - in_line) * record);
    wrote(n * record);
    flush();
    return n;
  }

  // All of n records, at least as many as fill a line of a field: some at both ends are written twice, so that those between begin lines.
  static void take_apart_in_caches(Kernels::Apart apart, const FieldLines* fields, std::int64_t n_fields, const std::byte* in,
                                   std::int64_t in_stride, std::int64_t unit, std::int64_t n, std::int64_t n_before) {
    const std::int64_t in_line = line / unit, whole = (n - n_before) / in_line * in_line;
    FieldLines there[most_apart];
    const auto some = [&](std::int64_t first, std::int64_t count) {
      for (std::int64_t f = 0; f < n_fields; ++f) there[f] = {fields[f].line + first * unit, nullptr, 0};
      apart(in + first * in_stride, in_stride, count, there, n_fields, ahead_of_stores);
    };
    if (n_before > 0) some(0, in_line);
    some(n_before, whole);
    if (n_before + whole < n) some(n - in_line, in_line);
  }

  std::byte* buffer() { return storage_ + line; }

  const Kernels* kernels_;
  bool is_streaming_;
  std::int64_t ahead_;
  std::byte* line_ = nullptr;
  std::int64_t first_ = 0, last_ = 0;
  alignas(64) std::byte storage_[capacity + 3 * line];  // a line for Kernels::weave_lines, then the buffer
};

}  // namespace crinkle::simd
