// SPDX-License-Identifier: BSD-3-Clause
#include "formats/request.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <tuple>
#include <utility>

#include "formats/dataset.hpp"

namespace crinkle::tool {
namespace {

namespace fs = std::filesystem;

std::string& command() {
  static std::string text;
  return text;
}
std::vector<std::string>& words_of_command() {
  static std::vector<std::string> words;
  return words;
}

std::string canonical(const std::string& path) {
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(path, error), error).string();
}

/// Of a file, or of all below a directory: how many, their bytes, the latest time.
struct State {
  std::int64_t n = 0, bytes = 0, seconds = 0, nanoseconds = 0;

  explicit State(const std::string& place) {
    std::error_code error;
    include(place);
    if (fs::is_directory(place, error))
      for (fs::recursive_directory_iterator at(place, error), end; !error && at != end; at.increment(error)) include(at->path());
  }
  void include(const std::string& path) {
    struct stat entry = {};
    if (::stat(path.c_str(), &entry) != 0) return;
    ++n;
    if (!S_ISDIR(entry.st_mode)) bytes += entry.st_size;
    const std::pair<std::int64_t, std::int64_t> now(entry.st_mtim.tv_sec, entry.st_mtim.tv_nsec), before(seconds, nanoseconds);
    std::tie(seconds, nanoseconds) = std::max(now, before);
  }
};

}  // namespace

void remember_command(const std::string& version, const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 4> flags{"--resume", "--explain", "--json", "--verify"};
  constexpr std::array<std::string_view, 3> options{"--memory", "--threads", "--temporary"};
  std::string& text = command() = version;
  words_of_command() = words;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string_view word = words[k], name = word.substr(0, word.find('='));
    const bool is_option = std::find(options.begin(), options.end(), name) != options.end();
    if (is_option && name == word) ++k;
    if (!is_option && std::find(flags.begin(), flags.end(), word) == flags.end() && word != "--force") text += fmt::format(" {}", word);
  }
}

std::string request_for(const ArrayFacts& input, const std::string& output) {
  const auto* const stored = dynamic_cast<const DatasetExtras*>(input.extras.get());
  const std::string place = stored != nullptr && !stored->facts.place.empty() ? stored->facts.place : input.path;
  std::string text = command();
  std::vector<std::string> places;
  const auto add = [&](const std::string& path) {
    if (std::find(places.begin(), places.end(), path) != places.end()) return;
    places.push_back(path);
    const State state(path);
    text += fmt::format("; {}: {} files of {} bytes, the last of {}.{:09}", path, state.n, state.bytes, state.seconds, state.nanoseconds);
  };
  add(canonical(place));
  const std::string its_own = canonical(dataset_name(output).file), its_input = canonical(dataset_name(input.path).file);
  for (const std::string& word : words_of_command()) {  // "a.npy", "--coordinates=a.npy", "array:weights.npy"
    for (const std::size_t begin : {std::size_t{0}, word.find('=') + 1, word.find(':') + 1}) {
      const DatasetName name = dataset_name(word.substr(begin));
      std::error_code error;
      const bool is_file = fs::is_regular_file(name.file, error) || (fs::is_directory(name.file, error) && is_dataset(name.file));
      if (!is_file || canonical(name.file) == its_own || canonical(name.file) == its_input) continue;
      add(canonical(fs::is_directory(name.file, error) ? name.file + name.inside : name.file));
    }
  }
  return text;
}

}  // namespace crinkle::tool
