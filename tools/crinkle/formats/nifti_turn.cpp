// Volumes seen along other axes; see nifti.hpp. x, y and z are the array's last axes, from the last one on. Which of them lies along which
// direction of the world is what the letters of both sides say:
//     asked RAS, found LSA: x leads left, where R is asked: flipped; the third axis (z) leads to A and becomes y; y becomes z.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string_view>
#include <utility>

#include "base/caret.hpp"
#include "formats/nifti.hpp"
#include "formats/nifti_header.hpp"

namespace crinkle::tool {
namespace {

// R and L lie on one line: 0; A and P: 1; S and I: 2; anything else: 3.
std::size_t line_of(char letter) { return std::min<std::size_t>(std::string_view("RLAPSI").find(letter) / 2, 3); }

void check_letters(const std::string& letters) {
  bool is_seen[4] = {};
  for (const char letter : letters) is_seen[line_of(letter)] = true;
  if (letters.size() == 3 && is_seen[0] && is_seen[1] && is_seen[2]) return;
  throw Error(ErrorCode::bad_notation, "--orient " + shown(letters) +
                                           ": say where x, y and z shall lead, one each of R or L (right, left), A or P (anterior, "
                                           "posterior), S or I (superior, inferior), as in RAS");
}

}  // namespace

ArrayFacts turned_to(const std::string& letters, const ArrayFacts& facts) {
  check_letters(letters);
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::unsupported, "--orient " + letters + ": " + facts.path + why); };
  const auto* extras = dynamic_cast<const NiftiExtras*>(facts.extras.get());
  if (extras == nullptr) refuse(" is no NIfTI volume, and only these say where their axes lead");
  const std::string found = letters_of(extras->header);
  const std::size_t rank = facts.layout.extents.size();
  if (found.empty()) refuse(" does not say where its axes lead (qform_code and sform_code are 0)");
  if (found.find('?') != std::string::npos) refuse(" says an affine of which an axis leads nowhere");
  if (rank < 3) refuse(" has " + std::to_string(rank) + " axes, and a volume has three or more");

  ArrayFacts turned = facts;
  auto header = std::make_shared<NiftiExtras>(*extras);
  SpatialChange change;
  for (std::size_t a = 0; a < rank; ++a) change.axes.push_back({static_cast<int>(a)});
  for (std::size_t d = 0; d < 3; ++d) {  // 0 is x
    const auto same_line = [&](char letter) { return line_of(letter) == line_of(letters[d]); };
    const auto s = static_cast<std::size_t>(std::find_if(found.begin(), found.end(), same_line) - found.begin());
    const std::size_t from = rank - 1 - s, to = rank - 1 - d;
    const std::int64_t n = facts.layout.extents[from], stride = facts.layout.strides[from];
    const bool is_flipped = found[s] != letters[d];
    turned.layout.extents[to] = n;
    turned.layout.strides[to] = is_flipped ? -stride : stride;
    if (is_flipped) turned.layout.offset += (n - 1) * stride;
    change.axes[to] = {static_cast<int>(from), is_flipped ? static_cast<double>(n - 1) : 0.0, is_flipped ? -1.0 : 1.0};
  }
  change_orientation(header->header, facts.layout.extents, turned.layout.extents, &change, turned.notes);
  if (letters_of(header->header).empty()) refuse(" has an orientation whose numbers are not finite");
  turned.extras = std::move(header);
  return turned;
}

// Letters alone would not do: of a volume that is 45 degrees off they may be others once it is flipped.
std::string letters_elsewhere(const OutputFacts& facts) {
  nifti_2_header header = dynamic_cast<const NiftiExtras&>(*facts.source->extras).header;
  const auto rank = std::ssize(facts.extents), source_rank = std::ssize(facts.source->layout.extents);
  bool is_kept = true;
  for (std::ptrdiff_t d = 1; d <= std::min<std::ptrdiff_t>(rank, 3); ++d) {
    const AxisOrigin& axis = facts.change->axes.at(static_cast<std::size_t>(rank - d));
    const bool is_new = axis.source_axis < 0 && facts.extents[static_cast<std::size_t>(rank - d)] == 1;
    is_kept = is_kept && (is_new || (axis.source_axis == source_rank - d && axis.step > 0));
  }
  std::vector<std::string> notes;
  change_orientation(header, facts.source->layout.extents, facts.extents, facts.change, notes);
  const std::string letters = letters_of(header);
  return letters.empty() ? "nowhere" : is_kept ? "" : letters;
}

}  // namespace crinkle::tool
