// What all files of arrays share: names, grids of boxes, copies between chunks and memory; see dataset.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/dataset.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/checked.hpp"
#include "crinkle/error.hpp"

namespace crinkle::tool {
namespace {

bool exists(const std::string& path) {
  struct stat entry = {};
  return ::stat(path.c_str(), &entry) == 0;
}

// "the axes are time y x": those that have names.
std::string axes_told(const std::vector<std::string>& axes) {
  std::string names;
  for (const std::string& name : axes)
    if (!name.empty()) names += " " + name;
  return names.empty() ? "the axes have no names" : "the axes are" + names;
}

bool is_empty(const Ranges& box) {
  return std::any_of(box.begin(), box.end(), [](const Range& range) { return range.n == 0; });
}

// The place in memory of a box inside of another one.
std::int64_t place_in(const Ranges& outer, const Ranges& inner, const Extents& strides) {
  std::int64_t at = 0;
  for (std::size_t a = 0; a < outer.size(); ++a) at += (inner[a].first - outer[a].first) * strides[a];
  return at;
}

}  // namespace

DatasetName dataset_name(const std::string& path) {
  const auto without_slashes = [](std::string file) {
    while (file.size() > 1 && file.back() == '/') file.pop_back();
    return file;
  };
  const std::size_t colon = path.rfind(":/");
  if (colon == std::string::npos || colon == 0 || exists(path)) return {without_slashes(path), ""};
  return {without_slashes(path.substr(0, colon)), without_slashes(path.substr(colon + 1))};
}

Extents grid_of_words(const std::string& option, const std::string& words, const Extents& extents, const std::vector<std::string>& axes) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::bad_notation,
                fmt::format("{} {}: {}; it is one number an axis, as in 1,512,512, or by names, as in y=512,x=512", option, words, why));
  };
  Extents grid;
  std::vector<bool> is_said(extents.size());
  for (const std::int64_t n : extents) grid.push_back(std::max<std::int64_t>(n, 1));
  std::size_t place = 0;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t comma = std::min(words.find(',', at), words.size());
    const std::string word = words.substr(at, comma - at);
    at = comma + 1;
    const std::size_t equals = word.find('='), digits = equals == std::string::npos ? 0 : equals + 1;
    std::size_t axis = place++;
    if (equals != std::string::npos) {
      const auto found = std::find(axes.begin(), axes.end(), word.substr(0, equals));
      if (found == axes.end() || found->empty() || std::count(axes.begin(), axes.end(), *found) > 1)
        refuse(axes_told(axes) + fmt::format(", and none is '{}'", word.substr(0, equals)));
      axis = static_cast<std::size_t>(found - axes.begin());
    }
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(word.data() + digits, word.data() + word.size(), n);
    if (error != std::errc() || end != word.data() + word.size() || n < 1)
      refuse(fmt::format("'{}' is no number of 1 or more", word.substr(digits)));
    if (axis >= extents.size()) refuse(fmt::format("there are {} axes", extents.size()));
    if (is_said[axis]) refuse("an axis is named twice");
    is_said[axis] = true;
    grid[axis] = n;
  }
  if (words.find('=') == std::string::npos && place != extents.size()) refuse(fmt::format("{} numbers for {} axes", place, extents.size()));
  return grid;
}

namespace {

Extents at_least_one(const Extents& extents) {
  Extents some;
  for (const std::int64_t n : extents) some.push_back(std::max<std::int64_t>(n, 1));
  return some;
}

// The longest axis again and again, until so many bytes hold all.
Extents halved(Extents chunks, std::int64_t element_bytes, std::int64_t most) {
  while (Layout::dense(chunks, element_bytes).n_bytes() > most) {
    const auto longest = std::max_element(chunks.begin(), chunks.end());
    if (*longest == 1) break;
    *longest = ceil_divide(*longest, 2);
  }
  return chunks;
}

}  // namespace

Extents chosen_chunks(const Extents& extents, std::int64_t element_bytes, std::int64_t most) {
  return halved(at_least_one(extents), element_bytes, most);
}

void refuse_resuming(const DatasetWish& wish, const std::string& path, const std::string& why) {
  if (wish.is_resumed)
    throw Error(ErrorCode::bad_notation, path + ": " + why + ", so there is no --resume; write .zarr or a file of its own, then copy");
}

