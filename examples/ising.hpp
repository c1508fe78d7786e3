// The Ising model: spins ±1 that prefer to equal their neighbours, in 1 to 4 dimensions, by Metropolis flips, the same on threads and on a
// GPU. The lattice is a checkerboard whose colours lie in arrays of their own, so that all spins of one colour can flip at once: site
// (…, y, x) of colour (… + y + x) mod 2 is element (…, y, x / 2) of that colour's array, and a crinkle leads there and back. A cell of the
// stencils is four spins side by side. Random numbers are Philox's, four for these four, a function of place, sweep, colour and seed: any
// number of threads, and a GPU, gives the same spins. Sources: Leist, Hawick and Playne's lattices; Salmon et al., "Parallel random
// numbers: as easy as 1, 2, 3", 2011, whose 7 rounds pass all tests; Onsager, "A two-dimensional model with an order-disorder transition",
// 1944; Domb, "On the theory of cooperative phenomena in crystals", 1960.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include "crinkle/stencil.hpp"

namespace ising {

using Spin = std::int8_t;
using Four = std::uint32_t;  // four spins, the first in the lowest byte: 1 is up, 255 down

struct Draw {
  std::uint32_t word[4];
};
template <std::uint32_t round = 0>
CRINKLE_HD constexpr Draw philox(const Draw& c, std::uint32_t seed) {  // no loop: one in a loop over spins keeps those from being vectors
  if constexpr (round == 7) {
    return c;
  } else {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * c.word[0], b = std::uint64_t{0xCD9E8D57u} * c.word[2];
    return philox<round + 1>(
        {{static_cast<std::uint32_t>(b >> 32) ^ c.word[1] ^ (seed + round * 0x9E3779B9u), static_cast<std::uint32_t>(b),
          static_cast<std::uint32_t>(a >> 32) ^ c.word[3] ^ (round * 0xBB67AE85u), static_cast<std::uint32_t>(a)}},
        seed);
  }
}

constexpr Four ones = 0x01010101u;
/// A byte of 1 for every spin that is down.
CRINKLE_HD constexpr Four downs(Four spins) { return spins >> 1 & ones; }

/// How many neighbours are like their spin, a byte each. Radius 1 along an axis of the lattice, 0 along one that counts lattices. Field 0
/// is the other colour, field 1 this one.
template <int... radius>
struct Alike {
  using Radius = crinkle::Radius<radius...>;
  static constexpr int last = Radius::rank - 1, n_neighbours = 2 * (radius + ...);
  std::uint32_t colour = 0;

  template <int axis, int step, class At, int... a>
  CRINKLE_HD static Four neighbour(const At& at, std::integer_sequence<int, a...>) {
    if constexpr (Radius::along(axis) == 0) return 0;
    else return downs(at(crinkle::Offset<(a == axis ? step : 0)...>{}));
  }
  template <class At, int... a>
  CRINKLE_HD Four alike(const At& at, std::integer_sequence<int, a...> all) const {
    const Four across = ((a == last ? 0 : neighbour<a, -1>(at, all) + neighbour<a, 1>(at, all)) + ...);
    const std::uint32_t row = colour + static_cast<std::uint32_t>(((a == last ? 0 : radius * at.index(a)) + ...));
    const Four same = neighbour<last, 0>(at, all), before = neighbour<last, -1>(at, all), behind = neighbour<last, 1>(at, all);
    const Four beside = row % 2 == 0 ? same << 8 | before >> 24 : same >> 8 | behind << 24;
    const Four n_down = across + same + beside, is_down = downs(at(crinkle::Offset<0 * radius...>{}, crinkle::input<1>)) * 255;
    return (n_down & is_down) | ((n_neighbours * ones - n_down) & ~is_down);
  }
  template <class At>
  CRINKLE_HD Four operator()(const At& at) const {
    return alike(at, std::make_integer_sequence<int, last + 1>());
  }
};

/// The spins a sweep later: each flipped with probability min(1, exp(−2 bonds / T)), bonds = 2 alike − neighbours.
template <int... radius>
struct Flip {
  using Radius = crinkle::Radius<radius...>;
  Alike<radius...> alike;
  std::uint32_t sweep = 0, seed = 0;
  std::uint32_t odds[4] = {};  // of bonds 2, 4, 6 and 8, in parts of 2^32

