// Case files: one operation a line, `#` begins a comment line, words are separated by blanks, '…' or "…" keeps blanks in one word.
//     NAME ELEMENT_BYTES RANK PERMUTATION... EXTENTS...               fastest axis first: destination axis i is source axis PERMUTATION[i]
//     NAME ELEMENT_BYTES spec 'SPEC' EXTENTS... [OPTION [VALUE]]...   slowest axis first; the options of `crinkle move`
//     NAME ELEMENT_BYTES records 'FIELDS' 'FROM' 'TO' N               N records from one layout into another; padding is zeros, and counts
//     NAME ELEMENT_BYTES apart 'FIELDS' 'FROM' 'TO' N                 the same, every group in a buffer of its own
//     NAME ELEMENT_BYTES planes N                                     bit planes of N elements
//     NAME ELEMENT_BYTES from-planes N                                and back
//     NAME ELEMENT_BYTES gather sorted|random AXIS EXTENTS...         dst[…, j, …] = src[…, index[j], …], as many indices as the axis is
//     NAME ELEMENT_BYTES scatter sorted|random AXIS EXTENTS...        dst[…, index[j], …] = src[…, j, …] into an axis twice as long
//     NAME ELEMENT_BYTES range-read FIRST COUNT N                     dst[i] = src[FIRST + i] of N elements
//     NAME ELEMENT_BYTES range-write FIRST COUNT N                    dst[FIRST + i] = src[i] of N elements
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crinkle/error.hpp"
#include "crinkle/layout.hpp"
#include "crinkle/record_layout.hpp"

namespace crinkle::bench {

enum class IndexOrder : std::uint8_t { sorted, random };

struct Case {
  enum class Kind : std::uint8_t { permutation, spec, records, apart, planes, from_planes, gather, scatter, range_read, range_write };

  std::string name;
  std::string place;  // "FILE:LINE", for messages
  Kind kind = Kind::permutation;
  std::int64_t element_bytes = 1;
  Extents extents;                  // of the source, slowest first; of a range, its elements
  std::vector<std::int64_t> order;  // permutation: NumPy's transpose order
  std::vector<std::string> words;   // spec: the specification, then options and their values; records: fields, from, to
  std::int64_t axis = 0;            // gather, scatter
  IndexOrder index_order = IndexOrder::sorted;
  std::int64_t first = 0, whole = 0;  // a range: where it begins, and of how many elements it is one
  std::int64_t scaled_by = 1;         // how often the extents were halved, as a power of two

  bool is_of_records() const { return kind == Kind::records || kind == Kind::apart; }
  bool is_range() const { return kind == Kind::range_read || kind == Kind::range_write; }
};

/// The layouts of a case of records.
struct Records {
  RecordLayout from, to;
};
Records records_of(const Case& c);

/// bad_file with the place and what was expected there.
Error wrong_case(const std::string& place, const std::string& text);

/// The cases of a file's text, in order. `file` is its name for messages. Throws bad_file with "FILE:LINE: what was expected".
std::vector<Case> parse_cases(std::string_view text, const std::string& file);

/// The cases of a file. Throws bad_file for one that cannot be read, and what parse_cases throws.
std::vector<Case> read_cases(const std::string& file);

/// The case with its longest extent halved, the slowest of equal ones, rounding down; nothing where there is none.
std::optional<Case> halved(Case c);

}  // namespace crinkle::bench
