// The orientation follows every rearrangement: for each output voxel the world coordinates, by qform and by sform, are those of the
// source voxel it came from; where that cannot be, both are dropped and a note says so.
// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "volume.hpp"

namespace crinkle::tool::nifti_orientation_test {
namespace {

using Point = std::array<double, 3>;

Point world(const nifti_2_header& h, bool is_sform, const Point& v) {
  nifti_dmat44 m = {};
  if (is_sform) {
    for (int i = 0; i < 4; ++i) m.m[0][i] = h.srow_x[i], m.m[1][i] = h.srow_y[i], m.m[2][i] = h.srow_z[i];
  } else {
    m = nifti_quatern_to_dmat44(h.quatern_b, h.quatern_c, h.quatern_d, h.qoffset_x, h.qoffset_y, h.qoffset_z, h.pixdim[1], h.pixdim[2],
                                h.pixdim[3], h.pixdim[0]);
  }
  Point p = {};
  for (std::size_t r = 0; r < 3; ++r) p[r] = m.m[r][0] * v[0] + m.m[r][1] * v[1] + m.m[r][2] * v[2] + m.m[r][3];
  return p;
}

/// Opens the oblique volume, writes its header for the change, and hands source, output header and notes to the check.
struct Changed {
  Folder folder;
  std::unique_ptr<Source> source;
  std::unique_ptr<Source> output;
  std::vector<std::string> notes;

