#pragma once

#include <cstddef>
#include <optional>

#include <benchmark/benchmark.h>

#include "peak.hpp"

namespace rodeo::benchmarks {

/// What a kernel takes. Floating-point operations: additions, subtractions and multiplications are one each,
/// a fused pair two; comparisons, signs, minima and maxima are none. Divisions by constants are
/// multiplications.
struct Operations {
  double plain = 0.0;
  double divisions = 0.0;
  double roots = 0.0;
  std::optional<double> numbers = std::nullopt;  ///< read and written, if counted

  constexpr Operations operator+(const Operations& other) const {
    Operations sum{plain + other.plain, divisions + other.divisions, roots + other.roots};
    if (numbers && other.numbers) sum.numbers = *numbers + *other.numbers;
    return sum;
  }
  constexpr Operations operator*(double n) const { return {n * plain, n * divisions, n * roots}; }
  constexpr double total() const { return plain + divisions + roots; }
};

// What each kernel takes per element (or node) and step: its addsd, subsd, mulsd, divsd and sqrtsd in an
// x86-64 build with neither vectors nor fused operations (-O2 -fno-tree-vectorize -ffp-contract=off), which
// has one loop of straight code for every kernel. Numbers are the components of arrays that its loop reads
// and writes, neighbours counted once. Lanes of padding are not counted, nor what is done once per member.

constexpr Operations drift = {6 + 65, 0, 0, 9 + 4 + 4};  // positions; orientations
constexpr Operations shear_and_stretch = {82, 1, 1, 11 + 8};
constexpr Operations bend_and_twist = {114, 1, 0, 11 + 6};
constexpr Operations kick_free = {18 + 67, 0, 0, 14 + 28};    // nodes; elements
constexpr Operations kick_forced = {21 + 70, 0, 0, 17 + 31};  // the same with external forces and couples

constexpr Operations muscle_couples = {39, 0, 0, 2};  // about an axis of the body
constexpr Operations gravity = {3, 0, 0, 4 + 3};      // and couples set to zero
constexpr Operations slender_body_drag = {95, 1, 0, 16 + 3};
constexpr Operations wall_on_plane = {247 + 9, 2, 2, 45 + 9};  // elements; nodes

// Self-contact per element: radii, whether the list holds, squeeze, shares of the nodes.
constexpr Operations contact_of_element = {4 + 9 + 13 + 9, 0, 1};
// Per pair: where it comes closest; where it touches, the forces and both sums. Making the list anew is not
// counted.
constexpr Operations contact_of_pair = {60, 1};
constexpr Operations contact_of_touching = {39 + 2 * 10, 1, 1};

constexpr Operations internal_mechanics = drift + shear_and_stretch + bend_and_twist;

/// Reports the time of an element and step, its operations, their rate, and its share of what this machine
/// does in multiply-adds alone: divisions, roots, loads and additions without a factor keep it below one. In
/// single precision, with numbers of half the size, that is twice as much, and rates are those of as many
/// operations as double takes.
inline void report(benchmark::State& state, double nanoseconds, const Operations& operations,
                   std::size_t number_size = sizeof(double)) {
  const double peak = peak_gflops() * static_cast<double>(sizeof(double) / number_size);
  state.counters["ns_per_element_step"] = nanoseconds;
  state.counters["flops_per_element_step"] = operations.total();
  state.counters["divisions_and_roots_per_element_step"] = operations.divisions + operations.roots;
  state.counters["gflops"] = operations.total() / nanoseconds;
  state.counters["share_of_peak"] = operations.total() / nanoseconds / peak;
  if (operations.numbers) {
    const double bytes = static_cast<double>(number_size) * *operations.numbers;
    state.counters["bytes_per_element_step"] = bytes;
    state.counters["gigabytes_per_second"] = bytes / nanoseconds;
  }
}

}  // namespace rodeo::benchmarks
