// What a plan over devices says of itself.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "base/checked.hpp"
#include "distribute/devices/plan_data.hpp"
#include "plan/describe.hpp"

namespace crinkle {

using distributed::Exchange;
using distributed::RankPart;
using distributed::RankStep;

void DevicesPlan::Data::each_exchange(const std::function<void(const Exchange&, std::size_t)>& use) const {
  for (std::size_t s = 0; s < steps.size(); ++s)
    for (const std::deque<Step::Fetch>& inputs : steps[s].fetched)
      for (const Step::Fetch& input : inputs)
        if (input.exchange) use(*input.exchange, s);
  if (last) use(*last, steps.size());
}

std::int64_t DevicesPlan::own_bytes(std::int64_t device) const {
  const auto k = static_cast<std::size_t>(device);
  std::int64_t bytes = 0;
  data_->each_exchange([&](const Exchange& e, std::size_t) { bytes = add(bytes, e.own_bytes(device)); });
  for (const Data::Step& step : data_->steps) {
    for (const std::deque<Data::Step::Fetch>& inputs : step.fetched)
      for (const Data::Step::Fetch& input : inputs)
        if (!input.rooms.empty()) bytes = add(bytes, input.rooms[k].bytes());
    for (const RankPart& part : step.parts[k].inner) bytes = add(bytes, part.own_bytes());
    for (const RankStep::Fetched& fetched : step.parts[k].fetched)
      for (const RankPart& part : fetched.parts) bytes = add(bytes, part.own_bytes());
    bytes = add(bytes, step.made[k].bytes());
  }
  return bytes;
}

std::int64_t DevicesPlan::sent_bytes() const noexcept {
  std::int64_t bytes = 0;
  data_->each_exchange([&](const Exchange& e, std::size_t) { bytes += e.sent_bytes(); });
  return bytes;
}

std::string DevicesPlan::describe() const {
  const Data& d = *data_;
  const auto bytes = [](std::int64_t n) { return planning::print_bytes(static_cast<double>(n)); };
  std::string text = fmt::format("{} on {}\n", d.what, d.devices.text());
  std::size_t told = 0;
  const auto tell_parts = [&](std::size_t up_to) {
    for (; told < up_to; ++told) {
      const std::deque<RankStep>& parts = d.steps[told].parts;
      const auto has_work = [](const RankStep& of) {
        return !of.inner.empty() || std::any_of(of.fetched.begin(), of.fetched.end(), [](const auto& f) { return !f.parts.empty(); });
      };
      const bool has_inner = std::any_of(parts.begin(), parts.end(), [](const RankStep& of) { return !of.inner.empty(); });
      text += fmt::format("compute   {} parts, one a device{}\n", std::count_if(parts.begin(), parts.end(), has_work),
                          has_inner ? ": inner cells while halos are under way, then the rims" : distributed::text_of(d.steps[told].slabs));
    }
  };
  d.each_exchange([&](const Exchange& e, std::size_t step) {
    tell_parts(step);
    text += fmt::format("exchange  {} -> {}: {} in {} messages, {}\n", e.what().from().text(),
                        e.what().to().has_windows() ? "what each part needs" : e.what().to().text(), bytes(e.sent_bytes()), e.n_messages(),
                        e.n_messages() == 0 ? "nothing leaves a device"
                        : e.n_staged() > 0  ? fmt::format("{} of them packed, copied and unpacked", e.n_staged())
                                            : fmt::format("{} straight into the other devices' memory",
                                                         e.n_copied() == e.n_messages() ? "copied" : "stored"));
  });
  tell_parts(d.steps.size());
  std::int64_t most = 0;
  for (std::int64_t k = 0; k < d.devices.size(); ++k) most = std::max(most, own_bytes(k));
  return text + fmt::format("memory    at most {} of a device, beside its parts\n", bytes(most));
}

}  // namespace crinkle
