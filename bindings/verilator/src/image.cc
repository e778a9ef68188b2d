#include "verilator/src/image.h"

#include <algorithm>
#include <cstring>
#include <utility>

// Wider vectors need fewer comparisons; their availability is known only at run time.
#if defined(__x86_64__) && defined(__has_attribute)
#if __has_attribute(target_clones)
#define WIDEST_VECTORS __attribute__((target_clones("avx2", "default")))
#endif
#endif
#ifndef WIDEST_VECTORS
#define WIDEST_VECTORS
#endif

namespace verilator {
namespace {

/// Whether watched bytes differ between the RTL at `base` and the image. clang clones only free functions.
WIDEST_VECTORS bool rows_differ(const std::vector<Image::Row>& rows, const std::uint8_t* base,
                                const std::uint8_t* image) noexcept {
  typedef std::uint64_t Vector __attribute__((vector_size(Image::RowBytes)));
  Vector differences = {};
  // Not a lambda: clang compiles lambdas without the wide vectors of this function.
  for (const Image::Row& row : rows) {
    Vector rtl, expected, mask;
    std::memcpy(&rtl, base + row.source, sizeof rtl);
    std::memcpy(&expected, image + row.offset, sizeof expected);
    std::memcpy(&mask, row.mask, sizeof mask);
    differences |= (rtl ^ expected) & mask;
  }
  return (differences[0] | differences[1] | differences[2] | differences[3]) != 0;
}

}  // namespace

void Image::watch(const std::uint8_t* at, std::uint32_t bytes, std::uint32_t clocks, std::uint32_t place) {
  signals_.push_back({at, bytes, clocks, place});
}

void Image::build() {
  const auto before = [](const Signal& a, const Signal& b) { return a.at < b.at; };
  std::sort(signals_.begin(), signals_.end(), before);
  base_ = signals_.empty() ? nullptr : signals_.front().at;
  positions_.clear();

  // Rows by address; the two rows of a signal that crosses a boundary are adjacent in the image too.
  layout_.clear();
  const auto row_of = [&](std::uint32_t source) -> const Row& {
    if (layout_.empty() || source >= layout_.back().source + RowBytes) {
      const bool adjacent = !layout_.empty() && source < layout_.back().source + 2 * RowBytes;
      const std::uint32_t begin = adjacent ? layout_.back().source + RowBytes : source;
      layout_.push_back({begin, static_cast<std::uint32_t>(layout_.size()) * RowBytes, {}});
    }
    return layout_.back();
  };
  for (const Signal& signal : signals_) {
    const auto source = static_cast<std::uint32_t>(signal.at - base_);
    const Row& row = row_of(source);
    if (signal.place >= positions_.size()) positions_.resize(signal.place + 1);
    positions_[signal.place] = {row.offset + source - row.source, signal.bytes};
    row_of(source + signal.bytes - 1);
  }
  image_.assign(layout_.size() * RowBytes, 0);
  for (auto& rows : rows_) rows.reset();
}

const std::vector<Image::Row>& Image::lay_out(std::uint32_t edges) {
  std::vector<Row> rows = layout_;
  for (const Signal& signal : signals_) {
    if (!(signal.clocks & edges)) continue;
    const std::uint32_t offset = positions_[signal.place].offset;
    for (std::uint32_t byte = offset; byte < offset + signal.bytes; ++byte)
      rows[byte / RowBytes].mask[byte % RowBytes] = 0xff;
  }
  const auto unwatched = [](const Row& row) {
    return std::all_of(row.mask, row.mask + RowBytes, [](std::uint8_t byte) { return byte == 0; });
  };
  std::erase_if(rows, unwatched);
  rows_[edges] = std::make_unique<const std::vector<Row>>(std::move(rows));
  return *rows_[edges];
}

void Image::put(std::uint8_t* at, std::uint64_t value, std::uint32_t bytes) noexcept {
  switch (bytes) {
    case 2: std::memcpy(at, &value, 2); break;
    case 4: std::memcpy(at, &value, 4); break;
    default: std::memcpy(at, &value, 8);
  }
}

void Image::expected(std::uint64_t* sample) const noexcept {
  for (const Signal& signal : signals_) {
    std::uint64_t& word = sample[signal.place] = 0;
    std::memcpy(&word, image_.data() + positions_[signal.place].offset, signal.bytes);
  }
}

void Image::gather(std::uint64_t* sample) const noexcept {
  for (const Signal& signal : signals_) {
    std::uint64_t& word = sample[signal.place] = 0;
    std::memcpy(&word, signal.at, signal.bytes);
  }
}

bool Image::differs(const std::vector<Row>& rows) const noexcept { return rows_differ(rows, base_, image_.data()); }

}  // namespace verilator
