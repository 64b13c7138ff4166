#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"

namespace rodeo {

/// Runs members in one batch to their ends.
inline std::vector<MemberOutcome> run_members(const std::vector<MemberJob>& jobs) {
  const auto batch = make_batch(jobs);
  while (batch->advance()) {
  }
  return {batch->outcomes().begin(), batch->outcomes().end()};
}

inline MemberOutcome run_member(const MemberSpec& spec) { return run_members({{spec, 1}}).front(); }

/// An observable of a member; throws std::out_of_range if there is none of that name.
inline double value(const MemberOutcome& outcome, std::string_view name) {
  return outcome.observables.at(observable_index(name));
}

/// The first member of a deck of inputs/, with a few frames.
inline MemberJob shipped(const std::string& deck, std::vector<std::string> overrides) {
  overrides.push_back("output.frames=5");
  return {make_member_spec(Deck::read(RODEO_SOURCE_DIR "/inputs/" + deck, overrides)), 7};
}

/// Two soft rods that lie across each other and overlap at once; they part and keep the depth they had.
inline constexpr const char* crossed_rods =
    "[rod]\ncount = 2\nelements = 12\nlength = 1\nradius = 0.05\ndensity = 1000\nyoung_modulus = 1e5\n"
    "poisson_ratio = 0.5\ndamping = 0.2\n"
    "each = rod.origin[0] : list(0, 0.5)\neach = rod.origin[1] : list(0, 0.07)\n"
    "each = rod.origin[2] : list(0, -0.5)\neach = rod.direction[0] : list(1, 0)\n"
    "each = rod.direction[2] : list(0, 1)\nnormal = 0, 1, 0\n"
    "[contact]\nkind = penalty\nstiffness = 2e3\ndamping = 0.3\n"
    "[gravity]\nacceleration = 0, 0, -9.81\n[time]\nstep = 2e-5\nend = 0.02\nslice_steps = "
    "70\n[output]\nframes = 5\n";

}  // namespace rodeo
