// SPDX-License-Identifier: BSD-3-Clause
#include "formats/manifest.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/checked.hpp"

namespace crinkle::tool {
namespace {

// The machine since it was switched on: what was written before, and not synced, may be lost.
std::string boot() {
  std::string text;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), text);
  return text;
}

// "0:16 32:16"; none for a line that was cut off.
std::optional<Ranges> ranges_of(const std::string& line, const Extents& extents) {
  Ranges box;
  const char *at = line.data(), *const end = at + line.size();
  for (const std::int64_t extent : extents) {
    Range range;
    const auto first = std::from_chars(at, end, range.first);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') return {};
    const auto n = std::from_chars(first.ptr + 1, end, range.n);
    if (n.ec != std::errc() || range.first < 0 || range.n < 0 || range.first > extent || range.n > extent - range.first) return {};
    at = n.ptr == end ? end : n.ptr + 1;
    box.push_back(range);
  }
  return box;
}

std::string line_of(const Ranges& box) {
  std::string line;
  for (const Range& range : box) line += fmt::format("{}{}:{}", line.empty() ? "" : " ", range.first, range.n);
  return line;
}

}  // namespace

std::optional<Manifest::Head> Manifest::head_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return {};
  const auto said = nlohmann::ordered_json::parse(line, nullptr, false);
  if (!said.is_object() || !said.value("target", nlohmann::ordered_json()).is_string()) return {};
  return Head{said["target"], said.value("request", "")};
}

std::string Manifest::target_of(const std::string& path) {
  std::error_code error;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error).string();
}

void Manifest::check_same(const std::string& output, const std::string& left, const Head& its, const Head& ours) {
  constexpr std::size_t most = 1000;
  if (its.request != ours.request)
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{}: {} is of another request, or the input has changed since: it is of '{}', and this is '{}'; without --resume "
                    "it is removed",
                    output, left, printable(its.request, most), printable(ours.request, most)));
}

Manifest::Manifest(std::string file, const Head& head) : path_(std::move(file)) {
  file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (file_.get() < 0) throw_system(path_, "creating", errno);
  if (!head_of(path_)) append(nlohmann::ordered_json{{"target", head.target}, {"request", head.request}}.dump() + "\n");
}

void Manifest::begin(const Extents& extents, const Extents& unit) {
  extents_ = extents;
  unit_ = unit;
  std::int64_t n = 1;
  for (std::size_t a = 0; a < unit.size(); ++a) n = multiply(n, ceil_divide(extents[a], unit[a]));
  std::ifstream file(path_);
  std::string line, its_boot;
  std::getline(file, line);
  std::vector<Ranges> lately;  // since the disk had all
  const auto keep = [&] {
    for (const Ranges& box : lately) mark(box);
    lately.clear();
  };
  const std::string now = boot();
  while (std::getline(file, line) && !file.eof()) {
    if (is_done_.empty() && !unit.empty()) is_done_.resize(static_cast<std::size_t>(n));
    if (line == "synced") {
      keep();
    } else if (line.starts_with("boot ")) {
      if (line.substr(5) != its_boot) lately.clear();
      its_boot = line.substr(5);
    } else if (const auto box = ranges_of(line, extents)) {
      lately.push_back(*box);
    }
  }
  if (its_boot == now) keep();
  append("boot " + now + "\n");
}

template <class Use>
void Manifest::each_cell(const Ranges& box, Use&& use) const {
  Extents first, n;
  for (std::size_t a = 0; a < box.size(); ++a) {
    first.push_back(box[a].first / unit_[a]);
    n.push_back(ceil_divide(box[a].first + box[a].n, unit_[a]) - first.back());
  }
  for (Extents at(box.size(), 0);;) {
    std::int64_t number = 0;
    for (std::size_t a = 0; a < box.size(); ++a) number = number * ceil_divide(extents_[a], unit_[a]) + first[a] + at[a];
    if (!use(static_cast<std::size_t>(number))) return;
    std::size_t a = box.size();
    while (a > 0 && ++at[a - 1] >= n[a - 1]) at[--a] = 0;
    if (a == 0) return;
  }
}

void Manifest::mark(const Ranges& box) {
  if (unit_.empty()) boxes_.insert(line_of(box));
  else each_cell(box, [&](std::size_t cell) { return is_done_[cell] = true, true; });
  ++n_lines_;
}

bool Manifest::has(const Ranges& box) const {
  if (unit_.empty()) return boxes_.contains(line_of(box));
  bool is_there = !is_done_.empty();
  if (is_there) each_cell(box, [&](std::size_t cell) { return is_there = is_done_[cell]; });
  return is_there;
}

void Manifest::finish(const Ranges& box) {
  constexpr std::chrono::seconds often(30);
  const std::string line = line_of(box) + "\n";
  const std::lock_guard lock(mutex_);
  if (const auto now = std::chrono::steady_clock::now(); now - synced_ > often) {
    synced_ = now;
    if (::syncfs(file_.get()) == 0) append("synced\n");
  }
  append(line);
  ++n_lines_;
}

void Manifest::append(const std::string& line) { write_fully(file_.get(), std::as_bytes(std::span(line)), path_); }

}  // namespace crinkle::tool
