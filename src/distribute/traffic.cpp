// What all ranks send each other, by products of the counts of every link: no list of messages is made.
// SPDX-License-Identifier: BSD-3-Clause
#include "distribute/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.hpp"
#include "base/loops.hpp"

namespace crinkle {
namespace distributed {

RankCounts::RankCounts(const Redistribution& r) : r_(r), links_(links_of(r)) {
  for (const Link& link : links_) {
    const std::int64_t n_src = link.src_axis < 0 ? 1 : r.from().axes()[static_cast<std::size_t>(link.src_axis)].parts();
    const bool has_windows = r.to().has_windows() && link.dst_axis >= 0;
    const std::int64_t n_dst = link.dst_axis < 0 ? 1
                               : has_windows     ? r.to().n_ranks()
                                                 : r.to().axes()[static_cast<std::size_t>(link.dst_axis)].parts();
    LinkCounts& counts = counts_.emplace_back();
    counts.of_source.resize(static_cast<std::size_t>(n_src));
    counts.of_destination.resize(static_cast<std::size_t>(n_dst));
    for (const auto& [parts, n] : counts_of(r, link)) {
      counts.of_source[static_cast<std::size_t>(parts.first)].push_back({parts.second, n});
      counts.of_destination[static_cast<std::size_t>(parts.second)].push_back({parts.first, n});
    }
  }
}

std::size_t RankCounts::source_part(std::size_t link, std::int64_t rank) const {
  return links_[link].src_axis < 0 ? 0 : static_cast<std::size_t>(r_.from().part_of(rank, static_cast<std::size_t>(links_[link].src_axis)));
}
std::size_t RankCounts::destination_part(std::size_t link, std::int64_t rank) const {
  return links_[link].dst_axis < 0 ? 0 : static_cast<std::size_t>(r_.to().part_of(rank, static_cast<std::size_t>(links_[link].dst_axis)));
}

RankTotal RankCounts::received(std::int64_t rank) const {
  if (rank >= r_.to().n_ranks()) return {};
  RankTotal total{1, 1};
  for (std::size_t k = 0; k < links_.size(); ++k) total = total * counts_[k].of_destination[destination_part(k, rank)];
  return total;
}

RankTotal RankCounts::sent(std::int64_t rank) const {
  if (rank >= r_.from().n_ranks()) return {};
  RankTotal total{1, 1};
  for (std::size_t k = 0; k < links_.size(); ++k) total = total * counts_[k].of_source[source_part(k, rank)];
  std::int64_t copies = 1;
  for (const GridAxis& g : r_.to().grid()) copies *= g.axis < 0 ? g.parts : 1;
  return {multiply(total.elements, copies), multiply(total.messages, copies)};
}

std::int64_t RankCounts::between(std::int64_t from, std::int64_t to) const {
  if (from >= r_.from().n_ranks() || to >= r_.to().n_ranks()) return 0;
  std::int64_t n = 1;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const std::vector<PartCount>& row = counts_[k].of_source[source_part(k, from)];
    const auto part = static_cast<std::int64_t>(destination_part(k, to));
    const auto found = std::lower_bound(row.begin(), row.end(), part, [](const PartCount& c, std::int64_t p) { return c.part < p; });
    if (found == row.end() || found->part != part) return 0;
    n = multiply(n, found->n);
  }
  return n;
}

void RankCounts::each_source(std::int64_t rank, const std::function<void(std::int64_t, std::int64_t)>& use) const {
  if (rank >= r_.to().n_ranks()) return;
  Extents n_parts;
  std::vector<const std::vector<PartCount>*> rows;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    rows.push_back(&counts_[k].of_destination[destination_part(k, rank)]);
    n_parts.push_back(std::ssize(*rows.back()));
  }
  std::vector<std::int64_t> of_axes(r_.from().extents().size(), 0);
  for_each_index(n_parts, [&](const Extents& index) {
    std::int64_t n = 1;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const PartCount& count = (*rows[k])[static_cast<std::size_t>(index[k])];
      if (links_[k].src_axis >= 0) of_axes[static_cast<std::size_t>(links_[k].src_axis)] = count.part;
      n = multiply(n, count.n);
    }
    use(server_of(r_.from(), of_axes, rank), n);
  });
}

