// A Verilated block with packed ports.
//
// A block is known by convention only: reset `rst_ni`, input pins `pins_i`, output pins `pins_o`, and any of
// its device's clocks; a block without a clock is combinational. This file names no pin and no clock: the
// code by which clocks rise is generated for each block. Registers and memories are found at run time in the
// symbol table, which Verilator fills with the signals that observe.vlt makes public.
#pragma once

#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "rust/cxx.h"
#include "verilated.h"
#include "verilator/src/image.h"
#if VM_COVERAGE
#include "verilator/src/coverage.h"
#endif

namespace verilator {

struct Signal;
struct Watch;

/// A block or a whole device with pins of any width.
class Device {
 public:
  virtual ~Device();

  /// Raises the clocks in `edges` (bit n is clock n of the device) at once, with the input pins `pins_i`. The
  /// block must have all these clocks.
  virtual void step(std::uint32_t edges, rust::Slice<const std::uint64_t> pins_i,
                    rust::Slice<std::uint64_t> pins_o) = 0;

  /// Raises all clocks of the block `edges` times with `rst_ni` low.
  virtual void reset(std::uint32_t edges, rust::Slice<std::uint64_t> pins_o) = 0;

  /// All public signals by scope and name.
  rust::Vec<Signal> signals() const;

  /// Selects the signals that `follow` compares when one of these clocks rises (bits as in `step`).
  void watch(std::uint32_t clocks, rust::Slice<const Watch> watches);

  /// Sets the expected values of the watched signals, which `expected` reads. The caller guarantees that a
  /// sample holds all watched words.
  void expect(rust::Slice<const std::uint64_t> sample) noexcept;
  void expected(rust::Slice<std::uint64_t> sample) const noexcept;

  /// Replays instants, each with its edges, its part of `pins_i`, and the changes of expected values up to
  /// its end. Stops and returns false after the first instant with a mismatch of a watched signal of the
  /// clocks that rose. The caller guarantees that all changes are in watched words.
  virtual bool follow(rust::Slice<const std::uint8_t> edges, rust::Slice<const std::uint64_t> pins_i,
                      rust::Slice<const std::uint32_t> ends, rust::Slice<const std::uint32_t> places,
                      rust::Slice<const std::uint64_t> values) = 0;

  /// Number of instants completed by the last `follow` before the one at which it stopped by a mismatch or an
  /// exception.
  std::size_t followed() const noexcept { return followed_; }

  /// Copies the values of the watched signals into a sample.
  void gather(rust::Slice<std::uint64_t> sample) const noexcept;

  /// Copies all elements of a signal, each in whole words.
  void read(std::uint32_t signal, rust::Slice<std::uint64_t> words) const;

  /// Overwrites a register to inject a fault, effective from the next edge.
  void flip(std::uint32_t signal, rust::Slice<const std::uint64_t> words);

 protected:
  Device();

  /// Updates logic that depends on registers.
  virtual void settle() = 0;

  /// Collects the signals of the block `top`.
  void find_signals(const char* top);

  /// Memories have no reset and start from 0.
  void clear_memories();

  std::unique_ptr<VerilatedContext> context_;
  Image image_;
  std::size_t followed_ = 0;

 private:
  struct SignalMemory {
    const char* scope;
    const char* name;
    std::uint8_t* at;
    std::uint32_t width, depth, element;
  };

  std::vector<SignalMemory> found_;
};

/// A Verilated block of this program. Each block has a static entry, which registers it when the program
/// starts. The library has the name of the package that built it.
class Entry {
 public:
  using Open = std::unique_ptr<Device> (*)();
  Entry(const char* library, const char* block, Open open);
};

/// Opens a block after reset.
std::unique_ptr<Device> open(rust::Str library, rust::Str block);

/// Reports clocks that the block does not have.
[[noreturn]] void no_clock(std::uint32_t edges, const char* const* ports, std::size_t count);

/// A device with Verilator's class of its top module. Generated for each block are `Clocks`, by which its
/// clocks rise, and `Phases`, the parts of its `eval()`, or `void` if Verilator's own `eval()` is called.
template <class Top, class Clocks, class Phases>
class DeviceOf final : public Device {
 public:
  explicit DeviceOf(const char* top) : name_(top), top_(context_.get(), "") {
    find_signals(top);
    // Registers start from random values, so that one without a reset value is detected.
    context_->assertOn(false);
    low_under_reset(2);
    context_->assertOn(true);
    clear_memories();
  }

