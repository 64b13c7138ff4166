#pragma once

#include <optional>
#include <vector>

#include "rodeo/der/implicit_euler.hpp"
#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/member/member_arrays.hpp"
#include "rodeo/member/state_archive.hpp"
#include "rodeo/observe/sample.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::der {

/// Memory that the implicit steps of a member take besides its arrays and its fluid, bytes, about.
std::size_t implicit_memory(const MemberSpec& spec);

/// The rods of a member with their ends, their loads and the solver: the system of the schemes of time steps.
class LoadedRods {
 public:
  /// The arrays have to stay where they are. No solve is to be shorter than `shortest_solve`, s, but where
  /// steps are halved: it says how far rounding lets solves converge.
  LoadedRods(const MemberSpec& spec, const MemberArrays& arrays, double shortest_solve)
      : LoadedRods(spec, arrays, arrays.all, shortest_solve) {}
  /// For arrays that do not hold the rods as they are at t = 0, as `made` does.
  LoadedRods(const MemberSpec& spec, const MemberArrays& arrays, const RodView& made, double shortest_solve);

  const MemberArrays& member() const { return member_; }
  std::vector<RodStep>& rods() { return solver_.rods(); }

  /// Forgets data kept from solve to solve to save work, at `time`, s.
  void forget(double time);

  /// Begins and ends the motions that do so after so many of the deck's steps. Returns whether any does.
  bool begin_motions(std::int64_t steps);

  /// Time at which ends and loads were last evaluated, s.
  double time() const { return end_; }

  /// Takes the present state as that at the start of the next solve.
  void start();

  /// Finds the forces of the fluid for the present state.
  void update_fluid();

  /// Puts driven ends, and what is held, in their places at `time`.
  void place_ends(double time);

  /// Moves driven ends, and what motions hold, from their places at one time to those at another, and spreads
  /// their displacements and turns over the rods: alone they would wind up the elements beside them. Over
  /// rods that may touch only turns of driven ends are spread, which keep centre lines.
  void spread_ends(double from, double to);

  /// Sets the loads on the rods in their present state at `time`, with the fluid as it was last found.
  void set_loads(double time);

  /// Sets the natural strains of a time: loads have those with which the elastic forces of a solve are exact.
  void set_natural_strains(double time);

  /// Stops the rods, and sets a part of the loads on them at `time`, without damping, and the derivatives of
  /// these loads by displacements.
  void set_loads_at_rest(double time, double part);

  /// Notes the forces of motions and the platen on resting rods, and their work since the time `from`.
  void note_at_rest(double from);

  /// Adds the forces, in their direction, with which damping of the material resists velocities of the
  /// degrees of freedom in the present state.
  void add_material_drag(const std::vector<double>& velocity, std::vector<double>& force) const;

  /// Gives hinges the couples of material damping at the rates of a solve of so many seconds from the start
  /// on, until free_hinges().
  void damp_hinges(double seconds);
  void free_hinges();

  ImplicitEuler& solver() { return solver_; }
  const ImplicitEuler& solver() const { return solver_; }
  bool at_rest() const { return solver_.at_rest(); }

  /// Advances the arrays by `step` seconds from the start, with the ends and loads that were set. If the
  /// iteration does not converge they stay as they are.
  method::SolveOutcome solve(double step);

  /// Advances the arrays with the ends and loads of one time: a step towards equilibrium.
  method::SolveOutcome relax(double step) { return solver_.advance(step); }

  /// Puts driven ends, and what motions hold, in their places at `time`, with their velocities there.
  void stand_at(double time);

  /// Copies the state in the arrays of all rods, or puts a copy back.
  void copy_state(std::vector<double>& state) const;
  void put_back(const std::vector<double>& state) const;

  /// Powers of motions in the last solve, W; count_motion_work() adds their work at such powers for so many
  /// seconds.
  std::vector<double> motion_powers() const;
  void count_motion_work(const std::vector<double>& powers, double seconds) const;
  /// Connections of the rods; nothing without any.
  std::optional<LinkForces>& links() { return solver_.links(); }

  /// Contact with the ground; nothing without ground.
  std::optional<coupling::GroundContact>& ground() { return solver_.ground(); }

  /// Contact between rods; nothing without it.
  const std::optional<coupling::Contacts>& contacts() const { return solver_.contacts(); }

  /// Adds the contacts of a step after so many iterations.
  void count_contacts(bool converged, int iterations, ImplicitSample& counts) const;

  /// Record of the platen; null without ground.
  std::vector<double>* platen_record() { return ground() ? &ground()->platen_record() : nullptr; }

  /// Sums over the rods at present, and what solves did so far; sets the fluxes through the rods' ends that
  /// observables read.
  Sample sample(const ImplicitSample& solves) const;

  /// Saves or restores data kept from one step to the next besides the arrays.
  void visit_state(StateArchive& archive) {
    if (stokeslets_) stokeslets_->visit_state(archive);
    if (solver_.ground()) solver_.ground()->visit_state(archive);
  }

 private:
  bool acts(int motion) const;
  bool moves() const { return member_.motions.count > 0; }
  void hold();
  void place_motions(double time);
  void place_held_edge(const HeldElement& held) const;
  void turn_edge(const boundary::Motion& motion, const Vec3& rate) const;
  static void set_end_rates(const RodData& data, const RodView& rod, double time);
  void finish_motions(double step) const;
  Vec3 force_on(const boundary::Motion& motion, double step, const Vec3& rate) const;
  Vec3 couple_on(const boundary::Motion& motion, double step, double rate) const;
  LoadedRods(const MemberSpec& spec, const MemberArrays& arrays, const RodView& made, connection::Parts parts,
             double shortest_solve);

  MemberArrays member_;
  ImplicitEuler solver_;
  std::optional<fluid::StokesletDrag> stokeslets_;
  std::vector<HingeLaws> elastic_hinges_;  ///< of rods whose material damps, during a solve
  std::int64_t steps_ = -1;  ///< of the deck before the present one; negative: held parts are not set
  double end_ = 0.0;  ///< of the last solve that converged, or of that for which the ends were placed, s
};

}  // namespace rodeo::der
