// bench_gpu: what the planner predicts that a move asks of the memory system, and the same moves for a profiler to count:
// scripts/gpu_counters.sh runs both and join_counters.py puts them side by side.
//     bench_gpu predicted     JSON: a row a shape, requests and sectors of global memory and wavefronts of shared memory, no class of
//                             blocks left out; of the GPU that is here, else of an H200
//     bench_gpu moved         every shape once, in the same order, checked, then profiled from cudaProfilerStart to Stop
// Shapes are those of bench/cases/ cut down to some MiB, so that all is counted in seconds, and ragged ones.
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_profiler_api.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "harness/report.hpp"
#include "harness/site.hpp"
#include "move/planned.hpp"
#include "plan/accesses.hpp"

namespace crinkle::bench {
namespace {

struct Shape {
  std::string name;
  Rearrangement map;
};

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  const auto add = [&](const std::string& name, const Rearrangement& r) { all.push_back({name, r}); };
  const auto spec = [](const char* text, const Extents& extents, std::int64_t element_bytes) {
    return parse(text, Layout::dense(extents, element_bytes));
  };
  const auto same = [](const Extents& extents, std::int64_t element_bytes) {
    return parse("y x -> y x", Layout::dense(extents, element_bytes));
  };
  const auto with_size = [](const std::string& name, std::int64_t bytes) { return name + "_el" + std::to_string(bytes); };
  // Rows.
  add("copy", same({1024, 1024}, 4));
  add("T1_021", spec("z y x -> y z x", {64, 128, 256}, 4));
  add("T1_021_el16", spec("z y x -> y z x", {64, 128, 128}, 16));
  add("rows_of_2144", spec("z y x -> y z x", {24, 32, 2144}, 4));
  add("flip_y_el16", same({512, 512}, 16).flip("y"));
  add("flip_yx", same({512, 2048}, 4).flip("y").flip("x"));
  add("flip_y", same({1024, 1024}, 4).flip("y"));
  for (const std::int64_t bytes : {1, 2, 4, 8, 16}) add(with_size("flip_x", bytes), same({512, 4096 / bytes}, bytes).flip("x"));
  add("flip_x_wide_el8", same({64, 8192}, 8).flip("x"));
  add("uncrinkle_y_4", spec("(4 y) x -> y 4 x", {1024, 1024}, 4));
  add("crinkle_y_3", spec("(y 3) x -> 3 y x", {768, 1024}, 4));
  add("roll_y_300", same({1024, 1024}, 4).roll("y", 300));
  add("roll_x_1", same({256, 8192}, 4).roll("x", 1));
  // Transposed.
  for (const std::int64_t bytes : {1, 2, 4, 8, 16}) add(with_size("transpose", bytes), spec("y x -> x y", {1024, 2048 / bytes}, bytes));
  add("transpose_ragged_el4", spec("y x -> x y", {1000, 1028}, 4));
  add("T1_210", spec("z y x -> x y z", {64, 128, 128}, 4));
  add("T1_120", spec("z y x -> x z y", {64, 128, 128}, 4));
  add("T1_102", spec("z y x -> z x y", {64, 128, 128}, 4));
  for (const std::int64_t bytes : {2, 8, 16}) add(with_size("T1_210", bytes), spec("z y x -> x y z", {64, 64, 2048 / bytes}, bytes));
  add("T1_201_el8", spec("z y x -> y x z", {64, 64, 128}, 8));
  add("transpose_wide_el4", spec("y x -> x y", {128, 8192}, 4));
  add("transpose_tall_el8", spec("y x -> x y", {4096, 128}, 8));
  add("uncrinkle_x_4", spec("y (4 x) -> y (x 4)", {512, 2048}, 4));
  add("records_to_planes_4", spec("n c -> c n", {262144, 4}, 4));
  // Gathered.
  for (const std::int64_t bytes : {1, 2, 4, 8}) add(with_size("transpose_odd", bytes), spec("y x -> x y", {1023, 2047 / bytes}, bytes));
  add("records_to_planes_3", spec("n c -> c n", {262144, 3}, 4));
  add("planes_to_records_3", spec("c n -> n c", {3, 262144}, 4));
  add("crinkle_x_2", spec("y (x 2) -> y (2 x)", {512, 2048}, 4));
  add("transpose_el3", spec("y x -> x y", {512, 1024}, 3));
  add("transpose_el12", spec("y x -> x y", {512, 256}, 12));
  add("bit_reverse_2^20", bit_reverse(Layout::dense({1 << 20}, 4)));
  add("morton_1024", morton(Layout::dense({1024, 1024}, 4)));
  add("morton_256_el16", morton(Layout::dense({256, 256}, 16)));
  add("byte_swap_4", byte_swap(Layout::dense({1 << 19}, 4)));
  // Segmented.
  add("roll_all_33", same({31776, 33}, 4).roll("y", 1).roll("x", 1));
  for (const std::int64_t bytes : {1, 2}) add(with_size("roll_x_1_132_bytes", bytes), same({31776, 132 / bytes}, bytes).roll("x", 1));
  add("pad_x_reflect_100", same({8192, 100}, 4).pad("x", 1, 1, PadMode::reflect));
  add("crinkle_ragged_34", parse("y (x 3) -> y (3 x)", Layout::dense({31776, 34}, 4), ParseOptions{{}, Tail::ragged}));
  return all;
}

nlohmann::ordered_json json_of(const planning::SideCounts& side) {
  return {{"requests", side.requests},
          {"sectors", side.sectors},
          {"wavefronts", side.wavefronts},
          {"conflicts", side.wavefronts - side.ideal_wavefronts}};
}

// Buffers lie as cudaMalloc places them: the tiles are those for the largest alignment.
nlohmann::ordered_json predicted(const Shape& shape, const Machine& machine) {
  const planning::Pass pass = planning::plan_pass(shape.map.boxes(), machine);
  const std::int32_t alignment = planning::alignments.back();
  const planning::Variant& variant = pass.variant(alignment);
  planning::SideCounts read, write;
  std::int64_t n_blocks = 0;
  auto tiles = nlohmann::ordered_json::array();
  for (std::size_t e = 0; e < pass.entries.size(); ++e) {
    if (pass.entries[e].segments.size() > 1 && !planning::keeps_unit(pass.entries[e], alignment))
      throw std::runtime_error(shape.name + ": its rows are moved segment by segment, which is not counted here");
    const tile::Tile tile = planning::tile_of(pass.entries[e], variant.choices[e], alignment, machine);
    const planning::AccessCounts counts = planning::count_accesses(tile, machine.sector_bytes, INT64_MAX);
    read.add(counts.read);
    write.add(counts.write);
    n_blocks += counts.blocks;
    tiles.push_back(
        {{"kind", tile::name_of(variant.choices[e].shape.kind)}, {"unit", tile::frame_of(tile).unit}, {"blocks", counts.blocks}});
  }
  for (const Boxes& bundle : pass.bundles) {
    const tile::Tile tile = *planning::tile_of(bundle, alignment, machine);
    const planning::AccessCounts counts = planning::count_accesses(tile, machine.sector_bytes, INT64_MAX);
    read.add(counts.read);
    write.add(counts.write);
    n_blocks += counts.blocks;
    tiles.push_back({{"kind", tile::name_of(tile::Kind::records)}, {"unit", tile::frame_of(tile).unit}, {"blocks", counts.blocks}});
  }
  return {{"name", shape.name},
          {"element_bytes", shape.map.element_bytes()},
          {"bytes", pass.bytes_read + pass.bytes_written},
          {"blocks", n_blocks},
          {"tiles", tiles},
          {"read", json_of(read)},
          {"write", json_of(write)}};
}

void print_predicted() {
  const bool is_here = count_cuda_devices() > 0;
  const Machine machine = is_here ? machine_of(cuda()) : Machine::h200();
  const std::vector<Shape> all = shapes();
  std::vector<nlohmann::ordered_json> rows(all.size());
  default_executor().parallel_for(
      std::ssize(all), [&](std::int64_t k) { rows[static_cast<std::size_t>(k)] = predicted(all[static_cast<std::size_t>(k)], machine); });
  const Origin origin{"counters", 0, 1, CRINKLE_COMMIT, "estimate", machine.name};
  nlohmann::ordered_json json = head_of(is_here ? on_gpu(origin, cuda()) : origin);
  json["rows"] = rows;
  std::printf("%s\n", json.dump(2).c_str());
}

void move_for_profiler() {
  constexpr std::int64_t capacity = 64 << 20;
  const std::unique_ptr<Site> site = gpu_site(cuda());
  site->reserve({capacity, capacity});
  for (const Shape& shape : shapes()) {
    const ArrayBytes bytes{shape.map.source().n_bytes(), shape.map.destination().n_bytes()};
    const RunMove move = move_of(Plan(shape.map, cuda()), bytes, {}, *site);
    const auto run = [&] { move(site->source(), site->destination()); };
    site->check(shape.name, bytes, 1, run, [&] { return site->first_wrong(shape.map.boxes()); });
    cudaProfilerStart();
    run();
    site->wait();
    cudaProfilerStop();
  }
}

}  // namespace
}  // namespace crinkle::bench

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  try {
    if (what == "predicted") crinkle::bench::print_predicted();
    else if (what == "moved") crinkle::bench::move_for_profiler();
    else std::fprintf(stderr, "usage: bench_gpu predicted|moved\n");
    return what == "predicted" || what == "moved" ? 0 : 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_gpu: %s\n", e.what());
    return 1;
  }
}
