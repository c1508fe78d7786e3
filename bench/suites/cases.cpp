// SPDX-License-Identifier: BSD-3-Clause
#include "suites/cases.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <optional>

#include "base/caret.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t most_element_bytes = 1 << 20;

std::optional<std::int64_t> number_of(const std::string& word) {
  std::int64_t n = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), n);
  return code == std::errc() && end == word.data() + word.size() ? std::optional(n) : std::nullopt;
}

std::vector<std::string> words_of(std::string_view line, const std::string& place) {
  std::vector<std::string> words;
  bool is_inside = false;
  char quote = 0;
  for (const char c : line) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\r';
    if (quote == 0 && is_blank) {
      is_inside = false;
      continue;
    }
    if (!is_inside) words.emplace_back();
    is_inside = true;
    if (quote == c) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) throw wrong_case(place, std::string("expected a closing ") + quote);
  return words;
}

// The words of one line, taken from the left.
class Reader {
 public:
  Reader(std::vector<std::string> words, const std::string& place) : words_(std::move(words)), place_(place) {}

  bool is_at_end() const { return at_ == words_.size(); }
  bool is_at_number() const { return !is_at_end() && number_of(words_[at_]).has_value(); }

  std::string word(const std::string& what) {
    if (is_at_end()) throw wrong_case(place_, "expected " + what + ", found the end of the line");
    return words_[at_++];
  }

  std::int64_t number(const std::string& what, std::int64_t least, std::int64_t most = INT64_MAX) {
    const std::string text = word(what);
    const auto n = number_of(text);
    if (!n || *n < least || *n > most) {
      const std::string range =
          most == INT64_MAX ? std::to_string(least) + " or more" : std::to_string(least) + " to " + std::to_string(most);
      throw wrong_case(place_, "expected " + what + ", a number of " + range + ", found '" + shown(text) + "'");
    }
    return *n;
  }

  Extents extents() {
    Extents list;
    do list.push_back(number("an extent", 1));
    while (is_at_number());
    return list;
  }

  void end(const std::string& after) const {
    if (!is_at_end()) throw wrong_case(place_, "expected the end of the line after " + after + ", found '" + shown(words_[at_]) + "'");
  }

 private:
  std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::string place_;
};

void read_permutation(Case& c, Reader& in, std::int64_t rank) {
  const auto n = static_cast<std::size_t>(rank);
  std::vector<std::int64_t> from(n);  // destination axis i is source axis from[i], both counted from the fastest
  for (std::int64_t& axis : from) axis = in.number("an axis of the permutation", 0, rank - 1);
  std::vector<std::int64_t> sorted = from, all(n);
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0);
  if (sorted != all) throw wrong_case(c.place, "expected every axis from 0 to " + std::to_string(rank - 1) + " once in the permutation");
  c.extents.resize(n);
  for (std::size_t a = n; a-- > 0;) c.extents[a] = in.number("an extent for each of " + std::to_string(rank) + " axes", 1);
  c.order.resize(n);
  for (std::size_t a = 0; a < n; ++a) c.order[a] = rank - 1 - from[n - 1 - a];
  in.end(std::to_string(rank) + " extents");
}

void read_indexed(Case& c, Reader& in) {
  const std::string order = in.word("sorted or random");
  if (order != "sorted" && order != "random") throw wrong_case(c.place, "expected sorted or random, found '" + shown(order) + "'");
  c.index_order = order == "sorted" ? IndexOrder::sorted : IndexOrder::random;
  c.axis = in.number("the axis, 0 the slowest", 0);
  c.extents = in.extents();
  if (c.axis >= std::ssize(c.extents))
    throw wrong_case(c.place, "expected an axis below the rank, " + std::to_string(c.extents.size()) + ", found " + std::to_string(c.axis));
  in.end("the extents");
}