  ~DeviceOf() override {
    // Destructors remove scopes from the symbol table of the thread's current context, which may be another
    // device's.
    Verilated::threadContextp(context_.get());
    top_.final();
#if VM_COVERAGE
    Coverage<Top>::add(top_, name_);
#endif
  }

  void step(std::uint32_t edges, rust::Slice<const std::uint64_t> pins_i,
            rust::Slice<std::uint64_t> pins_o) override {
    put(pins_i);
    rise(edges);
    get(pins_o);
  }

  bool follow(rust::Slice<const std::uint8_t> edges, rust::Slice<const std::uint64_t> pins_i,
              rust::Slice<const std::uint32_t> ends, rust::Slice<const std::uint32_t> places,
              rust::Slice<const std::uint64_t> values) override {
    const std::size_t instants = edges.size(), pin_words = instants ? pins_i.size() / instants : 0;
    const std::uint8_t* const edge = edges.data();
    const std::uint32_t *const end = ends.data(), *place = places.data();
    const std::uint64_t *pins = pins_i.data(), *value = values.data();
    for (followed_ = 0; followed_ < instants; ++followed_, pins += pin_words) {
      for (const auto* last = places.data() + end[followed_]; place < last;) image_.expect(*place++, *value++);
      put({pins, pin_words});
      rise(edge[followed_]);
      if (image_.differs(edge[followed_])) return false;
    }
    return true;
  }

  void reset(std::uint32_t edges, rust::Slice<std::uint64_t> pins_o) override {
    low_under_reset(edges);
    get(pins_o);
  }

  void settle() override {
    if constexpr (!std::is_void_v<Phases>) Phases::settle(top_.rootp);
  }

 private:
  void low_under_reset(std::uint32_t edges) {
    if constexpr (Clocks::Own != 0) {
      top_.rst_ni = 0;
      inputs_changed_ = true;
      for (; edges > 0; --edges) rise(Clocks::Own);
      top_.rst_ni = 1;
      inputs_changed_ = true;
    }
  }

  /// A clock rises if it is high and was low at the last evaluation. If Verilator's copy of the last value is
  /// accessible, it is cleared instead of evaluating the falling edge, on which nothing depends. This saves
  /// one of two evaluations.
  void rise(std::uint32_t edges) {
    if (edges & ~Clocks::Own) [[unlikely]] no_clock(edges & ~Clocks::Own, Clocks::Ports, std::size(Clocks::Ports));
    if constexpr (Clocks::Remembered) {
      Clocks::rise(top_, edges);
    } else {
      Clocks::level(top_, edges, 0);
      top_.eval();
      Clocks::level(top_, edges, 1);
    }
    evaluate();
  }

  /// Like `top_.eval()`, but evaluates logic that depends on inputs alone only after a change of an input.
  void evaluate() {
    if constexpr (std::is_void_v<Phases>) {
      top_.eval();
    } else if (!settled_) [[unlikely]] {
      // The first evaluation also runs initial code.
      top_.eval();
      settled_ = true;
    } else {
      if (inputs_changed_) Phases::inputs(top_.rootp);
      while (Phases::triggered(top_.rootp)) Phases::edges(top_.rootp);
    }
    inputs_changed_ = false;
  }

  void put(rust::Slice<const std::uint64_t> words) {
    if constexpr (requires(Top& top) { top.pins_i; }) {
      if (words.size() != (sizeof top_.pins_i + 7) / 8) throw std::length_error("wrong width of pins_i");
      if (std::memcmp(&top_.pins_i, words.data(), sizeof top_.pins_i) == 0) return;
      inputs_changed_ = true;
      std::memcpy(&top_.pins_i, words.data(), sizeof top_.pins_i);
    }
  }

  void get(rust::Slice<std::uint64_t> words) {
    if constexpr (requires(Top& top) { top.pins_o; }) {
      if (words.size() != (sizeof top_.pins_o + 7) / 8) throw std::length_error("wrong width of pins_o");
      words[words.size() - 1] = 0;
      std::memcpy(words.data(), &top_.pins_o, sizeof top_.pins_o);
    }
  }

  const char* name_;
  Top top_;
  bool settled_ = false;
  /// Whether an input has changed since the last evaluation.
  bool inputs_changed_ = true;
};

}  // namespace verilator
