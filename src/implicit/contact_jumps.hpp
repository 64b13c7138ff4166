#pragma once

#include <cstddef>
#include <vector>

#include "rodeo/member/state_archive.hpp"

#include "moving_rods.hpp"

namespace rodeo::implicit {

/// Jumps of velocities by contact with rods and ground in steps of generalised alpha. Its forces do not enter
/// a, which would remember an impact for steps after it. They add h f to v1 and h^2 f to D, f at the end of
/// the step, as in backward Euler (Chen, Acary, Virlez and Brüls 2013, Int. J. Numer. Methods Eng. 96, 487):
/// rods that meet do not rebound, and the rest keeps its order. In a lasting contact v1 is thus h f/2 off the
/// velocity between steps; the arrays get the latter.
class ContactJumps {
 public:
  /// Takes the velocities of the arrays to those of the scheme.
  void start(bool has_moved, std::vector<double>& rates);
  /// Begins a step, and finds out whether the ground is in reach.
  void begin(MovingRods& rods, double end, double step, bool has_moved);
  /// Begins contact at the predicted state; false if driven ends are in the way.
  bool begin_iteration(MovingRods& rods, const std::vector<double>& change, double step) {
    find_places(rods, change);
    return rods.pressing().begin_iteration(places_, step);
  }
  /// Gives rods that start in the ground its force already, as from a step before: otherwise the force that
  /// carries rods at rest would throw them up. The contact stiffness of rods is known within steps only.
  void press_from_start(MovingRods& rods, const std::vector<double>& pull, double step,
                        std::vector<double>& rates);
  /// True if a step without the ground has to be repeated with it.
  bool reach_ground(MovingRods& rods, const std::vector<double>& change);
  /// Takes a share of minus the forces out of the residual.
  void subtract(MovingRods& rods, const std::vector<double>& change, double share, std::vector<double>& pull);
  /// Removes the part of the change due to contact, and finds the jump of velocities due to it.
  void part(MovingRods& rods, const std::vector<double>& pull, double step, std::vector<double>& change);
  /// Takes the jump of the step, and sets the offset between velocities of the arrays and the scheme: half
  /// the smaller of the jumps of two steps if these point about the same way, else zero.
  void accept(bool remembers);

  /// Jump and offset of an unknown after accept(), and those of the step before.
  struct Change {
    double jump;
    double offset;
    double last_jump;
    double last_offset;
  };
  Change change(std::size_t i) const { return {jump_[i], offset_[i], last_jump_[i], last_offset_[i]}; }
  void add_to_rates(std::vector<double>& rates) const {
    for (std::size_t i = 0; i < jump_.size(); ++i) rates[i] += jump_[i] + offset_[i];
  }
  void subtract_from_reactions(std::vector<double>& pull) const {
    for (std::size_t i = 0; i < pull.size(); ++i) pull[i] -= on_held_[i];
  }
  /// Work against the ground in the last step, J.
  double work() const { return work_; }
  /// Positions of nodes and turns of elements in the last state.
  const std::vector<double>& places() const { return places_; }

  void visit_state(StateArchive& archive) {
    archive.visit_list(jump_);
    archive.visit_list(offset_);
  }

 private:
  void find_places(const MovingRods& rods, const std::vector<double>& change) {
    places_ = change;
    rods.read_positions(places_);
  }

  std::vector<double> jump_;    ///< h f, where anything may press
  std::vector<double> offset_;  ///< of the velocities of the arrays from those of the scheme
  std::vector<double> last_jump_;
  std::vector<double> last_offset_;
  std::vector<double> next_jump_;
  std::vector<double> force_;    ///< minus the forces
  std::vector<double> on_held_;  ///< minus the forces with constrained entries, where there are motions
  std::vector<double> places_;
  double work_ = 0.0;
};

}  // namespace rodeo::implicit
