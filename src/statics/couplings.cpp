#include "couplings.hpp"

#include <algorithm>

namespace rodeo::statics {

namespace {

constexpr double any_step = 1.0;  ///< s; only friction, which there is none, knows of it

}  // namespace

void RestingContact::forget() {
  contacts_.forget();
  stiffness_ = 0.0;
  renews_ = false;
}

bool RestingContact::is_clear(const std::vector<double>& from, const std::vector<double>& to) {
  return contacts_.begin_step(from, to, any_step) && contacts_.is_passable(to);
}

/// Newton's iterations may begin with far too large forces, as turns of elements stretch them. So on the way
/// to an equilibrium the stiffness follows the forces only where it is far too low.
void RestingContact::find(const std::vector<double>& places, const std::vector<double>& pull,
                          std::vector<double>& gradient) {
  constexpr double far_too_low = 1e-3;
  contacts_.begin_step(places, places, any_step);
  const double asked = contacts_.stiffness_for(pull);
  if (renews_ || stiffness_ <= far_too_low * asked) stiffness_ = asked;
  renews_ = false;
  find_again(places, gradient);
}

void RestingContact::find_again(const std::vector<double>& places, std::vector<double>& gradient) {
  places_ = places;
  force_.resize(places.size());
  gradient.assign(places.size(), 0.0);
  contacts_.begin_step(places, places, any_step);
  contacts_.set_stiffness(stiffness_);
  contacts_.add_residual(places, gradient);
}

double RestingContact::clear_part(const std::vector<double>& step, double most) {
  constexpr int most_halvings = 30;
  double part = std::min(most, contacts_.bound(places_, step));
  trial_.resize(step.size());
  for (int k = 0; k < most_halvings; ++k, part *= 0.5) {
    for (std::size_t i = 0; i < step.size(); ++i) trial_[i] = places_[i] + part * step[i];
    if (contacts_.is_passable(trial_)) return part;
  }
  return 0.0;
}

double RestingContact::slope(const std::vector<double>& step, double part) {
  for (std::size_t i = 0; i < step.size(); ++i) trial_[i] = places_[i] + part * step[i];
  std::ranges::fill(force_, 0.0);
  contacts_.add_residual(trial_, force_);
  double slope = 0.0;
  for (std::size_t i = 0; i < step.size(); ++i) slope += force_[i] * step[i];
  return slope;
}

double RestingContact::curvature(const std::vector<double>& step) {
  std::ranges::fill(force_, 0.0);
  contacts_.add_residual(places_, force_);
  double sum = 0.0;
  contacts_.for_each_jacobian([&](const coupling::PairNodes& nodes, const contact::PairMatrix& block) {
    const auto entry = [&](int i) {
      return step[static_cast<std::size_t>(nodes[static_cast<std::size_t>(i / 3)] + i % 3)];
    };
    for (int i = 0; i < contact::pair_size; ++i) {
      for (int j = 0; j < contact::pair_size; ++j) sum += entry(i) * block[i][j] * entry(j);
    }
  });
  return sum;
}

}  // namespace rodeo::statics
