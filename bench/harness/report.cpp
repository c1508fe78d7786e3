// SPDX-License-Identifier: BSD-3-Clause
#include "harness/report.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <map>
#include <utility>

#include "crinkle/cuda.hpp"

namespace crinkle::bench {
namespace {

constexpr int bar_cells = 20;

double gb_per_s(std::int64_t bytes, double seconds) { return static_cast<double>(bytes) / seconds * 1e-9; }

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  return processor_of(info);
}

std::string system_name() {
  utsname names = {};
  if (::uname(&names) != 0) return "";
  const std::string release = names.release;
  return std::string(names.sysname) + " " + release.substr(0, release.find('-'));  // the version, without who built it
}

std::string compiler_name() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

std::string today() {
  char date[11] = {};
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  std::strftime(date, sizeof date, "%Y-%m-%d", ::gmtime_r(&now, &parts));
  return date;
}

nlohmann::ordered_json json_of(const Time& time) { return {{"seconds", time.seconds}, {"iqr", time.iqr}}; }

Time time_of(const std::vector<double>& samples, double scale = 1) {
  return {scale * median(samples), scale * interquartile_range(samples)};
}

nlohmann::ordered_json json_of(const Row& row) {
  nlohmann::ordered_json j{
      {"name", row.name}, {"element_bytes", row.element_bytes}, {"bytes", row.bytes}, {"seconds", row.seconds}, {"iqr", row.iqr}};
  if (row.bytes > 0) j["gb_per_s"] = row.gb_per_s();
  if (!row.copies.empty())
    j.update({{"copy_gb_per_s", gb_per_s(row.bytes, row.best_copy().second)},
              {"fraction_of_copy", row.fraction_of_copy()},
              {"best_copy", row.best_copy().first}});
  if (row.copy_iqr) j["copy_iqr"] = *row.copy_iqr;
  for (const auto& [kind, seconds] : row.copies) j["copies_gb_per_s"][kind] = gb_per_s(row.bytes, seconds);
  if (row.loop_seconds) j["loop_gb_per_s"] = gb_per_s(row.bytes, *row.loop_seconds);
  for (const Rival& rival : row.rivals) {
    nlohmann::ordered_json& told = j["rivals"][rival.name] = json_of(rival.hot);
    if (rival.cold) told["cold"] = json_of(*rival.cold);
  }
  if (row.cold) {
    j["cold"] = json_of(*row.cold);
    if (row.cold_copy)
      j["cold"].update(
          {{"copy_seconds", row.cold_copy->seconds}, {"copy_iqr", row.cold_copy->iqr}, {"fraction_of_copy", *row.cold_fraction_of_copy()}});
  }
  if (row.scaled_by > 1) j["scaled_by"] = row.scaled_by;
  if (row.repeats > 1) j["repeats"] = row.repeats;
  if (row.threads > 0) j["threads"] = row.threads;
  j["samples"] = row.samples;
  j["checked"] = row.checked;
  for (const auto& [key, value] : row.facts.items()) j[key] = value;
  return j;
}

}  // namespace

Rival rival_of(const Contender& timed) {
  Rival rival{timed.name, time_of(timed.seconds)};
  if (!timed.cold_seconds.empty()) rival.cold = time_of(timed.cold_seconds);
  return rival;
}

std::string bar_of(double fraction) {
  const auto full = static_cast<std::size_t>(std::clamp(std::lround(fraction * bar_cells), 0L, long{bar_cells}));
  return std::string(full, '#') + std::string(bar_cells - full, '.');
}

std::string cold_of(const Row& row) {
  const std::optional<double> fraction = row.cold_fraction_of_copy();
  return fraction ? fmt::format("{:.0f} %", 100 * *fraction) : "–";
}

std::string spread_of(const Row& row) { return fmt::format("± {:.0f} %", 50 * row.iqr / row.seconds); }

std::string processor_of(std::istream& cpuinfo) {
  std::map<std::string, std::string> first;
  int n = 0;
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos || colon == 0) continue;
    const std::string key = line.substr(0, line.find_last_not_of("\t ", colon - 1) + 1);
    n += key == "processor" ? 1 : 0;
    first.try_emplace(key, line.substr(colon + 2));
  }
  std::string name = first.contains("model name") ? first["model name"] : "unknown processor", which;
  if (first.contains("cpu family")) which = fmt::format("family {}, model {}, ", first["cpu family"], first["model"]);
  return fmt::format("{} ({}{} processor{})", name, which, n, n == 1 ? "" : "s");
}

