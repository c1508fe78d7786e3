// The suite `textures`: what textures of today's GPUs are worth where two papers read through them.
//     table4_     2-D finite differences, orders I to IV, whose cells and apron come from memory or from textures (Bader et al., table 4)
//     access_     a neighbour, and a blur, by k-indices whose access(k) is memory or a texture (Hawick and Playne, 7.3)
//     weights_    the blur's weights in parameters, constant and global memory (Hawick and Playne, 7.2)
// Textures of table 4 lie over the array's own memory; those of two and three dimensions of access_ are copies in the device's own order,
// which are made before anything is timed.
// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/in_parts.hpp"
#include "harness/unit_numbers.hpp"
#include "papers/suites.hpp"
#include "papers/textures/kernels.cuh"
#include "papers/textures/texture.cuh"
#include "suites/stencil.hpp"

namespace crinkle::bench {
namespace {

// --- table 4 -----------------------------------------------------------------------------------------------------------------------------

template <int r>
StarWeights<r> weights_of(const LinearStencil& stencil) {
  StarWeights<r> weights{};
  for (int k = 0; k < 4 * r + 1; ++k) weights.of[k] = static_cast<float>(stencil.passes[0].coefficients[static_cast<std::size_t>(k)]);
  return weights;
}

/// The library's sweep first, whose result is checked against its definition; the variants have to give the same bits.
template <int r>
Contest table4(const std::string& name, int n, Site& site, std::uint64_t seed) {
  constexpr int side = StarTile<r>::side;
  const LinearStencil stencil = laplacian(2, 2 * r);
  Contest c = contest_of(name, {stencil, {n, n}, Bound::edge}, site, seed);
  c.ways.resize(1);  // the library's
  const auto* src = reinterpret_cast<const float*>(site.source());
  auto* dst = reinterpret_cast<float*>(site.destination());
  const auto cells = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const auto line = std::make_shared<const Texture>(src, cells);
  const auto plane = std::make_shared<const Texture>(src, static_cast<std::size_t>(n), static_cast<std::size_t>(n));
  const auto add = [&](const char* called, const auto& inner, const auto& apron) {
    const dim3 grid(static_cast<unsigned>((n + side - 1) / side), static_cast<unsigned>((n + side - 1) / side));
    c.ways.emplace_back(called, [=, s = site.stream().get(), weights = weights_of<r>(stencil), kept = std::pair(line, plane)] {
      star<r><<<grid, StarTile<r>::n_threads, 0, s>>>(inner, apron, weights, dst, n, n);
      Texture::check(cudaGetLastError());
    });
  };
  const StarFromGlobal global{src, n, n};
  const StarFrom1d<Fetch> line_texture{line->fetch(), n, n};
  const StarFrom2d<Fetch> plane_texture{plane->fetch()};
  add("global memory", global, global);
  add("1D texture", line_texture, line_texture);
  add("hybrid 1D texture", global, line_texture);
  add("2D texture", plane_texture, plane_texture);
  add("hybrid 2D texture", global, plane_texture);
  c.rows = Contest::Rows::all;
  c.between = ", ";
  c.check = [=, &site, ways = c.ways, is_right = c.check] {
    is_right();
    const std::int64_t n_bytes = static_cast<std::int64_t>(cells) * 4;
    const std::vector<std::byte> want = site.on_host(site.destination(), n_bytes);
    for (std::size_t k = 1; k < ways.size(); ++k) {
      site.poison(n_bytes);
      ways[k].parts[0]();
      site.wait();
      if (site.on_host(site.destination(), n_bytes) != want)
        throw std::runtime_error(name + ", " + ways[k].name + ": other bits than the library's sweep");
      if (!site.is_guard_whole(n_bytes)) throw std::runtime_error(name + ", " + ways[k].name + ": bytes beside the output were written");
    }
  };
  c.checked = "definition";
  return c;
}

Contest table4_of(const std::string& name, int order, int n, Site& site, std::uint64_t seed) {
  switch (order) {
    case 1: return table4<1>(name, n, site, seed);
    case 2: return table4<2>(name, n, site, seed);
    case 3: return table4<3>(name, n, site, seed);
    default: return table4<4>(name, n, site, seed);
  }
}

// --- section 7.3 -------------------------------------------------------------------------------------------------------------------------

constexpr unsigned threads = 256;

/// The array of a site, as memory and as textures, and what its kernels should make of it, by loops over indices.
template <int rank>
class Mesh {
 public:
  using Index = PowerOfTwoIndex<rank, std::uint32_t>;
  Mesh(const Array<std::uint64_t, rank>& extents, Site& site, std::uint64_t seed)
      : index(extents), site_(site), numbers_(index.total()), weights_(site.memory(sizeof(BlurWeights<rank>))) {
    fill_unit(numbers_.data(), index.total(), seed, site.executor());
    site.put(numbers_.data(), bytes());
    const BlurWeights<rank> weights = blur_weights<rank>();
    Texture::check(cudaMemcpy(weights_.get(), &weights, sizeof weights, cudaMemcpyDefault));
    Texture::check(cudaMemcpyToSymbol(constant_weights<rank>, &weights, sizeof weights));
    const auto plane = texture_extents<2, rank>(extents), space = texture_extents<3, rank>(extents);
    texture_1d_ = std::make_unique<Texture>(src(), index.total());
    texture_2d_ = std::make_unique<Texture>(src(), Texture::Reordered{plane[0], plane[1], 0});
    texture_3d_ = std::make_unique<Texture>(src(), Texture::Reordered{space[0], space[1], space[2]});
  }

