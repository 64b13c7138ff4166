#pragma once

#include "rodeo/rod/initial_shape.hpp"

namespace rodeo {

// Frames of the first and the last element if their halves up to the ends had their natural curvature, and
// the directors of the ends were those of the shape: what joints of the ends are without stress with.

inline Quaternion natural_first_frame(const InitialShape& shape) {
  return shape.frames.front() * rotation(shape.rest_voronoi.front() * shape.rest_curvatures.front());
}

inline Quaternion natural_last_frame(const InitialShape& shape) {
  return shape.frames.back() * rotation(-shape.rest_voronoi.back() * shape.rest_curvatures.back());
}

}  // namespace rodeo
