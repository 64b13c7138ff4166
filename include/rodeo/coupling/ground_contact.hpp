#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "rodeo/forces/element_balls.hpp"
#include "rodeo/forces/further_ground.hpp"
#include "rodeo/forces/ground.hpp"
#include "rodeo/forces/ground_reach.hpp"
#include "rodeo/linear/banded_matrix.hpp"
#include "rodeo/member/state_archive.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"
#include "rodeo/tangent/soft_surface.hpp"

namespace rodeo::coupling {

/// Contact of a member's rods with the ground, planes, balls and cylinders and the platen, in implicit steps.
/// It means what forces::SurfaceSprings means for explicit ones, with what an implicit step can solve for:
/// each element that touches stands on a spring k_w and a dashpot gamma_w in the direction out of the
/// surface, which carry it at a depth of its load over k_w, and on two like it along the rod and across,
/// which hold it until friction yields. They bear no more than friction allows, and slip where that is less;
/// so an element at rest does not creep. All forces are continuous in the state at the end of the step.
/// Directions along the surface, and where along the element friction acts, are those at its start. The
/// platen is where it is at the end of the step, and rods slip on it by what they go less what it goes.
///
/// An element that stands farther from a surface than nodes go in a step feels nothing of it. It meets the
/// surface where its nodes might go so far at twice their velocities, or else once they do.
class GroundContact {
 public:
  /// `stride` tells the degrees of freedom of an element: the angle of its turn about its tangent (4), or its
  /// rotation vector in its own frame (6), both from the start of a step.
  GroundContact(const MemberSpec& spec, int stride);

  /// Memory that ground contact takes, bytes; 0 without ground.
  static std::size_t memory(const MemberSpec& spec);

  /// A rod, its first degree of freedom among all, and these at the start of a step.
  struct Strand {
    ConstRodView rod;
    int first;
    const double* start;
  };

  /// Puts the platen where it is at the ends of the step that comes next.
  void place_platen(double begin, double end);

  /// Begins a step of so many seconds of all rods of the member.
  void begin_step(const std::vector<Strand>& strands, double step);

  /// Whether an element meets a surface in the step, so far.
  bool is_in_reach() const { return !meetings_.empty(); }
  /// Whether an element meets a surface in the step, or would on the way to q.
  bool is_reached_by(const std::vector<double>& q) const;

  /// Adds minus the forces at q.
  void add_residual(const std::vector<double>& q, std::vector<double>& force) const;

  /// Adds the derivative of add_residual().
  void add_jacobian(const std::vector<double>& q, BandedMatrix& jacobian) const {
    add_jacobian(q, jacobian, [](int, int, double) {});
  }

  /// Adds it, and calls unsymmetric(row, column, entry) for the part that is neither symmetric nor positive
  /// semidefinite: friction changed by the load and, where its coefficients differ, partly by the slip.
  void add_jacobian(const std::vector<double>& q, BandedMatrix& jacobian,
                    const std::function<void(int, int, double)>& unsymmetric) const;

  /// The largest part of the move p from q with which no node goes so far that it could pass through a ball
  /// or a cylinder.
  double bound(const std::vector<double>& q, const std::vector<double>& p) const;

  /// Looks for passing on the straight way of the step to q, which is taken.
  void look(const std::vector<double>& q);

  /// Whether an element may have passed through a ball or cylinder so far.
  bool has_passed() const { return has_passed_; }

  /// Takes the step to q: updates the springs along the surfaces, the energy taken by slip and dashpots, and
  /// the record of the platen.
  void accept(const std::vector<double>& q);

  /// Energy taken by slip and dashpots so far, J. Motions between equilibria take no time, and lose nothing.
  double loss() const { return loss_; }

  /// Energy of the springs with the surfaces as they are at `time`, J.
  double energy(const RodView& all, double time) const;

  /// Record of the platen: forces::platen_array::count arrays, as FurtherGroundOfMember has them; empty
  /// without one.
  std::vector<double>& platen_record() { return record_; }

  /// Whether the Jacobian is symmetric: friction that yields has no potential.
  bool is_symmetric() const { return !rubs_; }

  void visit_state(StateArchive& archive) {
    archive.visit(std::span<Grip>(grips_));
    archive.visit(loss_);
  }

 private:
  using Grip = forces::SurfaceSprings::Grip;
  using Pair = forces::OrthotropicFriction::Pair;

  /// Way of the point of contact along a direction per change of an element's degrees of freedom: of its
  /// nodes and of its turn.
  struct Course {
    Vec3 first;
    Vec3 turn;  ///< of an angle the first
    Vec3 last;
  };

