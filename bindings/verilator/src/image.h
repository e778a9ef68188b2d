// Expected values of RTL signals in the memory layout of the RTL.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace verilator {

/// Watched signals and their expected values.
///
/// Verilator stores small signals next to each other. The image therefore consists of rows of expected memory
/// with masks of the watched bytes, and one comparison of a row covers many signals. The place of a value is
/// the index of its word in a sample.
class Image {
 public:
  /// Bytes compared at once.
  static constexpr std::uint32_t RowBytes = 32;

  /// A row: offset from the first watched signal, offset in the image, and the bytes to compare.
  struct Row {
    std::uint32_t source, offset;
    std::uint8_t mask[RowBytes];
  };

  /// Number of sets of eight clocks: bit n is clock n.
  static constexpr std::uint32_t Sets = 256;

  /// Watches `bytes` of a signal at `at`, which change with these clocks. Verilator keeps unused bits 0.
  void watch(const std::uint8_t* at, std::uint32_t bytes, std::uint32_t clocks, std::uint32_t place);

  /// Lays out the image of all watched signals, with expected values 0.
  void build();

  /// Sets the expected value of a watched place.
  void expect(std::uint32_t place, std::uint64_t value) noexcept {
    const Position position = positions_[place];
    std::uint8_t* const at = image_.data() + position.offset;
    // Most signals have one byte.
    *at = static_cast<std::uint8_t>(value);
    if (position.bytes > 1) [[unlikely]] put(at, value, position.bytes);
  }

  /// Sets the expected values of all watched places from a sample.
  void expect(const std::uint64_t* sample) noexcept {
    for (const Signal& signal : signals_) expect(signal.place, sample[signal.place]);
  }

  /// Copies the expected values, and the values of the RTL, to a sample.
  void expected(std::uint64_t* sample) const noexcept;
  void gather(std::uint64_t* sample) const noexcept;

  /// Whether a signal that changes with a clock in `edges` differs from its expected value.
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

  /// Selects the rows with a signal that changes with a clock in `edges`. Few of the possible sets of clocks
  /// ever rise, so the selection happens on first use.
  const std::vector<Row>& lay_out(std::uint32_t edges);

  bool differs(const std::vector<Row>& rows) const noexcept;

  static void put(std::uint8_t* at, std::uint64_t value, std::uint32_t bytes) noexcept;

  std::vector<Signal> signals_;
  const std::uint8_t* base_ = nullptr;
  std::vector<std::uint8_t> image_;
  /// All rows, without masks.
  std::vector<Row> layout_;
  /// Rows to compare, by edges, once they are selected.
  std::array<std::unique_ptr<const std::vector<Row>>, Sets> rows_;
  /// Positions in the image, by place.
  std::vector<Position> positions_;
};

}  // namespace verilator
