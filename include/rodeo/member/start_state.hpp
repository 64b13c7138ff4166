#pragma once

#include <optional>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// An element by its rod and its place in it, both from 0.
struct ElementPlace {
  int rod = 0;
  int element = 0;
};

/// Two elements that overlap.
struct StartOverlap {
  ElementPlace first;
  ElementPlace second;
  double depth = 0.0;   ///< sum of their radii less their distance, m
  double radius = 0.0;  ///< the smaller one, m
};

/// An element inside the ground, a ball or a cylinder.
struct StartDepth {
  ElementPlace place;
  double depth = 0.0;   ///< m
  double radius = 0.0;  ///< m
};

/// The part of a radius by which elements may overlap, or stand in the ground, as they start: more than what
/// rounding and the polygon of a curved rod make of a touch, and little energy.
inline constexpr double most_start_overlap = 0.01;

/// Of the pairs that overlap by more than that at t = 0, with penalty contact, the one that overlaps most.
std::optional<StartOverlap> overlap_at_start(const MemberSpec& spec);

/// Two elements that connections hold closer than contact lets them be.
struct HeldPair {
  ElementPlace first;
  ElementPlace second;
};

/// Of those the first that penalty contact has no room to leave out, for there are others elsewhere with its
/// first element (held_pairs.hpp).
std::optional<HeldPair> held_beside_others(const MemberSpec& spec);

/// Of the elements that stand deeper in the ground than that at t = 0, the deepest.
std::optional<StartDepth> depth_at_start(const MemberSpec& spec);

}  // namespace rodeo
