#include "random_variable.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "rodeo/input/number_text.hpp"

#include "normal_distribution.hpp"

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

/// The standard normal number between two bounds below which a share of those between them is.
double normal_quantile_between(double lower, double upper, double share) {
  // Probabilities near 1 have no digits left for a tail.
  if (lower > 0.0) return -normal_quantile_between(-upper, -lower, 1.0 - share);
  const double below = normal_probability(lower);
  const double z = normal_quantile(below + share * (normal_probability(upper) - below));
  return std::clamp(z, lower, upper);
}

constexpr std::array<std::string_view, 4> distribution_names = {"uniform", "loguniform", "normal",
                                                                "lognormal"};

std::string end_text(double end) {
  if (std::isfinite(end)) return format_real(end);
  return end < 0.0 ? "-inf" : "inf";
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

RandomVariable::RandomVariable(const RandomParameter& parameter) : parameter_(parameter) {
  if (!is_normal()) {
    polynomials_ = OrthonormalPolynomials::of_uniform();
    return;
  }
  const auto deviations = [&](double end) {
    if (!is_logarithmic()) return (end - parameter_.first) / parameter_.second;
    return end > 0.0 ? std::log(end / parameter_.first) / parameter_.second
                     : -std::numeric_limits<double>::infinity();
  };
  lower_ = deviations(parameter_.lower);
  upper_ = deviations(parameter_.upper);
  const bool whole = std::isinf(lower_) && std::isinf(upper_);
  polynomials_ =
      whole ? OrthonormalPolynomials::of_normal() : OrthonormalPolynomials::of_normal_between(lower_, upper_);
}

bool RandomVariable::is_normal() const {
  return parameter_.kind == RandomParameter::Kind::normal ||
         parameter_.kind == RandomParameter::Kind::lognormal;
}

bool RandomVariable::is_logarithmic() const {
  return parameter_.kind == RandomParameter::Kind::loguniform ||
         parameter_.kind == RandomParameter::Kind::lognormal;
}

double RandomVariable::germ(double coordinate) const {
  return is_normal() ? normal_quantile_between(lower_, upper_, coordinate) : 2.0 * coordinate - 1.0;
}

double RandomVariable::value(double coordinate) const {
  const RandomParameter& p = parameter_;
  double value = 0.0;
  if (is_normal()) {
    const double deviation = p.second * germ(coordinate);
    value = is_logarithmic() ? p.first * std::exp(deviation) : p.first + deviation;
  } else if (is_logarithmic()) {
    value = p.lower * std::pow(p.upper / p.lower, coordinate);
  } else {
    value = p.lower + coordinate * (p.upper - p.lower);
  }
  return std::clamp(value, p.lower, p.upper);  // rounding must not lead beyond
}

std::string RandomVariable::text() const {
  std::string text = parameter_.address.name() + " ";
  text.append(distribution_names[static_cast<std::size_t>(parameter_.kind)]).append("(");
  text.append(format_real(parameter_.first)).append(", ").append(format_real(parameter_.second)).append(")");
  const bool cut = is_normal() && (std::isfinite(upper_) || std::isfinite(lower_));
  if (cut) text += " in [" + end_text(parameter_.lower) + ", " + end_text(parameter_.upper) + "]";
  return text;
}

std::vector<std::string> texts_of(std::span<const RandomParameter> parameters) {
  std::vector<std::string> texts;
  for (std::size_t first = 0; first < parameters.size();) {
    std::vector<std::string> names;
    for (std::size_t k = first; k < parameters.size() && parameters[k].line == parameters[first].line; ++k)
      names.push_back(parameters[k].address.name());
    const std::string text = RandomVariable(parameters[first]).text();
    texts.push_back(runs_of(names).front().name + text.substr(names.front().size()));
    first += names.size();
  }
  return texts;
}

}  // namespace rodeo
