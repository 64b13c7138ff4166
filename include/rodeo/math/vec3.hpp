#pragma once

#include <cmath>

#include <Kokkos_Core.hpp>

namespace rodeo {

/// Three Cartesian components; in which frame (laboratory or body-convected) is said where one is used.
struct Vec3 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};

KOKKOS_INLINE_FUNCTION Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
KOKKOS_INLINE_FUNCTION Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
KOKKOS_INLINE_FUNCTION Vec3 operator*(double s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
KOKKOS_INLINE_FUNCTION double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
KOKKOS_INLINE_FUNCTION Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }
inline Vec3 normalized(const Vec3& a) { return (1.0 / norm(a)) * a; }

}  // namespace rodeo