const std::pair<std::string, double>& Row::best_copy() const {
  return *std::min_element(copies.begin(), copies.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
}

double Row::gb_per_s() const { return bench::gb_per_s(bytes, seconds); }
double Row::fraction_of_copy() const { return best_copy().second / seconds; }
std::optional<double> Row::cold_fraction_of_copy() const {
  return cold && cold_copy ? std::optional(cold_copy->seconds / cold->seconds) : std::nullopt;
}

void Row::set_times(std::span<const Contender> parts, double scale) {
  cold.reset();
  samples = repeats = INT64_MAX;
  const double share = scale / static_cast<double>(parts.size());
  const auto add = [share](Time& sum, const std::vector<double>& taken) {
    const Time time = time_of(taken, share);
    sum.seconds += time.seconds;
    sum.iqr += time.iqr;
  };
  Time hot;
  for (const Contender& c : parts) {
    add(hot, c.seconds);
    if (!c.cold_seconds.empty()) add(cold ? *cold : cold.emplace(), c.cold_seconds);
    samples = std::min(samples, std::ssize(c.seconds));
    repeats = std::min(repeats, c.repeats);
  }
  seconds = hot.seconds;
  iqr = hot.iqr;
}

void Row::set_copies(std::span<const Contender> taken, double scale) {
  copies.clear();
  cold_copy.reset();
  for (const Contender& c : taken) {
    copies.emplace_back(c.name, scale * median(c.seconds));
    if (best_copy().first == c.name) copy_iqr = scale * interquartile_range(c.seconds);
    if (c.cold_seconds.empty()) continue;
    const Time time = time_of(c.cold_seconds, scale);
    if (!cold_copy || time.seconds < cold_copy->seconds) cold_copy = time;
  }
}

std::string device_of(const Origin& origin) {
  if (!origin.device.empty()) return origin.device;
  return fmt::format("{}, {} thread{}", processor_name(), origin.threads, origin.threads == 1 ? "" : "s");
}

Origin on_gpu(Origin origin, Device device) {
  const DeviceFacts facts = facts_of(device);
  const auto version = [](int v) { return fmt::format("{}.{}", v / 1000, v % 1000 / 10); };
  origin.device = facts.name;
  origin.driver = fmt::format("CUDA {}, runtime {}", version(facts.driver), version(facts.runtime));
  return origin;
}

nlohmann::ordered_json head_of(const Origin& origin) {
  nlohmann::ordered_json j{{"schema", 1},
                           {"suite", origin.suite},
                           {"device", device_of(origin)},
                           {"driver", origin.driver.empty() ? system_name() : origin.driver},
                           {"compiler", compiler_name()},
                           {"commit", origin.commit},
                           {"date", today()},
                           {"seed", origin.seed},
                           {"plan", origin.plan}};
  for (const auto& [key, value] : origin.facts.items()) j[key] = value;
  return j;
}

void Report::put(const std::string& text) const {
  if (table_ == nullptr) return;
  std::fputs(text.c_str(), table_);
  std::fflush(table_);
}

void Report::begin() {
  if (std::exchange(has_begun_, true)) return;
  put(fmt::format("{}, seed {}{}\n", device_of(origin_), origin_.seed, origin_.plan == "estimate" ? "" : ", plans by " + origin_.plan));
}

void Report::add(Row row) {
  std::string beside;
  if (row.loop_seconds) beside += fmt::format("  {:.2f} x the loop", *row.loop_seconds / row.seconds);
  for (const Rival& rival : row.rivals) beside += fmt::format("  {:.2f} x {}", rival.hot.seconds / row.seconds, rival.name);
  if (!row.remark.empty()) beside += "  " + row.remark;
  if (row.scaled_by > 1) beside += fmt::format("  1/{} of it", row.scaled_by);
  begin();
  if (!std::exchange(has_head_, true))
    put(fmt::format("{:<36} {:>5} {:>8} {:>8} {:>7} {:>6}  {}\n", "case", "bytes", "GB/s", "copy", "of copy", "cold", "spread"));
  const double fraction = row.copies.empty() ? 0 : row.fraction_of_copy();
  put(row.copies.empty() ? fmt::format("{:<36} {:>5} {:>14.3f} µs {:>16}  {:<8}{}\n", row.name, row.element_bytes, 1e6 * row.seconds, "",
                                       spread_of(row), beside)
                         : fmt::format("{:<36} {:>5} {:>8.2f} {:>8.2f} {:>5.0f} % {:>6}  {:<8}{}{}\n", row.name, row.element_bytes,
                                       row.gb_per_s(), bench::gb_per_s(row.bytes, row.best_copy().second), 100 * fraction, cold_of(row),
                                       spread_of(row), bar_of(fraction), beside));
  rows_.push_back(std::move(row));
}

void Report::note(const std::string& text) {
  begin();
  put(text + "\n");
}

void Report::print_summary() const {
  std::map<std::int64_t, std::vector<const Row*>> of_size;  // 0: all
  for (const Row& row : rows_) {
    of_size[row.element_bytes].push_back(&row);
    of_size[0].push_back(&row);
  }
  const auto print = [&](const std::string& what, const std::vector<const Row*>& rows) {
    double logs = 0;
    const Row* least = rows.front();
    for (const Row* row : rows) {
      logs += std::log(row->fraction_of_copy());
      if (row->fraction_of_copy() < least->fraction_of_copy()) least = row;
    }
    put(fmt::format("{:<18} {:>3} cases: geometric mean {:.2f} of a copy, least {:.2f} ({})\n", what, rows.size(),
                    std::exp(logs / static_cast<double>(rows.size())), least->fraction_of_copy(), least->name));
  };
  for (const auto& [element_bytes, rows] : of_size) {
    if (element_bytes > 0) print(fmt::format("{}-byte elements", element_bytes), rows);
  }
  if (of_size.size() > 2) print("all", of_size[0]);
}

std::string Report::json() const {
  nlohmann::ordered_json j = head_of(origin_);
  j["rows"] = nlohmann::ordered_json::array();
  for (const Row& row : rows_) j["rows"].push_back(json_of(row));
  return j.dump(2) + "\n";
}

}  // namespace crinkle::bench
