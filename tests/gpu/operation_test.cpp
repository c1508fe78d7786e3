// Sweeps and resamplings as operations on a real GPU: parts, from dense arrays of what they need, in a workspace that is given and several
// at once, have the bits of the CPU's whole; of polar maps, whose coordinates may differ in their last bits, of the GPU's.
// SPDX-License-Identifier: BSD-3-Clause
#include "resample/drawn_resamplings.hpp"
#include "stencil/drawn_sweeps.hpp"

#include "on_gpu.hpp"

namespace crinkle::testing::operation_test {
namespace {

using Gpu = OnGpu;

/// An operation's buffers on the device, so many bytes past an aligned address.
class GpuRun {
 public:
  GpuRun(Operation operation, const Buffers& in, const Buffers& out, std::int64_t shift)
      : operation_(std::move(operation)), before_(out), shift_(shift), workspace_(operation_.workspace_bytes() + shift) {
    for (const Bytes& bytes : in) in_.push_back(uploaded(bytes));
    for (const Bytes& bytes : out) out_.push_back(uploaded(bytes));
  }
  void give(const Stream& stream) {
    std::vector<ConstBuffer> from;
    std::vector<Buffer> to;
    for (const Lent& lent : in_) from.emplace_back(at(lent));
    for (const Lent& lent : out_) to.push_back(at(lent));
    operation_.run(from, to, stream, operation_.workspace_bytes() == 0 ? Buffer{} : at(workspace_));
  }
  Bytes made() const {
    Bytes bytes(before_[0].size() + size_of(shift_));
    copy_bytes(out_[0], {bytes.data(), std::ssize(bytes)});
    return {bytes.begin() + shift_, bytes.end()};
  }

 private:
  Buffer at(const Lent& lent) const { return {static_cast<std::byte*>(lent.data()) + shift_, lent.bytes() - shift_}; }
  Lent uploaded(const Bytes& bytes) const {
    Lent lent(std::ssize(bytes) + shift_);
    Bytes shifted(size_of(shift_));
    shifted.insert(shifted.end(), bytes.begin(), bytes.end());
    if (!shifted.empty()) copy_bytes({shifted.data(), std::ssize(shifted)}, {lent.data(), lent.bytes()});
    return lent;
  }

