#include "spec_parts.hpp"

namespace rodeo {

namespace {

/// Throws for features that take each rod to be as thick in all directions.
void refuse_thickness(const Deck& deck, const RodSpec& rod, const MemberSpec& spec) {
  const std::string reason =
      "takes sections to be circular, which those of rod.section = " + std::string(word_of(rod.section)) +
      " (" + deck.place("rod.section"_key) + ") are not";
  const auto refuse = [&](bool asked, Key key) {
    if (asked) throw deck.error(key, reason);
  };
  refuse(spec.contact.kind != ContactKind::none, "contact.kind"_key);
  refuse(spec.ground.has_plane, "ground.kind"_key);
  for (const Key key : {"ground.planes"_key, "ground.spheres"_key, "ground.cylinders"_key,
                        "ground.platen"_key, "connection.bond"_key}) {
    refuse(deck.has_value(key), key);
  }
  for (const Key key : {"fluid.viscosity"_key, "fluid.reynolds"_key})
    refuse(spec.fluid.viscosity > 0.0 && deck.is_given(key), key);
  refuse(deck.choice("rod.placement"_key) == "random", "rod.placement"_key);
}

}  // namespace

void check_sections(const Deck& deck, const MemberSpec& spec) {
  const auto check = [&](const RodSpec& rod) {
    if (rod.section != SectionShape::circle) refuse_thickness(deck, rod, spec);
  };
  check(spec.rod);
  for (const RodSetup& other : spec.further_rods) check(other.rod);
  if (!spec.has_circular_sections() && spec.single_precision) {
    throw deck.error("model.precision"_key,
                     "= single computes with one bend stiffness of a rod, and one has two");
  }
}

}  // namespace rodeo
