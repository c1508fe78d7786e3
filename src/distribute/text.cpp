// The text form of distributed layouts: 'y:block(4) x:cyclic(2,64)'.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/caret.hpp"
#include "base/letters.hpp"
#include "crinkle/distribute.hpp"

namespace crinkle {
namespace {

class DistributionText {
 public:
  DistributionText(std::string_view text, const Extents& extents, const std::vector<std::string>& names)
      : text_(text), extents_(extents), names_(names), axes_(extents.size()) {}

  std::vector<GridAxis> grid;
  std::vector<AxisParts> axes() const {
    std::vector<AxisParts> axes;
    for (std::size_t a = 0; a < extents_.size(); ++a) axes.push_back(axes_[a] ? *axes_[a] : AxisParts::whole(extents_[a]));
    return axes;
  }

  void read() {
    for (skip_spaces(); at_ < text_.size(); skip_spaces()) {
      const std::size_t from = at_;
      const std::string_view word = read_word();
      if (word.empty()) fail(from, 1, fmt::format("expected an axis, as in 'y:block(4)', found '{}'", text_.substr(from, 1)));
      if (at_ < text_.size() && text_[at_] == ':') {
        ++at_;
        read_axis(word, from);
      } else if (word == "copies") {
        const std::vector<std::int64_t> numbers = read_numbers(from, 1, 1, "copies(n)");
        if (numbers[0] < 1) fail(from, at_ - from, fmt::format("{} copies: there is 1 or more", numbers[0]));
        grid.push_back({-1, numbers[0]});
      } else if (word != "whole") {
        fail(from, word.size(), fmt::format("'{}' needs how it is divided: '{}:block(4)'", word, word));
      }
      if (at_ < text_.size() && !is_space(text_[at_]))
        fail(at_, 1, fmt::format("expected a space between items, found '{}'", text_.substr(at_, 1)));
    }
  }

 private:
  [[noreturn]] void fail(std::size_t at, std::size_t n, const std::string& message) const { throw notation_error(text_, at, n, message); }
  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  std::string_view read_word() {
    const std::size_t from = at_;
    if (at_ < text_.size() && text_[at_] == '@') {
      ++at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    } else if (starts_name(text_, at_)) {
      at_ = end_of_name(text_, at_);
    }
    return text_.substr(from, at_ - from);
  }
  std::size_t axis_of(std::string_view word, std::size_t from) const {
    if (word[0] == '@') {
      std::size_t a = 0;
      const auto [end, code] = std::from_chars(word.data() + 1, word.data() + word.size(), a);
      if (code == std::errc() && end == word.data() + word.size() && a < extents_.size()) return a;
      fail(from, word.size(), fmt::format("there is no axis '{}': the array has {}, from @0 on", word, extents_.size()));
    }
    const auto found = std::find(names_.begin(), names_.end(), word);
    if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    if (names_.empty())
      fail(from, word.size(),
           fmt::format("axes have no names here: write '@0' to '@{}' instead of '{}', or name them", std::ssize(extents_) - 1, word));
    fail(from, word.size(), fmt::format("there is no axis '{}'; there are {}", word, fmt::join(names_, ", ")));
  }
  std::int64_t read_number(std::size_t from, std::string_view form) {
    skip_spaces();
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (code == std::errc::result_out_of_range)
      fail(at_, static_cast<std::size_t>(end - text_.data()) - at_, "this number does not fit 64 bits");
    if (code != std::errc()) fail(std::min(at_, text_.size()), 1, fmt::format("expected a number of '{}'", form));
    at_ = static_cast<std::size_t>(end - text_.data());
    skip_spaces();
    if (at_ == text_.size()) fail(from, at_ - from, fmt::format("'{}' has no closing ')'", form));
    return value;
  }
  // "(1,2,3;4,5)"; what follows a ';' goes into `behind`.
  std::vector<std::int64_t> read_numbers(std::size_t from, std::size_t least, std::size_t most, std::string_view form,
                                         std::vector<std::int64_t>* behind = nullptr) {
    std::vector<std::int64_t> numbers;
    if (at_ == text_.size() || text_[at_] != '(') fail(from, at_ - from, fmt::format("expected '{}'", form));
    bool is_behind = false;
    for (char sign = '('; sign != ')'; sign = text_[at_ - 1]) {
      ++at_;
      (is_behind ? *behind : numbers).push_back(read_number(from, form));
      const char next = text_[at_];
      const bool divides = next == ';' && behind != nullptr && !is_behind;
      if (next != ',' && next != ')' && !divides) fail(at_, 1, fmt::format("expected ',' or ')' in '{}', found '{}'", form, next));
      is_behind = is_behind || divides;
      if (next == ')') ++at_;
    }
    if (numbers.size() < least || numbers.size() > most)
      fail(from, at_ - from, fmt::format("{} numbers; it is '{}'", numbers.size(), form));
    return numbers;
  }
  void read_axis(std::string_view word, std::size_t from) {
    const std::size_t a = axis_of(word, from), at = at_;
    if (axes_[a]) fail(from, word.size(), fmt::format("axis '{}' is divided twice", word));
    const std::int64_t n = extents_[a];
    const std::string_view kind = read_word();
    try {
      if (kind == "block") {
        axes_[a] = AxisParts::block(n, read_numbers(at, 1, 1, "block(parts)")[0]);
      } else if (kind == "cyclic") {
        const std::vector<std::int64_t> x = read_numbers(at, 1, 3, "cyclic(parts,cell,first)");
        axes_[a] = AxisParts::cyclic(n, x[0], x.size() > 1 ? x[1] : 1, x.size() > 2 ? x[2] : 0);
      } else if (kind == "cuts") {
        std::vector<std::int64_t> owners;
        const std::vector<std::int64_t> cuts = read_numbers(at, 2, SIZE_MAX, "cuts(0,…,extent;owner,…)", &owners);
        axes_[a] = AxisParts::irregular(cuts, owners);
        if (cuts.back() != n) throw Error(ErrorCode::bad_shape, fmt::format("cuts end at {} and the axis has {} indices", cuts.back(), n));
      } else if (kind == "whole") {
        axes_[a] = AxisParts::whole(n);
      } else {
        fail(at, std::max<std::size_t>(1, kind.size()), "expected block(…), cyclic(…), cuts(…) or whole");
      }
    } catch (const Error& e) {
      if (e.code() != ErrorCode::bad_shape) throw;
      throw caret_error(e.code(), text_, from, at_ - from, e.what());
    }
    grid.push_back({static_cast<int>(a), axes_[a]->parts()});
  }

  std::string_view text_;
  const Extents& extents_;
  const std::vector<std::string>& names_;
  std::vector<std::optional<AxisParts>> axes_;
  std::size_t at_ = 0;
};

}  // namespace

Distribution::Distribution(const Extents& extents, std::vector<std::string> names, std::string_view text) {
  if (!names.empty() && names.size() != extents.size())
    throw Error(ErrorCode::bad_shape, fmt::format("{} names of {} axes: one an axis, or none", names.size(), extents.size()));
  for (const std::int64_t n : extents)
    if (n < 0) throw Error(ErrorCode::bad_shape, fmt::format("an array of extents {}: an extent is 0 or more", print_shape(extents)));
  DistributionText reader(text, extents, names);
  reader.read();
  *this = Distribution(reader.axes(), std::move(reader.grid), std::move(names));
}

}  // namespace crinkle
