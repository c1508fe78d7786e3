// --verify of records compares every field of every record with what the layouts' equation says. Nothing of the move is used.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "crinkle/executor.hpp"
#include "files/record_files.hpp"

namespace crinkle::tool {

struct WrongField {
  std::int64_t record = 0;
  RecordLayout::Place place;
};

/// The first record of `out` with a field that is not that of `in`, or, where that has none, of `before` (nullptr: anything is right), and
/// the first such field in the order of out's layout; nothing where all are right. Cost: reads every field once.
std::optional<WrongField> first_wrong(const RecordSpans& in, const RecordSpans* before, const RecordSpans& out, Executor& executor);

}  // namespace crinkle::tool
