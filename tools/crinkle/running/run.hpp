// Running a rearrangement from one byte range into another with bounded memory, and checking the result against the definition.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <span>
#include <string>

#include "crinkle/crinkle.hpp"

namespace crinkle::tool {

/// The most bytes that lie between the steps of a move at any time: 64 MiB. The environment variable CRINKLE_FORCE=slab_bytes=N is for
/// tests, which reach the slabs of small arrays by it.
std::int64_t slab_bytes();

/// How the array at one end of a move lies in memory: its elements, or the bit planes of them (operations.hpp).
enum class Form : std::uint8_t { elements, bit_planes };

/// dst = r(src). Where r has several steps, or bit planes are taken apart before it or made after it, slab by slab, within `limit` bytes,
/// unless what lies between the steps cannot be cut (SlabOptions). Requires one dense destination. Returns the seconds that it took;
/// planning is counted only in slabs. `plan` is called for the plan of r where no slab is needed.
double move_bytes(const Rearrangement& r, std::span<const std::byte> src, Form src_form, std::span<std::byte> dst, Form dst_form,
                  Executor& executor, const std::function<Plan()>& plan, std::int64_t limit = slab_bytes());
/// Whether a move is too long or of the wrong form to be made without slabs, whatever its plan.
bool is_for_slabs(const Rearrangement& r, Form src_form, Form dst_form, std::int64_t limit = slab_bytes());

/// Says that move_bytes works in slabs, and how often it makes the same again; "" where it does not.
std::string describe_slabs(const Rearrangement& r, Form src_form, Form dst_form, std::int64_t limit = slab_bytes());
/// Says on standard error where even the smallest slabs take more than --memory, `limit`.
void note_large_slabs(const Rearrangement& r, Form src_form, Form dst_form, std::int64_t limit);

/// The same into a stream: `write` is called for slab after slab of the result, ascending, within `limit` where the result can be cut.
/// Requires streams_well(r), lest early steps are made anew for every slab.
void stream_bytes(const Rearrangement& r, std::span<const std::byte> src, const std::function<void(std::span<const std::byte>)>& write,
                  Executor& executor, std::int64_t limit = slab_bytes());
bool streams_well(const Rearrangement& r);

/// Compares every element of dst with the source element or fill that the reference map names, within slab_bytes(), too. Returns the index
/// of the first element of dst (byte of its planes) that differs, or −1.
std::int64_t first_difference(const Rearrangement& r, std::span<const std::byte> src, Form src_form, std::span<const std::byte> dst,
                              Form dst_form);

/// The seconds that a plain copy of n_bytes takes, median of 5 runs between two buffers that are in memory. Beyond 256 MiB that many are
/// copied and the time is scaled.
double copy_seconds(std::int64_t n_bytes, Executor& executor);

/// Prints bytes read and written, the time, and from 4 MiB on the rate and the share of a plain copy; of fewer the time is the call's.
void print_report(std::int64_t moved, double seconds, std::FILE* to, Executor& executor);

}  // namespace crinkle::tool
