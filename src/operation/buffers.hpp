// Checks buffers before anything is written, once for all that runs: how many, how long, of which values, and that no output
// shares a byte with anything else.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <string>

#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// How inputs and outputs lie to each other: no byte in common, or every input where the output of its number is.
enum class Aliasing : std::uint8_t { apart, in_place };

/// The use of buffers, and what those of one side have to be. Names are only made for errors.
struct BuffersOf {
  const char* what = "plan";                              // "the plan"
  bool may_be_in_place = true;                            // inputs where the outputs are
  std::function<std::string(std::size_t)> input, output;  // "source 0"
};

/// Throws bad_shape for the wrong number of buffers, one that does not hold its span, or whose values are no elements or records of it (one
/// form for each, or for all); overlap where an output shares bytes in another way than as the input of its number.
Aliasing check_buffers(const BuffersOf& of, std::span<const ByteSpan> in_spans, const ValueForms& in_forms, std::span<const ConstBuffer> in,
                       std::span<const ByteSpan> out_spans, const ValueForms& out_forms, std::span<const Buffer> out);
/// The same of one side.
void check_held(const BuffersOf& of, bool are_inputs, std::span<const ByteSpan> spans, const ValueForms& forms,
                std::span<const ConstBuffer> buffers);

/// "source", or "source 2" of several.
std::string name_of_buffer(const char* side, std::size_t i, std::size_t n);
/// The buffers of a move: sources and destinations.
BuffersOf buffers_of_move(std::size_t n_sources, std::size_t n_destinations);

}  // namespace crinkle
