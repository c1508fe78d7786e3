// Numbers are put into the JSON once; the text is printed from it.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "form/check.hpp"
#include "plan/accesses.hpp"

namespace crinkle::planning {
namespace {

using Json = nlohmann::ordered_json;

Json describe(const Axis& a, bool is_fill) {
  Json j{{"extent", a.extent}};
  if (!is_fill) j["src_stride"] = a.src_stride;
  j["dst_stride"] = a.dst_stride;
  if (a.src_counts == Counts::buffers) j["src_counts"] = "buffers";
  if (a.dst_counts == Counts::buffers) j["dst_counts"] = "buffers";
  return j;
}

std::string hex(const std::byte* bytes, std::int32_t n) {
  std::string text;
  for (std::int32_t i = 0; i < n; ++i) text += fmt::format("{:02x}", std::to_integer<unsigned>(bytes[i]));
  return text;
}

Json describe_group(const tile::Group& group, const Box& box) {
  Json axes = Json::array();
  for (std::int32_t i = 0; i < group.count; ++i) {
    const auto a = static_cast<std::size_t>(group.axis[i]);
    axes.push_back({{"axis", group.axis[i]}, {"inside", i + 1 == group.count ? group.tile : box.axes[a].extent}});
  }
  return axes;
}

/// The rows, runs and pieces that a tile of rows takes at once.
Json describe_rows(const tile::Tile& tile) {
  if (const auto* t = std::get_if<tile::RowTile>(&tile))
    return {{"rows", t->walk.n_rows}, {"pieces", t->walk.n_pieces}, {"piece_bytes", t->piece_bytes}};
  const auto& t = std::get<tile::SegmentedTile>(tile);
  return {{"runs", t.n_runs}, {"rows", t.run_rows}, {"row_bytes", t.row_units.value() * static_cast<std::uint32_t>(t.frame.unit)}};
}

Json describe_side(const SideCounts& side) {
  const double ideal = static_cast<double>(std::max<std::int64_t>(1, side.ideal_sectors));
  return {{"requests", side.requests},
          {"sectors", side.sectors},
          {"ideal_sectors", side.ideal_sectors},
          {"amplification", side.ideal_sectors == 0 ? 1.0 : static_cast<double>(side.sectors) / ideal},
          {"shared_wavefronts", side.wavefronts},
          {"ideal_shared_wavefronts", side.ideal_wavefronts}};
}

Json describe_accesses(const tile::Tile& tile, const Machine& machine) {
  const AccessCounts counts = count_accesses(tile, machine.sector_bytes);
  return {{"read", describe_side(counts.read)},
          {"write", describe_side(counts.write)},
          {"shared_bytes", tile::shared_bytes_of(tile)},
          {"blocks_counted", counts.n_counted},
          {"is_exact", counts.n_counted == counts.blocks}};
}

Json describe_entry(const tile::Rows& rows, const Choice& choice, const Machine& machine, bool has_tiles) {
  const Box box = box_for(rows, 16, machine);
  Json j{{"unit", box.unit}, {"bytes", n_bytes_of(box)}, {"dst_offset", box.dst_offset}};
  if (box.dst_slot != 0) j["dst_slot"] = box.dst_slot;
  Json axes = Json::array();
  for (const Axis& a : box.axes) axes.push_back(describe(a, box.is_fill));
  j["axes"] = axes;
  if (rows.segments.size() == 1 && box.is_fill) {
    j["fill"] = hex(box.pattern.data(), box.unit);
  } else {
    j["src_offset"] = box.src_offset;
    if (box.src_slot != 0) j["src_slot"] = box.src_slot;
  }
  if (rows.segments.size() > 1) {
    Json segments = Json::array();
    for (const tile::Segment& s : rows.segments) {
      if (s.is_fill) {
        std::array<std::byte, 16> pattern{};
        for (int i = 0; i < 16; ++i) pattern[static_cast<std::size_t>(i)] = static_cast<std::byte>(s.pattern[i]);
        segments.push_back({{"first", s.first}, {"fill", hex(pattern.data(), box.unit)}});
      } else {
        segments.push_back({{"first", s.first}, {"src_offset", s.src_offset}, {"src_step", s.src_step}});
      }
    }
    j["segments"] = segments;
  }
  if (has_tiles) {
    const tile::Tile tile = tile_of(rows, choice, 16, machine);
    j["tile"] = {
        {"kind", tile::name_of(choice.shape.kind)}, {"threads", tile::threads_of(tile)}, {"blocks", tile::frame_of(tile).n_blocks}};
    if (choice.shape.kind == tile::Kind::rows || choice.shape.kind == tile::Kind::segmented) {
      j["tile"].update(describe_rows(tile));
    } else {
      j["tile"]["source"] = describe_group(choice.shape.source, box);
      j["tile"]["destination"] = describe_group(choice.shape.destination, box);
    }
    j["accesses"] = describe_accesses(tile, machine);
  }
  return j;
}

/// Boxes that go together: their number stands for their axes, the tile says what of a record lies where.
Json describe_bundle(const Boxes& bundle, const Machine& machine, bool has_tiles) {
  const tile::RecordTile tile = *tile_of(bundle, alignments.back(), machine);
  std::int64_t bytes = 0;
  for (const Box& box : bundle) bytes += n_bytes_of(box);
  Json j{{"records", tile.n_records}, {"boxes", bundle.size()}, {"bytes", bytes}, {"unit", tile.frame.unit}};
  const auto strides = [](const auto& regions, std::int32_t n) {
    Json list = Json::array();
    for (std::int32_t r = 0; r < n; ++r) list.push_back(regions[r].stride);
    return list;
  };
  j["source_bytes"] = strides(tile.source, tile.n_sources);
  j["destination_bytes"] = strides(tile.destination, tile.n_destinations);
  if (!has_tiles) return j;
  j["tile"] = {
      {"kind", tile::name_of(tile::Kind::records)}, {"threads", tile.threads}, {"blocks", tile.frame.n_blocks}, {"records", tile.chunk}};
  j["accesses"] = describe_accesses(tile, machine);
  return j;
}

std::string number(const Json& j, const char* key) { return std::to_string(j.at(key).get<std::int64_t>()); }

std::string print_axes(const Json& axes) {
  std::string extents, src, dst;
  const auto stride = [](const Json& a, const char* key, const char* counts) {
    if (!a.contains(key)) return std::string("-");
    return std::to_string(a[key].get<std::int64_t>()) + (a.contains(counts) ? " buffers" : "");
  };
  for (const Json& a : axes) {
    extents += (extents.empty() ? "" : " × ") + std::to_string(a["extent"].get<std::int64_t>());
    src += (src.empty() ? "" : ", ") + stride(a, "src_stride", "src_counts");
    dst += (dst.empty() ? "" : ", ") + stride(a, "dst_stride", "dst_counts");
  }
  if (axes.empty()) return "1";
  return extents + "   source strides " + src + "   destination strides " + dst;
}

std::string print_group(const Json& group) {
  std::string text;
  for (const Json& a : group)
    text += fmt::format("{}axis {}: {}", text.empty() ? "" : ", ", a["axis"].get<int>(), a["inside"].get<std::int64_t>());
  return text.empty() ? "-" : text;
}

std::string print_inside(const Json& t) {
  if (t.contains("runs"))
    return fmt::format("{} runs of {} rows of {} bytes", number(t, "runs"), number(t, "rows"), number(t, "row_bytes"));
  if (t.contains("pieces"))
    return fmt::format("{} rows of {} pieces of {} bytes", number(t, "rows"), number(t, "pieces"), number(t, "piece_bytes"));
  return fmt::format("source group {}; destination group {}", print_group(t["source"]), print_group(t["destination"]));
}

std::string print_accesses(const Json& accesses) {
  std::string text;
  for (const char* side : {"read", "write"}) {
    const Json& a = accesses[side];
    text += fmt::format("    {}: {} requests, {} sectors, {:.2f} times the fewest", side, number(a, "requests"), number(a, "sectors"),
                        a["amplification"].get<double>());
    if (a["shared_wavefronts"] != 0)
      text += fmt::format("; {} wavefronts of shared memory, {:.2f} times the fewest", number(a, "shared_wavefronts"),
                          a["shared_wavefronts"].get<double>() / a["ideal_shared_wavefronts"].get<double>());
    text += "\n";
  }
  if (!accesses["is_exact"].get<bool>())
    text += fmt::format("    (counted in classes of {} of the tiles)\n", number(accesses, "blocks_counted"));
  return text;
}

std::string print_bundle(const Json& b) {
  const auto list = [](const Json& strides) {
    std::string text;
    for (const Json& s : strides) text += (text.empty() ? "" : ", ") + std::to_string(s.get<std::int64_t>());
    return text;
  };
  std::string text = fmt::format("  {} records of {} bytes, {} box{} together, in units of {}, to records of {} bytes\n",
                                 number(b, "records"), list(b["source_bytes"]), number(b, "boxes"), b["boxes"] == 1 ? "" : "es",
                                 number(b, "unit"), list(b["destination_bytes"]));
  if (!b.contains("tile")) return text;
  const Json& t = b["tile"];
  text += fmt::format("    {} tiles of {} threads, kind {}; {} records\n", number(t, "blocks"), number(t, "threads"),
                      t["kind"].get<std::string>(), number(t, "records"));
  return text + print_accesses(b["accesses"]);
}

}  // namespace

std::string print_bytes(double bytes) {
  static constexpr std::array<const char*, 6> units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t u = 0;
  for (; bytes >= 1024 && u + 1 < units.size(); ++u) bytes /= 1024;
  if (u == 0) return fmt::format("{:.0f} {}", bytes, units[u]);
  return fmt::format("{:.{}f} {}", bytes, bytes < 10 ? 2 : bytes < 100 ? 1 : 0, units[u]);
}

double predicted_seconds(std::int64_t bytes_moved, const Machine& machine) {
  const double rate = machine.copy_gb_per_s(bytes_moved / 2);
  return rate > 0 ? static_cast<double>(bytes_moved) / (rate * 1e9) : 0;
}

Json describe(const Pass& pass, const Machine& machine, bool has_tiles) {
  std::size_t n_boxes = 0;
  for (const tile::Rows& rows : pass.entries) n_boxes += rows.segments.size();
  for (const Boxes& bundle : pass.bundles) n_boxes += bundle.size();
  Json entries = Json::array();
  constexpr std::size_t most = 64;  // what a person still reads; the counts above the list are of all
  for (std::size_t e = 0; e < std::min(most, pass.entries.size()); ++e) {
    entries.push_back(describe_entry(pass.entries[e], pass.variants.back().choices[e], machine, has_tiles));
  }
  Json j{{"boxes", n_boxes}, {"bytes_read", pass.bytes_read}, {"bytes_written", pass.bytes_written}, {"entries", entries}};
  for (const Boxes& bundle : pass.bundles) j["bundles"].push_back(describe_bundle(bundle, machine, has_tiles));
  if (pass.entries.size() > most) j["entries_left_out"] = pass.entries.size() - most;
  const double seconds = predicted_seconds(pass.bytes_read + pass.bytes_written, machine);
  if (seconds > 0) j["copy_seconds"] = seconds;
  return j;
}

std::string print(const Json& pass) {
  std::string text = fmt::format("{} box{}: {} read, {} written\n", pass["boxes"].get<std::size_t>(), pass["boxes"] == 1 ? "" : "es",
                                 print_bytes(pass["bytes_read"].get<double>()), print_bytes(pass["bytes_written"].get<double>()));
  for (const Json& e : pass["entries"]) {
    text += fmt::format("  {} {} bytes at {}{}:  {}\n", e.contains("fill") ? "fill of" : "units of", number(e, "unit"),
                        number(e, "dst_offset"), e.contains("src_offset") ? " from " + number(e, "src_offset") : "", print_axes(e["axes"]));
    if (e.contains("fill")) text += fmt::format("    pattern {}\n", e["fill"].get<std::string>());
    if (e.contains("segments")) {
      for (const Json& s : e["segments"]) {
        text += s.contains("fill") ? fmt::format("    row from unit {}: pattern {}\n", number(s, "first"), s["fill"].get<std::string>())
                                   : fmt::format("    row from unit {}: source {:+} bytes, step {}\n", number(s, "first"),
                                                 s["src_offset"].get<std::int64_t>(), number(s, "src_step"));
      }
    }
    const std::string accesses = e.contains("accesses") ? print_accesses(e["accesses"]) : "";
    if (e.contains("tile")) {
      const Json& t = e["tile"];
      text += fmt::format("    {} tiles of {} threads, kind {}; {}\n", number(t, "blocks"), number(t, "threads"),
                          t["kind"].get<std::string>(), print_inside(t));
      text += accesses;
    }
  }
  for (const Json& b : pass.value("bundles", Json::array())) text += print_bundle(b);
  if (pass.contains("entries_left_out")) text += fmt::format("  and {} more\n", number(pass, "entries_left_out"));
  if (pass.contains("predicted_fraction")) {
    const double fraction = pass["predicted_fraction"].get<double>();
    text += fmt::format("  predicted: {:.2f} of a plain copy's rate", fraction);
    if (pass.contains("copy_seconds")) {
      const double ms = 1e3 * pass["copy_seconds"].get<double>();
      text += fmt::format(", {:.3g} ms; a copy of these bytes takes {:.3g} ms", ms / fraction, ms);
    }
    text += "\n";
  }
  return text;
}

}  // namespace crinkle::planning
