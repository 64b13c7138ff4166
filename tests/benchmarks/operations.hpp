#pragma once

#include <benchmark/benchmark.h>

#include "peak.hpp"

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

constexpr Operations drift = {6 + 68};  // positions; orientations
constexpr Operations shear_and_stretch = {82, 1, 1};
constexpr Operations bend_and_twist = {132, 1};
constexpr Operations kick_free = {18 + 68};    // nodes; elements
constexpr Operations kick_forced = {21 + 71};  // the same with external forces and couples

constexpr Operations muscle_couples = {39};  // about an axis of the body
constexpr Operations gravity = {3};
constexpr Operations slender_body_drag = {95, 1};
constexpr Operations wall_on_plane = {248 + 9, 1, 2};  // elements; nodes

// Self-contact per element: radii, whether the list holds, squeeze, shares of the nodes.
constexpr Operations contact_of_element = {4 + 9 + 13 + 9, 0, 1};
// Per encounter, eight pairs: where they come closest; where one presses, the forces and both sums. Making
// the list anew is not counted.
constexpr Operations contact_of_encounter = Operations{60, 1} * 8 + Operations{7};
constexpr Operations contact_of_pressing = Operations{39 + 2 * 10, 1, 1} * 8;

constexpr Operations internal_mechanics = drift + shear_and_stretch + bend_and_twist;

/// Reports the time of an element and step, its operations, their rate, and its share of what this machine
/// does in multiply-adds alone: divisions, roots, loads and additions without a factor keep it below one.
inline void report(benchmark::State& state, double nanoseconds, const Operations& operations) {
  state.counters["ns_per_element_step"] = nanoseconds;
  state.counters["flops_per_element_step"] = operations.total();
  state.counters["divisions_and_roots_per_element_step"] = operations.divisions + operations.roots;
  state.counters["gflops"] = operations.total() / nanoseconds;
  state.counters["share_of_peak"] = operations.total() / nanoseconds / peak_gflops();
}

}  // namespace rodeo::benchmarks
