#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rodeo/profile/error_norms.hpp"

namespace rodeo {

/// One level of a convergence study.
struct ConvergenceRow {
  std::int64_t elements = 0;
  double step = 0.0;  ///< s
  double spacing =
      0.0;  ///< what the order refers to: element length (m), or step (s) where that alone varies
  ErrorNorms error =
      no_error_norms();  ///< NaN before the level has ended, and for a level that is the reference
  ErrorNorms order = no_error_norms();  ///< observed in each norm from the level before to this one
};

/// Results of a convergence study, from coarse to fine: /convergence of the file.
struct ConvergenceTable {
  std::string key;        ///< the number of the deck that makes the levels
  std::string reference;  ///< convergence.reference, or "exact"
  std::vector<ConvergenceRow> rows;

  bool against_finest() const { return reference == "finest"; }
};

/// Result of a level's member.
struct LevelResult {
  bool done = false;               ///< reached time.end
  ErrorNorms profile_error;        ///< against the solution in closed form, as the member reported it
  std::vector<double> last_frame;  ///< nodes x 3, m; only looked at if the finest level is the reference
};

/// Fills in the errors and observed orders; `levels` in the order of the rows.
void set_errors(ConvergenceTable& table, const std::vector<LevelResult>& levels);

/// Norms of the distance between the nodes of a rod and the same material points of a finer one (both nodes x
/// 3, m), by cubic interpolation where no node of the finer one stands.
ErrorNorms position_error(const std::vector<double>& coarse, const std::vector<double>& fine);

/// A number as it is printed in a table; a dash where it is none.
std::string number_or_dash(double value, const char* format);

/// The table as it is printed.
std::string to_text(const ConvergenceTable& table);

}  // namespace rodeo
