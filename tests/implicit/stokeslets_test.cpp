#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/models/models.hpp"

#include "member/measured.hpp"
#include "member/run_in_pieces.hpp"

namespace rodeo::implicit {
namespace {

/// Two rods that fall side by side in a viscous fluid, of which one is clamped.
constexpr const char* falling_rods = R"(
[model]
section = rigid
[rod]
count = 2
elements = 12
length = 0.1
radius = 0.001
density = 1500
young_modulus = 3e5
poisson_ratio = 0.5
each = rod.origin[1] : list(0, 0.02)
direction = 1, 0, 0
normal = 0, 0, 1
each = boundary.first : list(clamped, free)
[fluid]
viscosity = 0.1
kind = stokeslets
[gravity]
acceleration = 0, 1, -9.81
[time]
step = 1e-3
end = 0.1
[measure]
define = x_end [m] : last(x(rod 0, end))
define = y_end [m] : last(y(rod 0, end))
define = z_end [m] : last(z(rod 1, middle))
)";

Vec3 end_after(const std::vector<std::string>& overrides) {
  const Measured rods(falling_rods, overrides);
  EXPECT_GT(rods["fluid_iterations_per_step"], 0.0);
  return {rods["x_end"], rods["y_end"], rods["z_end"]};
}

/// The fluid's forces are those at the start of a step: of first order, as those of der, which hardly shears.
TEST(ImplicitStokeslets, MoveRodsAsTheyDoRodsOfDer) {
  const auto limit = [](const std::vector<std::string>& overrides) {
    std::array<Vec3, 2> ends;
    for (std::size_t k = 0; k < ends.size(); ++k) {
      std::vector<std::string> all = overrides;
      all.push_back(k == 0 ? "time.step=4e-4" : "time.step=2e-4");
      ends[k] = end_after(all);
    }
    return ends[1] + (ends[1] - ends[0]);
  };
  const Vec3 der = limit({"model.kind=der"});
  EXPECT_LT(der.z, -0.015) << "they have fallen";
  for (const char* scheme : {"generalized_alpha", "energy_momentum"}) {
    const std::vector<std::string> steps = {"time.method=implicit", "time.scheme=" + std::string(scheme)};
    const Vec3 found = limit(steps);
    EXPECT_LT(norm(found - der), 1e-5) << scheme;
    std::vector<std::string> coarse = steps;
    coarse.emplace_back("time.step=1e-3");
    std::vector<std::string> fine = steps;
    fine.emplace_back("time.step=5e-4");
    EXPECT_NEAR(norm(end_after(coarse) - found) / norm(end_after(fine) - found), 2.0, 0.2) << scheme;
  }
}

TEST(ImplicitStokeslets, GoOnBitByBitInAnotherBatch) {
  const std::vector<std::string> steps = {"time.method=implicit", "time.slice_steps=7", "output.frames=2",
                                          "time.step=2e-3"};
  const MemberJob job{make_member_spec(Deck::parse(falling_rods, "test", steps)), 1};
  const MemberOutcome whole = run_member(job.spec);
  ASSERT_EQ(whole.status, MemberStatus::done);
  EXPECT_EQ(run_in_pieces(job).fields, whole.fields);
}

TEST(ImplicitStokeslets, AreRefusedWhereNodesAreOne) {
  const std::string joint = "[connection]\nball = rod 0, end to rod 1, start\n";
  const MemberSpec spec = make_member_spec(
      Deck::parse(falling_rods + joint, "test",
                  {"time.method=implicit", "rod.each=rod.origin[0] : list(0, 0.1)",
                   "rod.each=rod.origin[1] : list(0, 0)", "rod.each=boundary.first : list(clamped, free)"}));
  const std::optional<StartProblem> problem = refusal_at_start(spec);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->key, "fluid.kind");
}

}  // namespace
}  // namespace rodeo::implicit
