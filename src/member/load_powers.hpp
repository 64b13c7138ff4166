#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/boundary/motion.hpp"
#include "rodeo/connection/build_connections.hpp"
#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/forces/damping.hpp"
#include "rodeo/forces/end_load.hpp"
#include "rodeo/forces/forces.hpp"
#include "rodeo/forces/muscle.hpp"
#include "rodeo/observe/signals.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "look.hpp"

namespace rodeo {

/// The powers of what acts on a member, by the laws of its steps, evaluated in a copy of its arrays.
class LoadPowers final : public Powers {
 public:
  explicit LoadPowers(const MemberSpec& spec);

  /// Moves on to another instant. The states of motions and the platen's record are read until the next call.
  void stand_at(const Glance& glance);

  /// Sets which pairs touch at this instant.
  void touch(const std::vector<contact::Touch>& pairs);

  double of(PowerSource source, int rod, int i) override;
  Vec3 motion_force(int rod, int i) override;
  Vec3 motion_couple(int rod, int i) override;
  double motion_work(int rod, int i) override;
  double connection_energy(int rod, int i) override;
  Vec3 platen_force(int rod, int i) override;
  double platen_work(int rod, int i) override;
  const contact::ElementTouches& touches(int rod, int i) override;

 private:
  struct Rod {
    RodPlace place;
    boundary::Closure closure;
    RodForces forces;
    forces::EndLoad end_load;
    forces::Muscle muscle;
    forces::Actuation actuation;
    forces::DecayingDamping damping;
  };
  static constexpr std::size_t sources = 8;

  static double share_of(const Rod& rod, const RodView& view, PowerSource source, int node);
  void evaluate(PowerSource source);
  double power_of_borne_load(std::size_t rod) const;
  Vec3 angular_velocity(const RodView& view, int i) const;
  void add_loads(const Rod& rod, const RodView& view) const;
  void add_actuation(const Rod& rod, const RodView& view) const;
  void add_drag(const RodView& view) const;
  void add_damping(const Rod& rod, const RodView& view) const;
  Vec3 reaction(int rod, int i, bool of_node) const;
  double recorded(int array, int rod, int i) const;
  double of_motions(int rod, int element, double boundary::MotionState::*number) const;
  /// Power that the change of natural strains gives each element of rod k, W.
  std::vector<double> strain_powers(std::size_t k, const RodView& view) const;
  /// Adds the powers of the regions of rod k, of_region(rod, node), to those of its elements, W.
  template <class OfRegion>
  void add_shared(std::size_t k, const RodView& view, const OfRegion& of_region,
                  std::vector<double>& powers) const;
  void set_connections(PowerSource source);
  void add_energy(int entry, bool of_node, double energy);

  MemberSpec spec_;
  forces::ActuationTable actuation_;
  std::vector<Rod> rods_;
  Vec3 gravity_;
  std::vector<MotionSpec> motions_;
  std::span<const boundary::MotionState> states_;  ///< of motions_
  connection::Parts connections_;
  std::vector<double> connection_energies_;       ///< of elements, J; empty: not evaluated at this instant
  std::span<const double> record_;                ///< of the platen
  Vec3 platen_velocity_;                          ///< over the step before, m/s
  std::vector<contact::ElementTouches> touches_;  ///< of the elements of the arrays; empty: not asked for
  double time_ = 0.0;
  std::vector<double> storage_;                      ///< the copy; empty before the first instant
  std::optional<RodView> all_;                       ///< in it
  std::vector<int> first_;                           ///< of a rod's elements among those of all
  std::array<std::vector<double>, sources> powers_;  ///< of elements, W; empty: not evaluated at this instant
};

}  // namespace rodeo
