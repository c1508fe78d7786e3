// Conversions of records on a real GPU: between all pairs of layouts, in one array and apart, at any alignment.
// SPDX-License-Identifier: BSD-3-Clause
#include "on_gpu.hpp"

#include "support/draw.hpp"
#include "support/records.hpp"

namespace crinkle::testing::records_test {
namespace {

using Gpu = OnGpu;

TEST_F(Gpu, records_of_all_layouts_are_converted_as_defined) {
  Draw draw{std::mt19937_64(20261127)};
  const Machine machine = Machine::h200();

  for (const char* mix : {"x:f4 y:f4 z:f4 p:f4", "a:u1 b:f8 c:i2 d:f4[3] e:c8", "x:f4 y:f4 z:f4", "a:u1 b:S3 c:>f12 d:f16 e:u2[2,3]",
                          "a:f4 b:f4 c:f4 d:f4 e:f4 f:f4 g:f4 h:f4 i:f4"}) {
    const Fields fields = parse_fields(mix);
    for (const std::string& from : layouts_of(fields))
      for (const std::string& to : layouts_of(fields)) {
        if (HasFailure() || draw.pick(0, 1619) >= n_cases(1620)) continue;
        const std::int64_t n = draw.chance(3) ? draw.pick(1, 60) : draw.pick(500, 5000);
        const auto storage = [&] { return draw.chance(2) ? Storage::together : Storage::apart; };
        const RecordOptions options{storage(), storage(), draw.chance(3) ? Padding::zero : Padding::keep};
        const Rearrangement r = convert_records(RecordLayout::parse(from, fields), RecordLayout::parse(to, fields), n, options);
        const Steps steps = r.steps();
        if (steps.steps.size() != 1) continue;
        const std::int64_t src_shift = draw.chance(2) ? 0 : draw.pick(0, 15), dst_shift = draw.chance(2) ? 0 : draw.pick(0, 15);
        expect_as_defined(steps.steps[0].boxes, machine, src_shift, dst_shift, std::to_string(n) + " of " + from + " to " + to);
      }
  }
}

}  // namespace
}  // namespace crinkle::testing::records_test
