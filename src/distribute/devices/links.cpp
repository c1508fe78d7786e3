// What devices that nobody owns would send each other, link by link, and how long that would take.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/checked.hpp"
#include "crinkle/devices.hpp"
#include "distribute/devices/exchange.hpp"
#include "plan/describe.hpp"
#include "plan/machine.hpp"

namespace crinkle {
namespace {

using Table = std::vector<std::vector<std::int64_t>>;  // bytes, of [from][to]

constexpr std::int64_t most_shown = 16;  // devices whose links are told one by one

std::string print_size(std::int64_t bytes) { return planning::print_bytes(static_cast<double>(bytes)); }

Table table_of_links(const Redistribution& r, std::int64_t n_devices) {
  Table table(static_cast<std::size_t>(n_devices), std::vector<std::int64_t>(static_cast<std::size_t>(n_devices), 0));
  for (std::int64_t d = 0; d < n_devices; ++d) {
    if (d >= r.n_ranks()) break;
    for (const Message& m : r.sends(d))
      table[static_cast<std::size_t>(d)][static_cast<std::size_t>(m.to)] = multiply(m.elements, r.element_bytes());
  }
  return table;
}

void check_rates(const DeviceLinks& links) {
  if (links.speed.latency_s >= 0 && links.speed.bytes_per_s > 0) return;
  throw Error(ErrorCode::bad_shape, fmt::format("links '{}' of {} s and {} bytes/s: a latency is 0 or more, a rate more", links.name,
                                                links.speed.latency_s, links.speed.bytes_per_s));
}

// The longest of the devices' times, and whether it is their own memory's.
struct ExchangeTime {
  double link_s = 0, memory_s = 0;
  double seconds() const { return std::max(link_s, memory_s); }
};
ExchangeTime time_of(const Table& table, const DeviceLinks& links) {
  static const Machine card = Machine::h200();
  ExchangeTime longest;
  for (std::size_t d = 0; d < table.size(); ++d) {
    std::int64_t sent = 0, received = 0, n_received = 0;
    for (std::size_t e = 0; e < table.size(); ++e) {
      if (e == d) continue;
      sent = add(sent, table[d][e]);
      received = add(received, table[e][d]);
      n_received += table[e][d] > 0 ? 1 : 0;
    }
    const std::int64_t own = table[d][d], through = add(multiply(2, own), add(sent, received));  // read and written here
    longest.link_s = std::max(longest.link_s, static_cast<double>(std::max(sent, received)) / links.speed.bytes_per_s +
                                                  static_cast<double>(n_received) * links.speed.latency_s);
    longest.memory_s =
        std::max(longest.memory_s, static_cast<double>(through) * 1e-9 / card.copy_gb_per_s(std::max<std::int64_t>(1, through / 2)));
  }
  return longest;
}

std::string text_of_table(const Table& table) {
  std::string text;
  std::int64_t sent = 0, most = 0, kept = 0;
  for (std::size_t d = 0; d < table.size(); ++d) {
    kept = add(kept, table[d][d]);
    for (std::size_t e = 0; e < table.size(); ++e) {
      if (e == d) continue;
      sent = add(sent, table[d][e]);
      most = std::max(most, table[d][e]);
    }
  }
  text += fmt::format("sent      {} bytes, at most {} over one link; {} stay where they are\n", sent, most, kept);
  if (sent == 0 || std::ssize(table) > most_shown) return text;
  text += "links     from \\ to";
  for (std::size_t e = 0; e < table.size(); ++e) text += fmt::format(" {:>10}", e);
  text += "\n";
  for (std::size_t d = 0; d < table.size(); ++d) {
    text += fmt::format("          {:>9}", d);
    for (std::size_t e = 0; e < table.size(); ++e)
      text += fmt::format(" {:>10}", e == d ? "-" : table[d][e] == 0 ? "0" : print_size(table[d][e]));
    text += "\n";
  }
  return text;
}

std::string text_of_time(const ExchangeTime& t, const DeviceLinks& links) {
  return fmt::format("time      {:.3g} s predicted: {:.3g} s on {} ({:.3g} bytes/s a direction), {:.3g} s of an H200's memory\n",
                     t.seconds(), t.link_s, links.name, links.speed.bytes_per_s, t.memory_s);
}

std::string text_of_exchange(const Redistribution& r, std::int64_t n_devices, const DeviceLinks& links, ExchangeTime& sum) {
  const Table table = table_of_links(r, n_devices);
  const ExchangeTime t = time_of(table, links);
  sum.link_s += t.link_s;
  sum.memory_s += t.memory_s;
  return fmt::format("exchange  {} as {} -> {} as {}\n", print_shape(r.from().extents()), r.from().text(), print_shape(r.to().extents()),
                     r.to().has_windows() ? "what each part needs" : r.to().text()) +
         text_of_table(table) + text_of_time(t, links);
}

}  // namespace

DeviceLinks DeviceLinks::nvlink4() { return {"NVLink 4", {.bytes_per_s = 450e9}}; }
DeviceLinks DeviceLinks::pcie5() { return {"PCIe 5", {.bytes_per_s = 63e9}}; }

DeviceLinks DeviceLinks::named(std::string_view name) {
  if (name == "nvlink4") return nvlink4();
  if (name == "pcie5") return pcie5();
  throw Error(ErrorCode::unsupported, fmt::format("no links are called '{}'; known are: nvlink4, pcie5", name));
}

std::string describe_links(const Redistribution& r, const DeviceLinks& links) {
  check_rates(links);
  ExchangeTime sum;
  return text_of_exchange(r, r.n_ranks(), links, sum);
}

std::string describe_links(const Rearrangement& move, const Distribution& from, const Distribution& to, const DeviceLinks& links) {
  if (const std::optional<Redistribution> r = distributed::by_axes(move, from, to)) return describe_links(*r, links);
  return describe_links(DistributedOperation(plan(move), {from}, to), links);
}

std::string describe_links(const DistributedOperation& op, const DeviceLinks& links) {
  check_rates(links);
  ExchangeTime sum;
  std::string text;
  std::size_t n = 0;
  const auto tell = [&](const Redistribution& r) {
    text += text_of_exchange(r, op.n_ranks(), links, sum);
    ++n;
  };
  const std::vector<distributed::StepsInSlabs> in_slabs = distributed::steps_in_slabs(op, distributed::usual_slab_bytes);
  for (std::size_t s = 0; s < op.steps().size(); ++s) {
    const DistributedOperation::Step& step = op.steps()[s];
    for (std::size_t k = 0; k < step.fetch.size(); ++k)
      if (!step.is_there[k]) tell(step.fetch[k]);
    const auto some = std::find_if(in_slabs.begin(), in_slabs.end(), [&](const auto& g) { return g.first <= s && s <= g.last; });
    text += fmt::format("compute   {} as {}, one part a device{}\n", step.operation.name(), step.made.text(),
                        some == in_slabs.end() ? "" : text_of(some->slabs));
  }
  for (const Redistribution& r : op.last()) tell(r);
  if (n != 1) text += fmt::format("together  {:.3g} s of exchanges, beside what is computed\n", std::max(sum.link_s, sum.memory_s));
  return text;
}

}  // namespace crinkle
