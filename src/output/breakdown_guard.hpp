#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <string>
#include <vector>

namespace rodeo {

/// While it lives, a fault (SIGSEGV, SIGBUS, SIGFPE, SIGABRT) ends the program with one sentence about a file
/// and exit code 1, as for any other damaged file: the HDF5 library trusts what a file says of itself and may
/// break down on one that lies. One thread; guards may be nested.
class BreakdownGuard {
 public:
  explicit BreakdownGuard(const std::string& path);
  BreakdownGuard(const BreakdownGuard&) = delete;
  BreakdownGuard& operator=(const BreakdownGuard&) = delete;
  ~BreakdownGuard();

 private:
  static constexpr std::array faults{SIGSEGV, SIGBUS, SIGFPE, SIGABRT};

  std::vector<std::byte> stack_;  ///< for the handler: a fault may be that of a full stack
  stack_t stack_before_{};
  std::array<struct sigaction, faults.size()> handlers_before_{};
  std::array<char, 512> sentence_before_{};
};

}  // namespace rodeo
