// The layouts that are tried where none are given.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "advise/candidates.hpp"
#include "advise/pass.hpp"

namespace crinkle {
namespace advising {
namespace {

using Names = std::vector<std::string>;
constexpr std::int64_t widest = 16;

class Maker {
 public:
  Maker(const Fields& fields, const AccessPattern& pattern) : fields_(fields), pattern_(pattern) {}

  std::vector<RecordLayout> layouts() {
    const Names all = names([](const std::string&) { return true; });
    const Names hot = names([&](const std::string& f) { return is_read(f) || is_written(f); });
    const Names cold = names([&](const std::string& f) { return !is_read(f) && !is_written(f); });
    const Names only_read = names([&](const std::string& f) { return is_read(f) && !is_written(f); });
    const Names written = names([&](const std::string& f) { return is_written(f); });

    add({{all}});                               // AoS
    add({aligned(all)});                        // AoaS
    add(alone(all));                            // SoA
    for (const std::int64_t block : {8, 32}) {  // AoSoA
      add({{all, block}});
    }
    add({{hot}, {cold}});
    add({aligned(hot), {cold}});
    add({aligned(hot), aligned(cold)});
    add({{only_read}, {written}, {cold}});
    add({aligned(only_read), aligned(written), {cold}});
    add(packed(all));  // SoAoS
    add(joined(packed(hot), packed(cold)));
    add(joined(filled(hot), filled(cold)));  // hybrid
    add(joined(joined(filled(only_read), filled(written)), filled(cold)));
    add(joined(filled(hot), {{cold}}));
    return std::move(layouts_);
  }

 private:
  bool is_read(const std::string& f) const { return std::find(pattern_.reads.begin(), pattern_.reads.end(), f) != pattern_.reads.end(); }
  bool is_written(const std::string& f) const {
    return std::find(pattern_.writes.begin(), pattern_.writes.end(), f) != pattern_.writes.end();
  }
  template <class Wanted>
  Names names(const Wanted& wanted) const {
    Names list;
    for (const Field& f : fields_)
      if (wanted(f.name)) list.push_back(f.name);
    return list;
  }
  std::int64_t bytes_of(const FieldGroup& group) const { return RecordLayout(fields_, {group}).record_bytes(); }

  /// So that one aligned load brings a record, or the widest as much of it as can be.
  FieldGroup aligned(Names list) const {
    if (list.empty()) return {};
    const std::int64_t bytes = bytes_of({list});
    const auto alignment = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::min(widest, bytes))));
    const bool is_alone = list.size() == 1 && bytes % alignment == 0;  // and needs no padding
    return {std::move(list), 1, is_alone ? 1 : alignment};
  }
  static std::vector<FieldGroup> alone(const Names& list) {
    std::vector<FieldGroup> groups;
    for (const std::string& name : list) groups.push_back({{name}});
    return groups;
  }
  static std::vector<FieldGroup> joined(std::vector<FieldGroup> a, const std::vector<FieldGroup>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  /// As many fields as go into an aligned word of 16 bytes, then the next: (x y z p)@16|(q r)@8.
  std::vector<FieldGroup> packed(const Names& list) const {
    std::vector<FieldGroup> groups;
    Names word;
    const auto close = [&] {
      if (!word.empty()) groups.push_back(aligned(std::move(word)));
      word = {};
    };
    for (const std::string& name : list) {
      Names more = word;
      more.push_back(name);
      if (!word.empty() && bytes_of(aligned(more)) > widest) close();
      word.push_back(name);
    }
    close();
    return groups;
  }

  /// The same with no padding: words of 16, 8, … bytes that are full, fields that fill none in arrays of their own: (x y)@16|z.
  std::vector<FieldGroup> filled(const Names& list) const {
    std::vector<FieldGroup> groups;
    for (std::size_t first = 0; first < list.size();) {
      std::size_t taken = 1;
      for (std::size_t last = first + 2; last <= list.size(); ++last) {
        const auto at = [&](std::size_t k) { return list.begin() + static_cast<std::ptrdiff_t>(k); };
        const std::int64_t bytes = bytes_of({{at(first), at(last)}});
        if (bytes > widest) break;
        if (bytes_of(aligned({at(first), at(last)})) == bytes) taken = last - first;
      }
      const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
      if (taken == 1) groups.push_back({{*begin}});
      else groups.push_back(aligned({begin, begin + static_cast<std::ptrdiff_t>(taken)}));
      first += taken;
    }
    return groups;
  }

  void add(std::vector<FieldGroup> groups) {
    std::erase_if(groups, [](const FieldGroup& g) { return g.fields.empty(); });
    const RecordLayout layout(fields_, std::move(groups));
    const auto is_same = [&](const RecordLayout& other) { return are_alike(layout, other); };
    if (std::none_of(layouts_.begin(), layouts_.end(), is_same)) layouts_.push_back(layout);
  }

  const Fields& fields_;
  const AccessPattern& pattern_;
  std::vector<RecordLayout> layouts_;
};

}  // namespace

bool are_alike(const RecordLayout& a, const RecordLayout& b) {
  // For every field: which fields lie in its group, where, and how its records step.
  using Fact = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::string>;
  const auto facts = [](const RecordLayout& layout) {
    std::vector<std::string> least(layout.n_groups());  // a group's name: the first of its fields by the alphabet
    for (const RecordLayout::Place& p : layout.places())
      if (least[p.group].empty() || p.field.name < least[p.group]) least[p.group] = p.field.name;
    std::map<std::string, Fact> all;
    for (const RecordLayout::Place& p : layout.places()) {
      const std::int64_t record_bytes = layout.record_bytes(p.group);
      const std::int64_t block = record_bytes == p.field.bytes() ? 1 : layout.groups()[p.group].block;  // blocks of one field are none
      all[p.field.name] = {block, record_bytes, p.offset, p.field.bytes(), least[p.group]};
    }
    return all;
  };
  return facts(a) == facts(b);
}

}  // namespace advising

std::vector<RecordLayout> candidate_layouts(const Fields& fields, const AccessPattern& pattern) {
  advising::check_pattern(fields, pattern);
  return advising::Maker(fields, pattern).layouts();
}

}  // namespace crinkle
