// Which rank is which position of the destination, so that the least has to be sent.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/checked.hpp"
#include "distribute/assignment.hpp"
#include "distribute/traffic.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t most_exact = 4096;                   // ranks: costs of 128 MiB
constexpr std::int64_t most_gains = std::int64_t{1} << 27;  // of an auction: 3 GiB

void check_relabelled(const Redistribution& r) {
  if (r.to().has_windows() || r.from().has_copies())
    throw Error(ErrorCode::unsupported,
                fmt::format("relabelling is of layouts without windows, from one without copies; these are '{}' and '{}'", r.from().text(),
                            r.to().text().substr(0, 60)));
  if (r.from().n_ranks() != r.to().n_ranks())
    throw Error(ErrorCode::unsupported,
                fmt::format("relabelling is between layouts of as many ranks; these have {} and {}", r.from().n_ranks(), r.to().n_ranks()));
}

// Calls use(position, rank, n) for all that a position of `to` takes from a rank.
template <class Use>
void each_gain(const Redistribution& r, const distributed::RankCounts& counts, const Use& use) {
  for (std::int64_t p = 0; p < r.n_ranks(); ++p)
    counts.each_source(r.to().rank_at(p), [&](std::int64_t rank, std::int64_t n) { use(p, rank, n); });
}

}  // namespace

Relabelling relabel(const Redistribution& r) {
  check_relabelled(r);
  const distributed::RankCounts counts(r);
  const std::int64_t n = r.n_ranks();
  std::int64_t all = 0, kept = 0, most_kept = 0;
  Relabelling result;
  if (n <= most_exact) {
    std::vector<std::int64_t> cost(static_cast<std::size_t>(n * n), 0);
    each_gain(r, counts, [&](std::int64_t p, std::int64_t rank, std::int64_t gain) {
      cost[static_cast<std::size_t>(p * n + rank)] = -gain;
      all = add(all, gain);
    });
    std::int64_t bound = 0;
    result.ranks = distributed::assign(std::span<const std::int64_t>(cost), n, &bound);
    for (std::int64_t p = 0; p < n; ++p) kept -= cost[static_cast<std::size_t>(p * n + result.ranks[static_cast<std::size_t>(p)])];
    most_kept = -bound;
  } else {
    std::vector<distributed::Gain> gains;
    each_gain(r, counts, [&](std::int64_t p, std::int64_t rank, std::int64_t gain) {
      if (std::ssize(gains) == most_gains)
        throw Error(ErrorCode::too_large, fmt::format("{} ranks with over {} messages: relabel the grids of their nodes", n, most_gains));
      gains.push_back({p, rank, gain});
      all = add(all, gain);
    });
    std::int64_t most = 0;  // a bound of what can stay: every position's best
    for (std::size_t k = 0; k < gains.size();) {
      std::int64_t best = 0;
      const std::int64_t row = gains[k].row;
      for (; k < gains.size() && gains[k].row == row; ++k) best = std::max(best, gains[k].gain);
      most = add(most, best);
    }
    // Gains count in fine steps, of which a row's average best has 4096: the gap is at most a thousandth of that a row.
    const std::int64_t fine = std::max<std::int64_t>(1, multiply(4096, n) / std::max<std::int64_t>(1, most));
    for (distributed::Gain& g : gains) g.gain = multiply(g.gain, fine);
    distributed::Auctioned sold = distributed::auction(gains, n, std::max<std::int64_t>(1, multiply(most, fine) / n / 1000));
    result.ranks = std::move(sold.columns);
    kept = sold.gain / fine;
    most_kept = std::max(kept, sold.most / fine);
  }
  result.cost = static_cast<double>(all - kept);
  result.gap = static_cast<double>(most_kept - kept);
  return result;
}

Relabelling relabel(const Redistribution& r, std::span<const double> cost) {
  check_relabelled(r);
  const std::int64_t n = r.n_ranks();
  if (n > most_exact) throw Error(ErrorCode::too_large, fmt::format("{} ranks: a matrix of costs is of at most {}", n, most_exact));
  if (std::ssize(cost) != n * n)
    throw Error(ErrorCode::bad_shape, fmt::format("{} costs between {} ranks: give {}, row by row", cost.size(), n, n * n));
  for (const double c : cost)
    if (!std::isfinite(c) || c < 0)
      throw Error(ErrorCode::bad_shape, fmt::format("an element costs {}: a cost is finite and 0 or more", c));
  const distributed::RankCounts counts(r);
  std::vector<double> all(static_cast<std::size_t>(n * n), 0);  // of position p on rank d
  each_gain(r, counts, [&](std::int64_t p, std::int64_t from, std::int64_t elements) {
    for (std::int64_t d = 0; d < n; ++d)
      all[static_cast<std::size_t>(p * n + d)] += static_cast<double>(elements) * cost[static_cast<std::size_t>(from * n + d)];
  });
  Relabelling result;
  double bound = 0;
  result.ranks = distributed::assign(std::span<const double>(all), n, &bound);
  for (std::int64_t p = 0; p < n; ++p) result.cost += all[static_cast<std::size_t>(p * n + result.ranks[static_cast<std::size_t>(p)])];
  result.gap = std::max(0.0, result.cost - bound);
  return result;
}

}  // namespace crinkle
