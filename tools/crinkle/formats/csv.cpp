// SPDX-License-Identifier: BSD-3-Clause
#include "formats/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "formats/csv_words.hpp"
#include "formats/file.hpp"

namespace crinkle::tool {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// Goes through the text field by field.
class Reader {
 public:
  Reader(std::string_view text, const std::string& path) : text_(text), path_(path) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  void set_delimiter(char delimiter) { delimiter_ = delimiter; }
  char delimiter() const { return delimiter_; }
  bool is_at_end() const { return text_.find_first_not_of("\r\n", at_) == std::string_view::npos; }
  std::int64_t line() const { return line_; }
  std::string_view first_line() const { return text_.substr(at_, text_.find('\n', at_) - at_); }
  bool is_at_mark() const { return at_ < text_.size() && text_[at_] == '#'; }
  /// Skips a line, and returns it.
  std::string_view skip_line() {
    const std::string_view line = first_line();
    at_ = std::min(text_.size(), at_ + line.size() + 1);
    ++line_;
    return line;
  }
  void skip_empty_lines() {
    while (!is_at_end() && trimmed(first_line()).find_first_not_of('\r') == std::string_view::npos) skip_line();
  }
  /// The last record comes once more.
  void repeat() {
    at_ = record_at_;
    line_ = record_line_;
  }

  /// The fields of the next record; views of the text, or of own memory where there were doubled quotes.
  const std::vector<std::string_view>& record() {
    fields_.clear();
    own_.clear();
    record_line_ = line_;
    record_at_ = at_;
    while (field()) {}
    return fields_;
  }
  std::int64_t record_line() const { return record_line_; }

 private:
  // Reads a field. Returns whether another one of the record follows.
  bool field() {
    if (fields_.empty()) skip_blanks();
    if (at_ < text_.size() && text_[at_] == '"') {
      quoted();
    } else {
      const std::size_t end = std::min(text_.size(), text_.find_first_of(ends(), at_));
      fields_.push_back(trimmed(text_.substr(at_, end - at_)));
      at_ = end;
    }
    if (at_ < text_.size() && text_[at_] == delimiter_) {
      ++at_;
      skip_blanks();
      const bool is_over = at_ == text_.size() || text_[at_] == '\r' || text_[at_] == '\n';
      if (delimiter_ != ' ' || !is_over) return true;  // blanks at the end of a line are none
    }
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    ++line_;
    return false;
  }

