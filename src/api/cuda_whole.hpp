// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "crinkle/transfer.hpp"

namespace crinkle {

/// A transfer of arrays that are whole in the device's memory while they are rearranged: what an index array picks may lie anywhere, so it
/// does not go in packets. Where `is_src_on_host`, or `is_dst_on_host`, that side's buffers are copied. Requires checked buffers. Throws
/// out_of_memory, before anything is written, where the device does not hold them.
void transfer_whole(const Rearrangement& r, std::span<const ConstBuffer> src, bool is_src_on_host, std::span<const Buffer> dst,
                    bool is_dst_on_host, Device device, const TransferOptions& options);

}  // namespace crinkle