Extents chunks_of_wish(const DatasetWish& wish, const DatasetFacts& facts, std::int64_t most) {
  const bool is_chosen = wish.chunks.empty() || wish.chunks == "auto";
  if (!is_chosen && !wish.read_along.empty())
    throw Error(ErrorCode::bad_notation, fmt::format("--read-along {} chooses chunks, which --chunks {} says already; give --chunks auto",
                                                     wish.read_along, wish.chunks));
  if (!is_chosen) return grid_of_words("--chunks", wish.chunks, facts.extents, facts.axes);
  Extents chunks = at_least_one(facts.extents);
  const auto bytes = [&] { return Layout::dense(chunks, facts.type.bytes).n_bytes(); };
  if (!wish.read_along.empty()) {
    std::size_t along = 0;
    const auto named = std::find(facts.axes.begin(), facts.axes.end(), wish.read_along);
    if (named != facts.axes.end()) {
      along = static_cast<std::size_t>(named - facts.axes.begin());
    } else {
      const auto [end, error] = std::from_chars(wish.read_along.data(), wish.read_along.data() + wish.read_along.size(), along);
      if (error != std::errc() || end != wish.read_along.data() + wish.read_along.size() || along >= chunks.size())
        throw Error(ErrorCode::bad_notation, fmt::format("--read-along {}: {}; a number from 0 to {} serves, too", wish.read_along,
                                                         axes_told(facts.axes), std::ssize(chunks) - 1));
    }
    for (std::size_t a = 0; a < chunks.size(); ++a)
      if (a != along) chunks[a] = 1;
    for (bool is_longer = true; is_longer;) {  // the others all as long as each other
      is_longer = false;
      for (std::size_t a = chunks.size(); a-- > 0;) {
        if (a == along || chunks[a] >= facts.extents[a]) continue;
        const std::int64_t before = chunks[a];
        chunks[a] = std::min(2 * before, facts.extents[a]);
        if (bytes() > most) chunks[a] = before;
        else is_longer = true;
      }
    }
  }
  return halved(std::move(chunks), facts.type.bytes, most);
}

Extents rows_of(const Extents& extents, std::int64_t element_bytes) {
  constexpr std::int64_t most = 4 << 20;
  Extents rows(extents.size(), 1);
  std::int64_t bytes = element_bytes;
  for (std::size_t a = extents.size(); a-- > 0;) {
    const std::int64_t n = std::max<std::int64_t>(extents[a], 1);
    rows[a] = std::min(n, std::max<std::int64_t>(1, most / bytes));
    if (rows[a] < n) break;
    bytes *= n;
  }
  return rows;
}

std::vector<Ranges> boxes_of_grid(const Ranges& box, const Extents& unit) {
  if (is_empty(box)) return {};
  std::int64_t n = 1;
  for (std::size_t a = 0; a < box.size(); ++a) n = multiply(n, (box[a].first + box[a].n - 1) / unit[a] - box[a].first / unit[a] + 1);
  std::vector<Ranges> all(static_cast<std::size_t>(n), box);
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t rest = k;
    for (std::size_t a = box.size(); a-- > 0;) {
      const std::int64_t first_cell = box[a].first / unit[a], end = box[a].first + box[a].n;
      const std::int64_t n_cells = (end - 1) / unit[a] - first_cell + 1, cell = first_cell + rest % n_cells;
      rest /= n_cells;
      const std::int64_t first = std::max(box[a].first, cell * unit[a]), last = std::min(end - cell * unit[a], unit[a]) + cell * unit[a];
      all[static_cast<std::size_t>(k)][a] = {first, last - first};
    }
  }
  return all;
}

Ranges whole_of(const Extents& extents) {
  Ranges all;
  for (const std::int64_t n : extents) all.push_back({0, n});
  return all;
}

void read_box(const Dataset& from, const Ranges& box, std::byte* into, const Extents& strides, Executor& executor) {
  const std::vector<Ranges> boxes = boxes_of_grid(box, from.facts().chunks);
  executor.parallel_for(std::ssize(boxes), [&](std::int64_t k) {
    const Ranges& part = boxes[static_cast<std::size_t>(k)];
    from.read(part, into + place_in(box, part, strides), strides);
  });
}

void write_box(NewDataset& to, const Ranges& box, const std::byte* from, const Extents& strides, Executor& executor) {
  const std::vector<Ranges> boxes = boxes_of_grid(box, to.facts().unit);
  executor.parallel_for(std::ssize(boxes), [&](std::int64_t k) {
    const Ranges& part = boxes[static_cast<std::size_t>(k)];
    to.write(part, from + place_in(box, part, strides), strides);
  });
}

}  // namespace crinkle::tool
