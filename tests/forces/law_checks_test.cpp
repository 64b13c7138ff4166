#include "forces/law_checks.hpp"

#include <gtest/gtest-spi.h>

// Laws that say what they do not do: check_law has to find each.
namespace rodeo {
namespace {

/// Holds the last node to a plane by a cubic spring, and says so.
struct PlaneSpring {
  double spring = 0.0;  ///< N/m^3
  double height = 0.0;  ///< m

  static constexpr std::string_view stiffness_key = "plane_spring.stiffness";

  static PlaneSpring of(const MemberSpec& rod) { return rod.load.own.get<PlaneSpring>(); }
  KOKKOS_INLINE_FUNCTION bool acts(double) const { return spring > 0.0; }
  static constexpr double steady_from() { return 0.0; }
  bool does_work() const { return false; }
  int first_node(int elements) const { return elements; }
  int end_node(int elements) const { return elements + 1; }
  double energy(const Vec3& x) const {
    const double d = x.z - height;
    return 0.25 * spring * d * d * d * d;
  }
  template <class Real>
  BasicVec3<Real> force(const BasicVec3<Real>& x) const {
    const Real d = x.z - height;
    return {Real(0.0), Real(0.0), -spring * d * d * d};
  }
  double stiffness(const Vec3& x) const { return 3.0 * spring * (x.z - height) * (x.z - height); }
};

struct SlackSpring : PlaneSpring {
  static SlackSpring of(const MemberSpec& rod) { return rod.load.own.get<SlackSpring>(); }
  double stiffness(const Vec3& x) const { return 1e-6 * PlaneSpring::stiffness(x); }
};

struct SpringBeyondTheEnd : PlaneSpring {
  static SpringBeyondTheEnd of(const MemberSpec& rod) { return rod.load.own.get<SpringBeyondTheEnd>(); }
  int end_node(int elements) const { return elements + 2; }
};

struct WrongEnergy : PlaneSpring {
  static WrongEnergy of(const MemberSpec& rod) { return rod.load.own.get<WrongEnergy>(); }
  bool does_work() const { return acts(0.0); }
  double energy(const Vec3& x) const { return 7.0 * PlaneSpring::energy(x); }
};

struct ForceWithCurl : PlaneSpring {
  static ForceWithCurl of(const MemberSpec& rod) { return rod.load.own.get<ForceWithCurl>(); }
  double energy(const Vec3&) const { return 0.0; }
  template <class Real>
  BasicVec3<Real> force(const BasicVec3<Real>& x) const {
    return {-spring * x.y, spring * x.x, Real(0.0)};
  }
};

/// Resists the motion of nodes by -c v.
struct NodeDrag {
  double drag = 0.0;  ///< kg/s

  static NodeDrag of(const MemberSpec& rod) { return rod.load.own.get<NodeDrag>(); }
  KOKKOS_INLINE_FUNCTION bool acts(double) const { return drag != 0.0; }
  static constexpr double steady_from() { return 0.0; }
  bool does_work() const { return false; }
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const BasicRodView<Real>& rod, double) const {
    const auto c = static_cast<Real>(drag);
    const BasicVec3Array<Real> force = rod.vec3_array(field::external_force);
    const BasicVec3Array<Real> velocity = rod.vec3_array(field::velocity);
    for_each_lane(team, rod.nodes(), [=](int i) { force.add(i, -c * velocity(i)); });
  }
};

/// How much check_law finds.
template <class L>
int faults_of(const L& law) {
  testing::TestPartResultArray found;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &found);
    check_law(law);
  }
  return found.size();
}

TEST(LawChecks, LetPassWhatLawsSayRightly) {
  EXPECT_EQ(faults_of(PlaneSpring{2.0, -0.1}), 0);
  EXPECT_EQ(faults_of(NodeDrag{0.3}), 0);
}

TEST(LawChecks, FindWhatLawsSayWrongly) {
  EXPECT_GT(faults_of(SlackSpring{{2.0, -0.1}}), 0);
  EXPECT_GT(faults_of(SpringBeyondTheEnd{{2.0, -0.1}}), 0);
  EXPECT_GT(faults_of(WrongEnergy{{2.0, -0.1}}), 0);
  EXPECT_GT(faults_of(ForceWithCurl{{2.0, -0.1}}), 0);
  EXPECT_GT(faults_of(NodeDrag{-0.3}), 0);
}

}  // namespace
}  // namespace rodeo
