// Keys of requests: whichever member is another, so is the key. A request with a new member needs a new way to vary it here.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/detail/request_key.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "crinkle/device.hpp"
#include "crinkle/fft.hpp"
#include "crinkle/sweeper.hpp"

namespace crinkle::request_key_test {
namespace {

template <class T>
using Changes = std::vector<std::function<void(T&)>>;

/// Every change alone gives a key of its own. The first `n_members` changes are of one member each.
template <class T>
void expect_a_key_each(const T& request, const Changes<T>& of_members, const Changes<T>& of_parts) {
  EXPECT_EQ(of_members.size(), static_cast<std::size_t>(detail::n_members<T>())) << "a member that is not varied";
  std::set<detail::RequestKey> keys = {detail::key_of(request)};
  for (const auto& changes : {of_members, of_parts}) {
    for (std::size_t k = 0; k < changes.size(); ++k) {
      T other = request;
      changes[k](other);
      EXPECT_TRUE(keys.insert(detail::key_of(other)).second) << "change " << k;
    }
  }
  EXPECT_EQ(detail::key_of(T(request)), detail::key_of(request));
}

Changes<Layout> of_layout() {
  return {[](Layout& l) { l.extents[0] += 1; }, [](Layout& l) { l.strides[0] += 1; }, [](Layout& l) { l.offset += 1; },
          [](Layout& l) { l.element_bytes += 1; }};
}

/// The changes of a layout, in one layout of a request.
template <class T>
Changes<T> in(Layout T::* member) {
  Changes<T> changes;
  for (const auto& change : of_layout()) changes.push_back([=](T& request) { change(request.*member); });
  return changes;
}

TEST(RequestKey, has_every_member_of_a_layout) { expect_a_key_each(Layout::dense({4, 6}, 8), of_layout(), {}); }

TEST(RequestKey, has_every_member_of_a_transform) {
  FftRequest request{.in = Layout::dense({4, 6}, 8), .out = Layout::dense({4, 6}, 8), .axes = {0, 1}, .sizes = {4, 6}};
  Changes<FftRequest> parts = in(&FftRequest::in);
  for (const auto& change : in(&FftRequest::out)) parts.push_back(change);
  parts.erase(parts.begin() + 4), parts.erase(parts.begin());  // which the members' changes make
  parts.push_back([](FftRequest& r) { r.axes = {0}; });
  parts.push_back([](FftRequest& r) { r.axes = {}, r.sizes = {0, 1, 4, 6}; });
  parts.push_back([](FftRequest& r) { r.shift = FftShift::both; });
  expect_a_key_each(
      request,
      {[](FftRequest& r) { r.in.extents[0] += 1; }, [](FftRequest& r) { r.out.extents[0] += 1; }, [](FftRequest& r) { r.axes = {1, 0}; },
       [](FftRequest& r) { r.kind = FftKind::cosine; }, [](FftRequest& r) { r.direction = FftDirection::inverse; },
       [](FftRequest& r) { r.norm = FftNorm::ortho; }, [](FftRequest& r) { r.real = FftReal::float64; },
       [](FftRequest& r) { r.sizes = {4, 8}; }, [](FftRequest& r) { r.shift = FftShift::output; }},
      parts);
}

TEST(RequestKey, has_every_member_of_a_convolution) {
  ConvolveRequest request{.a = Layout::dense({4, 6}, 4), .b = Layout::dense({3, 2}, 4), .out = Layout::dense({6, 7}, 4), .axes = {0, 1}};
  expect_a_key_each(request,
                    {[](ConvolveRequest& r) { r.a.strides[0] += 4; }, [](ConvolveRequest& r) { r.b.strides[0] += 4; },
                     [](ConvolveRequest& r) { r.out.strides[0] += 4; }, [](ConvolveRequest& r) { r.mode = ConvolveMode::same; },
                     [](ConvolveRequest& r) { r.real = FftReal::float64; }, [](ConvolveRequest& r) { r.axes = {1}; },
                     [](ConvolveRequest& r) { r.is_correlation = true; }, [](ConvolveRequest& r) { r.is_complex = true; }},
                    {});
}

TEST(RequestKey, has_every_member_of_a_sweep) {
  Sweep sweep;
  sweep.stencil = {"by hand", 2, {{{0, 0, 0, 1}, {0.5, 0.25}}}};
  sweep.source = sweep.destination = Layout::dense({4, 6}, 4);
  sweep.axes = {0, 1};
  sweep.boundary = {Faces(Bound::edge)};
  expect_a_key_each(
      sweep,
      {[](Sweep& s) { s.stencil.rank = 1; }, [](Sweep& s) { s.source.strides[0] += 4; }, [](Sweep& s) { s.destination.strides[0] += 4; },
       [](Sweep& s) { s.source_type.number = Number::int32; }, [](Sweep& s) { s.destination_type.number = Number::int32; },
       [](Sweep& s) { s.axes = {1, 0}; }, [](Sweep& s) { s.boundary = {Faces(Bound::periodic)}; }, [](Sweep& s) { s.steps = 2; },
       [](Sweep& s) { s.steps_at_once = 2; }},
      {[](Sweep& s) { s.source_type.is_swapped = true; }, [](Sweep& s) { s.destination_type.is_swapped = true; },
       [](Sweep& s) { s.stencil.passes[0].offsets[0] = 1; }, [](Sweep& s) { s.stencil.passes[0].coefficients[0] = -0.5; },
       [](Sweep& s) { s.stencil.passes.push_back(s.stencil.passes[0]); },
       [](Sweep& s) { s.boundary = {Faces(Face{Bound::edge}, Face{Bound::constant, 0})}; },
       [](Sweep& s) { s.boundary = {Faces(Face{Bound::edge}, Face{Bound::constant, -0.0})}; },
       [](Sweep& s) { s.boundary = {Faces(Face{Bound::constant, 1}, Face{Bound::edge})}; },
       [](Sweep& s) { s.boundary = {Faces(Bound::edge), Faces(Bound::edge)}; }});
}

TEST(RequestKey, has_the_device_beside_the_request) {
  const ConvolveRequest request;
  EXPECT_EQ(std::set({detail::key_of(request, Device{}), detail::key_of(request, Device{Device::Kind::cuda, 0}),
                      detail::key_of(request, Device{Device::Kind::cuda, 1}), detail::key_of(request)})
                .size(),
            4u);
}

// What one list has more must not look like what the next has.
TEST(RequestKey, keeps_lists_apart) {
  FftRequest a, b;
  a.axes = {1}, a.sizes = {};
  b.axes = {}, b.sizes = {1};
  EXPECT_NE(detail::key_of(a), detail::key_of(b));
  Layout x{{2, 3}, {}}, y{{2}, {3}};
  EXPECT_NE(detail::key_of(x), detail::key_of(y));
}

}  // namespace
}  // namespace crinkle::request_key_test
