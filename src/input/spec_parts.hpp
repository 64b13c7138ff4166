#pragma once

#include "rodeo/input/deck.hpp"

namespace rodeo {

class RodDecks;

// The parts of a member's specification, each from its own sections of the deck. All throw DeckError.

/// Geometry and stiffness of a rod.
RodSpec make_rod_spec(const Deck& deck);

/// Sets closure, length, elements and intrinsic curvature of a rod.
void set_shape(const Deck& deck, RodSpec& rod);

/// Sets the state that a rod starts in where its shape does not; shape and place are set already.
void set_start(const Deck& deck, RodSpec& rod);

/// Throws if the held directors of an end stand elsewhere than the rod starts.
void check_held_ends(const Deck& deck, const RodSpec& rod, const BoundarySpec& boundary);

/// Conditions and motions of the ends of a rod of that length, m.
BoundarySpec make_boundary_spec(const Deck& deck, double length);

/// Sets the damping of a rod that is set otherwise.
void set_damping(const Deck& deck, const BoundarySpec& boundary, RodSpec& rod);

/// Throws if the material of rods damps and something acts on them that would leave it out.
void check_material_damping(const Deck& deck, const MemberSpec& spec);

/// Sets the damping by rod.damping_ratio of a rod whose ends motions hold to the last, as supports do.
void take_motions_for_supports(const Deck& deck, int number, MemberSpec& spec);

LoadSpec make_load_spec(const Deck& deck, const RodSpec& rod);

/// Throws if the deck holds, moves or loads the ends of a closed rod, which has none.
void check_closed_rod(const Deck& deck, const BoundarySpec& boundary, const LoadSpec& load);

/// Throws if something acts along rod.direction, which the deck does not give, on a rod whose nodes come from
/// a file and lead elsewhere.
void check_direction_of_file(const Deck& deck, const RodSpec& rod, const BoundarySpec& boundary,
                             const LoadSpec& load);

GroundSpec make_ground_spec(const Deck& deck);
MuscleSpec make_muscle_spec(const Deck& deck);
FluidSpec make_fluid_spec(const Deck& deck, const RodSpec& rod, const MuscleSpec& muscle);

/// Sets the control of a member whose time steps and rods are set already.
void set_control(const Deck& deck, MemberSpec& spec);

/// Throws if a fluid by Stokeslets would have too many nodes.
void check_fluid(const Deck& deck, const MemberSpec& spec);

/// Throws if anything that a member meets takes sections to be circular that are not.
void check_sections(const Deck& deck, const MemberSpec& spec);

/// The rods that output.rods chooses of so many, in ascending order; empty if these are all. Throws DeckError
/// on a rod that is not there or is chosen twice, of a single rod, and in a convergence study.
std::vector<int> frame_rods(const Deck& deck, int count);

ContactSpec make_contact_spec(const Deck& deck);

/// Throws if a rod is too thick for slender-body drag.
void check_slenderness(const Deck& deck, const RodSpec& rod);

/// Step and end of a member whose rods are set already.
TimeSpec make_time_spec(const Deck& deck, const MemberSpec& spec);

/// Sets the actuation of a member that is set otherwise; `rods` are the decks of each of them.
void set_actuation(const Deck& deck, RodDecks& rods, MemberSpec& spec);

/// Sets the motions of a member whose rods and times are set already.
void set_motions(const Deck& deck, MemberSpec& spec);
/// Sets the connections of a member whose rods and times are set already.
void set_connections(const Deck& deck, MemberSpec& spec);

/// Sets the platen of a member whose rods and times are set already.
void set_platen(const Deck& deck, MemberSpec& spec);

/// Sets the measures of a member that is set otherwise.
void set_measures(const Deck& deck, MemberSpec& spec);

/// Sets what a member's rods are compared with, the lines of measure.point, once its rods and its time are
/// known. Throws with the place of a line that is none, or whose point is not on them.
void set_data(const Deck& deck, MemberSpec& spec);

/// Sets the branch of a member that is set otherwise, as the deck has it with branch.from; `end` is the
/// member with branch.to.
void set_branch(const Deck& deck, const MemberSpec& end, MemberSpec& spec);

/// Sets when a member ends as settled; its times and measures are set already.
void set_settling(const Deck& deck, MemberSpec& spec);

}  // namespace rodeo
