// What signals of the RTL are to hold, laid out as the RTL lays them out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace verilator {

/// Watched signals and what they are to hold.
///
/// Verilator keeps small signals side by side. So the image is rows of memory as they should be, with a mask of the
/// bytes that are watched, and one comparison of a row takes many signals at once. The place of a value is that of
/// its word in a sample.
class Image {
 public:
  /// Bytes that are compared at once.
  static constexpr std::uint32_t RowBytes = 32;

  /// A row: in bytes from the first watched signal and from the begin of the image, and which bytes to compare.
  struct Row {
    std::uint32_t source, offset;
    std::uint8_t mask[RowBytes];
  };

  /// Sets of the eight clocks that a device may have: bit n is clock n.
  static constexpr std::uint32_t Sets = 256;

  /// Watches `bytes` of a signal at `at`, which change with these clocks. Verilator keeps unused bits 0.
  void watch(const std::uint8_t* at, std::uint32_t bytes, std::uint32_t clocks, std::uint32_t place);

  /// Lays out the image of all that is watched; everything is to hold 0.
  void build();

  /// Says what a watched place is to hold.
  void expect(std::uint32_t place, std::uint64_t value) noexcept {
    const Position position = positions_[place];
    std::uint8_t* const at = image_.data() + position.offset;
    // Most signals are of one byte.
    *at = static_cast<std::uint8_t>(value);
    if (position.bytes > 1) [[unlikely]] put(at, value, position.bytes);
  }

  /// The same of all watched places, by their words in a sample.
  void expect(const std::uint64_t* sample) noexcept {
    for (const Signal& signal : signals_) expect(signal.place, sample[signal.place]);
  }

  /// Writes what is expected, and what the RTL holds, to the words of a sample.
  void expected(std::uint64_t* sample) const noexcept;
  void gather(std::uint64_t* sample) const noexcept;

  /// Whether a signal that changes with a clock in `edges` does not hold what it is to hold.
  bool differs(std::uint32_t edges) {
    const auto& rows = rows_[edges];
    return differs(rows ? *rows : lay_out(edges));
  }

 private:
  struct Signal {
    const std::uint8_t* at;
    std::uint32_t bytes, clocks, place;
  };

  struct Position {
    std::uint32_t offset, bytes;
  };

  /// Chooses the rows with a signal that changes with a clock in `edges`. A device has more sets of clocks than ever rise,
  /// so it is done when they first do.
  const std::vector<Row>& lay_out(std::uint32_t edges);

  bool differs(const std::vector<Row>& rows) const noexcept;

  static void put(std::uint8_t* at, std::uint64_t value, std::uint32_t bytes) noexcept;

  std::vector<Signal> signals_;
  const std::uint8_t* base_ = nullptr;
  std::vector<std::uint8_t> image_;
  /// All rows, nothing masked.
  std::vector<Row> layout_;
  /// By edges: the rows to compare, once they are laid out.
  std::array<std::unique_ptr<const std::vector<Row>>, Sets> rows_;
  /// By place.
  std::vector<Position> positions_;
};

}  // namespace verilator
