#pragma once

#include <cmath>

namespace rodeo {

/// A number with its derivatives by so many variables. Of an expression of such numbers they come out exact.
template <int size>
struct Dual {
  double value = 0.0;
  double slope[size] = {};

  constexpr Dual(double number = 0.0) : value(number) {}

  /// Variable k.
  static Dual variable(double number, int k) {
    Dual x(number);
    x.slope[k] = 1.0;
    return x;
  }

  /// f(x), with the derivative f'.
  friend Dual chain(const Dual& x, double f, double derivative) {
    Dual y(f);
    for (int k = 0; k < size; ++k) y.slope[k] = derivative * x.slope[k];
    return y;
  }

  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual c(a.value + b.value);
    for (int k = 0; k < size; ++k) c.slope[k] = a.slope[k] + b.slope[k];
    return c;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual c(a.value - b.value);
    for (int k = 0; k < size; ++k) c.slope[k] = a.slope[k] - b.slope[k];
    return c;
  }
  friend Dual operator-(const Dual& a) { return chain(a, -a.value, -1.0); }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual c(a.value * b.value);
    for (int k = 0; k < size; ++k) c.slope[k] = a.value * b.slope[k] + b.value * a.slope[k];
    return c;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double inverse = 1.0 / b.value;
    Dual c(a.value * inverse);
    for (int k = 0; k < size; ++k) c.slope[k] = inverse * (a.slope[k] - c.value * b.slope[k]);
    return c;
  }
  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
};

template <int size>
Dual<size> sqrt(const Dual<size>& x) {
  const double root = std::sqrt(x.value);
  return chain(x, root, 0.5 / root);
}
template <int size>
Dual<size> sin(const Dual<size>& x) {
  return chain(x, std::sin(x.value), std::cos(x.value));
}
template <int size>
Dual<size> cos(const Dual<size>& x) {
  return chain(x, std::cos(x.value), -std::sin(x.value));
}

}  // namespace rodeo
