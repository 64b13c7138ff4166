#pragma once

#include <cstdint>
#include <vector>

#include "rodeo/member/status.hpp"

namespace rodeo {

/// One member's result. Observables, time and fields may be left empty where a member never came so far:
/// they are stored as NaN.
struct MemberRow {
  std::uint64_t member = 0;     ///< row, 0 … M-1
  std::uint64_t candidate = 0;  ///< point of the study
  std::uint32_t repeat = 0;
  std::uint64_t seed = 0;  ///< the member's own random stream
  MemberStatus status = MemberStatus::pending;
  bool damaged = false;     ///< of one that is read: it was committed, and is not as it was then
  std::uint64_t steps = 0;  ///< time steps taken
  double wall_seconds = 0.0;
  std::int32_t rank = 0;
  std::vector<double> parameters;   ///< P
  std::vector<double> observables;  ///< O, NaN where one does not apply
  std::vector<double> time;         ///< F, s; NaN for frames never reached
  /// For each field of the schema F x nodes x C, or F of an observable; NaN for frames never reached.
  std::vector<std::vector<double>> fields;
};

}  // namespace rodeo
