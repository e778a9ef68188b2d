// Line coverage of the RTL, collected over all devices of a process.
#pragma once

#include <cstdlib>
#include <mutex>
#include <string>
#include <type_traits>
#include <unistd.h>

#include "verilated.h"
#include "verilated_cov.h"

namespace verilator {

/// Collects the coverage of all devices with this top module. The collecting device is never stepped and
/// lives as long as the process; its counters are 1 for every point that any device has reached. At exit they
/// are written to `$MEMONET_COVERAGE/<block>-<process>.dat` in the format of `verilator_coverage`.
template <class Top>
class Coverage {
 public:
  /// Adds the counters of a device before its destruction.
  static void add([[maybe_unused]] Top& top, [[maybe_unused]] const char* block) {
    // A block of assignments alone has no coverage points.
    if constexpr (requires { top.rootp->vlSymsp->__Vcoverage; }) sum(top, block);
  }

 private:
  static void sum(Top& top, const char* block) {
    const char* const folder = std::getenv("MEMONET_COVERAGE");
    if (!folder) return;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    // Never freed, because it must outlive all static objects that are used at exit.
    static Coverage* const all = new Coverage(std::string(folder) + "/" + block + "-" + std::to_string(getpid()) + ".dat");
    auto& from = top.rootp->vlSymsp->__Vcoverage;
    auto& to = all->top_.rootp->vlSymsp->__Vcoverage;
    for (std::size_t point = 0; point < std::extent_v<std::remove_reference_t<decltype(to)>>; ++point) {
      // A counter that wraps to 0 would look as if the point was never reached.
      if (from[point] != 0) to[point] = 1;
    }
  }

  explicit Coverage(std::string file) : top_(&context_, ""), file_(std::move(file)) {
    static Coverage* const self = this;
    std::atexit([] { self->context_.coveragep()->write(self->file_.c_str()); });
  }

  VerilatedContext context_;
  Top top_;
  std::string file_;
};

}  // namespace verilator
