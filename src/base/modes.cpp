// The words of the modes, one table each: both directions read the same table, so that every word printed is a word understood.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/modes.hpp"

#include <array>
#include <string>
#include <utility>

#include "base/caret.hpp"

namespace crinkle {
namespace {

template <class Mode, std::size_t n>
using Words = std::array<std::pair<const char*, Mode>, n>;

constexpr Words<Tail, 4> tails = {{{"error", Tail::error}, {"ragged", Tail::ragged}, {"pad", Tail::pad}, {"drop", Tail::drop}}};
constexpr Words<PadMode, 5> pad_modes = {{{"constant", PadMode::constant},
                                          {"edge", PadMode::edge},
                                          {"reflect", PadMode::reflect},
                                          {"symmetric", PadMode::symmetric},
                                          {"wrap", PadMode::wrap}}};
constexpr Words<Placement, 2> placements = {{{"global", Placement::global}, {"local", Placement::local}}};

template <class Mode, std::size_t n>
const char* word_of(const Words<Mode, n>& words, Mode mode) noexcept {
  for (const auto& [word, value] : words) {
    if (value == mode) return word;
  }
  return "unknown";
}

template <class Mode, std::size_t n>
Mode mode_of(const Words<Mode, n>& words, std::string_view what, std::string_view word) {
  std::vector<std::string> legal;
  for (const auto& [name, value] : words) {
    if (name == word) return value;
    legal.emplace_back(name);
  }
  std::string text = "expected a " + std::string(what) + ", found '" + shown(word) + "'";
  if (const std::string nearest = nearest_of(word, legal); !nearest.empty()) text += "; did you mean " + nearest + "?";
  text += " (one of ";
  for (std::size_t k = 0; k < n; ++k) text += (k == 0 ? "" : k + 1 < n ? ", " : " and ") + legal[k];
  throw Error(ErrorCode::bad_notation, text + ")");
}

}  // namespace

const char* name_of(Tail tail) noexcept { return word_of(tails, tail); }
const char* name_of(PadMode mode) noexcept { return word_of(pad_modes, mode); }
const char* name_of(Placement placement) noexcept { return word_of(placements, placement); }

Tail tail_of(std::string_view word) { return mode_of(tails, "tail", word); }
PadMode pad_mode_of(std::string_view word) { return mode_of(pad_modes, "pad mode", word); }
Placement placement_of(std::string_view word) { return mode_of(placements, "placement", word); }

}  // namespace crinkle
