// SPDX-License-Identifier: BSD-3-Clause
#include "api/tuning_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/whole_file.hpp"
#include "cpu/kernels.hpp"
#include "crinkle/error.hpp"

namespace crinkle {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 1;
constexpr std::uintmax_t most_bytes = 16 << 20;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::bad_file, path + ": " + why + "; remove it, or give another file for the choices of measured plans");
}

std::string read(const std::string& path) {
  if (path.empty()) return "";
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) return "";
  if (code) refuse(path, code.message());
  if (status.type() != std::filesystem::file_type::regular) refuse(path, "it is no regular file");
  const std::uintmax_t n = std::filesystem::file_size(path, code);
  if (!code && n > most_bytes) refuse(path, fmt::format("{} bytes are too many for choices of measured plans", n));
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || (n > 0 && !(text << in.rdbuf()))) refuse(path, errno == 0 ? "it cannot be read" : std::strerror(errno));
  return std::move(text).str();
}

bool is_entry(const Json& e) {
  return e.is_object() && e.contains("step") && e["step"].is_string() && e.contains("choice") && e["choice"].is_object();
}

// The entries of a text that is one of ours; none if it has another schema. Throws bad_file for any other.
Json entries_of(const std::string& path, const std::string& text) {
  if (text.empty()) return Json::array();
  const Json all = Json::parse(text, nullptr, false);
  if (!all.is_object() || !all.contains("crinkle_plans")) refuse(path, "it holds something else than the choices of measured plans");
  if (all["crinkle_plans"] != schema) return Json::array();
  if (!all.contains("entries") || !all["entries"].is_array()) refuse(path, "it is damaged: it has no list of entries");
  for (const Json& e : all["entries"]) {
    if (!is_entry(e))
      refuse(path, "it is damaged: " + e.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, 60) + " is no entry");
  }
  return all["entries"];
}

const std::string& cpu_name() {
  static const std::string name = [] {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
      const std::size_t colon = line.find(": ");
      if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return std::string("unknown");
  }();
  return name;
}

Json entry_for(const TunedFor& key) {
  return {{"cpu", cpu_name()},
          {"kernels", simd::kernels().target},
          {"version", CRINKLE_VERSION},
          {"threads", key.n_workers},
          {"step", fmt::format("{:016x}", key.step)}};
}

bool is_for(const Json& entry, const Json& key) {
  for (const auto& [name, value] : key.items()) {
    if (!entry.contains(name) || entry[name] != value) return false;
  }
  return true;
}

Json json_of(const Tuning& t) {
  Json j{{"parted", t.is_parted}, {"streamed", t.is_streamed}};
  simd::for_each_habit(t.habits, [&](const char* name, const auto& value) { j[name] = value; });
  j["gain"] = std::round(1000 * t.gain) / 1000;
  return j;
}

bool is_choice(const Json& found, const Tuning& t) {
  const Json tried = json_of(t);
  for (const auto& [name, value] : tried.items()) {
    if (name != "gain" && (!found.contains(name) || found[name] != value)) return false;
  }
  return true;
}

}  // namespace

TuningFile::TuningFile(std::string path) : path_(std::move(path)), text_(read(path_)) { entries_of(path_, text_); }

std::optional<Tuning> TuningFile::find(const TunedFor& key, const std::vector<Tuning>& known) const {
  const Json wanted = entry_for(key), entries = entries_of(path_, text_);
  for (auto e = entries.rbegin(); e != entries.rend(); ++e) {
    if (!is_for(*e, wanted)) continue;
    const Json& choice = (*e)["choice"];
    for (Tuning tuning : known) {
      if (!is_choice(choice, tuning)) continue;
      if (choice.contains("gain") && choice["gain"].is_number()) tuning.gain = choice["gain"].get<double>();
      return tuning;
    }
  }
  return {};
}

std::string TuningFile::add(const std::vector<std::pair<TunedFor, Tuning>>& made) {
  if (path_.empty() || made.empty()) return "";
  text_ = read(path_);
  Json entries = entries_of(path_, text_);
  for (const auto& [key, tuning] : made) {
    Json entry = entry_for(key);
    entries.erase(std::remove_if(entries.begin(), entries.end(), [&](const Json& e) { return is_for(e, entry); }), entries.end());
    entry["choice"] = json_of(tuning);
    entries.push_back(std::move(entry));
  }
  if (entries.size() > most_entries) entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(most_entries));
  std::string text = fmt::format("{{\"crinkle_plans\": {}, \"entries\": [\n", schema);
  for (std::size_t k = 0; k < entries.size(); ++k)
    text += entries[k].dump(-1, ' ', true, Json::error_handler_t::replace) + (k + 1 < entries.size() ? ",\n" : "\n");
  text += "]}\n";
  text_ = text;
  return write_whole(path_, text);
}

}  // namespace crinkle
