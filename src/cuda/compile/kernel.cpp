// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/compile/kernel.hpp"

#include <fmt/format.h>

#include <exception>
#include <map>
#include <mutex>

#include "base/per_process.hpp"
#include "base/whole_file.hpp"
#include "cuda/compile/headers.hpp"
#include "cuda/compile/kept.hpp"
#include "cuda/compile/load.hpp"
#include "cuda/compile/notes.hpp"
#include "cuda/compile/nvrtc.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"

namespace crinkle::gpu {

struct Kernel::Loaded {
  std::string name;
  LoadedCode code;
  Loaded(std::string of, LoadedCode loaded) : name(std::move(of)), code(loaded) {}
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded() { entry<unload_code>(code.handle); }
};
const void* Kernel::get() const { return loaded_->code.kernel; }
const std::string& Kernel::name() const { return loaded_->name; }
KernelFacts Kernel::facts() const { return loaded_->code.facts; }

bool pays(const Worth& worth, std::int64_t runs) {
  return (worth.fixed_seconds - worth.compiled_seconds) * static_cast<double>(runs) > worth.compile_seconds;
}

namespace {

// One kernel of the process: in it a thread compiles or loads, and others wait.
struct Slot {
  std::mutex mutex;
  Binary binary;
  bool is_wrong = false;  // NVRTC was asked, in vain
  std::weak_ptr<const Kernel::Loaded> loaded;
  std::uint64_t used = 0;  // guarded by the process' mutex, as is the next
  std::size_t bytes = 0;
};

struct Process {
  static constexpr std::size_t most_bytes = std::size_t{32} << 20;  // of code that is kept in memory
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Slot>> slots;
  std::map<std::string, NvrtcPlace> places;
  std::map<std::string, std::shared_ptr<const Nvrtc>> compilers;
  std::uint64_t n_uses = 0;
  std::size_t bytes = 0;

