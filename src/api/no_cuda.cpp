// A build without CUDA has no devices, and says so.
// SPDX-License-Identifier: BSD-3-Clause
#include "api/advise_site.hpp"
#include "api/plan_data.hpp"
#include "crinkle/cuda.hpp"
#include "crinkle/error.hpp"
#include "crinkle/pairs.hpp"
#include "crinkle/transfer.hpp"

namespace crinkle {
namespace {

[[noreturn]] void refuse(int n) {
  throw Error(ErrorCode::unsupported,
              "CUDA device " + std::to_string(n) +
                  ": this build of crinkle has no CUDA executor; use the CPU, or plan and explain for --machine h200");
}

}  // namespace

int count_cuda_devices() noexcept { return 0; }
Device cuda(int n) { refuse(n); }
DeviceFacts facts_of(Device device) { refuse(device.index); }
Stream::Stream(Device device) { refuse(device.index); }
void Stream::synchronize() const { refuse(0); }
DeviceMemory::DeviceMemory(Device device, std::int64_t) { refuse(device.index); }
void copy_bytes(ConstBuffer, Buffer) { refuse(0); }
Machine machine_of_cuda(Device device) { refuse(device.index); }
void Plan::Data::make_cuda_steps() { refuse(device.index); }
void Plan::Data::make_cuda_exchanges(const Boxes&, const plan::Partners&) { refuse(device.index); }
void Plan::run(std::span<const ConstBuffer>, std::span<const Buffer>, const Stream&, Buffer) const { refuse(0); }
std::unique_ptr<Site> make_cuda_site(const SiteBytes&, Device device) { refuse(device.index); }

using ConstBuffers = std::span<const ConstBuffer>;
using Buffers = std::span<const Buffer>;
void upload(const Rearrangement&, ConstBuffers, Buffers, Device device, const TransferOptions&) { refuse(device.index); }
void upload(const Rearrangement&, ConstBuffer, Buffer, Device device, const TransferOptions&) { refuse(device.index); }
void download(const Rearrangement&, ConstBuffers, Buffers, Device device, const TransferOptions&) { refuse(device.index); }
void download(const Rearrangement&, ConstBuffer, Buffer, Device device, const TransferOptions&) { refuse(device.index); }
void move_through(const Rearrangement&, ConstBuffers, Buffers, Device device, const TransferOptions&) { refuse(device.index); }
void move_through(const Rearrangement&, ConstBuffer, Buffer, Device device, const TransferOptions&) { refuse(device.index); }

void convert_triangle(const TriangleLayout&, const TriangleLayout&, ConstBuffer, Buffer, Device device, const Stream&) {
  refuse(device.index);
}
void distances(const Points&, Metric, PairForm, Buffer, Device device, const Stream&) { refuse(device.index); }
std::int64_t count_collisions(const Spheres&, Device device) { refuse(device.index); }
std::int64_t find_collisions(const Spheres&, Buffer, Device device) { refuse(device.index); }
double triplet_energy(const Points&, Device device) { refuse(device.index); }

}  // namespace crinkle