  // Several blanks are one delimiter.
  void skip_blanks() {
    while (delimiter_ == ' ' && at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  void quoted() {
    const std::int64_t begins = line_;
    std::string field;
    for (std::size_t from = at_ + 1;;) {
      const std::size_t quote = text_.find('"', from);
      if (quote == std::string_view::npos) throw_bad_file(path_, fmt::format("line {}: a quote begins and does not end", begins));
      field += text_.substr(from, quote - from);
      at_ = quote + 1;
      if (at_ >= text_.size() || text_[at_] != '"') break;
      field += '"';
      from = at_ + 1;
    }
    line_ += std::count(field.begin(), field.end(), '\n');
    if (at_ < text_.size() && ends().find(text_[at_]) == std::string_view::npos)
      throw_bad_file(path_, fmt::format("line {}: '{}' follows a quote's end", line_, printable(text_.substr(at_, 10))));
    own_.push_back(std::make_unique<std::string>(std::move(field)));
    fields_.push_back(trimmed(*own_.back()));
  }

  std::string_view ends() const {
    ends_[0] = delimiter_;
    return {ends_, 3};
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0, record_at_ = 0;
  std::int64_t line_ = 1, record_line_ = 1;
  char delimiter_ = ',';
  mutable char ends_[4] = ",\r\n";
  std::vector<std::string_view> fields_;
  std::vector<std::unique_ptr<std::string>> own_;
};

// Of commas that stand before decimals there is none.
char delimiter_of(std::string_view header, char given, char decimal) {
  if (given != 0 && header.find(given) != std::string_view::npos) return given;
  char best = decimal == ',' && header.find_first_of(";\t|") != std::string_view::npos ? ';' : ',';
  for (const char c : {',', ';', '\t', '|'})
    if (c != decimal && std::count(header.begin(), header.end(), c) > std::count(header.begin(), header.end(), best)) best = c;
  const bool has_one = header.find(best) != std::string_view::npos;
  return !has_one && trimmed(header).find(' ') != std::string_view::npos && header.find('"') == std::string_view::npos ? ' ' : best;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// The column of this name, or else the only one that has it in capitals.
std::size_t column_of(const std::vector<std::string>& header, const std::string& name) {
  if (const auto found = std::find(header.begin(), header.end(), name); found != header.end())
    return static_cast<std::size_t>(found - header.begin());
  std::size_t column = nowhere;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (!std::equal(header[i].begin(), header[i].end(), name.begin(), name.end(), [](char a, char b) { return lower(a) == lower(b); }))
      continue;
    if (column != nowhere) return nowhere;
    column = i;
  }
  return column;
}

bool is_all_numbers(const std::vector<std::string>& fields, char decimal) {
  return std::all_of(fields.begin(), fields.end(), [&](const std::string& field) { return number_in(field, decimal).has_value(); });
}

// The delimiter that Excel says in a line of its own before the header, sep=; and the like; else 0.
char said_delimiter(Reader& reader) {
  std::string_view line = reader.first_line();
  while (line.ends_with('\r') || line.ends_with('"')) line.remove_suffix(1);
  if (line.starts_with('"')) line.remove_prefix(1);
  if (line.size() != 5 || lower(line[0]) != 's' || lower(line[1]) != 'e' || lower(line[2]) != 'p' || line[3] != '=') return 0;
  reader.skip_line();
  return line[4];
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + printable(name, 30);
  return printable(list, 400);
}

/// The fields of the header line; the reader is then behind it. A table without one has the columns' numbers, where these are asked for.
std::vector<std::string> header_of(Reader& reader, const std::string& path, const CsvRequest& request) {
  reader.skip_empty_lines();
  const char said = said_delimiter(reader), wanted = request.delimiter != 0 ? request.delimiter : said;
  std::string_view comment;
  for (reader.skip_empty_lines(); reader.is_at_mark(); reader.skip_empty_lines()) comment = reader.skip_line();
  if (reader.is_at_end() && comment.empty()) throw_bad_file(path, "is empty; a table begins with a header line of names");
  const auto read = [&](Reader& from, std::string_view line) {
    from.set_delimiter(delimiter_of(line, wanted, request.decimal));
    const auto& fields = from.record();
    return std::vector<std::string>(fields.begin(), fields.end());
  };
  const auto has_all = [&](const std::vector<std::string>& header) {
    return std::all_of(request.names.begin(), request.names.end(),
                       [&](const std::string& name) { return column_of(header, name) != nowhere; });
  };
  std::vector<std::string> header = read(reader, reader.first_line());
  if (has_all(header)) return header;
  if (!comment.empty()) {
    comment.remove_prefix(1);
    Reader of_comment(trimmed(comment), path);
    const std::vector<std::string> names = read(of_comment, trimmed(comment));
    if (has_all(names)) {
      reader.repeat();
      reader.set_delimiter(of_comment.delimiter());
      return names;
    }
  }
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < header.size(); ++i) numbers.push_back(std::to_string(i));
  if (!is_all_numbers(header, request.decimal) || !has_all(numbers)) return header;
  reader.repeat();
  return numbers;
}

bool has_commas(const std::vector<std::string>& header) {
  return std::any_of(header.begin(), header.end(), [](const std::string& name) { return name.find(',') != std::string::npos; });
}

std::vector<std::size_t> places_of(const CsvRequest& request, const std::vector<std::string>& header, const std::string& path) {
  std::vector<std::size_t> places;
  for (const std::string& name : request.names) {
    const std::string option = places.size() < request.options.size() ? request.options[places.size()] : "";
    const std::size_t found = column_of(header, name);
    if (found == nowhere && is_all_numbers(header, request.decimal))
      throw_bad_file(path,
                     fmt::format("there is no column '{}', as its first line, {}, is of numbers, not of names; write one of names above "
                                 "it, or say the columns by number, 0 being the first: --x 0 --y 1 --value 2",
                                 printable(name), listed(header)));
    if (found == nowhere)
      throw_bad_file(
          path,
          fmt::format("there is no column '{}'; its header line names {}{}{}", printable(name), listed(header),
                      option.empty() ? "" : "; " + option + " NAME says which it is",
                      option.empty() || !has_commas(header) ? "" : "; a name with a comma goes in quotes: " + option + " '\"a, b\"'"));
    if (std::count(header.begin(), header.end(), header[found]) > 1)
      throw_bad_file(path, fmt::format("the header line names the column '{}' twice", printable(name)));
    places.push_back(found);
  }
  return places;
}

}  // namespace

CsvColumns read_csv(std::span<const std::byte> bytes, const std::string& path, const CsvRequest& request) {
  Reader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
  const std::vector<std::string> header = header_of(reader, path, request);
  const std::vector<std::size_t> places = places_of(request, header, path);
  const bool is_first_wanted = std::find(places.begin(), places.end(), 0) != places.end();
  const auto is_comment = [&](std::string_view line) {
    const auto n_fields = static_cast<std::size_t>(std::count(line.begin(), line.end(), reader.delimiter())) + 1;
    return n_fields != header.size() || (is_first_wanted && !is_word_for_missing(trimmed(line.substr(0, line.find(reader.delimiter())))));
  };
  CsvColumns table;
  if (is_all_numbers(header, request.decimal) && reader.line() > reader.record_line())
    table.notes.push_back(fmt::format("its first line, {}, is taken as names of columns, not as a record", listed(header)));
  table.columns.resize(places.size());
  std::vector<double> numbers(places.size());
  std::vector<bool> missing(places.size());
  bool has_rounded = false;
  while (!reader.is_at_end()) {
    if (reader.is_at_mark() && is_comment(reader.first_line())) {
      reader.skip_line();
      continue;
    }
    const auto& fields = reader.record();
    const std::int64_t line = reader.record_line();
    if (fields.size() == 1 && fields[0].empty() && header.size() > 1) continue;  // an empty line
    if (fields.size() != header.size())
      throw_bad_file(path, fmt::format("line {}: {} fields where the header line has {}{}", line, fields.size(), header.size(),
                                       fields.size() == 2 * header.size() && reader.delimiter() == ','
                                           ? "; decimals behind a comma need another delimiter, or quotes, and --decimal ,"
                                           : ""));
    for (std::size_t k = 0; k < places.size(); ++k) {
      const std::string_view text = fields[places[k]];
      const auto where = [&] { return fmt::format("line {}, column {} ({})", line, places[k] + 1, printable(request.names[k], 30)); };
      const std::optional<double> number = number_in(text, request.decimal);
      const bool is_marked = request.values.has(k) && request.marks.is_one(text, number);
      table.n_marked += is_marked ? 1 : 0;
      missing[k] = is_marked || is_word_for_missing(text);
      if (missing[k]) {
        if (request.missing == Missing::is_refused)
          throw_bad_file(path, fmt::format("{}: '{}' is a missing value", where(), printable(text, 30)));
        numbers[k] = std::numeric_limits<double>::quiet_NaN();
        continue;
      }
      if (!number || !std::isfinite(*number))
        throw_bad_file(path, fmt::format("{}: '{}' {}", where(), printable(text, 30), fault_of(text, request.decimal)));
      numbers[k] = *number;
      has_rounded = has_rounded || is_beyond_2_to_53(text);
    }
    if (!request.values.is_enough(missing)) {
      ++table.n_skipped;
      continue;
    }
    for (std::size_t k = 0; k < places.size(); ++k) table.columns[k].push_back(numbers[k]);
    ++table.n_records;
  }
  if (has_rounded) table.notes.emplace_back("there are whole numbers beyond 2^53, which are rounded to float64");
  return table;
}

bool has_csv_column(std::span<const std::byte> bytes, const std::string& path, const std::string& name, char delimiter) {
  Reader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
  return column_of(header_of(reader, path, {.names = {name}, .delimiter = delimiter}), name) != nowhere;
}

std::string csv_names(std::span<const std::byte> bytes, const std::string& path, char delimiter) {
  Reader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
  return listed(header_of(reader, path, {.names = {}, .options = {}, .delimiter = delimiter}));
}

}  // namespace crinkle::tool
