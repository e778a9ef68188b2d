#include "verilator/src/device.h"

#include <string>
#include <string_view>

#include "verilated_syms.h"
#include "verilator/src/lib.rs.h"

// An assertion that fails in the RTL ends the step with an exception, which cxx makes an `Err`.
void vl_fatal(const char* file, int line, const char* scope, const char* message) {
  std::string text = file ? file : "";
  text += ":" + std::to_string(line) + ": " + message;
  if (scope && *scope) text += std::string(" in ") + scope;
  throw std::runtime_error(text);
}

void vl_stop(const char* file, int line, const char* scope) {
  vl_fatal(file, line, scope, "assertion failed");
}

namespace verilator {
namespace {

/// Bytes of one element, as Verilator stores it.
std::uint32_t element_bytes(std::uint32_t width) {
  if (width <= 8) return 1;
  if (width <= 16) return 2;
  if (width <= 32) return 4;
  if (width <= 64) return 8;
  return 4 * ((width + 31) / 32);
}

/// Mask of the bits of word `index` of a value.
std::uint64_t mask(std::uint32_t width, std::uint32_t index) {
  const std::uint32_t rest = width - 64 * index;
  return rest >= 64 ? ~0ull : (1ull << rest) - 1;
}

std::uint64_t load(const std::uint8_t* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

}  // namespace

Device::Device() : context_(std::make_unique<VerilatedContext>()) {
  // The default is a pool of worker threads per device, idle here but not free to start and to join.
  context_->threads(1);
  context_->randReset(2);
  context_->randSeed(1);
}

// The thread must not keep a context that is about to go.
Device::~Device() { Verilated::threadContextp(Verilated::defaultContextp()); }

void Device::find_signals(const char* top) {
  const std::string_view name = top;
  for (const auto& [scope_name, scope] : *context_->scopeNameMap()) {
    std::string_view path = scope_name;
    // The scope of the ports is called TOP; those of the block begin with its name.
    if (path.substr(0, name.size()) != name || !scope->varsp()) continue;
    path.remove_prefix(name.size());
    if (!path.empty()) {
      if (path.front() != '.') continue;
      path.remove_prefix(1);
    }
    for (const auto& [variable_name, variable] : *scope->varsp()) {
      const bool packed = variable.dims() > variable.udims();
      const std::uint32_t width = packed ? variable.packed().elements() : 1;
      std::uint32_t depth = variable.udims() > 0 ? 1 : 0;
      for (int i = 1; i <= variable.udims(); ++i) depth *= variable.elements(i);
      auto* at = static_cast<std::uint8_t*>(variable.datap());
      // The names live in the symbol table, as long as the device.
      found_.push_back({path.data(), variable_name, at, width, depth, element_bytes(width)});
    }
  }
}

void Device::clear_memories() {
  for (const Found& found : found_)
    if (found.depth > 0) std::memset(found.at, 0, std::size_t{found.depth} * found.element);
}

rust::Vec<Signal> Device::signals() const {
  rust::Vec<Signal> signals;
  for (const Found& found : found_)
    signals.push_back({rust::String(found.scope), rust::String(found.name), found.width, found.depth});
  return signals;
}

void Device::watch(std::uint32_t clocks, rust::Slice<const Watch> watches) {
  if (clocks >= Groups) throw std::out_of_range("no such clocks");
  words_[clocks].clear();
  for (const Watch& watch : watches) {
    const Found& found = found_.at(watch.signal);
    if (found.depth > 0) throw std::invalid_argument("a memory cannot be watched");
    for (std::uint32_t i = 0; i < (found.width + 63) / 64; ++i) {
      words_[clocks].push_back({found.at + 8 * i, mask(found.width, i), watch.word + i});
    }
  }
}

std::int64_t Device::differs(std::uint32_t edges, rust::Slice<const std::uint64_t> sample) const noexcept {
  const std::uint64_t* expected = sample.data();
  const auto difference = [expected](const Word& word) { return (load(word.at) ^ expected[word.index]) & word.mask; };
  std::uint64_t differences = 0;
  for (std::uint32_t clocks = 1; clocks < Groups; ++clocks)
    if (clocks & edges)
      for (const Word& word : words_[clocks]) differences |= difference(word);
  if (differences == 0) [[likely]]
    return -1;
  for (std::uint32_t clocks = 1; clocks < Groups; ++clocks)
    if (clocks & edges)
      for (const Word& word : words_[clocks])
        if (difference(word)) return static_cast<std::int64_t>(word.index);
  return -1;
}

void Device::gather(rust::Slice<std::uint64_t> sample) const noexcept {
  std::uint64_t* words = sample.data();
  for (const auto& group : words_)
    for (const Word& word : group) words[word.index] = load(word.at) & word.mask;
}

void Device::read(std::uint32_t signal, rust::Slice<std::uint64_t> words) const {
  const Found& found = found_.at(signal);
  const std::size_t elements = found.depth > 0 ? found.depth : 1, stride = (found.width + 63) / 64;
  if (words.size() != elements * stride) throw std::length_error("wrong number of words of a memory");
  for (std::size_t i = 0; i < elements; ++i) {
    for (std::size_t j = 0; j < stride; ++j) words[i * stride + j] = 0;
    std::memcpy(words.data() + i * stride, found.at + i * found.element, found.element);
  }
}

}  // namespace verilator