  Flip(std::uint32_t colour, std::uint32_t sweep_, std::uint32_t seed_, double temperature) : alike{colour}, sweep(sweep_), seed(seed_) {
    for (int k = 0; k < 4; ++k) odds[k] = static_cast<std::uint32_t>(std::exp(-4 * (k + 1) / temperature) * 0x1p32);
  }
  /// All bits of a spin's byte that are to be flipped. Sums and masks in place of branches: vectors have none.
  CRINKLE_HD Four flips(Four n_alike, std::uint32_t random) const {
    constexpr std::uint32_t half = Alike<radius...>::n_neighbours / 2;
    const std::uint32_t first = odds[0], second = odds[1], third = odds[2], fourth = odds[3];
    const std::uint32_t low = n_alike < half + 2 ? first : second, high = n_alike < half + 4 ? third : fourth;
    const std::uint32_t odds_of = n_alike < half + 3 ? low : high;
    return 0xFEu * (static_cast<Four>(n_alike <= half) | static_cast<Four>(random < odds_of));
  }
  template <class At>
  CRINKLE_HD Four operator()(const At& at) const {
    constexpr int last = Radius::rank - 1;
    std::uint64_t row = 0;
    for (int a = 0; a < last; ++a) row = row * static_cast<std::uint64_t>(at.extent(a)) + static_cast<std::uint64_t>(at.index(a));
    const Draw draw = philox({{static_cast<std::uint32_t>(at.index(last)), static_cast<std::uint32_t>(row), sweep,
                               alike.colour | static_cast<std::uint32_t>(row >> 32) << 1}},
                             seed);
    const Four n_alike = alike(at);
    const Four flipped = flips(n_alike & 255, draw.word[0]) | flips(n_alike >> 8 & 255, draw.word[1]) << 8 |
                         flips(n_alike >> 16 & 255, draw.word[2]) << 16 | flips(n_alike >> 24, draw.word[3]) << 24;
    return at(crinkle::Offset<0 * radius...>{}, crinkle::input<1>) ^ flipped;
  }
};

/// A lattice, or several along axes of radius 0, in memory of the caller's: that of both colours, and of the next of one. `extents` are
/// those of a colour, in spins: the last is half the lattice's and a multiple of 4.
template <int... radius>
class Lattice {
 public:
  static constexpr int rank = sizeof...(radius);
  using Colour = crinkle::StencilField<Four, rank>;
  /// Requires 3/4 · n fours behind `spins`, n the product of the extents: those of colour 0 and then of colour 1 are there.
  Lattice(Four* spins, const crinkle::Array<std::int64_t, rank>& extents) {
    for (int c = 0; c < 3; ++c, spins += n_) {
      colours_[c] = {spins, extents, {}};
      colours_[c].extents[rank - 1] /= 4;
      n_ = 1;
      for (int a = rank; a-- > 0; n_ *= colours_[c].extents[a]) colours_[c].strides[a] = n_;
    }
  }
  /// Tries to flip all spins. sweep(stencil, out) makes all cells of a stencil.
  template <class Sweep>
  void flip(double temperature, const Sweep& sweep) {
    for (int c = 0; c < 2; ++c) {
      sweep(stencil(Flip<radius...>(static_cast<std::uint32_t>(c), n_sweeps_, seed, temperature), faces_, colours_[1 - c], colours_[c]),
            colours_[2]);
      std::swap(colours_[c], colours_[2]);
    }
    ++n_sweeps_;
  }
  /// Of every spin of colour 0 how many neighbours are like it: all bonds are between these.
  template <class Sweep>
  const Colour& alike(const Sweep& sweep) const {
    sweep(stencil(Alike<radius...>{0}, faces_, colours_[1], colours_[0]), colours_[2]);
    return colours_[2];
  }
  const Colour& colour(int c) const { return colours_[c]; }
  std::int64_t spins_of_colour() const { return 4 * n_; }

  static constexpr std::uint32_t seed = 42;

 private:
  crinkle::Array<crinkle::Faces, rank> faces_ = crinkle::filled<rank>(crinkle::Faces(crinkle::Bound::periodic));
  std::int64_t n_ = 0;  // fours of a colour
  Colour colours_[3];   // and the next of one
  std::uint32_t n_sweeps_ = 0;
};

/// The spins of fours on the host, as bytes.
inline const Spin* spins_of(const Four* fours) { return reinterpret_cast<const Spin*>(fours); }

}  // namespace ising
