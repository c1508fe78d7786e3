// A moment is counted in attoseconds, 128 bits of them, and divided by the unit; years and months, which differ in length, are counted
// by the calendar.
// SPDX-License-Identifier: BSD-3-Clause
#include "notation/moment.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "base/caret.hpp"
#include "base/checked.hpp"

namespace crinkle {
namespace {

constexpr std::size_t most_year_digits = 12;  // 10^12 years of attoseconds fit 128 bits

struct Unit {
  std::string_view symbol;
  const char* name;
  Int128 attoseconds;  // 0: counted by the calendar
};

constexpr Int128 second = Int128{1'000'000'000} * 1'000'000'000, day = 86400 * second;
constexpr std::array<Unit, 13> units = {{{"Y", "years", 0},
                                         {"M", "months", 0},
                                         {"W", "weeks", 7 * day},
                                         {"D", "days", day},
                                         {"h", "hours", 3600 * second},
                                         {"m", "minutes", 60 * second},
                                         {"s", "seconds", second},
                                         {"ms", "milliseconds", second / 1'000},
                                         {"us", "microseconds", second / 1'000'000},
                                         {"ns", "nanoseconds", second / 1'000'000'000},
                                         {"ps", "picoseconds", 1'000'000},
                                         {"fs", "femtoseconds", 1'000},
                                         {"as", "attoseconds", 1}}};

struct Moment {
  std::int64_t year = 1970, month = 1, day = 1, seconds = 0, attoseconds = 0;  // seconds of the day, attoseconds of the second
};

bool is_leap(std::int64_t year) { return modulo(year, 4) == 0 && (modulo(year, 100) != 0 || modulo(year, 400) == 0); }

std::int64_t days_in(std::int64_t year, std::int64_t month) {
  constexpr std::array<std::int64_t, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return days[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap(year) ? 1 : 0);
}

// Since 1970-01-01.
std::int64_t days_until(const Moment& m) {
  constexpr std::int64_t from_year_1 = 719162;  // of 1970-01-01
  const std::int64_t years = m.year - 1;
  std::int64_t days = 365 * years + floor_divide(years, 4) - floor_divide(years, 100) + floor_divide(years, 400) - from_year_1;
  for (std::int64_t month = 1; month < m.month; ++month) days += days_in(m.year, month);
  return days + m.day - 1;
}

class MomentParser {
 public:
  MomentParser(std::string_view text, std::string_view unit) : text_(text) {
    const std::size_t digits = std::min(unit.find_first_not_of("0123456789"), unit.size());
    const std::string_view symbol = unit.substr(digits);
    const auto* const found = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.symbol == symbol; });
    const auto [end, status] = std::from_chars(unit.data(), unit.data() + digits, multiple_);
    if (found == units.end() || (digits > 0 && (status != std::errc{} || multiple_ < 1))) {
      throw Error(ErrorCode::unsupported,
                  "a value of datetime64[" + shown(unit) +
                      "] cannot be written as text: its unit is none of Y, M, W, D, h, m, s, ms, us, ns, ps, fs, as");
    }
    unit_ = *found;
  }

  std::int64_t parse() {
    read();
    Int128 count = 0;
    bool is_whole = true;
    if (unit_.attoseconds == 0) {
      const bool is_year = unit_.symbol == "Y";
      count = is_year ? Int128{moment_.year} - 1970 : (Int128{moment_.year} - 1970) * 12 + moment_.month - 1;
      is_whole = (!is_year || moment_.month == 1) && moment_.day == 1 && moment_.seconds == 0 && moment_.attoseconds == 0;
    } else {
      const Int128 all = days_until(moment_) * day + moment_.seconds * second + moment_.attoseconds;
      count = all / unit_.attoseconds;
      is_whole = all % unit_.attoseconds == 0;
    }
    is_whole = is_whole && count % multiple_ == 0;
    count /= multiple_;
    const std::string counted = "a datetime64 in " + (multiple_ == 1 ? "" : std::to_string(multiple_) + " ") + unit_.name;
    if (!is_whole) throw error(0, text_.size(), "expected a whole number of units since 1970-01-01: it is " + counted);
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    if (count > most || count < -most) throw error(0, text_.size(), counted + " does not reach so far: it has 64 bits");
    return static_cast<std::int64_t>(count);
  }

 private:
  Error error(std::size_t column, std::size_t length, const std::string& message) const {
    return notation_error(text_, column, length, message);
  }

  void read() {
    const bool is_negative = take('-');
    if (!is_negative) take('+');
    moment_.year = number(4, most_year_digits, 0, INT64_MAX, "a date, as in 2020-01-31 or 2020-01-31T23:59:59.5, or NaT");
    if (is_negative) moment_.year = -moment_.year;
    if (take('-')) moment_.month = number(2, 2, 1, 12, "a month, 01 to 12");
    else return expect_end("-MM");
    if (!take('-')) return expect_end("-DD");
    const std::int64_t n_days = days_in(moment_.year, moment_.month);
    moment_.day = number(2, 2, 1, n_days, "a day of that month, 01 to " + std::to_string(n_days));
    if (!take('T') && !take(' ')) return expect_end("T and the time of day");
    moment_.seconds = 3600 * number(2, 2, 0, 23, "an hour, 00 to 23");
    if (!take(':')) return expect_end(":mm");
    moment_.seconds += 60 * number(2, 2, 0, 59, "minutes, 00 to 59");
    if (!take(':')) return expect_end(":ss");
    moment_.seconds += number(2, 2, 0, 59, "seconds, 00 to 59");
    if (!take('.')) return expect_end("a fraction of the second");
    const std::size_t begin = at_;
    moment_.attoseconds = number(1, 18, 0, INT64_MAX, "a fraction of 1 to 18 digits");
    for (std::size_t digits = at_ - begin; digits < 18; ++digits) moment_.attoseconds *= 10;
    expect_end("");
  }

  bool take(char symbol) {
    const bool is_next = at_ < text_.size() && text_[at_] == symbol;
    at_ += is_next ? 1 : 0;
    return is_next;
  }

  void expect_end(const std::string& otherwise) const {
    if (at_ == text_.size()) return;
    throw error(at_, text_.size() - at_,
                "expected " + (otherwise.empty() ? "" : otherwise + " or ") + "the end of the date, without a zone");
  }

  std::int64_t number(std::size_t fewest, std::size_t most, std::int64_t low, std::int64_t high, const std::string& wanted) {
    const std::size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size()), n = end - at_;
    std::int64_t value = -1;
    if (n >= fewest && n <= most) std::from_chars(text_.data() + at_, text_.data() + end, value);
    if (value < low || value > high) throw error(at_, n, "expected " + wanted);
    at_ = end;
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::int64_t multiple_ = 1;
  Unit unit_ = units.front();
  Moment moment_;
};

}  // namespace

bool is_not_a_time(std::string_view text) {
  return text.size() == 3 && (text[0] == 'N' || text[0] == 'n') && (text[1] == 'a' || text[1] == 'A') && (text[2] == 'T' || text[2] == 't');
}

std::int64_t parse_moment(std::string_view text, std::string_view unit) {
  return is_not_a_time(text) ? not_a_time : MomentParser(text, unit).parse();
}

}  // namespace crinkle
