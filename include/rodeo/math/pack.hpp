#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "rodeo/math/scalars.hpp"

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
  static void set(Lanes& a, int lane, double x) { a[lane] = x; }
  static Lanes root(const Lanes& a) {
    return Lanes::of([&](int k) { return std::sqrt(a[k]); });
  }
};

#elif defined(__AVX512F__)

/// The compiler's own vectors.
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
  /// First lane, by way of half a register: asked for a number of the whole, the compiler goes to memory.
  [[gnu::always_inline]] static double first(const Lanes& a) {
    return __builtin_shufflevector(a, a, 0, 1)[0];
  }
  [[gnu::always_inline]] static void set(Lanes& a, int lane, double x) { a[lane] = x; }
  [[gnu::always_inline]] static Lanes root(const Lanes& a) {
    Lanes root;
#pragma GCC ivdep
    for (int lane = 0; lane < 8; ++lane) root[lane] = std::sqrt(a[lane]);
    return root;
  }
};

#else

/// Eight numbers in as many registers as they take. The compiler has vectors of eight as well, but keeps them
/// in memory where it has to split them, which takes up to ten times as long. So it does with an array of
/// registers: each has a name.
template <class Number>
struct Registers {
#if defined(__AVX__)
  static constexpr int count = 2;
  using Part [[gnu::vector_size(32)]] = Number;
  Part part_0, part_1;
#else
  static constexpr int count = 4;
  using Part [[gnu::vector_size(16)]] = Number;
  Part part_0, part_1, part_2, part_3;
#endif
  static constexpr int width = 8 / count;

  /// Register k.
  template <int k>
  [[gnu::always_inline]] constexpr const Part& part() const {
    if constexpr (k == 0) return part_0;
    if constexpr (k == 1) return part_1;
#if !defined(__AVX__)
    if constexpr (k == 2) return part_2;
    if constexpr (k == 3) return part_3;
#endif
  }

  /// operation(k) in register k, a constant.
  template <class Operation>
  [[gnu::always_inline]] static constexpr Registers of(const Operation& operation) {
    return [&]<int... k>(std::integer_sequence<int, k...>) {
      return Registers{operation(std::integral_constant<int, k>())...};
    }
    (std::make_integer_sequence<int, count>());
  }

  Number operator[](int lane) const {
    Number numbers[8];
    __builtin_memcpy(numbers, this, sizeof(numbers));
    return numbers[lane];
  }
  void set(int lane, Number x) {
    Number numbers[8];
    __builtin_memcpy(numbers, this, sizeof(numbers));
    numbers[lane] = x;
    __builtin_memcpy(this, numbers, sizeof(numbers));
  }

  using Vector = const Registers&;
  using Mask = Registers<std::int64_t>;
  [[gnu::always_inline]] friend Registers operator+(Vector a, Vector b) {
    return of([&](auto k) { return a.template part<k>() + b.template part<k>(); });
  }
  [[gnu::always_inline]] friend Registers operator-(Vector a, Vector b) {
    return of([&](auto k) { return a.template part<k>() - b.template part<k>(); });
  }
  [[gnu::always_inline]] friend Registers operator*(Vector a, Vector b) {
    return of([&](auto k) { return a.template part<k>() * b.template part<k>(); });
  }
  [[gnu::always_inline]] friend Registers operator/(Vector a, Vector b) {
    return of([&](auto k) { return a.template part<k>() / b.template part<k>(); });
  }
  [[gnu::always_inline]] friend Registers operator-(Vector a) {
    return of([&](auto k) { return -a.template part<k>(); });
  }
  [[gnu::always_inline]] friend constexpr Registers operator-(Number x, Vector a) {
    return of([&](auto k) { return x - a.template part<k>(); });
  }
  [[gnu::always_inline]] friend Mask operator<(Vector a, Vector b) {
    return Mask::of([&](auto k) { return a.template part<k>() < b.template part<k>(); });
  }
  [[gnu::always_inline]] friend Mask operator>(Vector a, Vector b) { return b < a; }
  [[gnu::always_inline]] friend Mask operator<=(Vector a, Vector b) {
    return Mask::of([&](auto k) { return a.template part<k>() <= b.template part<k>(); });
  }
  [[gnu::always_inline]] friend Mask operator>=(Vector a, Vector b) { return b <= a; }
  [[gnu::always_inline]] friend Registers operator&(Vector a, Vector b) {
    return of([&](auto k) { return a.template part<k>() & b.template part<k>(); });
  }
  [[gnu::always_inline]] friend Registers operator|(Vector a, Vector b) {
    return of([&](auto k) { return a.template part<k>() | b.template part<k>(); });
  }
};

