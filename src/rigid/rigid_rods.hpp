#pragma once

#include <vector>

#include "rodeo/coupling/contacts.hpp"
#include "rodeo/coupling/links.hpp"
#include "rodeo/math/matrix3.hpp"
#include "rodeo/member/member_arrays.hpp"
#include "rodeo/member/state_archive.hpp"
#include "rodeo/observe/sample.hpp"

namespace rodeo::rigid {

/// A force, and a moment about the centre of a body, in the laboratory.
struct Wrench {
  Vec3 force;   ///< N
  Vec3 moment;  ///< N m
};

/// Where a body is, and how it moves.
struct BodyState {
  Vec3 centre;             ///< of its mass, m
  Quaternion orientation;  ///< of its own frame; at the start that of the laboratory
  Vec3 momentum;           ///< kg m/s
  Vec3 angular_momentum;   ///< about the centre, laboratory frame, kg m^2/s
};

/// The rods of a member as rigid bodies, each of the masses of its nodes and the moments of inertia of its
/// elements. The loads of all laws on rods, and damping, act on these nodes and elements.
class RigidRods {
 public:
  /// The arrays have to stay where they are. Of their velocities at the start the bodies take the momenta.
  RigidRods(const MemberSpec& spec, const MemberArrays& arrays);

  /// Changes the momenta by the loads of a time over so many seconds.
  void kick(double time, double duration);

  /// Lets the bodies move for so many seconds with their momenta. False if one would turn by more than
  /// most_turn: then some may have moved.
  bool drift(double duration);
  static constexpr double most_turn = 1.0;  ///< rad

  std::vector<BodyState> states() const;
  void restore(const std::vector<BodyState>& states);

  /// Gives the nodes and elements the velocities of their bodies.
  void write_rates() const;

  // What method::SteppedMember asks of a system.
  static void forget(double /*time*/) {}
  static bool begin_motions(std::int64_t /*steps*/) { return false; }
  static coupling::Links* links();
  static coupling::Contacts* contacts();
  static std::vector<double>* platen_record() { return nullptr; }
  static void count_contacts(bool /*converged*/, int /*iterations*/, ImplicitSample& /*counts*/) {}
  Sample sample(const ImplicitSample& counts) const;
  void visit_state(StateArchive& archive);

 private:
  struct Body {
    const RodData* data;
    RodView rod;
    int nodes;  ///< that it has: the last one of a closed rod is its first
    double mass = 0.0;
    Matrix3 inverse_inertia;               ///< in its own frame, 1/(kg m^2)
    std::vector<Vec3> places;              ///< of nodes from the centre, in its own frame
    std::vector<Quaternion> orientations;  ///< of elements, from its own frame
    BodyState state;

    Vec3 angular_velocity(const BodyState& of) const;  ///< laboratory frame
  };

  static Body body_of(const RodData& data, const RodView& rod);
  static Wrench load_on(const Body& body, double time);
  static Wrench drag_on(const Body& body, const forces::DampingLaw& damping, const BodyState& state);
  static void place(const Body& body);

  MemberArrays member_;
  std::vector<Body> bodies_;
};

}  // namespace rodeo::rigid
