// SPDX-License-Identifier: BSD-3-Clause
#include "words/axis_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>

#include "base/caret.hpp"
#include "command_line/options.hpp"
#include "crinkle/error.hpp"
#include "formats/dataset.hpp"
#include "notation/spec.hpp"

namespace crinkle::tool {
namespace {

using Words = std::vector<std::string>;

// The last names of a file's habit, as many as there are axes.
Words last_names(const Words& habit, std::size_t rank) {
  Words names(rank);
  for (std::size_t k = 1; k <= std::min(rank, habit.size()); ++k) names[rank - k] = habit[habit.size() - k];
  return names;
}

// The names that the file itself gives its axes; none where it gives none.
Words names_said(const ArrayFacts& facts) {
  const auto* const stored = dynamic_cast<const DatasetExtras*>(facts.extras.get());
  const auto is_named = [](const std::string& name) { return !name.empty(); };
  if (stored == nullptr || std::none_of(stored->facts.axes.begin(), stored->facts.axes.end(), is_named)) return {};
  return stored->facts.axes;
}

Words habit_of(const ArrayFacts& facts, std::size_t rank) {
  if (facts.format == "png" && rank == 3) return {"y", "x", "c"};
  if (facts.format == "geotiff" && rank == 3) return {"band", "y", "x"};
  return {"t", "z", "y", "x"};
}

Words names_in(const Item& item) {
  if (item.kind == Item::Kind::name) return {item.name};
  Words names;
  for (const Item& inner : item.items)
    for (const std::string& name : names_in(inner)) names.push_back(name);
  return names;
}

// The items with the axes that they stand for, those behind an ellipsis counted from the end.
std::vector<std::pair<const Item*, std::size_t>> places_of(const std::vector<Item>& side, std::size_t rank) {
  std::vector<std::pair<const Item*, std::size_t>> places;
  bool is_behind = false;
  for (std::size_t i = 0; i < side.size(); ++i) {
    is_behind |= side[i].kind == Item::Kind::ellipsis;
    const std::size_t from_end = side.size() - i;
    if (side[i].kind == Item::Kind::ellipsis || (is_behind && from_end > rank)) continue;
    places.emplace_back(&side[i], is_behind ? rank - from_end : i);
  }
  return places;
}

void rename(std::vector<Item>& side, const std::function<std::string(const std::string&)>& to) {
  for (Item& item : side) {
    if (item.kind == Item::Kind::name) item.name = to(item.name);
    rename(item.items, to);
  }
}

void reverse(std::vector<Item>& side) {
  std::reverse(side.begin(), side.end());
  for (Item& item : side) reverse(item.items);
}

// "'z y x -> y x' --at z=90".
std::string line_of(const Spec& spec, const std::vector<Verb>& verbs) {
  std::string line = "'" + print(spec) + "'";
  for (const Verb& verb : verbs) {
    std::string word = print(verb);
    std::replace(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(word.find(' ')), '_', '-');
    line += " --" + word;
  }
  return line;
}

// Fastest first becomes slowest first on both sides; of another order only the left follows the file.
Spec meant(Spec spec, const Words& written, const Words& own) {
  if (Words reversed(own.rbegin(), own.rend()); written == reversed) {
    reverse(spec.left);
    reverse(spec.right);
    return spec;
  }
  std::vector<Item> ordered;
  for (const std::string& name : own)
    for (const Item& item : spec.left)
      if (const Words names = names_in(item);
          std::count(names.begin(), names.end(), name) > 0 && std::count(ordered.begin(), ordered.end(), item) == 0)
        ordered.push_back(item);
  for (const Item& item : spec.left)
    if (names_in(item).empty()) ordered.insert(ordered.begin(), item);
  spec.left = std::move(ordered);
  return spec;
}

std::string by_place(Spec spec, std::vector<Verb> verbs, const Words& written) {
  const auto to = [&](const std::string& name) {
    const auto at = std::find(written.begin(), written.end(), name) - written.begin();
    return at < std::ssize(written) ? std::string(1, static_cast<char>('a' + at)) : name + "2";
  };
  rename(spec.left, to);
  rename(spec.right, to);
  for (Verb& verb : verbs)
    if (std::count(written.begin(), written.end(), verb.axis) > 0) verb.axis = to(verb.axis);
  return line_of(spec, verbs);
}

}  // namespace

std::vector<std::string> names_of_axes(const ArrayFacts& facts) {
  const std::size_t rank = facts.layout.extents.size();
  if (const Words said = names_said(facts); said.size() == rank && !said.empty()) return said;
  return last_names(habit_of(facts, rank), rank);
}

std::string told_axis(std::size_t axis, const std::vector<std::string>& names) {
  return std::to_string(axis) + (names[axis].empty() ? "" : " (" + names[axis] + ")");
}

int axis_of(const std::string& word, const std::vector<std::string>& names, const std::string& option) {
  const auto rank = static_cast<int>(names.size());
  const auto named = std::find(names.begin(), names.end(), word);
  if (!word.empty() && named != names.end()) return static_cast<int>(named - names.begin());
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc{} && end == word.data() + word.size() && number >= -rank && number < rank)
    return number < 0 ? number + rank : number;
  std::string all;
  for (std::size_t a = 0; a < names.size(); ++a) all += (a == 0 ? "" : ", ") + told_axis(a, names);
  refuse(fmt::format("{}: there is no axis '{}'; {}", option, shown(word), rank == 0 ? "it is a single number" : "the axes are " + all));
}

