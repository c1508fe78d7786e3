// SPDX-License-Identifier: BSD-3-Clause
#include <new>
#include <string>
#include <utility>

#include "advise/cpu/pass.hpp"
#include "advise/site.hpp"
#include "cpu/copy.hpp"
#include "crinkle/error.hpp"

namespace crinkle {
namespace {

// Whole pages, as large arrays of programs are.
class Pages {
 public:
  explicit Pages(std::int64_t bytes)
      : memory_(static_cast<std::byte*>(::operator new(static_cast<std::size_t>(bytes), page, std::nothrow))) {
    if (memory_ == nullptr) throw Error(ErrorCode::out_of_memory, std::to_string(bytes) + " bytes of memory; measure fewer records");
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { ::operator delete(memory_, page); }
  std::byte* data() const noexcept { return memory_; }

 private:
  static constexpr std::align_val_t page{4096};
  std::byte* memory_;
};

class CpuSite final : public Site {
 public:
  CpuSite(const SiteBytes& bytes, Executor& executor)
      : executor_(executor), home_(bytes.home), array_(bytes.array), workspace_(bytes.workspace), workspace_bytes_(bytes.workspace) {}

  std::byte* home() const override { return home_.data(); }
  std::byte* array() const override { return array_.data(); }
  void fill_home(const std::function<void(std::byte*)>& write) override { write(home()); }
  const std::byte* read_array(std::int64_t) override { return array(); }

  std::function<void()> pass(const advising::Pass& pass) override {
    return [this, made = advising::cpu_pass(pass)] { run_pass(made, array(), executor_); };
  }
  std::function<void()> move(std::shared_ptr<const PlannedMove> plan, std::vector<ConstBuffer> from, std::vector<Buffer> to) override {
    return [this, plan = std::move(plan), from = std::move(from), to = std::move(to)] {
      plan->run(from, to, {workspace_.data(), workspace_bytes_}, executor_);
    };
  }
  std::vector<Contender> copies(std::int64_t bytes) override {
    std::vector<Contender> all;
    for (const CopyKind kind : copy_kinds)
      all.push_back({name_of(kind), [this, kind, bytes] { copy_plain(kind, array(), home(), bytes, executor_); }});
    return all;
  }
  Clock clock() override { return host_seconds; }

 private:
  Executor& executor_;
  Pages home_, array_, workspace_;
  std::int64_t workspace_bytes_;
};

}  // namespace

std::unique_ptr<Site> make_cpu_site(const SiteBytes& bytes, Executor& executor) { return std::make_unique<CpuSite>(bytes, executor); }

}  // namespace crinkle
