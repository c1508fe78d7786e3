// Checks buffers before an operation runs, once for all of them: how many, how long, of which values, apart from each other, on
// the right device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "operation/buffers.hpp"
#include "operation/model.hpp"

namespace crinkle {

/// Throws what Operation::run says of buffers.
Aliasing check_buffers(const Operation::Model& of, std::span<const ConstBuffer> in, std::span<const Buffer> out);
/// The same of inputs alone.
void check_inputs(const Operation::Model& of, std::span<const ConstBuffer> in);
/// Throws bad_shape for a workspace that is too small, overlap where it shares bytes with a buffer.
void check_workspace(const Operation::Model& of, std::span<const ConstBuffer> in, std::span<const Buffer> out, Buffer workspace);
/// Throws device where the worker is not one of the operation's device.
void check_device(const Operation::Model& of, const Worker& worker);
/// Throws device where a stream is of another device or memory cannot be reached. Requires check_device().
void check_reach(const Operation::Model& of, std::span<const ConstBuffer> in, std::span<const Buffer> out, Buffer workspace,
                 const Worker& worker);

}  // namespace crinkle
