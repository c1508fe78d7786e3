// Triangles as text, their sizes and their places. A size is checked before anything is multiplied by it elsewhere: after check() all
// places fit 63 bits.
// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/caret.hpp"
#include "base/checked.hpp"
#include "base/ensure.hpp"
#include "crinkle/triangle_layout.hpp"
#include "tile/triangle_parts.hpp"

namespace crinkle {
namespace {

using Form = TriangleLayout::Form;
using Triangle = TriangleLayout::Triangle;
using Order = TriangleLayout::Order;

template <class T>
struct Named {
  const char* word;
  T value;
};
template <class T>
using Words = std::span<const Named<T>>;
constexpr Named<Form> forms[] = {
    {"full", Form::full}, {"symmetric", Form::symmetric}, {"packed", Form::packed}, {"rfp", Form::rfp}, {"condensed", Form::condensed}};
constexpr Named<Triangle> triangles[] = {{"lower", Triangle::lower}, {"upper", Triangle::upper}};
constexpr Named<Order> orders[] = {{"columns", Order::columns}, {"rows", Order::rows}};

constexpr const char* grammar =
    "a triangle's layout is full, symmetric, packed, rfp or condensed, with lower or upper, and columns or rows, where wanted";

template <class T>
const char* word_of(Words<T> words, T value) {
  for (const auto& [word, meaning] : words)
    if (meaning == value) return word;
  return "";
}

struct Word {
  std::string_view text;
  std::size_t at;
};

// Whether the word is one of these, which is then the value; a second one is refused.
template <class T>
bool takes(Words<T> words, std::string_view all, const Word& word, std::optional<T>& value) {
  for (const auto& [name, meaning] : words) {
    if (word.text != name) continue;
    if (value) {
      throw notation_error(all, word.at, word.text.size(),
                           std::string(name) + " after " + word_of(words, *value) + ": " + std::string(grammar));
    }
    value = meaning;
    return true;
  }
  return false;
}

[[noreturn]] void refuse(std::string_view all, const Word& word) {
  std::vector<std::string> known;
  for (const auto& [name, meaning] : forms) known.emplace_back(name);
  for (const auto& [name, meaning] : triangles) known.emplace_back(name);
  for (const auto& [name, meaning] : orders) known.emplace_back(name);
  const std::string nearest = nearest_of(word.text, known);
  throw notation_error(all, word.at, word.text.size(),
                       "'" + shown(word.text) + "' is none of its words: " + std::string(grammar) +
                           (nearest.empty() ? "" : "; did you mean " + nearest + "?"));
}

// k(k + 1)/2
std::int64_t sum_up_to(std::int64_t k) { return k % 2 == 0 ? multiply(k / 2, add(k, 1)) : multiply(add(k, 1) / 2, k); }

}  // namespace

TriangleLayout TriangleLayout::parse(std::string_view text, std::int64_t n, std::int64_t element_bytes) {
  std::optional<Form> form;
  std::optional<Triangle> triangle;
  std::optional<Order> order;
  constexpr std::string_view blanks = " \t\n\r\f\v";
  for (std::size_t at = 0; (at = text.find_first_not_of(blanks, at)) != std::string_view::npos;) {
    const Word word{text.substr(at, text.find_first_of(blanks, at) - at), at};
    if (!takes<Form>(forms, text, word, form) && !takes<Triangle>(triangles, text, word, triangle) &&
        !takes<Order>(orders, text, word, order))
      refuse(text, word);
    at += word.text.size();
  }
  if (!form) throw notation_error(text, text.size(), 1, "no form: " + std::string(grammar));
  const TriangleLayout layout{*form, triangle.value_or(Triangle::lower), order.value_or(Order::columns), n, element_bytes, 0};
  layout.check();
  return layout;
}

std::string TriangleLayout::print() const {
  std::string text = word_of<Form>(forms, form);
  if (triangle != Triangle::lower) text += std::string(" ") + word_of<Triangle>(triangles, triangle);
  if (order != Order::columns) text += std::string(" ") + word_of<Order>(orders, order);
  return text;
}

void TriangleLayout::check() const {
  if (n < 0) throw Error(ErrorCode::bad_shape, "a triangle of " + std::to_string(n) + " rows; give 0 or more");
  if (element_bytes < 1) throw Error(ErrorCode::bad_shape, "an element has at least 1 byte, not " + std::to_string(element_bytes));
  if (pitch != 0 && form != Form::full && form != Form::symmetric) {
    throw Error(ErrorCode::bad_shape, "a pitch of " + std::to_string(pitch) + " elements for " + print() +
                                          "; only full and symmetric have lines that lie apart, leave it 0");
  }
  if (pitch < 0 || (pitch > 0 && pitch < n)) {
    throw Error(ErrorCode::bad_shape, "a pitch of " + std::to_string(pitch) + " elements for lines of " + std::to_string(n) +
                                          "; give as many or more, or 0 for " + std::to_string(n));
  }
  try {
    static_cast<void>(bytes());
  } catch (const Error&) {
    throw Error(ErrorCode::too_large, print() + " of " + std::to_string(n) + " rows" +
                                          (pitch == 0 ? "" : " a pitch of " + std::to_string(pitch) + " apart") + " and " +
                                          std::to_string(element_bytes) + " bytes an element does not fit 63 bits");
  }
}

std::int64_t TriangleLayout::n_pairs() const { return n == 0 ? 0 : sum_up_to(has_diagonal() ? n : n - 1); }

std::int64_t TriangleLayout::n_elements() const {
  if (form != Form::full && form != Form::symmetric) return n_pairs();
  return n == 0 ? 0 : add(multiply(n - 1, pitch == 0 ? n : pitch), n);
}

std::int64_t TriangleLayout::bytes() const { return multiply(n_elements(), element_bytes); }

std::int64_t TriangleLayout::place(std::int64_t i, std::int64_t j) const {
  for (const PartLines& p : parts_of(*this))
    if (p.part.has(i, j)) return p.lines.place(i, j);
  ensure(false);
  return -1;
}

}  // namespace crinkle
