#pragma once

#include "rodeo/input/deck.hpp"

#include "cma_es.hpp"

namespace rodeo {

/// The values a parameter of a search may take, and the map onto them from the whole line on which the search
/// moves. The coordinate of a value is the value itself, or its decimal logarithm. The map is the identity
/// but for a margin of a twentieth of the interval at each bound, where it is a parabola whose vertex is the
/// bound: x = lower + (u - lower + margin)^2 / (4 margin). Beyond the vertex it is mirrored, again and again.
/// So no value is out of bounds, the distribution is never cut, and an optimum on a bound is a smooth one
/// inside (the method of pycma's BoundTransform).
///
/// A parameter of whole numbers, or of a list, has the nearest of its values instead, beyond the ends the
/// first or the last one: the map has plateaus. The coordinate of a value of a list is its place there.
class SearchInterval {
 public:
  /// Either bound may be infinite; the margin of a lone bound is a twentieth of the scale.
  explicit SearchInterval(const SearchParameter& parameter);

  /// The value at a point u of the line.
  double value(double u) const;

  /// The point nearest to the middle of the interval that has this value.
  double point(double value) const;

  bool has_plateaus() const { return parameter_.whole || !parameter_.values.empty(); }

  /// The plateau around a point of the line, of a map that has any.
  Plateau plateau(double u) const;

  /// Standard deviation of values near `value`, from that of coordinates, to first order.
  double deviation(double value, double of_coordinates) const;

  /// A value from anywhere between the bounds or in the list, or within `reach` scales of the start where one
  /// is missing; `share` in [0, 1].
  double random_value(double share, double reach) const;

 private:
  double coordinate(double value) const;
  double value_at(double coordinate) const;
  double nearest(double u) const;

  SearchParameter parameter_;
  double lower_;  ///< coordinates
  double upper_;
  double margin_;
};

}  // namespace rodeo
