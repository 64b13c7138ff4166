#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/any_batch.hpp"
#include "member/measured.hpp"

namespace rodeo {
namespace {

constexpr const char* arm = R"(
[rod]
elements = 20
length = 1
radius = 0.02
density = 1000
young_modulus = 1e7
poisson_ratio = 0.5
direction = 1, 0, 0
normal = 0, 0, 1
[boundary]
first = clamped
[gravity]
acceleration = 0, 0, -9.81
[load]
end_force = 0, 0.3, 0
[time]
end = 0.2
[output]
frames = 2
)";

const std::vector<std::string> far_surfaces = {
    "ground.stiffness=2e4", "ground.damping=1",
    "ground.spheres=100,0,0,0.1, 102,0,0,0.1, 0,103,0,0.1, 0,-104,0,2, 0,0,0,-300",
    "ground.cylinders=0,0,90, 0,1,0, 5", "ground.planes=0,0,-100, 0,0,1, 0,50,0, 0,-1,0.1"};

struct Method {
  const char* name;
  std::vector<std::string> keys;
};

/// With the radius that generalized_alpha has beside ground of any kind, where it is not given.
const std::vector<Method> methods = {
    {"explicit", {"time.step=2e-4"}},
    {"explicit, on springs", {"time.step=2e-4"}},
    {"implicit", {"time.method=implicit", "time.step=0.01", "time.spectral_radius=0"}},
    {"implicit, of a tolerance",
     {"time.method=implicit", "time.step=0.01", "time.spectral_radius=0", "time.tolerance=1e-3"}},
    {"backward Euler", {"time.method=implicit", "time.step=0.01", "time.scheme=backward_euler"}},
    {"der", {"model.kind=der", "time.step=0.01", "time.scheme=backward_euler"}},
    {"equilibrium", {"time.method=static"}},
};

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(FarGround, ChangesNoBitOfAMotionOrAnEquilibrium) {
  for (const Method& method : methods) {
    SCOPED_TRACE(method.name);
    std::vector<std::string> ground = far_surfaces;
    if (std::string(method.name).find("springs") != std::string::npos)
      ground.emplace_back("ground.response=springs");
    const Measured without(arm, method.keys);
    const Measured with(arm, joined(method.keys, ground));
    ASSERT_EQ(without.outcome.fields.size(), with.outcome.fields.size());
    for (std::size_t k = 0; k < with.outcome.fields.size(); ++k)
      expect_same_numbers(with.outcome.fields[k], without.outcome.fields[k]);
    for (const char* const name : {"total_energy", "bending_energy", "newton_iterations", "energy_gain"})
      expect_same_numbers({with[name]}, {without[name]});
  }
}

/// Rods at rest, with no velocity that tells how far a step will take them.
TEST(FarGround, IsFeltByAStepThatGoesThere) {
  for (const std::vector<std::string>& keys :
       {std::vector<std::string>{"time.scheme=generalized_alpha"}, {"time.scheme=backward_euler"}}) {
    const Measured rod(
        "[model]\nsection = rigid\n[rod]\nelements = 4\nlength = 1\nradius = 0.02\nmass = 1\n"
        "young_modulus = 1e9\npoisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n"
        "origin = 0, 0, 0.5\n[gravity]\nacceleration = 0, 0, -2e4\n[ground]\nplanes = 0, 0, 0, 0, 0, 1\n"
        "stiffness = 1e6\ndamping = 10\n[time]\nmethod = implicit\nstep = 0.01\nend = 0.01\n"
        "[measure]\ndefine = lowest [m] : last(z(middle))\n",
        keys);
    EXPECT_NEAR(rod["lowest"], 0.02, 0.02) << keys.front();
    EXPECT_GT(rod["ground_depth_relative"], 0.0) << keys.front();
  }
}

TEST(FarGround, ComesNearToOneMemberAfterTheOther) {
  std::vector<MemberSpec> specs;
  for (int k = 0; k < 20; ++k) {
    specs.push_back(make_member_spec(
        Deck::parse(arm, "test.ini",
                    {"boundary.first=free", "time.method=implicit", "time.step=0.01", "time.end=0.4",
                     "rod.origin=0, 0, " + std::to_string(0.1 + 0.05 * k), "ground.planes=0, 0, 0, 0, 0, 1",
                     "ground.stiffness=2e3", "ground.damping=1", "ground.static_friction=0.3, 0.3, 0.3"})));
  }
  const std::vector<MemberOutcome> alone = expect_the_same_in_any_batch(specs);
  EXPECT_EQ(count_of(alone, MemberStatus::done), 20);
}

}  // namespace
}  // namespace rodeo
