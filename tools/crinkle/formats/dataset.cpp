// What all files of arrays share: grids of boxes, copies between chunks and memory; see dataset.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/dataset.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "base/checked.hpp"
#include "crinkle/error.hpp"

namespace crinkle::tool {
namespace {

bool exists(const std::string& path) {
  struct stat entry = {};
  return ::stat(path.c_str(), &entry) == 0;
}

template <class Unit>
void copy_line(std::int64_t n, const std::byte* from, std::int64_t from_stride, std::byte* to, std::int64_t to_stride) {
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, sizeof(Unit));
}

struct Block16 {
  std::uint64_t low, high;
};

// Axes from the slowest on; the last ones that lie dense in both are one run.
struct Copy {
  const Extents& extents;
  const Extents& from_strides;
  const Extents& to_strides;
  std::int64_t element_bytes;
  std::size_t n_axes = 0;      // outside of a run
  std::int64_t run_bytes = 0;  // dense in both

  void along(std::size_t axis, const std::byte* from, std::byte* to) const {
    if (axis == n_axes) {
      std::memcpy(to, from, static_cast<std::size_t>(run_bytes));
      return;
    }
    const std::int64_t n = extents[axis], a = from_strides[axis], b = to_strides[axis];
    if (axis + 1 == n_axes && run_bytes <= 16) return line(n, from, a, to, b);
    for (std::int64_t i = 0; i < n; ++i) along(axis + 1, from + i * a, to + i * b);
  }
  void line(std::int64_t n, const std::byte* from, std::int64_t a, std::byte* to, std::int64_t b) const {
    switch (run_bytes) {
      case 1: return copy_line<std::uint8_t>(n, from, a, to, b);
      case 2: return copy_line<std::uint16_t>(n, from, a, to, b);
      case 4: return copy_line<std::uint32_t>(n, from, a, to, b);
      case 8: return copy_line<std::uint64_t>(n, from, a, to, b);
      case 16: return copy_line<Block16>(n, from, a, to, b);
      default:
        for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * b, from + i * a, static_cast<std::size_t>(run_bytes));
    }
  }
};

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
        refuse(fmt::format("the axes are {}, and none is '{}'", fmt::join(axes, " "), word.substr(0, equals)));
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

void copy_box(const Extents& extents, std::int64_t element_bytes, const std::byte* from, const Extents& from_strides, std::byte* to,
              const Extents& to_strides) {
  if (std::any_of(extents.begin(), extents.end(), [](std::int64_t n) { return n == 0; })) return;
  Copy copy{extents, from_strides, to_strides, element_bytes, extents.size(), element_bytes};
  while (copy.n_axes > 0) {
    const std::size_t axis = copy.n_axes - 1;
    const bool is_dense = from_strides[axis] == copy.run_bytes && to_strides[axis] == copy.run_bytes;
    if (!is_dense && extents[axis] != 1) break;
    copy.run_bytes *= extents[axis];
    --copy.n_axes;
  }
  copy.along(0, from, to);
}

}  // namespace crinkle::tool
