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

/// Share of a radius by which elements may overlap, or stand in the ground, as they start: little energy, but
/// more than rounding and the polygon of a curved rod make of a touch.
inline constexpr double most_start_overlap = 0.01;

/// Pair that overlaps most at t = 0 with penalty contact, if by more than most_start_overlap.
std::optional<StartOverlap> overlap_at_start(const MemberSpec& spec);

/// Two elements that connections hold closer than contact lets them be.
struct HeldPair {
  ElementPlace first;
  ElementPlace second;
};

/// First pair that penalty contact has no room to leave out, although connections hold it, since it leaves
/// out others elsewhere with the same first element (held_pairs.hpp).
std::optional<HeldPair> held_beside_others(const MemberSpec& spec);

/// Element that stands deepest in the ground at t = 0, if by more than most_start_overlap.
std::optional<StartDepth> depth_at_start(const MemberSpec& spec);

}  // namespace rodeo
