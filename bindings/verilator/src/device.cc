#include "verilator/src/device.h"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <tuple>

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
      if (base_ == nullptr || at < base_) base_ = at;
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
  if (clocks == 0 || clocks >= Groups) throw std::out_of_range("no such clocks");
  for (const Watch& watch : watches) {
    const Found& found = found_.at(watch.signal);
    if (found.depth > 0) throw std::invalid_argument("a memory cannot be watched");
    // Whole words of 64 bits, then what is left of the signal.
    for (std::uint32_t at = 0; at < found.element; at += 8) {
      const auto size = static_cast<std::uint32_t>(std::bit_width(std::min(found.element - at, 8u)) - 1);
      places_.push_back({size, clocks, static_cast<std::uint32_t>(found.at - base_) + at, watch.word + at / 8});
    }
  }

  // Clocks in the order 1, 3, 2.
  const auto key = [](const Place& place) {
    return std::tuple(place.size, place.clocks ^ (place.clocks >> 1), place.offset);
  };
  std::sort(places_.begin(), places_.end(), [&](const Place& a, const Place& b) { return key(a) < key(b); });
  offsets_.clear();
  position_.clear();
  for (auto& sizes : ranges_) std::fill(std::begin(sizes), std::end(sizes), Range{});
  for (const Place& place : places_) {
    const auto i = static_cast<std::uint32_t>(offsets_.size());
    offsets_.push_back(place.offset);
    if (place.index >= position_.size()) position_.resize(place.index + 1);
    position_[place.index] = i;
    for (std::uint32_t edges = 1; edges < Groups; ++edges) {
      Range& range = ranges_[place.size][edges];
      if ((edges & place.clocks) == 0) continue;
      if (range.begin == range.end) range.begin = i;
      range.end = i + 1;
    }
  }
  expected_.assign(places_.size(), 0);
}

void Device::expect(rust::Slice<const std::uint64_t> sample) noexcept {
  for (std::size_t i = 0; i < places_.size(); ++i) expected_[i] = sample.data()[places_[i].index];
}

void Device::expected(rust::Slice<std::uint64_t> sample) const noexcept {
  for (std::size_t i = 0; i < places_.size(); ++i) sample.data()[places_[i].index] = expected_[i];
}

void Device::gather(rust::Slice<std::uint64_t> sample) const noexcept {
  for (const Place& place : places_) {
    std::uint64_t& word = sample.data()[place.index];
    switch (place.size) {
      case 0: word = load<std::uint8_t>(place.offset); break;
      case 1: word = load<std::uint16_t>(place.offset); break;
      case 2: word = load<std::uint32_t>(place.offset); break;
      default: word = load<std::uint64_t>(place.offset);
    }
  }
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
