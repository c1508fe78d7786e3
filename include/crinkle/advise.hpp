// Which layout suits a program's records: its pattern of accesses is measured over candidate layouts, on the device that will run it.
//
//     const Fields fields = parse_fields("x:f4 y:f4 z:f4 p:f4");
//     const Advice advice = advise(fields, {{"x", "y", "z"}, {"p"}}, 1 << 24, {.from = RecordLayout::parse("(x y z p)", fields)});
//     advice.candidates[0].layout.print();   // the fastest: "x|y|z|p"; .seconds a pass, .pays_after so many passes
//
// A pass visits every record once in the order that is given. It reads record i's fields read and writes the fields written:
//
//     s = i ⊕ w ⊕ w ⊕ …,   every written field j of the pattern = s + (j + 1) · 0x9E3779B9   modulo 2^32, repeated for all its bytes,
//
// w being the words of 4 bytes of the fields read, each field cut from its first byte on and filled up with zeros. So nothing can be left
// out, all layouts must come to the same records, and that they do is checked before anything is timed. A pass does little else: the
// numbers are those of a program that waits for its memory. (Mei and Tian, "Impact of data layouts on the efficiency of GPU-accelerated
// IDW interpolation", 2016, ask this question for one program and five layouts.)
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crinkle/device.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/record_layout.hpp"

namespace crinkle {

/// In which order a pass visits n records: 0, 1, 2 …; every one once, without a pattern; or 0, step, 2·step …, then 1, 1 + step, …, and so
/// on until step − 1, 2·step − 1, …. On a GPU neighbouring threads visit neighbours in this order.
struct AccessOrder {
  enum class Kind : std::uint8_t { sequential, random, strided };
  Kind kind = Kind::sequential;
  std::int64_t step = 1;  // of strided, in records

  /// "sequential", "random", "strided:8". Throws bad_notation, with a caret; too_large.
  static AccessOrder parse(std::string_view text);
  std::string print() const;

  friend bool operator==(const AccessOrder&, const AccessOrder&) = default;
};

/// What a pass does with every record. A field may be read and written.
struct AccessPattern {
  std::vector<std::string> reads{}, writes{};  // names of fields
  AccessOrder order = {};
};

struct AdviseOptions {
  Device device = cpu();
  Executor* executor = nullptr;            // of the CPU; nullptr: default_executor()
  std::optional<RecordLayout> from = {};   // how the records lie now: it is measured, too, and the conversion from it into the others
  std::vector<RecordLayout> candidates{};  // empty: candidate_layouts()
  int samples = 9;                         // passes timed of each
  double most_seconds = 20;                // of timing: after so many no more than seven samples, or three of long ones
  std::uint64_t seed = 1;                  // of the contents, and of the random order
};

/// A layout and what was measured of it.
struct Candidate {
  RecordLayout layout;
  std::int64_t bytes = 0;                      // of its n records
  double seconds = 0;                          // a pass over all of them: the median of the samples
  double iqr = 0;                              // interquartile range of the samples, seconds
  double gb_per_s = 0;                         // bytes of the fields read and written, without padding, by the median
  std::int64_t repeats = 1;                    // passes that a sample is the mean of: above 1, the records may have stayed in a cache
  bool is_present = false;                     // the layout `from`
  std::optional<double> convert_seconds = {};  // from `from` into this one: median; nothing for `from` itself
  std::optional<std::int64_t> pays_after =
      {};  // passes, until the time they save is that of the conversion; nothing where no more is saved than noise
};

struct Advice {
  std::int64_t n = 0;                                  // records
  std::int64_t pass_bytes = 0;                         // that a pass reads and writes, without padding
  std::vector<Candidate> candidates;                   // fastest first
  std::vector<std::pair<std::string, double>> copies;  // kinds of plain copies that read and write as many bytes, and their median seconds

  const Candidate* present() const noexcept;  // nullptr: no layout was given
  double best_copy_seconds() const noexcept;
  /// Whether these two differ by less than medians of the same pass do: 3 %.
  static bool are_equally_fast(const Candidate& a, const Candidate& b) noexcept;
};

/// The layouts that are tried where none are given, all different in where they put a byte: one array of structures, and the same aligned;
/// a structure of arrays; blocks of 8 and of 32; the fields of the pattern apart from the rest, and what is written apart from what is
/// read, with and without alignment; and fields packed into aligned words of 16 bytes, what does not fill one aligned by less or in arrays
/// of its own. Throws bad_notation for a pattern that names no field, one that is not there, or one twice on a side.
std::vector<RecordLayout> candidate_layouts(const Fields& fields, const AccessPattern& pattern);

/// Measures the pattern over n records in every candidate. Every group of fields has an array of its own. All candidates take turns round
/// by round in the same memory, beside plain copies of as many bytes; then so do the conversions, which are those of convert_records and
/// Plan. Throws what candidate_layouts() throws, and for a candidate without a field of the pattern, a `from` without a field of a
/// candidate, or of other bytes; bad_shape for fewer than 1 record, step or sample; too_large; out_of_memory where the largest candidate,
/// the present layout and what lies between two steps of a conversion do not fit into the device's memory together; what cuda() throws; and
/// std::runtime_error where a layout's outcome is not the one defined. Cost: 2 · samples + 3 passes in each layout, 7 conversions into
/// each.
Advice advise(const Fields& fields, const AccessPattern& pattern, std::int64_t n, const AdviseOptions& options = {});

}  // namespace crinkle