  const Index index;

  /// take(name, access) for every memory.
  template <class Take>
  void for_each_access(const Take& take) const {
    take("global memory", InGlobal{src()});
    take("1D texture", InTexture<1, Fetch>{texture_1d_->fetch()});
    take("2D texture", InTexture<2, Fetch>{texture_2d_->fetch()});
    take("3D texture", InTexture<3, Fetch>{texture_3d_->fetch()});
  }
  std::int64_t bytes() const { return std::int64_t{4} * index.total(); }
  unsigned n_blocks() const { return index.total() / threads; }
  const float* src() const { return reinterpret_cast<const float*>(site_.source()); }
  float* dst() const { return reinterpret_cast<float*>(site_.destination()); }
  const BlurWeights<rank>* weights_in_memory() const { return reinterpret_cast<const BlurWeights<rank>*>(weights_.get()); }

  /// Runs into poison, and compares every cell with expected(cell's indices).
  template <class Expected>
  void check(const std::string& what, const std::function<void()>& run, const Expected& expected) const {
    site_.poison(bytes());
    run();
    site_.wait();
    const std::vector<std::byte> made = site_.on_host(site_.destination(), bytes());
    const auto* have = reinterpret_cast<const float*>(made.data());
    std::atomic<bool> is_right = site_.is_guard_whole(bytes());
    in_parts(static_cast<std::int64_t>(index.extent(rank - 1)), site_.executor(), [&](std::int64_t first, std::int64_t last) {
      Array<std::int64_t, rank> at{};
      const std::int64_t n = last * static_cast<std::int64_t>(index.unit(rank - 1));
      for (std::int64_t k = first * static_cast<std::int64_t>(index.unit(rank - 1)); k < n; ++k) {
        std::int64_t rest = k;
        for (int axis = 0; axis < rank; ++axis) {
          at[axis] = rest % static_cast<std::int64_t>(index.extent(axis));
          rest /= static_cast<std::int64_t>(index.extent(axis));
        }
        if (have[k] != expected(at)) is_right = false;
      }
    });
    if (!is_right) throw std::runtime_error(what + ": other cells than by their indices, or bytes beside them");
  }
  /// The number `step` further along an axis, periodic.
  float number(Array<std::int64_t, rank> at, int axis, int step) const {
    const auto extent = [&](int a) { return static_cast<std::int64_t>(index.extent(a)); };
    at[axis] = (at[axis] + step + extent(axis)) % extent(axis);
    std::int64_t k = 0;
    for (int a = rank; a-- > 0;) k = k * extent(a) + at[a];
    return numbers_[static_cast<std::size_t>(k)];
  }
  float blurred(const Array<std::int64_t, rank>& at) const {
    const BlurWeights<rank> w = blur_weights<rank>();
    float sum = w.of[0] * number(at, 0, 0);
    for (int axis = 0; axis < rank; ++axis)
      for (int side = 0; side < 2; ++side) sum = sum + w.of[1 + 2 * axis + side] * number(at, axis, 2 * side - 1);
    return sum;
  }

