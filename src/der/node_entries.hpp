#pragma once

#include "rodeo/math/vec3.hpp"

namespace rodeo::der {

// The entries of a node among the degrees of freedom of a rod.

inline Vec3 get(const double* q, int i) { return {q[4 * i], q[4 * i + 1], q[4 * i + 2]}; }

inline void add(double* q, int i, const Vec3& v) {
  q[4 * i] += v.x;
  q[4 * i + 1] += v.y;
  q[4 * i + 2] += v.z;
}

inline void set(double* q, int i, const Vec3& v) {
  q[4 * i] = v.x;
  q[4 * i + 1] = v.y;
  q[4 * i + 2] = v.z;
}

}  // namespace rodeo::der
