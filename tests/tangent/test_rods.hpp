#pragma once

#include <vector>

#include "rodeo/rod/rod_fields.hpp"

#include "element_and_region.hpp"

namespace rodeo::tangent {

/// A rod of any shape with rigid sections: random edges, frames that turn by up to `turn` from one to the
/// next, and random properties of every element and region, half regions too. Sections are not alike about d1
/// and d2, unless `circular` says so.
class RandomRod {
 public:
  RandomRod(Draws& draws, int elements, double turn = 1.0, bool circular = false)
      : arrays_(rod_size(elements, circular)), rod_(arrays_.data(), elements, 0.0, circular) {
    Quaternion frame = draws.orientation();
    Vec3 place = draws.vec3(1.0);
    rod_.set_quaternion(-1, frame);
    for (int i = 0; i <= elements; ++i) {
      frame = frame * rotation(draws.between(0.2, 1.0) * turn * draws.unit());
      rod_.set_quaternion(i, frame);
      rod_.set_vec3(field::position, i, place);
      if (i == elements) break;
      const double length = draws.between(0.05, 0.15);
      place = place + length * (directors(frame).d3 + draws.vec3(0.2));
      rod_.array(field::rest_length)[i] = length;
      rod_.array(field::inverse_rest_length)[i] = 1 / length;
      rod_.array(field::shear_stiffness)[i] = draws.between(1.0, 30.0);
      rod_.array(field::stretch_stiffness)[i] = draws.between(30.0, 90.0);
      rod_.array(field::natural_stretch)[i] = draws.between(0.9, 1.1);
      if (!circular) rod_.array(field::second_shear_stiffness)[i] = draws.between(1.0, 30.0);
    }
    for (int i = -1; i < elements; ++i) {
      rod_.array(field::inverse_rest_voronoi)[i] = draws.between(7.0, 20.0);
      const double bend = draws.between(0.1, 0.3);
      rod_.set_bend_twist_stiffness(
          i, {bend, circular ? bend : draws.between(0.1, 0.3), draws.between(0.1, 0.3)});
      rod_.set_vec3(field::rest_curvature, i, draws.vec3(3.0));
    }
  }
  RandomRod(const RandomRod& other)
      : arrays_(other.arrays_), rod_(arrays_.data(), other.rod_.elements, 0.0, other.rod_.circular) {}
  RandomRod& operator=(const RandomRod&) = delete;

  const RodView& view() const { return rod_; }

 private:
  std::vector<double> arrays_;
  RodView rod_;
};

}  // namespace rodeo::tangent
