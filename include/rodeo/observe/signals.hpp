#pragma once

#include <span>
#include <string_view>

#include "rodeo/contact/touch.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Sources of work on rods.
enum class PowerSource {
  gravity,
  loads,
  muscles,
  actuation,
  drag,
  damping,
  connections,
  connection_damping,
  motions,
  platen
};

/// Powers of the sources on a member's rods at an instant, and loads of motions and the platen over the step
/// before.
class Powers {
 public:
  virtual ~Powers() = default;

  /// Power of a source on element i of a rod, W; elements share that on a node.
  virtual double of(PowerSource source, int rod, int i) = 0;

  /// Force of motions on node i of a rod, N, and couple on its element i, N m, laboratory frame.
  virtual Vec3 motion_force(int rod, int i) = 0;
  virtual Vec3 motion_couple(int rod, int i) = 0;

  /// Work of motions on element i of a rod so far, J; elements share that on a node.
  virtual double motion_work(int rod, int i) = 0;

  /// Energy of the connections of element i of a rod, of which each of their ends has half, J.
  virtual double connection_energy(int rod, int i) = 0;

  /// Force that element i of a rod exerts on the platen, N, laboratory frame, and what the platen has done on
  /// it so far, J.
  virtual Vec3 platen_force(int rod, int i) = 0;
  virtual double platen_work(int rod, int i) = 0;

  /// Sums over the contacts of element i of a rod.
  virtual const contact::ElementTouches& touches(int rod, int i) = 0;
};

/// One rod of a member at an instant.
struct RodAtInstant {
  const MemberSpec& spec;  ///< of the member
  const ConstRodView& rod;
  int number;  ///< of the rod
  bool closed;
  Powers* powers;  ///< null where nothing asks for them

  /// Place of a node in the arrays: the last one of a closed rod is the first.
  int node(int i) const { return closed && i == rod.elements ? 0 : i; }
};

/// Part of a rod that a signal is a quantity of.
enum class SignalSite {
  node,
  element,
  region,  ///< the piece around a node: of a node
  share    ///< an element's share: the sum over elements is that of the rod
};

/// A quantity along the rods of a member, of which decks make measures.
struct Signal {
  std::string_view name;
  std::string_view unit;  ///< SI, "1" for a pure number
  std::string_view text;  ///< one line
  SignalSite site;
  double (*value)(const RodAtInstant& rod, int i);  ///< at node or element i
  /// Value of the whole rod, where that takes less than the sum over its elements; else null.
  double (*whole)(const RodAtInstant& rod) = nullptr;
  /// Deck values with which it has a value, as rodeo::parse_need() reads them; empty if every rod has one.
  std::string_view need = "";
};

/// The list of signals. A new one: its entry in src/observe/signals.cpp.
std::span<const Signal> signals();

/// Power that the region around node i, or element i, gains as its natural curvature or natural stretch
/// changes at a rate while the rod stays where it is, W.
double power_of_natural_curvature(const RodAtInstant& rod, int i, const Vec3& rate);
double power_of_natural_stretch(const RodAtInstant& rod, int i, double rate);

/// Power of material damping in the region around node i, W: negative.
double power_of_material_damping(const RodAtInstant& rod, int i);

/// Whether there is a Voronoi region around node i: between elements, and at ends whose directors are held.
bool has_region(const RodAtInstant& rod, int i);

}  // namespace rodeo
