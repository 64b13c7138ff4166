#pragma once

#include <cstdint>

#include "rodeo/member/state_archive.hpp"

namespace rodeo {

/// How a step ended.
struct StepEnd {
  bool converged = false;
  bool may_grow = true;  ///< the next one may be twice as long
  bool is_last = false;  ///< it converged, and the member ends with it

  StepEnd(bool has_converged, bool may_double = true)  // NOLINT(google-explicit-constructor)
      : converged(has_converged), may_grow(may_double) {}
};

/// Progress of a step of a deck; the rest of one that is begun comes next.
enum class DeckStep { whole, begun, failed, cut };

/// Takes the steps of a deck implicitly: a step is halved, and its halves again, until the iteration
/// converges; after some that do, steps grow back.
class HalvedSteps {
 public:
  HalvedSteps(double step, int most_halvings) : step_(step), most_halvings_(most_halvings) {}

  /// A step of the deck, or a part of it.
  struct Part {
    double end;     ///< s
    double length;  ///< s
  };

  /// Next part of the deck's step after `index` steps.
  Part next(double index) const {
    const double part_step = step_ / static_cast<double>(parts());
    const std::int64_t length = next_parts();
    return {index * step_ + static_cast<double>(control_.done + length) * part_step,
            static_cast<double>(length) * part_step};
  }

  /// Notes how a part ended, and how far the deck's step has come.
  DeckStep note(const StepEnd& outcome) {
    const std::int64_t length = next_parts();
    control_.is_within = 1;
    if (outcome.is_last) return DeckStep::failed;
    if (outcome.converged) {
      control_.done += length;
      ++control_.since_change;
      const bool fits = control_.done % (2 * length) == 0;
      const bool is_due = control_.since_change >= steps_before_growth;
      if (control_.halvings > 0 && is_due && fits && outcome.may_grow) change(-1);
    } else if (control_.halvings < most_halvings_) {
      change(1);
    } else {
      return DeckStep::failed;
    }
    if (control_.done < parts()) return DeckStep::begun;
    control_.done = 0;
    control_.is_within = 0;
    return DeckStep::whole;
  }

  /// The deck's step from `index` to index + 1, in units of its length. take(end, step) takes the member to a
  /// time in a step of so many seconds and says how that ended (StepEnd); it fails if none converges, or one
  /// is the member's last. It is cut where is_long() says so after a part, and goes on from there next time.
  template <class Take, class IsLong>
  DeckStep advance(double index, const Take& take, const IsLong& is_long) {
    for (;;) {
      const Part part = next(index);
      const DeckStep so_far = note(take(part.end, part.length));
      if (so_far != DeckStep::begun) return so_far;
      if (is_long()) return DeckStep::cut;
    }
  }

  /// Whether the next part continues a step, and how much of that step has been taken.
  bool is_within() const { return control_.is_within != 0; }
  double taken() const { return static_cast<double>(control_.done) / static_cast<double>(parts()); }

  void visit_state(StateArchive& archive) { archive.visit(control_); }

 private:
  /// Steps that have to converge before a halved step is doubled again.
  static constexpr int steps_before_growth = 4;

  /// Plain data, saved and restored as it is.
  struct Control {
    int halvings = 0;       ///< of the present step
    int since_change = 0;   ///< steps since it last changed
    int is_within = 0;      ///< 1 if a step of the deck has begun
    std::int64_t done = 0;  ///< of its parts()
  };

  /// Number of the smallest parts in a step.
  std::int64_t parts() const { return std::int64_t{1} << most_halvings_; }

  std::int64_t next_parts() const { return parts() >> control_.halvings; }

  void change(int by) {
    control_.halvings += by;
    control_.since_change = 0;
  }

  double step_;  ///< the deck's, s
  int most_halvings_;
  Control control_;
};

}  // namespace rodeo
