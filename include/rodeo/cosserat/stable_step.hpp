#pragma once

#include "rodeo/member/step_bounds.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::cosserat {

/// A time step, in s, below which position Verlet is stable for the rod at rest: 2/omega_max, where omega_max
/// bounds the highest frequency of the discrete rod. For a uniform, straight one, with m' = rho A, j = rho I
/// and the grid's largest wave number 2/dl:
///   stretch  omega^2 <= 4 S3/(m' dl^2)
///   twist    omega^2 <= 4 B3/(2 j dl^2)
///   bend and shear together  omega^2 <= 4 S1/(m' dl^2) + S1/j + 4 B1/(j dl^2), the trace of the coupled 2 x
///   2 system.
/// Where sections or elements differ, each term is the largest along the rod of Gershgorin's row sums: twice
/// the springs on either side of a node or element over its inertia. A clamp's half region is a spring twice
/// as stiff, but one that ties its element to something at rest instead of to a neighbour that swings the
/// other way, so it counts once; point masses and held nodes only lower the bound. S1/j does not depend on
/// dl, which is why dt = a dl alone blows up on coarse grids. Compression (e < 1) lowers it; contact and
/// ground have their own (step_bounds).
double stable_step(const RodSpec& rod);

/// Bounds on the step of an explicit member, by each cause alone and by all together.
///
/// Position Verlet takes dashpots at the velocities before the kick. For masses M, springs K and dashpots C
/// it is stable where 4 M - dt^2 K - 2 dt C is positive definite (Jury's conditions for the Rayleigh
/// quotients of any mode), so with bounds Omega of M^-1 K and Gamma of M^-1 C
///   dt <= 4/(Gamma + sqrt(Gamma^2 + 4 Omega)),
/// which is 2/omega without dashpots and 2/Gamma without springs. Omega and Gamma of several causes add up.
/// rod.damping, friction and the drag of a fluid are integrated in ways that only help.
///
/// Ground: a spring k_w and a dashpot gamma_w for each element, half on each of its nodes, so Omega = k_w/m
/// and Gamma = gamma_w/m with the smallest mass m of a node, ends counted double as they have one element. A
/// ball or cylinder presses on one node with all of a spring (tangent/capsule.hpp), which is no more. An
/// element between two surfaces has both; it touches more than two only where solids overlap. Springs across
/// an element turn it too, so that both are 1 + m r^2/J times as large.
///
/// Contact: a spring k for each pair of elements. Two rods that cross at their nodes touch in four pairs,
/// since both elements on either side of a node end there, and so do strands side by side. n pairs between
/// masses m and m' have Omega = n k (1/m + 1/m'). Packed as hexagons, each strand has six neighbours and
/// Omega three times that (the triangular lattice); rods stacked crosswise have twice that. So
///   Omega = 3 n k (1/m + 1/m'), n = max(4, 2 + l/l'),
/// with the longest element l of a strand over the shortest l' of any: a long element touches several short
/// ones. A radius that follows the element's stretch adds k (r/2l)^2 for each of its pairs and ends, which
/// for all six strands at once is 2 (r/l)^2 of the above: more where elements are shorter than 1.4 r.
///
/// A rod that is alone crosses itself, or lies in loops side by side, each between two others. There each
/// element touches two of a neighbour, so that Omega is that of the pair that crosses, n k (1/m + 1/m'), or 4
/// (r/l)^2 k/m where the radius follows the stretch and neighbours stretch in phase.
///
/// By experiment (tests/cosserat/stable_step_test.cpp) rods on the ground blow up at 1.0 of their bound, rods
/// stacked crosswise at 1.2, two rods crossed at nodes at 1.8 and at the middles of elements at 3.5 to 5,
/// until they slide on to a node; contact with dashpots at 1.5 to 3.3.
StepBounds step_bounds(const MemberSpec& spec);

}  // namespace rodeo::cosserat
