// Finds where the caret stands: the text is cut into characters, each with its place in bytes, and what cannot be shown is replaced by one
// character that can, so that the caret line counts what a person sees. Also the nearest of a list of words, by edit distance.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/caret.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace crinkle {
namespace {

constexpr std::size_t window = 120;  // characters of a text shown around a place
constexpr std::size_t quoted = 60;   // characters of a foreign text shown between quotes

/// One character of a text: the byte it starts at, and what a terminal shows for it.
struct Cell {
  std::size_t byte = 0;
  std::string shown;
};

/// Characters that would move the caret line or the terminal: controls, zero-width marks, combining marks, direction overrides.
bool is_invisible(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x300 && c < 0x370) || (c >= 0x200b && c < 0x2010) || (c >= 0x2028 && c < 0x202f) ||
         (c >= 0x2060 && c < 0x2070) || c == 0xfeff;
}

std::vector<Cell> cells_of(std::string_view text) {
  std::vector<Cell> cells;
  for (std::size_t at = 0; at < text.size();) {
    char32_t point = 0;
    const std::size_t length = utf8_bytes_at(text, at, point);
    const bool is_space = length == 1 && (point == '\t' || point == '\n' || point == '\r');
    const bool is_bad = length == 0 || is_invisible(point);
    cells.push_back({at, is_space ? " " : is_bad ? "?" : std::string(text.substr(at, length))});
    at += std::max<std::size_t>(length, 1);
  }
  return cells;
}

/// Least number of insertions, deletions, replacements and swaps of neighbours that make a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

}  // namespace

std::string with_caret(std::string_view message, std::string_view text, std::size_t column, std::size_t length) {
  const std::vector<Cell> cells = cells_of(text);
  const auto cell_at = [&](std::size_t byte) {  // the first cell at or after a byte
    const auto place = std::lower_bound(cells.begin(), cells.end(), byte, [](const Cell& c, std::size_t b) { return c.byte < b; });
    return static_cast<std::size_t>(place - cells.begin());
  };
  const std::size_t begin = cell_at(column);
  const std::size_t end = std::max(begin + 1, cell_at(column + std::min(length, text.size())));
  const std::size_t first = begin > window / 2 && cells.size() > window ? begin - window / 2 : 0;
  const std::size_t last = std::min(cells.size(), first + window);

  std::string shown_text = first > 0 ? "…" : "";
  for (std::size_t k = first; k < last; ++k) shown_text += cells[k].shown;
  if (last < cells.size()) shown_text += "…";
  const std::size_t indent = begin - first + (first > 0 ? 1 : 0);
  const std::size_t carets = std::max<std::size_t>(1, std::min(end, last) - std::min(begin, last));
  return std::string(message) + "\n  " + shown_text + "\n  " + std::string(indent, ' ') + std::string(carets, '^');
}

Error caret_error(ErrorCode code, std::string_view text, std::size_t column, std::size_t length, std::string_view message) {
  return Error(code, with_caret(message, text, column, length));
}

Error notation_error(std::string_view text, std::size_t column, std::size_t length, std::string_view message) {
  return caret_error(ErrorCode::bad_notation, text, column, length, message);
}

std::string nearest_of(std::string_view word, const std::vector<std::string>& words) {
  constexpr std::size_t longest = 64;  // a longer word has no misspelling worth the quadratic search
  if (word.size() > longest) return "";
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  std::string nearest;
  std::size_t least = limit + 1;
  for (const std::string& candidate : words) {
    if (candidate.size() > word.size() + limit || candidate == word) continue;
    const std::size_t distance = edit_distance(lower(word), lower(candidate));
    const bool is_another_word = distance >= std::max(word.size(), candidate.size());
    if (distance < least && !is_another_word) least = distance, nearest = candidate;
  }
  return nearest;
}

std::string shown(std::string_view text) {
  std::string result;
  const std::vector<Cell> cells = cells_of(text.substr(0, 4 * quoted + 4));
  for (std::size_t k = 0; k < std::min(cells.size(), quoted); ++k) result += cells[k].shown;
  return cells.size() > quoted ? result + "…" : result;
}

}  // namespace crinkle
