#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "load_powers.hpp"
#include "observer.hpp"

namespace rodeo {

/// Whether a measure of a member is of its balance of energy.
bool asks_for_balance(const MemberSpec& spec);

/// The balance of a member's energy: what acts on it does work, which is motion and strain or is lost. Powers
/// are added up by the trapezoidal rule between the samples of measures.
class EnergyBalance {
 public:
  void start(const MemberJob& job, MemberOutcome&);
  MemberStatus slice(const Look& look);
  void glance(const Glance& glance);
  Need needs_within(std::int64_t steps) const;
  void within(const Glance& glance, const Look* look);
  std::int64_t next_glance(std::int64_t steps) const;

  /// Goes on after a jump of the drives, in which the energy jumped too.
  void go_on_after_jump(const Glance& glance, double energy);

  void finish(const Look& look, Observation& observation) const;
  void visit(StateArchive& archive);

 private:
  struct Sampled {
    double time = 0.0;        ///< s
    double of_sources = 0.0;  ///< power, W
    double of_losses = 0.0;   ///< power that is taken, W
    double done = 0.0;        ///< work of motions and the platen so far, J
  };
  struct Sums {
    std::int64_t steps = -1;  ///< up to which they go; -1: there is no sample yet
    Sampled last;
    double work = 0.0;      ///< J
    double lost = 0.0;      ///< J
    double turnover = 0.0;  ///< J
  };

  /// Whether there is a sample after so many steps: those of measures, and those of the control, where what
  /// drives the member may jump.
  bool is_due(std::int64_t steps) const { return steps % interval_ == 0 || steps % jumps_ == 0; }

  Sampled at(const Glance& glance) const;
  Sums sums_at(const Glance& glance) const;

  std::unique_ptr<LoadPowers> powers_;  ///< null where it is not asked for, or not measured
  double rounding_ = 0.0;               ///< of the energy, J
  std::int64_t interval_ = 1;           ///< steps
  std::int64_t jumps_ = std::numeric_limits<std::int64_t>::max();  ///< steps between samples of the control
  bool within_ = false;                                            ///< steps are seen while slices go on
  // State that visit() saves.
  Sums sums_;
  double start_energy_ = 0.0;  ///< J
};

}  // namespace rodeo
