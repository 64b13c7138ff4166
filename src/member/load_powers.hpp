#pragma once

#include <array>
#include <optional>
#include <vector>

#include "rodeo/forces/end_load.hpp"
#include "rodeo/forces/forces.hpp"
#include "rodeo/forces/muscle.hpp"
#include "rodeo/observe/signals.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

/// The powers of what acts on a member, by the laws of its steps, evaluated in a copy of its arrays.
class LoadPowers final : public Powers {
 public:
  explicit LoadPowers(const MemberSpec& spec);

  /// Goes on to another instant.
  void stand_at(const ConstRodView& all, double time);

  double of(PowerSource source, int rod, int i) override;

 private:
  struct Rod {
    RodPlace place;
    bool closed = false;
    RodForces forces;
    forces::EndLoad end_load;
    forces::Muscle muscle;
  };
  static constexpr std::size_t sources = 4;

  static double share_of(const Rod& rod, const RodView& view, PowerSource source, int node);
  void evaluate(PowerSource source);
  void add_loads(const Rod& rod, const RodView& view) const;
  void add_muscles(const forces::Muscle& muscle, const RodView& view) const;
  void add_drag(const RodView& view) const;

  std::vector<Rod> rods_;
  Vec3 gravity_;
  double time_ = 0.0;
  std::vector<double> storage_;                      ///< the copy; empty before the first instant
  std::optional<RodView> all_;                       ///< in it
  std::vector<int> first_;                           ///< of a rod's elements among those of all
  std::array<std::vector<double>, sources> powers_;  ///< of elements, W; empty: not evaluated at this instant
};

}  // namespace rodeo
