// SPDX-License-Identifier: BSD-3-Clause
#include "formats/box_copy.hpp"

#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>

#include "crinkle/plan.hpp"
#include "crinkle/rearrangement.hpp"
#include "formats/file.hpp"

namespace crinkle::tool {
namespace {

constexpr std::int64_t least_run = 512;  // bytes, from which on the system puts a run in place no slower than a copy does

/// The caller's thread alone: boxes are shared out above.
class Alone final : public Executor {
 public:
  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override {
    for (std::int64_t c = 0; c < n_chunks; ++c) body(c);
  }
  int n_workers() const noexcept override { return 1; }
};

// Where neither side has long runs, the plan of a move has tiles for it.
bool is_for_a_plan(const BoxRuns& runs) {
  constexpr std::int64_t longest = 64, least_elements = 4096;
  std::int64_t n = 1;
  for (std::size_t a = 0; a < runs.extents.size(); ++a) {
    if (runs.from[a] <= 0 || runs.to[a] <= 0) return false;  // one element for many
    n *= runs.extents[a];
  }
  return runs.run_bytes <= longest && runs.extents.size() > 1 && n >= least_elements;
}

void copy_by_plan(const BoxRuns& runs, const std::byte* from, std::byte* to) {
  Alone alone;
  Layout source = Layout::dense(runs.extents, runs.run_bytes), destination = source;
  source.strides = runs.from;
  destination.strides = runs.to;
  const Plan plan(Rearrangement(source).into(destination));
  const auto bytes = [](const Layout& layout) {
    std::int64_t n = layout.element_bytes;
    for (std::size_t a = 0; a < layout.extents.size(); ++a) n += (layout.extents[a] - 1) * layout.strides[a];
    return n;
  };
  const ConstBuffer read{from, bytes(source)};
  const Buffer written{to, bytes(destination)};
  plan.run({&read, 1}, {&written, 1}, alone);
}

template <class Unit>
void copy_line(std::int64_t n, const std::byte* from, std::int64_t from_stride, std::byte* to, std::int64_t to_stride) {
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, sizeof(Unit));
}

std::int64_t span_of(const Extents& extents, std::int64_t element_bytes, const Extents& strides) {
  std::int64_t n = element_bytes;
  for (std::size_t a = 0; a < extents.size(); ++a) n += (extents[a] - 1) * strides[a];
  return n;
}

/// Pieces of memory, for bytes of a file that lie one behind the other.
class Pieces {
 public:
  Pieces(const FilePlace& file, bool is_read) : file_(file), is_read_(is_read) {}

  void add(std::int64_t at, std::byte* memory, std::int64_t n) {
    if (n_ > 0 && (at != end_ || n_ == pieces_.size())) flush();
    if (n_ == 0) begin_ = end_ = at;
    pieces_[n_++] = {memory, static_cast<std::size_t>(n)};
    end_ += n;
  }

  void flush() {
    std::span<iovec> left(pieces_.data(), n_);
    for (std::int64_t at = file_.at + begin_; !left.empty();) {
      const int n = static_cast<int>(left.size());
      const ssize_t done = is_read_ ? ::preadv(file_.descriptor, left.data(), n, at) : ::pwritev(file_.descriptor, left.data(), n, at);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) throw_system(file_.path, is_read_ ? "reading" : "writing", errno);
      if (done == 0) throw_bad_file(file_.path, fmt::format("ends before byte {}", file_.at + end_));
      at += done;
      auto moved = static_cast<std::size_t>(done);
      while (!left.empty() && moved >= left[0].iov_len) {
        moved -= left[0].iov_len;
        left = left.subspan(1);
      }
      if (moved > 0) left[0] = {static_cast<std::byte*>(left[0].iov_base) + moved, left[0].iov_len - moved};
    }
    n_ = 0;
  }

 private:
  const FilePlace& file_;
  bool is_read_;
  std::array<iovec, 512> pieces_;
  std::size_t n_ = 0;
  std::int64_t begin_ = 0, end_ = 0;
};

}  // namespace

