// Pitches grow from the fastest axis out: a panel is as large as the cells in it and a gap that widens with the level.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/draw/grid.hpp"

#include <algorithm>
#include <cctype>

#include "base/checked.hpp"

namespace crinkle::planning {
namespace {

constexpr std::int64_t lane = 18;                  // pixels of one line of labels
constexpr std::int64_t gap = 14;                   // between panels; every further level of panels gets half as much again
constexpr std::int64_t grid_readable_width = 900;  // beyond it the slowest axis is broken into rows
constexpr std::int64_t readable_row = 32;          // cells of a single axis in one row
constexpr int grid_font = 12;

bool is_word(const std::string& name) { return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0; }

}  // namespace

Grid::Grid(const NamedExtents& array, Extent2 cell, std::int64_t columns, std::int64_t row) {
  inside_ = cell;
  const std::size_t rank = array.extents.size();
  for (std::size_t l = 0; l < rank; ++l) {
    const std::size_t a = rank - 1 - l;
    const Direction direction = l % 2 == 0 ? Direction::right : Direction::down;
    std::int64_t& inside = direction == Direction::right ? inside_.width : inside_.height;
    const std::int64_t between = l < 2 || array.extents[a] == 1 ? 0 : gap + gap / 2 * static_cast<std::int64_t>(l / 2 - 1);
    levels_.push_back({array.extents[a], inside + between, inside, direction, a < array.names.size() ? array.names[a] : ""});
    inside = array.extents[a] * (inside + between) - between;
  }
  if (rank % 2 == 1) break_rows(columns, row);
  for (std::size_t l = 0; l < rank; ++l) {
    const Level& level = levels_[l];
    if (level.has_lane()) (level.direction == Direction::right ? top_ : left_) += lane;
  }
  top_ -= above_;  // these lanes lie between the rows
  if (columns_ > 0 && rank == 1) left_ += 2 * lane;
}

void Grid::break_rows(std::int64_t columns, std::int64_t row) {
  const Level& slowest = levels_.back();
  if (columns <= 0) {
    columns = std::max<std::int64_t>(1, grid_readable_width / slowest.pitch);
    if (levels_.size() == 1) columns = slowest.n <= readable_row ? slowest.n : row >= 2 && row <= 2 * readable_row ? row : readable_row;
  }
  if (columns >= slowest.n) return;
  columns_ = columns;
  for (std::size_t l = 2; l < levels_.size(); l += 2) above_ += levels_[l].has_lane() ? lane : 0;
  row_pitch_ = inside_.height + above_ + (above_ > 0 ? gap : 0);
  inside_ = {(columns - 1) * slowest.pitch + slowest.inside, (ceil_divide(slowest.n, columns) - 1) * row_pitch_ + inside_.height + above_};
}

Point Grid::step(std::size_t l, std::int64_t i) const {
  const Level& level = levels_[l];
  if (columns_ > 0 && l + 1 == levels_.size()) return {i % columns_ * level.pitch, i / columns_ * row_pitch_ + above_};
  return level.direction == Direction::right ? Point{i * level.pitch, 0} : Point{0, i * level.pitch};
}

Point Grid::place(std::int64_t i) const {
  Point p{left_, top_};
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Point s = step(l, i % levels_[l].n);
    p = {p.x + s.x, p.y + s.y};
    i /= levels_[l].n;
  }
  return p;
}

// Indices of one panel axis, once for every index of the slower axes that run the same way. `at` is the distance of
// its lane from the corner.
void Grid::label_panels(Svg& svg, Point corner, std::size_t l, std::int64_t at) const {
  const Level& level = levels_[l];
  std::int64_t n_outer = 1;
  for (std::size_t o = l + 2; o < levels_.size(); o += 2) n_outer *= levels_[o].n;
  for (std::int64_t outer = 0; outer < n_outer; ++outer) {
    Point base = corner;
    std::int64_t rest = outer;
    for (std::size_t o = l + 2; o < levels_.size(); o += 2) {
      const Point s = step(o, rest % levels_[o].n);
      base = {base.x + s.x, base.y + s.y};
      rest /= levels_[o].n;
    }
    for (std::int64_t i = 0; i < level.n; ++i) {
      const std::string text = is_word(level.name) ? level.name + "=" + std::to_string(i) : std::to_string(i);
      const Point s = step(l, i);
      if (level.direction == Direction::right) {
        svg.text({base.x + left_ + s.x + level.inside / 2, base.y + s.y + at + 12}, text, grid_font, Anchor::middle, grey_text);
      } else {
        for (std::int64_t y = place(0).y; y < top_ + inside_.height; y += columns_ > 0 ? row_pitch_ : inside_.height)
          svg.rising_text({base.x + s.x + at + 12, base.y + y + s.y + level.inside / 2}, text, grid_font);
      }
    }
  }
}

void Grid::label_axes(Svg& svg, Point corner) const {
  std::int64_t top = columns_ > 0 ? top_ - above_ : 0, left = 0;
  for (std::size_t l = levels_.size(); l-- > 0;) {
    const Level& level = levels_[l];
    if (!level.has_lane()) continue;
    if (l >= 2) {
      std::int64_t& at = level.direction == Direction::right ? top : left;
      label_panels(svg, corner, l, at);
      at += lane;
      continue;
    }
    const std::string text = (level.name.empty() ? "" : level.name + ":") + std::to_string(level.n);
    const std::int64_t n = l == 0 && columns_ > 0 && levels_.size() == 1 ? columns_ : level.n;
    if (l == 0) svg.text({corner.x + left_ + n * level.pitch / 2, corner.y + top_ - 6}, text + " →", grid_font, Anchor::middle, grey_text);
    if (l == 1) svg.rising_text({corner.x + left_ - 6, corner.y + place(0).y + n * level.pitch / 2}, "← " + text, grid_font);
  }
  if (columns_ == 0 || levels_.size() > 1) return;
  for (std::int64_t i = 0; i < levels_[0].n; i += columns_) {
    const Point p = place(i);
    svg.text({corner.x + left_ - 6, corner.y + p.y + row_pitch_ / 2 + 4}, std::to_string(i), grid_font, Anchor::end, grey_text);
  }
}

}  // namespace crinkle::planning
