#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "rodeo/observe/sample.hpp"
#include "rodeo/profile/error_norms.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::observe {

/// Extremes and period of a quantity that is sampled between slices. The period is counted between upward
/// passages through the middle of its range, where the slope is largest and ripples shift the passage least.
class Oscillation {
 public:
  void add(double time, double value) {
    const double middle = 0.5 * (smallest_ + largest_);
    if (value_ < middle && value >= middle) {
      const double passage = time_ + (middle - value_) / (value - value_) * (time - time_);
      if (passages_++ == 0) first_passage_ = passage;
      last_passage_ = passage;
    }
    smallest_ = std::min(smallest_, value);
    largest_ = std::max(largest_, value);
    time_ = time;
    value_ = value;
  }

  /// Mean period, s; NaN before the second passage, and where all that passes is rounding.
  double period() const {
    constexpr double rounding = 1e-12;
    const bool varies = largest_ - smallest_ > rounding * largest_;
    return varies && passages_ > 1 ? (last_passage_ - first_passage_) / (passages_ - 1)
                                   : std::numeric_limits<double>::quiet_NaN();
  }
  double largest() const { return largest_; }

 private:
  double smallest_ = std::numeric_limits<double>::max();
  double largest_ = std::numeric_limits<double>::lowest();
  double time_ = 0.0;  ///< of the last sample, s
  double value_ = std::numeric_limits<double>::max();
  int passages_ = 0;
  double first_passage_ = 0.0;
  double last_passage_ = 0.0;
};

}  // namespace rodeo::observe

namespace rodeo {

/// Misfit of a member's rods from measured data.
struct Misfit {
  double distance = std::nan("");  ///< root of the weighted mean square, m
  double largest = std::nan("");   ///< distance, m
  double weighted = std::nan("");  ///< root of the mean of weights times squared differences of coordinates
  double coordinates = std::nan("");  ///< known ones
};

/// Work on a member, its gains and its losses since its start, J; NaN where not measured.
struct MeasuredWork {
  double gained = std::nan("");        ///< by the energies of motion, strain, contact, ground and connections
  double work = std::nan("");          ///< done on it
  double damping_loss = std::nan("");  ///< taken by damping and drag
  double turnover = std::nan("");      ///< of both, the sum of all sizes
};

/// Data of a member when it ends well, or at a frame. With several rods, `spec`, `state`, `end_distance` and
/// the profile are those of the last one; samples and the mean velocity are of all together, but for the
/// places of ends in samples.
struct Observation {
  const MemberSpec& spec;
  Sample baseline;  ///< when loads and boundaries have become steady; else t = 0
  const Sample& last;
  ConstRodView state;                      ///< the arrays in host memory; only to be read
  std::vector<ConstRodView> others = {};   ///< those of the rods before the last
  observe::Oscillation end_distance = {};  ///< of the last node from the first
  /// Mean velocity of the centre of mass over the last muscle.period, m/s; NaN without one.
  Vec3 mean_velocity = {std::nan(""), std::nan(""), std::nan("")};
  double gait_width = std::nan("");  ///< of the widest envelope over the same period, m; NaN without one
  bool buckled = false;
  double buckling_time = 0.0;  ///< s; NaN if it did not buckle
  ErrorNorms profile_error = no_error_norms();
  double ground_depth = 0.0;           ///< of an element in the ground, over its radius; the deepest so far
  observe::HighestEnergy energy = {};  ///< of conserved_energy() in members without a source of energy
  bool only_steps_take_energy = false;
  double periods = std::nan("");  ///< that it took; NaN where members do not settle
  Misfit misfit = {};             ///< NaN without data
  MeasuredWork measured = {};
  std::vector<double> modes = {};     ///< what is reported of vibrations (observe/equilibrium.hpp)
  std::vector<double> measures = {};  ///< the observables that the deck defines
};

/// When an observable has a number, where it applies.
enum class Known {
  always,
  mean_over_period,  ///< at the end; a mean over the last muscle.period
  at_end
};

/// A scalar that every member reports.
struct Observable {
  std::string_view name;
  std::string_view unit;  ///< SI, "1" for a pure number
  std::string_view text;  ///< one line
  double (*value)(const Observation&);
  Known known = Known::always;
  /// Deck values with which it has a number, as rodeo::parse_need() reads them; rods of any model if they
  /// name none. Files have a column of it where these can hold: it must be NaN in any other member.
  std::string_view need = "";
};

}  // namespace rodeo