RankTotal operator*(const RankTotal& total, const std::vector<PartCount>& row) {
  std::int64_t n = 0;
  for (const PartCount& count : row) n = add(n, count.n);
  return {multiply(total.elements, n), multiply(total.messages, std::ssize(row))};
}

}  // namespace distributed

Traffic Redistribution::traffic() const {
  constexpr std::int64_t most_listed = std::int64_t{1} << 28;
  const distributed::RankCounts counts(*this);
  const bool is_listed = from_.has_copies() || to_.has_windows();  // what a rank sends is no product then
  Traffic traffic;
  std::vector<std::int64_t> sent(is_listed ? static_cast<std::size_t>(n_ranks()) : 0, 0);
  std::int64_t n_listed = 0;
  for (std::int64_t k = 0; k < n_ranks(); ++k) {
    const distributed::RankTotal received = counts.received(k);
    const std::int64_t kept = counts.between(k, k);
    traffic.elements = add(traffic.elements, received.elements);
    traffic.sent = add(traffic.sent, received.elements - kept);
    const std::int64_t messages = received.messages - (kept > 0 ? 1 : 0);
    traffic.messages = add(traffic.messages, messages);
    traffic.peak_received = std::max(traffic.peak_received, received.elements - kept);
    traffic.peak_messages = std::max(traffic.peak_messages, messages);
    if (!is_listed) {
      traffic.peak_sent = std::max(traffic.peak_sent, counts.sent(k).elements - kept);
      continue;
    }
    n_listed = add(n_listed, received.messages);
    if (n_listed > most_listed)
      throw Error(ErrorCode::too_large,
                  fmt::format("over {} messages from copies or to windows have to be counted one by one: take fewer ranks", most_listed));
    counts.each_source(k, [&](std::int64_t from, std::int64_t n) {
      if (from != k) sent[static_cast<std::size_t>(from)] += n;
    });
  }
  for (const std::int64_t n : sent) traffic.peak_sent = std::max(traffic.peak_sent, n);
  return traffic;
}

std::vector<Message> Redistribution::sends(std::int64_t rank) const { return distributed::RankOverlay(*this, rank).sends(); }
std::vector<Message> Redistribution::receives(std::int64_t rank) const { return distributed::RankOverlay(*this, rank).receives(); }

std::string Redistribution::describe(const LinkSpeed& link) const {
  if (!(link.latency_s >= 0) || !(link.bytes_per_s > 0))
    throw Error(ErrorCode::bad_shape,
                fmt::format("a link of {} s and {} bytes/s: a latency is 0 or more, a rate more", link.latency_s, link.bytes_per_s));
  const Traffic t = traffic();
  const auto bytes = [&](std::int64_t n) { return multiply(n, element_bytes()); };
  const std::int64_t peak = std::max(t.peak_sent, t.peak_received);
  const double seconds = static_cast<double>(bytes(peak)) / link.bytes_per_s + static_cast<double>(t.peak_messages) * link.latency_s;
  std::string text = fmt::format("from      {} as {}, {} ranks\n", print_shape(from_.extents()), from_.text(), from_.n_ranks());
  text += fmt::format("to        {} as {}, {} ranks\n", print_shape(to_.extents()), to_.text(), to_.n_ranks());
  text += fmt::format("volume    {} of {} bytes are sent, {:.1f} %\n", bytes(t.sent), bytes(t.elements),
                      t.elements == 0 ? 0.0 : 100.0 * static_cast<double>(t.sent) / static_cast<double>(t.elements));
  text += fmt::format("messages  {}, at most {} to one rank\n", t.messages, t.peak_messages);
  text += fmt::format("peak      {} bytes sent, {} received by one rank\n", bytes(t.peak_sent), bytes(t.peak_received));
  text += fmt::format("time      {:.3g} s at {:.3g} bytes/s and {:.3g} s a message\n", seconds, link.bytes_per_s, link.latency_s);
  return text;
}

}  // namespace crinkle
