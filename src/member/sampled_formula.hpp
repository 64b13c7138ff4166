#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rodeo/math/formula.hpp"

#include "arc_place.hpp"
#include "load_powers.hpp"
#include "look.hpp"

namespace rodeo {

/// Greater or smaller of two numbers; NaN if either is.
double extremum(double so_far, double value, bool largest);

/// A formula with the signals along rods, observables and control numbers that its variables stand for.
class SampledFormula {
 public:
  /// Instant at which a formula is evaluated.
  struct Instant {
    const MemberSpec& spec;
    RodsAtLook& rods;
    double time;
    const Observation* observation;   ///< null where it does not observe
    LoadPowers* powers;               ///< null where it does not work
    std::span<const double> control;  ///< the numbers of the member's control
  };

  SampledFormula(const Formula& formula, const std::vector<OperandSpec>& operands);

  double value(const Instant& now);

  bool observes() const { return observes_; }  ///< it needs observables
  bool works() const { return works_; }        ///< it needs powers
  bool touches() const { return touches_; }    ///< it needs contacts

 private:
  struct Operand;

  static double value(Operand& operand, const Instant& now);
  static double value_along(Operand& operand, const Instant& now);
  static double value_at(Operand& operand, const RodAtInstant& rod);

  std::optional<Expression> expression_;  ///< none: it is its one variable
  std::vector<Operand> operands_;
  bool observes_ = false;
  bool works_ = false;
  bool touches_ = false;
};

struct SampledFormula::Operand {
  OperandSpec spec;
  std::optional<SampledFormula> along;
  std::optional<ArcPlace> place;  ///< once it was looked for
};

}  // namespace rodeo
