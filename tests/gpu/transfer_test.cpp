// Arrays through packets: uploads, downloads and moves through the device are what the definition says, byte for byte, in memory that holds
// them and in memory that does not; and what is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/operations.hpp"
#include "gpu/on_gpu.hpp"
#include "support/draw.hpp"

namespace crinkle::transfer_test {
namespace {

using testing::Guarded;
using Gpu = testing::OnGpu;
using Bytes = std::vector<std::byte>;

enum class Way : std::uint8_t { upload, download, through };
constexpr Way ways[] = {Way::upload, Way::download, Way::through};

/// A rearrangement's buffers on both sides, on the host and on the device, and what is expected of the destinations.
class Sides {
 public:
  Sides(const Rearrangement& r, std::int64_t src_shift, std::int64_t dst_shift) : r_(r) {
    for (const ByteSpan& s : r.source_spans()) {
      from_.emplace_back(s, src_shift);
      from_.back().fill_random(from_.size() * 17 + 5);
      from_.back().upload();
      from_spans_.push_back(s);
    }
    for (const ByteSpan& s : r.destination_spans()) {
      to_.emplace_back(s, dst_shift);
      to_.back().upload();
      to_spans_.push_back(s);
    }
  }

  /// Moves, and compares every byte of the destinations' memory, guards included. Requires that nothing was moved before.
  void expect_as_defined(Way way, const TransferOptions& options, const std::string& what) {
    std::vector<const std::byte*> in;
    std::vector<std::byte*> out;
    std::vector<Bytes> before;
    for (Guarded& g : from_) in.push_back(g.host());
    for (Guarded& g : to_) before.push_back(g.host_bytes());
    move(way, options);
    std::vector<Bytes> have;
    for (Guarded& g : to_) have.push_back(way == Way::upload ? g.download() : g.host_bytes());
    for (std::size_t s = 0; s < to_.size(); ++s) std::copy(before[s].begin(), before[s].end(), to_[s].host_begin());
    for (Guarded& g : to_) out.push_back(g.host());
    const Steps steps = r_.steps();
    Bytes workspace(static_cast<std::size_t>(steps.workspace_bytes));
    run_reference(steps, in, out, workspace.data());
    for (std::size_t s = 0; s < to_.size(); ++s) {
      const Bytes& expected = to_[s].host_bytes();
      const std::size_t at = testing::first_difference(have[s], expected);
      if (at < have[s].size()) {
        ADD_FAILURE() << what << "\nway " << static_cast<int>(way) << ", staging " << options.staging_bytes << ", device memory "
                      << options.device_memory << ": buffer " << s << ", byte " << to_[s].offset_of(at) << " is wrong, of "
                      << to_spans_[s].first << " to " << to_spans_[s].last;
      }
    }
  }

 private:
  void move(Way way, const TransferOptions& options) {
    std::vector<ConstBuffer> src;
    std::vector<Buffer> dst;
    for (std::size_t s = 0; s < from_.size(); ++s)
      src.push_back({way == Way::download ? from_[s].device() : from_[s].host(), from_spans_[s].last});
    for (std::size_t s = 0; s < to_.size(); ++s) dst.push_back({way == Way::upload ? to_[s].device() : to_[s].host(), to_spans_[s].last});
    if (way == Way::upload) upload(r_, src, dst, cuda(), options);
    if (way == Way::download) download(r_, src, dst, cuda(), options);
    if (way == Way::through) move_through(r_, src, dst, cuda(), options);
  }

