#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Time and step of a member by a method.
struct MethodCost {
  double seconds = 0.0;  ///< of one core
  double step = 0.0;     ///< s
};

/// Cost of a member of Cosserat rods by each method that its deck allows: by explicit steps as long as they
/// may be, by implicit ones (generalized_alpha) for an error of 1e-3, and for its equilibrium alone. The
/// deck's own method has the deck's steps, but explicit ones that are stable.
struct MethodForecast {
  bool is_stable = false;    ///< the deck's own method takes explicit steps that are stable
  bool is_implicit = false;  ///< or implicit ones
  double period =
      0.0;  ///< of the motion that implicit steps resolve, the slowest bending or a faster drive, s
  std::optional<MethodCost> by_explicit;
  std::optional<MethodCost> by_implicit;
  std::optional<MethodCost> at_rest;

  bool implicit_wins() const {
    return by_implicit && (!by_explicit || by_implicit->seconds < by_explicit->seconds);
  }
};

/// Forecasts methods; nothing for members at rest, of other models, or of very many rods. `allows` says
/// whether the deck could have other values, given as "key=value", instead of its own.
std::optional<MethodForecast> forecast_methods(
    const MemberSpec& spec, const std::function<bool(const std::vector<std::string>&)>& allows);

}  // namespace rodeo
