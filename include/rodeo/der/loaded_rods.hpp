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

/// The rods of a member with their ends, with all that acts on them, and with the solver: what the schemes of
/// time steps are written with.
class LoadedRods {
 public:
  /// The arrays have to stay where they are. No solve is to be shorter than `shortest_solve`, s, but where
  /// steps are halved: it says how far rounding lets solves converge.
  LoadedRods(const MemberSpec& spec, const MemberArrays& arrays, double shortest_solve)
      : LoadedRods(spec, arrays, arrays.all, shortest_solve) {}
  /// Of arrays that do not hold the rods as they are at t = 0, as `made` does.
  LoadedRods(const MemberSpec& spec, const MemberArrays& arrays, const RodView& made, double shortest_solve);

  const MemberArrays& member() const { return member_; }
  std::vector<RodStep>& rods() { return solver_.rods(); }

  /// Forgets what is kept from solve to solve to save work. It is `time`, s.
  void forget(double time);

  /// Lets motions begin and end that do so after so many of the deck's steps. Returns whether any does.
  bool begin_motions(std::int64_t steps);

  /// That for which ends and loads have been set, s.
  double time() const { return end_; }

  /// Takes the present state as that at the start of the next solve.
  void start();

  /// Finds the forces of the fluid for the present state.
  void update_fluid();

  /// Puts driven ends, and what is held, where they are at `time`.
  void place_ends(double time);

  /// Takes driven ends, and what motions hold, along from where they are at one time to where they are at
  /// another, and spreads the way they make and their turns over the rods: alone they would wind up the
  /// elements beside them. Rods that may touch keep their centre lines, and what motions turn stays alone.
  void spread_ends(double from, double to);

  /// Sets what acts on the rods in their present state at `time`, with the fluid as it was last found.
  void set_loads(double time);

  /// Sets the natural strains of a time: loads have those with which the elastic forces of a solve are exact.
  void set_natural_strains(double time);

  /// Takes the rods' motion from them, and sets such a part of what acts on them at `time` but damping, and
  /// how that answers to moves.
  void set_loads_at_rest(double time, double part);

  /// The rods rest: notes what motions and the platen exert, and their work since the time `from`.
  void note_at_rest(double from);

  ImplicitEuler& solver() { return solver_; }
  const ImplicitEuler& solver() const { return solver_; }
  bool at_rest() const { return solver_.at_rest(); }

  /// Advances the arrays by `step` seconds from the start, with the ends and loads that were set. If the
  /// iteration does not converge they stay as they are.
  method::SolveOutcome solve(double step);

  /// The same with the ends and loads of one time: the step is one towards equilibrium.
  method::SolveOutcome relax(double step) { return solver_.advance(step); }

  /// Puts driven ends, and what motions hold, where they are at `time`, with their velocities there.
  void stand_at(double time);

  /// Takes what is held back to where it was at the start.
  void restore_ends() const;

  /// The powers of motions in the last solve, W, and work that they have done at such powers for so many
  /// seconds.
  std::vector<double> motion_powers() const;
  void count_motion_work(const std::vector<double>& powers, double seconds) const;
  /// Nothing without connections.
  std::optional<LinkForces>& links() { return solver_.links(); }

  /// Nothing without ground.
  std::optional<coupling::GroundContact>& ground() { return solver_.ground(); }

  /// Nothing without contact.
  const std::optional<coupling::Contacts>& contacts() const { return solver_.contacts(); }

  /// Adds the contacts of a step after so many iterations.
  void count_contacts(bool converged, int iterations, ImplicitSample& counts) const;

  /// What the platen has recorded; null without ground.
  std::vector<double>* platen_record() { return ground() ? &ground()->platen_record() : nullptr; }

  /// Sums over the rods at present, and what solves did so far; sets the fluxes through the rods' ends that
  /// observables read.
  Sample sample(const ImplicitSample& solves) const;

  /// Saves or restores what stays from one step to the next besides the arrays.
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
  std::int64_t steps_ = -1;  ///< of the deck before the present one; negative: what motions hold is not set
  double end_ = 0.0;  ///< of the last solve that converged, or of that for which the ends were placed, s
};

}  // namespace rodeo::der