BoxRuns::BoxRuns(const Extents& box, std::int64_t element_bytes, const Extents& from_strides, const Extents& to_strides)
    : run_bytes(element_bytes) {
  bool is_run = true;
  for (std::size_t a = box.size(); a-- > 0;) {
    if (box[a] == 0) run_bytes = 0;
    if (box[a] == 1) continue;
    is_run = is_run && from_strides[a] == run_bytes && to_strides[a] == run_bytes;
    if (is_run) {
      run_bytes *= box[a];
    } else {
      extents.push_back(box[a]);
      from.push_back(from_strides[a]);
      to.push_back(to_strides[a]);
    }
  }
  std::reverse(extents.begin(), extents.end());
  std::reverse(from.begin(), from.end());
  std::reverse(to.begin(), to.end());
}

void copy_box(const Extents& extents, std::int64_t element_bytes, const std::byte* from, const Extents& from_strides, std::byte* to,
              const Extents& to_strides) {
  BoxRuns runs(extents, element_bytes, from_strides, to_strides);
  if (runs.run_bytes == 0) return;
  if (is_for_a_plan(runs)) return copy_by_plan(runs, from, to);
  const auto n_bytes = static_cast<std::size_t>(runs.run_bytes);
  if (runs.extents.empty()) {
    std::memcpy(to, from, n_bytes);
    return;
  }
  const std::int64_t n = runs.extents.back(), a = runs.from.back(), b = runs.to.back();
  runs.extents.pop_back();
  runs.each([&](std::int64_t first, std::int64_t second) {
    const std::byte* const line = from + first;
    std::byte* const made = to + second;
    switch (n_bytes) {
      case 1: copy_line<std::uint8_t>(n, line, a, made, b); break;
      case 2: copy_line<std::uint16_t>(n, line, a, made, b); break;
      case 4: copy_line<std::uint32_t>(n, line, a, made, b); break;
      case 8: copy_line<std::uint64_t>(n, line, a, made, b); break;
      default:
        for (std::int64_t i = 0; i < n; ++i) std::memcpy(made + i * b, line + i * a, n_bytes);
    }
    return true;
  });
}

void read_file_box(const FilePlace& from, const Extents& extents, std::int64_t element_bytes, const Extents& file_strides, std::byte* into,
                   const Extents& strides, ReusedMemory& room) {
  const BoxRuns runs(extents, element_bytes, file_strides, strides);
  if (runs.run_bytes == 0) return;
  Pieces pieces(from, true);
  if (runs.run_bytes < least_run) {
    const std::int64_t n = span_of(extents, element_bytes, file_strides);
    pieces.add(0, room.of(n), n);
    pieces.flush();
    return copy_box(extents, element_bytes, room.of(n), file_strides, into, strides);
  }
  runs.each([&](std::int64_t at, std::int64_t place) { return pieces.add(at, into + place, runs.run_bytes), true; });
  pieces.flush();
}

void write_file_box(const FilePlace& to, const Extents& extents, std::int64_t element_bytes, const Extents& file_strides,
                    const std::byte* from, const Extents& strides, ReusedMemory& room) {
  const BoxRuns runs(extents, element_bytes, strides, file_strides);
  if (runs.run_bytes == 0) return;
  std::int64_t elements = element_bytes;
  for (const std::int64_t n : extents) elements *= n;
  const std::int64_t n = span_of(extents, element_bytes, file_strides);
  Pieces pieces(to, false);
  if (runs.run_bytes < least_run && elements == n) {
    std::byte* const made = room.of(n);
    copy_box(extents, element_bytes, from, strides, made, file_strides);
    pieces.add(0, made, n);
    return pieces.flush();
  }
  // The file is written from front to back, whatever the order of the memory.
  runs.each(
      [&](std::int64_t place, std::int64_t at) { return pieces.add(at, const_cast<std::byte*>(from) + place, runs.run_bytes), true; });
  pieces.flush();
}

}  // namespace crinkle::tool
