#pragma once

#include <benchmark/benchmark.h>

namespace rodeo::benchmarks {

/// Floating-point operations: additions, subtractions and multiplications are one each, a fused pair two;
/// comparisons, signs, minima and maxima are none. Divisions by constants are multiplications.
struct Operations {
  double plain = 0.0;
  double divisions = 0.0;
  double roots = 0.0;

  constexpr Operations operator+(const Operations& other) const {
    return {plain + other.plain, divisions + other.divisions, roots + other.roots};
  }
  constexpr Operations operator*(double n) const { return {n * plain, n * divisions, n * roots}; }
  constexpr double total() const { return plain + divisions + roots; }
};

// What each kernel takes per element (or node) and step: its addsd, subsd, mulsd, divsd and sqrtsd in an
// x86-64 build with neither vectors nor fused operations (-O2 -fno-tree-vectorize -ffp-contract=off), which
// has one loop of straight code for every kernel. Lanes of padding are not counted, nor what is done once per
// member.

constexpr Operations drift = {3 * 2 + 70};  // positions; orientations
constexpr Operations shear_and_stretch = {81, 1, 1};
constexpr Operations bend_and_twist = {131, 1};
constexpr Operations kick_free = {3 * 6 + 67};    // nodes; elements
constexpr Operations kick_forced = {3 * 7 + 70};  // the same with external forces and couples

constexpr Operations muscle_couples = {133};  // about an axis of the body
constexpr Operations gravity = {6};
constexpr Operations slender_body_drag = {85, 3};
constexpr Operations wall_on_plane = {243 + 3 * 3, 2, 2};  // elements; nodes

// Self-contact per element: radii, whether the list holds, squeeze, shares of the nodes.
constexpr Operations contact_of_element = {4 + 9 + 13 + 9, 0, 1};
// Per encounter, eight pairs: where they come closest; where one presses, the forces and both sums. Making
// the list anew is not counted.
constexpr Operations contact_of_encounter = Operations{60, 1} * 8 + Operations{7};
constexpr Operations contact_of_pressing = Operations{39 + 2 * 10, 1, 1} * 8;

constexpr Operations internal_mechanics = drift + shear_and_stretch + bend_and_twist;

/// Reports the time of an element and step, its operations, and their rate.
inline void report(benchmark::State& state, double nanoseconds, const Operations& operations) {
  state.counters["ns_per_element_step"] = nanoseconds;
  state.counters["flops_per_element_step"] = operations.total();
  state.counters["divisions_and_roots_per_element_step"] = operations.divisions + operations.roots;
  state.counters["gflops"] = operations.total() / nanoseconds;
}

}  // namespace rodeo::benchmarks