 private:
  Site& site_;
  std::vector<float> numbers_;
  std::shared_ptr<std::byte> weights_;
  std::unique_ptr<Texture> texture_1d_, texture_2d_, texture_3d_;
};

/// A contest of kernels over a mesh, which gives the ways and how each is checked.
template <int rank>
Contest mesh_contest(const std::string& name, const std::shared_ptr<const Mesh<rank>>& mesh, Site& site) {
  Contest c;
  c.name = name;
  c.element_bytes = 4;
  c.bytes = 2 * mesh->bytes();
  c.rows = Contest::Rows::all;
  c.between = ", ";
  c.ceilings = ceilings_of(site.copies(mesh->bytes()));
  c.checked = "definition";
  return c;
}

/// One neighbour up each axis in turn: a row is the mean of them.
template <int rank>
Contest neighbour_contest(const std::string& name, const std::shared_ptr<const Mesh<rank>>& mesh, Site& site) {
  Contest c = mesh_contest(name, mesh, site);
  mesh->for_each_access([&](const char* called, const auto& access) {
    std::vector<std::function<void()>> parts;
    const auto add = [&]<int... axis>(std::integer_sequence<int, axis...>) {
      (parts.emplace_back([=, s = site.stream().get()] {
        neighbours<axis><<<mesh->n_blocks(), threads, 0, s>>>(mesh->index, access, mesh->dst());
        Texture::check(cudaGetLastError());
      }),
       ...);
    };
    add(std::make_integer_sequence<int, rank>());
    c.ways.emplace_back(called, parts);
  });
  c.check = [=, ways = c.ways] {
    for (const Way& way : ways)
      for (int axis = 0; axis < rank; ++axis)
        mesh->check(name + ", " + way.name, way.parts[static_cast<std::size_t>(axis)],
                    [=](const Array<std::int64_t, rank>& at) { return mesh->number(at, axis, 1); });
  };
  return c;
}

template <class Where, int rank, class Access>
std::function<void()> blur_by(const std::shared_ptr<const Mesh<rank>>& mesh, const Access& access, CUstream_st* s) {
  return [=] {
    blur<Where><<<mesh->n_blocks(), threads, 0, s>>>(mesh->index, access, blur_weights<rank>(), mesh->weights_in_memory(), mesh->dst());
    Texture::check(cudaGetLastError());
  };
}
template <int rank>
void check_blurs(Contest& c, const std::shared_ptr<const Mesh<rank>>& mesh) {
  c.check = [mesh, ways = c.ways, name = c.name] {
    for (const Way& way : ways)
      mesh->check(name + ", " + way.name, way.parts[0], [=](const Array<std::int64_t, rank>& at) { return mesh->blurred(at); });
  };
}
template <int rank>
Contest blur_contest(const std::string& name, const std::shared_ptr<const Mesh<rank>>& mesh, Site& site) {
  Contest c = mesh_contest(name, mesh, site);
  mesh->for_each_access([&](const char* called, const auto& access) {
    c.ways.emplace_back(called, blur_by<WeightsInParameters>(mesh, access, site.stream().get()));
  });
  check_blurs(c, mesh);
  return c;
}
template <int rank>
Contest weights_contest(const std::string& name, const std::shared_ptr<const Mesh<rank>>& mesh, Site& site) {
  Contest c = mesh_contest(name, mesh, site);
  const InGlobal access{mesh->src()};
  c.ways.emplace_back("parameters", blur_by<WeightsInParameters>(mesh, access, site.stream().get()));
  c.ways.emplace_back("constant memory", blur_by<WeightsInConstant>(mesh, access, site.stream().get()));
  c.ways.emplace_back("global memory", blur_by<WeightsInGlobal>(mesh, access, site.stream().get()));
  check_blurs(c, mesh);
  return c;
}

template <int rank>
void add_meshes(const Array<std::uint64_t, rank>& extents, std::vector<Entry>& entries) {
  std::int64_t n_bytes = 4;
  for (const std::uint64_t extent : extents) n_bytes *= static_cast<std::int64_t>(extent);
  const auto add = [&](const char* what, Contest (*make)(const std::string&, const std::shared_ptr<const Mesh<rank>>&, Site&)) {
    const std::string name = std::string(what) + "_" + std::to_string(rank) + "d";
    entries.push_back({name, {n_bytes, n_bytes}, [=](Site& site, std::uint64_t seed) {
                         return make(name, std::make_shared<const Mesh<rank>>(extents, site, seed), site);
                       }});
  };
  add("access_neighbour", neighbour_contest<rank>);
  add("access_blur", blur_contest<rank>);
  add("weights", weights_contest<rank>);
}

}  // namespace

std::vector<Entry> textures_entries(const Request&) {
  std::vector<Entry> entries;
  for (const int order : {1, 2, 3, 4})
    for (const int n : {4096, 8192}) {
      const std::string name = "table4_order" + std::to_string(order) + "_n" + std::to_string(n);
      const std::int64_t n_bytes = std::int64_t{n} * n * 4;
      entries.push_back({name, {n_bytes, n_bytes}, [=](Site& site, std::uint64_t seed) { return table4_of(name, order, n, site, seed); }});
    }
  add_meshes<2>({8192, 8192}, entries);
  add_meshes<3>({1024, 256, 256}, entries);
  return entries;
}

}  // namespace crinkle::bench
