#pragma once

#include <vector>

#include "rodeo/coupling/contacts.hpp"
#include "rodeo/coupling/links.hpp"
#include "rodeo/member/member_arrays.hpp"
#include "rodeo/member/state_archive.hpp"
#include "rodeo/observe/sample.hpp"

#include "rigid_body.hpp"

namespace rodeo::rigid {

/// A force, and a moment about the centre of a body, in the laboratory.
struct Wrench {
  Vec3 force;   ///< N
  Vec3 moment;  ///< N m
};

/// The rods of a member as rigid bodies. The loads of all laws on rods, and damping, act on their nodes and
/// elements.
class RigidRods {
 public:
  /// The arrays have to stay where they are. Bodies take the momenta of their velocities at the start.
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

  // Functions of a system for method::SteppedMember.
  static void forget(double /*time*/) {}
  static bool begin_motions(std::int64_t /*steps*/) { return false; }
  static coupling::Links* links();
  static coupling::Contacts* contacts();
  static std::vector<double>* platen_record() { return nullptr; }
  static void count_contacts(bool /*converged*/, int /*iterations*/, ImplicitSample& /*counts*/) {}
  Sample sample(const ImplicitSample& counts) const;
  void visit_state(StateArchive& archive);

 private:
  struct Body : RigidBody {
    Body(const RodData& rod_data, const RodView& arrays)
        : RigidBody(arrays, rod_data.closure.closed), data(&rod_data) {}

    const RodData* data;
  };

  static Wrench load_on(const Body& body);
  static Wrench drag_on(const Body& body, const forces::DampingLaw& damping, const BodyState& state);
  static void place(const Body& body);

  MemberArrays member_;
  std::vector<Body> bodies_;
};

}  // namespace rodeo::rigid
