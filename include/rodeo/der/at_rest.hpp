#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "rodeo/der/scheme.hpp"
#include "rodeo/member/host_stepper.hpp"

namespace rodeo::der {

/// Takes rods from equilibrium to equilibrium by pseudo-transient continuation (Kelley and Keyes 1998): steps
/// of implicit Euler from rest, in which nothing but inertia resists. A step as long as there are is one of
/// Newton's method for the equilibrium. Where it does not converge, or ends where a little less inertia would
/// let the energy fall, as at a saddle, steps shorten, and grow again as they converge. Contact is that of
/// all steps: rods cannot pass through each other on the way. The last steps are those of Newton's method
/// alone.
///
/// The stiffness of contacts is set by the forces at the start of a step, which at an equilibrium are those
/// of its end: it follows from the equilibrium, not from the way there.
class AtRest final : public Scheme {
 public:
  explicit AtRest(const MemberSpec& spec);

  double shortest_solve() const override { return shortest_ / first_step_; }
  SolveOutcome advance(LoadedRods& rods, double end, double step) override;
  void forget() override {}  // all it keeps is of the rods
  Stability stability(LoadedRods& rods) const override;
  FoundModes modes(LoadedRods& rods, int count) const override;

 private:
  SolveOutcome relax(LoadedRods& rods, double time, double share) const;
  bool refine(LoadedRods& rods, double time, double share) const;

  double first_step_;  ///< with which loads come on, s
  double slowest_;     ///< square of the rate of the softest rod between hinges, 1/s^2
  double neutral_;     ///< share of the inertia that hides what has no sign, 1/s^2
  double softest_;     ///< time in which the softest rod would swing by one radian between hinges, s
  double longest_;     ///< step towards equilibrium, s
  double shortest_;
  double longest_refinement_;      ///< m
  std::vector<double> densities_;  ///< of each rod, kg/m^3, of a member that reports modes
};

/// Memory that it takes besides that of implicit steps, bytes, about.
std::size_t static_memory(const MemberSpec& spec);

/// A member that goes from equilibrium to equilibrium: a rodeo::MakeHostMember.
std::unique_ptr<HostMember> make_static_member(const MemberSpec& spec, const MemberArrays& arrays);

}  // namespace rodeo::der
