// SPDX-License-Identifier: BSD-3-Clause
#include "running/planning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/caret.hpp"
#include "base/checked.hpp"
#include "base/whole_file.hpp"
#include "crinkle/devices.hpp"

namespace crinkle::tool {
namespace {

// "" where there is no home.
std::string usual_cache_file() {
  const std::filesystem::path folder = cache_folder();
  if (folder.empty()) return "";
  std::error_code code;  // where it cannot be made, writing the file says why
  std::filesystem::create_directories(folder, code);
  return (folder / "plans.json").string();
}

}  // namespace

void Planning::add_to(Command& c) {
  c.option("--plan", "HOW", word, "estimate, or measure: try what can be chosen and keep the fastest")
      .only({"estimate", "measure"})
      .manual(
          "With `measure`, before the first move of its kind, what can be chosen for it (threads, stores past the caches or through them, "
          "places gone through in turn, bytes fetched ahead) is tried in some 50 runs in memory of its own, and what beats the estimate "
          "clearly is kept. What was chosen is found again in the cache file, for the same processor, version and number of threads; "
          "`--explain` says it. Moves of more than 1 GiB, source and destination together, and those in slabs stay as estimated. The "
          "result "
          "is always the same.");
  c.option("--plan-cache", "FILE", cache_file, "of --plan measure: where it keeps what it chose; ~/.cache/crinkle/plans.json")
      .file({".json"})
      .manual(
          "Where *$XDG_CACHE_HOME* is set it is the folder instead of *~/.cache*. A file that holds something else is left alone, with "
          "status "
          "1. The newest 4096 choices stay.");
}

void Planning::check() const {
  if (!cache_file.empty() && !is_measured()) throw Error(ErrorCode::bad_notation, "--plan-cache is for --plan measure");
}

Plan Planning::plan(const Rearrangement& r, Executor& executor) const {
  if (!is_measured()) return Plan(r);
  MeasureOptions options;
  options.cache_file = cache_file.empty() ? usual_cache_file() : cache_file;
  options.note = [](const std::string& text) { fmt::print(stderr, "crinkle: note: {}\n", text); };
  return measured_plan(r, executor, options);
}

std::int64_t parse_bytes(const std::string& option, const std::string& text) {
  std::int64_t n = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), n);
  const std::string unit(end, text.data() + text.size());
  const std::string letter = unit.size() == 3 && unit.ends_with("iB") ? unit.substr(0, 1) : unit;
  const std::size_t power = std::string("KMG").find(letter);
  const bool is_unit = letter.empty() || (letter.size() == 1 && power != std::string::npos);
  if (code == std::errc::result_out_of_range) throw Error(ErrorCode::too_large, option + " " + shown(text) + ": does not fit 64 bits");
  if (code != std::errc() || !is_unit || n < 1)
    throw Error(ErrorCode::bad_notation, option + " '" + shown(text) + "': give 1 or more bytes, as in 1000000, 64KiB, 512MiB or 2GiB");
  return multiply(n, letter.empty() ? 1 : std::int64_t{1} << (10 * (power + 1)));
}

std::vector<Device> parse_devices(const std::string& text) {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::bad_notation, "--device '" + shown(text) + "': " + why); };
  if (text == "auto") return {};
  if (text == "cpu") return {cpu()};
  std::vector<int> numbers;
  std::string left = text.size() > 5 && text.starts_with("cuda:") ? text.substr(5) + "," : text == "cuda" ? "0," : "";
  for (std::size_t end = left.find(','); end != std::string::npos; end = left.find(',')) {
    const std::string n = left.substr(0, end);
    left.erase(0, end + 1);
    if (n.empty() || n.size() > 4 || n.find_first_not_of("0123456789") != std::string::npos) break;
    numbers.push_back(std::stoi(n));
    if (std::find(numbers.begin(), numbers.end() - 1, numbers.back()) != numbers.end() - 1) refuse("GPU " + n + " is named twice");
    if (!left.empty()) continue;
    std::vector<Device> devices;
    for (const int k : numbers) devices.push_back(cuda(k));
    return Devices(devices).all();
  }
  refuse("it is auto, cpu, cuda or cuda:N, or several GPUs, as in cuda:0,1");
  return {};
}

std::optional<Device> parse_device(const std::string& text) {
  const std::vector<Device> devices = parse_devices(text);
  if (devices.size() > 1) throw Error(ErrorCode::unsupported, "--device " + shown(text) + ": this runs on one device; name one of them");
  return devices.empty() ? std::nullopt : std::optional(devices[0]);
}

}  // namespace crinkle::tool