  /// Largest number of degrees of freedom of an element and its nodes; the first entries() are used.
  static constexpr int most_entries = 9;
  using Entries = double[most_entries];

  /// An element and a surface in the present step.
  struct Meeting {
    int dof;              ///< of the element, among all
    int element;          ///< in the arrays of all rods
    const double* start;  ///< of the element, where the step starts
    std::size_t surface;
    std::size_t grip;    ///< of the element and the surface, among all
    double gap;          ///< way of a node before the element feels the surface, m
    double radius;       ///< m
    double half_taper;   ///< field::half_taper
    double mass;         ///< kg
    double start_depth;  ///< m, 0 where it did not touch
    double gear;         ///< root of the share of springs that is where it touches (tangent::BasicTouch)
    Course axial;        ///< in parts of `gear`, as `lateral`
    Course lateral;
  };

  /// Load on an element in the direction out of a surface.
  struct Press {
    tangent::Touch touch;
    double rate = 0.0;   ///< force on the nodes over `touch`, N/m; 0: nothing presses
    double slope = 0.0;  ///< of this with the depth, over the depth, N/m^3
    double load() const { return rate * touch.overlap; }  ///< N
  };
  /// Derivatives of friction, along and across: by the slip, the part that is symmetric and negative
  /// semidefinite, and the rest; and by the load.
  struct Change {
    double by_slip[2][2];  ///< N/m
    double rest[2][2];     ///< N/m
    Pair by_load;
  };

  double room_above(std::size_t surface, const forces::ElementBall& ball, double most) const;
  void meet(double way) const;
  Meeting met(std::size_t surface, std::size_t strand, int element, std::size_t grip) const;
  void note_start(Meeting& meeting) const;
  bool is_idle(std::size_t surface, std::size_t grip, int element) const;
  double way_to(const std::vector<double>& q) const;
  double meet_on_way_to(const std::vector<double>& q) const;
  template <class Measure>
  double above(std::size_t surface, const Measure& measure) const;

  bool is_platen(std::size_t surface) const { return has_platen() && surface + 1 == surfaces_.size(); }
  bool has_platen() const { return further_.has_platen; }
  void record(const Meeting& meeting, const Vec3& force);
  int entries() const { return stride_ + 3; }
  void set(Entries& entries, const Course& course) const;
  Vec3 edge_of(const double* q) const;
  tangent::Capsule capsule(const double* q, double radius, double half_taper) const;
  void set_courses(Meeting& meeting, const Quaternion& frame, const Vec3& edge,
                   const tangent::Touch& touch) const;
  Press press(const Meeting& meeting, const double* q) const;
  double way(const Meeting& meeting, const Course& course, const double* q) const;
  Pair slip(const Meeting& meeting, const double* q) const;
  forces::OrthotropicFriction::Answer friction(const Grip& grip, const Pair& slip, double load) const;
  Change change(const forces::OrthotropicFriction::Answer& now, double load) const;
  Grip next(const Meeting& meeting, const Grip& grip, const Pair& slip,
            const forces::OrthotropicFriction::Answer& now) const;
  double lost_in_depth(const Meeting& meeting, double depth) const;
  double lost_along(const Grip& before, const Grip& after, const Pair& slip, const Pair& force) const;

  using Surface = std::variant<forces::Plane, forces::RoundSurface>;

  int stride_;
  forces::Ground ground_;
  std::vector<double> tables_;  ///< of the platen's formulas
  forces::FurtherGround further_;
  std::vector<Surface> surfaces_;  ///< in the order of explicit steps: the platen is the last
  Surface platen_before_;          ///< at the start of the step
  Vec3 platen_way_;                ///< in the step, m
  std::vector<double> record_;
  std::vector<int> first_elements_;  ///< of rods, in the arrays
  double longest_way_;               ///< of a node in a step, m
  forces::OrthotropicFriction friction_;
  bool rubs_;
  std::vector<Grip> grips_;  ///< of elements, surface by surface
  std::vector<Strand> strands_;
  std::vector<std::vector<forces::ElementBall>> balls_;  ///< about elements of each
  std::vector<Quaternion> frames_;  ///< of their elements at the start of the step, where friction acts
  /// Meetings in the order of grips, and the way that nodes have to go before others may be felt, m. They
  /// follow from the start of the step, and missing ones are added when asked for.
  mutable std::vector<Meeting> meetings_;
  mutable double room_ = 0.0;
  double rounding_ = 0.0;              ///< of heights, m
  mutable forces::GroundReach reach_;  ///< of energy()
  double step_ = 0.0;                  ///< s
  double loss_ = 0.0;                  ///< J
  bool has_passed_ = false;
};

}  // namespace rodeo::coupling
