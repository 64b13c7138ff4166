#pragma once

#include <cmath>
#include <cstdint>

#include "rodeo/math/functions.hpp"

#if defined(__GNUC__)
// Functions of packs are inlined: how packs are passed where registers are narrower concerns no one.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace rodeo {

namespace detail {

template <class Real, int width>
struct VectorOf;

#if defined(__CUDACC__) || defined(__HIPCC__)

/// Functions that may be made for a device cannot have the compiler's own vectors.
template <class Number, int width>
struct PlainVector {
  Number number[width];

  constexpr Number operator[](int lane) const { return number[lane]; }
  Number& operator[](int lane) { return number[lane]; }

  /// operation(lane) in every lane.
  template <class Operation>
  static constexpr PlainVector of(const Operation& operation) {
    PlainVector result{};
    for (int lane = 0; lane < width; ++lane) result.number[lane] = operation(lane);
    return result;
  }

  using Vector = const PlainVector&;
  using Mask = PlainVector<std::int64_t, width>;
  friend PlainVector operator+(Vector a, Vector b) {
    return of([&](int k) { return a[k] + b[k]; });
  }
  friend PlainVector operator-(Vector a, Vector b) {
    return of([&](int k) { return a[k] - b[k]; });
  }
  friend PlainVector operator*(Vector a, Vector b) {
    return of([&](int k) { return a[k] * b[k]; });
  }
  friend PlainVector operator/(Vector a, Vector b) {
    return of([&](int k) { return a[k] / b[k]; });
  }
  friend PlainVector operator-(Vector a) {
    return of([&](int k) { return -a[k]; });
  }
  friend constexpr PlainVector operator-(Number x, Vector a) {
    return of([&](int k) { return x - a[k]; });
  }
  friend Mask operator<(Vector a, Vector b) {
    return Mask::of([&](int k) { return a[k] < b[k] ? -1 : 0; });
  }
  friend Mask operator>(Vector a, Vector b) { return b < a; }
  friend Mask operator<=(Vector a, Vector b) {
    return Mask::of([&](int k) { return a[k] <= b[k] ? -1 : 0; });
  }
  friend Mask operator>=(Vector a, Vector b) { return b <= a; }
  friend PlainVector operator&(Vector a, Vector b) {
    return of([&](int k) { return a[k] & b[k]; });
  }
  friend PlainVector operator|(Vector a, Vector b) {
    return of([&](int k) { return a[k] | b[k]; });
  }
};

template <>
struct VectorOf<double, 8> {
  using Lanes = PlainVector<double, 8>;
  using Unaligned = Lanes;
  using Mask = Lanes::Mask;

  template <int... which>
  static Lanes shuffle(const Lanes& a, const Lanes& b) {
    constexpr int from[] = {which...};
    return Lanes::of([&](int k) { return from[k] < 8 ? a[from[k]] : b[from[k] - 8]; });
  }
  static Lanes select(const Mask& mask, const Lanes& a, const Lanes& b) {
    return Lanes::of([&](int k) { return mask[k] != 0 ? a[k] : b[k]; });
  }
  static double first(const Lanes& a) { return a[0]; }
};

#else

/// The compiler's own vectors, which it splits where registers are narrower.
template <>
struct VectorOf<double, 8> {
  using Lanes [[gnu::vector_size(64)]] = double;
  using Unaligned [[gnu::vector_size(64), gnu::aligned(alignof(double)), gnu::may_alias]] = double;
  using Mask [[gnu::vector_size(64)]] = std::int64_t;

  template <int... which>
  [[gnu::always_inline]] static Lanes shuffle(const Lanes& a, const Lanes& b) {
    return __builtin_shufflevector(a, b, which...);
  }
  [[gnu::always_inline]] static Lanes select(const Mask& mask, const Lanes& a, const Lanes& b) {
    return mask ? a : b;
  }
  /// By way of half a register: asked for a number of the whole, the compiler goes to memory.
  [[gnu::always_inline]] static double first(const Lanes& a) {
    return __builtin_shufflevector(a, a, 0, 1)[0];
  }
};

#endif

}  // namespace detail

/// `width` numbers that are computed with side by side, one vector register of a host core: elements of a
/// rod, or the same element of as many members. Operations act on every lane. Where scalar code branches,
/// code for packs computes both and selects; `select` of a scalar is the conditional expression, so that one
/// template serves both.
template <class Real, int width>
struct Pack {
  using Lanes = typename detail::VectorOf<Real, width>::Lanes;
  using Mask = typename detail::VectorOf<Real, width>::Mask;