  const Rearrangement& r_;
  std::vector<Guarded> from_, to_;
  std::vector<ByteSpan> from_spans_, to_spans_;
};

void expect_as_defined(const Rearrangement& r, Way way, const TransferOptions& options, const std::string& what, std::int64_t src_shift = 0,
                       std::int64_t dst_shift = 0) {
  Sides(r, src_shift, dst_shift).expect_as_defined(way, options, what);
}

TEST_F(Gpu, random_chains_go_up_down_and_through_in_packets_of_any_size) {
  Draw draw{std::mt19937_64(20261124)};
  const int n = testing::n_cases(400);
  for (int k = 0; k < n && !HasFailure(); ++k) {
    std::string text = "case " + std::to_string(k) + ":";
    const Rearrangement r = draw.chain(text);
    const Steps steps = r.steps();
    const bool is_gathered = std::any_of(steps.steps.begin(), steps.steps.end(), [](const Step& s) { return !s.gathers.empty(); });
    TransferOptions options;
    const std::int64_t n_bytes = std::max(r.source().n_bytes(), r.destination().n_bytes());
    if (!draw.chance(4)) options.staging_bytes = std::max<std::int64_t>(16, n_bytes / draw.pick(1, 40));
    if (draw.chance(3) && !is_gathered) options.device_memory = std::max<std::int64_t>(96, 6 * n_bytes / draw.pick(1, 40));
    for (const Way way : ways) {
      const std::int64_t src_shift = draw.chance(2) ? 0 : draw.pick(0, 15), dst_shift = draw.chance(2) ? 0 : draw.pick(0, 15);
      expect_as_defined(r, way, options, text, src_shift, dst_shift);
    }
  }
}

TEST_F(Gpu, arrays_larger_than_its_memory_go_through) {
  const Rearrangement r = parse("z y x -> x z y", Layout::dense({61, 130, 257}, 4)).flip("y").roll("x", 7).pad("z", 2, 1);
  for (const std::int64_t memory : {std::int64_t{6} << 10, std::int64_t{1} << 20, std::int64_t{3} << 20}) {
    TransferOptions options;
    options.device_memory = memory;
    std::int64_t n_moved = 0;
    options.moved = [&](std::int64_t n) { n_moved += n; };
    for (const Way way : ways) {
      n_moved = 0;
      expect_as_defined(r, way, options, "61 x 130 x 257", 4, 12);
      EXPECT_EQ(n_moved, r.destination().n_bytes());
    }
  }
}

TEST_F(Gpu, large_arrays_go_in_packets_of_the_usual_size) {
  const Rearrangement r = permute(Layout::dense({5000, 6007}, 4), {{1, 0}});
  for (const Way way : ways) expect_as_defined(r, way, {}, "5000 x 6007");
}

TEST_F(Gpu, two_steps_go_through_a_workspace_that_is_shorter_than_they_need) {
  const Layout layout = Layout::dense({97, 89}, 1);
  const Rearrangement r = permute(layout, {{1, 0}}).then(permute(layout, {{1, 0}}));
  ASSERT_EQ(r.steps().steps.size(), 2U);
  for (const std::int64_t workspace : {500, 64 << 20}) {
    TransferOptions options;
    options.workspace_bytes = workspace;
    options.staging_bytes = 200;
    std::int64_t n_moved = 0;
    options.moved = [&](std::int64_t n) { n_moved += n; };
    for (const Way way : ways) {
      n_moved = 0;
      expect_as_defined(r, way, options, "two steps");
      EXPECT_EQ(n_moved, r.destination().n_bytes());
    }
  }
}

TEST_F(Gpu, several_buffers_go_up_down_and_through) {
  for (const std::int64_t n : {2, 8, 9, 40}) {
    const Rearrangement together = interlace(Layout::dense({17, 33}, 4), n), apart = together.inverse();
    for (const std::int64_t staging : {100, 4000, 1 << 20}) {
      TransferOptions options;
      options.staging_bytes = staging;
      for (const Way way : ways) {
        expect_as_defined(together, way, options, std::to_string(n) + " interlaced");
        expect_as_defined(apart, way, options, std::to_string(n) + " taken apart");
      }
    }
  }
}

TEST_F(Gpu, gaps_between_destinations_stay) {
  Layout padded = Layout::dense({40, 50}, 4);
  padded.strides[0] = 217;  // rows of 200 bytes
  for (const Way way : ways) {
    TransferOptions options;
    options.staging_bytes = 1000;
    expect_as_defined(Rearrangement(Layout::dense({50, 40}, 4), {"y", "x"})
                          .split_and_merge({{{{"y", 50}}}, {{{"x", 40}}}}, {{{{1, 0, 1}}}, {{{0, 0, 1}}}})
                          .into(padded),
                      way, options, "padded rows");
  }
}

/// Rows in no order that boxes could say.
Rearrangement picked_rows() {
  std::vector<std::int64_t> indices;
  for (std::int64_t k = 0; k < 200; ++k) indices.push_back(k * k % 97);
  return Rearrangement(Layout::dense({300, 2}, 4)).take("@0", indices);
}

TEST_F(Gpu, index_arrays_go_up_down_and_through) {
  Layout padded = Layout::dense({200, 2}, 4);
  padded.strides[0] = 20;  // rows of 8 bytes
  for (const Rearrangement& r : {picked_rows(), picked_rows().into(padded), picked_rows().flip("@0").pad("@1", 1, 2)}) {
    ASSERT_FALSE(r.steps().steps.front().gathers.empty());
    for (const std::int64_t staging : {100, 1 << 20}) {
      TransferOptions options;
      options.staging_bytes = staging;
      std::int64_t n_moved = 0;
      options.moved = [&](std::int64_t n) { n_moved += n; };
      for (const Way way : ways) {
        n_moved = 0;
        expect_as_defined(r, way, options, "picked rows", 4, 12);
        EXPECT_GE(n_moved, r.destination().n_bytes());
      }
    }
  }
}

TEST_F(Gpu, arrays_that_begin_behind_a_header_are_picked_from) {
  std::vector<std::int64_t> indices;
  for (std::int64_t k = 0; k < 200; ++k) indices.push_back(k * k % 97);
  Layout behind = Layout::dense({300, 2}, 4), to = Layout::dense({200, 2}, 4);
  behind.offset = 1 << 20;  // far before what the device holds of the buffer
  to.offset = 128;
  for (const Rearrangement& r : {Rearrangement(behind).take("@0", indices), Rearrangement(behind).take("@0", indices).into(to)})
    for (const Way way : ways) expect_as_defined(r, way, {}, "rows behind a header");
}

TEST_F(Gpu, padding_stays_where_picked_records_go) {
  const Fields fields = parse_fields("a:u1 b:f4");
  std::vector<std::int64_t> indices;
  for (std::int64_t k = 0; k < 200; ++k) indices.push_back(k * k % 97);
  const Rearrangement records = convert_records(RecordLayout::parse("(a b)", fields), RecordLayout::parse("(a b)@4", fields), 200);
  const Rearrangement r = gather(Layout::dense({100, 5}, 1), 0, indices).then(records);
  for (const Way way : ways) expect_as_defined(r, way, {}, "picked records");
}

TEST_F(Gpu, empty_arrays_and_single_elements_are_transferred) {
  for (const Way way : ways) {
    expect_as_defined(parse("y x -> x y", Layout::dense({0, 5}, 4)), way, {}, "empty");
    expect_as_defined(parse("y x -> x y", Layout::dense({1, 1}, 16)), way, {}, "one element");
  }
}

ErrorCode code_of(const std::function<void()>& work, const std::string& says = "") {
  try {
    work();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
    return e.code();
  }
  ADD_FAILURE() << "nothing was refused";
  return ErrorCode::bad_file;
}

TEST_F(Gpu, transfers_that_cannot_be_are_refused_before_anything_is_written) {
  const Rearrangement r = parse("y x -> x y", Layout::dense({30, 20}, 8));
  const std::int64_t n = r.source().n_bytes();
  Bytes host(static_cast<std::size_t>(n), std::byte{1}), result(static_cast<std::size_t>(n), std::byte{2});
  const Bytes untouched = result;
  const DeviceMemory device(cuda(), n);
  const ConstBuffer from{host.data(), n};
  const Buffer to{result.data(), n};
  EXPECT_EQ(code_of([&] { upload(r, from, to, cuda()); }, "ordinary memory"), ErrorCode::device);
  EXPECT_EQ(code_of([&] { upload(r, device, to, cuda()); }, "the source"), ErrorCode::device);
  EXPECT_EQ(code_of([&] { download(r, from, to, cuda()); }, "the source"), ErrorCode::device);
  EXPECT_EQ(code_of([&] { download(r, device, device, cuda()); }), ErrorCode::overlap);
  EXPECT_EQ(code_of([&] { move_through(r, device, to, cuda()); }, "CPU can reach"), ErrorCode::device);
  EXPECT_EQ(code_of([&] { move_through(r, from, device, cuda()); }, "CPU can reach"), ErrorCode::device);
  EXPECT_EQ(code_of([&] { move_through(r, from, {host.data(), n}, cuda()); }, "second buffer"), ErrorCode::overlap);
  EXPECT_EQ(code_of([&] { move_through(r, from, {result.data(), n - 1}, cuda()); }), ErrorCode::bad_shape);
  EXPECT_EQ(code_of([&] { move_through(r, from, to, cpu()); }, "cuda(0)"), ErrorCode::device);
  EXPECT_EQ(code_of([&] { move_through(r, from, to, {Device::Kind::cuda, 4096}); }), ErrorCode::device);
  TransferOptions options;
  options.device_memory = 47;  // of 6 staging buffers
  EXPECT_EQ(code_of([&] { move_through(r, from, to, cuda(), options); }, "at least 48"), ErrorCode::out_of_memory);
  options.device_memory = 0;
  options.staging_bytes = 15;
  EXPECT_EQ(code_of([&] { move_through(r, from, to, cuda(), options); }, "16 or more"), ErrorCode::bad_shape);
  const Rearrangement gathered = picked_rows();
  ASSERT_FALSE(gathered.steps().steps.front().gathers.empty());
  options.staging_bytes = 8 << 20;
  options.device_memory = 97 * 8 + gathered.destination().n_bytes();  // the rows that are read, and the result
  EXPECT_EQ(code_of([&] { move_through(gathered, from, to, cuda(), options); }, "index array"), ErrorCode::out_of_memory);
  EXPECT_EQ(result, untouched);
  options = {};
  options.device_memory = 48;
  move_through(r, from, to, cuda(), options);  // a refusal leaves nothing behind
  EXPECT_NE(result, untouched);
}

TEST_F(Gpu, a_transfer_that_fails_midway_leaves_the_device_usable) {
  const Rearrangement r = parse("y x -> x y", Layout::dense({300, 200}, 4));
  const std::int64_t n = r.source().n_bytes();
  Bytes host(static_cast<std::size_t>(n), std::byte{1}), result(static_cast<std::size_t>(n));
  TransferOptions options;
  options.staging_bytes = 4000;
  int n_left = 3;
  options.moved = [&](std::int64_t) {
    if (--n_left == 0) throw std::runtime_error("enough");
  };
  EXPECT_THROW(move_through(r, ConstBuffer{host.data(), n}, Buffer{result.data(), n}, cuda(), options), std::runtime_error);
  for (const Way way : ways) expect_as_defined(r, way, {}, "afterwards");
}

}  // namespace
}  // namespace crinkle::transfer_test
