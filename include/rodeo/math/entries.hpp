#pragma once

#include "rodeo/math/vec3.hpp"

namespace rodeo {

// Three entries of an array that are a vector.

inline Vec3 three_at(const double* v) { return {v[0], v[1], v[2]}; }

inline void set_at(double* v, const Vec3& a) {
  v[0] = a.x;
  v[1] = a.y;
  v[2] = a.z;
}

inline void add_at(double* v, const Vec3& a) {
  v[0] += a.x;
  v[1] += a.y;
  v[2] += a.z;
}

inline void subtract_at(double* v, const Vec3& a) {
  v[0] -= a.x;
  v[1] -= a.y;
  v[2] -= a.z;
}

}  // namespace rodeo