  Lanes lanes = {};

  Pack() = default;
  [[gnu::always_inline]] constexpr Pack(Real x)
      : lanes(x - Lanes{}) {}  // NOLINT(google-explicit-constructor): a number
  [[gnu::always_inline]] explicit Pack(Lanes values) : lanes(values) {}

  /// `width` numbers that follow one another, wherever they stand.
  [[gnu::always_inline]] static Pack load(const Real* from) {
    return Pack(Lanes(*reinterpret_cast<const Unaligned*>(from)));
  }
  [[gnu::always_inline]] void store(Real* to) const { *reinterpret_cast<Unaligned*>(to) = Unaligned(lanes); }

  [[gnu::always_inline]] Real operator[](int lane) const { return lanes[lane]; }
  [[gnu::always_inline]] void set(int lane, Real x) { lanes[lane] = x; }
  [[gnu::always_inline]] Real first() const { return detail::VectorOf<Real, width>::first(lanes); }

  [[gnu::always_inline]] friend Pack operator+(const Pack& a, const Pack& b) {
    return Pack(Lanes(a.lanes + b.lanes));
  }
  [[gnu::always_inline]] friend Pack operator-(const Pack& a, const Pack& b) {
    return Pack(Lanes(a.lanes - b.lanes));
  }
  [[gnu::always_inline]] friend Pack operator*(const Pack& a, const Pack& b) {
    return Pack(Lanes(a.lanes * b.lanes));
  }
  [[gnu::always_inline]] friend Pack operator/(const Pack& a, const Pack& b) {
    return Pack(Lanes(a.lanes / b.lanes));
  }
  [[gnu::always_inline]] friend Pack operator-(const Pack& a) { return Pack(Lanes(-a.lanes)); }
  [[gnu::always_inline]] Pack& operator+=(const Pack& b) { return *this = *this + b; }
  [[gnu::always_inline]] Pack& operator-=(const Pack& b) { return *this = *this - b; }
  [[gnu::always_inline]] Pack& operator*=(const Pack& b) { return *this = *this * b; }

  [[gnu::always_inline]] friend Mask operator<(const Pack& a, const Pack& b) { return a.lanes < b.lanes; }
  [[gnu::always_inline]] friend Mask operator>(const Pack& a, const Pack& b) { return a.lanes > b.lanes; }
  [[gnu::always_inline]] friend Mask operator<=(const Pack& a, const Pack& b) { return a.lanes <= b.lanes; }
  [[gnu::always_inline]] friend Mask operator>=(const Pack& a, const Pack& b) { return a.lanes >= b.lanes; }

  /// In every lane `a` where the mask holds, else `b`.
  [[gnu::always_inline]] friend Pack select(const Mask& mask, const Pack& a, const Pack& b) {
    return Pack(detail::VectorOf<Real, width>::select(mask, a.lanes, b.lanes));
  }

  /// Lanes `which` of those of `a` and, from `width` on, of `b`.
  template <int... which>
  [[gnu::always_inline]] static Pack shuffle(const Pack& a, const Pack& b) {
    return Pack(detail::VectorOf<Real, width>::template shuffle<which...>(a.lanes, b.lanes));
  }

  [[gnu::always_inline]] friend Pack sqrt(const Pack& a) {
    Pack root;
#pragma GCC ivdep
    for (int lane = 0; lane < width; ++lane) root.lanes[lane] = std::sqrt(a.lanes[lane]);
    return root;
  }

 private:
  using Unaligned = typename detail::VectorOf<Real, width>::Unaligned;
};

/// One vector of doubles on a host core.
using DoublePack = Pack<double, 8>;

[[gnu::always_inline]] inline double select(bool condition, double a, double b) { return condition ? a : b; }

[[gnu::always_inline]] inline bool every_lane(bool holds) { return holds; }
[[gnu::always_inline]] inline bool every_lane(const DoublePack::Mask& holds) {
  bool all = true;
  for (int lane = 0; lane < 8; ++lane) all = all && holds[lane] != 0;
  return all;
}

/// Without its sign.
template <class Real>
[[gnu::always_inline]] inline Real magnitude(const Real& x) {
  return select(x < Real(0.0), -x, x);
}

}  // namespace rodeo
