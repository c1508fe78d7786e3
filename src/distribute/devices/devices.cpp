// Lists of devices, and which of them may work together.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/devices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "distribute/devices/exchange.hpp"

namespace crinkle {
namespace {

[[noreturn]] void refuse_devices(const std::string& text) { throw Error(ErrorCode::device, text); }

}  // namespace

namespace distributed {

std::optional<Redistribution> by_axes(const Rearrangement& move, const Distribution& from, const Distribution& to) {
  try {
    return Redistribution(from, to, move);
  } catch (const Error& e) {
    if (e.code() != ErrorCode::unsupported || from.has_windows()) throw;
  }
  return {};
}

std::string name_of_device(Device device) { return device.kind == Device::Kind::cpu ? "cpu" : fmt::format("cuda:{}", device.index); }

}  // namespace distributed

std::vector<Device> cuda_all() {
  std::vector<Device> all{cuda(0)};
  for (int k = 1; k < count_cuda_devices(); ++k) all.push_back({Device::Kind::cuda, k});
  return all;
}

Devices::Devices(std::vector<Device> devices) : devices_(std::move(devices)) {
  if (devices_.empty()) throw Error(ErrorCode::bad_shape, "no devices: name one or more");
  for (std::size_t k = 0; k < devices_.size(); ++k) {
    if (devices_[k].kind != devices_[0].kind)
      refuse_devices(fmt::format("devices of different kinds: {} and {}; give GPUs, or the CPU alone",
                                 distributed::name_of_device(devices_[0]), distributed::name_of_device(devices_[k])));
    const auto same = std::find(devices_.begin(), devices_.begin() + static_cast<std::ptrdiff_t>(k), devices_[k]);
    if (same != devices_.begin() + static_cast<std::ptrdiff_t>(k))
      refuse_devices(
          fmt::format("{} is named twice, at {} and {}: name each device once, or give Devices::logical({}, n) where one is to "
                      "stand for n of them",
                      distributed::name_of_device(devices_[k]), same - devices_.begin(), k, are_gpus() ? "cuda(k)" : "cpu()"));
    if (!are_gpus()) continue;
    devices_[k] = cuda(devices_[k].index);
    const DeviceFacts first = facts_of(devices_[0]), its = facts_of(devices_[k]);
    if (its.name != first.name || its.compute_major != first.compute_major || its.compute_minor != first.compute_minor)
      refuse_devices(
          fmt::format("cards of different models: {} is {} and {} is {}, whose bits need not be the same; give cards of one model",
                      distributed::name_of_device(devices_[0]), first.name, distributed::name_of_device(devices_[k]), its.name));
  }
}

Devices Devices::logical(Device device, std::int64_t n) {
  if (n < 1) throw Error(ErrorCode::bad_shape, fmt::format("{} logical devices: give 1 or more", n));
  Devices all({device});
  all.devices_.assign(static_cast<std::size_t>(n), all.devices_[0]);
  return all;
}

std::string Devices::text() const {
  if (size() > 1 && devices_[0] == devices_[1])
    return fmt::format("{} logical devices of {}", size(), distributed::name_of_device(devices_[0]));
  std::string text;
  for (const Device device : devices_) text += (text.empty() ? "" : ", ") + distributed::name_of_device(device);
  return text;
}

}  // namespace crinkle