template <>
struct VectorOf<double, 8> {
  using Lanes = Registers<double>;
  struct Unaligned {
    using Part [[gnu::vector_size(sizeof(Lanes::Part)), gnu::aligned(alignof(double)), gnu::may_alias]] =
        double;

    double number[8];

    Unaligned() = default;
    [[gnu::always_inline]] explicit Unaligned(const Lanes& a) {
      Lanes::of(
          [&](auto k) { return *reinterpret_cast<Part*>(number + k * Lanes::width) = a.template part<k>(); });
    }
    [[gnu::always_inline]] explicit operator Lanes() const {
      return Lanes::of(
          [&](auto k) { return Lanes::Part(*reinterpret_cast<const Part*>(number + k * Lanes::width)); });
    }
  };
  using Mask = Lanes::Mask;

  /// Shuffles the lanes of one register, which come from at most two registers.
  template <int first_place, int... which>
  [[gnu::always_inline]] static Lanes::Part shuffle_part(const Lanes& a, const Lanes& b,
                                                         std::integer_sequence<int, which...>) {
    constexpr int width = Lanes::width;
    constexpr std::array<int, width> from = [] {
      constexpr int all[] = {which...};
      std::array<int, width> own{};
      std::copy_n(all + first_place, width, own.begin());
      return own;
    }();
    constexpr int low = std::ranges::min(from) / width;
    constexpr int high = std::ranges::max(from) / width;
    static_assert(
        std::ranges::all_of(from, [](int lane) { return lane / width == low || lane / width == high; }));
    return [&]<int... k>(std::integer_sequence<int, k...>) {
      return __builtin_shufflevector(part<low>(a, b), part<high>(a, b),
                                     (from[k] % width + (from[k] / width == low ? 0 : width))...);
    }
    (std::make_integer_sequence<int, width>());
  }
  template <int k>
  [[gnu::always_inline]] static Lanes::Part part(const Lanes& a, const Lanes& b) {
    if constexpr (k < Lanes::count) return a.template part<k>();
    if constexpr (k >= Lanes::count) return b.template part<k - Lanes::count>();
  }
  template <int... which>
  [[gnu::always_inline]] static Lanes shuffle(const Lanes& a, const Lanes& b) {
    constexpr std::integer_sequence<int, which...> lanes;
    return Lanes::of([&](auto k) { return shuffle_part<k * Lanes::width>(a, b, lanes); });
  }
  [[gnu::always_inline]] static Lanes select(const Mask& mask, const Lanes& a, const Lanes& b) {
    return Lanes::of(
        [&](auto k) { return mask.template part<k>() ? a.template part<k>() : b.template part<k>(); });
  }
  [[gnu::always_inline]] static double first(const Lanes& a) { return a.part_0[0]; }
  [[gnu::always_inline]] static void set(Lanes& a, int lane, double x) { a.set(lane, x); }
  [[gnu::always_inline]] static Lanes root(const Lanes& a) {
    return Lanes::of([&](auto k) {
      Lanes::Part root = {};
      for (int lane = 0; lane < Lanes::width; ++lane) root[lane] = std::sqrt(a.template part<k>()[lane]);
      return root;
    });
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

  /// Consecutive numbers, `width` of them, at any alignment.
  [[gnu::always_inline]] static Pack load(const Real* from) {
    return Pack(Lanes(*reinterpret_cast<const Unaligned*>(from)));
  }
  [[gnu::always_inline]] void store(Real* to) const { *reinterpret_cast<Unaligned*>(to) = Unaligned(lanes); }

  [[gnu::always_inline]] Real operator[](int lane) const { return lanes[lane]; }
  [[gnu::always_inline]] void set(int lane, Real x) { detail::VectorOf<Real, width>::set(lanes, lane, x); }
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

  /// Selects in every lane `a` where the mask holds, else `b`.
  [[gnu::always_inline]] friend Pack select(const Mask& mask, const Pack& a, const Pack& b) {
    return Pack(detail::VectorOf<Real, width>::select(mask, a.lanes, b.lanes));
  }

  /// Lanes `which` of those of `a` and, from `width` on, of `b`.
  template <int... which>
  [[gnu::always_inline]] static Pack shuffle(const Pack& a, const Pack& b) {
    return Pack(detail::VectorOf<Real, width>::template shuffle<which...>(a.lanes, b.lanes));
  }

  [[gnu::always_inline]] friend Pack sqrt(const Pack& a) {
    return Pack(detail::VectorOf<Real, width>::root(a.lanes));
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

/// Absolute value.
template <class Real>
[[gnu::always_inline]] inline Real magnitude(const Real& x) {
  return select(x < Real(0.0), -x, x);
}

}  // namespace rodeo
