// The text of an order: "sequential", "random", "strided:8".
// SPDX-License-Identifier: BSD-3-Clause
#include <charconv>
#include <vector>

#include "base/caret.hpp"
#include "crinkle/advise.hpp"
#include "crinkle/error.hpp"

namespace crinkle {

AccessOrder AccessOrder::parse(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  const std::string known = "an order is sequential, random or strided:K, K being a number of records";
  const bool is_strided = word == "strided";
  if (!is_strided && word != "sequential" && word != "random") {
    const std::string nearest = nearest_of(word, {"sequential", "random", "strided"});
    throw notation_error(text, 0, word.size(),
                         "there is no order '" + shown(word) + "'" + (nearest.empty() ? "" : "; did you mean " + nearest + "?") +
                             (nearest.empty() ? "; " + known : " An" + known.substr(2)));
  }
  if (!is_strided) {
    if (colon != std::string_view::npos) throw notation_error(text, colon, text.size() - colon, "only strided has a step; " + known);
    return {word == "random" ? Kind::random : Kind::sequential};
  }
  if (colon == std::string_view::npos) throw notation_error(text, text.size(), 1, "strided needs a step, as in strided:8; " + known);
  const std::string_view number = text.substr(colon + 1);
  std::int64_t step = 0;
  const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), step);
  if (status == std::errc::result_out_of_range)
    throw caret_error(ErrorCode::too_large, text, colon + 1, number.size(), "a step of " + shown(number) + " records does not fit 63 bits");
  if (status != std::errc{} || end != number.data() + number.size() || step < 1)
    throw notation_error(text, colon + 1, number.size(), "a step is 1 record or more, as in strided:8, not '" + shown(number) + "'");
  return {Kind::strided, step};
}

std::string AccessOrder::print() const {
  switch (kind) {
    case Kind::random: return "random";
    case Kind::strided: return "strided:" + std::to_string(step);
    default: return "sequential";
  }
}

}  // namespace crinkle
