#include "cosserat/device_members.hpp"

#include <gtest/gtest.h>

#include "cosserat/step.hpp"
#include "test_rod.hpp"

namespace rodeo::cosserat {
namespace {

/// A rod with all that plain members may have, but for a plane.
MemberSpec plain_rod() {
  MemberSpec spec = soft_rod(20);
  spec.boundary.first = EndCondition::clamped;
  spec.load.gravity = {0, 0.5 * g, -g};
  spec.load.end_force = {0.2, 0.1, 0};
  spec.muscle.kind = MuscleKind::couple;
  spec.muscle.amplitudes.fill(0.05);
  spec.muscle.amplitude_count = 4;
  spec.muscle.period = 0.1;
  spec.muscle.wave_number = 6.0;
  spec.muscle.axis = {1, 0, 0};
  spec.fluid.viscosity = 0.5;
  return spec;
}

/// Takes steps of a plain member on the host, as a device does, and of the same rod by the host's kernels.
template <class Plain>
void expect_same_steps(const MemberSpec& spec) {
  constexpr std::int64_t steps = 500;
  TestRod by_kernels(spec);
  TestRod by_plain(spec);
  ASSERT_TRUE(device::is_plain(by_plain.data(), by_plain.rods().data[0]));
  const auto member = device::plain_member<Plain>(by_plain.data(), by_plain.rods().data[0]);
  advance(HostTeam{}, by_plain.view(), device::PlainRod<Plain>{member}, member, SliceTask{0, 0, steps});
  const std::vector<double> start = TestRod(spec).state();
  by_kernels.advance(steps);
  const std::vector<double> expected = by_kernels.state();
  const std::vector<double> found = by_plain.state();
  double moved = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-9) << i;
    moved = std::max(moved, std::abs(expected[i] - start[i]));
  }
  EXPECT_GT(moved, 0.1);
}

TEST(DeviceMembers, PlainOnesMoveAsOthersDo) { expect_same_steps<device::PlainMember>(plain_rod()); }

TEST(DeviceMembers, PlainOnesOnAPlaneMoveAsOthersDo) {
  MemberSpec spec = plain_rod();
  spec.ground.has_plane = true;
  spec.ground.origin = {0, 0, -0.02};
  spec.ground.normal = {0, 0, 1};
  spec.ground.stiffness = 100.0;
  spec.ground.damping = 0.1;
  spec.ground.static_friction = spec.ground.kinetic_friction = {0.3, 0.3, 0.3};
  spec.ground.velocity_threshold = 1e-3;
  expect_same_steps<device::PlainMemberOnPlane>(spec);
}

TEST(DeviceMembers, ArePlainWithoutWhatKernelsForPlainOnesLack) {
  const auto is_plain = [](const MemberSpec& spec) {
    TestRod rod(spec);
    return device::is_plain(rod.data(), rod.rods().data[0]);
  };
  EXPECT_TRUE(is_plain(plain_rod()));
  MemberSpec spec = plain_rod();
  spec.further_rods = {{spec.rod, spec.boundary, spec.load}};
  EXPECT_FALSE(is_plain(spec));
  spec = plain_rod();
  spec.load.perturbation = 1.0;
  EXPECT_FALSE(is_plain(spec));
  spec = plain_rod();
  spec.load.distributed_force = {1, 0, 0};
  EXPECT_FALSE(is_plain(spec));
  spec = plain_rod();
  spec.load.middle_force = {1, 0, 0};
  EXPECT_FALSE(is_plain(spec));
  spec = plain_rod();
  spec.rod.damping = 1.0;
  spec.rod.damping_decay_time = 1.0;
  EXPECT_FALSE(is_plain(spec));
  spec = plain_rod();
  spec.boundary.last = EndCondition::pinned_sliding;
  EXPECT_FALSE(is_plain(spec));
  spec = plain_rod();
  spec.sections_have_energy = true;
  EXPECT_FALSE(is_plain(spec));
}

}  // namespace
}  // namespace rodeo::cosserat
