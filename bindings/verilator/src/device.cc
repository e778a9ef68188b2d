#include "verilator/src/device.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <string_view>

#include "verilated_syms.h"
#include "verilator/src/bridge.rs.h"

// A failing assertion of the RTL throws an exception, which cxx converts to an `Err`.
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

/// Bytes of one element in Verilator's representation.
std::uint32_t element_bytes(std::uint32_t width) {
  if (width <= 8) return 1;
  if (width <= 16) return 2;
  if (width <= 32) return 4;
  if (width <= 64) return 8;
  return 4 * ((width + 31) / 32);
}

}  // namespace

namespace {

using Entries = std::map<std::pair<std::string, std::string>, Entry::Open>;

/// Created on first use, because the order of the blocks' static initializers is unspecified.
Entries& entries() {
  static Entries entries;
  return entries;
}

}  // namespace

Entry::Entry(const char* library, const char* block, Open open) { entries()[{library, block}] = open; }

std::unique_ptr<Device> open(rust::Str library, rust::Str block) {
  const auto entry = entries().find({std::string(library), std::string(block)});
  if (entry != entries().end()) return entry->second();
  throw std::invalid_argument(std::string(library) + " has no block " + std::string(block));
}

void no_clock(std::uint32_t edges, const char* const* ports, std::size_t count) {
  const auto clock = static_cast<std::size_t>(std::countr_zero(edges));
  if (clock < count) throw std::invalid_argument(std::string("no port ") + ports[clock]);
  throw std::invalid_argument("the device has no clock " + std::to_string(clock));
}

Device::Device() : context_(std::make_unique<VerilatedContext>()) {
  // By default each device has a pool of worker threads, which is idle here but costs time to start and join.
  context_->threads(1);
  context_->randReset(2);
  context_->randSeed(1);
}

// The thread must not keep a pointer to a destroyed context.
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
      // The names are owned by the symbol table, which lives as long as the device.
      found_.push_back({path.data(), variable_name, at, width, depth, element_bytes(width)});
    }
  }
}

void Device::clear_memories() {
  for (const SignalMemory& found : found_)
    if (found.depth > 0) std::memset(found.at, 0, std::size_t{found.depth} * found.element);
}

rust::Vec<Signal> Device::signals() const {
  rust::Vec<Signal> signals;
  for (const SignalMemory& found : found_)
    signals.push_back({rust::String(found.scope), rust::String(found.name), found.width, found.depth});
  return signals;
}

void Device::watch(std::uint32_t clocks, rust::Slice<const Watch> watches) {
  if (clocks == 0 || clocks >= Image::Sets) throw std::out_of_range("no such clocks");
  for (const Watch& watch : watches) {
    const SignalMemory& found = found_.at(watch.signal);
    if (found.depth > 0) throw std::invalid_argument("a memory cannot be watched");
    for (std::uint32_t at = 0; at < found.element; at += 8)
      image_.watch(found.at + at, std::min(found.element - at, 8u), clocks, watch.word + at / 8);
  }
  image_.build();
}

void Device::expect(rust::Slice<const std::uint64_t> sample) noexcept { image_.expect(sample.data()); }

void Device::expected(rust::Slice<std::uint64_t> sample) const noexcept { image_.expected(sample.data()); }

void Device::gather(rust::Slice<std::uint64_t> sample) const noexcept { image_.gather(sample.data()); }

void Device::read(std::uint32_t signal, rust::Slice<std::uint64_t> words) const {
  const SignalMemory& found = found_.at(signal);
  const std::size_t elements = found.depth > 0 ? found.depth : 1, stride = (found.width + 63) / 64;
  if (words.size() != elements * stride) throw std::length_error("wrong number of words of a memory");
  for (std::size_t i = 0; i < elements; ++i) {
    for (std::size_t j = 0; j < stride; ++j) words[i * stride + j] = 0;
    std::memcpy(words.data() + i * stride, found.at + i * found.element, found.element);
  }
}

void Device::flip(std::uint32_t signal, rust::Slice<const std::uint64_t> words) {
  const SignalMemory& found = found_.at(signal);
  if (found.depth > 0) throw std::invalid_argument("a memory has no bits to flip here");
  if (words.size() != (found.width + 63) / 64) throw std::length_error("wrong number of words of a register");
  std::memcpy(found.at, words.data(), found.element);
  settle();
}

}  // namespace verilator
