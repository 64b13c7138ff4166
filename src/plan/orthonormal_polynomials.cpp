#include "orthonormal_polynomials.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rodeo {

namespace {

/// A number with its probability.
struct Weighted {
  double x;
  double weight;
};

/// The distribution of standard normal numbers between two bounds, by Gauss's rule of three points in panels.
std::vector<Weighted> normal_between(double lower, double upper) {
  constexpr int panels = 500;
  // Densities below exp(-50) of the largest one are nothing.
  const double densest = std::clamp(0.0, lower, upper);
  const double reach = std::sqrt(densest * densest + 100.0);
  lower = std::max(lower, -reach);
  upper = std::min(upper, reach);
  const double half = 0.5 * (upper - lower) / panels;
  std::vector<Weighted> points;
  double sum = 0.0;
  for (int panel = 0; panel < panels; ++panel) {
    const double middle = lower + (2 * panel + 1) * half;
    for (const Weighted& gauss : {Weighted{-std::sqrt(0.6), 5.0}, {0.0, 8.0}, {std::sqrt(0.6), 5.0}}) {
      const double x = middle + gauss.x * half;
      points.push_back({x, gauss.weight * std::exp(0.5 * (densest * densest - x * x))});
      sum += points.back().weight;
    }
  }
  for (Weighted& point : points) point.weight /= sum;
  return points;
}

}  // namespace

OrthonormalPolynomials OrthonormalPolynomials::of_uniform() {
  OrthonormalPolynomials polynomials;
  for (std::size_t k = 1; k <= most_degree; ++k) {
    const auto degree = static_cast<double>(k);
    polynomials.root_[k] = degree / std::sqrt(4.0 * degree * degree - 1.0);
  }
  return polynomials;
}

OrthonormalPolynomials OrthonormalPolynomials::of_normal() {
  OrthonormalPolynomials polynomials;
  for (std::size_t k = 1; k <= most_degree; ++k) polynomials.root_[k] = std::sqrt(static_cast<double>(k));
  return polynomials;
}

OrthonormalPolynomials OrthonormalPolynomials::of_normal_between(double lower, double upper) {
  const std::vector<Weighted> points = normal_between(lower, upper);
  OrthonormalPolynomials polynomials;
  std::vector<double> before(points.size(), 0.0);
  std::vector<double> current(points.size(), 1.0);
  for (std::size_t k = 0; k <= most_degree; ++k) {
    double centre = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      centre += points[i].weight * points[i].x * current[i] * current[i];
    }
    polynomials.centre_[k] = centre;
    if (k == most_degree) break;
    double square = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double next = (points[i].x - centre) * current[i] - polynomials.root_[k] * before[i];
      before[i] = current[i];
      current[i] = next;
      square += points[i].weight * next * next;
    }
    polynomials.root_[k + 1] = std::sqrt(square);
    for (double& value : current) value /= polynomials.root_[k + 1];
  }
  return polynomials;
}

void OrthonormalPolynomials::values(double x, std::span<double> polynomials) const {
  double before = 0.0;
  double current = 1.0;
  for (std::size_t k = 0; k < polynomials.size(); ++k) {
    polynomials[k] = current;
    if (k + 1 == polynomials.size()) break;
    const double next = ((x - centre_[k]) * current - root_[k] * before) / root_[k + 1];
    before = current;
    current = next;
  }
}

}  // namespace rodeo
