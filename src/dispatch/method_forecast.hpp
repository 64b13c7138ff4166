#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// What a member would take by a method.
struct MethodCost {
  double seconds = 0.0;  ///< of one core
  double step = 0.0;     ///< s
};

/// What a member of Cosserat rods would take by each method, where its deck lets it: by explicit steps as
/// long as they may be, by implicit ones (generalized_alpha) for an error of 1e-3, and for its equilibrium
/// alone. The deck's own method has the deck's steps.
struct MethodForecast {
  double period =
      0.0;  ///< of the motion that implicit steps resolve, the slowest bending or a faster drive, s
  std::optional<MethodCost> by_explicit;
  std::optional<MethodCost> by_implicit;
  std::optional<MethodCost> at_rest;

  bool implicit_wins() const {
    return by_implicit && (!by_explicit || by_implicit->seconds < by_explicit->seconds);
  }
};

/// Nothing for members that are no Cosserat rods, or very many.
std::optional<MethodForecast> forecast_methods(const Deck& deck, const MemberSpec& spec);

/// What `rodeo check` says of each method and of the cheapest, by their names; nothing where there is no
/// choice.
std::vector<std::pair<std::string, std::string>> method_lines(const MethodForecast& forecast, TimeMethod own);

}  // namespace rodeo
