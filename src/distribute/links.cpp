// A move as links between axes.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>

#include "base/checked.hpp"
#include "crinkle/operation.hpp"
#include "distribute/overlay.hpp"

namespace crinkle {
namespace {

[[noreturn]] void refuse_move(const std::string& what) {
  throw Error(ErrorCode::unsupported, "redistribution moves every axis by itself, and " + what);
}

// Elements keep their bytes: a swap is part of no axis.
void check_bytes_stay(const Rearrangement& move, const std::vector<distributed::Link>& links) {
  Ranges one(move.destination().extents.size());
  bool has_data = move.element_bytes() > 1;
  for (const distributed::Link& link : links) {
    has_data = has_data && !link.data.empty();
    if (has_data && link.dst_axis >= 0) one[static_cast<std::size_t>(link.dst_axis)] = {link.data.front().first, 1};
  }
  for (const std::int64_t n : move.destination().extents) has_data = has_data && n > 0;
  if (!has_data) return;
  const std::vector<std::byte> out = distributed::element_at(plan(move), one);
  for (std::size_t k = 0; k < out.size(); ++k)
    if (out[k] != static_cast<std::byte>(k)) refuse_move("the bytes of its elements are swapped: swap them in a move of their own");
}

// The bytes of all fills that can be seen: of each the element that shows it, where all other axes have data, or what covers the least.
std::string text_of_fills(const Rearrangement& move, const std::vector<distributed::Link>& links) {
  std::string text;
  const Extents& extents = move.destination().extents;
  if (std::any_of(extents.begin(), extents.end(), [](std::int64_t n) { return n == 0; })) return text;
  const auto covers_less = [](const MapRun& a, const MapRun& b) { return a.fill < b.fill; };
  Ranges lowest(extents.size());
  for (const distributed::Link& link : links)
    if (link.dst_axis >= 0)
      lowest[static_cast<std::size_t>(link.dst_axis)] = {
          link.data.empty() ? std::min_element(link.fills.begin(), link.fills.end(), covers_less)->first : link.data.front().first, 1};
  std::optional<Operation> whole;
  std::set<std::int32_t> is_told;
  for (const distributed::Link& link : links)
    for (const MapRun& run : link.fills) {
      if (!is_told.insert(run.fill).second) continue;
      if (!whole) whole.emplace(plan(move));
      Ranges one = lowest;
      if (link.dst_axis >= 0) one[static_cast<std::size_t>(link.dst_axis)] = {run.first, 1};
      text += fmt::format("; f{} is ", run.fill);
      for (const std::byte b : distributed::element_at(*whole, one)) text += fmt::format("{:02x}", static_cast<unsigned>(b));
    }
  return text;
}

}  // namespace

namespace distributed {

std::vector<std::byte> element_at(const Operation& whole, const Ranges& one) {
  const Operation part = whole.cuts().empty() ? whole : whole.part(one);
  std::vector<std::byte> in(static_cast<std::size_t>(part.inputs()[0].layout.n_bytes())),
      out(static_cast<std::size_t>(part.outputs()[0].layout.element_bytes));
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<std::byte>(k % out.size());
  part.define(std::vector<ConstBuffer>{in}, std::vector<Buffer>{out});
  return out;
}

std::vector<Link> links_of(const Redistribution& r) {
  const Rearrangement& move = r.move();
  std::vector<Link> links;
  std::vector<bool> is_linked(move.groups().size(), false);
  const auto with_runs = [&](Link link, const Map& map) {
    for (const MapRun& run : runs_of(map)) (run.fill < 0 ? link.data : link.fills).push_back(run);
    links.push_back(std::move(link));
  };
  for (std::size_t o = 0; o < move.outputs().size(); ++o) {
    const std::int64_t n = move.destination().extents[o];
    const std::vector<OutputTerm>& terms = move.outputs()[o].terms;
    const int axis = static_cast<int>(o);
    if (terms.empty() || terms[0].group < 0) {
      links.push_back({-1, axis, n, {{.first = 0, .count = n}}, {}});
      continue;
    }
    is_linked[static_cast<std::size_t>(terms[0].group)] = true;
    with_runs({terms[0].group, axis, n, {}, {}}, move.groups()[static_cast<std::size_t>(terms[0].group)].digits[0].map);
  }
  for (std::size_t g = 0; g < is_linked.size(); ++g)
    if (!is_linked[g]) with_runs({static_cast<int>(g), -1, 1, {}, {}}, move.groups()[g].digits[0].map);
  return links;
}

}  // namespace distributed

Redistribution::Redistribution(const Distribution& from, const Distribution& to, std::int64_t element_bytes)
    : Redistribution(from, to, Rearrangement(Layout::dense(from.extents(), element_bytes))) {}

Redistribution::Redistribution(const Distribution& from, const Distribution& to, const Rearrangement& move)
    : from_(from), to_(to), move_(move) {
  if (!move.has_names())
    refuse_move("this one has no axes any more (then, inverse, morton, checkerboard): give verbs on axes, or redistribute twice");
  if (move.n_sources() != 1 || move.n_destinations() != 1)
    refuse_move(fmt::format("this one is between {} and {} buffers: move them one by one", move.n_sources(), move.n_destinations()));
  for (const Group& g : move.groups())
    if (g.counts != Counts::bytes || g.digits.size() != 1 || g.ragged_phases > 0)
      refuse_move("this one splits an axis: give the source the split extents");
  for (const Output& o : move.outputs())
    if (o.counts != Counts::bytes || o.terms.size() > 1) refuse_move("this one merges axes: keep them apart, and see the part as merged");
  const Extents& source = move.source().extents;
  const Extents& destination = move.destination().extents;
  constexpr std::size_t most_links = (max_axes - 1) / 2;  // each takes two axes of a box, and the element one
  if (source.size() > most_links || destination.size() > most_links)
    throw Error(ErrorCode::too_large,
                fmt::format("a redistribution from {} axes to {}: at most {} each", source.size(), destination.size(), most_links));
  if (from.extents() != source)
    throw Error(ErrorCode::bad_shape,
                fmt::format("the move is of {} and the layout it is moved from of {}", print_shape(source), print_shape(from.extents())));
  if (to.extents() != destination)
    throw Error(ErrorCode::bad_shape,
                fmt::format("the move makes {} and the layout it is moved to has {}", print_shape(destination), print_shape(to.extents())));
  if (from.has_windows())
    throw Error(ErrorCode::unsupported, "windows may overlap, so nothing is moved from them: give the layout whose part they are");
  multiply(Layout::dense(source, 1).n_elements(), move.element_bytes());
  multiply(Layout::dense(destination, 1).n_elements(), move.element_bytes());
  check_bytes_stay(move, distributed::links_of(*this));
}

std::string Redistribution::text() const {
  std::string text = fmt::format("{} {} -> {} {}, {} bytes", print_shape(from_.extents()), from_.text(), print_shape(to_.extents()),
                                 to_.text(), element_bytes());
  const std::vector<distributed::Link> links = distributed::links_of(*this);
  for (const distributed::Link& link : links) {
    text += fmt::format("; @{} <- @{}", link.dst_axis, link.src_axis);
    for (const MapRun& run : link.data) text += fmt::format(" {}+{}*{}:{}+{}", run.first, run.count, run.pitch, run.start, run.step);
    for (const MapRun& run : link.fills) text += fmt::format(" {}+{}*{}/{}f{}", run.first, run.count, run.pitch, run.inner, run.fill);
  }
  return text + text_of_fills(move_, links);
}

}  // namespace crinkle