  Changed(const Extents& extents, const SpatialChange* change, const std::string& name = "out.nii") {
    put(folder / "in.nii", oblique_file());
    source = Source::open(folder / "in.nii");
    const OutputFacts facts{extents, source->facts().type, &source->facts(), change};
    const auto sink = Sink::create(folder / name, facts, Overwrite::refuse);
    notes = sink->notes();
    sink->commit();
    output = Source::open(folder / name);
    EXPECT_EQ(output->facts().layout.extents, extents);
  }
  const nifti_2_header& before() const { return header_of(*source); }
  const nifti_2_header& after() const { return header_of(*output); }
};

/// Every output voxel lies where the source voxel lay that the change names; `fixed` are x, y, z of axes that are gone.
void expect_same_world(const Changed& c, const SpatialChange& change, Point gone = {0, 0, 0}) {
  const Extents& extents = c.output->facts().layout.extents;
  const int rank = static_cast<int>(extents.size());
  const int source_rank = static_cast<int>(c.source->facts().layout.extents.size());
  for (const bool is_sform : {false, true}) {
    for (int corner = 0; corner < 8; ++corner) {
      Point w = {}, v = gone;
      for (int d = 0; d < 3 && d < rank; ++d) {
        const auto axis = static_cast<std::size_t>(rank - 1 - d);
        w[static_cast<std::size_t>(d)] = (corner >> d & 1) != 0 ? static_cast<double>(extents[axis] - 1) : 0;
        const AxisOrigin& from = change.axes[axis];
        if (from.source_axis >= 0)
          v[static_cast<std::size_t>(source_rank - 1 - from.source_axis)] = from.start + from.step * w[static_cast<std::size_t>(d)];
      }
      const Point expected = world(c.before(), is_sform, v), found = world(c.after(), is_sform, w);
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-4) << (is_sform ? "sform" : "qform") << " corner " << corner;
    }
  }
}

TEST(NiftiOrientation, flips_and_permutations_keep_the_place_of_every_voxel) {
  // t z y x -> t x z y with z flipped and x stepped by 2 from 1
  const SpatialChange change{{{0, 0, 1}, {3, 1, 2}, {1, 4, -1}, {2, 0, 1}}, {}};
  const Changed c({2, 2, 5, 3}, &change);
  expect_same_world(c, change);
  EXPECT_TRUE(c.notes.empty());
  EXPECT_FLOAT_EQ(static_cast<float>(c.after().pixdim[1]), 1.1F);
  EXPECT_FLOAT_EQ(static_cast<float>(c.after().pixdim[2]), 2.5F);
  EXPECT_FLOAT_EQ(static_cast<float>(c.after().pixdim[3]), 1.8F);
  EXPECT_FLOAT_EQ(static_cast<float>(c.after().pixdim[4]), 3);
  EXPECT_EQ(DIM_INFO_TO_FREQ_DIM(c.after().dim_info), 3);
  EXPECT_EQ(DIM_INFO_TO_PHASE_DIM(c.after().dim_info), 1);
  EXPECT_EQ(DIM_INFO_TO_SLICE_DIM(c.after().dim_info), 2);
  EXPECT_EQ(int{c.after().slice_code}, NIFTI_SLICE_ALT_DEC);
  EXPECT_EQ(std::int64_t{c.after().slice_start}, 0);
  EXPECT_EQ(std::int64_t{c.after().slice_end}, 3);
  EXPECT_STREQ(c.after().descrip, "kept");
}

TEST(NiftiOrientation, every_permutation_and_flip_keeps_the_place_of_every_voxel) {
  std::array<int, 3> order = {1, 2, 3};
  const Extents source = {2, 5, 3, 4};
  do {
    for (int flips = 0; flips < 8; ++flips) {
      SpatialChange change{{{0, 0, 1}}, {}};
      Extents extents = {2};
      for (int i = 0; i < 3; ++i) {
        const auto n = source[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
        const bool is_flipped = (flips >> i & 1) != 0;
        change.axes.push_back({order[static_cast<std::size_t>(i)], is_flipped ? static_cast<double>(n - 1) : 0, is_flipped ? -1.0 : 1.0});
        extents.push_back(n);
      }
      expect_same_world(Changed(extents, &change), change);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(NiftiOrientation, pads_and_slices_move_the_origin) {
  const SpatialChange change{{{0, 0, 1}, {1, -2, 1}, {2, 1, 1}, {3, 2.5, 0.5}}, {}};
  const Changed c({2, 9, 2, 3}, &change);
  expect_same_world(c, change);
  EXPECT_EQ(int{c.after().slice_code}, 0);  // the slices are no longer those of the scan
}

TEST(NiftiOrientation, a_fixed_axis_leaves_its_place_behind) {
  const SpatialChange change{{{1, 0, 1}, {3, 3, -1}}, {1, 0, 2, 0}};  // t=1 and y=2 are fixed: z x
  const Changed c({5, 4}, &change);
  expect_same_world(c, {{{1, 0, 1}, {3, 3, -1}}, {}}, {0, 2, 0});
  EXPECT_TRUE(c.notes.empty());
}

TEST(NiftiOrientation, splitting_merging_or_moving_away_a_spatial_axis_drops_the_orientation_and_says_so) {
  const SpatialChange split{{{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {-1, 0, 1}, {-1, 0, 1}}, {}};
  const SpatialChange merged{{{0, 0, 1}, {-1, 0, 1}, {3, 0, 1}}, {}};
  const SpatialChange away{{{3, 0, 1}, {0, 0, 1}, {1, 0, 1}, {2, 0, 1}}, {}};
  const SpatialChange away_merged{{{-1, 0, 1}, {-1, 0, 1}, {-1, 0, 1}, {2, 0, 1}}, {}};
  const std::pair<Extents, const SpatialChange*> cases[] = {
      {{2, 5, 3, 2, 2}, &split}, {{2, 15, 4}, &merged}, {{4, 2, 5, 3}, &away}, {{40, 1, 1, 3}, &away_merged}, {{120}, nullptr}};
  for (const auto& [extents, change] : cases) {
    const Changed c(extents, change);
    EXPECT_EQ(int{c.after().qform_code}, 0);
    EXPECT_EQ(int{c.after().sform_code}, 0);
    ASSERT_EQ(c.notes.size(), 1U);
    EXPECT_TRUE(says(c.notes[0], "orientation"));
  }
  const SpatialChange time_split{{{-1, 0, 1}, {-1, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}}, {}};
  const Changed kept({2, 1, 5, 3, 4}, &time_split);
  EXPECT_EQ(int{kept.after().qform_code}, 1);
  EXPECT_TRUE(kept.notes.empty());
}

}  // namespace
}  // namespace crinkle::tool::nifti_orientation_test
