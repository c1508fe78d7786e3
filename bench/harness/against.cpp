// SPDX-License-Identifier: BSD-3-Clause
#include "harness/against.hpp"

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
  return fmt::format("{} of {} bytes (time {:+.1f} %, share {:+.1f} %, noise {:.1f} %)", c.name, c.element_bytes, percent(1 / c.speed),
                     percent(c.share()), 100 * c.noise);
}

bool is_by_hand(const Row& row) {
  if (!row.facts.contains("plot")) return false;
  const std::string series = row.facts["plot"].value("series", "");
  return series == "A" || series == "B" || series == "C";
}

double copy_noise(const Row& row) { return row.copies.empty() ? 0 : row.copy_iqr.value_or(0) / row.best_copy().second; }

}  // namespace

Against::Against(const std::string& path, const std::string& program) : path_(path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::bad_file, path + ": opening: " + std::strerror(errno));
  try {
    const nlohmann::json old = nlohmann::json::parse(file);
    suite_ = old.at("suite");
    device_ = old.at("device");
    commit_ = old.at("commit");
    date_ = old.at("date");
    behind_bytes_ = old.value("behind_bytes", std::int64_t{0});
    for (const auto& row : old.at("rows")) {
      const double seconds = row.at("seconds"), iqr = row.at("iqr"), copy_iqr = row.value("copy_iqr", 0.0);
      const double of_copy = row.value("fraction_of_copy", 1.0);  // of no copy: its time alone is compared
      // Older documents of GPUs have the copy of a kernel beside the driver's: the faster is the copy.
      const double fraction = std::min(of_copy, row.value("fraction_of_kernel_copy", of_copy));
      if (!(seconds > 0) || !(fraction > 0) || !(iqr >= 0) || !(copy_iqr >= 0))
        throw Error(ErrorCode::bad_file, path + ": a row's numbers are not positive");
      rows_[{row.at("name"), row.at("element_bytes")}] = {seconds, fraction, std::hypot(iqr / seconds, copy_iqr / (fraction * seconds))};
    }
  } catch (const nlohmann::json::exception& e) {
    throw Error(ErrorCode::bad_file, path + ": is no document that " + program + " --json wrote: " + shown(e.what()));
  }
}

void Against::check(const Origin& now) const {
  if (suite_ != now.suite)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: is of the suite {}, this is {}; compare with one of this suite", path_, suite_, now.suite));
  const auto behind = now.facts.is_object() ? now.facts.value("behind_bytes", std::int64_t{0}) : 0;
  if (behind_bytes_ != behind)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: its arrays begin {} bytes behind a page, these {}; compare {}", path_, behind_bytes_, behind,
                            behind_bytes_ == 0 ? "without --behind" : fmt::format("with --behind {}", behind_bytes_)));
  if (device_ == device_of(now)) return;
  const bool is_old_name = now.device.empty() && device_.find(" processor") == std::string::npos;
  throw Error(ErrorCode::unsupported,
              fmt::format("{}: was measured on '{}', this is '{}'; {}measure it here, with as many threads", path_, device_, device_of(now),
                          is_old_name ? "a name without family, model and number of processors may be another machine's: " : ""));
}

std::vector<Against::Change> Against::changes(const std::vector<Row>& rows) const {
  std::vector<Change> changes;
  for (const Row& row : rows) {
    const auto found = rows_.find({row.name, row.element_bytes});
    if (found == rows_.end()) continue;
    const Past& past = found->second;
    changes.push_back({row.name, row.element_bytes, past.fraction, row.copies.empty() ? past.seconds / row.seconds : row.fraction_of_copy(),
                       past.seconds / row.seconds, std::hypot(row.iqr / row.seconds, copy_noise(row), past.noise), is_by_hand(row)});
  }
  return changes;
}

Against::Verdicts Against::judged(const std::vector<Change>& all, const MeasureAgain& again, std::FILE* table) const {
  Verdicts found;
  for (const Change& c : all) {
    if (c.is_loss()) found.lost.insert({c.name, c.element_bytes});
    if (c.is_unclear()) found.unclear.insert({c.name, c.element_bytes});
  }
  for (int k = 0; again && k < n_again && !found.is_empty(); ++k) {
    const std::size_t n = found.lost.size() + found.unclear.size();
    fmt::print(table, "{}measuring {} row{} anew, {} of {}\n", k == 0 ? "\n" : "", n, n == 1 ? "" : "s", k + 1, n_again);
    std::fflush(table);
    std::set<std::string> names;
    for (const std::set<Key>* keys : {&found.lost, &found.unclear})
      for (const auto& [name, element_bytes] : *keys) names.insert(name);
    for (const Change& c : changes(again(names))) {
      const Key key{c.name, c.element_bytes};
      if (!c.has_fallen_by(least_loss)) found.unclear.erase(key);
      if (!c.is_loss() && found.lost.erase(key) > 0 && c.is_unclear()) found.unclear.insert(key);
    }
  }
  return found;
}

void Against::print(const std::vector<Row>& rows, std::FILE* table, const MeasureAgain& again) const {
  const std::vector<Change> all = changes(rows);
  if (all.empty())
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: none of its {} rows is among the {} of this run", path_, rows_.size(), rows.size()));
  const auto [lost, unclear] = judged(all, again, table);
  fmt::print(
      table,
      "\nagainst {} (commit {}, {})\nA row is lost where its time and its share of a copy both fall by more than the noise and {:.0f} %, "
      "and do so again when it is measured anew.\n{:<28} {:>5} {:>8} {:>8} {:>8} {:>8} {:>8}\n",
      path_, commit_, date_, 100 * least_loss, "case", "bytes", "then", "now", "share", "time", "noise");
  double share_logs = 0, time_logs = 0;
  std::size_t n = 0;
  std::string losses;
  for (const Change& c : all) {
    const Key key{c.name, c.element_bytes};
    const bool is_lost = lost.contains(key), is_unclear = unclear.contains(key);
    fmt::print(table, "{:<28} {:>5} {:>6.0f} % {:>6.0f} % {:>+6.1f} % {:>+6.1f} % {:>6.1f} %{}\n", c.name, c.element_bytes, 100 * c.then,
               100 * c.now, percent(c.share()), percent(1 / c.speed), 100 * c.noise,
               is_lost                       ? "  lost"
               : is_unclear                  ? "  cannot tell"
               : c.is_by_hand                ? "  by hand"
               : c.has_fallen_by(least_loss) ? "  not again"
                                             : "");
    if (is_lost) losses += (losses.empty() ? "" : ", ") + told(c);
    if (c.is_by_hand) continue;
    share_logs += std::log(c.share());
    time_logs -= std::log(c.speed);
    ++n;
  }
  const std::size_t n_new = rows.size() - all.size();
  const auto mean = [n](double logs) { return percent(std::exp(logs / static_cast<double>(std::max<std::size_t>(1, n)))); };
  fmt::print(table, "{} rows: geometric mean of the changes {:+.1f} % (share), {:+.1f} % (time){}{}\n", n, mean(share_logs),
             mean(time_logs), n_new == 0 ? "" : fmt::format("; {} are new", n_new),
             unclear.empty() ? "" : fmt::format("; of {} nobody can tell: they fell within their noise", unclear.size()));
  std::fflush(table);
  if (!lost.empty())
    throw std::runtime_error(fmt::format("{} of {} rows are slower than in {} beyond their noise: {}", lost.size(), n, path_, losses));
}

}  // namespace crinkle::bench