Case parse_case(std::vector<std::string> words, const std::string& place) {
  Reader in(std::move(words), place);
  Case c;
  c.place = place;
  c.name = in.word("a name");
  c.element_bytes = in.number("the element's bytes", 1, most_element_bytes);
  const std::string what = "a rank, spec, records, apart, planes, from-planes, gather, scatter, range-read or range-write";
  if (in.is_at_number()) {
    read_permutation(c, in, in.number("the rank", 1, 48));
    return c;
  }
  const std::string kind = in.word(what);
  if (kind == "spec") {
    c.kind = Case::Kind::spec;
    c.words.push_back(in.word("a specification between quotes, as in 'y x -> x y'"));
    c.extents = in.extents();
    while (!in.is_at_end()) c.words.push_back(in.word("an option"));
  } else if (kind == "records" || kind == "apart") {
    c.kind = kind == "records" ? Case::Kind::records : Case::Kind::apart;
    for (const char* what_it_is : {"fields between quotes, as in 'x:f4 y:f4'", "the layout they come from", "the layout they go to"})
      c.words.push_back(in.word(what_it_is));
    c.extents = {in.number("the number of records", 1)};
    in.end("the number of records");
  } else if (kind == "planes" || kind == "from-planes") {
    c.kind = kind == "planes" ? Case::Kind::planes : Case::Kind::from_planes;
    c.extents = {in.number("the number of elements", 1)};
    in.end("the number of elements");
  } else if (kind == "gather" || kind == "scatter") {
    c.kind = kind == "gather" ? Case::Kind::gather : Case::Kind::scatter;
    read_indexed(c, in);
  } else if (kind == "range-read" || kind == "range-write") {
    c.kind = kind == "range-read" ? Case::Kind::range_read : Case::Kind::range_write;
    c.first = in.number("where the range begins", 0);
    c.extents = {in.number("the number of its elements", 1)};
    c.whole = in.number("the number of all elements", 1);
    if (c.first > c.whole - c.extents[0])
      throw wrong_case(place, "expected a range within " + std::to_string(c.whole) + " elements, found " + std::to_string(c.extents[0]) +
                                  " from " + std::to_string(c.first));
    in.end("the number of all elements");
  } else {
    throw wrong_case(place, "expected " + what + ", found '" + shown(kind) + "'");
  }
  return c;
}

}  // namespace

Records records_of(const Case& c) {
  const Fields fields = parse_fields(c.words.at(0));
  return {RecordLayout::parse(c.words.at(1), fields), RecordLayout::parse(c.words.at(2), fields)};
}

Error wrong_case(const std::string& place, const std::string& text) { return {ErrorCode::bad_file, place + ": " + text}; }

std::vector<Case> parse_cases(std::string_view text, const std::string& file) {
  std::vector<Case> cases;
  for (std::int64_t n = 1; !text.empty(); ++n) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string place = file + ":" + std::to_string(n);
    std::vector<std::string> words = words_of(text.substr(0, end).starts_with('#') ? "" : text.substr(0, end), place);
    if (!words.empty()) {
      cases.push_back(parse_case(std::move(words), place));
      try {
        (void)Layout::dense(cases.back().extents, cases.back().element_bytes);
        if (cases.back().is_of_records()) (void)records_of(cases.back());
      } catch (const Error& e) { throw wrong_case(place, e.what()); }
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return cases;
}

std::vector<Case> read_cases(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error(ErrorCode::bad_file, file + ": reading the cases: " + std::strerror(errno));
  if (std::filesystem::is_directory(file)) throw Error(ErrorCode::bad_file, file + ": reading the cases: it is a directory");
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::vector<Case> cases = parse_cases(text, file);
  if (cases.empty()) throw Error(ErrorCode::bad_file, file + ": has no case; a line is NAME ELEMENT_BYTES RANK PERMUTATION... EXTENTS...");
  return cases;
}

std::optional<Case> halved(Case c) {
  // The first extent of shuffled bytes is the element's bytes.
  const bool is_shuffled = std::find(c.words.begin(), c.words.end(), "--unshuffle") != c.words.end();
  const auto longest = std::max_element(c.extents.begin() + (is_shuffled ? 1 : 0), c.extents.end());
  if (longest == c.extents.end() || *longest <= 1) return {};
  *longest /= 2;
  c.first /= 2;
  c.whole /= 2;
  c.scaled_by *= 2;
  return c;
}

}  // namespace crinkle::bench
