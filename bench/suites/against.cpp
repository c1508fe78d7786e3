// SPDX-License-Identifier: BSD-3-Clause
#include "suites/against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "base/caret.hpp"
#include "crinkle/error.hpp"

namespace crinkle::bench {
namespace {

double percent(double change) { return 100 * (change - 1); }

std::string told(const Against::Change& c) {
  return fmt::format("{} of {} bytes ({:+.1f} %, noise {:.1f} %)", c.name, c.element_bytes, percent(c.change()), 100 * c.noise);
}

}  // namespace

Against::Against(const std::string& path) : path_(path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::bad_file, path + ": opening: " + std::strerror(errno));
  try {
    const nlohmann::json old = nlohmann::json::parse(file);
    suite_ = old.at("suite");
    device_ = old.at("device");
    commit_ = old.at("commit");
    date_ = old.at("date");
    for (const auto& row : old.at("rows")) {
      const double seconds = row.at("seconds"), fraction = row.at("fraction_of_copy"), iqr = row.at("iqr");
      if (!(seconds > 0) || !(fraction > 0) || !(iqr >= 0)) throw Error(ErrorCode::bad_file, path + ": a row's numbers are not positive");
      rows_[{row.at("name"), row.at("element_bytes")}] = {fraction, iqr / seconds};
    }
  } catch (const nlohmann::json::exception& e) {
    throw Error(ErrorCode::bad_file, path + ": is no document that crinkle bench --json wrote: " + shown(e.what()));
  }
}

void Against::check(const Origin& now) const {
  if (suite_ != now.suite)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: is of the suite {}, this is {}; compare with one of this suite", path_, suite_, now.suite));
  if (device_ != device_of(now))
    throw Error(ErrorCode::unsupported, fmt::format("{}: was measured on '{}', this is '{}'; measure it here, with as many threads", path_,
                                                    device_, device_of(now)));
}

std::vector<Against::Change> Against::changes(const std::vector<Row>& rows) const {
  std::vector<Change> changes;
  for (const Row& row : rows) {
    const auto past = rows_.find({row.name, row.element_bytes});
    if (past == rows_.end()) continue;
    changes.push_back({row.name, row.element_bytes, past->second.fraction, row.fraction_of_copy(),
                       std::hypot(row.iqr / row.seconds, past->second.noise)});
  }
  return changes;
}

void Against::print(const std::vector<Row>& rows, std::FILE* table) const {
  const std::vector<Change> all = changes(rows);
  if (all.empty())
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: none of its {} rows is among the {} of this run", path_, rows_.size(), rows.size()));
  fmt::print(table, "\nagainst {} (commit {}, {})\n{:<28} {:>5} {:>8} {:>8} {:>8} {:>8}\n", path_, commit_, date_, "case", "bytes", "then",
             "now", "change", "noise");
  double logs = 0;
  std::string losses;
  std::size_t n_losses = 0;
  for (const Change& c : all) {
    logs += std::log(c.change());
    fmt::print(table, "{:<28} {:>5} {:>6.0f} % {:>6.0f} % {:>+6.1f} % {:>6.1f} %{}\n", c.name, c.element_bytes, 100 * c.then, 100 * c.now,
               percent(c.change()), 100 * c.noise, c.is_loss() ? "  lost" : "");
    if (!c.is_loss()) continue;
    losses += (n_losses++ == 0 ? "" : ", ") + told(c);
  }
  const std::size_t n_new = rows.size() - all.size();
  fmt::print(table, "{} rows: geometric mean of the changes {:+.1f} %{}\n", all.size(),
             percent(std::exp(logs / static_cast<double>(all.size()))), n_new == 0 ? "" : fmt::format("; {} are new", n_new));
  std::fflush(table);
  if (n_losses > 0)
    throw std::runtime_error(
        fmt::format("{} of {} rows are slower than in {} beyond their noise: {}", n_losses, all.size(), path_, losses));
}

}  // namespace crinkle::bench
