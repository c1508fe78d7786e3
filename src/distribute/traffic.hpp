// Counts of indices along every link, and what ranks send and receive, as their products.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "distribute/overlay.hpp"

namespace crinkle::distributed {

struct PartCount {
  std::int64_t part = 0, n = 0;
};
/// Of a link: for every part of the source those of the destination that it meets, ascending, and the other way round.
struct LinkCounts {
  std::vector<std::vector<PartCount>> of_source, of_destination;
};

/// What a rank sends or receives, its own included.
struct RankTotal {
  std::int64_t elements = 0, messages = 0;
};
RankTotal operator*(const RankTotal& total, const std::vector<PartCount>& row);

class RankCounts {
 public:
  explicit RankCounts(const Redistribution& r);

  RankTotal received(std::int64_t rank) const;
  RankTotal sent(std::int64_t rank) const;  // where `from` has no copies and `to` no windows
  /// What `from` has that `to` takes from there if it is the server. Requires that it is where there are copies.
  std::int64_t between(std::int64_t from, std::int64_t to) const;
  /// Calls use(server, elements) for everything that a rank receives.
  void each_source(std::int64_t rank, const std::function<void(std::int64_t, std::int64_t)>& use) const;

 private:
  std::size_t source_part(std::size_t link, std::int64_t rank) const;
  std::size_t destination_part(std::size_t link, std::int64_t rank) const;

  const Redistribution& r_;
  std::vector<Link> links_;
  std::vector<LinkCounts> counts_;
};

}  // namespace crinkle::distributed