int axis_of(const std::string& word, const ArrayFacts& facts, const std::string& option) {
  return axis_of(word, names_of_axes(facts), option);
}

std::int64_t new_axis_of(const std::string& word, const ArrayFacts& facts, const Extents& extents, const std::string& option) {
  const std::size_t rank = extents.size() + 1;
  const Words whole = last_names(habit_of(facts, rank), rank), own = last_names(habit_of(facts, rank - 1), rank - 1);
  const std::int64_t axis = axis_of(word, whole, option);
  if (word != whole[static_cast<std::size_t>(axis)] || std::count(own.begin(), own.end(), word) == 0) return axis;
  Words left = whole;
  for (const std::string& name : own) std::erase(left, name);
  refuse(fmt::format("{} {}: the arrays have an axis {}, and the one that counts them is new{}; as a place in the result it is {} {}",
                     option, word, word, left.empty() || left.front().empty() ? "" : ": " + option + " " + left.front(), option, axis));
}

std::string completed(const std::string& spec, const ArrayFacts& facts) {
  const Words said = names_said(facts);
  const bool is_whole = spec.find("->") != std::string::npos;
  if (said.empty() || std::count(said.begin(), said.end(), "") > 0) return spec;
  if (spec == "... -> ...") return fmt::format("{} -> {}", fmt::join(said, " "), fmt::join(said, " "));
  if (is_whole) return spec;
  return fmt::format("{} -> {}", fmt::join(said, " "), spec);
}

std::vector<std::string> names_of_result(const std::string& spec) {
  std::vector<std::string> names;
  for (const Item& item : parse_spec(spec).right) {
    if (item.kind == Item::Kind::ellipsis) return {};
    names.push_back(item.kind == Item::Kind::name ? item.name : "");
  }
  return names;
}

void check_axis_names(const std::string& text, const std::vector<Verb>& verbs, const ArrayFacts& facts) {
  if (facts.format != "png" && facts.format != "nifti" && facts.format != "geotiff" && names_said(facts).empty()) return;
  const Words own = names_of_axes(facts);
  const Spec spec = parse_spec(text);
  Words written;
  bool is_elsewhere = false;
  for (const auto& [item, place] : places_of(spec.left, own.size())) {
    for (const std::string& name : names_in(*item)) {
      if (std::count(own.begin(), own.end(), name) == 0) return;  // names of the user's own
      is_elsewhere |= place < own.size() && own[place] != name;
      written.push_back(name);
    }
  }
  if (!is_elsewhere) return;
  const std::string out = by_place(spec, verbs, written);
  Words named = own;
  std::erase(named, "");
  refuse(fmt::format(
      "the specification has the axes {}, and those of {} are {}, slowest first; write {} if the names are right, or names that are not "
      "the file's to go by place: {}",
      fmt::join(written, " "), facts.path, fmt::join(named, " "), line_of(meant(spec, written, named), verbs), out));
}

}  // namespace crinkle::tool
