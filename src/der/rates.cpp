#include "rates.hpp"

#include <algorithm>

#include "rodeo/der/der_member.hpp"

#include "node_entries.hpp"

namespace rodeo::der {

namespace {

std::size_t unknowns(LoadedRods& rods) {
  const RodStep& last = rods.rods().back();
  return static_cast<std::size_t>(last.first + degrees_of_freedom(last.rod.elements));
}

}  // namespace

std::vector<double> places_of(LoadedRods& rods) {
  std::vector<double> places(unknowns(rods));
  for (const RodStep& rod : rods.rods()) std::ranges::copy(present(rod.rod), places.begin() + rod.first);
  return places;
}

std::vector<double> rates_of(LoadedRods& rods) {
  std::vector<double> rates(unknowns(rods));
  for (const RodStep& rod : rods.rods()) {
    double* const own = rates.data() + rod.first;
    for (int i = 0; i <= rod.rod.elements; ++i) set(own, i, rod.rod.vec3(field::velocity, i));
    for (int i = 0; i < rod.rod.elements; ++i) own[4 * i + 3] = rod.rod.vec3(field::angular_velocity, i).z;
  }
  return rates;
}

void set_rates(LoadedRods& rods, const std::vector<double>& rates) {
  for (const RodStep& rod : rods.rods()) {
    const double* const own = rates.data() + rod.first;
    for (int i = 0; i <= rod.rod.elements; ++i) rod.rod.set_vec3(field::velocity, i, get(own, i));
    for (int i = 0; i < rod.rod.elements; ++i)
      rod.rod.set_vec3(field::angular_velocity, i, {0.0, 0.0, own[4 * i + 3]});
  }
}

void move_by(LoadedRods& rods, const std::vector<double>& way) {
  for (const RodStep& rod : rods.rods()) rod.move_by(way.data() + rod.first);
}

void hold(LoadedRods& rods, std::vector<double>& change) {
  rods.solver().ties().clear(change);
  rods.solver().constraints().constrain(change);
  rods.solver().ties().spread(change);
}

}  // namespace rodeo::der