  Operation operation_;
  Buffers before_;
  std::int64_t shift_;
  std::vector<Lent> in_, out_;
  Lent workspace_;
};

Bytes made_on_gpu(const Operation& operation, const Buffers& in, std::int64_t shift) {
  GpuRun run(operation, in, untouched_outputs(operation), shift);
  const Stream stream(cuda());
  run.give(stream);
  stream.synchronize();
  return run.made();
}

// All parts of a random partition, two at once.
void expect_parts_on_gpu(const Operation& on_gpu, const Buffers& in, const Bytes& whole, std::mt19937_64& random, const std::string& what) {
  const Layout &from = on_gpu.inputs()[0].layout, &to = on_gpu.outputs()[0].layout;
  const std::vector<Ranges> parts = random_parts(on_gpu, random);
  const Stream streams[] = {Stream(cuda()), Stream(cuda())};
  for (std::size_t first = 0; first < parts.size(); first += 2) {
    std::vector<GpuRun> runs;
    const std::size_t last = std::min(parts.size(), first + 2);
    for (std::size_t p = first; p < last; ++p) {
      const Operation part = on_gpu.part(parts[p]);
      runs.emplace_back(part, Buffers{taken(from, in[0], on_gpu.needs(parts[p])[0])}, untouched_outputs(part),
                        static_cast<std::int64_t>(random() % 3));
    }
    for (std::size_t p = first; p < last; ++p) runs[p - first].give(streams[p - first]);
    for (const Stream& stream : streams) stream.synchronize();
    for (std::size_t p = first; p < last; ++p) {
      const Operation part = on_gpu.part(parts[p]);
      const Difference found = difference(part.outputs()[0], taken(to, whole, on_gpu.gives(parts[p])[0]), runs[p - first].made());
      EXPECT_EQ(found.n, 0) << what << ": part " << p << ", first at element " << found.first << '\n' << part.describe();
    }
  }
}

TEST_F(Gpu, parts_of_sweeps_have_the_bits_of_the_cpu) {
  std::mt19937_64 random(571);
  for (int i = 0; i < n_cases(200) && !HasFailure(); ++i) {
    const Sweep sweep = drawn_sweeps::random_sweep(random);
    const Operation on_cpu = plan(sweep), on_gpu = plan(sweep, cuda());
    const std::string what = std::to_string(i) + ": " + drawn_sweeps::text_of(sweep);
    const Buffers in = random_inputs(on_cpu, random);
    const Bytes whole = run_whole(on_cpu, in, untouched_outputs(on_cpu))[0];
    EXPECT_EQ(difference(on_cpu.outputs()[0], whole, made_on_gpu(on_gpu, in, 0)).n, 0) << what;
    expect_parts_on_gpu(on_gpu, in, whole, random, what);
  }
}

// Kernels of their own for stars and boxes, several steps at once.
TEST_F(Gpu, parts_of_large_sweeps_have_the_bits_of_the_cpu) {
  std::mt19937_64 random(572);
  for (const Faces& faces : {Faces(Bound::periodic), Faces(Bound::reflect), Faces(Bound::constant, 2)}) {
    for (const std::int64_t steps : {1, 6}) {
      for (const Extents& extents : {Extents{300, 512}, Extents{40, 60, 128}}) {
        const int rank = static_cast<int>(extents.size());
        Sweep sweep{.stencil = laplacian(rank), .boundary = {faces}, .steps = steps};
        for (int a = 0; a < rank; ++a) sweep.axes.push_back(a);
        sweep.source = sweep.destination = Layout::dense(extents, 4);
        const Operation on_cpu = plan(sweep), on_gpu = plan(sweep, cuda());
        const Buffers in = random_inputs(on_cpu, random);
        expect_parts_on_gpu(on_gpu, in, run_whole(on_cpu, in, untouched_outputs(on_cpu))[0], random, drawn_sweeps::text_of(sweep));
      }
    }
  }
}

TEST_F(Gpu, parts_of_resamplings_have_the_bits_of_the_whole) {
  std::mt19937_64 random(573);
  constexpr Number direct[] = {Number::uint8, Number::uint16, Number::int16, Number::float32, Number::float64};
  for (int i = 0; i < n_cases(300) && !HasFailure(); ++i) {
    drawn_resamplings::Drawn drawn = drawn_resamplings::random_resampling(random);
    Resampling& r = drawn.request;
    r.is_antialiased = false;  // of what is one stage on a GPU
    if (r.by >= ResampleBy::spline) r.by = ResampleBy::cubic;
    r.source_type = r.destination_type = {direct[random() % 5]};
    r.source = random_layout(r.source.extents, bytes_of(r.source_type.number), random);
    r.destination = random_layout(r.destination.extents, bytes_of(r.source_type.number), random, false);
    const Resampling of = drawn_resamplings::request_of(drawn);
    Resampling there = of;
    DeviceMemory coordinates;
    if (auto* field = std::get_if<CoordinateField>(&there.map)) {
      coordinates = DeviceMemory(cuda(), field->data.bytes);
      copy_bytes(field->data, coordinates);
      field->data = coordinates;
    }
    const Operation on_cpu = plan(of), on_gpu = plan(there, cuda());
    const std::string what = std::to_string(i) + ": " + drawn_resamplings::text_of(of);
    const Buffers in = random_inputs(on_cpu, random);
    const bool is_polar = std::holds_alternative<PolarMap>(of.map);
    const Bytes whole = is_polar ? made_on_gpu(on_gpu, in, 0) : run_whole(on_cpu, in, untouched_outputs(on_cpu))[0];
    if (!is_polar) { EXPECT_EQ(difference(on_cpu.outputs()[0], whole, made_on_gpu(on_gpu, in, 0)).n, 0) << what; }
    expect_parts_on_gpu(on_gpu, in, whole, random, what);
  }
}

TEST_F(Gpu, an_operation_without_a_workspace_has_its_own) {
  Sweep sweep{.stencil = average(2), .axes = {0, 1}, .steps = 5, .steps_at_once = 1};
  sweep.source = sweep.destination = Layout::dense({40, 50}, 8);
  sweep.source_type = sweep.destination_type = {Number::float64};
  const Operation on_cpu = plan(sweep), on_gpu = plan(sweep, cuda());
  ASSERT_GT(on_gpu.workspace_bytes(), 0);
  std::mt19937_64 random(574);
  const Buffers in = random_inputs(on_cpu, random);
  Buffers want = run_whole(on_cpu, in, untouched_outputs(on_cpu));
  const Lent from(std::ssize(in[0])), to(std::ssize(want[0]));
  copy_bytes(ConstBuffer(in[0]), from);
  on_gpu.run({ConstBuffer(from)}, {Buffer(to)}, Stream());
  Bytes made(want[0].size());
  copy_bytes(to, Buffer(made));
  EXPECT_TRUE(made == want[0]);
  EXPECT_THROW(on_gpu.run({ConstBuffer(from)}, {Buffer(to)}, default_executor()), Error);
  EXPECT_THROW(on_cpu.run({ConstBuffer(from)}, {Buffer(to)}, Stream()), Error);
}

}  // namespace
}  // namespace crinkle::testing::operation_test