  std::shared_ptr<Slot> slot(const std::string& key) {
    const std::lock_guard lock(mutex);
    std::shared_ptr<Slot>& found = slots[key];
    if (found == nullptr) found = std::make_shared<Slot>();
    found->used = ++n_uses;
    return found;
  }
  // Counts the bytes of a slot, and forgets what was used longest ago; whoever uses it keeps it.
  void hold(const std::string& key, std::size_t n) {
    const std::lock_guard lock(mutex);
    const auto held = slots.find(key);
    if (held == slots.end()) return;
    bytes += n - held->second->bytes;
    held->second->bytes = n;
    while (bytes > most_bytes && slots.size() > 1) {
      const auto oldest =
          std::min_element(slots.begin(), slots.end(), [](const auto& a, const auto& b) { return a.second->used < b.second->used; });
      bytes -= oldest->second->bytes;
      slots.erase(oldest);
    }
  }
  NvrtcPlace place(const std::string& named) {
    const std::lock_guard lock(mutex);
    const auto at = places.find(named);
    return at != places.end() ? at->second : places.emplace(named, find_nvrtc(named)).first->second;
  }
  std::shared_ptr<const Nvrtc> compiler(const NvrtcPlace& place) {
    const std::lock_guard lock(mutex);
    std::shared_ptr<const Nvrtc>& found = compilers[place.file.string()];
    if (found == nullptr) found = std::make_shared<const Nvrtc>(place);
    return found;
  }
};
constinit PerProcess<Process> process;

// All that the machine code depends on.
std::string key_of(const KernelSource& source, int architecture, const std::string& version) {
  std::string key = fmt::format("NVRTC {} sm_{} headers {}\n", version, architecture, embedded_headers_hash());
  for (const std::string& option : compile_options()) key += option + '\n';
  for (const std::string& option : source.options) key += option + '\n';
  return key + source.function + '\n' + source.text;
}

std::filesystem::path folder_of(const KernelOptions& options) {
  if (!options.folder.empty()) return options.folder;
  const std::filesystem::path folder = cache_folder();
  return folder.empty() ? folder : folder / "kernels";
}

// The slot's binary, found or made; what is to be told, in `note`. Requires the slot to be locked.
Binary binary_in(Slot& slot, const std::string& key, const KernelSource& source, int architecture, const NvrtcPlace& place,
                 bool may_compile, const KernelOptions& options, std::string& note) {
  if (slot.binary != nullptr || slot.is_wrong) return slot.binary;
  const KeptKernels kept(folder_of(options), options.most_bytes);
  std::optional<std::string> code = kept.find(key);
  if (!code) {
    if (!may_compile) return nullptr;
    slot.is_wrong = true;  // where the next line throws, too
    NvrtcCode made = process.get().compiler(place)->compile(source.text, source.name, architecture, source.options);
    if (made.code.empty()) {
      note = fmt::format(
          "the kernel \"{}\" does not compile for sm_{}; a kernel of the library runs. This is a bug of crinkle, please report "
          "it with this text.\nNVRTC {}:\n{}\nof the source:\n{}",
          source.name, architecture, place.version, made.log, source.text);
      return nullptr;
    }
    slot.is_wrong = false;
    const std::string why_not = kept.keep(key, made.code);
    if (!why_not.empty()) note = folder_of(options).string() + ": kernels that were compiled cannot be kept: " + why_not;
    code = std::move(made.code);
  }
  slot.binary = std::make_shared<const std::string>(std::move(*code));
  return slot.binary;
}

// use(slot, binary) of the source, in its slot, for a driver that is perhaps known; none where there is no binary, or for what is thrown,
// which is told.
template <class Use>
auto use_binary(const KernelSource& source, int architecture, int driver, const Worth& worth, const KernelOptions& options, Use&& use)
    -> decltype(use(std::declval<Slot&>(), Binary())) {
  if (options.effort == KernelEffort::library) return {};
  const bool may_compile =
      options.effort >= KernelEffort::compiled || (options.effort == KernelEffort::paying && pays(worth, options.runs));
  std::string note;
  decltype(use(std::declval<Slot&>(), Binary())) result{};
  try {
    const NvrtcPlace place = process.get().place(options.nvrtc);
    const std::string why_not = place.file.empty() ? place.why_not : why_not_for(place, driver);
    if (!why_not.empty()) {
      if (may_compile) note = "no kernel can be compiled, those of the library run: " + why_not;
    } else {
      const std::string key = key_of(source, architecture, place.version);
      const std::shared_ptr<Slot> slot = process.get().slot(key);
      const std::lock_guard lock(slot->mutex);
      const Binary binary = binary_in(*slot, key, source, architecture, place, may_compile, options, note);
      process.get().hold(key, key.size() + (binary == nullptr ? 0 : binary->size()));
      if (binary != nullptr) result = use(*slot, binary);
    }
  } catch (const std::exception& e) {
    note = fmt::format("a kernel could not be compiled or loaded, one of the library runs: {}", e.what());
  }
  if (!note.empty()) tell(options, note);
  return result;
}

}  // namespace

Binary compiled_binary(const KernelSource& source, int architecture, const Worth& worth, const KernelOptions& options) {
  return use_binary(source, architecture, 0, worth, options, [](Slot&, const Binary& binary) { return binary; });
}

namespace {
std::string finding_key(const std::string& key) { return fmt::format("finding headers {}\n{}", embedded_headers_hash(), key); }
}  // namespace

std::optional<std::string> kept_finding(const std::string& key, const KernelOptions& options) {
  try {
    return KeptKernels(folder_of(options), options.most_bytes).find(finding_key(key));
  } catch (const std::exception&) { return {}; }
}

void keep_finding(const std::string& key, const std::string& finding, const KernelOptions& options) {
  try {
    const std::string why_not = KeptKernels(folder_of(options), options.most_bytes).keep(finding_key(key), finding);
    if (!why_not.empty()) tell(options, folder_of(options).string() + ": what was found out of kernels cannot be kept: " + why_not);
  } catch (const std::exception&) {
    return;  // found out again the next time
  }
}

std::optional<Kernel> compiled(const KernelSource& source, Device device, const Worth& worth, const KernelOptions& options) {
  const OnDevice on(device.index);
  return use_binary(source, architecture_of(device.index), facts_of(device).driver, worth, options, [&](Slot& slot, const Binary& binary) {
    std::shared_ptr<const Kernel::Loaded> loaded = slot.loaded.lock();
    if (loaded == nullptr) {
      loaded = std::make_shared<const Kernel::Loaded>(source.name, entry<load_code>(*binary, source.function.c_str()));
      slot.loaded = loaded;
    }
    return std::optional(Kernel(std::move(loaded)));
  });
}

}  // namespace crinkle::gpu
