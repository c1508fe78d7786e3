// Particles that fall, bounce and swing, moved by one function over every layout of their records: five that the compiler knows and five
// that are read from text when the program runs. All give the same particles, bit for bit.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "crinkle/record_layout.hpp"
#include "crinkle/records.hpp"

using namespace crinkle;

struct Particle {
  float x, y, z, vx, vy, vz;
};
using Particles = Record<Particle, &Particle::x, &Particle::y, &Particle::z, &Particle::vx, &Particle::vy, &Particle::vz>;
constexpr field<&Particle::z> z;
constexpr field<&Particle::vz> vz;

constexpr std::int64_t n_particles = 1003;  // no multiple of any block

// x and y swing about 0, z falls on a floor that sends it back.
template <class View>
void move(const View& view, float step = 1.0f / 64) {
  for (std::int64_t i = 0; i < view.size(); ++i) {
    Particle one = view.load(i);  // whole records, by the widest words
    one.vx = std::fma(-step, one.x, one.vx);
    one.vy = std::fma(-step, one.y, one.vy);
    one.vz = std::fma(-step, 9.81f, one.vz);
    one.x = std::fma(step, one.vx, one.x);
    one.y = std::fma(step, one.vy, one.y);
    one.z = std::fma(step, one.vz, one.z);
    view.store(i, one);
    if (view.get(z, i) < 0 && view.get(vz, i) < 0) view.get(vz, i) *= -0.9f;  // and single fields, where they are
  }
}

template <class View>
bool run(const char* name, std::int64_t bytes, const View& view, std::vector<Particle>& expected) {
  for (std::int64_t i = 0; i < n_particles; ++i) {
    const float a = static_cast<float>(i) / n_particles;
    view.store(i, {a, 1 - a, 1 + a * a, a - 1, a, 0});
  }
  for (int k = 0; k < 100; ++k) move(view);
  std::vector<Particle> moved(n_particles);
  for (std::int64_t i = 0; i < n_particles; ++i) moved[static_cast<std::size_t>(i)] = view.load(i);
  if (expected.empty()) expected = moved;
  const bool is_same = std::memcmp(moved.data(), expected.data(), sizeof(Particle) * moved.size()) == 0;
  std::printf("%-28s %7lld bytes, particle 500 at z = %.6f: %s\n", name, static_cast<long long>(bytes), static_cast<double>(moved[500].z),
              is_same ? "the same" : "ANOTHER RESULT");
  return is_same;
}

template <class Layout>
bool run(const char* name, std::vector<Particle>& expected) {
  using View = RecordView<Particles, Layout>;
  std::vector<std::max_align_t> memory(static_cast<std::size_t>(View::bytes(n_particles)) / sizeof(std::max_align_t) + 1);
  return run(name, View::bytes(n_particles), View(static_cast<void*>(memory.data()), n_particles), expected);
}

int main() {
  std::vector<Particle> expected;
  using Pairs =
      Groups<Members<&Particle::x, &Particle::y, &Particle::vx, &Particle::vy>::Aligned<16>, Members<&Particle::z, &Particle::vz>>;
  bool is_right = run<AosOf<Particle>>("AosOf<Particle>", expected) && run<Aos<>>("Aos<>", expected) && run<Aos<16>>("Aos<16>", expected) &&
                  run<Soa>("Soa", expected) && run<Aosoa<8>>("Aosoa<8>", expected) && run<Pairs>("Groups<...>", expected);
  const Fields fields = parse_fields("x:f4 y:f4 z:f4 vx:f4 vy:f4 vz:f4");
  for (const char* text :
       {"(x y z vx vy vz)", "(x y z vx vy vz)@16", "x|y|z|vx|vy|vz", "(x y z)@16|(vx vy vz)@16", "(x y z)*8|(vx vy vz)*32"}) {
    const RecordLayout layout = RecordLayout::parse(text, fields);
    std::vector<std::max_align_t> memory(static_cast<std::size_t>(layout.bytes(n_particles)) / sizeof(std::max_align_t) + 1);
    const auto places = places_of(layout, n_particles, {"x", "y", "z", "vx", "vy", "vz"});
    is_right = run(text, layout.bytes(n_particles),
                   RecordView<Particles, RunTime>(static_cast<void*>(memory.data()), places.data(), n_particles), expected) &&
               is_right;
  }
  return is_right ? 0 : 1;
}
