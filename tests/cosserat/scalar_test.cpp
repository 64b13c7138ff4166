#include <vector>

#include <gtest/gtest.h>

#include "cosserat/step.hpp"
#include "cosserat/test_rod.hpp"

namespace rodeo {

template <>
struct Precision<long double> {
  using Whole = double;
  static constexpr bool compensated = false;
  static constexpr long double smallest_square = 1e-300L;
  static constexpr long double smallest_divisor = 1e-150L;
};

namespace cosserat {
namespace {

/// Kernels take any scalar with a Precision: the step of a rod under load in a third one.
TEST(Scalar, StepsRunInAnyScalar) {
  constexpr int elements = 12;
  constexpr std::int64_t steps = 200;
  MemberSpec spec = soft_rod(elements);
  spec.boundary.first = EndCondition::clamped;
  spec.load.gravity = {1.0, 0.0, -9.81};
  spec.load.end_couple = {0.0, 0.02, 0.05};
  spec.rod.damping = 0.3;
  spec.rod.damping_decay_time = 0.01;
  TestRod rod(spec);
  stir(rod.view(), 0.3);

  std::vector<long double> storage(rod_size<long double>(elements));
  const BasicRodView<long double> wide(storage.data(), elements, spec.sections_shrink);
  clear_work(wide.work, wide.work_pitch);
  for (int f = 0; f < field::lasting_count; ++f) {
    for (int i = -1; i < std::min(rod.view().pitch - field_front, wide.pitch - front_entries<long double>);
         ++i) {
      wide.array(f)[i] = rod.view().array(f)[i];
    }
  }
  advance(OneThread{}, wide, rod.rods(), rod.data(), {0, 0, steps});
  rod.advance(steps);
  for (int i = 0; i <= elements; ++i) {
    EXPECT_NEAR(norm(wide.vec3(field::position, i) - rod.view().vec3(field::position, i)), 0.0, 1e-12) << i;
    EXPECT_NEAR(norm(wide.vec3(field::velocity, i) - rod.view().vec3(field::velocity, i)), 0.0, 1e-10) << i;
  }
  EXPECT_GT(norm(rod.view().vec3(field::velocity, elements)), 0.01);
}

}  // namespace
}  // namespace cosserat
}  // namespace rodeo
